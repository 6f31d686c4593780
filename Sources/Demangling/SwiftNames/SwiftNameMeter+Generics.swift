extension SwiftNameMeter {
  /// A type with its arguments, and with those of the types around it.
  mutating func readBoundGenericType() throws(Refusal) {
    try popBoundGenerics()
    try popNominalType()
    try pushSubstituted(.type)
  }

  /// Takes lists of arguments, one for each type around the innermost.
  mutating func popBoundGenerics() throws(Refusal) {
    while popIf(.retroactiveConformance) {}
    while true {
      while popTypeIf() {}
      if popIf(.emptyList) { return }
      try pop(.firstElement)
    }
  }

  mutating func readGenericType() throws(Refusal) {
    try pop(.genericSignature)
    let type = try popType()
    try push(type.kind, arity: type.arity)
  }

  /// Reads the number of parameters at each level, and takes the requirements.
  mutating func readGenericSignature(hasCounts: Bool) throws(Refusal) {
    var counts: [Int] = []
    while hasCounts, !takes("l") {
      counts.append(takes("z") ? 0 : try takeIndex() + 1)
    }
    if !hasCounts { counts = [1] }
    var requirementCount = 0
    while popIf(.requirement) { requirementCount += 1 }
    // Up to 128 parameters are shown at each level. For each of them, all others and all
    // requirements are searched.
    let parameterCount = counts.reduce(0) { $0 + min($1, 129) }
    try grow(by: parameterCount * (16 + (counts.count + requirementCount) / 2))
    try push(.genericSignature)
  }

  mutating func readGenericParameter() throws(Refusal) {
    if takes("d") {
      try takeIndex()
      try takeIndex()
    } else if !takes("z") && !takes("s") {
      try takeIndex()
    }
  }

  mutating func readRequirement() throws(Refusal) {
    enum Subject {
      case parameter
      case member
      case memberOfMember
      case substitution
    }
    enum Constraint {
      case type
      case conformance
      case layout
      case none
    }
    let subject: Subject
    let constraint: Constraint
    switch next {
    case "V": (constraint, subject) = (.type, .parameter)
    case "v": (constraint, subject) = (.none, .parameter)
    case "c": (constraint, subject) = (.type, .member)
    case "C": (constraint, subject) = (.type, .memberOfMember)
    case "b": (constraint, subject) = (.type, .parameter)
    case "B": (constraint, subject) = (.type, .substitution)
    case "t": (constraint, subject) = (.type, .member)
    case "T": (constraint, subject) = (.type, .memberOfMember)
    case "s", "h": (constraint, subject) = (.type, .parameter)
    case "S": (constraint, subject) = (.type, .substitution)
    case "m": (constraint, subject) = (.layout, .member)
    case "M": (constraint, subject) = (.layout, .memberOfMember)
    case "l": (constraint, subject) = (.layout, .parameter)
    case "L": (constraint, subject) = (.layout, .substitution)
    case "p": (constraint, subject) = (.conformance, .member)
    case "P": (constraint, subject) = (.conformance, .memberOfMember)
    case "Q": (constraint, subject) = (.conformance, .substitution)
    case "i": (constraint, subject) = (.none, .parameter)
    case "j": (constraint, subject) = (.none, .member)
    case "J": (constraint, subject) = (.none, .memberOfMember)
    case "I": (constraint, subject) = (.none, .substitution)
    default:
      // Nothing says what kind of requirement it is.
      position -= 1
      (constraint, subject) = (.conformance, .parameter)
    }
    position += 1
    let hasIndex: Bool =
      switch bytes[position - 1] {
      case UInt8(ascii: "i"), UInt8(ascii: "I"), UInt8(ascii: "j"), UInt8(ascii: "J"): true
      default: false
      }
    if hasIndex { try takeIndex() }
    switch subject {
    case .parameter: try readGenericParameter()
    case .member:
      try readGenericParameter()
      try popAssociatedTypeName()
      try addInnerSubstitution()
    case .memberOfMember:
      try readGenericParameter()
      try popMemberPath()
      try addInnerSubstitution()
    case .substitution: try popType()
    }
    switch constraint {
    case .type: try popType()
    case .conformance: try popProtocol()
    case .layout:
      switch try take() {
      case "E", "M":
        try takeIndex()
        try takeIndex()
      case "e", "m", "S": try takeIndex()
      case "U", "R", "N", "C", "D", "T", "B": break
      default: throw .malformed
      }
    case .none: break
    }
    try push(.requirement)
  }

  /// The types that only generic code has: `T.Element`, `some P`, packs.
  mutating func readArchetype() throws(Refusal) {
    switch try take() {
    case "a":
      try pop(.identifier)
      try popType()
      try pushSubstituted(.type)
    case "O":
      try popContext()
      try push(.context)
    case "o":
      try takeIndex()
      try popBoundGenerics()
      try popWhole()
      try pushSubstituted(.type)
    case "r":
      hasOpaqueResult = true
      try push(.type)
    case "R":
      hasOpaqueResult = true
      try takeIndex()
      try push(.type)
    case "x":
      try popAssociatedTypeName()
      try popType()
      try pushSubstituted(.type)
    case "X":
      try popMemberPath()
      try popType()
      try pushSubstituted(.type)
    case "y":
      try readGenericParameter()
      try popAssociatedTypeName()
      try pushSubstituted(.type)
    case "Y":
      try readGenericParameter()
      try popMemberPath()
      try pushSubstituted(.type)
    case "z":
      try popAssociatedTypeName()
      try pushSubstituted(.type)
    case "Z":
      try popMemberPath()
      try pushSubstituted(.type)
    case "p":
      try popType()
      try popType()
      try push(.type)
    case "e":
      try popType()
      try takeIndex()
      try push(.type)
    case "P":
      try popTypeList()
      try push(.type)
    case "S":
      guard takes("d") || takes("i") else { throw .malformed }
      try popTypeList()
      try push(.type)
    default: throw .malformed
    }
  }

  mutating func popAssociatedTypeName() throws(Refusal) {
    _ = popIf(.protocolType)
    try pop(.identifier)
  }

  /// Takes the names in `T.Element.Index`. Each is one level deeper.
  mutating func popMemberPath() throws(Refusal) {
    let count = try popList(mayBeEmpty: false) { meter throws(Refusal) in
      try meter.popAssociatedTypeName()
    }
    try deepen(by: count)
  }
}
