/// Types without a name, and the template parameters that lambdas declare.
extension ItaniumReader {
  /// Reads an unnamed type, a lambda's type or a block.
  mutating func readUnnamedType(_ traits: FunctionTraits) throws(Malformed) -> NodeID {
    // Template parameters in it are not those of the name around it.
    if traits.isEncoding { templateParameters.clear() }
    if takes("U", "t") {
      return tree.add(NameForm.unnamedType(number: try takeUnnamedNumber()))
    }
    if takes("U", "l") { return try readClosure() }
    if takes("U", "b") {
      // LLVM's demangler does not show the number.
      _ = try takeUnnamedNumber()
      return tree.add(NameForm.word(.blockLiteral))
    }
    throw Malformed()
  }

  private mutating func takeUnnamedNumber() throws(Malformed) -> NameText {
    let number = takeNumber()
    try expect("_")
    return number
  }

  /// Reads what follows `Ul`.
  private mutating func readClosure() throws(Malformed) -> NodeID {
    let outerLevel = lambdaLevel
    let level = templateParameters.levelCount
    lambdaLevel = level
    templateParameters.pushLevel()
    let start = pending.count
    while isAtTemplateParameterDeclaration {
      pending.append(try readTemplateParameterDeclaration(isInvented: true))
    }
    let declared = takePending(from: start)
    // `auto` adds the level when it is met.
    if declared.isEmpty { templateParameters.popLevels(to: level) }
    let constraint = takes("Q") ? try readConstraint() : .none
    if !takes("v") {
      repeat { pending.append(try readType()) } while next != "E" && next != "Q"
    }
    let parameters = takePending(from: start)
    let trailingConstraint = takes("Q") ? try readConstraint() : .none
    try expect("E")
    let number = try takeUnnamedNumber()
    templateParameters.popLevels(to: level)
    lambdaLevel = outerLevel
    return tree.add(
      Closure(
        templateParameters: declared, constraint: constraint, parameters: parameters,
        trailingConstraint: trailingConstraint, number: number))
  }

  var isAtTemplateParameterDeclaration: Bool {
    guard next == "T" else { return false }
    switch peek(1) {
    case "y", "n", "t", "p", "k": return true
    default: return false
    }
  }

  /// - Parameter isInvented: whether the parameter gets a name that may be referred to.
  mutating func readTemplateParameterDeclaration(
    isInvented: Bool
  ) throws(Malformed) -> NodeID {
    try enter()
    defer { leave() }
    if takes("T", "y") {
      let name = invent(.type, isDeclared: isInvented)
      return tree.add(TemplateForm.typeParameter(name: name))
    }
    if takes("T", "k") {
      let wasInTypeConstraint = isInTypeConstraint
      isInTypeConstraint = true
      var traits = FunctionTraits(isEncoding: false)
      let constraint = try readName(&traits)
      isInTypeConstraint = wasInTypeConstraint
      let name = invent(.type, isDeclared: isInvented)
      return tree.add(TemplateForm.constrainedParameter(constraint, name: name))
    }
    if takes("T", "n") {
      let name = invent(.value, isDeclared: isInvented)
      return tree.add(TemplateForm.valueParameter(type: try readType(), name: name))
    }
    if takes("T", "t") {
      let name = invent(.template, isDeclared: isInvented)
      let level = templateParameters.levelCount
      templateParameters.pushLevel()
      let start = pending.count
      var constraint = NodeID.none
      while !takes("E") {
        pending.append(try readTemplateParameterDeclaration(isInvented: true))
        if takes("Q") {
          constraint = try readConstraint()
          try expect("E")
          break
        }
      }
      let parameters = takePending(from: start)
      templateParameters.popLevels(to: level)
      return tree.add(
        TemplateForm.templateParameter(parameters, name: name, constraint: constraint))
    }
    guard takes("T", "p") else { throw Malformed() }
    return tree.add(
      TemplateForm.packParameter(
        try readTemplateParameterDeclaration(isInvented: isInvented)))
  }

  private mutating func invent(_ kind: InventedKind, isDeclared: Bool) -> NodeID {
    let name = tree.add(TemplateForm.invented(kind, number: inventedCounts.next(kind)))
    if isDeclared { templateParameters.append(name) }
    return name
  }
}

/// Numbers the parameters of each kind.
struct InventedCounts {
  private var types: Int32 = 0
  private var values: Int32 = 0
  private var templates: Int32 = 0

  mutating func next(_ kind: InventedKind) -> Int32 {
    switch kind {
    case .type:
      defer { types += 1 }
      return types
    case .value:
      defer { values += 1 }
      return values
    case .template:
      defer { templates += 1 }
      return templates
    }
  }
}
