internal import SymbolicationModel

/// Collects the parts of one report, line by line.
///
/// What a line means depends on the section it stands in: a line that has the form of a frame is one
/// only below the heading of a thread or a backtrace, a line that has the form of a field only in the
/// head.
struct TextReportBuilder {
  enum Section {
    case head
    case regions
    case thread
    case lastException
    case applicationBacktrace
    case registers
    case images
    case other
  }

  let source: TextSource
  let start: Int
  let startKind: ReportStart
  var end: Int
  var section = Section.head
  /// Whether the lines since the last one that was understood are all part of its paragraph.
  var isAttached = true
  /// Whether the line before was a frame, which this one may go on with.
  var followsFrame = false
  /// Whether the open thread may still get its heading: only its `Thread N name:` was read.
  var hasOpenNameLine = false
  var hasHeadings = false
  private(set) var isClosed = false

  var header: JsonHeader?
  var fields: [HeaderField] = []
  var threads: [CrashThread] = []
  var lastException: Backtrace?
  var applicationBacktraces: [Backtrace] = []
  var threadStates: [ThreadState] = []
  var images: [BinaryImage] = []
  var faults: [ParseFault] = []

  init(source: TextSource, start: TextLine, kind: ReportStart) {
    self.source = source
    self.start = start.start
    self.end = start.end
    self.startKind = kind
    if kind == .frames { openThreadWithoutHeading(at: start) }
  }

  private var hasBody: Bool {
    !threads.isEmpty || !images.isEmpty || lastException != nil || !applicationBacktraces.isEmpty
  }

  /// Whether the line is the first one of another report.
  func isFollowedByReport(at line: TextLine) -> Bool {
    guard line.start > start, source.isFirstLineOfReport(line) else { return false }
    guard let key = source.fieldLine(line)?.key else { return true }
    if hasBody { return true }
    let name = source.string(key.range)
    if fields.contains(where: { $0.hasKey(name) }) { return true }
    // What was taken for the beginning was not yet the report, if this names the process at last, in
    // another paragraph.
    let namesProcess = name == "Process" || name == "Incident Identifier"
    return namesProcess && !isAttached && header == nil
      && !fields.contains { $0.hasKey("Process") || $0.hasKey("Incident Identifier") }
  }

  // MARK: Lines

  /// Takes one line, or more where they belong together, and returns where to go on.
  mutating func consume(_ line: TextLine) -> Int {
    let first = source.skipSeparators(from: line.start, limit: line.end)
    guard first < line.end else {
      isAttached = false
      followsFrame = false
      return line.next
    }
    let wasFrame = followsFrame
    followsFrame = false
    let byte = source[first]
    if Ascii.isDigit(byte) {
      consumeNumberLine(line)
      return line.next
    }
    if line.start == start, startKind == .jsonHeader {
      consumeJsonHeader(line)
      return line.next
    }
    if let thread = threadLine(line, byte) {
      consumeThreadLine(thread, line)
      return line.next
    }
    if let heading = source.sectionHeading(line) {
      consumeHeading(heading, line)
      return line.next
    }
    if wasFrame, let next = consumeContinuation(line) { return next }
    if byte == Ascii.openParenthesis, let next = consumeAddressList(line, at: first) { return next }
    if !consumeField(line, byte) { consumeText(line, isIndented: first > line.start) }
    return line.next
  }

  private func threadLine(_ line: TextLine, _ byte: UInt8) -> ThreadLine? {
    byte == UInt8(ascii: "T") || byte == UInt8(ascii: "U") ? source.threadLine(line) : nil
  }

  /// Lines that begin with a digit: frames and images, each in its section only.
  private mutating func consumeNumberLine(_ line: TextLine) {
    switch section {
    case .thread, .lastException, .applicationBacktrace: consumeFrameLine(line)
    case .images: consumeImageLine(line)
    case .head:
      if case .frame(let frame) = source.frameLine(line), frame.isUnmistakable {
        openThreadWithoutHeading(at: line)
        append(frame)
      } else {
        consumeText(line, isIndented: false)
      }
    default:
      consumeText(line, isIndented: source.separatorLength(at: line.start, limit: line.end) > 0)
    }
  }

