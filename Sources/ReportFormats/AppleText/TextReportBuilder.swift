import JsonReading
import ReportModel
import SymbolicationModel

/// Collects the parts of one report, line by line.
///
/// What a line means depends on its section: a line that looks like a frame is one only below the
/// heading of a backtrace, and a line that looks like a field is one only in the head.
struct TextReportBuilder {
  package enum Section {
    case head
    case regions
    /// Below the heading of the last of `backtraces`.
    case backtrace
    case registers
    case images
    /// The table of an old report about memory.
    case processes
    case other
  }

  let source: TextSource
  private let signs: FormatSigns
  let allowance: ReportAllowance
  let start: Int
  let startKind: ReportStart
  var end: Int
  var section = Section.head
  /// Whether no blank line separates the current line from the last one that was understood.
  var isAttached = true
  /// Whether the line before was a frame, which may continue on this one.
  var followsFrame = false
  /// Whether only `Thread N name:` of the open thread was read, and its heading may still follow.
  var hasOpenNameLine = false
  var hasHeadings = false
  /// Whether JSON began below threads or images, and nothing of this report followed. It may be a
  /// report of its own, or a line of a log.
  var isBehindDocument = false
  private(set) var isClosed = false

  var header: JsonHeader?
  var fields: [HeaderField] = []
  private var notes = HeadNotes()
  /// In the order of the report.
  var backtraces: [OpenBacktrace] = []
  private(set) var hasThreads = false
  private var hasLastException = false
  var threadStates: [ThreadState] = []
  private var memory = MemoryTable()
  var images: [BinaryImage] = []
  var faults: [ParseFault] = []
  /// The starts of lines among fields, frames or images that are none of these, nor separate from
  /// them.
  private(set) var looseLines: [Int] = []

  init(
    source: TextSource, start: TextLine, kind: ReportStart, signs: FormatSigns,
    allowance: ReportAllowance
  ) {
    self.source = source
    self.signs = signs
    self.allowance = allowance
    self.start = start.start
    self.end = start.end
    self.startKind = kind
    notes.takeLastWords(above: start.start, of: source)
    notes.takeSections(above: start, of: source)
    if kind == .frames { open(.thread, number: nil, at: start) }
  }

  var hasBody: Bool { !backtraces.isEmpty || !images.isEmpty }

  /// Whether the line is the first one of another report.
  func isFollowedByReport(at line: TextLine) -> Bool {
    guard line.start > start else { return false }
    // The head may have a date, too.
    if hasBody || source[line.start] != UInt8(ascii: "D"), signs.beginsReport(line, in: source) {
      return true
    }
    guard let first = source.firstLine(ofReportAt: line, signs) else { return false }
    if case .field(let key) = first, !hasBody, fields.firstIndex(of: key) == nil {
      // The report begins only here if this line, in another paragraph, is the first to name the
      // process.
      guard key == "Process" || key == "Incident Identifier", !isAttached, header == nil,
        fields.firstIndex(of: "Process") == nil
          && fields.firstIndex(of: "Incident Identifier") == nil
      else { return false }
    }
    return source.isFollowed(first, line)
  }

  // MARK: Lines

  /// Takes a line, and those after it that belong to it.
  ///
  /// - Returns: the offset of the next line to take.
  mutating func consume(_ line: TextLine) -> Int {
    let fieldCount = fields.count
    let next = consumeLine(line)
    // A paragraph of the head may be below threads.
    if !hasBody || section == .head || section == .regions {
      let isPlain = fields.count == fieldCount + 1 && fields[fieldCount].isPlain
      notes.take(line, of: source, mayBeWords: !isPlain)
    }
    return next
  }

  private mutating func consumeLine(_ line: TextLine) -> Int {
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
    if section == .processes, memory.takeProcess(line, of: source) {
      note(line)
      return line.next
    }
    if section == .backtrace, appendNamed(line, at: first) { return line.next }
    if let next = consumeField(line, byte) { return next }
    consumeText(line, isIndented: first > line.start)
    return line.next
  }

  private func threadLine(_ line: TextLine, _ byte: UInt8) -> ThreadLine? {
    byte == UInt8(ascii: "U") || TextSource.mayBeginHeading(byte)
      || line.start == start && TextSource.isCutThread(byte) ? source.threadLine(line) : nil
  }

