/// Where each byte of a text stands in the bytes that it was taken out of.
///
/// The text is a row of pieces. A piece is copied (each of its bytes is one byte outside, or two in
/// UTF-16), or it stands for some bytes outside as a whole: `<` for `&lt;`. Outside, there may be
/// bytes between two pieces that are nothing in the text, such as `> ` at the start of a line.
package struct TextMap: Sendable {
  /// Of each piece, ascending; its end is the start of the next one.
  private var starts: [UInt32] = []
  private var outerStarts: [UInt32] = []
  private var outerEnds: [UInt32] = []
  package private(set) var count = 0
  /// How many bytes outside a copied byte has: 2 in UTF-16.
  private let width: Int

  init(width: Int = 1) { self.width = width }

  // MARK: Making

  /// Adds a piece of `length` bytes. A copied piece that continues the last one becomes part of it.
  package mutating func append(_ length: Int, for outer: Range<Int>) {
    guard length > 0 else { return }
    let isCopied = outer.count == length * width
    if isCopied, let last = starts.indices.last, Int(outerEnds[last]) == outer.lowerBound,
      Int(outerEnds[last]) - Int(outerStarts[last]) == (count - Int(starts[last])) * width
    {
      outerEnds[last] = UInt32(clamping: outer.upperBound)
    } else {
      starts.append(UInt32(clamping: count))
      outerStarts.append(UInt32(clamping: outer.lowerBound))
      outerEnds.append(UInt32(clamping: outer.upperBound))
    }
    count += length
  }

  // MARK: Places

  /// Where the byte at `offset` begins outside; where the text ends, for its end.
  func outerStart(of offset: Int) -> Int {
    guard offset < count, let piece = piece(of: offset) else { return outerEnd(before: count) }
    let start = Int(outerStarts[piece])
    return isCopied(piece) ? start + (offset - Int(starts[piece])) * width : start
  }

  /// Where the byte before `offset` ends outside; where the text begins, for its start.
  package func outerEnd(before offset: Int) -> Int {
    guard offset > 0, let piece = piece(of: min(offset, count) - 1) else {
      return Int(outerStarts.first ?? 0)
    }
    let start = Int(outerStarts[piece])
    return isCopied(piece)
      ? start + (min(offset, count) - Int(starts[piece])) * width : Int(outerEnds[piece])
  }

  /// The bytes outside that a range of the text stands for.
  package func outerRange(of range: Range<Int>) -> Range<Int> {
    let start = outerStart(of: range.lowerBound)
    guard !range.isEmpty else { return start..<start }
    return start..<max(start, outerEnd(before: range.upperBound))
  }

  /// Whether nothing is outside between the pieces of a range.
  func isContiguous(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty, var piece = piece(of: range.lowerBound) else { return true }
    while piece + 1 < starts.count, Int(starts[piece + 1]) < range.upperBound {
      guard outerEnds[piece] == outerStarts[piece + 1] else { return false }
      piece += 1
    }
    return true
  }

  /// The start of the piece with the byte at `offset`.
  package func pieceStart(at offset: Int) -> Int { piece(of: offset).map { Int(starts[$0]) } ?? 0 }

  private func isCopied(_ piece: Int) -> Bool {
    let end = piece + 1 < starts.count ? Int(starts[piece + 1]) : count
    return Int(outerEnds[piece]) - Int(outerStarts[piece]) == (end - Int(starts[piece])) * width
  }

  private func piece(of offset: Int) -> Int? {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = low + (high - low) / 2
      if Int(starts[middle]) <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? low - 1 : nil
  }
}
