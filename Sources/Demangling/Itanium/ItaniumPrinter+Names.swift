extension ItaniumPrinter {
  mutating func write(_ name: NameForm) throws(TooLong) {
    switch name {
    case .source(let text): try write(text)
    case .word(let word): try write(word.rawValue)
    case .standard(let name):
      try write("std::")
      try write(name.rawValue)
    case .expandedStandard(let name):
      try write("std::")
      try write(name.template)
      try write(name.arguments)
    case .nested(let scope, let name), .local(let scope, let name):
      try write(scope)
      try writeColons()
      try write(name)
    case .friend(let scope, let name):
      try write(scope)
      try write("::friend ")
      try write(name)
    case .global(let name):
      try writeColons()
      try write(name)
    case .instance(let template, let arguments):
      try bracketed { printer throws(TooLong) in
        try printer.write(template)
        try printer.write(arguments)
      }
    case .tagged(let name, let tag):
      try writeLeft(name)
      try write("[abi:")
      try write(tag)
      try write(UInt8(ascii: "]"))
    case .inModule(let name, let module):
      try write(name)
      try write(UInt8(ascii: "@"))
      try write(module)
    case .module(let parent, let name, let isPartition):
      if parent != .none { try write(parent) }
      if parent != .none || isPartition { try write(isPartition ? ":" : ".") }
      try write(name)
    case .constructor(let type): try writeBaseName(of: type)
    case .destructor(let type):
      try write(UInt8(ascii: "~"))
      try writeBaseName(of: type)
    case .unresolvedDestructor(let type):
      try write(UInt8(ascii: "~"))
      try writeLeft(type)
    case .structuredBinding(let names):
      try open(UInt8(ascii: "["))
      try write(names)
      try close(UInt8(ascii: "]"))
    case .unnamedType(let number): try write("'unnamed", number)
    case .closure(let index):
      let closure = tree.closures[Int(index)]
      try write("'lambda", closure.number)
      try writeDeclarator(of: closure)
    case .operator(let symbol):
      try write(symbol.isWord ? "operator " : "operator")
      try write(symbol.symbol)
    case .conversion(let type):
      try write("operator ")
      try write(type)
    case .literalOperator(let name):
      try write("operator\"\" ")
      try write(name)
    }
  }

  private mutating func write(_ kind: String, _ number: NameText) throws(TooLong) {
    try write(kind)
    try write(number)
    try write(UInt8(ascii: "'"))
  }

  /// Writes a lambda's parameters.
  mutating func writeDeclarator(of closure: Closure) throws(TooLong) {
    if !closure.templateParameters.isEmpty {
      try bracketed { printer throws(TooLong) in
        try printer.write(UInt8(ascii: "<"))
        try printer.write(closure.templateParameters)
        try printer.write(UInt8(ascii: ">"))
      }
    }
    if closure.constraint != .none {
      try write(" requires ")
      try write(closure.constraint)
      try write(UInt8(ascii: " "))
    }
    try writeInParentheses(closure.parameters)
    if closure.trailingConstraint != .none {
      try write(" requires ")
      try write(closure.trailingConstraint)
    }
  }

  /// Writes the name that constructors of the class have: without scope and template arguments.
  private mutating func writeBaseName(of type: NodeID) throws(TooLong) {
    var type = type
    // A part contains only earlier ones, so this ends.
    while true {
      guard case .name(let name) = tree[type] else { return }
      switch name {
      case .source(let text): return try write(text)
      case .word(let word): return try write(word.rawValue)
      case .standard(let name): return try write(name.rawValue)
      case .expandedStandard(let name): return try write(name.template)
      case .operator: return try write(name)
      case .nested(_, let inner), .friend(_, let inner), .global(let inner): type = inner
      case .instance(let template, _): type = template
      case .tagged(let inner, _), .inModule(let inner, _): type = inner
      default: return
      }
    }
  }
}
