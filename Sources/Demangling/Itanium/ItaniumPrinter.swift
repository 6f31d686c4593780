/// Writes the text of a name.
///
/// A declarator is written around the name that it declares: the left side of `int (*f())[2]` is
/// `int (*`, and its right side is `)[2]`.
struct ItaniumPrinter {
  /// The text or the number of steps is beyond its limit.
  struct TooLong: Error {}

  /// The most parts that are written. The longest of 1.1 million names in real libraries has 5,000.
  private static let maximalStepCount = 1 << 16
  /// The most bytes that are written, with those that are removed again.
  private static let maximalByteCount = 1 << 18
  /// The deepest nesting; 56 in real libraries. It can be deeper than that of the name, because
  /// substitutions have substitutions in them.
  private static let maximalDepth = 384

  private(set) var tree = ItaniumTree()
  private var bytes: [UInt8] = []
  private(set) var output: [UInt8] = []
  private var depth = 0
  /// Whether the name was given up because of its depth.
  private(set) var isTooDeep = false
  private var stepCount = 0
  private var byteCount = 0

  /// Which element of its packs an expansion is at.
  var pack = PackPosition()
  /// How many parentheses are open since the innermost template arguments began. A `>` outside of
  /// them would end the arguments.
  private var openParentheses = 1
  /// The template arguments being written that stand in for earlier parameters. One that contains
  /// itself is written once.
  private var activeReferences: [NodeID] = []

  /// Starts to write the name that was read.
  mutating func takeTree(from reader: inout ItaniumReader) {
    swap(&tree, &reader.tree)
    swap(&bytes, &reader.bytes)
    output.removeAll(keepingCapacity: true)
    depth = 0
    isTooDeep = false
    stepCount = 0
    byteCount = 0
    pack = PackPosition()
    openParentheses = 1
    if !activeReferences.isEmpty { activeReferences.removeAll(keepingCapacity: true) }
  }

  mutating func giveTree(to reader: inout ItaniumReader) {
    swap(&tree, &reader.tree)
    swap(&bytes, &reader.bytes)
  }

  struct PackPosition {
    /// The number of elements; nil until a pack is met.
    var count: Int?
    var index = 0
  }
}

// MARK: - Text

extension ItaniumPrinter {
  mutating func write(_ text: String) throws(TooLong) {
    byteCount += text.utf8.count
    guard byteCount <= Self.maximalByteCount else { throw TooLong() }
    output.append(contentsOf: text.utf8)
  }

  mutating func write(_ byte: UInt8) throws(TooLong) {
    byteCount += 1
    guard byteCount <= Self.maximalByteCount else { throw TooLong() }
    output.append(byte)
  }

  mutating func writeColons() throws(TooLong) {
    try write(UInt8(ascii: ":"))
    try write(UInt8(ascii: ":"))
  }

  mutating func writeComma() throws(TooLong) {
    try write(UInt8(ascii: ","))
    try write(UInt8(ascii: " "))
  }

  mutating func write(_ text: NameText) throws(TooLong) {
    byteCount += text.range.count
    guard byteCount <= Self.maximalByteCount else { throw TooLong() }
    output.append(contentsOf: bytes[text.range])
  }

  /// Writes a number, in which `n` is a minus sign.
  mutating func writeNumber(_ text: NameText) throws(TooLong) {
    guard bytes[text.range].first == UInt8(ascii: "n") else { return try write(text) }
    try write(UInt8(ascii: "-"))
    try write(NameText(start: text.range.lowerBound + 1, end: text.range.upperBound))
  }

  func digits(_ text: NameText) -> ArraySlice<UInt8> { bytes[text.range] }

  mutating func open(_ parenthesis: UInt8 = UInt8(ascii: "(")) throws(TooLong) {
    openParentheses += 1
    try write(parenthesis)
  }

  mutating func close(_ parenthesis: UInt8 = UInt8(ascii: ")")) throws(TooLong) {
    openParentheses -= 1
    try write(parenthesis)
  }

  /// Whether a `>` would end template arguments.
  var isGreaterThanBracket: Bool { openParentheses == 0 }

  /// Writes what is between angle brackets.
  mutating func bracketed(
    _ write: (inout ItaniumPrinter) throws(TooLong) -> Void
  ) throws(TooLong) {
    let outer = openParentheses
    openParentheses = 0
    try write(&self)
    openParentheses = outer
  }

