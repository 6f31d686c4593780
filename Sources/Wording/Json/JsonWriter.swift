import SymbolicationModel

/// Writes a JSON value. Members appear in the order of the calls.
package struct JsonWriter {
  package private(set) var bytes: [UInt8] = []
  package let layout: Layout
  /// The number of open objects and arrays.
  private(set) var depth = 0
  /// Whether the innermost open object or array is not empty.
  private var isFilled = false
  private let take: ((inout [UInt8]) -> Void)?

  package enum Layout {
    /// One line for each member and element, indented by two spaces per level.
    case indented
    /// No white space.
    case oneLine
  }

  /// - Parameter take: takes away what has been written, from time to time and at the end of each
  ///   value outside all others; nil to keep everything in `bytes`.
  package init(_ layout: Layout, take: ((inout [UInt8]) -> Void)? = nil) {
    self.layout = layout
    self.take = take
  }

  /// What was written and not taken.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The document of a command.
  package static func document(
    _ schema: String, version: Int = 1, _ members: (inout JsonWriter) -> Void
  ) -> String {
    var writer = JsonWriter(.indented)
    writer.object { writer in
      writer.member("schema", schema)
      writer.member("version", version)
      members(&writer)
    }
    return writer.text + "\n"
  }

  // MARK: Objects and arrays

  package mutating func object(_ members: (inout JsonWriter) -> Void) {
    beginObject()
    members(&self)
    endObject()
  }

  /// - Parameter elements: calls `element` before each.
  package mutating func array(_ elements: (inout JsonWriter) -> Void) {
    begin(UInt8(ascii: "["))
    elements(&self)
    end(UInt8(ascii: "]"))
  }

  package mutating func beginObject() { begin(UInt8(ascii: "{")) }

  package mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Announces an element of the open array.
  package mutating func element() {
    if bytes.count >= Self.pieceSize { take?(&bytes) }
    separate()
  }

  /// Large enough that a system call for each costs nothing.
  private static let pieceSize = 1 << 18

  private mutating func begin(_ open: UInt8) {
    bytes.append(open)
    depth += 1
    isFilled = false
  }

  private mutating func end(_ close: UInt8) {
    depth -= 1
    if isFilled { startLine() }
    // The object or array just closed is an element of the one that is open now.
    isFilled = true
    bytes.append(close)
  }

  private mutating func separate() {
    if isFilled { bytes.append(UInt8(ascii: ",")) }
    isFilled = true
    startLine()
  }

  private mutating func startLine() {
    guard layout == .indented else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
  }

  /// Ends a value outside all others, and the line.
  package mutating func finish() {
    bytes.append(UInt8(ascii: "\n"))
    isFilled = false
    take?(&bytes)
  }

  // MARK: Keys

  /// A key of the objects at one depth with all that precedes its value, or whole members, to be
  /// written many times.
  package struct Key: Sendable {
    fileprivate let bytes: [UInt8]

    fileprivate init(bytes: [UInt8]) { self.bytes = bytes }

    /// Members that follow each other.
    package init(joining members: [Key]) { bytes = members.flatMap(\.bytes) }

    /// The member with the value null.
    package var withNull: Key { Key(bytes: bytes + "null".utf8) }
  }

  /// Spells a key of the objects at a depth that is `levels` below the one that is open now.
  ///
  /// - Parameter isFirst: whether it is the first member.
  package func preparedKey(_ key: StaticString, levels: Int, isFirst: Bool = false) -> Key {
    var writer = JsonWriter(layout)
    writer.depth = depth + levels
    writer.isFilled = !isFirst
    writer.key(key)
    return Key(bytes: writer.bytes)
  }

  /// Keys whose bytes are kept together: writing one retains nothing.
  package struct Keys: Sendable {
    /// With 16 bytes more, so that the last one can be copied like the others.
    fileprivate let bytes: [UInt8]
    /// Where each key begins, and where the last one ends.
    fileprivate let bounds: [Int]

    package init(_ keys: [Key]) {
      bytes = keys.flatMap(\.bytes) + repeatElement(0, count: 16)
      bounds = keys.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.bytes.count) }
    }
  }

  /// Writes one of the keys, by its index.
  package mutating func key(_ index: Int, of keys: borrowing Keys) {
    let range = keys.bounds[index]..<keys.bounds[index + 1]
    // Within the closure, the array would be retained.
    let prepared = keys.bytes.span
    bytes.append(addingCapacity: range.count + 16) { $0.append(blocksOf: prepared, range) }
    isFilled = true
  }

  /// Writes a key. Keys are literals without anything to escape, so they are copied as they are.
  package mutating func key(_ key: StaticString) {
    let isIndented = layout == .indented
    if isIndented { separate() }
    let followsAnother = !isIndented && isFilled
    isFilled = true
    key.withUTF8Buffer { name in
      let name = unsafe name.span
      bytes.append(addingCapacity: name.count + 5) { output in
        if followsAnother { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "\""))
        output.append(copying: name)
        output.append(UInt8(ascii: "\""))
        output.append(UInt8(ascii: ":"))
        if isIndented { output.append(UInt8(ascii: " ")) }
      }
    }
  }

  /// Writes a key that is not a literal.
  package mutating func key(text key: String) {
    separate()
    value(key)
    bytes.append(UInt8(ascii: ":"))
    if layout == .indented { bytes.append(UInt8(ascii: " ")) }
  }

  // MARK: Values

  package mutating func value(_ text: String?) {
    guard let text else { return null() }
    JsonText.append(text, to: &bytes, escapesSlashes: false)
  }

  /// Writes `null` for an integer of more than 53 bits, because many readers would round it.
  package mutating func value(_ number: (some BinaryInteger)?) {
    guard let number, number.magnitude < 1 << 53 else { return null() }
    bytes.append(decimal: Int(truncatingIfNeeded: number))
  }

  /// Writes a share of a whole: 3,750 as 0.3750.
  package mutating func value(tenThousandths number: Int) {
    bytes.append(decimal: number / 10_000)
    bytes.append(UInt8(ascii: "."))
    let digits = String(number.magnitude % 10_000)
    bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
    bytes.append(contentsOf: digits.utf8)
  }

  package mutating func value(_ truth: Bool?) {
    guard let truth else { return null() }
    append(truth ? .true : .false)
  }

  /// Writes a number of up to 64 bits as a string such as `0x10024f19c`.
  package mutating func value(hexadecimal number: UInt64?) {
    guard let number else { return null() }
    bytes.append(addingCapacity: 20) { output in
      output.append(UInt8(ascii: "\""))
      output.append(UInt8(ascii: "0"))
      output.append(UInt8(ascii: "x"))
      number.appendHexadecimal(to: &output)
      output.append(UInt8(ascii: "\""))
    }
  }

  /// Writes a value that is JSON already.
  package mutating func value(json text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

  /// Writes a text, with U+FFFD for what is not UTF-8.
  package mutating func value(utf8 text: [UInt8]) {
    JsonText.append(utf8: text, to: &bytes)
  }

  package mutating func null() { append(.null) }

  /// A word of JSON by its bytes, the first one lowest.
  private enum Word: UInt64 {
    case null = 0x6c6c_756e
    case `true` = 0x6575_7274
    case `false` = 0x65_736c_6166
  }

  private mutating func append(_ word: Word) {
    bytes.append(addingCapacity: 8) { word.rawValue.appendBytes(word == .false ? 5 : 4, to: &$0) }
  }
}

