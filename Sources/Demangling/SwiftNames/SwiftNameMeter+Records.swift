extension SwiftNameMeter {
  /// What the compiler makes for a type or a conformance, so that it is known at run time.
  mutating func readMetadata() throws(Refusal) {
    switch try take() {
    case "A", "c": try popProtocolConformance()
    case "p", "S", "s": try popProtocol()
    case "g", "h", "j", "J", "k", "K", "q", "Q": try popWhole()
    case "V": try popEntity()
    case "X":
      switch try take() {
      case "E", "X": try popContext()
      case "M": try popModule()
      case "Y":
        try popWhole()
        try popContext()
      case "A":
        try popMemberPath()
        try popType()
      default: throw .malformed
      }
    case "a", "b", "B", "C", "D", "f", "F", "i", "I", "l", "L", "m", "M", "n", "N", "o", "P",
      "r", "t", "u", "U", "z":
      try popType()
    default: throw .malformed
    }
    try push(.other)
  }

  mutating func readWitness() throws(Refusal) {
    switch try take() {
    case "C": try popEntity()
    case "V": try popType()
    case "v":
      guard takes("d") || takes("i") else { throw .malformed }
      try popEntity()
    case "S": try popProtocol()
    case "P", "p", "G", "I", "r", "a": try popProtocolConformance()
    case "l", "L":
      try popProtocolConformance()
      try popType()
    case "t":
      try popDeclarationName()
      try popProtocolConformance()
    case "T":
      try popType()
      try popMemberPath()
      try popProtocolConformance()
    case "b":
      try popType()
      try popProtocolConformance()
    case "O":
      _ = popIf(.genericSignature)
      try popType()
      // Which case of an enumeration it is.
      if takes("i") || takes("j") { try takeIndex() } else { _ = try take() }
    case "Z", "z":
      while popIf(.firstElement) { try popDeclarationName() }
      try popContext()
      return try push(.other)
    case "J":
      try readDifferentiatedFunction()
    default: throw .malformed
    }
    try push(.other)
  }

  mutating func readThunk() throws(Refusal) {
    switch try take() {
    case "T":
      guard takes("I") || takes("H") else { throw .malformed }
      try popEntity()
    case "c", "j", "q", "S": try popEntity()
    case "o", "O", "D", "d", "E", "F", "a", "A", "m", "X", "x", "I", "u": break
    case "Y", "Q": try takeIndex()
    case "C": try popType()
    case "z", "Z":
      try takeIndex()
      _ = popIf(.genericSignature)
      try popType()
      try popType()
    case "V":
      try popEntity()
      try popEntity()
    case "W":
      try popEntity()
      try popProtocolConformance()
    case "R", "r":
      _ = popIf(.genericSignature)
      try popType()
      try popType()
    case "y":
      _ = popIf(.genericSignature)
      try popType()
      try popType()
      try popType()
    case "g", "G", "B", "s", "i":
      try readSpecializationAttributes()
      try popTypeList()
    case "t":
      repeat { _ = try takeNatural() } while takes("t")
      guard takes("g") || takes("G") || takes("B") else { throw .malformed }
      try readSpecializationAttributes()
      try popTypeList()
    case "P", "p":
      try readSpecializationAttributes()
      try popType()
    case "f": try readFunctionSpecialization()
    case "K", "k":
      _ = takes("q")
      try popType()
      while popTypeIf() {}
      _ = popIf(.genericSignature)
      try popWhole()
    case "l", "M": try popAssociatedTypeName()
    case "L": try popProtocol()
    case "n", "N":
      try popProtocol()
      try popMemberPath()
      try popType()
    case "b":
      try popProtocol()
      try popType()
    case "H", "h":
      _ = takes("q")
      guard !stack.isEmpty else { throw .malformed }
      _ = popIf(.genericSignature)
      while !stack.isEmpty { try popType() }
    case "v":
      try takeIndex()
      _ = takes("r")
    case "e": try readBridgedParameters()
    case "U":
      try popType()
      try popWhole()
    case "J": try readDerivative()
    case "w":
      guard takes("b") || takes("B") || takes("S") || takes("c") || takes("d") else {
        throw .malformed
      }
    default: throw .malformed
    }
    try push(.other)
  }

  private mutating func readBridgedParameters() throws(Refusal) {
    if takes("_") { return }
    guard takes("p") || takes("a") || takes("m") else { throw .malformed }
    while !takes("_") {
      guard takes("n") || takes("b") || takes("g") else { throw .malformed }
    }
  }

  private mutating func readDerivative() throws(Refusal) {
    if takes("O") {
      _ = popIf(.genericSignature)
      try popType()
      try popType()
      _ = try take()
      return
    }
    let isThunk = takes("S")
    if !isThunk { _ = takes("V") }
    try readDifferentiatedFunction()
    if isThunk {
      try readIndexSubset()
      try expect("P")
    }
  }

  /// The function has all parts that are left. Behind it are its kind, its parameters and results.
  private mutating func readDifferentiatedFunction() throws(Refusal) {
    while !stack.isEmpty {
      if !popIf(.genericSignature) { try popWhole() }
    }
    _ = try take()
    try readIndexSubset()
    try expect("p")
    try readIndexSubset()
    try expect("r")
  }

  private mutating func readIndexSubset() throws(Refusal) {
    guard takes("S") || takes("U") else { throw .malformed }
    while takes("S") || takes("U") {}
  }

  private mutating func readSpecializationAttributes() throws(Refusal) {
    _ = takes("q")
    _ = takes("a")
    _ = takes("r")
    guard isAtDigit else { throw .malformed }
    position += 1
  }

  /// How the parameters of a specialised function differ. Names of closures and of constants are
  /// on the stack, the last first.
  private mutating func readFunctionSpecialization() throws(Refusal) {
    try readSpecializationAttributes()
    _ = try takeNatural()
    var nameCount = 0
    while !takes("_") {
      if try readSpecializedParameter() { nameCount += 1 }
    }
    if !takes("n") { _ = try readSpecializedParameter() }
    // The types that a closure captures, and those of structures with one constant in them.
    while popTypeIf() {}
    for _ in 0..<nameCount {
      try popNestedName()
      while popTypeIf() {}
    }
  }

  /// Returns whether the parameter is replaced by something that has a name.
  private mutating func readSpecializedParameter() throws(Refusal) -> Bool {
    // "Existential To Protocol Constrained Generic and …".
    try grow(by: 64)
    switch try take() {
    case "n", "x", "i", "s", "r": return false
    case "c": return true
    case "C":
      guard try takeNatural() != nil else { throw .malformed }
      return true
    case "p":
      while takes("S") {}
      switch try take() {
      case "f", "g", "k": return true
      case "i", "d":
        guard isAtDigit else { throw .malformed }
        while isAtDigit { position += 1 }
        return false
      case "s":
        guard takes("b") || takes("w") || takes("c") else { throw .malformed }
        return true
      default: throw .malformed
      }
    case "e":
      _ = takes("D")
      fallthrough
    case "d":
      _ = takes("G")
      fallthrough
    case "g":
      _ = takes("O")
      fallthrough
    case "o":
      _ = takes("X")
      return false
    default: throw .malformed
    }
  }
}
