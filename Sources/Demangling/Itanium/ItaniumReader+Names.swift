extension ItaniumReader {
  /// Reads a name with its scope and template arguments, but without a function's type.
  mutating func readName(_ traits: inout FunctionTraits) throws(Malformed) -> NodeID {
    try enter()
    defer { leave() }
    switch next {
    case "N": return try readNestedName(&traits)
    case "Z": return try readLocalName(&traits)
    default: break
    }
    let (name, isSubstitution) = try readUnscopedName(&traits)
    guard next == "I" else {
      // A type would not be read as a name.
      if isSubstitution { throw Malformed() }
      return name
    }
    if !isSubstitution { substitutions.append(name) }
    return try readInstance(of: name, &traits)
  }

  /// Reads a name in the global namespace, in `std`, or a substitution.
  mutating func readUnscopedName(
    _ traits: inout FunctionTraits
  ) throws(Malformed) -> (NodeID, isSubstitution: Bool) {
    var scope = NodeID.none
    if takes("S", "t") { scope = tree.add(NameForm.word(.std)) }
    var module = NodeID.none
    if next == "S" {
      let substitution = try readSubstitution()
      if isModule(substitution) {
        module = substitution
      } else if scope == .none {
        return (substitution, true)
      } else {
        throw Malformed()
      }
    }
    return (try readUnqualifiedName(in: scope, of: module, &traits), false)
  }

  func isModule(_ node: NodeID) -> Bool {
    if case .name(.module) = tree[node] { true } else { false }
  }

  private mutating func readInstance(
    of name: NodeID, _ traits: inout FunctionTraits
  ) throws(Malformed) -> NodeID {
    let arguments = try readTemplateArguments(definesParameters: traits.isEncoding)
    traits.endsWithTemplateArguments = true
    return tree.add(NameForm.instance(of: name, arguments: arguments))
  }

  /// Reads `N…E`: qualifiers of a member function, and a scope with the name in it.
  private mutating func readNestedName(
    _ traits: inout FunctionTraits
  ) throws(Malformed) -> NodeID {
    try expect("N")
    if takes("H") {
      traits.hasExplicitObject = true
    } else {
      traits.qualifiers = takeQualifiers()
      // The name of an inherited constructor's class replaces both.
      traits.reference = takes("O") ? .rvalue : takes("R") ? .lvalue : .none
    }
    var name = NodeID.none
    while !takes("E") {
      traits.endsWithTemplateArguments = false
      switch (next, peek(1)) {
      case ("T", _):
        guard name == .none else { throw Malformed() }
        name = try readTemplateParameter()
      case ("I", _):
        guard name != .none else { throw Malformed() }
        if case .name(.instance) = tree[name] { throw Malformed() }
        name = try readInstance(of: name, &traits)
      case ("D", "t"), ("D", "T"):
        guard name == .none else { throw Malformed() }
        name = try readDecltype()
      default:
        var module = NodeID.none
        if next == "S" {
          let substitution: NodeID
          if takes("S", "t") {
            substitution = tree.add(NameForm.word(.std))
          } else {
            substitution = try readSubstitution()
          }
          if isModule(substitution) {
            module = substitution
          } else {
            guard name == .none else { throw Malformed() }
            name = substitution
            continue
          }
        }
        name = try readUnqualifiedName(in: name, of: module, &traits)
      }
      substitutions.append(name)
      // The mark of a data member whose initializer has a lambda.
      _ = takes("M")
    }
    // The whole name is no candidate here; a type is added by its reader.
    guard name != .none, substitutions.popLast() != nil else { throw Malformed() }
    return name
  }

  /// Reads `Z…E`: a function and the name of something in it.
  private mutating func readLocalName(_ traits: inout FunctionTraits) throws(Malformed) -> NodeID {
    try expect("Z")
    let function = try readEncoding()
    try expect("E")
    let entity: NodeID
    if takes("s") {
      skipDiscriminator()
      entity = tree.add(NameForm.word(.stringLiteral))
    } else {
      // The template parameters of the function are not those of the entity.
      let outer = templateParameters.beginContext()
      defer { templateParameters.endContext(outer) }
      if takes("d") {
        // A default argument, counted from the last parameter.
        _ = takeNumber(allowsSign: true)
        try expect("_")
        entity = try readName(&traits)
      } else {
        entity = try readName(&traits)
        skipDiscriminator()
      }
    }
    return tree.add(NameForm.local(in: function, entity))
  }

  /// - Parameters:
  ///   - scope: what the name is in, or `none`.
  ///   - module: the module that the name belongs to, or `none`.
  private mutating func readUnqualifiedName(
    in scope: NodeID, of module: NodeID, _ traits: inout FunctionTraits
  ) throws(Malformed) -> NodeID {
    let module = try readModules(after: module) ?? module
    let isFriend = scope != .none && takes("F")
    // The mark of internal linkage.
    _ = takes("L")
    var name: NodeID
    switch next {
    case "1"..."9": name = try readSourceName()
    case "U": name = try readUnnamedType(traits)
    case "D" where peek(1) == "C":
      skip(2)
      let start = pending.count
      repeat { pending.append(try readSourceName()) } while !takes("E")
      name = tree.add(NameForm.structuredBinding(takePending(from: start)))
    case "C", "D":
      guard scope != .none, module == .none else { throw Malformed() }
      return try readConstructorOrDestructor(in: scope, isFriend: isFriend, &traits)
    default: name = try readOperatorName(&traits)
    }
    if module != .none { name = tree.add(NameForm.inModule(name, module: module)) }
    return qualified(try readTags(of: name), in: scope, isFriend: isFriend)
  }

  private mutating func qualified(
    _ name: NodeID, in scope: NodeID, isFriend: Bool
  ) -> NodeID {
    if isFriend { return tree.add(NameForm.friend(in: scope, name)) }
    return scope == .none ? name : tree.add(NameForm.nested(in: scope, name))
  }

  /// Reads the parts of a module's name, if any follow. `nil` if there are none.
  mutating func readModules(after parent: NodeID) throws(Malformed) -> NodeID? {
    var module = parent
    while takes("W") {
      let isPartition = takes("P")
      let name = try readSourceName()
      module = tree.add(NameForm.module(parent: module, name: name, isPartition: isPartition))
      substitutions.append(module)
    }
    return module == parent ? nil : module
  }

  /// Reads the ABI tags that follow a name (`B5cxx11`).
  mutating func readTags(of name: NodeID) throws(Malformed) -> NodeID {
    var name = name
    while takes("B") { name = tree.add(NameForm.tagged(name, tag: try takeIdentifier())) }
    return name
  }
}

