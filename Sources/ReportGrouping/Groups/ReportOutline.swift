import CodeOwnership
import CrashLogParser
import CrashReading
import ReportSymbolication
import SymbolicationModel

/// What a group needs to know of a report: from the report itself, or from the JSON that this
/// program made of it earlier.
struct ReportOutline: Sendable {
  var path: String
  var signature: String?
  /// Whether it has a signature by other rules, which cannot be compared.
  var hasOtherSignature = false
  var file: String?
  var line: Int?
  var event: String?
  var exceptionType: String?
  var signal: String?
  var process: String?
  var version: String?
  /// `iPhone OS 12.4 (16G77)`
  var system: String?
  var device: String?
  /// As the report writes it.
  var date: String?

  /// Nothing but the path is known.
  init(empty path: String) { self.path = path }

  init(_ report: SymbolicatedReport, path: String, _ options: SymbolicationOptions) {
    let facts = report.source.facts
    self.path = path
    let reading = CrashReading(report, options)
    signature = report.signature(options, reading)?.text
    if let place = report.cause(reading).site?.place, place.library == nil {
      file = place.frame.file
      line = place.frame.line
    }
    event = facts.event.rawValue
    exceptionType = facts.exception.type
    signal = facts.exception.signal
    process = report.processName ?? facts.process.bundleIdentifier
    version = facts.process.version
    system = Self.systemText(
      name: facts.system.name, version: facts.system.version, build: facts.system.build)
    device = facts.crashReporterKey
    date = facts.date
  }

  /// - Parameters:
  ///   - report: an element of `reports`, or a line of `--format ndjson`.
  ///   - path: for JSON that does not name its input.
  ///   - rules: those of the signatures that it is compared with.
  init(_ report: JsonValue, input: String?, path: String, _ rules: SignatureVersion) {
    self.path = input ?? path
    let stated = report["signature"]
    signature = stated?["text"]?.string
    if signature != nil, SignatureVersion(stated: stated?["version"]) != rules {
      signature = nil
      hasOtherSignature = true
    }
    let frame = report["crash"]?["frame"]
    file = frame?["file"]?.string
    line = (frame?["line"]?.integer).flatMap { Int(exactly: $0) }
    event = report["event"]?.string
    exceptionType = report["exception"]?["type"]?.string
    signal = report["exception"]?["signal"]?.string
    process = report["process"]?["name"]?.string ?? report["process"]?["identifier"]?.string
    version = report["process"]?["version"]?.string
    system = Self.systemText(
      name: report["os"]?["name"]?.string, version: report["os"]?["version"]?.string,
      build: report["os"]?["build"]?.string)
    device = report["crashReporterKey"]?.string
    date = report["date"]?.string
  }

  private static func systemText(name: String?, version: String?, build: String?) -> String? {
    let parts = [name, version, build.map { "(\($0))" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  /// What the report is grouped by; nil if it has none.
  func key(_ criterion: GroupCriterion) -> String? {
    switch criterion {
    case .signature: signature
    case .line:
      file.flatMap { file in line.flatMap { $0 > 0 ? "\(file):\($0)" : nil } }
    case .exception:
      switch (exceptionType, signal) {
      case (let type?, let signal?): "\(type) (\(signal))"
      case (let only?, nil), (nil, let only?): only
      case (nil, nil): event == "crash" ? nil : event
      }
    case .version: version.map { "\(process ?? "unknown process") \($0)" }
    }
  }
}
