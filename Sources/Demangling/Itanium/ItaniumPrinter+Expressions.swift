extension ItaniumPrinter {
  mutating func write(_ expression: ExpressionForm) throws(TooLong) {
    switch expression {
    case .binary(let left, let symbol, let right): try writeBinary(left, symbol, right)
    case .prefix(let symbol, let operand):
      try write(symbol.symbol)
      try writeOperand(operand, within: symbol.precedence)
    case .postfix(let operand, let symbol):
      try writeOperand(operand, within: symbol.precedence, keepsEqual: true)
      try write(symbol.symbol)
    case .member(let object, let symbol, let member):
      try writeOperand(object, within: symbol.precedence, keepsEqual: true)
      try write(symbol.symbol)
      try writeOperand(member, within: symbol.precedence)
    case .element(let base, let index):
      try writeOperand(base, within: .postfix)
      try open(UInt8(ascii: "["))
      try writeOperand(index)
      try close(UInt8(ascii: "]"))
    case .conditional(let condition, let first, let second):
      try writeOperand(condition, within: .conditional)
      try write(" ? ")
      try writeOperand(first)
      try write(" : ")
      try writeOperand(second, within: .assignment, keepsEqual: true)
    case .call(let callee, let arguments, let inParentheses):
      if inParentheses { try open() }
      try write(callee)
      if inParentheses { try close() }
      try writeInParentheses(arguments)
    case .conversion(let type, let operands):
      try writeInParentheses(type)
      try writeInParentheses(operands)
    case .cast(let symbol, let type, let operand):
      try write(symbol.symbol)
      try bracketed { printer throws(TooLong) in
        try printer.write(UInt8(ascii: "<"))
        try printer.writeLeft(type)
        try printer.write(UInt8(ascii: ">"))
      }
      try open()
      try writeOperand(operand)
      try close()
    case .enclosed(let word, let operand):
      try write(word.rawValue)
      try writeInParentheses(operand)
    case .measured(let symbol, let operand):
      try write(symbol.symbol)
      try writeInParentheses(operand)
    case .sizeOfPack(let pack):
      try write("sizeof...")
      try open()
      try writeExpansion(of: pack)
      try close()
    case .new(let placement, let type, let initializers, let allocation):
      try writeNew(placement, type, initializers, allocation)
    case .delete(let operand, let allocation):
      if allocation.contains(.global) { try writeColons() }
      try write(allocation.contains(.array) ? "delete[] " : "delete ")
      try write(operand)
    case .throw(let operand):
      try write("throw ")
      try write(operand)
    case .fold(let symbol, let pack, let initial, let isLeft):
      try writeFold(symbol, pack, initial, isLeft: isLeft)
    case .lambda(let closure): try writeLambda(closure)
    case .list(let list): try write(list)
    default: try writeOther(expression)
    }
  }

  private mutating func writeOther(_ expression: ExpressionForm) throws(TooLong) {
    switch expression {
    case .initializers(let type, let elements): try writeInitializers(type, elements)
    case .designated(let place, let value, let isIndex):
      if isIndex {
        try write(UInt8(ascii: "["))
        try write(place)
        try write(UInt8(ascii: "]"))
      } else {
        try write(UInt8(ascii: "."))
        try write(place)
      }
      try writeDesignatedValue(value)
    case .designatedRange(let first, let last, let value):
      try write(UInt8(ascii: "["))
      try write(first)
      try write(" ... ")
      try write(last)
      try write(UInt8(ascii: "]"))
      try writeDesignatedValue(value)
    case .functionParameter(let number):
      try write("fp")
      try write(number)
    case .subobject(let type, let object, let offset):
      try write(object)
      try write(".<")
      try write(type)
      try write(" at offset ")
      if offset.isEmpty { try write(UInt8(ascii: "0")) } else { try writeNumber(offset) }
      try write(UInt8(ascii: ">"))
    case .memberConversion(let type, let operand, _):
      try writeInParentheses(type)
      try writeInParentheses(operand)
    case .requires(let parameters, let requirements):
      try write("requires ")
      if !parameters.isEmpty {
        try writeInParentheses(parameters)
        try write(UInt8(ascii: " "))
      }
      try open(UInt8(ascii: "{"))
      for index in tree.indices(of: requirements) { try write(tree.elements[index]) }
      try write(UInt8(ascii: " "))
      try close(UInt8(ascii: "}"))
    case .validRequirement(let expression, let isNoexcept, let type):
      let isCompound = isNoexcept || type != .none
      try write(UInt8(ascii: " "))
      if isCompound { try open(UInt8(ascii: "{")) }
      try write(expression)
      if isCompound { try close(UInt8(ascii: "}")) }
      if isNoexcept { try write(" noexcept") }
      if type != .none {
        try write(" -> ")
        try write(type)
      }
      try write(UInt8(ascii: ";"))
    case .typeRequirement(let type):
      try write(" typename ")
      try write(type)
      try write(UInt8(ascii: ";"))
    case .nestedRequirement(let constraint):
      try write(" requires ")
      try write(constraint)
      try write(UInt8(ascii: ";"))
    default: try writeLiteral(expression)
    }
  }

  private mutating func writeLiteral(_ expression: ExpressionForm) throws(TooLong) {
    switch expression {
    case .number(let number): try write(number)
    case .integer(let suffix, let number):
      try writeNumber(number)
      try write(suffix.rawValue)
    case .castNumber(let type, let number):
      try writeInParentheses(type)
      try writeNumber(number)
    case .float(let format, let bits):
      if let text = HexadecimalFloat.text(format, digits: digits(bits)) { try write(text) }
    case .string(let type):
      try write("\"<")
      try write(type)
      try write(">\"")
    default: break
    }
  }

  private mutating func writeInParentheses(_ node: NodeID) throws(TooLong) {
    try open()
    try write(node)
    try close()
  }

  private mutating func writeBinary(
    _ left: NodeID, _ symbol: ItaniumOperator, _ right: NodeID
  ) throws(TooLong) {
    let text = symbol.symbol
    let needsParentheses = isGreaterThanBracket && (text == ">" || text == ">>")
    if needsParentheses { try open() }
    // Assignments group from the right.
    let isAssignment = symbol.precedence == .assignment
    try writeOperand(
      left, within: isAssignment ? .logicalOr : symbol.precedence, keepsEqual: !isAssignment)
    if text != "," { try write(UInt8(ascii: " ")) }
    try write(text)
    try write(UInt8(ascii: " "))
    try writeOperand(right, within: symbol.precedence, keepsEqual: isAssignment)
    if needsParentheses { try close() }
  }

  private mutating func writeNew(
    _ placement: NodeID, _ type: NodeID, _ initializers: NodeID, _ allocation: Allocation
  ) throws(TooLong) {
    if allocation.contains(.global) { try writeColons() }
    try write(allocation.contains(.array) ? "new[]" : "new")
    if case .expression(.list(let list)) = tree[placement], !list.isEmpty {
      try writeInParentheses(list)
    }
    try write(UInt8(ascii: " "))
    try write(type)
    if case .expression(.list(let list)) = tree[initializers], !list.isEmpty {
      try writeInParentheses(list)
    }
  }

  private mutating func writeFold(
    _ symbol: ItaniumOperator, _ pack: NodeID, _ initial: NodeID, isLeft: Bool
  ) throws(TooLong) {
    let separator = " \(symbol.symbol) "
    try open()
    if !isLeft || initial != .none {
      if isLeft {
        try writeOperand(initial, within: .cast, keepsEqual: true)
      } else {
        try writePack(pack)
      }
      try write(separator)
    }
    try write("...")
    if isLeft || initial != .none {
      try write(separator)
      if isLeft {
        try writePack(pack)
      } else {
        try writeOperand(initial, within: .cast, keepsEqual: true)
      }
    }
    try close()
  }

  private mutating func writePack(_ pack: NodeID) throws(TooLong) {
    try open()
    try writeExpansion(of: pack)
    try close()
  }

  private mutating func writeInitializers(
    _ type: NodeID, _ elements: NodeList
  ) throws(TooLong) {
    if type != .none { try write(type) }
    try open(UInt8(ascii: "{"))
    try write(elements)
    try close(UInt8(ascii: "}"))
  }

  private mutating func writeDesignatedValue(_ value: NodeID) throws(TooLong) {
    switch tree[value] {
    case .expression(.designated), .expression(.designatedRange): break
    default: try write(" = ")
    }
    try write(value)
  }

  private mutating func writeLambda(_ node: NodeID) throws(TooLong) {
    try write("[]")
    if case .name(.closure(let index)) = tree[node] {
      try writeDeclarator(of: tree.closures[Int(index)])
    }
    try write("{...}")
  }
}

// MARK: - Precedence

extension ItaniumPrinter {
  /// Writes an operand in parentheses, unless it binds tighter than the operator.
  ///
  /// - Parameter keepsEqual: whether an operand that binds equally needs no parentheses.
  mutating func writeOperand(
    _ node: NodeID, within outer: ItaniumOperator.Precedence = .lowest, keepsEqual: Bool = false
  ) throws(TooLong) {
    let limit = outer.rawValue + (keepsEqual ? 1 : 0)
    guard precedence(of: node).rawValue >= limit else { return try write(node) }
    try writeInParentheses(node)
  }

  private func precedence(of node: NodeID) -> ItaniumOperator.Precedence {
    guard case .expression(let expression) = tree[node] else { return .primary }
    switch expression {
    case .binary(_, let symbol, _), .prefix(let symbol, _), .postfix(_, let symbol),
      .member(_, let symbol, _), .cast(let symbol, _, _), .measured(let symbol, _):
      return symbol.precedence
    case .element, .call: return .postfix
    case .conditional: return .conditional
    case .conversion: return .cast
    case .enclosed(.noexceptOperator, _), .memberConversion, .new, .delete: return .unary
    default: return .primary
    }
  }
}
