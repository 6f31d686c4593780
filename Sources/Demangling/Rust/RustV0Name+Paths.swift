import SymbolicationModel

extension RustV0Name {
  /// - Parameter inValue: whether the path is in an expression, where `::` precedes generic
  ///   arguments (`f::<u8>`, but `Vec<u8>`).
  mutating func readPath(inValue: Bool) throws(Malformed) {
    try nested { reading throws(Malformed) in
      switch try reading.take() {
      case UInt8(ascii: "C"): try reading.readCrate()
      case UInt8(ascii: "M"): try reading.readImplementation(hasPath: true, hasTrait: false)
      case UInt8(ascii: "X"): try reading.readImplementation(hasPath: true, hasTrait: true)
      case UInt8(ascii: "Y"): try reading.readImplementation(hasPath: false, hasTrait: true)
      case UInt8(ascii: "N"): try reading.readNestedPath(inValue: inValue)
      case UInt8(ascii: "I"):
        try reading.readPath(inValue: inValue)
        if inValue { try reading.write("::") }
        try reading.write("<")
        try reading.readGenericArguments()
        try reading.write(">")
      case UInt8(ascii: "B"):
        try reading.readBackReference { reading throws(Malformed) in
          try reading.readPath(inValue: inValue)
        }
      default: throw Malformed()
      }
    }
  }

  /// Reads a path and leaves its generic arguments open if it ends with some (`Iterator<u8`), so
  /// that the associated types of a trait object can follow. Returns whether they are open.
  mutating func readPathLeavingArgumentsOpen() throws(Malformed) -> Bool {
    var isOpen = false
    try nested { reading throws(Malformed) in
      if reading.takes("B") {
        try reading.readBackReference { reading throws(Malformed) in
          isOpen = try reading.readPathLeavingArgumentsOpen()
        }
      } else if reading.takes("I") {
        try reading.readPath(inValue: false)
        try reading.write("<")
        try reading.readGenericArguments()
        isOpen = true
      } else {
        try reading.readPath(inValue: false)
      }
    }
    return isOpen
  }

  private mutating func readCrate() throws(Malformed) {
    let disambiguator = try takeDisambiguator()
    try write(try takeIdentifier())
    if showsHashes { try write("[\(disambiguator.hexadecimalDigits())]") }
  }

  /// Reads `<Type>` or `<Type as Trait>`.
  ///
  /// - Parameter hasPath: whether the path of the implementation precedes it; that path is not
  ///   shown.
  private mutating func readImplementation(hasPath: Bool, hasTrait: Bool) throws(Malformed) {
    if hasPath {
      _ = try takeDisambiguator()
      try silently { reading throws(Malformed) in try reading.readPath(inValue: false) }
    }
    try write("<")
    try readType()
    if hasTrait {
      try write(" as ")
      try readPath(inValue: false)
    }
    try write(">")
  }

  private mutating func readNestedPath(inValue: Bool) throws(Malformed) {
    let namespace = try take()
    try readPath(inValue: inValue)
    let disambiguator = try takeDisambiguator()
    let identifier = try takeIdentifier()
    switch namespace {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"):
      // Entities that the compiler made: `{closure#0}`, `{shim:vtable#0}`.
      try write("::{")
      switch namespace {
      case UInt8(ascii: "C"): try write("closure")
      case UInt8(ascii: "S"): try write("shim")
      default: try write(contentsOf: CollectionOfOne(namespace))
      }
      if !identifier.isEmpty {
        try write(":")
        try write(identifier)
      }
      try write("#\(disambiguator)}")
    case UInt8(ascii: "a")...UInt8(ascii: "z"):
      guard !identifier.isEmpty else { return }
      try write("::")
      try write(identifier)
    default: throw Malformed()
    }
  }

  private mutating func readGenericArguments() throws(Malformed) {
    try readList(separator: ", ") { reading throws(Malformed) in
      if reading.takes("L") {
        try reading.writeLifetime(try reading.takeBase62())
      } else if reading.takes("K") {
        try reading.readConstant(inValue: false)
      } else {
        try reading.readType()
      }
    }
  }
}
