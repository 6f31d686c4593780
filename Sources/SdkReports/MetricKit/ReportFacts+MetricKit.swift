import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

extension ReportFacts {
  /// What a diagnostic says beside its stacks.
  init(_ diagnostic: MetricKitDiagnostic) {
    self.init()
    let values = DiagnosticValues(diagnostic)
    // A payload of a day says only on which day it happened.
    if let period = diagnostic.context.period, period.begin == period.end { date = period.end }
    hardwareModel = values.text("deviceType")
    process = Process(values)
    system = System(values["osVersion"])
    codeType = values.text("platformArchitecture")
    architecture = codeType.map { Architecture(name: $0) }
    exception = CrashException(values)
    if let reason = values["terminationReason"] { termination = Termination(reason) }
    memoryRegion = values.text("virtualMemoryRegionInfo")?.filledLines ?? []
    eventExtent = Self.extent(values)
    if !diagnostic.isBare { fields = Self.fields(of: diagnostic.object) }
  }

  /// How long it took or how much it was: `20 sec in 31 sec`, the second being the time in which
  /// so much processor time was used.
  private static func extent(_ values: DiagnosticValues) -> String? {
    func amount(_ keys: String...) -> String? {
      keys.lazy.compactMap { values[$0]?.measurement }.first
    }
    if let time = amount("totalCPUTime") {
      return amount("totalSampledTime").map { "\(time) in \($0)" } ?? time
    }
    return amount("hangDuration", "launchDuration", "writesCaused", "totalWritesCaused")
  }

  /// The texts, numbers and words of the diagnostic and of its meta data.
  private static func fields(of object: JsonValue) -> [Field] {
    object.members.flatMap { member -> [Field] in
      let value = member.value
      if value.kind == .object, DiagnosticValues.metaKeys.contains(where: { member.hasKey($0) }) {
        return fields(of: value)
      }
      guard let text = value.string ?? value.numberText ?? value.boolean.map({ String($0) }) else {
        return []
      }
      return [Field(name: member.key, value: text, byteRange: member.byteRange)]
    }
  }
}

/// The values of a diagnostic by their keys, wherever it has them.
private struct DiagnosticValues {
  private let sources: [JsonValue]
  private let environment: [String: JsonValue]

  static let metaKeys = ["diagnosticMetaData", "metaData"]

  init(_ diagnostic: MetricKitDiagnostic) {
    guard !diagnostic.isBare else {
      (sources, environment) = ([], [:])
      return
    }
    sources = Self.metaKeys.compactMap { diagnostic.object[$0] } + [diagnostic.object]
    environment = diagnostic.context.environment
  }

  /// The first value that is there and says something.
  subscript(key: String) -> JsonValue? {
    let value = sources.lazy.compactMap { $0[key] }.first { !$0.isNull && !$0.isEmptyString }
    if let value { return value }
    return environment[key].flatMap { $0.isNull || $0.isEmptyString ? nil : $0 }
  }

  func text(_ keys: String...) -> String? {
    keys.lazy.compactMap { self[$0]?.string }.first
  }

  func number(_ key: String) -> UInt64? { self[key]?.writtenNumber }
}

extension MetricKitDiagnostic {
  /// What it is about; nil if nothing says so.
  var event: ReportEvent? {
    if let event = context.event { return event }
    let values = DiagnosticValues(self)
    if let text = values.text("event")?.lowercased() {
      // App Store Connect.
      let words: [(String, ReportEvent)] = [
        ("hang", .hang), ("disk", .diskWrites), ("launch", .launch), ("crash", .crash),
        ("cpu", .cpuUsage), ("memory", .memory),
      ]
      if let (_, event) = words.first(where: { text.contains($0.0) }) { return event }
    }
    let keys: [(String, ReportEvent)] = [
      ("hangDuration", .hang), ("totalCPUTime", .cpuUsage), ("launchDuration", .launch),
      ("exceptionType", .crash), ("signal", .crash), ("terminationReason", .crash),
      ("exceptionReason", .crash), ("totalWritesCaused", .diskWrites),
      ("writesCaused", .diskWrites),
    ]
    return keys.first { values[$0.0] != nil }?.1
  }
}

