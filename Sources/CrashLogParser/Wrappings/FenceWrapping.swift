import JsonReading
import ReportModel

/// A report whose first line stands on the line of what opens a block: `<pre><code>`, a fence of
/// back-ticks, `{noformat}`. What closes the block may follow its last line.
struct FenceWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes)
    var copied = 0
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      if let end = Self.openerEnd(source, line) {
        text.copy(copied..<line.start)
        copied = end
      }
      if copied > 0, let start = Self.closerStart(source, line) {
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
    if case .frame = source.frameLine(rest) { return end }
    return nil
  }

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
