import SymbolicationModel

// What JSON is recognised by: at the start of an input by any of its members, below other text by a
// single line.

extension ReportFormat {
  /// - Parameter isFirst: whether nothing precedes the line.
  static func detectJson(
    _ source: TextSource, _ line: TextLine, isFirst: Bool
  ) -> ReportFormat? {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    guard source[start] == Ascii.openBrace || source.beginsList(at: start, limit: line.end)
    else { return nil }
    if isFirst || source.has("{\"", at: start, limit: line.end),
      source.find("\"bug_type\"", from: start, limit: line.end) != nil
    {
      let body = source.firstTextLine(after: line)
      guard let body, source[body.start] != Ascii.openBrace, source[body.start] != Ascii.quote
      else { return ips(ofType: bugType(source, start, line.end)) }
      if source.has("Date/Time:", at: body.start, limit: body.end) {
        return diagnostic(in: source, from: body) ?? .microstackshots
      }
      // The messages of rtcreportingd are neither JSON nor a report.
      let type = bugType(source, start, line.end)
      if type == "224" { return .ips(bugType: type) }
      return .crashTextWithJsonHeader
    }
    if isFirst, source.jsonHeaderLine(line) == nil {
      return detectDocument(source, start..<source.count)
    }
    return jsonLine(in: source, from: start, limit: line.end)
  }

  /// What a whole document is.
  init(of document: JsonDocument, in source: TextSource) {
    self = Self.detectDocument(source, document.byteRange)
  }

  /// JSON without a header line.
  private static func detectDocument(_ source: TextSource, _ range: Range<Int>) -> ReportFormat {
    let (start, count) = (range.lowerBound, range.upperBound)
    let head = min(count, start + 4096)
    if source.find("\"kind\"", from: start, limit: head) != nil,
      source.find("\"crashReport\"", from: start, limit: head) != nil
    {
      return .swiftBacktraceJson
    }
    if source.find("\"bug_type\"", from: start, limit: head) != nil {
      return ips(ofType: bugType(source, start, head))
    }
    for key in [
      "\"callStacks\"", "\"callStackTree\"", "\"callStackThreads\"", "\"timeStampBegin\"",
      "\"crashDiagnostics\"",
    ]
    where source.find(key, from: start, limit: count) != nil {
      return .metricKit
    }
    return detectSdkJson { source.find("\"\($0)\"", from: start, limit: count) != nil } ?? .json
  }

  /// - Parameter has: whether the document has a key somewhere.
  private static func detectSdkJson(_ has: (String) -> Bool) -> ReportFormat? {
    if has("binary_images") {
      return has("start_addr") && has("binary_address") ? .measureException : .ksCrashJson
    }
    if has("report"), has("process_name") { return .ksCrashJson }
    if has("instruction_addr"), has("debug_meta") || has("stacktrace") { return .sentryEvent }
    if has("stacktrace"), has("machoLoadAddress") || has("frameAddress") { return .bugsnagEvent }
    return has("binary_address") && has("symbol_address") ? .measureException : nil
  }

  // MARK: Below other text

  /// The format of an object or a list that is on one line, as in a log.
  static func jsonLine(in source: TextSource, from start: Int, limit: Int) -> ReportFormat? {
    func has(_ key: String) -> Bool { source.find("\"\(key)\"", from: start, limit: limit) != nil }
    if source.find("\"callStack", from: start, limit: limit) != nil { return .metricKit }
    if has("kind"), has("crashReport") { return .swiftBacktraceJson }
    return detectSdkJson(has)
  }

  /// The format of an object that is printed over several lines, by the line of a member that no
  /// other document has.
  static func jsonMember(in source: TextSource, at start: Int, limit: Int) -> ReportFormat? {
    guard source[start] == Ascii.quote else { return nil }
    if source.has("\"kind\"", at: start, limit: limit) {
      let isSwift = source.find("\"crashReport\"", from: start, limit: limit) != nil
      return isSwift ? .swiftBacktraceJson : nil
    }
    return memberKeys.first { source.has($0.key, at: start, limit: limit) }?.format
  }

  private static let memberKeys: [(key: String, format: ReportFormat)] = [
    ("\"callStack", .metricKit), ("\"binary_images\"", .ksCrashJson),
    ("\"instruction_addr\"", .sentryEvent), ("\"debug_meta\"", .sentryEvent),
    ("\"machoLoadAddress\"", .bugsnagEvent), ("\"frameAddress\"", .bugsnagEvent),
    ("\"binary_address\"", .measureException), ("\"symbol_address\"", .measureException),
  ]

  /// The value of the first `"bug_type"`. It is searched for as text, because some reports were
  /// edited and are no longer valid JSON.
  private static func bugType(_ source: TextSource, _ start: Int, _ limit: Int) -> String {
    guard let key = source.find("\"bug_type\"", from: start, limit: limit) else { return "" }
    var position = source.skipSeparators(from: key + 10, limit: limit)
    guard position < limit, source[position] == Ascii.colon else { return "" }
    position = source.skipSeparators(from: position + 1, limit: limit)
    if source[position] == Ascii.quote { position += 1 }
    var end = position
    while end < limit, ![Ascii.quote, UInt8(ascii: ","), UInt8(ascii: "}")].contains(source[end]) {
      end += 1
    }
    return source.string(position..<end)
  }

  /// The format of an `.ips` by its `bug_type`.
  static func ips(ofType bugType: String) -> ReportFormat {
    switch bugType {
    case "309": .ipsCrash
    case "98", "198", "298": .ipsJetsam
    case "10", "110", "151", "210": .ipsPanic
    case "288": .ipsStackshot
    default: .ips(bugType: bugType)
    }
  }
}

extension TextSource {
  /// Whether a list begins at `offset`, and not a time in brackets, as in a log: `[12:34:56] `.
  func beginsList(at offset: Int, limit: Int) -> Bool {
    guard self[offset] == Ascii.openBracket else { return false }
    var position = skipSeparators(from: offset + 1, limit: limit)
    guard position < limit else { return true }
    switch self[position] {
    case Ascii.openBrace, Ascii.openBracket, Ascii.quote, Ascii.closeBracket: return true
    default:
      while Ascii.isDigit(self[position]) { position += 1 }
      if self[position] == Ascii.comma { return true }
      return self[position] == Ascii.closeBracket
        && trimEnd(from: position, to: limit) == position + 1
    }
  }

  /// Whether an object, or a list of objects, begins at `offset`.
  func beginsObject(at offset: Int, limit: Int) -> Bool {
    if self[offset] == Ascii.openBrace { return true }
    return self[offset] == Ascii.openBracket
      && self[skipSeparators(from: offset + 1, limit: limit)] == Ascii.openBrace
  }
}
