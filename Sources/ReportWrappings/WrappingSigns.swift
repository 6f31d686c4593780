import JsonReading
package import ReportFormats
package import ReportModel
import RuntimeReports
import SwiftBacktraces
import SymbolicationModel

/// Which wrappings a report that can be read may have all the same: it loses parts to them.
///
/// Only the first few kilobytes of the report are looked at, so that reading ordinary reports takes
/// no longer.
package struct WrappingSigns {
  package private(set) var wrappings: [any WrappingReader] = []

  /// - Parameters:
  ///   - format: what the input looks like.
  ///   - lineStart: the start of the line that shows it.
  ///   - reports: what was read without taking anything away.
  ///   - formats: what the formats that are read are recognised by.
  package init(
    _ source: TextSource, _ format: ReportFormat, _ lineStart: Int, _ reports: [Report],
    _ formats: FormatSigns
  ) {
    // Diagnostics and events of SDKs in an array are reports of their own.
    if JsonPartsWrapping.isSign(source), reports.first?.header == nil,
      reports.first?.format.has(.standsInLists) != true
    {
      wrappings.append(JsonPartsWrapping())
    }
    if reports.contains(where: { Self.hasEntities(source, $0) }) {
      wrappings.append(HtmlWrapping())
    }
    let head = lineStart..<min(source.count, lineStart + 4096)
    // Of `<unknown>`, frames are lost.
    if format == .swiftBacktrace,
      source.find("&lt;", from: head.lowerBound, limit: head.upperBound) != nil
    {
      wrappings.append(HtmlWrapping())
    }
    let before = format.has(.hasStacks) ? Self.linesBefore(lineStart, of: source) : []
    // The first frame may be behind the tag.
    if let previous = before.first, Self.hasTag(source, previous) {
      wrappings.append(HtmlWrapping())
    }
    let isTrace = format.family == ReportFormat.callStack.family
    // What is above the frames may be escaped alone.
    let escapes = isTrace ? ["\\_", "\\*", "\\["] : format == .crashText ? ["\\_"] : []
    let hasEscapes = escapes.contains {
      source.find($0, from: head.lowerBound, limit: head.upperBound) != nil
    }
    if hasEscapes || isTrace && before.contains(where: { Self.hasEscapedStar(source, $0) }) {
      wrappings.append(MarkdownWrapping())
    }
    if format == .sanitizer || isTrace,
      LinkedNumberWrapping.isIn(source, head)
    {
      wrappings.append(LinkedNumberWrapping())
    }
    if before.contains(where: { FenceWrapping.openerEnd(source, $0) != nil })
      || format.has(.hasStacks)
        && FenceWrapping.hasSpan(
          source, max(source.textStart, lineStart - 1024)..<head.upperBound)
    {
      wrappings.append(FenceWrapping())
    }
    if format.family == ReportFormat.callStack.family || format == .swiftBacktrace
      || format == .crashText && reports.allSatisfy(\.facts.fields.isEmpty),
      BrokenFrameWrapping.isIn(source, head)
    {
      wrappings.append(BrokenFrameWrapping())
    }
    if format.has(.hasStacks), CellWrapping.hasPlaces(source, head) {
      wrappings.append(CellWrapping())
    }
    // The words of an exception are above its frames.
    let words = max(source.textStart, lineStart - 1024)..<head.upperBound
    if Self.hasLineBreak(source, words) || isTrace && Self.hasEntity(source, words) {
      wrappings.append(HtmlWrapping())
    }
    if format.has(.hasStacks) {
      if TypographyWrapping.isIn(source, words, countsSpaces: false) {
        wrappings.append(TypographyWrapping())
      }
      if isTrace, DoubledLineEndWrapping.isDoubled(source, from: lineStart) {
        wrappings.append(DoubledLineEndWrapping())
      }
    }
    // Who writes about a crash puts the frames into a block of code, below what happened.
    let around = max(source.textStart, lineStart - 4096)..<head.upperBound
    if LineNumberWrapping.isIn(source, around) { wrappings.append(LineNumberWrapping()) }
    if format.has(.hasStacks),
      reports.allSatisfy({ !$0.facts.saysWhy || $0.isTextWithoutHead }),
      MarkdownPartsWrapping.isIn(source, around)
    {
      wrappings.append(MarkdownPartsWrapping())
    }
    if format.has(.hasStacks), HardBreakWrapping.isIn(source, head) {
      wrappings.append(HardBreakWrapping())
    }
    guard format == .crashText || format == .crashTextWithJsonHeader else { return }
    // The head of a sample is like that of a crash.
    if reports.allSatisfy({ $0.backtraces.isEmpty && $0.images.isEmpty }),
      SamplePieceWrapping.isIn(source, head)
    {
      wrappings.append(SamplePieceWrapping())
    }
    let hasColours = source.bytes.span.extracting(head).holds(0x1B)
    if hasColours { wrappings.append(ColourWrapping()) }
    if PaddedLinesWrapping.isPadded(source, head) { wrappings.append(PaddedLinesWrapping()) }
    if Self.hasBreaks(source, head) || reports.contains(where: Self.saysEntities) {
      wrappings.append(HtmlWrapping())
    }
    if source.has("<?xml", at: source.textStart, limit: source.count) {
      wrappings.append(HtmlWrapping())
    }
    if Self.hasSoftBreaks(source, head) || Self.isBelowEncodedHead(source, lineStart) {
      wrappings.append(EncodedMailWrapping())
    }
    // A heading may have such a sign alone, or all lines of the report.
    if source.separatorLength(at: lineStart, limit: source.count) > 0
      || "-*#>".utf8.contains(source[lineStart])
    {
      wrappings.append(LinePrefixWrapping(formats: formats))
    }
    if DoubledLineEndWrapping.isDoubled(source, from: lineStart) {
      wrappings.append(DoubledLineEndWrapping())
    }
    // The heading alone is a stack without frames.
    if reports.allSatisfy({ $0.backtraces.allSatisfy { $0.frames.isEmpty } }),
      Self.hasStackOnLine(source, head)
    {
      wrappings.append(RunOnWrapping())
    }
  }

  /// What single lines about a crash may have, if no report is in the text: characters that a page,
  /// an editor or an author changed.
  package static func ofStatements(_ source: TextSource) -> [any WrappingReader] {
    let text = source.textStart..<source.count
    var wrappings: [any WrappingReader] = []
    if TypographyWrapping.isIn(source, text) { wrappings.append(TypographyWrapping()) }
    if hasLineBreak(source, text) || hasEntity(source, text) { wrappings.append(HtmlWrapping()) }
    if source.find("\\_", from: text.lowerBound, limit: text.upperBound) != nil {
      wrappings.append(MarkdownWrapping())
    }
    return wrappings
  }

  private static func hasLineBreak(_ source: TextSource, _ range: Range<Int>) -> Bool {
    ["<br>", "<br/>", "<br />"].contains {
      source.find($0, from: range.lowerBound, limit: range.upperBound) != nil
    }
  }

  private static func hasEntity(_ source: TextSource, _ range: Range<Int>) -> Bool {
    source.bytes.span.extracting(range).holds(Ascii.ampersand)
      && entities.contains {
        source.find($0, from: range.lowerBound, limit: range.upperBound) != nil
      }
  }

  /// Whether there is `<br>` or `&nbsp;`, or the tag of a block ends a line, which the readers of
  /// lines do not know.
  private static func hasBreaks(_ source: TextSource, _ head: Range<Int>) -> Bool {
    let bytes = source.bytes.span.extracting(head)
    for sign in [Ascii.less, Ascii.ampersand] {
      var next = bytes.firstOffset(of: sign, from: 0)
      while next < bytes.count {
        let position = head.lowerBound + next
        // UUIDs of images stand in angle brackets, too.
        if "bBn".utf8.contains(source[position + 1]),
          source.has("<br", at: position, limit: head.upperBound)
            || source.has("<BR", at: position, limit: head.upperBound)
            || source.has("&nbsp;", at: position, limit: head.upperBound)
        {
          return true
        }
        if source[position + 1] == Ascii.slash, HtmlTag.endsLine(source, at: position) {
          return true
        }
        next = bytes.firstOffset(of: sign, from: next + 1)
      }
    }
    return false
  }

  /// Whether what the application wrote has entities in it, such as those around the name and the
  /// reason of an exception.
  ///
  /// Source: html.spec.whatwg.org, "Escaping a string"; Python's `html.escape()` and PHP's
  /// `htmlspecialchars()` write the numbers.
  private static func saysEntities(_ report: Report) -> Bool {
    report.facts.applicationInformation.contains { line in
      line.utf8.contains(Ascii.ampersand)
        && entities.contains { line.firstRange(of: $0) != nil }
    }
  }

  private static let entities = [
    "&lt;", "&gt;", "&quot;", "&apos;", "&#39;", "&#x27;", "&#039;", "&#34;",
  ]

  /// Whether the heading of a stack and its frames are on one line, as forms join them.
  private static func hasStackOnLine(_ source: TextSource, _ head: Range<Int>) -> Bool {
    guard let heading = source.find(" Crashed:", from: head.lowerBound, limit: head.upperBound)
    else { return false }
    let line = source.line(at: heading)
    return source.find(" 0 ", from: heading, limit: min(line.end, heading + 160)) != nil
      && source.find(" 0x", from: heading, limit: min(line.end, heading + 320)) != nil
  }

  /// Whether the UUID of the last image is in `&lt;` and `&gt;`. The readers of lines know these,
  /// but new text must be escaped too, and the page may hold more.
  private static func hasEntities(_ source: TextSource, _ report: Report) -> Bool {
    guard report.format != .ipsCrash, let line = report.images.last?.byteRange else {
      return false
    }
    return source.find("&lt;", from: line.lowerBound, limit: line.upperBound) != nil
  }

  /// Whether several lines end with `=`, as in quoted-printable text. The arrow of an instruction
  /// stream (`<==`) is not written so there.
  private static func hasSoftBreaks(_ source: TextSource, _ head: Range<Int>) -> Bool {
    let bytes = source.bytes.span.extracting(head)
    var count = 0
    var found = bytes.firstOffset(of: UInt8(ascii: "="), from: 0)
    while found < bytes.count {
      let position = head.lowerBound + found
      let next = source[position + 1]
      if next == Ascii.lineFeed || next == Ascii.carriageReturn,
        source[position - 1] != UInt8(ascii: "=")
      {
        count += 1
      }
      found = bytes.firstOffset(of: UInt8(ascii: "="), from: found + 1)
    }
    return count >= 2
  }

  private static func isBelowEncodedHead(_ source: TextSource, _ lineStart: Int) -> Bool {
    let start = max(0, lineStart - 4096)
    return source.find("quoted-printable", from: start, limit: lineStart) != nil
      || source.find("Quoted-Printable", from: start, limit: lineStart) != nil
      || source.find("QUOTED-PRINTABLE", from: start, limit: lineStart) != nil
  }

  private static func hasTag(_ source: TextSource, _ line: TextLine) -> Bool {
    source.find("<pre", from: line.start, limit: line.end) != nil
      || source.find("<code", from: line.start, limit: line.end) != nil
  }

  private static func hasEscapedStar(_ source: TextSource, _ line: TextLine) -> Bool {
    source.find("\\* ", from: line.start, limit: line.end) != nil
  }

  /// The lines with text among the three before `lineStart`, the last one first.
  private static func linesBefore(_ lineStart: Int, of source: TextSource) -> [TextLine] {
    var lines: [TextLine] = []
    var start = lineStart
    for _ in 0..<3 where start > 0 {
      let next = start
      start -= 1
      // A line is at most so long that a report begins on it.
      let limit = max(0, next - 1000)
      while start > limit, source[start - 1] != Ascii.lineFeed { start -= 1 }
      let line = source.line(at: start)
      if !source.isBlank(line) { lines.append(line) }
    }
    return lines
  }
}

extension ReportFacts {
  /// Whether an exception, a signal or the end of the process is named.
  package var saysWhy: Bool {
    exception.type != nil || exception.signal != nil || exception.name != nil
      || termination.namespace != nil
  }
}

extension Report {
  /// Whether this is what is left of Apple's text if somebody shows the stack that crashed alone,
  /// or that of the exception.
  package var isTextWithoutHead: Bool {
    [.crashText, .frameFragment].contains(format) && facts.fields.isEmpty
      && facts.event == .crash
      && backtraces.contains {
        $0.isCrashed || format == .frameFragment || $0.kind == .applicationSpecific
      }
  }
}
