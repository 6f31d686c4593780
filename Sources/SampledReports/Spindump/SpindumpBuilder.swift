import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Cuts a spindump into the reports of its processes, line by line.
struct SpindumpBuilder {
  private let source: TextSource
  private let allowance: ReportAllowance
  private let signs: FormatSigns
  private let start: Int
  private let header: JsonHeader?
  private let format: ReportFormat
  /// What is above the first process.
  private var head: SpindumpProcess
  /// Its fields, once it is complete.
  private lazy var headFields = SpindumpHead(head.fields)
  private var process: SpindumpProcess?
  private var found: [Report] = []
  private var place = Place.processes
  private var boundary: ReportBoundary

  private enum Place {
    case processes
    /// A list of kernel extensions, statistics, other tools' output about processes, and binary
    /// data. It belongs to the last report, because some of its lines look like frames or other
    /// reports. It ends where a report certainly begins.
    case tail
    /// Behind the last line that belongs to it.
    case outside
  }

  init(
    source: TextSource, start: TextLine, header: JsonHeader?, format: ReportFormat,
    _ input: ReportInput
  ) {
    self.source = source
    allowance = input.allowance
    signs = input.signs
    self.start = start.start
    self.header = header
    self.format = format
    head = SpindumpProcess(source: source, start: start, allowance: allowance)
    boundary = ReportBoundary(source, signs)
  }

  mutating func consume(_ line: TextLine) {
    guard place == .processes else {
      if place == .tail { consumeTail(line) }
      return
    }
    if source.isBlank(line) {
      process?.endStack()
      head.endStack()
    } else if source.separatorLength(at: line.start, limit: line.end) > 0
      || hasLostIndentation(line)
    {
      if process == nil { head.consume(indented: line) } else { process?.consume(indented: line) }
    } else {
      consume(unindented: line)
    }
  }

  private func hasLostIndentation(_ line: TextLine) -> Bool {
    guard Ascii.isDigit(source[line.start]), let node = source.spindumpNode(line) else {
      return false
    }
    return source.spindumpFrame(node.content) != nil
  }

  private mutating func consume(unindented line: TextLine) {
    func begins(_ text: String) -> Bool { source.has(text, at: line.start, limit: line.end) }
    if begins("Kextstat:") || begins("Spindump binary format") {
      place = .tail
      process?.extend(to: line)
      return
    }
    if line.start > start, isFollowedByReport(at: line) {
      place = .outside
      return
    }
    if begins("Process:") || begins("Powerstats for:") {
      finishProcess()
      if beginsText(line) {
        place = .outside
        return
      }
      process = SpindumpProcess(source: source, start: line, allowance: allowance)
    }
    if process == nil {
      head.consume(unindented: line)
    } else if process?.consume(unindented: line) == false {
      place = .outside
    }
  }

  /// Whether another report begins with this line. The head of a spindump has a date and an
  /// identifier too, and its processes have names and identifiers.
  private mutating func isFollowedByReport(at line: TextLine) -> Bool {
    func begins(_ text: String) -> Bool { source.has(text, at: line.start, limit: line.end) }
    if begins("Date/Time:") || begins("Process:") || begins("Beta Identifier:") { return false }
    if process == nil { return signs.beginsReport(line, in: source) || boundary.isJson(line) }
    return boundary.isReached(at: line)
  }

  private mutating func consumeTail(_ line: TextLine) {
    if source.isBlank(line) { return }
    let isProcess = source.has("Process:", at: line.start, limit: line.end)
    if isProcess ? beginsText(line) : boundary.isReached(at: line) {
      place = .outside
    } else {
      process?.extend(to: line)
    }
  }

  /// Whether a report in Apple's text format begins with this process. Unlike a process of a
  /// spindump, it has a date. So do the outputs of tools in the tail, which name the tool; of
  /// these, only `leaks` prints stacks.
  private func beginsText(_ first: TextLine) -> Bool {
    var hasDate = false
    var next = first.next
    for _ in 0..<20 where next < source.count {
      let line = source.line(at: next)
      next = line.next
      func begins(_ text: String) -> Bool { source.has(text, at: line.start, limit: line.end) }
      if begins("Process:") { break }
      if begins("Analysis Tool:"), place == .tail {
        return hasDate && source.find("leaks", from: line.start, limit: line.end) != nil
      }
      if begins("Date/Time:") {
        if source.spindumpFormat(from: line) != nil { break }
        hasDate = true
      }
    }
    return hasDate
  }

  // MARK: Reports

  /// The reports of all processes. If there is none, one of the head, provided that it has frames
  /// or says what it is about.
  mutating func finish() -> [Report] {
    finishProcess()
    if found.isEmpty, head.hasFrames || saysEnough { found.append(headReport()) }
    return found
  }

  /// Whether the head of a report that is cut below it names a process and the system, or says what
  /// was done about an event, or which limit was exceeded.
  private var saysEnough: Bool {
    [
      ["Command", "PID", "OS Version"], ["Event", "Action taken"], ["Event", "Wakeups"],
      ["Event", "Writes"], ["Event", "CPU"],
    ].contains { keys in keys.allSatisfy { head.fields[$0] != nil } }
  }

