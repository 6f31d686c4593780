import CrashLogParser

/// Replacements of byte ranges of an input. All other bytes stay as they are.
struct ByteEdits {
  private var edits: [Edit] = []
  /// The replacements of all edits, one after the other.
  private var replacements: [UInt8] = []
  private var isAscending = true

  private struct Edit {
    let range: Range<Int>
    /// Its part of `replacements`.
    let replacement: Range<Int>
  }

  /// Replaces the bytes of `range` with what `write` appends; an empty range inserts. The ranges of
  /// several edits must not overlap. Edits at the same offset are made in the order in which they
  /// are added.
  mutating func replace(_ range: Range<Int>, writing write: (inout [UInt8]) -> Void) {
    let start = replacements.count
    write(&replacements)
    if let last = edits.last, last.range.lowerBound > range.lowerBound { isAscending = false }
    edits.append(Edit(range: range, replacement: start..<replacements.count))
  }

  mutating func replace(_ range: Range<Int>, with replacement: some Sequence<UInt8>) {
    replace(range) { $0.append(contentsOf: replacement) }
  }

  mutating func insert(at offset: Int, writing write: (inout [UInt8]) -> Void) {
    replace(offset..<offset, writing: write)
  }

  mutating func insert(_ bytes: some Sequence<UInt8>, at offset: Int) {
    replace(offset..<offset, with: bytes)
  }

  mutating func remove(_ range: Range<Int>) { replace(range) { _ in } }

  /// The input with all replacements made.
  ///
  /// - Complexity: one copy of the input, and a sort of the edits unless they ascend.
  func applied(to input: [UInt8]) -> [UInt8] {
    guard !edits.isEmpty else { return input }
    var output: [UInt8] = []
    output.reserveCapacity(input.count + replacements.count)
    var position = 0
    for edit in isAscending ? edits : ascendingEdits {
      // An edit outside the input, or one that overlaps the edit before it, would change unrelated
      // bytes.
      guard edit.range.lowerBound >= position, edit.range.upperBound <= input.count else {
        continue
      }
      output += input[position..<edit.range.lowerBound]
      output += replacements[edit.replacement]
      position = edit.range.upperBound
    }
    output += input[position...]
    return output
  }

  /// The edits, ascending.
  var list: [TextEdit] {
    (isAscending ? edits : ascendingEdits).map {
      TextEdit(range: $0.range, replacement: Array(replacements[$0.replacement]))
    }
  }

  private var ascendingEdits: [Edit] {
    edits.indices.sorted {
      (edits[$0].range.lowerBound, $0) < (edits[$1].range.lowerBound, $1)
    }.map { edits[$0] }
  }
}
