import JsonReading
package import ReportModel

/// What a report begins with.
package enum ReportStart: Hashable {
  case jsonHeader
  case text
  /// Frames without anything above them.
  case frames
}

/// Remembers how far runs of frame lines were searched, so that no run is searched twice.
package struct FragmentFinder {
  fileprivate let signs: FormatSigns
  fileprivate var examinedEnd = 0

  package init(_ signs: FormatSigns) { self.signs = signs }
}

/// The keys of header lines, by what they reveal about the position in a report.
package enum FieldKeys {
  /// A report may begin with one of these.
  package static let starting: Set<String> = [
    "Incident Identifier", "CrashReporter Key", "Crash Reporter Key", "Beta Identifier",
    "Hardware Model", "Process", "Path", "Identifier", "Code Type", "Parent Process", "Date/Time",
    "OS Version", "Report Version", "Exception Type", "Exception Codes", "Triggered by Thread",
    "Crashed Thread", "Highlighted Thread", "Termination Reason",
    "Exception Subtype", "Exception Message", "Exception Note", "Exception Reason",
    // Of Cr4shed, the crash reporter of jailbroken devices.
    "Bundle id", "Exception type",
  ]
  /// Within so many lines below such a field, another sign of a report must follow. A termination
  /// is the last field of a head: memory regions and the application's words may be above the
  /// threads.
  package static func confirmationLimit(of key: String) -> Int {
    key == "Termination Reason" ? 24 : 8
  }

  /// A complete report begins with one of these.
  package static let first = [
    "Incident Identifier", "CrashReporter Key", "Crash Reporter Key", "Beta Identifier",
    "Hardware Model", "Process",
  ]
  /// These name the crashed process or the crash. A report without threads and images must have one
  /// of them.
  static let naming: Set<String> = ["Incident Identifier", "Process", "Exception Type"]
  /// These are also fields if a section precedes them.
  static let late: Set<String> = [
    "Exception Type", "Exception Subtype", "Exception Codes", "Exception Message", "Exception Note",
    "Exception Reason",
    "Termination Signal", "Termination Reason", "Termination Description", "Terminating Process",
    "Triggered by Thread", "Crashed Thread", "Highlighted Thread", "Dyld Error Message",
  ]
  /// Fields whose lines people join with the next one.
  static let joinedKeys = [
    "Exception Type", "Exception Subtype", "Exception Codes", "Exception Note",
    "Exception Message", "Termination Signal", "Termination Reason", "Terminating Process",
    "Triggered by Thread", "Crashed Thread",
  ]

  /// Fields whose values are names, numbers and dates, by the lengths of their keys.
  static let plainByLength: [[String]] = {
    let keys = [
      "Process", "Path", "Identifier", "Version", "Code Type", "Role", "Parent Process",
      "Coalition", "Responsible", "User ID", "Date/Time", "Launch Time", "OS Version",
      "Release Type", "Report Version", "Incident Identifier", "Hardware Model",
      "CrashReporter Key", "Crash Reporter Key", "Beta Identifier", "Baseband Version",
      "Anonymous UUID", "Sleep/Wake UUID", "Time Awake Since Boot", "Time Since Wake",
      "System Integrity Protection", "AppStoreTools", "AppVariant", "Exception Type",
      "Exception Codes", "Terminating Process", "Triggered by Thread", "Crashed Thread",
    ]
    var byLength = Array(repeating: [String](), count: 32)
    for key in keys { byLength[key.utf8.count].append(key) }
    return byLength
  }()

  /// Whether one of these is in a place.
  static func isJoined(_ range: Range<Int>, in source: TextSource) -> Bool {
    // Most other fields begin with another letter, and this is asked about all of them.
    switch source[range.lowerBound] {
    case UInt8(ascii: "E"), UInt8(ascii: "T"), UInt8(ascii: "C"): break
    default: return false
    }
    return joinedKeys.contains {
      $0.utf8.count == range.count && source.has($0, at: range.lowerBound, limit: range.upperBound)
    }
  }

  /// Where one of these ends that begins at an offset; nil if none does.
  static func joinedEnd(at start: Int, limit: Int, in source: TextSource) -> Int? {
    guard "ETC".utf8.contains(source[start]) else { return nil }
    return joinedKeys.first { source.has($0, at: start, limit: limit) }
      .map { start + $0.utf8.count }
  }

  package static let known = starting.union(late).union([
    "Version", "Role", "Coalition", "Responsible", "User ID", "Launch Time", "AppStoreTools",
    "Baseband Version", "Anonymous UUID", "Release Type", "AppVariant",
    "Exception Code", "Exception subtype", "Exception codes", "Triggered by thread", "Culprit",
    "Call stack",
  ])
}

