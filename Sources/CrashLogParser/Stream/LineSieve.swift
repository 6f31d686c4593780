import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Finds the lines of a stream that may begin a report, so that the others of a log, which are
/// nearly all, are looked at for less than a nanosecond a byte. It may take a line too many:
/// `OpenReport` and `OpenRecords` decide.
struct LineSieve: Sendable {
  /// What may be anywhere in a line; nil if every line must be looked at.
  private let texts: TextSigns?
  private let classes: [LineClass]
  private let firstWords: Set<UInt32>
  private let records: LogRecordReader
  /// The first text at or after the last line that was looked at, and the first `{`.
  private var text = Found()
  private var brace = Found()
  /// The keys before the text of a record: that of the last record comes first.
  private var keys: [String]
  /// Whether texts of Docker end with their line ends, so that others go on in the next record.
  private(set) var statesLineEnds = false
  /// Records of other shapes with frames in them.
  private(set) var hint: LogFieldHint?

  private struct Found {
    var offset = 0
    var isThere = false
  }

  /// What the first byte of a line says.
  private enum LineClass: UInt8 {
    case none, digit, openBrace, openBracket, uppercase, punctuation, escape
  }

  init(_ signs: FormatSigns, _ records: LogRecordReader) {
    self.records = records
    texts = signs.readers.isEmpty ? nil : signs.texts.map { TextSigns($0 + Self.texts) }
    classes = (0...255).map { (byte: UInt8) in
      switch byte {
      case Ascii.openBrace: .openBrace
      case Ascii.openBracket: .openBracket
      case TextSource.escape: .escape
      case _ where Ascii.isDigit(byte): .digit
      case _ where Ascii.isUppercase(byte): .uppercase
      case _ where Ascii.isPunctuation(byte): .punctuation
      default: .none
      }
    }
    firstWords = Set((FieldKeys.starting + Self.headings).map { Self.word($0.utf8.prefix(4)) })
    let last = records.field.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
    keys = ([records.field, last].compactMap(\.self) + ["MESSAGE", "stringValue"]).map {
      "\"\($0)\""
    }
    keys.append(Self.docker)
  }

  /// What a report or a part of it may begin with that something else precedes, and what a line of
  /// JSON with a report has.
  private static let texts = [
    "Incident Identifier:", "CrashReporter Key:", "Code Type:", "Process:", "Hardware Model:",
    "Date/Time:", "Exception Type:", "panic(cpu ", "Last Exception Backtrace:", "Binary Images:",
    "Thread ", "Analysis of sampling ", "Sampling process ", "\"threads\"", "bug_type",
    "Backtrace:\\n", "*** Program crashed", "stacktrace", "callStack",
  ]
  private static let headings = [
    "Thread ", "Unknown thread ", "Last Exception ", "Application Specific ", "Binary Images",
    "STACK OF ",
  ]

  private static let docker = "\"log\""

