extension ItaniumPrinter {
  mutating func writeLeft(_ type: TypeForm) throws(TooLong) {
    switch type {
    case .qualified(let type, let qualifiers):
      try writeLeft(type)
      try write(qualifiers)
    case .vendorQualified(let type, let qualifier, let arguments):
      try write(type)
      try write(UInt8(ascii: " "))
      try write(qualifier)
      if arguments != .none { try write(arguments) }
    case .pointer(let target):
      if let name = objectiveCProtocol(target) {
        try write("id<")
        try write(name)
        try write(UInt8(ascii: ">"))
      } else {
        try writeLeft(target)
        try openDeclarator(of: target)
        try write(UInt8(ascii: "*"))
      }
    case .reference(let target, let isRvalue):
      let (target, isRvalue) = try collapsed(target, isRvalue: isRvalue)
      try writeLeft(target)
      try openDeclarator(of: target)
      try write(isRvalue ? "&&" : "&")
    case .memberPointer(let container, let target):
      try writeLeft(target)
      let needsParentheses = try needsParentheses(target)
      if needsParentheses { try open() } else { try write(UInt8(ascii: " ")) }
      try write(container)
      try write("::*")
    case .array(let element, _): try writeLeft(element)
    case .function(let id):
      try writeLeft(tree[id].result)
      try write(UInt8(ascii: " "))
    case .vector(let element, let dimension):
      try write(element)
      try write(" vector[")
      if dimension != .none { try write(dimension) }
      try write(UInt8(ascii: "]"))
    case .pixelVector(let dimension):
      try write("pixel vector[")
      try write(dimension)
      try write(UInt8(ascii: "]"))
    case .followed(let type, let word):
      try writeLeft(type)
      try write(UInt8(ascii: " "))
      try write(word.rawValue)
    case .elaborated(let keyword, let name):
      try write(keyword.rawValue)
      try write(UInt8(ascii: " "))
      try write(name)
    case .objectiveCProtocol(let type, let name):
      try write(type)
      try write(UInt8(ascii: "<"))
      try write(name)
      try write(UInt8(ascii: ">"))
    case .transformed(let name, let type):
      try write(name)
      try write(UInt8(ascii: "("))
      try write(type)
      try write(UInt8(ascii: ")"))
    case .binaryFloat(let bits):
      try write("_Float")
      try write(bits)
    case .bitInteger(let size, let isSigned):
      try write(isSigned ? "_BitInt" : "unsigned _BitInt")
      try open()
      try writeOperand(size)
      try close()
    case .noexcept(let condition):
      try write("noexcept")
      try open()
      try writeOperand(condition)
      try close()
    case .dynamicThrow(let types):
      try write("throw")
      try writeInParentheses(types)
    case .explicitObject(let type):
      try write("this ")
      try write(type)
    }
  }

  mutating func writeRight(_ type: TypeForm) throws(TooLong) {
    switch type {
    case .qualified(let type, _): try writeRight(type)
    case .pointer(let target):
      guard objectiveCProtocol(target) == nil else { return }
      try closeDeclarator(of: target)
      try writeRight(target)
    case .reference(let target, let isRvalue):
      let (target, _) = try collapsed(target, isRvalue: isRvalue)
      try closeDeclarator(of: target)
      try writeRight(target)
    case .memberPointer(_, let target):
      try closeDeclarator(of: target)
      try writeRight(target)
    case .array(let element, let dimension):
      if output.last != UInt8(ascii: "]") { try write(UInt8(ascii: " ")) }
      try open(UInt8(ascii: "["))
      if dimension != .none { try write(dimension) }
      try close(UInt8(ascii: "]"))
      try writeRight(element)
    case .function(let id):
      let function = tree[id]
      try writeInParentheses(function.parameters)
      try writeRight(function.result)
      try writeQualifiers(of: function)
      if function.exceptions != .none {
        try write(UInt8(ascii: " "))
        try write(function.exceptions)
      }
    default: break
    }
  }

  mutating func write(_ qualifiers: Qualifiers) throws(TooLong) {
    if qualifiers.contains(.constant) { try write(" const") }
    if qualifiers.contains(.volatile) { try write(" volatile") }
    if qualifiers.contains(.restrict) { try write(" restrict") }
  }

  mutating func writeQualifiers(of function: Function) throws(TooLong) {
    try write(function.qualifiers)
    switch function.reference {
    case .none: break
    case .lvalue: try write(" &")
    case .rvalue: try write(" &&")
    }
  }

  private mutating func needsParentheses(_ target: NodeID) throws(TooLong) -> Bool {
    if try isArray(target) { return true }
    return try isFunction(target)
  }

  private mutating func openDeclarator(of target: NodeID) throws(TooLong) {
    if try isArray(target) { try write(UInt8(ascii: " ")) }
    if try needsParentheses(target) { try open() }
  }

  private mutating func closeDeclarator(of target: NodeID) throws(TooLong) {
    if try needsParentheses(target) { try close() }
  }

  /// The protocol in `id<Protocol>`, which is mangled as a pointer; nil for other types.
  private func objectiveCProtocol(_ target: NodeID) -> NameText? {
    guard case .type(.objectiveCProtocol(let type, let name)) = tree[target],
      case .name(.source(let text)) = tree[type],
      digits(text).elementsEqual("objc_object".utf8)
    else { return nil }
    return name
  }

  /// The type that a reference to a reference is: `&` unless both are `&&`.
  private mutating func collapsed(
    _ target: NodeID, isRvalue: Bool
  ) throws(TooLong) -> (target: NodeID, isRvalue: Bool) {
    var (target, isRvalue) = (target, isRvalue)
    while let inner = try reference(at: target) {
      isRvalue = isRvalue && inner.isRvalue
      target = inner.target
    }
    return (target, isRvalue)
  }

  /// The reference that a template argument is; nil if it is another type.
  private mutating func reference(
    at node: NodeID
  ) throws(TooLong) -> (target: NodeID, isRvalue: Bool)? {
    try step()
    switch tree[node] {
    case .type(.reference(let target, let isRvalue)): return (target, isRvalue)
    case .template(.parameterPack(let list)):
      guard let element = element(ofPack: list) else { return nil }
      return try reference(at: element)
    case .template(.forwardReference(let target)):
      return try following(node, to: target, otherwise: nil) {
        printer, target throws(TooLong) in
        try printer.reference(at: target)
      }
    default: return nil
    }
  }
}
