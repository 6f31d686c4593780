extension SwiftNameMeter {
  /// Reads an operator with what follows it.
  mutating func readOperator() throws(Refusal) {
    switch next {
    case "0"..."9": return try readIdentifier()
    // Padding in front of references to memory, which this program cannot follow.
    case "\u{ff}":
      position += 1
      return
    default: break
    }
    switch try take() {
    case "A": try readSubstitutions()
    case "B": try readBuiltinType()
    case "C", "O", "V", "a": try readNominalType(.nominalType)
    case "P": try readNominalType(.protocolType)
    case "D": try readTypeMangling()
    case "E": try readExtension()
    case "F": try readFunction()
    case "G": try readBoundGenericType()
    case "H": try readConformance()
    case "I": try readImplementationFunctionType()
    case "K": try push(.throwing)
    case "L": try readLocalName()
    case "M": try readMetadata()
    case "N", "m", "h", "n", "z": try readTypeOfType()
    case "Q": try readArchetype()
    case "R": try readRequirement()
    case "S": try readStandardType()
    case "T": try readThunk()
    case "W": try readWitness()
    case "X": try readSpecialType()
    case "Y": try readAnnotation()
    case "Z": try readStatic()
    case "c": try readFunctionType(withLabels: true)
    case "d": try push(.variadic)
    case "f": try readFunctionEntity()
    case "g": try readRetroactiveConformance()
    case "i": try readSubscript()
    case "l": try readGenericSignature(hasCounts: false)
    case "o": try readOperatorName()
    case "p":
      try popList { meter throws(Refusal) in try meter.popProtocol() }
      try push(.type)
    case "q":
      try readGenericParameter()
      try push(.type)
    case "r": try readGenericSignature(hasCounts: true)
    case "s": try push(.module)
    case "t": try readTuple()
    case "u": try readGenericType()
    case "v":
      try readEntity()
      try readAccessor()
    case "w":
      try popType()
      _ = try take()
      _ = try take()
      try push(.other)
    case "x": try push(.type)
    case "y": try push(.emptyList)
    case "_": try push(.firstElement)
    case ".":
      position = bytes.count
      try push(.other)
    case "$":
      _ = takes("n")
      try takeIndex()
      try push(.type)
    default: throw .malformed
    }
  }

  private mutating func readTypeOfType() throws(Refusal) {
    let isMetadata = bytes[position - 1] == UInt8(ascii: "N")
    try popType()
    try push(isMetadata ? .other : .type)
  }

  private mutating func readStatic() throws(Refusal) {
    try popEntity()
    try push(.context)
  }

  private mutating func readTypeMangling() throws(Refusal) {
    let type = try popType()
    try popLabels(of: type)
    try push(.other)
  }
}

// MARK: - Substitutions

extension SwiftNameMeter {
  /// The most copies that the runtime makes.
  private static let maximalCopies = 2048

  private mutating func readSubstitutions() throws(Refusal) {
    var number: Int?
    while true {
      let byte = try take()
      switch byte {
      case "a"..."z":
        try pushCopies(number, at: Int(byte.value - 0x61))
        number = nil
      case "A"..."Z": return try pushCopies(number, at: Int(byte.value - 0x41))
      case "_": return try pushCopies(1, ofSubstitution: (number ?? -1) + 27)
      default:
        position -= 1
        guard let found = try takeNatural() else { throw .malformed }
        number = found
      }
    }
  }

  private mutating func pushCopies(_ number: Int?, at index: Int) throws(Refusal) {
    let count = number ?? 1
    guard count <= Self.maximalCopies else { throw .malformed }
    try pushCopies(count, ofSubstitution: index)
  }

  /// A type of the standard library, or an optional type.
  private mutating func readStandardType() throws(Refusal) {
    switch next {
    case "o", "C":
      position += 1
      return try push(.module)
    case "g":
      position += 1
      try popType()
      return try pushSubstituted(.type)
    default: break
    }
    let count = try takeNatural() ?? 1
    guard count <= Self.maximalCopies else { throw .malformed }
    let isProtocol: Bool
    switch try take() {
    case "c": isProtocol = try isProtocolOfConcurrency()
    case "B", "E", "e", "F", "G", "H", "j", "K", "k", "L", "l", "M", "m", "Q", "T", "t", "U",
      "X", "x", "Y", "y", "Z", "z":
      isProtocol = true
    case "A"..."Z", "a"..."z": isProtocol = false
    default: throw .malformed
    }
    for _ in 0..<max(1, count) { try push(isProtocol ? .protocolType : .nominalType) }
  }

  /// Whether a type of Swift's concurrency library is a protocol: `Executor`, `SerialExecutor`,
  /// `TaskExecutor`, `AsyncIteratorProtocol`, `AsyncSequence`, `Actor`.
  private mutating func isProtocolOfConcurrency() throws(Refusal) -> Bool {
    switch try take() {
    case "A", "F", "f", "h", "I", "i": true
    case "A"..."Z", "a"..."z": false
    default: throw .malformed
    }
  }
}
