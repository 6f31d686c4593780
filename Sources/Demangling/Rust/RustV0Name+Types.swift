extension RustV0Name {
  mutating func readType() throws(Malformed) {
    try nested { reading throws(Malformed) in
      let tag = try reading.take()
      if let name = Self.basicType(tag) { return try reading.write(name) }
      switch tag {
      case UInt8(ascii: "R"), UInt8(ascii: "Q"):
        try reading.write("&")
        if reading.takes("L") {
          let lifetime = try reading.takeBase62()
          if lifetime > 0 {
            try reading.writeLifetime(lifetime)
            try reading.write(" ")
          }
        }
        if tag == UInt8(ascii: "Q") { try reading.write("mut ") }
        try reading.readType()
      case UInt8(ascii: "P"):
        try reading.write("*const ")
        try reading.readType()
      case UInt8(ascii: "O"):
        try reading.write("*mut ")
        try reading.readType()
      case UInt8(ascii: "A"), UInt8(ascii: "S"):
        try reading.write("[")
        try reading.readType()
        if tag == UInt8(ascii: "A") {
          try reading.write("; ")
          try reading.readConstant(inValue: true)
        }
        try reading.write("]")
      case UInt8(ascii: "T"):
        try reading.write("(")
        let count = try reading.readList(separator: ", ") { reading throws(Malformed) in
          try reading.readType()
        }
        try reading.write(count == 1 ? ",)" : ")")
      case UInt8(ascii: "F"):
        try reading.readInBinder { reading throws(Malformed) in
          try reading.readFunctionSignature()
        }
      case UInt8(ascii: "D"): try reading.readTraitObject()
      case UInt8(ascii: "W"):
        try reading.readType()
        try reading.write(" is ")
        try reading.readPattern()
      case UInt8(ascii: "B"):
        try reading.readBackReference { reading throws(Malformed) in try reading.readType() }
      default:
        reading.untake()
        try reading.readPath(inValue: false)
      }
    }
  }

  private mutating func readFunctionSignature() throws(Malformed) {
    if takes("U") { try write("unsafe ") }
    if takes("K") {
      try write("extern \"")
      if takes("C") {
        try write("C")
      } else {
        guard case .ascii(let name) = try takeIdentifier(), !name.isEmpty else { throw Malformed() }
        // Mangled names have no hyphens: `C-unwind` is written `C_unwind`.
        try write(
          contentsOf: name.map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 })
      }
      try write("\" ")
    }
    try write("fn(")
    try readList(separator: ", ") { reading throws(Malformed) in try reading.readType() }
    try write(")")
    // The result `()` is not written.
    if takes("u") { return }
    try write(" -> ")
    try readType()
  }

  private mutating func readTraitObject() throws(Malformed) {
    try write("dyn ")
    try readInBinder { reading throws(Malformed) in
      try reading.readList(separator: " + ") { reading throws(Malformed) in
        try reading.readObjectTrait()
      }
    }
    guard takes("L") else { throw Malformed() }
    let lifetime = try takeBase62()
    guard lifetime > 0 else { return }
    try write(" + ")
    try writeLifetime(lifetime)
  }

  private mutating func readObjectTrait() throws(Malformed) {
    var isOpen = try readPathLeavingArgumentsOpen()
    while takes("p") {
      try write(isOpen ? ", " : "<")
      isOpen = true
      try write(try takeIdentifier())
      try write(" = ")
      try readType()
    }
    if isOpen { try write(">") }
  }

  /// Reads the pattern of a pattern type, which limits its values (the innermost type of `NonZero`
  /// since rustc 1.88).
  private mutating func readPattern() throws(Malformed) {
    try nested { reading throws(Malformed) in
      switch try reading.take() {
      case UInt8(ascii: "R"):
        try reading.readConstant(inValue: false)
        try reading.write("..=")
        try reading.readConstant(inValue: false)
      case UInt8(ascii: "O"):
        try reading.readList(separator: " | ") { reading throws(Malformed) in
          try reading.readPattern()
        }
      case UInt8(ascii: "N"): try reading.write("!null")
      default: throw Malformed()
      }
    }
  }

  static func basicType(_ tag: UInt8) -> String? {
    switch tag {
    case UInt8(ascii: "a"): "i8"
    case UInt8(ascii: "b"): "bool"
    case UInt8(ascii: "c"): "char"
    case UInt8(ascii: "d"): "f64"
    case UInt8(ascii: "e"): "str"
    case UInt8(ascii: "f"): "f32"
    case UInt8(ascii: "h"): "u8"
    case UInt8(ascii: "i"): "isize"
    case UInt8(ascii: "j"): "usize"
    case UInt8(ascii: "l"): "i32"
    case UInt8(ascii: "m"): "u32"
    case UInt8(ascii: "n"): "i128"
    case UInt8(ascii: "o"): "u128"
    case UInt8(ascii: "p"): "_"
    case UInt8(ascii: "s"): "i16"
    case UInt8(ascii: "t"): "u16"
    case UInt8(ascii: "u"): "()"
    case UInt8(ascii: "v"): "..."
    case UInt8(ascii: "x"): "i64"
    case UInt8(ascii: "y"): "u64"
    case UInt8(ascii: "z"): "!"
    default: nil
    }
  }
}
