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
