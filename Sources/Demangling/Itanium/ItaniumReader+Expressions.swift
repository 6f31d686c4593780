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

extension ItaniumReader {
  /// Reads `L…E`: a number, an enumerator, an entity, a string or a lambda.
  mutating func readLiteral() throws(Malformed) -> NodeID {
    try expect("L")
    if let suffix = integerSuffix(next) {
      skip(1)
      let number = try takeRequiredNumber(allowsSign: true)
      try expect("E")
      return tree.add(ExpressionForm.integer(suffix, number))
    }
    switch next {
    case "b":
      if takes(text: "b0E") { return tree.add(NameForm.word(.false)) }
      guard takes(text: "b1E") else { throw Malformed() }
      return tree.add(NameForm.word(.true))
    case "f": return try readFloat(.single)
    case "d": return try readFloat(.double)
    case "e": return try readFloat(.extended)
    case "_":
      guard takes("_", "Z") else { throw Malformed() }
      let encoding = try readEncoding()
      try expect("E")
      return encoding
    case "A":
      let type = try readType()
      try expect("E")
      return tree.add(ExpressionForm.string(type))
    case "D":
      guard takes("D", "n") else { throw Malformed() }
      _ = takes("0")
      try expect("E")
      return tree.add(NameForm.word(.nullptr))
    case "T": throw Malformed()
    case "U":
      guard peek(1) == "l" else { throw Malformed() }
      let closure = try readUnnamedType(FunctionTraits(isEncoding: false))
      try expect("E")
      return tree.add(ExpressionForm.lambda(closure))
    default:
      let type = try readType()
      let number = try takeRequiredNumber(allowsSign: true)
      try expect("E")
      return tree.add(ExpressionForm.castNumber(type, number))
    }
  }

  private func integerSuffix(_ code: Unicode.Scalar) -> IntegerSuffix? {
    switch code {
    case "i": IntegerSuffix.none
    case "j": .unsigned
    case "l": .long
    case "m": .unsignedLong
    case "x": .longLong
    case "y": .unsignedLongLong
    default: nil
    }
  }

  /// Reads the bits of a number, most significant first.
  private mutating func readFloat(_ format: FloatFormat) throws(Malformed) -> NodeID {
    skip(1)
    let start = position
    while true {
      switch next {
      case "0"..."9", "a"..."f":
        skip(1)
        continue
      default: break
      }
      break
    }
    guard position - start == format.digitCount else { throw Malformed() }
    let digits = NameText(start: start, end: position)
    try expect("E")
    return tree.add(ExpressionForm.float(format, digits))
  }
}