// MARK: - Constructors, destructors and operators

extension ItaniumReader {
  private mutating func readConstructorOrDestructor(
    in scope: NodeID, isFriend: Bool, _ traits: inout FunctionTraits
  ) throws(Malformed) -> NodeID {
    var scope = scope
    // The abbreviation has another name than the class: `std::string`.
    if case .name(.standard(let name)) = tree[scope] {
      scope = tree.add(NameForm.expandedStandard(name))
    }
    let name: NodeID
    if takes("C") {
      let isInherited = takes("I")
      guard ("1"..."5").contains(next) else { throw Malformed() }
      skip(1)
      // The class whose constructor is inherited. It is not shown.
      if isInherited { _ = try readName(&traits) }
      name = tree.add(NameForm.constructor(of: scope))
    } else {
      try expect("D")
      switch next {
      case "0", "1", "2", "4", "5": skip(1)
      default: throw Malformed()
      }
      name = tree.add(NameForm.destructor(of: scope))
    }
    traits.hasNoResult = true
    return qualified(try readTags(of: name), in: scope, isFriend: isFriend)
  }

  /// Reads the name of an operator that is a function.
  mutating func readOperatorName(_ traits: inout FunctionTraits) throws(Malformed) -> NodeID {
    if let symbol = takeOperator() {
      if symbol.kind == .conversion {
        let type = try readConversionType(isEncoding: traits.isEncoding)
        traits.hasNoResult = true
        return tree.add(NameForm.conversion(to: type))
      }
      guard symbol.isNameable else { throw Malformed() }
      return tree.add(NameForm.operator(symbol))
    }
    if takes("l", "i") { return tree.add(NameForm.literalOperator(try readSourceName())) }
    // A compiler's own operator, with the number of its operands.
    guard takes("v"), isAtDigit else { throw Malformed() }
    skip(1)
    return tree.add(NameForm.conversion(to: try readSourceName()))
  }

  private mutating func readConversionType(isEncoding: Bool) throws(Malformed) -> NodeID {
    let (taking, allowing) = (takesTemplateArguments, allowsForwardReferences)
    takesTemplateArguments = false
    allowsForwardReferences = allowing || isEncoding
    let type = try readType()
    (takesTemplateArguments, allowsForwardReferences) = (taking, allowing)
    return type
  }

  mutating func takeOperator() -> ItaniumOperator? {
    guard position + 1 < bytes.count,
      let symbol = ItaniumOperator(code: bytes[position], bytes[position + 1])
    else { return nil }
    skip(2)
    return symbol
  }
}