  private mutating func consumeJsonHeader(_ line: TextLine) {
    header = JsonHeader(source.bytes, in: line.start..<line.end)
    if header == nil { addFault(.damagedJsonHeader, line) }
    note(line)
  }

  private mutating func consumeHeading(_ heading: SectionHeading, _ line: TextLine) {
    switch heading {
    case .end:
      isClosed = true
      return
    case .endOfFile: isClosed = true
    case .lastException:
      section = .lastException
      if lastException == nil {
        lastException = Backtrace(number: nil, byteRange: line.start..<line.end)
      } else {
        section = .other
      }
    case .applicationBacktrace(let number):
      section = .applicationBacktrace
      if number == nil { addFault(.unreadableNumber, line) }
      applicationBacktraces.append(Backtrace(number: number, byteRange: line.start..<line.end))
    case .images: section = .images
    case .regions: section = threads.isEmpty ? .regions : .other
    case .other: section = .other
    }
    hasHeadings = true
    note(line)
  }

  private mutating func consumeImageLine(_ line: TextLine) {
    switch source.imageLine(line) {
    case .image(let image, let hasReadableIdentity):
      images.append(image)
      if !hasReadableIdentity { addFault(.unreadableImageIdentity, line) }
      note(line)
    case .damaged:
      addFault(line.isTerminated ? .unreadableImage : .cutLine, line)
      note(line)
    case .other:
      if !line.isTerminated { addFault(.cutLine, line) }
      consumeText(line, isIndented: false)
    }
  }

  /// A field of the head; false for a line that is none. A key without a value ends threads and images:
  /// it is the heading of something that is not known here.
  private mutating func consumeField(_ line: TextLine, _ byte: UInt8) -> Bool {
    guard Ascii.isUppercase(byte), let field = source.fieldLine(line) else { return false }
    switch section {
    case .head: break
    case .regions:
      guard FieldKeys.known.contains(source.string(field.key.range)) else { return false }
      section = .head
    case .other:
      guard threads.isEmpty, FieldKeys.late.contains(source.string(field.key.range)) else {
        return false
      }
    case .registers: return false
    case .thread, .lastException, .applicationBacktrace, .images:
      if field.value.isEmpty { section = .other }
      return false
    }
    fields.append(HeaderField(source: source, line: line, field: field))
    note(line)
    return true
  }

  /// A line that means nothing here: part of the report where it goes on with a paragraph or a table.
  private mutating func consumeText(_ line: TextLine, isIndented: Bool) {
    if section == .registers { extendThreadState(line, isIndented: isIndented) }
    if isAttached || isIndented { note(line) }
  }

  // MARK: Bookkeeping

  mutating func note(_ line: TextLine) {
    end = max(end, line.end)
    isAttached = true
  }

  mutating func addFault(_ kind: ParseFault.Kind, _ line: TextLine) {
    faults.append(ParseFault(kind: kind, byteRange: line.start..<line.end))
  }

  /// The report, or nil where what was collected is none.
  func finish() -> CrashReport? {
    if !hasBody {
      let keys = Set(fields.map(\.key))
      guard keys.intersection(FieldKeys.known).count >= 3,
        !keys.isDisjoint(with: FieldKeys.naming)
      else { return nil }
    }
    let format: ReportFormat =
      startKind == .jsonHeader
      ? .crashTextWithJsonHeader
      : fields.isEmpty && !hasHeadings ? .frameFragment : .crashText
    return CrashReport(
      format: format, byteRange: start..<end, header: header, fields: fields, threads: threads,
      lastExceptionBacktrace: lastException, applicationSpecificBacktraces: applicationBacktraces,
      threadStates: threadStates, images: images, faults: faults)
  }
}
