import SymbolicationModel

/// Reads a Swift name without building it, and says how long the name would be when demangled.
///
/// The Swift runtime demangles Swift names, and has no limits that hold: its tree shares the parts
/// that a name repeats, and the runtime walks through them each time. A name of 213 bytes can so
/// take 14 seconds and gigabytes. This reader goes first. It follows the operators of the mangling
/// (https://github.com/swiftlang/swift/blob/main/docs/ABI/Mangling.rst) as the runtime does, but
/// keeps only the size and the depth of each part.
///
/// A mangled name is a program for a machine with a stack: an operator takes parts from the stack,
/// and puts one there that is made of them. The size of a part is thus what the total has grown by
/// since the lowest of the parts that it took began. This makes the bound sound: if an operator
/// took more parts here than it does in the runtime, sizes would be too large, never too small.
///
/// Sizes are upper bounds of the bytes that the runtime writes. Names that this reader does not
/// understand are not given to the runtime at all.
package struct SwiftNameMeter {
  package typealias Refusal = DemanglingFailure

  /// The longest name that is read, in bytes.
  static let maximalLength = 16 << 10
  /// The largest size.
  static let maximalSize = 1 << 19
  /// The most parts in each other. The runtime recurses several times for each.
  static let maximalDepth = 128
  /// The most names in each other: a function's name may contain that of a closure.
  static let maximalNesting = 4

  var bytes: [UInt8] = []
  var position = 0
  /// The sum of the sizes of all parts on the stack.
  package private(set) var size = 0
  /// Up to where the bytes of the name are in `size`.
  private var chargedEnd = 0
  /// The parts that no operator has taken yet, the last one made last.
  private(set) var stack: [Part] = []
  /// The parts that `A` may repeat.
  private(set) var substitutions: [Substitution] = []
  /// The texts of identifiers, as ranges in `bytes`.
  var texts: [Range<Int>] = []
  /// How many of `texts` were searched for words.
  var searchedTextCount = 0
  /// The parts of identifiers that later identifiers may repeat, as ranges in `bytes`.
  var words: [Range<Int>] = []
  /// Whether the name is of Swift 4.0 (`_T0`), where labels are in tuples.
  var hasLabelsInTuples = false
  /// Whether a type stands for `some P`: the runtime then mangles the declarations around it.
  var hasOpaqueResult = false
  /// How many names are around this one.
  var nesting = 0

  // What the operator being read has taken from the stack.

  /// The total where the lowest part began.
  private(set) var start = 0
  /// The depth of the deepest part.
  private var depth = 0

  /// What the operators that look before they take must know about a part.
  enum Kind: UInt8 {
    case type
    case nominalType
    case protocolType
    /// A tuple; its arity is the number of its elements.
    case tupleType
    /// A function whose labels are written before it; its arity is their number.
    case functionType
    case identifier
    case declarationName
    case privateName
    case module
    /// What may contain declarations, and is no type.
    case context
    case macroExpansion
    case genericSignature
    case requirement
    case emptyList
    case firstElement
    case variadic
    case sendingResult
    case isolation
    case differentiable
    case throwing
    case sendable
    case asynchronous
    case retroactiveConformance
    case conformance
    case conformanceReference
    case other

    var isType: Bool { rawValue <= Kind.functionType.rawValue }
    /// Whether it may be all of a name. The others only say how to make a part of what is before
    /// them; the runtime ends the program if it is to show some of them alone.
    var isWhole: Bool {
      switch self {
      case .type, .nominalType, .protocolType, .tupleType, .functionType: true
      case .identifier, .declarationName, .privateName, .module, .context: true
      case .macroExpansion, .other: true
      default: false
      }
    }
    var isDeclarationName: Bool {
      rawValue >= Kind.identifier.rawValue && rawValue <= Kind.privateName.rawValue
    }
  }

  struct Part {
    let kind: Kind
    fileprivate(set) var depth: UInt8 = 0
    /// The arity; of an identifier, where it is in the name.
    let value: Int32
    /// The total before the part began.
    fileprivate(set) var start: Int32 = 0

    fileprivate init(_ kind: Kind, _ value: Int = 0) {
      self.kind = kind
      self.value = Int32(truncatingIfNeeded: value)
    }

    var arity: Int { Int(value) }
    var position: Int { Int(value) }
  }

  struct Substitution {
    let part: Part
    let size: Int32
  }

  package init() {}

  /// Throws if the runtime should not demangle `name`.
  package mutating func check(_ name: String) throws(Refusal) {
    guard name.utf8.count <= Self.maximalLength else { throw .beyond(.nameLength) }
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: name.utf8)
    try checkBytes()
  }

  /// Reads the name in `bytes`.
  mutating func checkBytes() throws(Refusal) {
    position = 0
    size = 0
    stack.removeAll(keepingCapacity: true)
    substitutions.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    if !words.isEmpty { words.removeAll(keepingCapacity: true) }
    searchedTextCount = 0
    hasOpaqueResult = false
    guard takePrefix() else { throw .malformed }
    chargedEnd = position
    while position < bytes.count {
      beginPart()
      try readOperator()
    }
    guard !stack.isEmpty, stack.allSatisfy(\.kind.isWhole) else { throw .malformed }
  }

  /// Returns false if the name is not Swift's.
  private mutating func takePrefix() -> Bool {
    if takes(text: "_T0") {
      hasLabelsInTuples = true
      return true
    }
    hasLabelsInTuples = false
    if takes(text: "@__swiftmacro_") { return true }
    _ = takes("_")
    return takes(text: "$s") || takes(text: "$S") || takes(text: "$e")
  }
}

