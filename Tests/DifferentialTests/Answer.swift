/// The answer of a voice for an address: innermost function first, empty if it knows nothing.
struct Answer: Hashable {
  var frames: [Frame] = []

  /// One function of an answer.
  struct Frame: Hashable {
    /// The name in the symbol file's spelling; empty if the voice has a line, but no name.
    var function: String
    /// The path that the debug information gives; empty if it gives none.
    var file: String
    var line: UInt32
    /// Nil if the voice does not give columns.
    var column: UInt32?
    /// The start of the function or inlined body; nil if the voice does not give it.
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
