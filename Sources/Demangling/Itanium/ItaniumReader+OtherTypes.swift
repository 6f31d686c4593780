/// The types whose code starts with `D`.
extension ItaniumReader {
  mutating func readTypeWithPrefixD() throws(Malformed) -> (NodeID, isSubstitutable: Bool) {
    let code = peek(1)
    if let word = builtinTypeWithPrefixD(code) {
      skip(2)
      return (tree.add(NameForm.word(word)), false)
    }
    switch code {
    case "F":
      skip(2)
      if takes(text: "16b") { return (tree.add(NameForm.word(.bfloat16)), false) }
      let bits = takeNumber()
      try expect("_")
      return (tree.add(TypeForm.binaryFloat(bits: bits)), false)
    case "B", "U":
      skip(2)
      let size: NodeID
      if isAtDigit {
        size = tree.add(ExpressionForm.number(takeNumber()))
      } else {
        size = try readExpression()
      }
      try expect("_")
      return (tree.add(TypeForm.bitInteger(size: size, isSigned: code == "B")), true)
    case "k", "K":
      skip(2)
      var traits = FunctionTraits(isEncoding: false)
      let concept = try readName(&traits)
      let word = code == "k" ? ItaniumWord.auto : .decltypeAuto
      return (tree.add(TypeForm.followed(concept, by: word)), false)
    case "t", "T": return (try readDecltype(), true)
    case "v": return (try readVectorType(), true)
    case "p":
      skip(2)
      return (tree.add(TemplateForm.expansion(try readType())), true)
    case "o", "O", "w", "x": return (try readFunctionType(), true)
    default:
      var traits = FunctionTraits(isEncoding: false)
      return (try readName(&traits), true)
    }
  }

  private func builtinTypeWithPrefixD(_ code: Unicode.Scalar) -> ItaniumWord? {
    switch code {
    case "d": .decimal64
    case "e": .decimal128
    case "f": .decimal32
    case "h": .half
    case "i": .char32
    case "s": .char16
    case "u": .char8
    case "a": .auto
    case "c": .decltypeAuto
    case "n": .nullptrType
    default: nil
    }
  }

  mutating func readDecltype() throws(Malformed) -> NodeID {
    guard takes("D", "t") || takes("D", "T") else { throw Malformed() }
    let expression = try readExpression()
    try expect("E")
    return tree.add(ExpressionForm.enclosed(.decltype, expression))
  }

  private mutating func readVectorType() throws(Malformed) -> NodeID {
    skip(2)
    var dimension = NodeID.none
    if ("1"..."9").contains(next) {
      dimension = tree.add(ExpressionForm.number(takeNumber()))
      try expect("_")
      if takes("p") { return tree.add(TypeForm.pixelVector(dimension: dimension)) }
    } else if !takes("_") {
      dimension = try readExpression()
      try expect("_")
    }
    return tree.add(TypeForm.vector(of: try readType(), dimension: dimension))
  }
}
