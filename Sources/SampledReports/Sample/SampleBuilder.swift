import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Collects the parts of one sample, line by line.
struct SampleBuilder {
  private enum Section {
    case head
    case graph
    /// `Total number in stack`.
    case totals
    /// `Sort by top of stack`.
    case tops
    case images
  }

  private let source: TextSource
  private let allowance: ReportAllowance
  private let start: Int
  private var end: Int
  private var section = Section.head
  private(set) var isClosed = false
  private var hasAnalysisLine = false
  private var hasStacks = false
  private var boundary: ReportBoundary
  private var fields: [HeaderField] = []
  private var images: [BinaryImage] = []
  private var faults: [ParseFault] = []
  private var backtraces: [Backtrace] = []
  private var open: OpenCallTree?
  /// The addresses of the frames that call others, to tell them from leaves in a list.
  private var callers: Set<LoadAddress> = []

  init(source: TextSource, start: TextLine, _ input: ReportInput) {
    self.source = source
    allowance = input.allowance
    self.start = start.start
    self.end = start.end
    boundary = ReportBoundary(source, input.signs)
  }

  /// Whether a line that a sample may begin with belongs to the head of this one.
  func mayBegin(at line: TextLine) -> Bool {
    section == .head && !hasAnalysisLine && fields.isEmpty
      && source[source.skipSeparators(from: line.start, limit: line.end)] == UInt8(ascii: "A")
  }

  mutating func consume(_ line: TextLine) {
    guard !isClosed, !source.isBlank(line) else { return }
    if section == .head, isFollowedByReport(at: line) {
      isClosed = true
      return
    }
    if source.has("Analysis of sampling ", at: line.start, limit: line.end) {
      hasAnalysisLine = true
    }
    if opensSection(line) { return }
    switch section {
    case .head:
      if let field = source.fieldLine(line) {
        fields.append(HeaderField(source: source, line: line, field: field))
      }
      end = line.end
    case .graph: readGraph(line)
    case .totals, .tops: readList(line)
    case .images: readImage(line)
    }
  }

  /// Whether another report begins with a line of the head. A sample begins with the name of the
  /// process, too, and has a date.
  private mutating func isFollowedByReport(at line: TextLine) -> Bool {
    func begins(_ text: String) -> Bool { source.has(text, at: line.start, limit: line.end) }
    if source.sampleStarts(at: line) || begins("Date/Time:") { return false }
    if begins("Process:"), hasAnalysisLine, fields.isEmpty { return false }
    // A line of a log in JSON is not the header of the fields below it.
    if begins("{"), source.find("\"bug_type\"", from: line.start, limit: line.end) == nil {
      return boundary.isJson(line)
    }
    return boundary.isReached(at: line)
  }

  private mutating func opensSection(_ line: TextLine) -> Bool {
    func begins(_ text: String) -> Bool { source.has(text, at: line.start, limit: line.end) }
    switch source[line.start] {
    case UInt8(ascii: "C") where begins("Call graph:"):
      section = .graph
      hasStacks = true
    case UInt8(ascii: "T") where begins("Total number in stack"): openList(.totals, at: line)
    case UInt8(ascii: "S") where begins("Sort by top of stack"): openList(.tops, at: line)
    case UInt8(ascii: "S") where begins("Sample analysis of process "): isClosed = section != .head
    case UInt8(ascii: "B") where begins("Binary Images:"):
      closeTree()
      section = .images
    default: return false
    }
    end = line.end
    return true
  }

  // MARK: Threads

  private mutating func readGraph(_ line: TextLine) {
    guard let node = source.sampleNode(line) else { return readOther(line) }
    if let thread = source.sampleThread(node, line) {
      closeTree()
      guard allowance.takeThread(at: line.start..<line.end, &faults) else { return }
      open = OpenCallTree(thread, .thread, at: line)
    } else {
      add(node, line)
    }
    end = line.end
  }

  private mutating func openList(_ section: Section, at line: TextLine) {
    closeTree()
    self.section = section
    hasStacks = true
    guard allowance.takeThread(at: line.start..<line.end, &faults) else { return }
    let colon = source.trimEnd(from: line.start, to: line.end)
    let text = line.start..<(source[colon - 1] == Ascii.colon ? colon - 1 : colon)
    open = OpenCallTree(CallTreeThread(name: source.string(text)), .digest, at: line)
  }

