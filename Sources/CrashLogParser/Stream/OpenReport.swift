import JsonReading
import ReportFormats
import ReportModel
import ReportWrappings
import SymbolicationModel

/// What may be a report, while its lines come. It decides by few signs, and rather takes a line too
/// many: lines that are no part of the report come out as they are.
struct OpenReport: Sendable {
  /// Offsets in the buffer of the stream.
  var start: Int
  private(set) var secondLine: Int
  /// What a log puts before each line; nil if there is nothing.
  private let prefix: LinePrefix?
  var kind: Kind
  /// Whether all signs so far are frames.
  var isFragment = false
  /// Whether more than the first line speaks for a report.
  var isConfirmed: Bool
  private var lineCount = 1
  /// The lines in a row that are no known part of a report.
  private var looseCount = 0
  /// The offset after the last line that is not one of them.
  private var partEnd: Int
  /// The lines in a row inside an object that look like lines of a log.
  private var foreignCount = 0
  var object = JsonExtent()
  var images = ImageList.absent
  /// The key of the field on the first line.
  var firstKey: String?

  enum Kind {
    /// Apple's text, and what is like it: its list of images is the end.
    case text
    /// A text with a list of images for each of its processes: only a pause is the end.
    case processes
    /// Another text: its reader knows what each line is.
    case lines(any StreamedLines)
    /// An object, or a list of objects: its last bracket is the end.
    case json
    /// The header of an `.ips`, above its body.
    case header
  }

  enum ImageList {
    case absent
    /// The heading was there.
    case begun
    case filled
    /// An empty line follows it.
    case left
  }

  enum Verdict {
    case belongs
    /// The line belongs to the report, and nothing behind it does.
    case isLast
    /// The line is behind the report.
    case follows
    /// The lines so far are no report.
    case isNone
  }

  enum Beginning {
    case open(OpenReport)
    /// The line is a document of its own.
    case whole
  }

  /// So many lines without a sign of a report end one that was cut, in a log that goes on.
  private static let looseLimit = 300
  /// So many end frames with nothing around them, whose report ends with the last frame.
  private static let looseLimitOfFrames = 100
  /// Within so many lines the first one must be confirmed. That of a text may be a field that
  /// `TextSource.reportStart` looks further below.
  private static let confirmationLimit = 8

  private var mayBeConfirmed: Bool {
    isConfirmed
      || lineCount <= (firstKey.map(FieldKeys.confirmationLimit) ?? Self.confirmationLimit)
  }

  init(
    _ kind: Kind, _ line: TextLine, prefix: LinePrefix? = nil, isConfirmed: Bool,
    firstKey: String? = nil
  ) {
    start = line.start
    secondLine = line.next
    partEnd = line.next
    self.prefix = prefix
    self.kind = kind
    self.isConfirmed = isConfirmed
    self.firstKey = firstKey
  }

  /// The buffer begins at another byte now.
  mutating func move(by distance: Int) {
    start += distance
    secondLine += distance
    partEnd += distance
  }

  /// Where the report ended if its end was known from lines that are no part of it.
  var endBeforeLooseLines: Int? {
    switch kind {
    case .text, .lines: looseCount >= looseLimit ? partEnd : nil
    case .json, .header, .processes: nil
    }
  }

  /// Whether a JSON object is not complete.
  var isInsideObject: Bool { object.depth > 0 }

  private var looseLimit: Int {
    if case .lines(let lines) = kind, let limit = lines.looseLimit { return limit }
    return isFragment ? Self.looseLimitOfFrames : Self.looseLimit
  }

  private var isText: Bool {
    switch kind {
    case .text, .processes: true
    case .lines, .json, .header: false
    }
  }

  mutating func take(_ line: TextLine, of source: TextSource) -> Verdict {
    defer { if looseCount == 0 { partEnd = line.next } }
    return takeNext(line, of: source)
  }

  private mutating func takeNext(_ line: TextLine, of source: TextSource) -> Verdict {
    lineCount += 1
    let line = source.withoutOuterColours(line)
    let start = prefix?.end(in: source, line) ?? line.start
    let content = TextLine(start: start, end: line.end, next: line.next)
    if object.depth > 0 { return takeObject(content, of: source) }
    switch kind {
    case .header: return takeBelowHeader(content, of: source)
    case .json: return .follows
    case .lines(let lines): return take(content, lines, of: source)
    case .text, .processes: return takeText(content, of: source)
    }
  }

  private mutating func takeObject(_ line: TextLine, of source: TextSource) -> Verdict {
    let first = source.skipSeparators(from: line.start, limit: line.end)
    if isText, Ascii.isWord(source[first]) {
      // A bracket in a text. JSON in a text has quotes and brackets before its words.
      object = JsonExtent()
      return takeText(line, of: source)
    }
    if first < line.end, !JsonExtent.mayContinue(with: source[first]) {
      looseCount += 1
      // A member of a report speaks for damage, or for lines that a mail broke.
      guard object.isReport, looseCount < Self.looseLimit else { return endOfLoose }
    }
    // An object that was cut is followed by other lines of the log, which may be JSON too.
    foreignCount = Self.isForeign(line, first, of: source) ? foreignCount + 1 : 0
    guard foreignCount < (object.isReport ? Self.looseLimit : Self.confirmationLimit) else {
      return .follows
    }
    object.take(source, first..<line.end)
    guard object.depth <= 0 else { return .belongs }
    switch kind {
    case .json where object.isHeader && !object.hasThreads:
      kind = .header
      return .belongs
    case .json: return .isLast
    case .header, .lines, .text, .processes: return .belongs
    }
  }

