/// The arguments that template parameters stand for, by level. The first level is that of the
/// function's own template arguments; lambdas and template template parameters add levels.
///
/// A part of a name may have levels of its own. They lie behind those around it, and are removed at
/// its end.
struct TemplateParameterScopes {
  private var arguments: [NodeID] = []
  /// Where the arguments of each level start. A level ends where the next one starts.
  private var starts: [Int] = []
  /// Where the levels of the current context start.
  private var base = 0

  struct Context {
    fileprivate let base: Int
    fileprivate let levelCount: Int
    fileprivate let argumentCount: Int
  }

  mutating func beginContext() -> Context {
    defer { base = starts.count }
    return Context(base: base, levelCount: starts.count, argumentCount: arguments.count)
  }

  mutating func endContext(_ outer: Context) {
    if starts.count > outer.levelCount {
      starts.removeLast(starts.count - outer.levelCount)
      arguments.removeLast(arguments.count - outer.argumentCount)
    }
    base = outer.base
  }

  mutating func removeAll() {
    if !arguments.isEmpty { arguments.removeAll(keepingCapacity: true) }
    if !starts.isEmpty { starts.removeAll(keepingCapacity: true) }
    base = 0
  }

  var levelCount: Int { starts.count - base }

  mutating func clear() { popLevels(to: 0) }

  mutating func pushLevel() { starts.append(arguments.count) }

  mutating func popLevels(to count: Int) {
    guard levelCount > count else { return }
    arguments.removeLast(arguments.count - starts[base + count])
    starts.removeLast(starts.count - (base + count))
  }

  /// Adds an argument to the last level.
  mutating func append(_ argument: NodeID) { arguments.append(argument) }

  func argument(level: Int, index: Int) -> NodeID? {
    guard level < levelCount else { return nil }
    let start = starts[base + level]
    let end = level + 1 < levelCount ? starts[base + level + 1] : arguments.count
    return index < end - start ? arguments[start + index] : nil
  }
}

extension ItaniumReader {
  /// Reads `T_`, `T0_`, `TL0__` and so on, and returns the argument that it stands for.
  mutating func readTemplateParameter() throws(Malformed) -> NodeID {
    let start = position
    try expect("T")
    var level = 0
    if takes("L") {
      level = try takeCount() + 1
      try expect("_")
    }
    let index = try takeIndex()
    // Without the underscore at its end.
    let text = NameText(start: start, end: position - 1)
    if isInConstraint { return tree.add(NameForm.source(text)) }
    if allowsForwardReferences, level == 0 {
      let node = tree.add(TemplateForm.forwardReference(target: .none))
      forwardReferences.append((node, index))
      return node
    }
    if let argument = templateParameters.argument(level: level, index: index) { return argument }
    // `auto` parameters of a lambda are mangled as template parameters.
    guard level == lambdaLevel, level <= templateParameters.levelCount else {
      guard isInTypeConstraint else { throw Malformed() }
      return tree.add(NameForm.source(text))
    }
    if level == templateParameters.levelCount { templateParameters.pushLevel() }
    return tree.add(NameForm.word(.auto))
  }

  /// Reads `I…E`.
  ///
  /// - Parameter definesParameters: whether the template parameters in the rest of the encoding
  ///   stand for these arguments.
  mutating func readTemplateArguments(definesParameters: Bool) throws(Malformed) -> NodeID {
    try expect("I")
    if definesParameters {
      templateParameters.clear()
      templateParameters.pushLevel()
    }
    let start = pending.count
    while !takes("E") {
      let argument = try readTemplateArgument()
      pending.append(argument)
      if definesParameters { templateParameters.append(meaning(of: argument)) }
      if takes("Q") {
        // LLVM's demangler does not show constraints of arguments either.
        _ = try readConstraint()
        try expect("E")
        break
      }
    }
    return tree.add(TemplateForm.arguments(takePending(from: start)))
  }

  /// What a template parameter with this argument stands for.
  private mutating func meaning(of argument: NodeID) -> NodeID {
    switch tree[argument] {
    case .template(.argumentPack(let list)): tree.add(TemplateForm.parameterPack(list))
    case .template(.declaredArgument(let argument)): argument
    default: argument
    }
  }

  mutating func readTemplateArgument() throws(Malformed) -> NodeID {
    switch next {
    case "X":
      skip(1)
      let expression = try readExpression()
      try expect("E")
      return expression
    case "J":
      try enter()
      defer { leave() }
      skip(1)
      return tree.add(
        TemplateForm.argumentPack(
          try readList { reader throws(Malformed) in try reader.readTemplateArgument() }))
    case "L" where peek(1) == "Z":
      skip(2)
      let encoding = try readEncoding()
      try expect("E")
      return encoding
    case "L": return try readLiteral()
    case "T" where isAtTemplateParameterDeclaration:
      try enter()
      defer { leave() }
      _ = try readTemplateParameterDeclaration(isInvented: false)
      return tree.add(TemplateForm.declaredArgument(try readTemplateArgument()))
    default: return try readType()
    }
  }
}

// MARK: - Substitutions

extension ItaniumReader {
  /// Reads `S_`, `S0_` and so on, or an abbreviation of a name in the standard library.
  mutating func readSubstitution() throws(Malformed) -> NodeID {
    try expect("S")
    if ("a"..."z").contains(next) {
      guard let standard = StandardName(code: next) else { throw Malformed() }
      skip(1)
      let name = tree.add(NameForm.standard(standard))
      let tagged = try readTags(of: name)
      if tagged != name { substitutions.append(tagged) }
      return tagged
    }
    var index = 0
    if !takes("_") {
      guard let number = takeSequenceNumber() else { throw Malformed() }
      try expect("_")
      index = number + 1
    }
    guard index < substitutions.count else { throw Malformed() }
    return substitutions[index]
  }

  /// Takes a number with the digits 0 to 9 and A to Z; nil if it is missing or too large.
  mutating func takeSequenceNumber() -> Int? {
    var number: Int?
    while true {
      let digit: Int
      switch next {
      case "0"..."9": digit = Int(next.value) - 0x30
      case "A"..."Z": digit = Int(next.value) - 0x41 + 10
      default: return number
      }
      let sum = (number ?? 0) * 36 + digit
      guard sum < 1_000_000_000 else { return nil }
      number = sum
      skip(1)
    }
  }
}