  private mutating func finishProcess() {
    guard var process else { return }
    self.process = nil
    // What is above the processes belongs to the first one, unless it is about another one.
    let isFirst = found.isEmpty
    let isTarget = isTarget(process)
    let includesHead = isFirst && isTarget
    if isFirst, !includesHead, head.hasFrames { found.append(headReport()) }
    if includesHead { process.take(head) }
    let facts = ReportFacts(
      spindump: headFields, process: process.fields, header: isFirst ? header : nil,
      isTarget: isTarget, showsHead: includesHead)
    found.append(
      process.report(
        format, start: includesHead ? start : process.start, header: includesHead ? header : nil,
        facts))
  }

  private mutating func headReport() -> Report {
    head.report(
      format, start: start, header: header,
      ReportFacts(
        spindump: headFields, process: [], header: header, isTarget: true, showsHead: true))
  }

  /// Whether the head is about a process. It names its target by number and name, or has none.
  private mutating func isTarget(_ process: SpindumpProcess) -> Bool {
    let named = ReportFacts.ProcessReference(process.fields.processText)
    if let target = headFields["PID"].flatMap({ Int($0) }), let number = named.identifier {
      return target == number
    }
    guard let target = headFields["Command"], let name = named.name else { return true }
    return target == name
  }
}

/// The fields above the first process of a spindump. They are asked for with every process, and
/// there may be many of either.
struct SpindumpHead {
  let fields: [HeaderField]
  /// The values of the first field with each key.
  private let values: [String: String]

  init(_ fields: [HeaderField]) {
    self.fields = fields
    values = Dictionary(fields.map { ($0.key, $0.value) }) { first, _ in first }
  }

  subscript(key: String) -> String? { values[key]?.known }
}

extension ReportFacts {
  /// What a spindump says about a process.
  ///
  /// - Parameters:
  ///   - head: the fields above the first process. They hold for all.
  ///   - own: the fields of the process; empty if there is none.
  ///   - isTarget: whether the event is about this process.
  ///   - showsHead: whether ``fields`` has those of the head too.
  init(
    spindump head: SpindumpHead, process own: [HeaderField], header: JsonHeader?, isTarget: Bool,
    showsHead: Bool
  ) {
    self.init()
    func shown(_ key: String) -> String? { own.isEmpty ? head[key] : own[key] }
    incident = head["Incident Identifier"]
    bugType = header?.bugType
    date = head["Date/Time"]
    hardwareModel = head["Hardware model"]
    system = head["OS Version"].map { System($0) } ?? System()
    let named = ProcessReference(own.processText)
    process.name = own.isEmpty ? head["Command"] : named.name
    process.identifier = own.isEmpty ? head["PID"].flatMap { Int($0) } : named.identifier
    process.path = shown("Path")
    process.bundleIdentifier = shown("Identifier")
    process.version = shown("Version")
    parent = ProcessReference(shown("Parent"))
    codeType = shown("Architecture") ?? head["Architecture"]
    architecture = codeType.map { Architecture(name: $0) }
    (event, eventExtent) = Self.event(head)
    // It says so about a process whatever the event is.
    if event == .sample, own.values(of: "Note").contains("Unresponsive") {
      (event, eventExtent) = (.hang, nil)
    }
    // Of the watchdog of a service.
    if isTarget, let reason = head["Reason"] { applicationInformation.append(reason) }
    if let reason = head["Stackshot Reason"] { applicationInformation.append(reason) }
    isBystander = !isTarget
    fields = ((showsHead ? head.fields : []) + own).map {
      Field(name: $0.key, value: $0.value, byteRange: $0.byteRange)
    }
    // Every process says which event it is about, if that has no kind of its own.
    if !showsHead, event == .sample, let name = head["Event"] {
      fields.insert(Field(name: "Event", value: name), at: 0)
    }
  }

  /// The event, and how long or how much of it there was.
  private static func event(_ head: SpindumpHead) -> (ReportEvent, extent: String?) {
    let name = head["Event"] ?? ""
    if name.hasPrefix("hang") || name.hasPrefix("spin") { return (.hang, head["Duration"]) }
    if name.hasPrefix("cpu") { return (.cpuUsage, head["CPU"]) }
    if name.hasPrefix("wakeups") { return (.wakeups, head["Wakeups"]) }
    if name.hasPrefix("disk writes") { return (.diskWrites, head["Writes"]) }
    if name.contains("memory") { return (.memory, head["Memory"] ?? head["Footprint"]) }
    if name.contains("launch") { return (.launch, head["Duration"]) }
    return (.sample, head["Duration"])
  }
}

extension [HeaderField] {
  /// The name and the number of a process; statistics of power name its thread too:
  /// `Game [13095] thread 0x9b152`.
  var processText: String? {
    self["Process"]
      ?? self["Powerstats for"].map { text in
        text.firstRange(of: "] thread 0x").map { String(text[...$0.lowerBound]) } ?? text
      }
  }
}
