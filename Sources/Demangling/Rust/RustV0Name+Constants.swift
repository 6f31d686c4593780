import SymbolicationModel

extension RustV0Name {
  /// - Parameter inValue: whether the constant is in an expression. Elsewhere, all constants but
  ///   simple ones are written in braces: `f::<{ … }>`.
  mutating func readConstant(inValue: Bool) throws(Malformed) {
    try nested { reading throws(Malformed) in
      let tag = try reading.take()
      switch tag {
      case UInt8(ascii: "p"): try reading.write("_")
      case UInt8(ascii: "h"), UInt8(ascii: "t"), UInt8(ascii: "m"), UInt8(ascii: "y"),
        UInt8(ascii: "o"), UInt8(ascii: "j"):
        try reading.readInteger(of: tag)
      case UInt8(ascii: "a"), UInt8(ascii: "s"), UInt8(ascii: "l"), UInt8(ascii: "x"),
        UInt8(ascii: "n"), UInt8(ascii: "i"):
        if reading.takes("n") { try reading.write("-") }
        try reading.readInteger(of: tag)
      case UInt8(ascii: "b"):
        switch try reading.takeNumber() {
        case 0: try reading.write("false")
        case 1: try reading.write("true")
        default: throw Malformed()
        }
        try reading.writeType(of: tag)
      case UInt8(ascii: "c"):
        guard let scalar = UInt32(exactly: try reading.takeNumber()).flatMap(Unicode.Scalar.init)
        else { throw Malformed() }
        try reading.write("'")
        try reading.write(scalar.rustLiteral(quotedBy: "'"))
        try reading.write("'")
        try reading.writeType(of: tag)
      case UInt8(ascii: "B"):
        try reading.readBackReference { reading throws(Malformed) in
          try reading.readConstant(inValue: inValue)
        }
      // A literal has the type `&str`.
      case UInt8(ascii: "R") where reading.takes("e"): try reading.readStringLiteral()
      default:
        if !inValue { try reading.write("{") }
        try reading.readCompositeConstant(tag)
        if !inValue { try reading.write("}") }
      }
    }
  }

  private mutating func readCompositeConstant(_ tag: UInt8) throws(Malformed) {
    switch tag {
    case UInt8(ascii: "e"):
      try write("*")
      try readStringLiteral()
    case UInt8(ascii: "R"), UInt8(ascii: "Q"):
      try write(tag == UInt8(ascii: "R") ? "&" : "&mut ")
      try readConstant(inValue: true)
    case UInt8(ascii: "A"):
      try write("[")
      try readConstants()
      try write("]")
    case UInt8(ascii: "T"):
      try write("(")
      try write(try readConstants() == 1 ? ",)" : ")")
    case UInt8(ascii: "V"):
      try readPath(inValue: true)
      switch try take() {
      case UInt8(ascii: "U"): break
      case UInt8(ascii: "T"):
        try write("(")
        try readConstants()
        try write(")")
      case UInt8(ascii: "S"):
        try write(" { ")
        try readList(separator: ", ") { reading throws(Malformed) in
          _ = try reading.takeDisambiguator()
          try reading.write(try reading.takeIdentifier())
          try reading.write(": ")
          try reading.readConstant(inValue: true)
        }
        try write(" }")
      default: throw Malformed()
      }
    default: throw Malformed()
    }
  }

  @discardableResult
  private mutating func readConstants() throws(Malformed) -> Int {
    try readList(separator: ", ") { reading throws(Malformed) in
      try reading.readConstant(inValue: true)
    }
  }

  /// Takes the hexadecimal digits up to `_`.
  private mutating func takeDigits() throws(Malformed) -> [UInt8] {
    var digits: [UInt8] = []
    while true {
      let byte = try take()
      switch byte {
      case UInt8(ascii: "_"): return digits
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
        digits.append(byte)
      default: throw Malformed()
      }
    }
  }

  /// Reads a number of up to 64 bits.
  private mutating func takeNumber() throws(Malformed) -> UInt64 {
    guard let number = UInt64(String(decoding: try takeDigits(), as: UTF8.self), radix: 16) else {
      throw Malformed()
    }
    return number
  }

  /// Writes a number in decimal, or in hexadecimal if it has more than 64 bits.
  private mutating func readInteger(of type: UInt8) throws(Malformed) {
    let digits = try takeDigits()
    guard !digits.isEmpty else { throw Malformed() }
    let text = String(decoding: digits, as: UTF8.self)
    if let number = UInt64(text, radix: 16) {
      try write(String(number))
    } else {
      try write("0x")
      try write(contentsOf: digits.drop { $0 == UInt8(ascii: "0") })
    }
    try writeType(of: type)
  }

  private mutating func writeType(of tag: UInt8) throws(Malformed) {
    guard showsHashes, let name = Self.basicType(tag) else { return }
    try write(": ")
    try write(name)
  }

  private mutating func readStringLiteral() throws(Malformed) {
    let digits = try takeDigits()
    guard digits.count.isMultiple(of: 2) else { throw Malformed() }
    let utf8 = stride(from: 0, to: digits.count, by: 2).map { index in
      Self.value(of: digits[index]) << 4 | Self.value(of: digits[index + 1])
    }
    guard let text = String(validating: utf8, as: UTF8.self) else { throw Malformed() }
    try write("\"")
    for scalar in text.unicodeScalars { try write(scalar.rustLiteral(quotedBy: "\"")) }
    try write("\"")
  }

  private static func value(of digit: UInt8) -> UInt8 {
    digit <= UInt8(ascii: "9") ? digit - UInt8(ascii: "0") : digit - UInt8(ascii: "a") + 10
  }
}

extension Unicode.Scalar {
  /// The character as Rust's `escape_debug` writes it in a literal between `quote`s.
  fileprivate func rustLiteral(quotedBy quote: Unicode.Scalar) -> String {
    switch self {
    case "\0": return "\\0"
    case "\t": return "\\t"
    case "\n": return "\\n"
    case "\r": return "\\r"
    case "\\", quote: return "\\\(self)"
    case " "..."~": return String(self)
    default: break
    }
    let isShown =
      switch properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
        .paragraphSeparator, .spaceSeparator:
        false
      default: !properties.isGraphemeExtend
      }
    return isShown ? String(self) : "\\u{\(value.hexadecimalDigits())}"
  }
}