// MARK: - Parts

extension SwiftNameMeter {
  /// Starts to make a part of those that are taken from now on.
  mutating func beginPart() {
    start = size
    depth = 0
  }

  /// Adds what the runtime writes for the bytes that were read since the last call. The most for
  /// one operator is "protocol self-conformance descriptor runtime record for ".
  private mutating func charge(_ more: Int = 0) throws(Refusal) {
    try grow(by: 48 + 24 * (position - chargedEnd) + more)
    chargedEnd = position
  }

  mutating func grow(by count: Int) throws(Refusal) {
    size += count
    guard size <= Self.maximalSize else { throw .beyond(.shownLength) }
  }

  /// Puts a part on the stack that is made of those that were taken.
  mutating func push(_ kind: Kind, arity: Int = 0) throws(Refusal) {
    try charge()
    try pushCharged(Part(kind, arity))
  }

  /// Puts an identifier on the stack.
  ///
  /// - Parameters:
  ///   - first: where it begins.
  ///   - count: the number of its bytes when the words in it are written out.
  mutating func pushIdentifier(at first: Int, count: Int) throws(Refusal) {
    try grow(by: 32 + count)
    chargedEnd = position
    try pushCharged(Part(.identifier, first))
  }

  private mutating func pushCharged(_ part: Part) throws(Refusal) {
    var part = part
    guard depth < Self.maximalDepth else { throw .beyond(.nesting) }
    part.start = Int32(truncatingIfNeeded: start)
    part.depth = UInt8(truncatingIfNeeded: depth + 1)
    stack.append(part)
    beginPart()
  }

  /// Makes the part that was just put on the stack available to `A`.
  mutating func addSubstitution() {
    let part = stack[stack.count - 1]
    substitutions.append(
      Substitution(part: part, size: Int32(truncatingIfNeeded: size) &- part.start))
  }

  mutating func pushSubstituted(_ kind: Kind) throws(Refusal) {
    try push(kind)
    addSubstitution()
  }

  /// Makes a type available to `A` that is made of the parts that were taken, and that the part
  /// being made contains.
  mutating func addInnerSubstitution() throws(Refusal) {
    try charge()
    try deepen(by: 1)
    var part = Part(.type)
    part.depth = UInt8(truncatingIfNeeded: depth)
    substitutions.append(
      Substitution(part: part, size: Int32(truncatingIfNeeded: size - start)))
  }

  /// Puts copies of a substitution on the stack.
  mutating func pushCopies(_ count: Int, ofSubstitution index: Int) throws(Refusal) {
    guard index < substitutions.count else { throw .malformed }
    let substitution = substitutions[index]
    for _ in 0..<max(1, count) {
      beginPart()
      try charge(Int(substitution.size))
      depth = Int(substitution.part.depth) - 1
      try pushCharged(substitution.part)
    }
  }

  @discardableResult
  mutating func pop() throws(Refusal) -> Part {
    guard let part = stack.popLast() else { throw .malformed }
    start = min(start, Int(part.start))
    depth = max(depth, Int(part.depth))
    return part
  }