  /// Takes a line that begins with a digit: a frame or an image, depending on the section.
  private mutating func consumeNumberLine(_ line: TextLine) {
    switch section {
    case .backtrace: consumeFrameLine(line)
    case .images: consumeImageLine(line)
    case .processes where memory.takeProcess(line, of: source): note(line)
    case .head where beginsRoboVMStack(line), .regions where beginsRoboVMStack(line):
      open(.thread, number: nil, at: line)
      isAttached = true
      consumeFrameLine(line)
    case .head where beginsCrashedThread(line) && mayOpenBacktrace(at: line):
      open(.thread, number: fields.triggeredThreadNumber, at: line)
      backtraces[backtraces.count - 1].isCrashed = true
      consumeFrameLine(line)
    case .head:
      if case .frame(let frame, let address) = source.frameLine(line),
        isBelowCallStack || frame.isUnmistakable(address) || isFirstFrame(frame, address),
        mayOpenBacktrace(at: line)
      {
        let isOfCrash = isBelowCallStack
        let isException = isOfCrash && fields["Reason"] != nil
        open(
          isException ? .lastException : .thread,
          number: isOfCrash ? fields.triggeredThreadNumber : nil, at: line)
        backtraces[backtraces.count - 1].isCrashed = isOfCrash && !isException
        append(frame, address)
      } else if isBrokenFirstFrame(line), mayOpenBacktrace(at: line) {
        // It is a frame once the lines are joined.
        open(.thread, number: nil, at: line)
        isAttached = true
        consumeFrameLine(line)
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
      if hasLastException {
        section = .other
      } else if mayOpenBacktrace(at: line) {
        open(.lastException, number: nil, at: line)
      }
    case .applicationBacktrace(let number):
      if number == nil { addFault(.unreadableNumber, line) }
      if mayOpenBacktrace(at: line) { open(.applicationSpecific, number: number, at: line) }
    case .leakStack:
      if mayOpenBacktrace(at: line) {
        open(.thread, number: nil, at: line)
        backtraces[backtraces.count - 1].isOutermostFirst = true
        backtraces[backtraces.count - 1].name = source.leakName(line)
      }
    case .images: section = .images
    case .regions: section = hasThreads && section != .head ? .other : .regions
    case .other: section = .other
    }
    hasHeadings = true
    note(line)
  }

  private mutating func consumeImageLine(_ line: TextLine) {
    switch source.imageLine(line) {
    case .image(let image, let hasReadableIdentity):
      if allowance.takeImage(at: line.start..<line.end, &faults) {
        images.append(image)
        if !hasReadableIdentity { addFault(.unreadableImageIdentity, line) }
      }
      note(line)
    case .damaged where isBehindDocument: break
    case .damaged:
      addFault(line.isTerminated ? .unreadableImage : .cutLine, line)
      note(line)
    case .other:
      if !line.isTerminated, !isBehindDocument { addFault(.cutLine, line) }
      consumeText(line, isIndented: false)
    }
  }

  /// Takes a field of the head. A key without a value ends threads and images: it is an unknown
  /// heading.
  ///
  /// - Returns: the offset of the next line; nil if the line is not a field.
  private mutating func consumeField(_ line: TextLine, _ byte: UInt8) -> Int? {
    guard Ascii.isUppercase(byte), let field = source.fieldLine(line) else { return nil }
    switch section {
    case .head: break
    case .regions:
      guard FieldKeys.known.contains(source.string(field.key.range)) else { return nil }
      section = .head
    case .other:
      guard !hasThreads, FieldKeys.late.contains(source.string(field.key.range)) else {
        return nil
      }
    case .registers, .processes: return nil
    case .backtrace where isHeadBelowThread(field): section = .head
    case .backtrace, .images:
      if field.value.isEmpty { section = .other }
      return nil
    }
    let below = source.line(at: line.next)
    let headerField = HeaderField(source: source, line: line, field: field)
    guard let joined = headerField.joinedFields(below: below) else {
      fields.append(headerField)
      note(line)
      return line.next
    }
    fields += joined.fields
    note(joined.takesLineBelow ? below : line)
    return joined.takesLineBelow ? below.next : line.next
  }

  /// Whether a paragraph of the head begins below a thread, as in reports that somebody shortened.
  private func isHeadBelowThread(_ field: FieldLine) -> Bool {
    guard !isAttached else { return false }
    let name = source.string(field.key.range)
    return FieldKeys.late.contains(name) && fields.firstIndex(of: name) == nil
  }

  /// Takes a line without a meaning here. It belongs to the report if it continues a paragraph or a
  /// table.
  private mutating func consumeText(_ line: TextLine, isIndented: Bool) {
    if hasBody, source.beginsDocument(line) { isBehindDocument = true }
    if isBehindDocument { return }
    if section == .head, MemoryTable.isHeading(line, of: source), fields.areAboutMemory {
      section = .processes
      note(line)
      return
    }
    if section == .registers { extendThreadState(line, isIndented: isIndented) }
    if section == .backtrace || section == .images || section == .head && !fields.isEmpty {
      noteLoose(line)
    }
    if isAttached || isIndented { note(line) }
  }

  // MARK: Bookkeeping

  /// Whether another backtrace may be opened. If not, what follows is passed over.
  mutating func mayOpenBacktrace(at line: TextLine) -> Bool {
    if allowance.takeThread(at: line.start..<line.end, &faults) { return true }
    section = .other
    return false
  }

  /// Opens a backtrace, which the frames that follow belong to.
  mutating func open(_ kind: Backtrace.Kind, number: Int?, at line: TextLine) {
    section = .backtrace
    backtraces.append(OpenBacktrace(kind, number: number, heading: line))
    hasOpenNameLine = false
    if kind == .thread { hasThreads = true }
    if kind == .lastException { hasLastException = true }
  }

  mutating func note(_ line: TextLine) {
    end = max(end, line.end)
    isAttached = true
    isBehindDocument = false
  }

  /// Remembers a line that may be the rest of the line before it. Source lines are indented by more
  /// than three spaces.
  mutating func noteLoose(_ line: TextLine) {
    guard isAttached else { return }
    let start = source.skipSeparators(from: line.start, limit: line.end)
    guard start - line.start <= 3, !source.isNoContinuation(start..<line.end) else { return }
    looseLines.append(line.start)
  }

  mutating func addFault(_ kind: ParseFault.Kind, _ line: TextLine) {
    faults.append(ParseFault(kind: kind, byteRange: line.start..<line.end))
  }

  /// Whether this is the head of another report once more: what an answer quotes from a report that
  /// stands above it.
  ///
  /// - Parameter report: a report with a thread, an image or an exception of its own.
  func isQuoted(from report: Report) -> Bool {
    let known = report.facts.fields
    return !hasBody && !fields.isEmpty
      && fields.allSatisfy { field in
        known.contains { field.hasKey($0.name) && $0.value == field.value }
      }
  }

  /// The report; nil if what was collected is not one.
  ///
  /// - Parameter limit: where the text ends that belongs to no other report.
  func finish(limit: Int) -> Report? {
    let memory = memory.event(fields)
    if !hasBody, threadStates.isEmpty, memory == nil {
      let keys = Set(fields.map(\.key))
      guard keys.intersection(FieldKeys.known).count >= 3,
        !keys.isDisjoint(with: FieldKeys.naming)
      else { return nil }
    }
    let format: ReportFormat =
      startKind == .jsonHeader
      ? .crashTextWithJsonHeader
      : backtraces.contains(where: \.isOutermostFirst)
        ? .leaks
        : fields.isEmpty && !hasHeadings ? .frameFragment : .crashText
    let backtraces = closedBacktraces()
    var notes = notes.before(end)
    notes.takeLastWords(below: end, to: limit, of: source)
    var facts = ReportFacts(
      fields: fields, header: header, notes: notes,
      crashedThread: backtraces.first(where: \.isCrashed)?.number)
    facts.takeArchitecture(from: images)
    if backtraces.allSatisfy(\.frames.isEmpty) { facts.takeCulprit(fields) }
    if format == .leaks { facts.event = .leak }
    if let memory, backtraces.isEmpty { facts.take(memory) }
    facts.statedCrashedThread =
      facts.crashedThread ?? fields.triggeredThreadNumber
      ?? threadStates.compactMap(\.threadNumber).first
    facts.onlyHighlightsThread = onlyHighlightsThread
    return Report(
      format: format, byteRange: start..<end, header: header, facts: consume facts, images: images,
      backtraces: backtraces, threadStates: threadStates, faults: faults,
      looseLines: looseLines)
  }
}

extension TextSource {
  /// Whether a line stands for lines that were left out, as `...` and `[…]` do, or ends a block of
  /// Markdown.
  func isNoContinuation(_ range: Range<Int>) -> Bool {
    if has("```", at: range.lowerBound, limit: range.upperBound)
      || has("~~~", at: range.lowerBound, limit: range.upperBound)
    {
      return true
    }
    let text = string(range.lowerBound..<min(range.upperBound, range.lowerBound + 16))
    return (text.contains("..") || text.contains("…"))
      && text.allSatisfy { ".…[]() \t\r".contains($0) }
  }
}
