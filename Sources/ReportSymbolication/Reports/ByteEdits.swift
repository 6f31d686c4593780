/// Replacements of byte ranges of an input. What no replacement covers stays as it is.
struct ByteEdits {
  private var edits: [(range: Range<Int>, replacement: String)] = []

  /// Replaces the bytes of `range`. Ranges of several edits do not overlap.
  mutating func replace(_ range: Range<Int>, with replacement: String) {
    edits.append((range, replacement))
  }

  /// The input with every replacement made. Cost: one copy of the input, and sorting the edits.
  func applied(to input: [UInt8]) -> [UInt8] {
    guard !edits.isEmpty else { return input }
    var output: [UInt8] = []
    output.reserveCapacity(input.count + edits.count * 64)
    var position = 0
    for edit in edits.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      // An edit outside the input, or inside the one before, would move bytes that are not its own.
      guard edit.range.lowerBound >= position, edit.range.upperBound <= input.count else {
        continue
      }
      output += input[position..<edit.range.lowerBound]
      output += edit.replacement.utf8
      position = edit.range.upperBound
    }
    return output + input[position...]
  }
}
