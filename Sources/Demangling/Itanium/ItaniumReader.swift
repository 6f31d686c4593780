/// Reads a C++ name as the Itanium C++ ABI mangles it:
/// https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling.
///
/// What the ABI leaves open is read as LLVM's demangler reads it. Every step takes at least one
/// byte, so the time and the tree are in proportion to the name.
struct ItaniumReader {
  /// The name does not follow the grammar, or is nested too deeply. It is given up.
  struct Malformed: Error {}

  /// The deepest nesting. The deepest of 1.1 million names in real libraries has 50 levels.
  private static let maximalDepth = 256

  var bytes: [UInt8] = []
  private(set) var position = 0
  private var depth = 0
  /// Whether the name was given up because of its depth.
  private(set) var isTooDeep = false
  var tree = ItaniumTree()
  /// The elements of the lists that are being read, innermost last.
  var pending: [NodeID] = []
  /// What `S_`, `S0_` and so on stand for.
  var substitutions: [NodeID] = []
  var templateParameters = TemplateParameterScopes()
  /// The template parameters in the name of a conversion operator whose arguments were not read
  /// yet, with their indices.
  var forwardReferences: [(node: NodeID, index: Int)] = []

  // What the parts around the current one decide.

  /// Whether template arguments that follow a type belong to it. They do not in the name of a
  /// conversion operator, whose own arguments follow.
  var takesTemplateArguments = true
  var allowsForwardReferences = false
  /// In a constraint, template parameters are shown as they are mangled, as LLVM shows them.
  var isInConstraint = false
  /// The constraint of a template parameter may refer to parameters that are not known. They are
  /// shown as they are mangled.
  var isInTypeConstraint = false
  /// The level of the template parameters of the lambda whose parameters are being read.
  var lambdaLevel = -1
  /// How many parameters of each kind were invented for lambdas.
  var inventedCounts = InventedCounts()

  /// Starts to read another name.
  mutating func reset(to name: String) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: name.utf8)
    position = 0
    depth = 0
    isTooDeep = false
    tree.removeAll()
    if !pending.isEmpty { pending.removeAll(keepingCapacity: true) }
    substitutions.removeAll(keepingCapacity: true)
    templateParameters.removeAll()
    if !forwardReferences.isEmpty { forwardReferences.removeAll(keepingCapacity: true) }
    takesTemplateArguments = true
    allowsForwardReferences = false
    isInConstraint = false
    isInTypeConstraint = false
    lambdaLevel = -1
    inventedCounts = InventedCounts()
  }
}

// MARK: - Bytes

extension ItaniumReader {
  var isAtEnd: Bool { position >= bytes.count }

  /// The next byte; 0 at the end.
  var next: Unicode.Scalar { peek(0) }

  /// The byte at `offset` from the current position; 0 behind the end.
  func peek(_ offset: Int) -> Unicode.Scalar {
    let index = position + offset
    return index < bytes.count ? Unicode.Scalar(bytes[index]) : "\0"
  }

  mutating func takes(_ byte: Unicode.Scalar) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// Takes both bytes or none.
  mutating func takes(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
    guard next == first, peek(1) == second else { return false }
    position += 2
    return true
  }

  mutating func takes(text: String) -> Bool {
    guard bytes[position...].starts(with: text.utf8) else { return false }
    position += text.utf8.count
    return true
  }

  mutating func expect(_ byte: Unicode.Scalar) throws(Malformed) {
    guard takes(byte) else { throw Malformed() }
  }

  /// Moves behind bytes that were looked at.
  mutating func skip(_ count: Int) { position = min(position + count, bytes.count) }

  /// Moves back to a position that was passed.
  mutating func goBack(to earlier: Int) { position = min(position, earlier) }

  static func isDigit(_ byte: Unicode.Scalar) -> Bool { ("0"..."9").contains(byte) }

  var isAtDigit: Bool { Self.isDigit(next) }

  /// Enters a production that may contain itself.
  mutating func enter() throws(Malformed) {
    depth += 1
    guard depth <= Self.maximalDepth else {
      isTooDeep = true
      throw Malformed()
    }
  }

  mutating func leave() { depth -= 1 }
}

// MARK: - Numbers and identifiers

extension ItaniumReader {
  /// Takes digits, which an `n` for a minus sign may precede. Empty if there are none.
  mutating func takeNumber(allowsSign: Bool = false) -> NameText {
    let start = position
    if allowsSign { _ = takes("n") }
    guard isAtDigit else { return NameText(start: position, end: position) }
    while isAtDigit { position += 1 }
    return NameText(start: start, end: position)
  }

  mutating func takeRequiredNumber(allowsSign: Bool = false) throws(Malformed) -> NameText {
    let number = takeNumber(allowsSign: allowsSign)
    guard !number.isEmpty else { throw Malformed() }
    return number
  }

  /// Takes a number that counts bytes or parts of the name, so it is smaller than a billion.
  mutating func takeCount() throws(Malformed) -> Int {
    guard isAtDigit else { throw Malformed() }
    var count = 0
    while isAtDigit {
      count = count * 10 + Int(bytes[position] - UInt8(ascii: "0"))
      guard count < 1_000_000_000 else { throw Malformed() }
      position += 1
    }
    return count
  }

  /// Takes an index, which is written as nothing for 0, and else as one less: `_`, `0_`, `1_`.
  mutating func takeIndex() throws(Malformed) -> Int {
    if takes("_") { return 0 }
    let index = try takeCount() + 1
    try expect("_")
    return index
  }

  /// Takes a length and as many bytes.
  mutating func takeIdentifier() throws(Malformed) -> NameText {
    let count = try takeCount()
    guard count > 0, count <= bytes.count - position else { throw Malformed() }
    defer { position += count }
    return NameText(start: position, end: position + count)
  }

  mutating func readSourceName() throws(Malformed) -> NodeID {
    let text = try takeIdentifier()
    // GCC and clang name them so; the file's name may follow.
    if bytes[text.range.lowerBound] == UInt8(ascii: "_"),
      bytes[text.range].starts(with: "_GLOBAL__N".utf8)
    {
      return tree.add(NameForm.word(.anonymousNamespace))
    }
    return tree.add(NameForm.source(text))
  }

  /// Takes the number that distinguishes local entities of one name. It is not shown.
  mutating func skipDiscriminator() {
    let start = position
    if takes("_") {
      if isAtDigit {
        position += 1
      } else if takes("_") {
        _ = takeNumber()
        if !takes("_") { position = start }
      } else {
        position = start
      }
    } else if isAtDigit {
      // An extension: digits at the end of the name.
      _ = takeNumber()
      if !isAtEnd { position = start }
    }
  }
}

// MARK: - Lists

extension ItaniumReader {
  /// Reads elements up to `end`, and takes that too.
  mutating func readList(
    upTo end: Unicode.Scalar = "E",
    _ read: (inout ItaniumReader) throws(Malformed) -> NodeID
  ) throws(Malformed) -> NodeList {
    let start = pending.count
    while !takes(end) { pending.append(try read(&self)) }
    return takePending(from: start)
  }

  mutating func takePending(from start: Int) -> NodeList {
    tree.addList(movedFrom: &pending, start: start)
  }
}
