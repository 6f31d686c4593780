extension SwiftNameMeter {
  mutating func readNominalType(_ kind: Kind) throws(Refusal) {
    try popDeclarationName()
    try popContext()
    try pushSubstituted(kind)
  }

  mutating func readBuiltinType() throws(Refusal) {
    switch try take() {
    case "f", "i": try takeIndex()
    case "v":
      try takeIndex()
      try popType()
    case "V":
      try popType()
      try popType()
    case "A"..."Z", "a"..."z": break
    default: throw .malformed
    }
    try push(.type)
  }

  mutating func readTuple() throws(Refusal) {
    let count = try popList { meter throws(Refusal) in
      _ = meter.popIf(.variadic)
      _ = meter.popIf(.identifier)
      try meter.popType()
    }
    try push(.tupleType, arity: count)
  }

  /// Reads a function type.
  ///
  /// - Parameter withLabels: whether a declaration of this type has its labels in front of it.
  mutating func readFunctionType(
    withLabels: Bool, withClangType: Bool = false
  ) throws(Refusal) {
    if withClangType { try readClangType() }
    let labels = try popFunctionType()
    try push(withLabels ? .functionType : .type, arity: withLabels ? labels : 0)
  }

  /// Takes the parts of a function type, and returns how many labels it has.
  mutating func popFunctionType() throws(Refusal) -> Int {
    _ = popIf(.sendingResult)
    _ = popIf(.isolation)
    _ = popIf(.differentiable)
    _ = popIf(.throwing)
    _ = popIf(.sendable)
    _ = popIf(.asynchronous)
    var labels = 0
    if !popIf(.emptyList) {
      let parameters = try popType()
      if parameters.kind == .tupleType { labels = parameters.arity }
    }
    if !popIf(.emptyList) { try popType() }
    return labels
  }

  /// Takes the labels of a declaration's parameters.
  mutating func popLabels(of type: Part) throws(Refusal) {
    guard !hasLabelsInTuples, !popIf(.emptyList), type.kind == .functionType else { return }
    try popLabels(type.arity)
  }

  mutating func popLabels(_ count: Int) throws(Refusal) {
    for _ in 0..<count { try pop() }
  }

  private mutating func readClangType() throws(Refusal) {
    guard let count = try takeNatural(), count <= bytes.count - position else {
      throw .malformed
    }
    position += count
  }

  mutating func readSpecialType() throws(Refusal) {
    switch try take() {
    case "E": try readFunctionType(withLabels: true)
    case "A", "f", "K", "U", "L", "B", "C": try readFunctionType(withLabels: false)
    case "z":
      guard takes("B") || takes("C") else { throw .malformed }
      try readFunctionType(withLabels: false, withClangType: true)
    case "o", "u", "w", "b", "D", "p":
      try popType()
      try push(.type)
    case "M", "m":
      guard takes("t") || takes("T") || takes("o") else { throw .malformed }
      try popType()
      try push(.type)
    case "G":
      try popType()
      _ = popIf(.genericSignature)
      try push(.other)
    case "g":
      try popType()
      try push(.other)
    case "P":
      try popList(mayBeEmpty: false) { meter throws(Refusal) in try meter.pop(.requirement) }
      try popType()
      try push(.type)
    case "c":
      try popType()
      try popList { meter throws(Refusal) in try meter.popProtocol() }
      try push(.type)
    case "l":
      try popList { meter throws(Refusal) in try meter.popProtocol() }
      try push(.type)
    case "X":
      try pop(.genericSignature)
      try popTypeList()
      try popTypeList()
      try push(.type)
    case "x":
      try popTypeList()
      try push(.type)
    case "Y": try readNominalType(.nominalType)
    case "Z":
      try popTypeList()
      try pop(.identifier)
      try popContext()
      try push(.context)
    case "e": try push(.type)
    case "S":
      switch try take() {
      case "q", "a", "p": try popType()
      case "D", "A":
        try popType()
        try popType()
      default: throw .malformed
      }
      try push(.type)
    default: throw .malformed
    }
  }

  mutating func readAnnotation() throws(Refusal) {
    switch try take() {
    case "a": try push(.asynchronous)
    case "A", "C": try push(.isolation)
    case "b": try push(.sendable)
    case "c":
      try popType()
      try push(.isolation)
    case "j":
      guard takes("f") || takes("r") || takes("d") || takes("l") else { throw .malformed }
      try push(.differentiable)
    case "K":
      try popType()
      try push(.throwing)
    case "T": try push(.sendingResult)
    case "i", "k", "t", "g", "u":
      try popType()
      try push(.type)
    default: throw .malformed
    }
  }

  /// Reads a function type as the compiler's intermediate language has it.
  mutating func readImplementationFunctionType() throws(Refusal) {
    if takes("s") {
      try popBoundGenerics()
      try pop(.genericSignature)
    }
    if takes("I") { try popBoundGenerics() }
    if popIf(.genericSignature) { _ = takes("P") }
    _ = takes("e")
    _ = takes("A")
    _ = takes("d") || takes("f") || takes("l") || takes("r")
    guard takes("y") || takes("g") || takes("x") || takes("t") else { throw .malformed }
    switch next {
    case "B", "C", "M", "O", "K", "W": position += 1
    case "z":
      // A `z` alone is that of a thrown error.
      position += 1
      if takes("B") || takes("C") { try readClangType() }
    default: break
    }
    _ = takes("A") || takes("I") || takes("G")
    _ = takes("h")
    _ = takes("H")
    _ = takes("T")
    var count = 0
    while takesParameterConvention() {
      _ = takes("w")
      _ = takes("T")
      _ = takes("I")
      _ = takes("L")
      count += 1
    }
    while takesResultConvention() {
      _ = takes("w")
      count += 1
    }
    while takes("Y") {
      guard takesParameterConvention() else { throw .malformed }
      count += 1
    }
    if takes("z") {
      guard takesResultConvention() else { throw .malformed }
      count += 1
    }
    try expect("_")
    for _ in 0..<count { try popType() }
    try push(.type)
  }

  private mutating func takesParameterConvention() -> Bool {
    switch next {
    case "i", "c", "l", "b", "n", "X", "x", "g", "e", "y", "v", "p", "m":
      position += 1
      return true
    default: return false
    }
  }

  private mutating func takesResultConvention() -> Bool {
    switch next {
    case "r", "o", "d", "u", "a", "k", "l", "g", "m":
      position += 1
      return true
    default: return false
    }
  }
}
