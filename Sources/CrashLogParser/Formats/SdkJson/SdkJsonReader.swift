internal import SymbolicationModel

// The JSON of SDKs that collect crashes in apps: KSCrash, Sentry, Bugsnag, Measure.
//
// They differ in keys and in where things are, and agree in the rest: a frame is an object with an
// address, and images are objects with a range and a UUID. `SdkJsonReader` finds the objects that
// are reports, a dialect reads one of them into `SdkJsonContent`, and `SdkFrameKeys` has the keys
// of a dialect's frames, with which answers are written too.

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

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat.isSdkJson else { return [] }
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