  mutating func removeLast(downTo count: Int) {
    if count < output.count { output.removeSubrange(count...) }
  }
}

// MARK: - Parts

extension ItaniumPrinter {
  mutating func write(_ node: NodeID) throws(TooLong) {
    try writeLeft(node)
    if tree.shape(of: node).hasRightSide != .no { try writeRight(node) }
  }

  mutating func writeLeft(_ node: NodeID) throws(TooLong) {
    try enter()
    switch tree[node] {
    case .name(let form): try write(form)
    case .type(let form): try writeLeft(form)
    case .expression(let form): try write(form)
    case .template(let form): try writeLeft(form, node)
    case .encoding(let form): try writeLeft(form)
    }
    depth -= 1
  }

  mutating func writeRight(_ node: NodeID) throws(TooLong) {
    try enter()
    switch tree[node] {
    case .type(let form): try writeRight(form)
    case .template(let form): try writeRight(form, node)
    case .encoding(.function(let id)): try writeRight(functionWithName: tree[id])
    case .name, .expression, .encoding: break
    }
    depth -= 1
  }

  private mutating func enter() throws(TooLong) {
    depth += 1
    guard depth <= Self.maximalDepth else {
      isTooDeep = true
      throw TooLong()
    }
    try step()
  }

  mutating func step() throws(TooLong) {
    stepCount += 1
    guard stepCount <= Self.maximalStepCount else { throw TooLong() }
  }

  /// Writes elements with commas between those that are not empty.
  mutating func write(_ list: NodeList) throws(TooLong) {
    var isFirst = true
    for index in tree.indices(of: list) {
      let element = tree.elements[index]
      let start = output.count
      if !isFirst { try writeComma() }
      let elementStart = output.count
      try writeOperand(element, within: .comma)
      if output.count == elementStart { removeLast(downTo: start) } else { isFirst = false }
    }
  }

  mutating func writeInParentheses(_ list: NodeList) throws(TooLong) {
    try open()
    try write(list)
    try close()
  }

  /// Follows a template parameter to its argument, unless that is being written already.
  mutating func following<Result>(
    _ reference: NodeID, to target: NodeID, otherwise: Result,
    _ use: (inout ItaniumPrinter, NodeID) throws(TooLong) -> Result
  ) throws(TooLong) -> Result {
    guard target != .none, !activeReferences.contains(reference) else { return otherwise }
    activeReferences.append(reference)
    let result = try use(&self, target)
    activeReferences.removeLast()
    return result
  }

  /// The element of a pack that the expansion around it is at; nil if there is none.
  mutating func element(ofPack list: NodeList) -> NodeID? {
    if pack.count == nil { pack = PackPosition(count: Int(list.count)) }
    return pack.index < Int(list.count) ? tree.elements[Int(list.start) + pack.index] : nil
  }
}

// MARK: - Shapes

extension ItaniumPrinter {
  mutating func hasRightSide(_ node: NodeID) throws(TooLong) -> Bool {
    try answer(.hasRightSide, node)
  }

  mutating func isArray(_ node: NodeID) throws(TooLong) -> Bool { try answer(.isArray, node) }

  mutating func isFunction(_ node: NodeID) throws(TooLong) -> Bool {
    try answer(.isFunction, node)
  }

  private mutating func answer(
    _ question: Shape.Question, _ node: NodeID
  ) throws(TooLong) -> Bool {
    switch tree.shape(of: node).answer(question) {
    case .no: return false
    case .yes: return true
    case .dependsOnContext: break
    }
    try enter()
    defer { depth -= 1 }
    switch tree[node] {
    case .type(.qualified(let type, _)), .type(.pointer(let type)),
      .type(.reference(let type, isRvalue: _)), .type(.memberPointer(_, let type)):
      return try answer(question, type)
    case .template(.parameterPack(let list)):
      guard let element = element(ofPack: list) else { return false }
      return try answer(question, element)
    case .template(.forwardReference(let target)):
      return try following(node, to: target, otherwise: false) {
        printer, target throws(TooLong) in
        try printer.answer(question, target)
      }
    default: return false
    }
  }
}

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
