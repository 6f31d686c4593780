extension ItaniumPrinter {
  mutating func writeLeft(_ encoding: EncodingForm) throws(TooLong) {
    switch encoding {
    case .function(let id):
      let function = tree[id]
      if function.result != .none {
        try writeLeft(function.result)
        if try !hasRightSide(function.result) { try write(UInt8(ascii: " ")) }
      }
      try write(function.name)
    case .special(let kind, let entity):
      try write(kind.rawValue)
      try write(entity)
    case .constructionVtable(let base, let derived):
      try write("construction vtable for ")
      try write(base)
      try write("-in-")
      try write(derived)
    case .conditions(let conditions):
      try write(" [enable_if:")
      try write(conditions)
      try write(UInt8(ascii: "]"))
    case .suffixed(let encoding, let suffix):
      try write(encoding)
      try write(" (")
      try write(suffix)
      try write(UInt8(ascii: ")"))
    }
  }

  mutating func writeRight(functionWithName function: Function) throws(TooLong) {
    try writeInParentheses(function.parameters)
    if function.result != .none { try writeRight(function.result) }
    try writeQualifiers(of: function)
    if function.attributes != .none { try write(function.attributes) }
    if function.constraint != .none {
      try write(" requires ")
      try write(function.constraint)
    }
  }
}
