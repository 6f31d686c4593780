extension SwiftNameMeter {
  mutating func readFunction() throws(Refusal) {
    _ = popIf(.genericSignature)
    let labels = try popFunctionType()
    if !hasLabelsInTuples, !popIf(.emptyList) { try popLabels(labels) }
    try popDeclarationName()
    try popContext()
    try chargeOpaqueResult()
    try push(.context)
  }

  /// Reads a variable or what is like it.
  mutating func readEntity() throws(Refusal) {
    let type = try popType()
    try popLabels(of: type)
    try popDeclarationName()
    try popContext()
    try chargeOpaqueResult()
  }

  mutating func readSubscript() throws(Refusal) {
    _ = popIf(.privateName)
    let type = try popType()
    try popLabels(of: type)
    try popContext()
    try chargeOpaqueResult()
    try readAccessor()
  }

  mutating func readAccessor() throws(Refusal) {
    switch try take() {
    case "a", "l":
      guard takes("O") || takes("o") || takes("p") || takes("u") else { throw .malformed }
    case "A"..."Z", "a"..."z": break
    default: throw .malformed
    }
    try push(.context)
  }

  /// The runtime walks through the type of the declaration to find `some P`, and mangles the
  /// declaration if there is one.
  private mutating func chargeOpaqueResult() throws(Refusal) {
    guard hasOpaqueResult else { return }
    try grow(by: size - start)
  }

  mutating func readFunctionEntity() throws(Refusal) {
    switch try take() {
    case "D", "d", "Z", "E", "e", "F", "i", "P", "W": break
    case "C", "c":
      _ = popIf(.privateName)
      let type = try popType()
      try popLabels(of: type)
    case "U", "u":
      try takeIndex()
      try popType()
    case "A": try takeIndex()
    case "m", "p":
      try readEntity()
      return try push(.other)
    case "M": return try readMacroExpansion()
    default: throw .malformed
    }
    try popContext()
    try push(.context)
  }

  private mutating func readMacroExpansion() throws(Refusal) {
    let kind = try take()
    switch kind {
    case "X":
      try takeIndex()
      try takeIndex()
      try pop(.identifier)
      try pop(.identifier)
      return try push(.macroExpansion)
    case "a", "r", "m", "p", "c", "e", "q", "b":
      try pop(.identifier)
      try popDeclarationName()
    case "f":
      try pop(.identifier)
      _ = popIf(.privateName)
    case "u": try pop(.identifier)
    default: throw .malformed
    }
    try popContext()
    try takeIndex()
    try push(.macroExpansion)
  }

  mutating func readExtension() throws(Refusal) {
    _ = popIf(.genericSignature)
    try popModule()
    try popNominalType()
    try push(.context)
  }

  mutating func readLocalName() throws(Refusal) {
    switch next {
    case "L":
      position += 1
      try pop(.identifier)
      try popDeclarationName()
      try push(.privateName)
    case "l":
      position += 1
      try pop(.identifier)
      try push(.privateName)
    case "a"..."j", "A"..."J":
      position += 1
      try popWhole()
      try push(.declarationName)
    default:
      try takeIndex()
      try popDeclarationName()
      try push(.declarationName)
    }
  }

  mutating func readOperatorName() throws(Refusal) {
    try pop(.identifier)
    guard takes("i") || takes("p") || takes("P") else { throw .malformed }
    try push(.declarationName)
  }

  // MARK: - Conformances

  mutating func popProtocol() throws(Refusal) {
    if popIf(.protocolType) { return }
    try popDeclarationName()
    try popContext()
  }

  mutating func popProtocolConformance() throws(Refusal) {
    _ = popIf(.genericSignature)
    try popModule()
    try popProtocol()
    if popTypeIf() { return }
    _ = popIf(.identifier)
    try popType()
  }

  mutating func popConformanceList() throws(Refusal) {
    try popList { meter throws(Refusal) in try meter.pop(.conformance) }
  }

  mutating func readRetroactiveConformance() throws(Refusal) {
    try takeIndex()
    try pop(.conformance)
    try push(.retroactiveConformance)
  }

  mutating func readConformance() throws(Refusal) {
    switch try take() {
    case "A":
      try takeIndex()
      try popProtocol()
      try popType()
      try pop(.conformance)
      try push(.conformance)
    case "C":
      try popConformanceList()
      if !popIf(.conformanceReference) {
        try popModule()
        try popProtocol()
      }
      try popType()
      try push(.conformance)
    case "D":
      try takeIndex()
      try popProtocol()
      try popType()
      try push(.conformance)
    case "I":
      try takeIndex()
      try popProtocol()
      try pop(.conformance)
      try push(.conformance)
    case "O":
      try popType()
      try pop(.conformance)
      try push(.conformance)
    case "P", "p":
      try popProtocol()
      try push(.conformanceReference)
    case "X":
      try popConformanceList()
      try push(.conformance)
    case "c":
      try popProtocolConformance()
      try push(.other)
    case "n":
      try popType()
      try push(.other)
    case "o":
      try popWhole()
      try push(.other)
    case "r":
      try popProtocol()
      try push(.other)
    case "F", "a": try push(.other)
    default: throw .malformed
    }
  }
}