  mutating func popWhole() throws(Refusal) {
    guard try pop().kind.isWhole else { throw .malformed }
  }

  /// Takes the last part if it is of that kind.
  mutating func popIf(_ kind: Kind) -> Bool {
    guard stack.last?.kind == kind else { return false }
    return (try? pop()) != nil
  }

  mutating func popTypeIf() -> Bool {
    guard let kind = stack.last?.kind, kind.isType else { return false }
    return (try? pop()) != nil
  }

  mutating func pop(_ kind: Kind) throws(Refusal) {
    guard popIf(kind) else { throw .malformed }
  }

  @discardableResult
  mutating func popType() throws(Refusal) -> Part {
    let part = try pop()
    guard part.kind.isType else { throw .malformed }
    return part
  }

  mutating func popDeclarationName() throws(Refusal) {
    guard try pop().kind.isDeclarationName else { throw .malformed }
  }

  /// Takes a type that is declared.
  mutating func popNominalType() throws(Refusal) {
    let kind = try pop().kind
    guard kind == .nominalType || kind == .protocolType else { throw .malformed }
  }

  mutating func popContext() throws(Refusal) {
    switch try pop().kind {
    case .nominalType, .protocolType, .identifier, .module, .context, .macroExpansion: break
    default: throw .malformed
    }
  }

  /// Takes a declaration or a type.
  mutating func popEntity() throws(Refusal) {
    let kind = try pop().kind
    guard kind.isType || kind == .context || kind == .module else { throw .malformed }
  }

  mutating func popModule() throws(Refusal) {
    let kind = try pop().kind
    guard kind == .identifier || kind == .module else { throw .malformed }
  }

  /// Takes elements up to the one after the marker of the first, or nothing but the mark of an
  /// empty list. Returns their number.
  @discardableResult
  mutating func popList(
    mayBeEmpty: Bool = true, _ popElement: (inout SwiftNameMeter) throws(Refusal) -> Void
  ) throws(Refusal) -> Int {
    if mayBeEmpty, popIf(.emptyList) { return 0 }
    var count = 0
    var isFirst = false
    while !isFirst {
      isFirst = popIf(.firstElement)
      try popElement(&self)
      count += 1
    }
    return count
  }

  /// The part being made has that many parts in each other beside those that were taken.
  mutating func deepen(by count: Int) throws(Refusal) {
    depth += count
    guard depth <= Self.maximalDepth else { throw .beyond(.nesting) }
  }

  mutating func popTypeList() throws(Refusal) {
    try popList { meter throws(Refusal) in try meter.popType() }
  }
}

// MARK: - Bytes

extension SwiftNameMeter {
  /// The next byte; 0 at the end.
  var next: Unicode.Scalar {
    position < bytes.count ? Unicode.Scalar(bytes[position]) : "\0"
  }

  mutating func take() throws(Refusal) -> Unicode.Scalar {
    guard position < bytes.count else { throw .malformed }
    defer { position += 1 }
    return Unicode.Scalar(bytes[position])
  }

  mutating func takes(_ byte: Unicode.Scalar) -> Bool {
    guard position < bytes.count, next == byte else { return false }
    position += 1
    return true
  }

  mutating func takes(text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard bytes.count - position >= count else { return false }
    for index in 0..<count where unsafe bytes[position + index] != text.utf8Start[index] {
      return false
    }
    position += count
    return true
  }

  mutating func expect(_ byte: Unicode.Scalar) throws(Refusal) {
    guard takes(byte) else { throw .malformed }
  }

  var isAtDigit: Bool { ("0"..."9").contains(next) }

  /// Takes a number; nil if there is none. The runtime computes with 32 bits.
  mutating func takeNatural() throws(Refusal) -> Int? {
    guard isAtDigit else { return nil }
    var number = 0
    while isAtDigit {
      number = number * 10 + Int(bytes[position] - UInt8(ascii: "0"))
      guard number < 1 << 31 else { throw .malformed }
      position += 1
    }
    return number
  }

  /// Takes an index: `_` is 0, `0_` is 1.
  @discardableResult
  mutating func takeIndex() throws(Refusal) -> Int {
    if takes("_") { return 0 }
    guard let number = try takeNatural() else { throw .malformed }
    try expect("_")
    return number + 1
  }
}
