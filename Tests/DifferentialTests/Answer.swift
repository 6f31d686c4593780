/// What a voice says of an address: innermost function first, empty where it knows nothing.
struct Answer: Hashable {
  var frames: [Frame] = []

  /// One function of an answer.
  struct Frame: Hashable {
    /// As the symbol file spells it; empty where the voice has a line and no name.
    var function: String
    /// As the debug information composes it; empty where it names none.
    var file: String
    var line: UInt32
    /// Nil where the voice tells of no columns.
    var column: UInt32?
    /// Where the function, or inlined body, begins; nil where the voice does not say.
    var start: UInt64?
  }
}

extension Answer: CustomStringConvertible {
  var description: String { frames.map(\.description).joined(separator: " < ") }
}

extension Answer.Frame: CustomStringConvertible {
  var description: String {
    "\(function) \(file):\(line)" + (column.map { ":\($0)" } ?? "")
      + (start.map { " from 0x" + String($0, radix: 16) } ?? "")
  }
}