  private static func word(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Looks at every line.
  static let none = LineSieve(.none, LogRecordReader())

  /// The buffer begins at another byte now.
  mutating func move(by distance: Int) {
    text.offset += distance
    brace.offset += distance
  }

  /// The start of the first line that may begin a report; `end` if there is none.
  ///
  /// - Parameters:
  ///   - start: the start of a line.
  ///   - end: the end of a line.
  mutating func firstLine(in source: TextSource, from start: Int, to end: Int) -> Int {
    guard let texts else { return start }
    let bytes = source.bytes.span
    var position = start
    while position < end {
      if text.offset < position || !text.isThere && text.offset < end {
        text.offset = texts.firstOffset(in: bytes, from: max(position, text.offset), to: end)
        text.isThere = text.offset < end
      }
      if brace.offset < position || !brace.isThere && brace.offset < end {
        let limited = bytes.extracting(0..<end)
        brace.offset = limited.firstOffset(of: Ascii.openBrace, from: max(position, brace.offset))
        brace.isThere = brace.offset < end
      }
      let lineFeed = bytes.firstOffset(of: Ascii.lineFeed, from: position)
      if text.offset < lineFeed && isSign(at: text.offset, in: source) { return position }
      if mayBegin(source, position, lineFeed) { return position }
      position = lineFeed + 1
    }
    return end
  }

  /// Threads have numbers. The word alone is common.
  private mutating func isSign(at offset: Int, in source: TextSource) -> Bool {
    !source.has("Thread ", at: offset, limit: source.count) || Ascii.isDigit(source[offset + 7])
  }

  private mutating func mayBegin(_ source: TextSource, _ start: Int, _ lineFeed: Int) -> Bool {
    var end = lineFeed
    while end > start, source[end - 1] == Ascii.carriageReturn { end -= 1 }
    let first = source.skipSeparators(from: start, limit: end)
    guard first < end else { return false }
    let line = TextLine(start: start, end: end, next: lineFeed + 1)
    if source[first] == Ascii.openBrace { return mayBeginRecord(source, line, first) }
    if mayBeginPlain(source, line, first) { return true }
    if Ascii.isDigit(source[first]), let record = ContainerLine(line, source) {
      if source[record.tag] == UInt8(ascii: "P") { return true }
      let text = source.skipSeparators(from: record.text.lowerBound, limit: end)
      if text < end, mayBeginPlain(source, line, text) { return true }
    }
    // JSON behind a prefix.
    return brace.offset < min(end, start + 200)
      && source.jsonStart(line).map { source[$0] == Ascii.openBrace } ?? false
  }

  /// Whether a report may begin with the text at `first`.
  private func mayBeginPlain(_ source: TextSource, _ line: TextLine, _ first: Int) -> Bool {
    let byte = source[first]
    var position = first
    switch classes[Int(byte)] {
    case .none, .openBrace: break
    case .escape: return true
    case .openBracket:
      if source.beginsList(at: first, limit: line.end) { return true }
      fallthrough
    case .punctuation:
      while position < line.end,
        Ascii.isPunctuation(source[position]) || source[position] == Ascii.space
          || source[position] == Ascii.tab
      {
        position += 1
      }
      fallthrough
    case .digit:
      // A frame has a number and then a separator; the time of a log has other signs.
      let start = position
      while position < line.end, Ascii.isDigit(source[position]) { position += 1 }
      if position > start, source.separatorLength(at: position, limit: line.end) > 0 {
        return true
      }
    case .uppercase:
      if line.end - first >= 4,
        firstWords.contains(Self.word((0..<4).map { source[first + $0] }))
      {
        return true
      }
    }
    let signs = CrashLogParser.signs
    return signs.knowsLines(from: byte)
      && signs.streamedReport(
        from: TextLine(start: first, end: line.end, next: line.next), at: first, in: source) != nil
  }

  // MARK: Records

  /// Whether a report may begin in an object on one line, which has none of the texts.
  private mutating func mayBeginRecord(
    _ source: TextSource, _ line: TextLine, _ first: Int
  ) -> Bool {
    let last = source.trimEnd(from: first, to: line.end) - 1
    guard source[first + 1] == Ascii.quote, source[last] == Ascii.closeBrace else { return true }
    for index in keys.indices {
      var next = source.find(keys[index], from: first, limit: last)
      guard next != nil else { continue }
      while let key = next {
        let value = key + keys[index].utf8.count
        if mayBeginText(source, line, afterKey: value, isDocker: keys[index] == Self.docker) {
          return true
        }
        next = source.find(keys[index], from: value, limit: last)
      }
      if index > 0 { keys.swapAt(0, index) }
      return false
    }
    note(line, source)
    return false
  }

  private mutating func mayBeginText(
    _ source: TextSource, _ line: TextLine, afterKey end: Int, isDocker: Bool
  ) -> Bool {
    var position = source.skipSeparators(from: end, limit: line.end)
    guard source[position] == Ascii.colon else { return false }
    position = source.skipSeparators(from: position + 1, limit: line.end)
    guard source[position] == Ascii.quote else { return source[position] == Ascii.openBracket }
    position += 1
    let bytes = source.bytes.span
    var lineStart = -1
    var start = position
    while position < line.end {
      if position == start {
        start = -1
        let first = source.skipSeparators(from: position, limit: line.end)
        // What begins with an escape is decoded, unless it is an empty line.
        if source[first] == Ascii.backslash, source[first + 1] != UInt8(ascii: "n") { return true }
        if source[first] != Ascii.quote, mayBeginPlain(source, line, first) { return true }
      }
      if line.end - position >= 8 {
        let stops = bytes.word(at: position).jsonTextStops
        position += stops.trailingZeroBitCount / 8
        if stops == 0 { continue }
      }
      let byte = source[position]
      if byte == Ascii.quote {
        guard isDocker else { return false }
        if position == lineStart { statesLineEnds = true }
        // The line goes on in the next record.
        return statesLineEnds && position != lineStart
      }
      if byte == Ascii.backslash {
        if source[position + 1] == UInt8(ascii: "n") {
          lineStart = position + 2
          start = lineStart
        }
        position += 2
      } else {
        position += 1
      }
    }
    return false
  }

  /// Looks for frames in a record of another shape.
  mutating func note(_ line: TextLine, _ source: TextSource) {
    guard source[source.skipSeparators(from: line.start, limit: line.end)] == Ascii.openBrace,
      hint.map({ $0.recordCount < LogFieldHint.recordLimit }) ?? true,
      LogFieldHint.hasAddress(line, in: source),
      let found = LogFieldHint(line, in: source, records)
    else { return }
    hint = hint?.adding(found) ?? found
  }
}
