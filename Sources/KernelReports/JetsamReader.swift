import JsonReading
package import ReportFormats
public import ReportModel

extension ReportFormat {
  /// `.ips`: what was in memory when it ran out (bug types 98, 198 and 298).
  public static let ipsJetsam = ReportFormat(
    FormatTraits(
      schemaName: "ipsJetsam", shortName: "jetsam",
      unreadable: { _ in
        "is a jetsam report, which lists the memory use of processes and has no stack to symbolicate"
      }, [.isReport]))
}

/// Reads jetsam reports (`.ips`, bug types 98, 198 and 298): which processes were ended to get
/// memory, and what all processes used. They have no stacks.
///
/// Source: Apple, "Identifying high-memory use with jetsam event reports".
package struct JetsamReader: ReportReader {
  package init() {}

  private static let bugTypes: Set = ["98", "198", "298"]

  package var formats: [ReportFormat] { [.ipsJetsam] }
  package var readsJson: Bool { true }
  package func format(ofBugType type: String) -> ReportFormat? {
    Self.bugTypes.contains(type) ? .ipsJetsam : nil
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat == .ipsJetsam else { return [] }
    let events = IpsEvent.all(in: input, ofTypes: Self.bugTypes)
    if events.isEmpty { return [piece(of: input)].compactMap(\.self) }
    return events.compactMap { event in
      let memory = MemoryEvent(event)
      guard memory.saysSomething else { return nil }
      return Self.report(event, memory)
    }
  }

  private static func report(_ event: IpsEvent, _ memory: MemoryEvent) -> Report {
    var facts = ReportFacts(event)
    facts.take(memory)
    return Report(
      format: .ipsJetsam, byteRange: event.byteRange, header: event.header, facts: facts,
      images: [], backtraces: [], faults: event.faults)
  }

  // MARK: Pieces

  /// A body without the line above it, or the object of a process, which says why it was ended.
  package func format(ofDocument range: Range<Int>, in source: TextSource) -> ReportFormat? {
    func has(_ key: String) -> Bool {
      source.find(key, from: range.lowerBound, limit: range.upperBound) != nil
    }
    return has(Self.pages) || Self.headKeys.allSatisfy(has) ? .ipsJetsam : nil
  }

  package func format(
    ofMemberAt start: Int, limit: Int, in source: TextSource
  ) -> ReportFormat? {
    source.has(Self.pages, at: start, limit: limit) ? .ipsJetsam : nil
  }

  private static let pages = "\"rpages\""

  /// What the body has above its list of processes. Stackshots and panics state the memory, too.
  private static let headKeys = ["\"timeDelta\"", "\"memoryStatus\"", "\"memoryPages\""]

  /// The objects that people show of a report, without the line above it. Objects that say of no
  /// process why it was ended are no report.
  private func piece(of input: ReportInput) -> Report? {
    var objects: [JsonValue] = []
    var faults: [ParseFault] = []
    for document in JsonDocuments(input) {
      let root = document.root
      let parts = (root.kind == .array ? Array(root.elements) : [root]).filter { value in
        value["rpages"] != nil
          || value["processes"]?.elements.contains { $0["rpages"] != nil } == true
          || value["timeDelta"] != nil && value["memoryStatus"]?["memoryPages"] != nil
      }
      objects += parts
      if let damage = document.damage, !parts.isEmpty {
        faults.append(ParseFault(kind: .damagedJson, byteRange: damage.offset..<damage.offset))
      }
    }
    guard let first = objects.first, let last = objects.last else { return nil }
    let event = IpsEvent(
      objects: objects, first.byteRange.lowerBound..<last.byteRange.upperBound, faults)
    let memory = MemoryEvent(event)
    // The list of processes may be cut off.
    guard
      !memory.killed.isEmpty || memory.largestProcess != nil
        || memory.processes.isEmpty && memory.saysSomething
    else { return nil }
    return Self.report(event, memory)
  }
}

extension MemoryEvent {
  init(_ event: IpsEvent) {
    self.init()
    let status = event["memoryStatus"]
    pageSize = status?["pageSize"]?.unsignedInteger ?? event["pageSize"]?.unsignedInteger
    largestProcess = event["largestProcess"]?.string
    let counts = status?["memoryPages"] ?? event["memoryPages"]
    pages =
      counts?.members.compactMap { member in
        member.value.unsignedInteger.map { Pages(name: member.key, count: $0) }
      } ?? []
    // Behind damage a process is an object of its own.
    let listed = event.objects.flatMap { $0["processes"].map { Array($0.elements) } ?? [] }
    let loose = event.objects.filter { $0["rpages"] != nil && $0["processes"] == nil }
    var known: Set<Process.Identity> = []
    processes = (listed + loose).compactMap { Process($0) }.filter { process in
      // People paste a part twice.
      known.insert(process.identity).inserted
    }
  }
}

extension MemoryEvent {
  fileprivate var saysSomething: Bool {
    !processes.isEmpty || largestProcess != nil || !pages.isEmpty
  }
}

extension MemoryEvent.Process {
  fileprivate struct Identity: Hashable {
    let name: String?
    let identifier: Int?
    let pages: UInt64?
  }

  fileprivate var identity: Identity {
    Identity(name: name, identifier: identifier, pages: pages)
  }

  /// Nil for an object that says nothing about a process.
  fileprivate init?(_ value: JsonValue) {
    let values = value.firstValues(of: Self.keys)
    let name = values[0]?.string
    let pages = values[2]?.unsignedInteger
    guard name != nil || pages != nil else { return nil }
    self.init(
      name: name, identifier: values[1]?.integer.flatMap { Int(exactly: $0) }, pages: pages,
      greatestPages: values[3]?.unsignedInteger, reason: values[4]?.string,
      states: values[5]?.elements.compactMap(\.string) ?? [],
      byteRange: values[4]?.byteRange ?? value.byteRange)
  }

  private static let keys = JsonKeys(["name", "pid", "rpages", "lifetimeMax", "reason", "states"])
}
