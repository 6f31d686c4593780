/// A line as it would be without what terminals and logs add to it: the control sequences of
/// colours (`ESC [ … m`), and what a collector of logs puts before each line.
struct PlainLine {
  /// Where the bytes of the line are, from `start` to `end`: the input itself, or a copy without
  /// control sequences.
  let text: TextSource
  let start: Int
  let end: Int
  /// For each byte of a copy its offset in the input.
  private let offsets: [Int]?
  /// The line in the input, without its line end and without what stands before it.
  let byteRange: Range<Int>

  /// - Parameter prefixWidth: how many bytes of the line stand before it.
  init(_ source: TextSource, _ line: TextLine, prefixWidth: Int) {
    let lineStart = min(line.start + prefixWidth, line.end)
    byteRange = lineStart..<line.end
    guard source.bytes[byteRange].contains(Ascii.escape) else {
      text = source
      start = lineStart
      end = source.trimEnd(from: lineStart, to: line.end)
      offsets = nil
      return
    }
    var bytes: [UInt8] = []
    var offsets: [Int] = []
    var place = lineStart
    while place < line.end {
      if source[place] == Ascii.escape {
        place = source.controlSequenceEnd(at: place, limit: line.end)
      } else {
        bytes.append(source[place])
        offsets.append(place)
        place += 1
      }
    }
    text = TextSource(bytes: bytes)
    start = 0
    end = text.trimEnd(from: 0, to: bytes.count)
    self.offsets = offsets
  }

  /// Where a range of `text` is in the input, without control sequences at its ends. An empty one
  /// is behind the byte before it.
  func inputRange(_ start: Int, _ end: Int) -> Range<Int> {
    guard let offsets else { return start..<max(start, end) }
    guard start < end, start < offsets.count, end <= offsets.count else {
      let place =
        start > 0 && start <= offsets.count ? offsets[start - 1] + 1 : byteRange.lowerBound
      return place..<place
    }
    return offsets[start]..<(offsets[end - 1] + 1)
  }
}

extension Ascii {
  static let escape: UInt8 = 0x1b
}

extension TextSource {
  /// The offset behind the control sequence (ECMA-48: `ESC [`, parameters, a final byte from `@` to
  /// `~`) that begins at `offset`; behind the ESC alone where something else follows.
  func controlSequenceEnd(at offset: Int, limit: Int) -> Int {
    guard offset + 1 < limit, self[offset + 1] == Ascii.openBracket else { return offset + 1 }
    var place = offset + 2
    while place < limit {
      let byte = self[place]
      if byte >= 0x40, byte <= 0x7e { return place + 1 }
      guard byte >= 0x20, byte < 0x40 else { return place }
      place += 1
    }
    return place
  }
}
