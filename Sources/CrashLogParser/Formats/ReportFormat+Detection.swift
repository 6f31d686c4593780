import SymbolicationModel

extension ReportFormat {
  static func detect(_ source: TextSource) -> ReportFormat { firstSign(in: source).format }

  /// What an input looks like, and the start of the line that shows it.
  static func firstSign(in source: TextSource) -> (format: ReportFormat, lineStart: Int) {
    if let format = detectMagic(source) { return (format, 0) }
    var isFirst = true
    var fragments = FragmentFinder()
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      let start = source.skipSeparators(from: line.start, limit: line.end)
      if start == line.end { continue }
      if isFirst || source.has("{\"", at: start, limit: line.end),
        let format = detectJson(source, line, isFirst: isFirst)
      {
        return (format, line.start)
      }
      isFirst = false
      if let format = detectWords(source, line, start) { return (format, line.start) }
      switch source.reportStart(line, fragments: &fragments) {
      case .jsonHeader: return (.crashTextWithJsonHeader, line.start)
      case .text: return (.crashText, line.start)
      case .frames: return (.frameFragment, line.start)
      case nil: break
      }
    }
    let isXml = source.has("<?xml", at: source.textStart, limit: source.count)
    return (isXml ? .propertyList : .unknown, source.count)
  }

  private static func detectMagic(_ source: TextSource) -> ReportFormat? {
    let magics: [([UInt8], ReportFormat)] = [
      (Array("plcrash".utf8), .plCrashReporterBinary), (Array("bplist0".utf8), .propertyList),
      ([0xFF, 0xFE], .utf16Text), ([0xFE, 0xFF], .utf16Text),
      ([0x1F, 0x8B], .archive), ([0x50, 0x4B, 0x03, 0x04], .archive),
      (Array("BZh".utf8), .archive), ([0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00], .archive),
      ([0x28, 0xB5, 0x2F, 0xFD], .archive),
      ([0x89, 0x50, 0x4E, 0x47], .picture), ([0xFF, 0xD8, 0xFF], .picture),
      (Array("GIF8".utf8), .picture),
    ]
    if let magic = magics.first(where: { source.bytes.starts(with: $0.0) }) { return magic.1 }
    return switch SymbolFileMagic(source.bytes) {
    case .machO, .fat, .elf: .objectFile
    // Letters, with which a text may begin.
    case .gsym, .breakpad, nil: nil
    }
  }

  /// Formats that a single line identifies.
  private static func detectWords(
    _ source: TextSource, _ line: TextLine, _ start: Int
  ) -> ReportFormat? {
    func begins(_ text: String) -> Bool { source.has(text, at: start, limit: line.end) }
    switch source[start] {
    case UInt8(ascii: "S") where source.sampleStarts(at: line): return .sample
    case UInt8(ascii: "A") where source.sampleStarts(at: line): return .sample
    case UInt8(ascii: "U") where begins("Use spindump -i "): return .spindumpBinary
    case UInt8(ascii: "p") where begins("panic(cpu "): return .kernelPanic
    case UInt8(ascii: "*") where begins("*** Panic Report ***"): return .kernelPanic
    case UInt8(ascii: "D") where begins("Date/Time:"): return diagnostic(in: source, from: line)
    case Ascii.quote where begins("\"callStack"): return .metricKit
    default:
      // A log collector may put the time and names before each line, so the headline may begin
      // anywhere.
      return source.swiftBacktraceHeadline(line) == nil ? nil : .swiftBacktrace
    }
  }

  /// A diagnostic begins with the date, and names its data source or counts its steps within 40
  /// lines.
  ///
  /// - Parameter first: the line with the date.
  static func diagnostic(in source: TextSource, from first: TextLine) -> ReportFormat? {
    var next = first.next
    for _ in 0..<40 where next < source.count {
      let line = source.line(at: next)
      next = line.next
      if source.has("Data Source:", at: line.start, limit: line.end) {
        let isMicro = source.find("Microstackshots", from: line.start, limit: line.end) != nil
        return isMicro ? .microstackshots : .spindump
      }
      if source.has("Steps:", at: line.start, limit: line.end) { return .spindump }
    }
    return nil
  }

  // MARK: JSON

  private static func detectJson(
    _ source: TextSource, _ line: TextLine, isFirst: Bool
  ) -> ReportFormat? {
    let start = source.skipSeparators(from: line.start, limit: line.end)
    guard source[start] == Ascii.openBrace || isFirst && source[start] == UInt8(ascii: "[") else {
      return nil
    }
    if source.find("\"bug_type\"", from: start, limit: line.end) != nil {
      let body = source.firstTextLine(after: line)
      guard let body, source[body.start] != Ascii.openBrace, source[body.start] != Ascii.quote
      else { return ipsFormat(bugType(source, start, line.end)) }
      if source.has("Date/Time:", at: body.start, limit: body.end) {
        return diagnostic(in: source, from: body) ?? .microstackshots
      }
      // The messages of rtcreportingd are neither JSON nor a report.
      let type = bugType(source, start, line.end)
      if type == "224" { return .ips(bugType: type) }
      return .crashTextWithJsonHeader
    }
    if isFirst, source.jsonHeaderLine(line) == nil { return detectJsonDocument(source, start) }
    // Payloads of MetricKit in a log.
    let isMetricKit = source.find("\"callStack", from: start, limit: line.end) != nil
    return isMetricKit ? .metricKit : nil
  }

  /// JSON at the start of the input, without a header line.
  private static func detectJsonDocument(_ source: TextSource, _ start: Int) -> ReportFormat {
    let count = source.count
    let head = min(count, start + 4096)
    if source.find("\"kind\"", from: start, limit: head) != nil,
      source.find("\"crashReport\"", from: start, limit: head) != nil
    {
      return .swiftBacktraceJson
    }
    if source.find("\"bug_type\"", from: start, limit: head) != nil {
      return ipsFormat(bugType(source, start, head))
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

  private static func ipsFormat(_ bugType: String) -> ReportFormat {
    switch bugType {
    case "309": .ipsCrash
    case "98", "198", "298": .ipsJetsam
    case "10", "110", "151", "210": .ipsPanic
    case "288": .ipsStackshot
    default: .ips(bugType: bugType)
    }
  }
}