extension TextSource {
  /// How the report begins that starts with this line; nil if none does.
  package func reportStart(_ line: TextLine, fragments: inout FragmentFinder) -> ReportStart? {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard start < line.end else { return nil }
    let byte = self[start]
    if Ascii.isDigit(byte) { return fragmentStarts(line, &fragments) ? .frames : nil }
    if byte == Ascii.openBrace {
      return jsonHeaderLine(line, fragments.signs) == nil ? nil : .jsonHeader
    }
    guard Ascii.isUppercase(byte) || Self.isCutThread(byte) || Self.mayBeginHeading(byte) else {
      return nil
    }
    if let thread = threadLine(line) {
      if case .state = thread.kind { return registersFollow(line) ? .text : nil }
      return framesFollow(line) ? .text : nil
    }
    guard Ascii.isUppercase(byte) else { return nil }
    if let heading = sectionHeading(line) {
      switch heading {
      case .lastException: return framesFollow(line) || addressListFollows(line) ? .text : nil
      case .applicationBacktrace: return framesFollow(line) ? .text : nil
      case .images: return imageFollows(line) ? .text : nil
      case .other where has("Application Specific Information:", at: start, limit: line.end):
        return backtraceFollows(line) ? .text : nil
      default: return nil
      }
    }
    guard let field = fieldLine(line) else { return nil }
    let key = string(field.key.range)
    // Mac OS X 10.4 has the exception alone above the threads, with its number.
    let isEarly = key == "Exception" && isEarlyException(field.value.range)
    guard isEarly || FieldKeys.starting.contains(key) else { return nil }
    return knownFieldFollows(line, lineCount: FieldKeys.confirmationLimit(of: key)) ? .text : nil
  }

  /// Whether this line, inside another report, is the first line of a complete report.
  func isFirstLineOfReport(_ line: TextLine, _ signs: FormatSigns) -> Bool {
    firstLine(ofReportAt: line, signs).map { isFollowed($0, line) } ?? false
  }

  /// What a complete report begins with, inside another report.
  enum FirstLine {
    case jsonHeader
    /// A field with this key, if other fields follow.
    case field(key: String)
  }

