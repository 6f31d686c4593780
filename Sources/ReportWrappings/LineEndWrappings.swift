import JsonReading
package import ReportModel
import RuntimeReports
import SymbolicationModel

/// Text whose lines end with CR alone, as classic Mac OS wrote it and some forms on web pages do.
struct CarriageReturnWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    guard bytes.prefix(Self.headLength).contains(Ascii.carriageReturn),
      !bytes.contains(Ascii.lineFeed)
    else { return nil }
    var text = UnwrappedText(of: bytes) { Array($0) }
    text.put(
      bytes.map { $0 == Ascii.carriageReturn ? Ascii.lineFeed : $0 }, for: bytes.indices)
    return text
  }

  private static let headLength = 16 << 10
}

/// Lines of a terminal in which blanks up to its width stand for line ends.
struct PaddedLinesWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard Self.isPadded(source, source.textStart..<source.count) else { return nil }
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count)
    var copied = 0
    while let found = source.find(Self.run, from: copied, limit: source.count) {
      var end = found
      while source[end] == Ascii.space { end += 1 }
      text.copy(copied..<found)
      text.put(Ascii.lineFeed, for: found..<end)
      copied = end
    }
    text.copy(copied..<source.count)
    return text
  }

  /// Whether a run of blanks is longer than those between columns. Each such run has a byte that is
  /// looked at.
  static func isPadded(_ source: TextSource, _ range: Range<Int>) -> Bool {
    for middle in stride(from: range.lowerBound, to: range.upperBound, by: width)
    where source[middle] == Ascii.space {
      var (start, end) = (middle, middle + 1)
      while start > range.lowerBound, source[start - 1] == Ascii.space { start -= 1 }
      while end < range.upperBound, source[end] == Ascii.space { end += 1 }
      if end - start >= width { return true }
    }
    return false
  }

  private static let width = 72
  private static let run = String(repeating: " ", count: 32)
}

/// Lines that end with a backslash: a line break within a paragraph of Markdown, and a paragraph of
/// RTF whose source somebody copied.
///
/// Source: spec.commonmark.org, "Hard line breaks"; Rich Text Format Specification 1.9.1, where a
/// backslash before a line end is `\par`.
struct HardBreakWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard Self.isIn(source, source.textStart..<source.count) else { return nil }
    var text = UnwrappedText(of: source.bytes, dress: .repeated)
    text.reserve(source.count)
    var copied = 0
    Self.forEachBreak(source, source.textStart..<source.count) { position in
      text.copy(copied..<position)
      copied = position + 1
      return true
    }
    text.copy(copied..<source.count)
    return text
  }

  /// Whether several lines end so.
  static func isIn(_ source: TextSource, _ range: Range<Int>) -> Bool {
    var count = 0
    forEachBreak(source, range) { _ in
      count += 1
      return count < 3
    }
    return count > 2
  }

  /// Calls a function with the place of each such backslash while it returns true.
  private static func forEachBreak(
    _ source: TextSource, _ range: Range<Int>, _ body: (Int) -> Bool
  ) {
    let bytes = source.bytes.span.extracting(0..<range.upperBound)
    var position = bytes.firstOffset(of: Ascii.backslash, from: range.lowerBound)
    while position < bytes.count {
      let next = source[position + 1]
      let isLast =
        next == Ascii.lineFeed || next == Ascii.carriageReturn || position + 1 == source.count
      if isLast, position > 0, source[position - 1] != Ascii.backslash, !body(position) {
        return
      }
      position = bytes.firstOffset(of: Ascii.backslash, from: position + 1)
    }
  }
}

/// A report with an empty line after every line, as forms and chats leave it.
struct DoubledLineEndWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard Self.isDoubled(source, from: source.textStart) else { return nil }
    var text = UnwrappedText(of: source.bytes, dress: .repeated)
    var next = source.textStart
    // Every second empty line of a row is one that was there before.
    var isAdded = false
    while next < source.count {
      let line = source.line(at: next)
      if !source.isBlank(line) {
        isAdded = true
        text.copy(line.start..<line.next)
      } else {
        if !isAdded { text.copy(line.start..<line.next) }
        isAdded.toggle()
      }
      next = line.next
    }
    return text
  }

  /// Whether nearly every line from `start` on that has text is followed by one without. The first
  /// lines show it: a report has no more than three paragraphs of one line there.
  static func isDoubled(_ source: TextSource, from start: Int) -> Bool {
    var next = start
    var (filled, followed) = (0, 0)
    while next < source.count, filled < 24 {
      let line = source.line(at: next)
      next = line.next
      guard !source.isBlank(line) else { continue }
      guard next < source.count else { break }
      filled += 1
      if source.isBlank(source.line(at: next)) { followed += 1 }
      // Of 24 lines, 22 would have to be followed by a blank one.
      if filled - followed > 2 { return false }
    }
    return filled >= 6 && followed * 10 >= filled * 9
  }
}

/// Traces whose long frames were broken at a column, as mail programs, terminals and forms do:
/// those of lldb, Rust and Go.
///
/// Source: llvm-project, lldb/source/Core/CoreProperties.td (`frame-format`); github.com/rust-lang/
/// rust, library/std/src/backtrace.rs; github.com/golang/go, src/runtime/traceback.go.
package struct BrokenFrameWrapping: WrappingReader {
  package func unwrap(_ source: TextSource) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes)
    var (next, copied) = (source.textStart, source.textStart)
    while next < source.count {
      var line = source.line(at: next)
      next = line.next
      guard let end = source.endOfBrokenFrame(line) else { continue }
      while line.start < end.start {
        text.copy(copied..<line.end)
        text.put(Ascii.space, for: line.end..<line.next)
        copied = line.next
        line = source.line(at: line.next)
      }
      next = end.next
    }
    guard copied > source.textStart else { return nil }
    text.copy(copied..<source.count)
    return text
  }

  /// Whether such a frame is in a part of a text.
  static func isIn(_ source: TextSource, _ range: Range<Int>) -> Bool {
    var next = range.lowerBound
    while next < range.upperBound {
      let line = source.line(at: next)
      if source.endOfBrokenFrame(line) != nil { return true }
      next = line.next
    }
    return false
  }
}
