extension ItaniumPrinter {
  mutating func writeLeft(_ form: TemplateForm, _ node: NodeID) throws(TooLong) {
    switch form {
    case .arguments(let arguments):
      try bracketed { printer throws(TooLong) in
        try printer.write(UInt8(ascii: "<"))
        try printer.write(arguments)
        try printer.write(UInt8(ascii: ">"))
      }
    case .argumentPack(let list): try write(list)
    case .parameterPack(let list):
      if let element = element(ofPack: list) { try writeLeft(element) }
    case .expansion(let pattern): try writeExpansion(of: pattern)
    case .forwardReference(let target):
      try following(node, to: target, otherwise: ()) { printer, target throws(TooLong) in
        try printer.writeLeft(target)
      }
    case .declaredArgument(let argument): try write(argument)
    case .invented(let kind, let number):
      switch kind {
      case .type: try write("$T")
      case .value: try write("$N")
      case .template: try write("$TT")
      }
      if number > 0 { try write(String(number - 1)) }
    case .typeParameter: try write("typename ")
    case .constrainedParameter(let constraint, _):
      try write(constraint)
      try write(UInt8(ascii: " "))
    case .valueParameter(let type, _):
      try writeLeft(type)
      if try !hasRightSide(type) { try write(UInt8(ascii: " ")) }
    case .templateParameter(let parameters, _, _):
      try bracketed { printer throws(TooLong) in
        try printer.write("template<")
        try printer.write(parameters)
        try printer.write("> typename ")
      }
    case .packParameter(let parameter):
      try writeLeft(parameter)
      try write("...")
    }
  }

  mutating func writeRight(_ form: TemplateForm, _ node: NodeID) throws(TooLong) {
    switch form {
    case .parameterPack(let list):
      if let element = element(ofPack: list) { try writeRight(element) }
    case .forwardReference(let target):
      try following(node, to: target, otherwise: ()) { printer, target throws(TooLong) in
        try printer.writeRight(target)
      }
    case .typeParameter(let name), .constrainedParameter(_, let name): try write(name)
    case .valueParameter(let type, let name):
      try write(name)
      try writeRight(type)
    case .templateParameter(_, let name, let constraint):
      try write(name)
      if constraint != .none {
        try write(" requires ")
        try write(constraint)
      }
    case .packParameter(let parameter): try writeRight(parameter)
    default: break
    }
  }

  /// Writes the pattern once for each element of the packs in it.
  mutating func writeExpansion(of pattern: NodeID) throws(TooLong) {
    let outer = pack
    pack = PackPosition()
    let start = output.count
    try write(pattern)
    if let count = pack.count {
      // The first element was not there, but the text around it was written.
      if count == 0 { removeLast(downTo: start) }
      for index in 0..<count where index > 0 {
        try writeComma()
        pack.index = index
        try write(pattern)
      }
    } else {
      // The pack has no arguments: it is one of function parameters.
      try write("...")
    }
    pack = outer
  }
}
