import JsonReading
import ReportFormats
import ReportModel
import ReportWrappings
import RuntimeReports
import SymbolicationModel

/// Finds the lines of a stream that may begin a report, so that the others of a log, which are
/// nearly all, are looked at for less than a nanosecond a byte. It may take a line too many:
/// `OpenReport` and `OpenRecords` decide.
struct LineSieve: Sendable {
  /// What may be anywhere in a line; nil if every line must be looked at.
  private let texts: TextSigns?
  private let classes: [LineClass]
  /// Whether a reader knows lines that begin with a byte.
  private let isKnown: [Bool]
  /// For each such byte what the lines must begin with; empty if the byte is enough.
  private let knownWords: [[String]]
  private let firstWords: [UInt32]
  private let records: LogRecordReader
  /// The first text at or after the last line that was looked at, and the first `{`.
  private var text = Found()
  private var brace = Found()
  /// The keys before the text of a record: that of the last record comes first.
  private var keys: [[UInt8]]
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
    case none, digit, openBrace, openBracket, uppercase, punctuation, other
  }

  init(_ signs: FormatSigns, _ records: LogRecordReader) {
    self.records = records
    texts = signs.texts.map { TextSigns($0 + Self.texts + TraceReader.texts) }
    classes = (0...255).map { (byte: UInt8) in
      switch byte {
      case Ascii.openBrace: .openBrace
      case Ascii.openBracket: .openBracket
      // A code for colours, or a no-break space.
      case TextSource.escape, 0xC2: .other
      case _ where Ascii.isDigit(byte): .digit
      case _ where Ascii.isUppercase(byte): .uppercase
      case _ where Ascii.isPunctuation(byte): .punctuation
      default: .none
      }
    }
    firstWords = Set((FieldKeys.starting + Self.headings).map { Self.word($0.utf8.prefix(4)) })
      .sorted()
    isKnown = (0...255).map { signs.knowsLines(from: $0) }
    knownWords = signs.words
    let last = records.field.map { $0.split(separator: ".").last.map(String.init) ?? $0 }
    keys = ([records.field, last].compactMap(\.self) + ["MESSAGE", "stringValue"]).map {
      Array("\"\($0)\"".utf8)
    }
    keys.append(Self.docker)
  }

  /// What a report or a part of it may begin with that something else precedes, and what a line of
  /// JSON with a report has.
  private static let texts = [
    "Incident Identifier:", "CrashReporter Key:", "Code Type:", "Process:", "Hardware Model:",
    "Date/Time:", "Exception Type:", "panic(cpu ", "Last Exception Backtrace:", "Binary Images:",
    "Thread ", "Analysis of sampling ", "Sampling process ", "\"threads\"", "bug_type",
    "Backtrace:\\n", "*** Program crashed", "stacktrace", "callStack", "#012Stack trace of",
    "#012#0  0x", "#012#0 0x", "Sanitizer: ",
  ]
  private static let headings = [
    "Thread ", "Unknown thread ", "Last Exception ", "Application Specific ", "Binary Images",
    "STACK OF ",
  ]

  private static let docker = Array("\"log\"".utf8)

  private static func word(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// For the texts in records.
  static let ofTexts = LineSieve(CrashLogParser.signs, LogRecordReader())

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
      while text.offset < lineFeed {
        if isSign(at: text.offset, in: source) { return position }
        text.offset = texts.firstOffset(in: bytes, from: text.offset + 1, to: end)
        text.isThere = text.offset < end
      }
      if mayBegin(source, position, lineFeed) { return position }
      position = lineFeed + 1
    }
    return end
  }

  /// Threads have numbers. The word alone is common.
  private func isSign(at offset: Int, in source: TextSource) -> Bool {
    !source.has("Thread ", at: offset, limit: source.count) || Ascii.isDigit(source[offset + 7])
  }

  private mutating func mayBegin(_ source: TextSource, _ start: Int, _ lineFeed: Int) -> Bool {
    let bytes = source.bytes.span
    var end = lineFeed
    while end > start, bytes[end - 1] == Ascii.carriageReturn { end -= 1 }
    let first = Self.skipBlanks(bytes, from: start, to: end)
    guard first < end else { return false }
    let line = TextLine(start: start, end: end, next: lineFeed + 1)
    if bytes[first] == UInt8(ascii: "{") { return mayBeginRecord(source, line, first) }
    if mayBeginPlain(source, line, first) { return true }
    if let record = ContainerLine(bytes, line) {
      if record.isPart { return true }
      let text = Self.skipBlanks(bytes, from: record.text.lowerBound, to: end)
      if text < end, mayBeginPlain(source, line, text) { return true }
    }
    // JSON behind a prefix.
    return brace.offset < min(end, start + 200)
      && source.jsonStart(line).map { source[$0] == Ascii.openBrace } ?? false
  }

  @inline(__always)
  private static func skipBlanks(_ bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var position = start
    while position < end, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
    return position
  }

  /// Whether a report may begin with the text at `first`.
  private func mayBeginPlain(_ source: TextSource, _ line: TextLine, _ first: Int) -> Bool {
    let bytes = source.bytes.span
    let byte = bytes[first]
    var position = first
    switch classes[Int(byte)] {
    case .none, .openBrace: break
    case .other: return true
    case .openBracket:
      if source.beginsList(at: first, limit: line.end) { return true }
      fallthrough
    case .punctuation:
      while position < line.end {
        let next = classes[Int(bytes[position])]
        guard
          next == .punctuation || next == .openBracket || next == .openBrace
            || bytes[position] == 0x20 || bytes[position] == 0x09
        else { break }
        position += 1
      }
      fallthrough
    case .digit:
      // A frame has a number and then a separator; the time of a log has other signs.
      let start = position
      while position < line.end, bytes[position] &- 0x30 < 10 { position += 1 }
      if position > start, position < line.end,
        bytes[position] == 0x20 || bytes[position] == 0x09 || bytes[position] == 0xC2
      {
        return true
      }
    case .uppercase:
      if line.end - first >= 4, firstWords.contains(Self.word((0..<4).map { bytes[first + $0] })) {
        return true
      }
    }
    guard isKnown[Int(byte)] else { return false }
    let words = knownWords[Int(byte)]
    guard words.isEmpty || words.contains(where: { source.has($0, at: first, limit: line.end) })
    else { return false }
    let text = TextLine(start: first, end: textEnd(source, line, first), next: line.next)
    return CrashLogParser.signs.beginsStreamedReport(text, at: first, in: source)
  }

  /// Where the text ends that begins at `first`: in the string of a record, frames of glibc are
  /// known by their last byte.
  private func textEnd(_ source: TextSource, _ line: TextLine, _ first: Int) -> Int {
    guard first > line.start, source[line.end - 1] == UInt8(ascii: "}"),
      let bracket = source.find("[0x", from: first, limit: line.end),
      let close = source.find("]", from: bracket, limit: line.end)
    else { return line.end }
    return close + 1
  }

  // MARK: Records

  /// Whether a report may begin in an object on one line, which has none of the texts.
  private mutating func mayBeginRecord(
    _ source: TextSource, _ line: TextLine, _ first: Int
  ) -> Bool {
    let bytes = source.bytes.span
    var last = line.end - 1
    while bytes[last] == 0x20 { last -= 1 }
    guard bytes[first + 1] == UInt8(ascii: "\""), bytes[last] == UInt8(ascii: "}") else {
      return true
    }
    for index in keys.indices {
      let key = keys[index]
      var next = Self.place(of: key, in: bytes, from: first, to: last)
      guard next < last else { continue }
      while next < last {
        let value = next + key.count
        if mayBeginText(source, line, afterKey: value, isDocker: key == Self.docker) {
          return true
        }
        next = Self.place(of: key, in: bytes, from: value, to: last)
      }
      if index > 0 { keys.swapAt(0, index) }
      return false
    }
    note(line, source)
    return false
  }

  /// The offset of a key with its quotes; `end` if it is not there.
  private static func place(
    of key: [UInt8], in bytes: Span<UInt8>, from start: Int, to end: Int
  ) -> Int {
    let bytes = bytes.extracting(0..<end)
    let key = key.span
    // Quotes are everywhere; the byte after the first one is rare.
    var next = bytes.firstOffset(of: key[1], from: start + 1)
    while end - next >= key.count {
      var length = 0
      while length < key.count, bytes[next - 1 + length] == key[length] { length += 1 }
      if length == key.count { return next - 1 }
      next = bytes.firstOffset(of: key[1], from: next + 1)
    }
    return end
  }

  private mutating func mayBeginText(
    _ source: TextSource, _ line: TextLine, afterKey keyEnd: Int, isDocker: Bool
  ) -> Bool {
    let (bytes, end) = (source.bytes.span, line.end)
    var position = Self.skipBlanks(bytes, from: keyEnd, to: end)
    guard position < end, bytes[position] == UInt8(ascii: ":") else { return false }
    position = Self.skipBlanks(bytes, from: position + 1, to: end)
    guard position < end, bytes[position] == UInt8(ascii: "\"") else {
      return position < end && bytes[position] == UInt8(ascii: "[")
    }
    position += 1
    var (lineStart, isAtStart) = (-1, true)
    while position < end {
      if isAtStart {
        isAtStart = false
        let first = Self.skipBlanks(bytes, from: position, to: end - 1)
        // What begins with an escape is decoded, unless it is an empty line.
        if bytes[first] == UInt8(ascii: "\\") {
          if bytes[first + 1] != UInt8(ascii: "n") { return true }
        } else if bytes[first] != UInt8(ascii: "\""), mayBeginPlain(source, line, first) {
          return true
        }
      }
      if end - position >= 16 {
        let stops = bytes.block(at: position).jsonTextStops
        position += stops.firstLane
        if !stops.hasLanes { continue }
      }
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        guard isDocker else { return false }
        if position == lineStart { statesLineEnds = true }
        // The line goes on in the next record.
        return statesLineEnds && position != lineStart
      }
      if byte == UInt8(ascii: "\\") {
        if position + 1 < end, bytes[position + 1] == UInt8(ascii: "n") {
          lineStart = position + 2
          isAtStart = true
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