// MARK: - Members

extension JsonWriter {
  package mutating func member(_ key: StaticString, _ value: String?) {
    self.key(key)
    self.value(value)
  }

  /// Writes `null` for an integer of more than 53 bits.
  package mutating func member(_ key: StaticString, _ value: (some BinaryInteger)?) {
    self.key(key)
    self.value(value)
  }

  package mutating func member(_ key: StaticString, _ value: Bool?) {
    self.key(key)
    self.value(value)
  }

  /// Writes a number of up to 64 bits as a string such as `0x10024f19c`.
  package mutating func member(_ key: StaticString, hexadecimal value: UInt64?) {
    self.key(key)
    self.value(hexadecimal: value)
  }

  package mutating func member(object key: StaticString, _ members: (inout JsonWriter) -> Void) {
    self.key(key)
    object(members)
  }

  /// Writes an object, or `null` if there is none.
  package mutating func member(
    optionalObject key: StaticString, _ members: ((inout JsonWriter) -> Void)?
  ) {
    self.key(key)
    if let members { object(members) } else { null() }
  }

  package mutating func member<Element>(
    array key: StaticString, _ elements: some Sequence<Element>,
    _ write: (inout JsonWriter, Element) -> Void
  ) {
    self.key(key)
    array { writer in
      for element in elements {
        writer.element()
        write(&writer, element)
      }
    }
  }

  package mutating func member<Element>(
    objects key: StaticString, _ elements: some Sequence<Element>,
    _ writeMembers: (inout JsonWriter, Element) -> Void
  ) {
    member(array: key, elements) { writer, element in
      writer.object { writeMembers(&$0, element) }
    }
  }

  package mutating func member(strings key: StaticString, _ texts: [String]) {
    member(array: key, texts) { $0.value($1) }
  }
}

/// Calls `make` with a closure that takes pieces of an output away, and gives each to `write`.
///
/// - Throws: what `write` throws; it is then not called again. The rest is made in vain.
package func writePieces<Failure: Error>(
  to write: ([UInt8]) throws(Failure) -> Void,
  from make: (@escaping (inout [UInt8]) -> Void) -> Void
) throws(Failure) {
  var failure: Failure?
  withoutActuallyEscaping(write) { write in
    make { piece in
      defer { piece.removeAll(keepingCapacity: true) }
      guard failure == nil else { return }
      do throws(Failure) {
        try write(piece)
      } catch {
        failure = error
      }
    }
  }
  if let failure { throw failure }
}
