import JsonReading
import ReportFormats
import ReportModel
import ReportWrappings
import SymbolicationModel

// The first line of a report.
extension OpenReport {
  /// What begins with this line; nil if nothing does.
  static func begin(_ line: TextLine, of source: TextSource) -> Beginning? {
    let beginning = beginPlain(source.withoutOuterColours(line), of: source)
    guard case .open(var report) = beginning else { return beginning }
    // The colour of its first line belongs to the report.
    report.start = line.start
    return .open(report)
  }

  private static func beginPlain(_ line: TextLine, of source: TextSource) -> Beginning? {
    let first = source.skipSeparators(from: line.start, limit: line.end)
    guard first < line.end else { return nil }
    let byte = source[first]
    if byte == Ascii.openBrace || source.beginsList(at: first, limit: line.end) {
      return beginObject(line, at: first, of: source)
    }
    // A syslog daemon made one line of several.
    if let next = source.find(SyslogWrapping.lineEnd, from: first, limit: line.end),
      source.mayHoldTraceFrame(TextLine(start: next + 4, end: line.end, next: line.next))
    {
      return .whole
    }
    if let report = CrashLogParser.signs.streamedReport(from: line, at: first, in: source) {
      switch report {
      case .text: return .open(OpenReport(.text, line, isConfirmed: true))
      case .lines(let lines): return .open(OpenReport(.lines(lines), line, isConfirmed: true))
      }
    }
    if Ascii.isUppercase(byte), let report = beginText(line, of: source) { return .open(report) }
    if Ascii.isDigit(byte), case .frame(let frame, let address) = source.frameLine(line),
      frame.isUnmistakable(address)
    {
      var report = OpenReport(.text, line, isConfirmed: true)
      report.isFragment = true
      return .open(report)
    }
    return beginWithPrefix(line, of: source)
  }

  private static func beginText(_ line: TextLine, of source: TextSource) -> OpenReport? {
    if source.threadLine(line) != nil { return OpenReport(.text, line, isConfirmed: false) }
    switch source.sectionHeading(line) {
    case .lastException, .applicationBacktrace, .leakStack:
      return OpenReport(.text, line, isConfirmed: false)
    case .images:
      var report = OpenReport(.text, line, isConfirmed: false)
      report.images = .begun
      return report
    case .regions, .other, .end, .endOfFile, nil: break
    }
    guard let field = source.fieldLine(line) else { return nil }
    let key = source.string(field.key.range)
    guard FieldKeys.starting.contains(key) else { return nil }
    return OpenReport(.text, line, isConfirmed: false, firstKey: key)
  }

  static func beginObject(
    _ line: TextLine, at first: Int, of source: TextSource, prefix: LinePrefix? = nil
  ) -> Beginning? {
    // `{` as part of a text is followed by something else.
    let next = source.skipSeparators(from: first + 1, limit: line.end)
    guard
      next == line.end
        || [Ascii.quote, Ascii.openBrace, Ascii.closeBrace, Ascii.openBracket, Ascii.backslash]
          .contains(source[next])
    else { return nil }
    var report = OpenReport(.json, line, prefix: prefix, isConfirmed: false)
    report.object.take(source, first..<line.end)
    guard report.object.depth <= 0 else {
      // On its only line, the object may have been cut.
      report.isConfirmed = holdsReport(source, first..<line.end)
      return .open(report)
    }
    guard !report.object.isHeader || report.object.hasThreads else {
      report.kind = .header
      return .open(report)
    }
    return holdsReport(source, first..<line.end) ? .whole : nil
  }

  /// Whether an object on one line may be a report, or have one in a text.
  private static func holdsReport(_ source: TextSource, _ range: Range<Int>) -> Bool {
    func has(_ text: String) -> Bool {
      source.find(text, from: range.lowerBound, limit: range.upperBound) != nil
    }
    return has("\"threads\"") || has("\\nThread ") || has("Binary Images:")
      || has("Backtrace:\\n") || has("bug_type\\\"") || has("*** Program crashed")
      || has("stacktrace") || has("callStack")
      || CrashLogParser.signs.format(ofJsonLine: range, in: source) != nil
  }

  /// A report with the same before each line: the time stamps of a log, the signs of a quotation.
  private static func beginWithPrefix(_ line: TextLine, of source: TextSource) -> Beginning? {
    if let first = source.prefixedSampleStart(line) {
      return .open(
        OpenReport(
          .text, line, prefix: LinePrefix(source, line.start..<first), isConfirmed: true))
    }
    guard let first = source.prefixedReportStart(line) else {
      guard let first = source.jsonStart(line), source[first] == Ascii.openBrace else { return nil }
      return beginObject(
        line, at: first, of: source, prefix: LinePrefix(source, line.start..<first))
    }
    let prefix = LinePrefix(source, line.start..<first)
    if source[first] == Ascii.openBrace {
      return beginObject(line, at: first, of: source, prefix: prefix)
    }
    let content = TextLine(start: first, end: line.end, next: line.next)
    let streamed =
      source.streamedTrace(from: content)
      ?? CrashLogParser.signs.streamedReport(from: content, at: first, in: source)
    if case .lines(let lines)? = streamed {
      return .open(OpenReport(.lines(lines), line, prefix: prefix, isConfirmed: true))
    }
    let known = beginText(content, of: source)
    var report = OpenReport(.text, line, prefix: prefix, isConfirmed: false)
    report.firstKey = known?.firstKey
    report.images = known?.images ?? .absent
    return .open(report)
  }
}
