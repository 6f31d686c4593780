extension ItaniumReader {
  /// Reads a type. All but the built-in ones can be referred to by substitutions.
  mutating func readType() throws(Malformed) -> NodeID {
    try enter()
    defer { leave() }
    if let word = builtinType(next) {
      skip(1)
      return tree.add(NameForm.word(word))
    }
    let type: NodeID
    switch next {
    case "r", "V", "K": type = try isAtFunctionType ? readFunctionType() : readQualifiedType()
    case "U": type = try readQualifiedType()
    case "u": type = try readVendorType()
    case "D":
      let (special, isSubstitutable) = try readTypeWithPrefixD()
      guard isSubstitutable else { return special }
      type = special
    case "F": type = try readFunctionType()
    case "A": type = try readArrayType()
    case "M":
      skip(1)
      let container = try readType()
      type = tree.add(TypeForm.memberPointer(of: container, to: try readType()))
    case "T":
      switch peek(1) {
      case "s", "u", "e": type = try readElaboratedType()
      default:
        let parameter = try readTemplateParameter()
        type = try withTemplateArguments(parameter)
      }
    case "P":
      skip(1)
      type = tree.add(TypeForm.pointer(to: try readType()))
    case "R":
      skip(1)
      type = tree.add(TypeForm.reference(to: try readType(), isRvalue: false))
    case "O":
      skip(1)
      type = tree.add(TypeForm.reference(to: try readType(), isRvalue: true))
    case "C":
      skip(1)
      type = tree.add(TypeForm.followed(try readType(), by: .complex))
    case "G":
      skip(1)
      type = tree.add(TypeForm.followed(try readType(), by: .imaginary))
    case "S" where peek(1) != "t":
      var traits = FunctionTraits(isEncoding: false)
      let (name, isSubstitution) = try readUnscopedName(&traits)
      if next == "I", !isSubstitution || takesTemplateArguments {
        if !isSubstitution { substitutions.append(name) }
        let arguments = try readTemplateArguments(definesParameters: false)
        type = tree.add(NameForm.instance(of: name, arguments: arguments))
      } else if isSubstitution {
        return name
      } else {
        type = name
      }
    default: type = try readNamedType()
    }
    substitutions.append(type)
    return type
  }

  private mutating func readNamedType() throws(Malformed) -> NodeID {
    var traits = FunctionTraits(isEncoding: false)
    return try readName(&traits)
  }

  /// Reads the arguments of a template template parameter, if they follow.
  private mutating func withTemplateArguments(_ parameter: NodeID) throws(Malformed) -> NodeID {
    guard takesTemplateArguments, next == "I" else { return parameter }
    substitutions.append(parameter)
    let arguments = try readTemplateArguments(definesParameters: false)
    return tree.add(NameForm.instance(of: parameter, arguments: arguments))
  }

  private func builtinType(_ code: Unicode.Scalar) -> ItaniumWord? {
    switch code {
    case "v": .void
    case "w": .wideCharacter
    case "b": .bool
    case "c": .char
    case "a": .signedChar
    case "h": .unsignedChar
    case "s": .short
    case "t": .unsignedShort
    case "i": .int
    case "j": .unsignedInt
    case "l": .long
    case "m": .unsignedLong
    case "x": .longLong
    case "y": .unsignedLongLong
    case "n": .int128
    case "o": .unsignedInt128
    case "f": .float
    case "d": .double
    case "e": .longDouble
    case "g": .float128
    case "z": .ellipsis
    default: nil
    }
  }

  mutating func takeQualifiers() -> Qualifiers {
    var qualifiers: Qualifiers = []
    if takes("r") { qualifiers.insert(.restrict) }
    if takes("V") { qualifiers.insert(.volatile) }
    if takes("K") { qualifiers.insert(.constant) }
    return qualifiers
  }

  /// Whether a function type follows, with the qualifiers of a member function.
  private var isAtFunctionType: Bool {
    var offset = 0
    if peek(offset) == "r" { offset += 1 }
    if peek(offset) == "V" { offset += 1 }
    if peek(offset) == "K" { offset += 1 }
    guard peek(offset) != "F" else { return true }
    guard peek(offset) == "D" else { return false }
    switch peek(offset + 1) {
    case "o", "O", "w", "x": return true
    default: return false
    }
  }

  private mutating func readQualifiedType() throws(Malformed) -> NodeID {
    guard takes("U") else {
      let qualifiers = takeQualifiers()
      let type = try readType()
      return qualifiers.isEmpty ? type : tree.add(TypeForm.qualified(type, qualifiers))
    }
    try enter()
    defer { leave() }
    let qualifier = try takeIdentifier()
    if let protocolName = try objectiveCProtocol(qualifier) {
      return tree.add(TypeForm.objectiveCProtocol(try readQualifiedType(), protocolName))
    }
    let arguments =
      next == "I" ? try readTemplateArguments(definesParameters: false) : NodeID.none
    let type = try readQualifiedType()
    return tree.add(TypeForm.vendorQualified(type, by: qualifier, arguments: arguments))
  }

  /// The protocol in `objcproto5Proto`; nil if `qualifier` is not that of Objective-C.
  private mutating func objectiveCProtocol(
    _ qualifier: NameText
  ) throws(Malformed) -> NameText? {
    let marker = "objcproto".utf8
    guard bytes[qualifier.range].starts(with: marker) else { return nil }
    let end = position
    goBack(to: Int(qualifier.start) + marker.count)
    let name = try takeIdentifier()
    guard name.range.upperBound <= end else { throw Malformed() }
    skip(end - position)
    return name
  }

  private mutating func readVendorType() throws(Malformed) -> NodeID {
    try expect("u")
    let name = tree.add(NameForm.source(try takeIdentifier()))
    guard takes("I") else { return name }
    let type = try readType()
    try expect("E")
    return tree.add(TypeForm.transformed(by: name, type))
  }

  private mutating func readElaboratedType() throws(Malformed) -> NodeID {
    let keyword: ItaniumWord
    switch peek(1) {
    case "s": keyword = .struct
    case "u": keyword = .union
    default: keyword = .enum
    }
    skip(2)
    return tree.add(TypeForm.elaborated(keyword, try readNamedType()))
  }

  private mutating func readArrayType() throws(Malformed) -> NodeID {
    try expect("A")
    var dimension = NodeID.none
    if isAtDigit {
      dimension = tree.add(ExpressionForm.number(takeNumber()))
      try expect("_")
    } else if !takes("_") {
      dimension = try readExpression()
      try expect("_")
    }
    return tree.add(TypeForm.array(of: try readType(), dimension: dimension))
  }

  mutating func readFunctionType() throws(Malformed) -> NodeID {
    var function = Function()
    function.qualifiers = takeQualifiers()
    if takes("D", "o") {
      function.exceptions = tree.add(NameForm.word(.noexcept))
    } else if takes("D", "O") {
      let condition = try readExpression()
      try expect("E")
      function.exceptions = tree.add(TypeForm.noexcept(condition))
    } else if takes("D", "w") {
      let types = try readList { reader throws(Malformed) in try reader.readType() }
      function.exceptions = tree.add(TypeForm.dynamicThrow(types))
    }
    // Safe in transactions.
    _ = takes("D", "x")
    try expect("F")
    // Of language C.
    _ = takes("Y")
    function.result = try readType()
    let start = pending.count
    while !takes("E") {
      if takes("v") { continue }
      if takes("R", "E") {
        function.reference = .lvalue
        break
      }
      if takes("O", "E") {
        function.reference = .rvalue
        break
      }
      pending.append(try readType())
    }
    function.parameters = takePending(from: start)
    return tree.add(TypeForm.function(tree.add(function)))
  }
}
