/// Replacements of byte ranges of an input. All other bytes stay as they are.
struct ByteEdits {
  private var edits: [(range: Range<Int>, replacement: [UInt8])] = []

  /// Replaces the bytes of `range`; an empty range inserts. The ranges of several edits must not
  /// overlap. Edits at the same offset are made in the order in which they are added.
  mutating func replace(_ range: Range<Int>, with replacement: some Sequence<UInt8>) {
    edits.append((range, Array(replacement)))
  }

  mutating func replace(_ range: Range<Int>, with replacement: String) {
    replace(range, with: replacement.utf8)
  }

  mutating func insert(_ bytes: some Sequence<UInt8>, at offset: Int) {
    replace(offset..<offset, with: bytes)
  }

  mutating func remove(_ range: Range<Int>) { replace(range, with: []) }

  /// The input with all replacements made.
  ///
  /// - Complexity: one copy of the input, and a sort of the edits.
  func applied(to input: [UInt8]) -> [UInt8] {
    guard !edits.isEmpty else { return input }
    var output: [UInt8] = []
    output.reserveCapacity(input.count + edits.reduce(0) { $0 + $1.replacement.count })
    var position = 0
    let order = edits.indices.sorted {
      (edits[$0].range.lowerBound, $0) < (edits[$1].range.lowerBound, $1)
    }
    for edit in order.map({ edits[$0] }) {
      // An edit outside the input, or one that overlaps the edit before it, would change unrelated
      // bytes.
      guard edit.range.lowerBound >= position, edit.range.upperBound <= input.count else {
        continue
      }
      output += input[position..<edit.range.lowerBound]
      output += edit.replacement
      position = edit.range.upperBound
    }
    return output + input[position...]
  }
}
