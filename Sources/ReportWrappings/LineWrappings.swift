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

/// Lines behind their numbers, as editors, pages of code and `cat -n` show them: `  12  `, `12:`,
/// `12 | `. Other lines may be above and below.
///
/// The frames of a stack have numbers, too. So some of the lines must have something that a frame
/// behind its number has not: a number of their own, or the name of a field.
package struct LineNumberWrapping: WrappingReader {
  private static let fewestLines = 8
  private static let fewestSigns = 3

  package func unwrap(_ source: TextSource) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes, dress: .repeated)
    var copied = source.textStart
    Self.forEachRun(source, source.textStart..<source.count) { run in
      if text.text.isEmpty { text.reserve(source.count) }
      var next = run.start
      while next < run.end {
        let line = source.line(at: next)
        next = line.next
        guard let numbered = NumberedLine(source, line) else { continue }
        text.copy(copied..<line.start)
        copied = run.content(of: numbered)
      }
      return true
    }
    guard copied > source.textStart else { return nil }
    text.copy(copied..<source.count)
    return text
  }

  /// Whether such lines are in a part of a text.
  static func isIn(_ source: TextSource, _ range: Range<Int>) -> Bool {
    var isFound = false
    forEachRun(source, range) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Lines whose numbers follow each other. They are not kept: an input may have millions.
  private struct Run {
    let start: Int
    var last: NumberedLine
    var end: Int
    /// How many numbers there are.
    var numberCount = 0
    /// How many lines begin with a number of their own, or the name of a field.
    var signCount = 0
    /// The least width of what is between a number and the text of its line.
    var gap = Int.max

    var isOfText: Bool { numberCount >= fewestLines && signCount >= fewestSigns }

    init(_ first: NumberedLine, _ line: TextLine) {
      (start, last, end) = (line.start, first, line.next)
    }

    mutating func add(_ numbered: NumberedLine, _ line: TextLine, _ source: TextSource) {
      if numberCount == 0 || numbered.number != last.number { numberCount += 1 }
      (last, end) = (numbered, line.next)
      guard numbered.textStart < numbered.end else { return }
      gap = min(gap, numbered.textStart - numbered.numberEnd)
      if signCount < fewestSigns, numbered.hasSign(source) { signCount += 1 }
    }

    func content(of line: NumberedLine) -> Int {
      min(line.numberEnd + (gap == .max ? 0 : gap), line.textStart)
    }
  }

  private struct NumberedLine {
    let number: Int
    let start: Int
    /// Behind the number and the sign that follows it.
    let numberEnd: Int
    let textStart: Int
    let end: Int

    /// Nil if the line has no number.
    init?(_ source: TextSource, _ line: TextLine) {
      var position = source.skipSeparators(from: line.start, limit: min(line.end, line.start + 12))
      guard let number = source.number(at: position, limit: min(line.end, position + 7)),
        let value = Int(exactly: number.value)
      else { return nil }
      position = number.end
      let gapEnd = source.skipSeparators(from: position, limit: line.end)
      if let sign = ["|", ":", ".", ")", "│"].first(where: {
        source.has($0, at: gapEnd, limit: line.end)
      }) {
        position = gapEnd + sign.utf8.count
      }
      let textStart = source.skipSeparators(from: position, limit: line.end)
      guard textStart > number.end || textStart == line.end else { return nil }
      (self.number, start, numberEnd) = (value, line.start, position)
      (self.textStart, end) = (textStart, line.end)
    }

    /// An inlined call that was put between two lines has the number of one of them.
    func follows(_ other: Self) -> Bool {
      number == other.number + 1 || number == other.number
    }

    /// Whether a number or the name of a field is behind the line's own number.
    func hasSign(_ source: TextSource) -> Bool {
      var position = textStart
      if Ascii.isDigit(source[position]) {
        while position < end, Ascii.isDigit(source[position]) { position += 1 }
        return position - textStart < 5
          && (source.separatorLength(at: position, limit: end) > 0
            || source[position] == Ascii.colon)
      }
      guard Ascii.isUppercase(source[position]) || Ascii.isLowercase(source[position]) else {
        return false
      }
      let limit = min(end, textStart + 40)
      while position < limit,
        Ascii.isWord(source[position]) || source[position] == Ascii.slash
          || source[position] == Ascii.space
      {
        position += 1
      }
      return source[position] == Ascii.colon
        && (position + 1 == end || source.separatorLength(at: position + 1, limit: end) > 0)
    }
  }

  /// - Parameter body: returns whether it wants more.
  private static func forEachRun(
    _ source: TextSource, _ range: Range<Int>, _ body: (Run) -> Bool
  ) {
    var run: Run?
    var next = range.lowerBound
    while next < range.upperBound {
      let line = source.line(at: next)
      next = line.next
      // Some editors number no blank lines.
      if source.isBlank(line), run != nil { continue }
      let numbered = NumberedLine(source, line)
      if let ended = run, numbered?.follows(ended.last) != true {
        if ended.isOfText, !body(ended) { return }
        run = nil
      }
      guard let numbered, numbered.number > 0 else { continue }
      if run == nil { run = Run(numbered, line) }
      run?.add(numbered, line, source)
    }
    if let run, run.isOfText { _ = body(run) }
  }
}