  private mutating func readList(_ line: TextLine) {
    let node = section == .totals ? source.sampleNode(line) : source.sampleTop(line)
    guard let node else { return readOther(line) }
    // Without an address, there is nothing to find out about a line of a list.
    if source.sampleFrame(node.content)?.address != nil { add(node, line) }
    end = line.end
  }

  private mutating func add(_ node: SampleNode, _ line: TextLine) {
    guard let frame = source.sampleFrame(node.content) else { return readOther(line) }
    guard open != nil, allowance.takeFrame(at: line.start..<line.end, &faults) else { return }
    let values = frame.values(at: line, sampleCount: node.count)
    // Lists are no trees: all their lines are in one column.
    let column = open?.kind == .digest ? 0 : node.column
    open?.tree.add(values, at: frame.address, column: column, isKernel: false)
    open?.end = line.end
  }

  private mutating func closeTree() {
    guard var tree = open else { return }
    open = nil
    if tree.kind == .digest, tree.tree.isEmpty { return }
    if tree.kind != .digest { callers.formUnion(tree.tree.callerAddresses) }
    var frames = tree.tree.takeFrames()
    // The functions in the most stacks are callers and leaves; the tops of stacks are leaves.
    if tree.kind == .digest, section == .totals { frames = frames.map { callers.marking($0) } }
    backtraces.append(tree.backtrace(frames))
  }

  // MARK: Images

  private mutating func readImage(_ line: TextLine) {
    switch source.imageLine(line) {
    case .image(let image, let hasReadableIdentity):
      guard allowance.takeImage(at: image.byteRange, &faults) else { break }
      images.append(image)
      if !hasReadableIdentity { note(.unreadableImageIdentity, line) }
    case .damaged: note(line.isTerminated ? .unreadableImage : .cutLine, line)
    case .other:
      isClosed = true
      return
    }
    end = line.end
  }

  // MARK: Faults

  /// A line among frames that is not one. Indented lines are damaged; any other ends the sample.
  private mutating func readOther(_ line: TextLine) {
    guard source.separatorLength(at: line.start, limit: line.end) > 0 else {
      isClosed = true
      return
    }
    note(line.isTerminated ? .unreadableFrame : .cutLine, line)
    end = line.end
  }

  private mutating func note(_ kind: ParseFault.Kind, _ line: TextLine) {
    faults.append(ParseFault(kind: kind, byteRange: line.start..<line.end))
  }

  // MARK: The report

  /// Nil for the first line of a sample without stacks: a log may have it, and a list of images
  /// below it. A head with fields says which process was sampled.
  mutating func finish() -> Report? {
    let hasHead = hasAnalysisLine && fields["Process"] != nil && fields["Analysis Tool"] != nil
    guard hasStacks || hasHead else { return nil }
    closeTree()
    var facts = ReportFacts(sampleFields: fields)
    facts.eventExtent = source.sampleExtent(from: start)
    return Report(
      format: .sample, byteRange: start..<end, facts: facts, images: images,
      backtraces: backtraces, faults: faults)
  }
}

extension Set<LoadAddress> {
  /// The frame with its address as a return address if it is one of these.
  fileprivate func marking(_ frame: StackFrame) -> StackFrame {
    guard let address = frame.address, contains(address), var values = frame.values else {
      return frame
    }
    values.addressKind = .returnAddress
    return StackFrame(address: address, carrier: .values(values))
  }
}

extension ReportFacts {
  fileprivate init(sampleFields fields: [HeaderField]) {
    self.init(fields: fields, header: nil, notes: HeadNotes(), crashedThread: nil)
    event = .sample
    // `sample` leaves out the dash of crash reports.
    if codeType == "ARM64" { architecture = .arm64 }
  }
}

extension TextSource {
  /// `3 seconds` of `Sampling process 8339 for 3 seconds with …`, if that is the line at `start`.
  fileprivate func sampleExtent(from start: Int) -> String? {
    let line = self.line(at: start)
    guard has("Sampling process ", at: start, limit: line.end),
      let found = find(" for ", from: start, limit: line.end),
      let end = find(" with ", from: found, limit: line.end)
    else { return nil }
    return string(found + 5..<end)
  }
}
