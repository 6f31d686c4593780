import JsonReading
import SymbolicationModel

/// One physical line of the input.
package struct TextLine: Hashable {
  package let start: Int
  /// The end of the text, before the line end.
  package let end: Int
  /// The start of the next line; the end of the input for the last line.
  package let next: Int

  package init(start: Int, end: Int, next: Int) {
    self.start = start
    self.end = end
    self.next = next
  }

  /// False only for a last line without a line end.
  package var isTerminated: Bool { next > end }
}

extension TextSource {
  /// The line that starts at `start`. Its line end is LF together with any CRs before it.
  package func line(at start: Int) -> TextLine {
    let count = bytes.count
    var position = bytes.span.firstOffset(of: Ascii.lineFeed, from: start)
    let next = position < count ? position + 1 : count
    if position < count || position > start {
      while position > start, bytes[position - 1] == Ascii.carriageReturn { position -= 1 }
    }
    return TextLine(start: start, end: position, next: next)
  }

  /// The offset of the first line: after a UTF-8 byte order mark, if there is one.
  package var textStart: Int {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
  }

  package func isBlank(_ line: TextLine) -> Bool {
    skipSeparators(from: line.start, limit: line.end) == line.end
  }
}

/// Finds lines, and looks for the end of each line once. A line of JSON may hold any number of
/// reports, and each reader asks for the rest of the line behind each of them.
package struct LineMemory {
  private let source: TextSource
  private var last = TextLine(start: 0, end: 0, next: 0)

  package init(_ source: TextSource) { self.source = source }

  /// The rest of a line from `start` on, as ``TextSource/line(at:)`` has it.
  package mutating func line(at start: Int) -> TextLine {
    if start >= last.start, start < last.next {
      return TextLine(start: start, end: max(start, last.end), next: last.next)
    }
    last = source.line(at: start)
    return last
  }
}