  /// Whether a line inside an object begins like a line of a log: with a time, or with an object of
  /// its own. Where JSON has such a line, it is indented, or a comma or bracket ends it.
  private static func isForeign(_ line: TextLine, _ first: Int, of source: TextSource) -> Bool {
    guard first == line.start, first < line.end,
      Ascii.isDigit(source[first]) || source[first] == Ascii.openBrace
    else { return false }
    let last = source[source.trimEnd(from: line.start, to: line.end) - 1]
    return last != Ascii.comma && last != Ascii.openBrace && last != Ascii.openBracket
  }

  /// What many lines without a sign mean.
  private var endOfLoose: Verdict {
    switch kind {
    // More lines are not looked at again, so that the time stays linear.
    case .json, .header:
      object.isReport || isConfirmed || lineCount > Self.confirmationLimit ? .follows : .isNone
    case .lines, .text, .processes: .follows
    }
  }

  private mutating func takeBelowHeader(_ line: TextLine, of source: TextSource) -> Verdict {
    let first = source.skipSeparators(from: line.start, limit: line.end)
    guard first < line.end else { return lineCount > Self.confirmationLimit ? .follows : .belongs }
    if source[first] == Ascii.openBrace {
      kind = .json
      object = JsonExtent()
      object.take(source, first..<line.end)
      if object.depth > 0 { return .belongs }
      // Two headers: the second one may have a body.
      guard object.isHeader, !object.hasThreads else { return .isLast }
      kind = .header
      return .belongs
    }
    guard let field = source.fieldLine(line),
      FieldKeys.known.contains(source.string(field.key.range))
    else { return .follows }
    kind = .text
    isConfirmed = true
    return takeText(line, of: source)
  }

  private mutating func take(
    _ line: TextLine, _ lines: any StreamedLines, of source: TextSource
  ) -> Verdict {
    switch lines.place(of: line, in: source) {
    case .part: return countLoose(false)
    case .loose: return countLoose(true)
    case .last: return .isLast
    case .other:
      let first = source.skipSeparators(from: line.start, limit: line.end)
      if source[first] == Ascii.openBrace, Self.beginObject(line, at: first, of: source) != nil {
        return .follows
      }
      return countLoose(source.find("0x", from: line.start, limit: line.end) == nil)
    }
  }

  private mutating func takeText(_ line: TextLine, of source: TextSource) -> Verdict {
    let first = source.skipSeparators(from: line.start, limit: line.end)
    guard first < line.end else {
      if images == .filled { images = .left }
      return mayBeConfirmed ? .belongs : .isNone
    }
    let byte = source[first]
    switch images {
    case .absent: break
    case .begun, .filled, .left:
      switch byte == Ascii.zero ? source.imageLine(line) : .other {
      case .image, .damaged:
        images = .filled
        isConfirmed = true
        return countLoose(false)
      case .other:
        if let verdict = takeBehindImages(line, of: source) { return verdict }
      }
    }
    let isPart = isSign(line, byte, first, of: source)
    guard mayBeConfirmed else { return .isNone }
    // Registers, regions and the trees of samples are indented.
    return countLoose(!isPart && first == line.start)
  }

  /// A line that is no image, below the heading of the images.
  ///
  /// - Returns: nil if it is looked at like any other.
  private mutating func takeBehindImages(_ line: TextLine, of source: TextSource) -> Verdict? {
    guard case .text = kind else { return nil }
    if source.sectionHeading(line) == .endOfFile { return .isLast }
    guard images != .begun else { return nil }
    // The lines below it may not have come yet.
    if CrashLogParser.signs.beginsReport(line, in: source) { return .follows }
    if let field = source.fieldLine(line), FieldKeys.first.contains(source.string(field.key.range))
    {
      return .follows
    }
    if images == .left { return .follows }
    // A line that a mail broke is followed by more images.
    return looseCount < 3 ? nil : .follows
  }

  /// Whether a line is part of a report for certain. It may confirm that there is one, and say of
  /// which kind it is.
  private mutating func isSign(
    _ line: TextLine, _ byte: UInt8, _ first: Int, of source: TextSource
  ) -> Bool {
    if Ascii.isDigit(byte) {
      guard case .frame = source.frameLine(line) else { return false }
      isConfirmed = true
      return true
    }
    if byte == Ascii.openParenthesis, source.has("(0x", at: first, limit: line.end) {
      isConfirmed = true
      return true
    }
    if byte == Ascii.openBrace {
      // JSON in a text, such as that of the app, or the report once more.
      object = JsonExtent()
      object.take(source, first..<line.end)
      return true
    }
    guard Ascii.isUppercase(byte) else { return false }
    if source.threadLine(line) != nil {
      isFragment = false
      return true
    }
    if let heading = source.sectionHeading(line) {
      isFragment = false
      if heading == .images { images = .begun }
      return true
    }
    guard let field = source.fieldLine(line) else { return false }
    let key = source.string(field.key.range)
    if key == "Data Source" || key == "Steps" { kind = .processes }
    guard FieldKeys.known.contains(key) else { return false }
    if key != firstKey { isConfirmed = true }
    isFragment = false
    return true
  }

  private mutating func countLoose(_ isLoose: Bool) -> Verdict {
    looseCount = isLoose ? looseCount + 1 : 0
    return looseCount < looseLimit ? .belongs : .follows
  }
}
