import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

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