  /// What begins with this line if a complete report does.
  func firstLine(ofReportAt line: TextLine, _ signs: FormatSigns) -> FirstLine? {
    let start = skipSeparators(from: line.start, limit: line.end)
    switch self[start] {
    case Ascii.openBrace: return jsonHeaderLine(line, signs) == nil ? nil : .jsonHeader
    case UInt8(ascii: "I"), UInt8(ascii: "C"), UInt8(ascii: "B"), UInt8(ascii: "H"),
      UInt8(ascii: "P"):
      // Nearly every line of a head begins with one of these letters, few with the second, too.
      switch self[start + 1] {
      case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "e"), UInt8(ascii: "a"): break
      default: return nil
      }
      guard FieldKeys.first.contains(where: { has($0, at: start, limit: line.end) }),
        let key = fieldLine(line).map({ string($0.key.range) }), FieldKeys.first.contains(key)
      else { return nil }
      return .field(key: key)
    default: return nil
    }
  }

  /// Whether the lines below are those of a report that begins with this line.
  func isFollowed(_ first: FirstLine, _ line: TextLine) -> Bool {
    switch first {
    case .jsonHeader: true
    case .field: knownFieldFollows(line, lineCount: 3)
    }
  }

  /// The range of the JSON in a header line: a line that begins with an object, is not a report of
  /// its own, and is followed by the head of a text report.
  func jsonHeaderLine(_ line: TextLine, _ signs: FormatSigns) -> Range<Int>? {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard has("{\"", at: start, limit: line.end), let body = firstTextLine(after: line),
      let field = fieldLine(body), FieldKeys.known.contains(string(field.key.range)),
      find("\"bug_type\"", from: start, limit: line.end) != nil
        || signs.format(ofJsonLine: start..<line.end, in: self) == nil
    else { return nil }
    return start..<trimEnd(from: start, to: line.end)
  }

  /// Whether a value is `EXC_BAD_ACCESS (0x0001)`.
  private func isEarlyException(_ value: Range<Int>) -> Bool {
    value.count < 64 && has("EXC_", at: value.lowerBound, limit: value.upperBound)
      && find(" (0x", from: value.lowerBound, limit: value.upperBound) != nil
  }

  // MARK: Looking ahead

  private func nextLines(after line: TextLine, count lineCount: Int) -> [TextLine] {
    var lines: [TextLine] = []
    var next = line.next
    while lines.count < lineCount, next < count {
      let line = self.line(at: next)
      lines.append(line)
      next = line.next
    }
    return lines
  }

  private func knownFieldFollows(_ line: TextLine, lineCount: Int) -> Bool {
    let own = fieldLine(line).map { string($0.key.range) }
    return nextLines(after: line, count: lineCount).contains { next in
      if threadLine(next) != nil { return framesFollow(next) }
      guard let field = fieldLine(next) else { return false }
      let key = string(field.key.range)
      return key != own && FieldKeys.known.contains(key)
    }
  }

  /// Whether a frame follows, with only empty lines and thread headings before it.
  private func framesFollow(_ line: TextLine) -> Bool {
    let next = nextLines(after: line, count: 6).first { !isBlank($0) && threadLine($0) == nil }
    guard let next else { return false }
    if case .frame = frameLine(next) { return true }
    if bareFrame(next) != nil || isNamedFrame(trimmed(next.start..<next.end))
      || numberlessFrame(next) != nil
    {
      return true
    }
    guard case .heading(isCrashed: true, _)? = threadLine(line)?.kind else { return false }
    return numberedFunction(next, isFirst: true, true) != nil
  }

  /// Whether a register follows.
  private func registersFollow(_ line: TextLine) -> Bool {
    let next = self.line(at: line.next)
    return next.start > line.start
      && find(": 0x", from: next.start, limit: min(next.end, next.start + 16)) != nil
  }

  /// Whether frames follow the lines that an app or a library left, as in a report that was pasted
  /// from there on.
  private func backtraceFollows(_ line: TextLine) -> Bool {
    for next in nextLines(after: line, count: 24) {
      if threadLine(next) != nil { return framesFollow(next) }
      switch sectionHeading(next) {
      case .lastException?: return framesFollow(next) || addressListFollows(next)
      case .applicationBacktrace?: return framesFollow(next)
      case nil, .other?: continue
      default: return false
      }
    }
    return false
  }

  private func imageFollows(_ line: TextLine) -> Bool {
    if let next = firstTextLine(after: line), case .image = imageLine(next) { return true }
    return false
  }

  private func addressListFollows(_ line: TextLine) -> Bool {
    firstTextLine(after: line).map { has("(0x", at: $0.start, limit: $0.end) } ?? false
  }

  /// Whether a run of frame lines begins here that has at least one unmistakable frame, or that is
  /// the rest of a thread whose heading is missing, with another thread below it.
  private func fragmentStarts(_ line: TextLine, _ fragments: inout FragmentFinder) -> Bool {
    guard line.start >= fragments.examinedEnd else { return false }
    var current = line
    var (index, length, rises) = (0, 0, true)
    while case .frame(let frame, let address) = frameLine(current) {
      if frame.isUnmistakable(address) { return true }
      fragments.examinedEnd = current.next
      rises = rises && frame.index > index
      (index, length) = (frame.index, length + 1)
      guard current.next < count else { break }
      current = self.line(at: current.next)
    }
    guard rises, length > 1, isBlank(current), current.next < count else { return false }
    let below = self.line(at: current.next)
    return threadLine(below) != nil && framesFollow(below)
  }
}
