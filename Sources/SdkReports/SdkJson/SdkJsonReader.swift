import JsonReading
package import ReportFormats
public import ReportModel
import SymbolicationModel

// The JSON of SDKs that collect crashes in apps: KSCrash, Sentry, Bugsnag, Measure.
//
// They differ in keys and in where things are, and agree in the rest: a frame is an object with an
// address, and images are objects with a range and a UUID. `SdkJsonReader` finds the objects that
// are reports, a dialect reads one of them into `SdkJsonContent`, and `SdkFrameKeys` has the keys
// of a dialect's frames, with which answers are written too.

extension ReportFormat {
  /// A report of KSCrash as JSON.
  public static let ksCrashJson = ReportFormat(
    .sdkJson("ksCrashJson", "KSCrash", "a report of KSCrash", .ksCrash))
  /// An event of Sentry as JSON, alone or in an envelope.
  public static let sentryEvent = ReportFormat(
    .sdkJson("sentryEvent", "Sentry", "an event of Sentry", .sentry))
  /// An event of Bugsnag as JSON, alone or in a payload.
  public static let bugsnagEvent = ReportFormat(
    .sdkJson("bugsnagEvent", "Bugsnag", "an event of Bugsnag", .bugsnag))
  /// An exception of the Measure SDK as JSON, alone or among the events of a session.
  public static let measureException = ReportFormat(
    .sdkJson(
      "measureException", "Measure", "a session or exception of the Measure SDK", .measure))
}

extension FormatTraits {
  fileprivate static func sdkJson(
    _ name: String, _ shortName: String, _ longName: String, _ keys: SdkFrameKeys
  ) -> FormatTraits {
    FormatTraits(
      schemaName: name, shortName: shortName,
      unreadable: { _ in
        "looks like \(longName), but has no thread and no stack that can be read"
      }, family: "ksCrashJson",
      [.isReport, .hasStacks, .mayBeWrapped, .mayPrecedeText, .standsInLists], appleText: .model,
      frames: .sdkFrames(keys))
  }
}

/// One SDK's way to write a report.
protocol SdkJsonDialect: Sendable {
  static var format: ReportFormat { get }
  /// Whether an object is a report of this SDK. Looks at a few members only.
  static func matches(_ object: JsonValue) -> Bool
  /// Reads a report. A value of the wrong kind counts as missing.
  static func read(_ object: JsonValue, into content: inout SdkJsonContent)
}

/// Finds and reads reports of SDKs: whole documents, several of them after each other, as in the
/// envelopes of Sentry, those in a list or among the `events` of a payload, and those of KSCrash in
/// any object.
package struct SdkJsonReader: ReportReader {
  static let dialects: [any SdkJsonDialect.Type] = [
    KsCrashDialect.self, SentryDialect.self, BugsnagDialect.self, MeasureDialect.self,
  ]

  package init() {}

  package var formats: [ReportFormat] { Self.dialects.map { $0.format } }
  package var readsJson: Bool { true }
  package func format(ofDocument range: Range<Int>, in source: TextSource) -> ReportFormat? {
    format(ofJsonLine: range, in: source)
  }
  package var jsonLineSigns: [String] {
    [
      "\"binary_images\"", "\"process_name\"", "\"instruction_addr\"", "\"stacktrace\"",
      "\"binary_address\"",
    ]
  }
  package func format(ofJsonLine range: Range<Int>, in source: TextSource) -> ReportFormat? {
    func has(_ key: String) -> Bool {
      source.find("\"\(key)\"", from: range.lowerBound, limit: range.upperBound) != nil
    }
    if has("binary_images") {
      return has("start_addr") && has("binary_address") ? .measureException : .ksCrashJson
    }
    if has("report"), has("process_name") { return .ksCrashJson }
    if has("crash"), has("mach"), has("signal") { return .ksCrashJson }
    if has("instruction_addr"), has("debug_meta") || has("stacktrace") { return .sentryEvent }
    if has("stacktrace"), has("machoLoadAddress") || has("frameAddress") { return .bugsnagEvent }
    return has("binary_address") && has("symbol_address") ? .measureException : nil
  }
  package func format(
    ofMemberAt start: Int, limit: Int, in source: TextSource
  ) -> ReportFormat? {
    Self.memberKeys.first { source.has($0.key, at: start, limit: limit) }?.format
  }

  private static let memberKeys: [(key: String, format: ReportFormat)] = [
    ("\"binary_images\"", .ksCrashJson),
    ("\"instruction_addr\"", .sentryEvent), ("\"debug_meta\"", .sentryEvent),
    ("\"machoLoadAddress\"", .bugsnagEvent), ("\"frameAddress\"", .bugsnagEvent),
    ("\"binary_address\"", .measureException), ("\"symbol_address\"", .measureException),
  ]

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat.family == ReportFormat.ksCrashJson.family else { return [] }
    var reports: [Report] = []
    for document in JsonDocuments(input) {
      reports += Self.reports(in: document, input.allowance)
    }
    return reports
  }

  private static func reports(in document: JsonDocument, _ allowance: ReportAllowance) -> [Report] {
    var reports: [Report] = []
    for object in candidates(in: document.root) {
      guard let dialect = dialects.first(where: { $0.matches(object) }) else { continue }
      var content = SdkJsonContent(allowance)
      dialect.read(object, into: &content)
      if content.isEmpty { continue }
      if let damage = document.damage, !object.isComplete {
        content.faults.append(
          ParseFault(kind: .damagedJson, byteRange: damage.offset..<damage.offset))
      }
      reports.append(content.report(dialect.format, object))
    }
    return reports
  }

  /// The objects of a document that may be reports: itself, the elements of a list, and those of
  /// `events`; or else what looks like a report of KSCrash in other objects, which apps and servers
  /// put around it.
  private static func candidates(in root: JsonValue) -> [JsonValue] {
    var objects = [root]
    if root.kind == .array {
      objects = root.elements.filter { $0.kind == .object }
    } else if let events = root["events"], events.kind == .array {
      objects = events.elements.filter { $0.kind == .object }
    }
    let hasReport = objects.contains { object in dialects.contains { $0.matches(object) } }
    return hasReport ? objects : root.objects { KsCrashDialect.matches($0) }
  }
}
