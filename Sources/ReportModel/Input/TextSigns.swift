import SymbolicationModel

/// Finds the first of several texts, faster than bytes are read one by one.
///
/// Each text has 7 bytes or more. Of the groups of four bytes that begin at its first four bytes,
/// one is at an offset that is a multiple of four, so only such groups are looked up.
package struct TextSigns: Sendable {
  private let texts: [[UInt8]]
  private var groups: [Group] = []
  /// For each hash of four bytes the last of `groups` with it, counted from 1; 0 for none.
  private var heads = [UInt16](repeating: 0, count: 1 << Self.hashWidth)

  private struct Group {
    let bytes: UInt32
    let text: Int
    let offset: Int
    /// The next one with the same hash.
    let next: UInt16
  }

  private static let hashWidth: UInt32 = 12
  package static let shortestText = 7

  /// Shorter texts than ``shortestText`` are left out.
  package init(_ texts: some Sequence<String>) {
    self.texts = texts.lazy.filter { $0.utf8.count >= Self.shortestText }.map { Array($0.utf8) }
    for (index, text) in self.texts.enumerated() {
      for offset in 0..<4 {
        let bytes = text[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        let hash = Self.hash(bytes)
        groups.append(Group(bytes: bytes, text: index, offset: offset, next: heads[hash]))
        heads[hash] = UInt16(clamping: groups.count)
      }
    }
  }

  @inline(__always)
  private static func hash(_ bytes: UInt32) -> Int {
    Int(truncatingIfNeeded: (bytes &* 0x9E37_79B1) >> (32 - hashWidth))
  }

  /// The offset of the first text in a range, or of one that begins at most 3 bytes later; the end
  /// of the range if there is none.
  package func firstOffset(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    let heads = heads.span
    var position = start
    while end - position >= 8 {
      let word = bytes.word(at: position)
      let low = UInt32(truncatingIfNeeded: word)
      let high = UInt32(truncatingIfNeeded: word >> 32)
      if heads[Self.hash(low)] | heads[Self.hash(high)] != 0 {
        if let found = match(low, at: position, bytes, from: start, to: end)
          ?? match(high, at: position + 4, bytes, from: start, to: end)
        {
          return found
        }
      }
      position += 8
    }
    if end - position >= 4 {
      let last = (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(bytes[position + $1]) }
      if let found = match(last, at: position, bytes, from: start, to: end) { return found }
    }
    return end
  }

  /// Whether one of the texts is in a range.
  package func isAny(in range: Range<Int>, of source: TextSource) -> Bool {
    firstOffset(in: source.bytes.span, from: range.lowerBound, to: range.upperBound)
      < range.upperBound
  }

  private func match(
    _ group: UInt32, at position: Int, _ bytes: Span<UInt8>, from start: Int, to end: Int
  ) -> Int? {
    var next = heads[Self.hash(group)]
    while next > 0 {
      let candidate = groups[Int(next) - 1]
      next = candidate.next
      guard candidate.bytes == group else { continue }
      let first = position - candidate.offset
      let text = texts[candidate.text]
      guard first >= start, first + text.count <= end else { continue }
      var length = 0
      while length < text.count, bytes[first + length] == text[length] { length += 1 }
      if length == text.count { return first }
    }
    return nil
  }
}
