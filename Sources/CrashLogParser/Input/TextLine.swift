/// One physical line of the input.
struct TextLine: Hashable {
  let start: Int
  /// Where the text of the line ends, before its line end.
  let end: Int
  /// Where the next line starts: `count` of the input after the last one.
  let next: Int

  /// False only for a last line without a line end.
  var isTerminated: Bool { next > end }
}

extension TextSource {
  /// The line that starts at `start`: it ends before LF, and before the CRs that stand before it.
  func line(at start: Int) -> TextLine {
    let count = bytes.count
    var place = start
    while place < count, bytes[place] != Ascii.lineFeed { place += 1 }
    let next = place < count ? place + 1 : count
    if place < count || place > start {
      while place > start, bytes[place - 1] == Ascii.carriageReturn { place -= 1 }
    }
    return TextLine(start: start, end: place, next: next)
  }

  /// Where the text of the input starts: after a UTF-8 byte order mark.
  var textStart: Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  func isBlank(_ line: TextLine) -> Bool {
    skipSeparators(from: line.start, limit: line.end) == line.end
  }
}
