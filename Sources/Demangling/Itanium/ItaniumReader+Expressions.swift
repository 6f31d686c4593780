extension ItaniumReader {
  mutating func readExpression() throws(Malformed) -> NodeID {
    try enter()
    defer { leave() }
    let isGlobal = takes("g", "s")
    if let symbol = takeOperator() {
      return try readOperation(symbol, isGlobal: isGlobal)
    }
    guard bytes.count - position >= 2 else { throw Malformed() }
    switch (next, peek(1)) {
    case ("L", _): return try readLiteral()
    case ("T", _): return try readTemplateParameter()
    case ("f", "p"): return try readFunctionParameter()
    case ("f", "L") where Self.isDigit(peek(2)): return try readFunctionParameter()
    case ("f", _): return try readFold()
    default: break
    }
    if let expression = try readKeywordExpression() { return expression }
    if takes("u") { return try readVendorExpression() }
    return try readUnresolvedName(isGlobal: isGlobal)
  }

  private mutating func readOperation(
    _ symbol: ItaniumOperator, isGlobal: Bool
  ) throws(Malformed) -> NodeID {
    switch symbol.kind {
    case .binary:
      let left = try readExpression()
      return tree.add(ExpressionForm.binary(left, symbol, try readExpression()))
    case .prefix: return tree.add(ExpressionForm.prefix(symbol, try readExpression()))
    case .postfix:
      // `++x` and `--x` are marked by an underscore.
      if takes("_") { return tree.add(ExpressionForm.prefix(symbol, try readExpression())) }
      return tree.add(ExpressionForm.postfix(try readExpression(), symbol))
    case .element:
      let base = try readExpression()
      return tree.add(ExpressionForm.element(base, try readExpression()))
    case .member, .memberPointer, .arrow:
      let object = try readExpression()
      return tree.add(ExpressionForm.member(object, symbol, try readExpression()))
    case .new, .newArray: return try readNew(isArray: symbol.kind == .newArray, isGlobal: isGlobal)
    case .delete, .deleteArray:
      let allocation = allocation(isArray: symbol.kind == .deleteArray, isGlobal: isGlobal)
      return tree.add(ExpressionForm.delete(try readExpression(), allocation))
    case .call, .parenthesizedCall:
      let callee = try readExpression()
      let arguments = try readExpressions()
      return tree.add(
        ExpressionForm.call(
          callee, arguments, inParentheses: symbol.kind == .parenthesizedCall))
    case .conversion: return try readConversion()
    case .conditional:
      let condition = try readExpression()
      let first = try readExpression()
      return tree.add(ExpressionForm.conditional(condition, first, try readExpression()))
    case .cast:
      let type = try readType()
      return tree.add(ExpressionForm.cast(symbol, type, try readExpression()))
    case .ofType: return tree.add(ExpressionForm.measured(symbol, try readType()))
    case .ofExpression: return tree.add(ExpressionForm.measured(symbol, try readExpression()))
    case .nameOnly: throw Malformed()
    }
  }

  private mutating func readExpressions() throws(Malformed) -> NodeList {
    try readList { reader throws(Malformed) in try reader.readExpression() }
  }

  private func allocation(isArray: Bool, isGlobal: Bool) -> Allocation {
    var allocation: Allocation = isArray ? .array : []
    if isGlobal { allocation.insert(.global) }
    return allocation
  }

  private mutating func readNew(isArray: Bool, isGlobal: Bool) throws(Malformed) -> NodeID {
    let placement = try readList(upTo: "_") { reader throws(Malformed) in
      try reader.readExpression()
    }
    let type = try readType()
    var initializers = NodeList.empty
    if takes("p", "i") { initializers = try readExpressions() } else { try expect("E") }
    let placementNode = tree.add(ExpressionForm.list(placement))
    let initializersNode = tree.add(ExpressionForm.list(initializers))
    return tree.add(
      ExpressionForm.new(
        placement: placementNode, type, initializers: initializersNode,
        allocation(isArray: isArray, isGlobal: isGlobal)))
  }

  private mutating func readConversion() throws(Malformed) -> NodeID {
    let taking = takesTemplateArguments
    takesTemplateArguments = false
    let type = try readType()
    takesTemplateArguments = taking
    if takes("_") { return tree.add(ExpressionForm.conversion(type, try readExpressions())) }
    pending.append(try readExpression())
    let operand = takePending(from: pending.count - 1)
    return tree.add(ExpressionForm.conversion(type, operand))
  }

  private mutating func readFold() throws(Malformed) -> NodeID {
    try expect("f")
    let kind = next
    guard kind == "l" || kind == "r" || kind == "L" || kind == "R" else { throw Malformed() }
    skip(1)
    guard let symbol = takeOperator(), symbol.isFoldable else { throw Malformed() }
    var pack = try readExpression()
    var initial = NodeID.none
    if kind == "L" || kind == "R" { initial = try readExpression() }
    let isLeft = kind == "l" || kind == "L"
    // A left fold states its initial value first.
    if isLeft, initial != .none { swap(&pack, &initial) }
    return tree.add(
      ExpressionForm.fold(symbol, pack: pack, initial: initial, isLeft: isLeft))
  }

  mutating func readFunctionParameter() throws(Malformed) -> NodeID {
    if takes(text: "fpT") { return tree.add(NameForm.word(.this)) }
    if takes("f", "L") {
      _ = try takeRequiredNumber()
      try expect("p")
    } else {
      guard takes("f", "p") else { throw Malformed() }
    }
    _ = takeQualifiers()
    let number = takeNumber()
    try expect("_")
    return tree.add(ExpressionForm.functionParameter(number: number))
  }

  /// Reads an expression of the compiler's own: a name and template arguments.
  private mutating func readVendorExpression() throws(Malformed) -> NodeID {
    let callee = try readSourceName()
    // An older mangling of `__uuidof` has one operand without an end.
    if case .name(.source(let name)) = tree[callee],
      bytes[name.range].elementsEqual("__uuidof".utf8), next == "t" || next == "z"
    {
      let isType = takes("t")
      if !isType { skip(1) }
      pending.append(isType ? try readType() : try readExpression())
      let operand = takePending(from: pending.count - 1)
      return tree.add(ExpressionForm.call(callee, operand, inParentheses: false))
    }
    let arguments = try readList { reader throws(Malformed) in
      try reader.readTemplateArgument()
    }
    return tree.add(ExpressionForm.call(callee, arguments, inParentheses: false))
  }
}
