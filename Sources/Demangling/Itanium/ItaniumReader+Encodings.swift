/// What a name says about the function it is of.
struct FunctionTraits {
  /// Whether the name is that of a function or variable, and not of a type in it. Only then do its
  /// template arguments give template parameters their meaning.
  let isEncoding: Bool
  /// Constructors, destructors and conversion operators have no result.
  var hasNoResult = false
  /// Templates state the result.
  var endsWithTemplateArguments = false
  var hasExplicitObject = false
  var qualifiers: Qualifiers = []
  var reference = ReferenceQualifier.none

  init(isEncoding: Bool) { self.isEncoding = isEncoding }
}

extension ItaniumReader {
  /// Reads the name of a function with its type, or of data.
  mutating func readEncoding() throws(Malformed) -> NodeID {
    try enter()
    defer { leave() }
    // The template parameters of an encoding in another one are its own.
    let outer = templateParameters.beginContext()
    defer { templateParameters.endContext(outer) }
    if next == "G" || next == "T" { return try readSpecialName() }

    var traits = FunctionTraits(isEncoding: true)
    let firstReference = forwardReferences.count
    let name = try readName(&traits)
    try resolveForwardReferences(from: firstReference)
    if isAtEndOfEncoding { return name }

    var function = Function(
      name: name, qualifiers: traits.qualifiers, reference: traits.reference)
    if next == "U", takes(text: "Ua9enable_ifI") {
      let conditions = try readList { reader throws(Malformed) in
        try reader.readTemplateArgument()
      }
      function.attributes = tree.add(EncodingForm.conditions(conditions))
    }
    if !traits.hasNoResult, traits.endsWithTemplateArguments { function.result = try readType() }
    function.parameters = try readParameters(traits)
    if takes("Q") { function.constraint = try readConstraint() }
    return tree.add(EncodingForm.function(tree.add(function)))
  }

  /// Whether a part follows that does not belong to an encoding: the end of a local name, a suffix,
  /// the end of a block's name.
  private var isAtEndOfEncoding: Bool {
    isAtEnd || next == "E" || next == "." || next == "_"
  }

  private mutating func readParameters(_ traits: FunctionTraits) throws(Malformed) -> NodeList {
    if takes("v") { return .empty }
    let start = pending.count
    repeat {
      var parameter = try readType()
      if traits.hasExplicitObject, pending.count == start {
        parameter = tree.add(TypeForm.explicitObject(parameter))
      }
      pending.append(parameter)
    } while !isAtEndOfEncoding && next != "Q"
    return takePending(from: start)
  }

  private mutating func resolveForwardReferences(from first: Int) throws(Malformed) {
    while forwardReferences.count > first, let reference = forwardReferences.popLast() {
      guard let target = templateParameters.argument(level: 0, index: reference.index) else {
        throw Malformed()
      }
      tree.setTarget(ofForwardReference: reference.node, to: target)
    }
  }

  mutating func readConstraint() throws(Malformed) -> NodeID {
    let wasInConstraint = isInConstraint
    isInConstraint = true
    let constraint = try readExpression()
    isInConstraint = wasInConstraint
    return constraint
  }
}

// MARK: - Names that compilers make

extension ItaniumReader {
  private mutating func readSpecialName() throws(Malformed) -> NodeID {
    if takes("T") { return try readVtableOrThunk() }
    skip(1)
    let kind = next
    skip(1)
    switch kind {
    case "V": return special(.guardVariable, try readNameOfData())
    case "R":
      let name = try readNameOfData()
      let hasNumber = takeSequenceNumber() != nil
      guard takes("_") || !hasNumber else { throw Malformed() }
      return special(.referenceTemporary, name)
    case "I":
      guard let module = try readModules(after: .none) else { throw Malformed() }
      return special(.moduleInitializer, module)
    // Transactional memory. LLVM's demangler does not read these, libstdc++'s does.
    case "T":
      switch next {
      case "t":
        skip(1)
        return special(.transactionClone, try readEncoding())
      case "n":
        skip(1)
        return special(.nonTransactionClone, try readEncoding())
      default: throw Malformed()
      }
    default: throw Malformed()
    }
  }

  /// Reads what follows `T`.
  private mutating func readVtableOrThunk() throws(Malformed) -> NodeID {
    let kind = next
    switch kind {
    case "h", "v":
      try skipCallOffset()
      return special(kind == "v" ? .virtualThunk : .nonVirtualThunk, try readEncoding())
    default: skip(1)
    }
    switch kind {
    case "V": return special(.vtable, try readType())
    case "T": return special(.vtt, try readType())
    case "I": return special(.typeInfo, try readType())
    case "S": return special(.typeInfoName, try readType())
    case "A": return special(.templateParameterObject, try readTemplateArgument())
    case "W": return special(.threadLocalWrapper, try readNameOfData())
    case "H": return special(.threadLocalInitializer, try readNameOfData())
    case "c":
      try skipCallOffset()
      try skipCallOffset()
      return special(.covariantThunk, try readEncoding())
    case "C":
      let derived = try readType()
      _ = try takeRequiredNumber(allowsSign: true)
      try expect("_")
      return tree.add(EncodingForm.constructionVtable(of: try readType(), in: derived))
    default: throw Malformed()
    }
  }

  private mutating func special(_ kind: SpecialName, _ entity: NodeID) -> NodeID {
    tree.add(EncodingForm.special(kind, entity))
  }

  private mutating func readNameOfData() throws(Malformed) -> NodeID {
    var traits = FunctionTraits(isEncoding: false)
    return try readName(&traits)
  }

  /// Takes by how much a thunk moves the object's pointer. It is not shown.
  private mutating func skipCallOffset() throws(Malformed) {
    if takes("h") {
      _ = try takeRequiredNumber(allowsSign: true)
    } else if takes("v") {
      _ = try takeRequiredNumber(allowsSign: true)
      try expect("_")
      _ = try takeRequiredNumber(allowsSign: true)
    } else {
      throw Malformed()
    }
    try expect("_")
  }
}