extension ReportFacts.Process {
  fileprivate init(_ values: DiagnosticValues) {
    self.init()
    identifier = values.number("pid").flatMap { Int(exactly: $0) }
    bundleIdentifier = values.text("bundleIdentifier", "bundleId")
    shortVersion = values.text("appVersion", "applicationVersion")
    bundleVersion = values.text("appBuildVersion", "applicationBuildVersion", "buildVersion")
    switch (shortVersion, bundleVersion) {
    case (let short?, let bundle?): version = "\(short) (\(bundle))"
    case (let one, let other): version = one ?? other
    }
  }
}

extension ReportFacts.System {
  /// - Parameter value: `iPhone OS 14.0.1 (18A393)`. iOS 27 has a type of its own. Only its
  ///   parts are documented: kind, version and build.
  fileprivate init(_ value: JsonValue?) {
    self.init()
    guard let value else { return }
    if let text = value.string {
      self.init(text)
      return
    }
    func text(_ keys: String...) -> String? {
      keys.lazy.compactMap { value[$0]?.string }.first
    }
    name = text("name", "platform", "type")
    version = text("version", "versionNumber", "versionString")
    build = text("build", "buildNumber", "buildVersion")
  }
}

extension ReportFacts.CrashException {
  fileprivate init(_ values: DiagnosticValues) {
    self.init()
    let typeNumber = values.number("exceptionType")
    type = typeNumber.map { MachNames.exception($0) ?? String($0) }
    signal = values.number("signal").map { MachNames.signal($0) ?? "signal \($0)" }
    codes = values.number("exceptionCode").map { [$0] } ?? []
    let thrown = values["objectiveCexceptionReason"] ?? values["exceptionReason"]
    name = (thrown?["exceptionName"]?.string ?? values.text("exceptionName"))?.known
    reason = (thrown?["composedMessage"]?.string ?? values.text("composedMessage"))?.known
    // The second code, the address, is missing. The region's information begins with it.
    if typeNumber == 1, let code = codes.first, let word = MachNames.badAccess(code),
      let address = values.text("virtualMemoryRegionInfo")?.split(separator: " ").first,
      let number = address == "0"
        ? 0 : address.hasPrefix("0x") ? UInt64(address.dropFirst(2), radix: 16) : nil
    {
      let digits = String(number, radix: 16)
      let zeros = String(repeating: "0", count: 16 - digits.utf8.count)
      subtype = "\(word) at 0x\(zeros)\(digits)"
    }
  }
}

extension ReportFacts.Termination {
  /// - Parameter value: `Namespace SIGNAL, Code 0xb`, or what RunningBoard says:
  ///   `<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:…>`. Of the type of iOS 27,
  ///   only the name is documented.
  fileprivate init(_ value: JsonValue) {
    self.init()
    if value.kind == .object {
      namespace = value["namespace"]?.string ?? value["domain"]?.string
      code = value["code"]?.writtenNumber
      details = value.members.compactMap { member in
        member.hasKey("namespace") || member.hasKey("domain") || member.hasKey("code")
          ? nil : member.value.string
      }
      return
    }
    guard let text = value.string else { return }
    guard text.hasPrefix("<RBSTerminateContext|"), let told = Self(runningBoard: text) else {
      take(text)
      return
    }
    self = told
    details = text.filledLines
  }
}

extension JsonValue {
  /// `20 sec` (iOS 14 writes `20 secs.`), or what Swift writes of a `Measurement`:
  /// `{"value":20,"unit":{"symbol":"s",…}}`.
  fileprivate var measurement: String? {
    if let text = string { return (text.last == "." ? String(text.dropLast()) : text).known }
    guard let number = self["value"]?.numberText ?? numberText else { return nil }
    guard let unit = self["unit"]?["symbol"]?.string else { return number }
    return "\(number) \(unit)"
  }
}
