import SymbolicationModel

/// Writes a JSON value. Members appear in the order of the calls.
struct JsonWriter {
  private(set) var text = ""
  private let layout: Layout
  /// The number of open objects and arrays.
  private var depth = 0
  /// Whether the innermost open object or array is not empty.
  private var isFilled = false

  enum Layout {
    /// One line for each member and element, indented by two spaces per level.
    case indented
    /// No white space.
    case oneLine
  }

  init(_ layout: Layout) { self.layout = layout }

  // MARK: Values

  mutating func string(_ text: String) {
    self.text += JsonText.quoted(text, escapesSlashes: false)
  }

  mutating func object(_ members: (inout JsonWriter) -> Void) { nested("{", "}", members) }

  mutating func array<Element>(
    _ elements: some Sequence<Element>, _ write: (inout JsonWriter, Element) -> Void
  ) {
    nested("[", "]") { writer in
      for element in elements {
        writer.separate()
        write(&writer, element)
      }
    }
  }

  private mutating func nested(
    _ open: String, _ close: String, _ content: (inout JsonWriter) -> Void
  ) {
    text += open
    depth += 1
    isFilled = false
    content(&self)
    depth -= 1
    if isFilled { startLine() }
    // The object or array just closed is an element of the one that is open now.
    isFilled = true
    text += close
  }

  private mutating func separate() {
    if isFilled { text += "," }
    isFilled = true
    startLine()
  }

  private mutating func startLine() {
    guard layout == .indented else { return }
    text += "\n"
    for _ in 0..<depth { text += "  " }
  }

  // MARK: Members

  private mutating func key(_ key: String) {
    separate()
    string(key)
    text += layout == .indented ? ": " : ":"
  }

  mutating func member(_ key: String, _ value: String?) {
    self.key(key)
    if let value { string(value) } else { text += "null" }
  }

  /// Writes `null` for an integer of more than 53 bits, because many readers would round it.
  mutating func member(_ key: String, _ value: (some BinaryInteger)?) {
    self.key(key)
    if let value, value.magnitude < 1 << 53 { text += String(value) } else { text += "null" }
  }

  mutating func member(_ key: String, _ value: Bool?) {
    self.key(key)
    text += value.map { $0 ? "true" : "false" } ?? "null"
  }

  /// Writes a number of up to 64 bits as a string such as `0x10024f19c`.
  mutating func member(_ key: String, hexadecimal value: UInt64?) {
    member(key, value.map { $0.hexadecimal })
  }

  mutating func member(object key: String, _ members: (inout JsonWriter) -> Void) {
    self.key(key)
    object(members)
  }

  /// Writes an object, or `null` if there is none.
  mutating func member(
    optionalObject key: String, _ members: ((inout JsonWriter) -> Void)?
  ) {
    self.key(key)
    if let members { object(members) } else { text += "null" }
  }

  mutating func member<Element>(
    array key: String, _ elements: some Sequence<Element>,
    _ write: (inout JsonWriter, Element) -> Void
  ) {
    self.key(key)
    array(elements, write)
  }

  mutating func member(strings key: String, _ texts: [String]) {
    member(array: key, texts) { $0.string($1) }
  }
}
