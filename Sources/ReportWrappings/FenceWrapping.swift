import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// A report whose first line stands on the line of what opens a block: `<pre><code>`, a fence of
/// back-ticks, `{noformat}`. What closes the block may follow its last line.
///
/// A part of a report may be in a span as well, of code (one or two back-ticks) or of emphasis, in
/// which Markdown allows line ends: `*Process: App [42]`, and `User ID: 501*` lines below. Others
/// put it into quotation marks.
///
/// Source: github.github.com/gfm, "Code spans" and "Emphasis and strong emphasis".
struct FenceWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes)
    var copied = 0
    var next = source.textStart
    // What opened the span that is not closed yet.
    var mark: Range<Int>?
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      if let end = Self.openerEnd(source, line) {
        text.copy(copied..<line.start)
        copied = end
      } else if let opened = Self.spanMark(source, line) {
        text.copy(copied..<opened.lowerBound)
        copied = opened.upperBound
        mark = opened
      }
      if let opened = mark, let end = Self.end(ofSpan: opened, source, line) {
        text.copy(copied..<end.lowerBound)
        copied = end.upperBound
        mark = nil
      } else if copied > 0, let start = Self.closerStart(source, line) {
        text.copy(copied..<start)
        copied = line.end
      }
    }
    guard copied > 0 else { return nil }
    text.copy(copied..<source.count)
    return text
  }

  private static let openers = ["```", "~~~", "{noformat", "{code", "{quote", "[code", "[quote"]
  private static let closers = [
    "```", "~~~", "{noformat}", "{code}", "{quote}", "[/code]", "[/quote]",
  ]

  /// The end of an opener, if the line goes on after it with a word that is not the language of the
  /// block.
  static func openerEnd(_ source: TextSource, _ line: TextLine) -> Int? {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    guard let opener = openers.first(where: { source.has($0, at: start, limit: line.end) })
    else { return nil }
    var end = start + opener.utf8.count
    if source[start] == Ascii.openBrace || source[start] == Ascii.openBracket {
      let close = source[start] == Ascii.openBrace ? Ascii.closeBrace : Ascii.closeBracket
      while end < line.end, source[end] != close { end += 1 }
      guard end < line.end else { return nil }
      end += 1
    }
    end = source.skipSeparators(from: end, limit: line.end)
    // What follows is the first line of the report: a field, a heading, a frame or an object.
    let rest = TextLine(start: end, end: line.end, next: line.next)
    guard end < line.end else { return nil }
    if source[end] == Ascii.openBrace || source.fieldLine(rest) != nil
      || source.threadLine(rest) != nil || source.sectionHeading(rest) != nil
    {
      return end
    }
    return source.isFrame(rest) ? end : nil
  }

  /// The mark that opens a span in front of the first line of a part of a report; nil if there is
  /// none, or only the key of a field is in the span.
  static func spanMark(_ source: TextSource, _ line: TextLine) -> Range<Int>? {
    guard let range = mark(source, line) else { return nil }
    let rest = TextLine(start: range.upperBound, end: line.end, next: line.next)
    let sign = source[range.lowerBound]
    // Emphasis is hardly ever around these.
    let mayBeOther = sign != UInt8(ascii: "*") && sign != UInt8(ascii: "_")
    guard rest.start < rest.end, mayBeOther || Ascii.isUppercase(source[rest.start]) else {
      return nil
    }
    let isPart =
      if Ascii.isDigit(source[rest.start]) {
        // In a list of texts, quotation marks are around each frame.
        sign != Ascii.quote && source.isFrame(rest)
      } else if let field = source.fieldLine(rest), !field.value.isEmpty, isKnown(source, field.key)
      {
        source[field.value.lowerBound] != sign && source[field.key.upperBound + 1] != sign
      } else {
        source.threadLine(rest) != nil || source.sectionHeading(rest) != nil
          || titles.contains { source.has($0, at: rest.start, limit: rest.end) }
      }
    return isPart ? range : nil
  }

  /// Whether such a mark is in front of a line in a part of a text.
  static func hasSpan(_ source: TextSource, _ part: Range<Int>) -> Bool {
    let bytes = source.bytes.span.extracting(part)
    let beginsLine =
      part.lowerBound == source.textStart || source[part.lowerBound - 1] == Ascii.lineFeed
    var start = beginsLine ? 0 : bytes.firstOffset(of: Ascii.lineFeed, from: 0) + 1
    while start < bytes.count {
      if spanSigns.contains(bytes[start]),
        spanMark(source, source.line(at: part.lowerBound + start)) != nil
      {
        return true
      }
      start = bytes.firstOffset(of: Ascii.lineFeed, from: start) + 1
    }
    return false
  }

  private static func mark(_ source: TextSource, _ line: TextLine) -> Range<Int>? {
    let start = line.start
    guard start < line.end, spanSigns.contains(source[start]) else { return nil }
    var end = start + 1
    if source[start] == openQuote[0] {
      guard source.bytes[start..<line.end].starts(with: openQuote) else { return nil }
      end = start + openQuote.count
    }
    while end < line.end, end - start < 3, source[end] == source[start] { end += 1 }
    // Three back-ticks are a fence, and a star with a blank is the sign of a list.
    if source[start] == UInt8(ascii: "`") {
      if end - start == 3 { return nil }
      end = source.skipSeparators(from: end, limit: line.end)
    }
    return start..<end
  }

  /// Where the mark stands at the end of a line that closes the span.
  private static func end(
    ofSpan mark: Range<Int>, _ source: TextSource, _ line: TextLine
  ) -> Range<Int>? {
    let signs = source.bytes[mark].prefix { $0 > Ascii.space }
    let closer = signs.elementsEqual(openQuote) ? closeQuote[...] : signs
    let end = source.trimEnd(from: line.start, to: line.end)
    let start = end - closer.count
    guard start >= line.start, start >= mark.upperBound,
      source.bytes[start..<end].elementsEqual(closer)
    else { return nil }
    return start..<end
  }

  private static func isKnown(_ source: TextSource, _ key: ByteSpan) -> Bool {
    let key = source.string(key.range)
    return FieldKeys.known.contains(key) || furtherKeys.contains(key)
  }

  private static let openQuote = Array("“".utf8)
  private static let closeQuote = Array("”".utf8)
  private static let spanSigns = Array("`*_\"".utf8) + openQuote.prefix(1)
  /// Of diagnostics, and of reports that Apple's readers take for words.
  private static let furtherKeys = [
    "Command", "Event", "PID", "Steps", "Data Source", "Interval Since Last Report",
  ]
  private static let titles = [
    "Dyld Error Message:", "VM Region", "Last Exception:", "Fatal Exception: ", "Crashed: ",
    "* thread #", "*** Terminating app ",
  ]

  private static func closerStart(_ source: TextSource, _ line: TextLine) -> Int? {
    let end = source.trimEnd(from: line.start, to: line.end)
    for closer in closers {
      let start = end - closer.utf8.count
      guard start > source.skipSeparators(from: line.start, limit: line.end),
        source.has(closer, at: start, limit: end)
      else { continue }
      return start
    }
    return nil
  }
}

extension TextSource {
  fileprivate func isFrame(_ line: TextLine) -> Bool {
    if case .frame = frameLine(line) { true } else { false }
  }
}
