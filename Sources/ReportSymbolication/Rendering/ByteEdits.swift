/// Replacements of byte ranges of an input. What no replacement covers stays as it is.
struct ByteEdits {
  private var edits: [(range: Range<Int>, replacement: [UInt8])] = []

  /// Replaces the bytes of `range`; those of an empty range are inserted. Ranges of several edits do
  /// not overlap. Edits at one place are made in the order in which they are given.
  mutating func replace(_ range: Range<Int>, with replacement: some Sequence<UInt8>) {
    edits.append((range, Array(replacement)))
  }

  mutating func replace(_ range: Range<Int>, with replacement: String) {
    replace(range, with: replacement.utf8)
  }

  mutating func insert(_ bytes: some Sequence<UInt8>, at place: Int) {
    replace(place..<place, with: bytes)
  }

  mutating func remove(_ range: Range<Int>) { replace(range, with: []) }

  /// The input with every replacement made. Cost: one copy of the input, and sorting the edits.
  func applied(to input: [UInt8]) -> [UInt8] {
    guard !edits.isEmpty else { return input }
    var output: [UInt8] = []
    output.reserveCapacity(input.count + edits.reduce(0) { $0 + $1.replacement.count })
    var position = 0
    let order = edits.indices.sorted {
      (edits[$0].range.lowerBound, $0) < (edits[$1].range.lowerBound, $1)
    }
    for edit in order.map({ edits[$0] }) {
      // An edit outside the input, or inside the one before, would move bytes that are not its own.
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
