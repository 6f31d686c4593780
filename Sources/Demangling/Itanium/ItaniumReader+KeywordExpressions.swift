/// Expressions whose two letters are not those of an operator.
extension ItaniumReader {
  /// Nil if no such expression follows.
  mutating func readKeywordExpression() throws(Malformed) -> NodeID? {
    switch (next, peek(1)) {
    case ("i", "l"):
      skip(2)
      return tree.add(ExpressionForm.initializers(type: .none, try readInitializers()))
    case ("t", "l"):
      skip(2)
      let type = try readType()
      return tree.add(ExpressionForm.initializers(type: type, try readInitializers()))
    case ("m", "c"):
      skip(2)
      let type = try readType()
      let operand = try readExpression()
      let offset = takeNumber(allowsSign: true)
      try expect("E")
      return tree.add(ExpressionForm.memberConversion(type: type, operand, offset: offset))
    case ("n", "x"):
      skip(2)
      return tree.add(ExpressionForm.enclosed(.noexceptOperator, try readExpression()))
    case ("s", "o"):
      skip(2)
      return try readSubobject()
    case ("s", "p"):
      skip(2)
      return tree.add(TemplateForm.expansion(try readExpression()))
    case ("s", "Z"):
      skip(2)
      if next == "T" {
        return tree.add(ExpressionForm.sizeOfPack(try readTemplateParameter()))
      }
      return tree.add(ExpressionForm.enclosed(.sizeofPack, try readFunctionParameter()))
    case ("s", "P"):
      skip(2)
      let arguments = try readList { reader throws(Malformed) in
        try reader.readTemplateArgument()
      }
      let list = tree.add(ExpressionForm.list(arguments))
      return tree.add(ExpressionForm.enclosed(.sizeofPack, list))
    case ("t", "r"):
      skip(2)
      return tree.add(NameForm.word(.throw))
    case ("t", "w"):
      skip(2)
      return tree.add(ExpressionForm.throw(try readExpression()))
    case ("r", "q"), ("r", "Q"): return try readRequires()
    default: return nil
    }
  }

  private mutating func readInitializers() throws(Malformed) -> NodeList {
    try readList { reader throws(Malformed) in try reader.readInitializer() }
  }

  private mutating func readInitializer() throws(Malformed) -> NodeID {
    try enter()
    defer { leave() }
    guard next == "d" else { return try readExpression() }
    switch peek(1) {
    case "i":
      skip(2)
      let field = try readSourceName()
      return tree.add(ExpressionForm.designated(field, try readInitializer(), isIndex: false))
    case "x":
      skip(2)
      let index = try readExpression()
      return tree.add(ExpressionForm.designated(index, try readInitializer(), isIndex: true))
    case "X":
      skip(2)
      let first = try readExpression()
      let last = try readExpression()
      return tree.add(ExpressionForm.designatedRange(first, last, try readInitializer()))
    default: return try readExpression()
    }
  }

  private mutating func readSubobject() throws(Malformed) -> NodeID {
    let type = try readType()
    let object = try readExpression()
    let offset = takeNumber(allowsSign: true)
    // Which members of unions are meant, and whether the end of an array is. Neither is shown.
    while takes("_") { _ = takeNumber() }
    _ = takes("p")
    try expect("E")
    return tree.add(ExpressionForm.subobject(type: type, object, offset: offset))
  }

  /// Reads a requires expression: `rq` and requirements, or `rQ`, parameters and requirements.
  private mutating func readRequires() throws(Malformed) -> NodeID {
    skip(1)
    var parameters = NodeList.empty
    if takes("Q") {
      parameters = try readList(upTo: "_") { reader throws(Malformed) in
        try reader.readType()
      }
    } else {
      try expect("q")
    }
    let start = pending.count
    repeat { pending.append(try readRequirement()) } while !takes("E")
    let requirements = takePending(from: start)
    return tree.add(ExpressionForm.requires(parameters, requirements: requirements))
  }

  private mutating func readRequirement() throws(Malformed) -> NodeID {
    if takes("X") {
      let expression = try readExpression()
      let isNoexcept = takes("N")
      var type = NodeID.none
      if takes("R") {
        var traits = FunctionTraits(isEncoding: false)
        type = try readName(&traits)
      }
      return tree.add(
        ExpressionForm.validRequirement(expression, isNoexcept: isNoexcept, type: type))
    }
    if takes("T") { return tree.add(ExpressionForm.typeRequirement(try readType())) }
    try expect("Q")
    return tree.add(ExpressionForm.nestedRequirement(try readExpression()))
  }
}

// MARK: - Names that templates leave open

extension ItaniumReader {
  /// Reads a name that depends on template parameters, so its meaning is not stated.
  mutating func readUnresolvedName(isGlobal: Bool) throws(Malformed) -> NodeID {
    guard takes("s", "r") else {
      let name = try readBaseUnresolvedName()
      return isGlobal ? tree.add(NameForm.global(name)) : name
    }
    var scope: NodeID
    if takes("N") {
      scope = try readUnresolvedScope()
      while !takes("E") { scope = tree.add(NameForm.nested(in: scope, try readSimpleName())) }
    } else if isAtDigit {
      scope = try readSimpleName()
      if isGlobal { scope = tree.add(NameForm.global(scope)) }
      while !takes("E") { scope = tree.add(NameForm.nested(in: scope, try readSimpleName())) }
    } else {
      scope = try readUnresolvedScope()
    }
    return tree.add(NameForm.nested(in: scope, try readBaseUnresolvedName()))
  }

  private mutating func readUnresolvedScope() throws(Malformed) -> NodeID {
    let type = try readUnresolvedType()
    guard next == "I" else { return type }
    let arguments = try readTemplateArguments(definesParameters: false)
    return tree.add(NameForm.instance(of: type, arguments: arguments))
  }

  private mutating func readUnresolvedType() throws(Malformed) -> NodeID {
    let type: NodeID
    switch next {
    case "T": type = try readTemplateParameter()
    case "D": type = try readDecltype()
    default: return try readSubstitution()
    }
    substitutions.append(type)
    return type
  }

  private mutating func readBaseUnresolvedName() throws(Malformed) -> NodeID {
    if isAtDigit { return try readSimpleName() }
    if takes("d", "n") {
      let type = isAtDigit ? try readSimpleName() : try readUnresolvedType()
      return tree.add(NameForm.unresolvedDestructor(of: type))
    }
    _ = takes("o", "n")
    var traits = FunctionTraits(isEncoding: false)
    return try withOwnArguments(try readOperatorName(&traits))
  }

  private mutating func readSimpleName() throws(Malformed) -> NodeID {
    try withOwnArguments(try readSourceName())
  }

  private mutating func withOwnArguments(_ name: NodeID) throws(Malformed) -> NodeID {
    guard next == "I" else { return name }
    let arguments = try readTemplateArguments(definesParameters: false)
    return tree.add(NameForm.instance(of: name, arguments: arguments))
  }
}
