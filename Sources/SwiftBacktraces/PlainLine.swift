import JsonReading
import ReportModel

/// A line without colour control sequences (`ESC [ … m`) and without the prefix that a log
/// collector puts before each line.
struct PlainLine {
  /// The text that contains the line, from `start` to `end`: the input itself, or a copy without
  /// control sequences.
  let text: TextSource
  let start: Int
  let end: Int
  /// The offset in the input for each byte of a copy.
  private let offsets: [Int]?
  /// The line in the input, without its prefix and its line end.
  let byteRange: Range<Int>

  /// - Parameter prefixWidth: the number of bytes that a log put before the line.
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
    var position = lineStart
    while position < line.end {
      if source[position] == Ascii.escape {
        position = source.controlSequenceEnd(at: position, limit: line.end)
      } else {
        bytes.append(source[position])
        offsets.append(position)
        position += 1
      }
    }
    text = TextSource(bytes: bytes)
    start = 0
    end = text.trimEnd(from: 0, to: bytes.count)
    self.offsets = offsets
  }

  /// The range in the input for a range of `text`, without control sequences at its ends. An empty
  /// range is put right after the byte before it.
  func inputRange(_ start: Int, _ end: Int) -> Range<Int> {
    guard let offsets else { return start..<max(start, end) }
    guard start < end, start < offsets.count, end <= offsets.count else {
      let position =
        start > 0 && start <= offsets.count ? offsets[start - 1] + 1 : byteRange.lowerBound
      return position..<position
    }
    return offsets[start]..<(offsets[end - 1] + 1)
  }
}

extension Ascii {
  package static let escape: UInt8 = 0x1b
}

extension TextSource {
  /// The offset after the control sequence that begins at `offset` (ECMA-48: `ESC [`, parameters, a
  /// final byte from `@` to `~`). If something else follows the ESC, the offset after the ESC.
  func controlSequenceEnd(at offset: Int, limit: Int) -> Int {
    guard offset + 1 < limit, self[offset + 1] == Ascii.openBracket else { return offset + 1 }
    var position = offset + 2
    while position < limit {
      let byte = self[position]
      if byte >= 0x40, byte <= 0x7e { return position + 1 }
      guard byte >= 0x20, byte < 0x40 else { return position }
      position += 1
    }
    return position
  }
}
