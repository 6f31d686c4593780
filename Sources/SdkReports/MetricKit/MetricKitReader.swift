import JsonReading
package import ReportFormats
public import ReportModel
import SymbolicationModel

// Diagnostics of MetricKit: crashes, hangs and the like, each with a tree of call stacks as JSON.
//
//   `MetricKitReader` finds the JSON in an input;
//   `DiagnosticFinder` finds the diagnostics in it, whatever is around them;
//   `MetricKitReportBuilder` makes a `Report` of a diagnostic: `CallStackReader` reads its trees,
//   `CallStackFrame` their frames, `MetricKitImages` gathers the images that the frames name, and
//   `ReportFacts+MetricKit` reads the rest.
//
// One reader serves all dialects, because they differ only in names:
//
// | | trees | stacks | frames |
// | --- | --- | --- | --- |
// | `jsonRepresentation()`, iOS 14 to 26 | `callStackTree` | `callStacks` | `callStackRootFrames` |
// | `Codable` types of iOS 27 | `callStackTree` | `callStackThreads` | `rootFrames` |
// | App Store Connect | an array of `callStackTree` | `callStacks` | `callStackRootFrames` |
// | OpenTelemetry | the tree alone, in a string | `callStacks` | `callStackFrames`, a flat list |
//
// Sources: developer.apple.com/documentation/metrickit/mxcallstacktree,
// …/metrickit/callstacktree, …/appstoreconnectapi/diagnosticlogs, and the real payloads that
// `CallStackReader` and `FramePlace` mention.

extension ReportFormat {
  /// A MetricKit payload, a diagnostic from one, or its call stack tree; also App Store Connect's
  /// diagnostic logs.
  public static let metricKit = ReportFormat(
    FormatTraits(
      schemaName: "metricKit", shortName: "MetricKit",
      unreadable: { _ in
        "looks like a MetricKit payload, but has no call stack that can be read"
      }, [.isReport, .hasStacks, .mayBeWrapped, .mayPrecedeText, .standsInLists],
      appleText: .model, frames: .callStackFrames))
}

/// Finds MetricKit's diagnostics: payloads, arrays and lines of them, and trees alone.
package struct MetricKitReader: ReportReader {
  package init() {}

  private static let keys = [
    "\"callStacks\"", "\"callStackTree\"", "\"callStackThreads\"", "\"timeStampBegin\"",
    "\"crashDiagnostics\"",
  ]

  package var formats: [ReportFormat] { [.metricKit] }
  package var readsJson: Bool { true }
  package func format(ofDocument range: Range<Int>, in source: TextSource) -> ReportFormat? {
    let hasKey = Self.keys.contains {
      source.find($0, from: range.lowerBound, limit: range.upperBound) != nil
    }
    return hasKey ? .metricKit : nil
  }
  package var jsonLineSigns: [String] { ["\"callStack"] }
  package func format(ofJsonLine range: Range<Int>, in source: TextSource) -> ReportFormat? {
    source.find("\"callStack", from: range.lowerBound, limit: range.upperBound) != nil
      ? .metricKit : nil
  }
  package func format(
    ofMemberAt start: Int, limit: Int, in source: TextSource
  ) -> ReportFormat? {
    source.has("\"callStack", at: start, limit: limit) ? .metricKit : nil
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat == .metricKit else { return [] }
    var reports: [Report] = []
    for document in JsonDocuments(input) {
      var found: [Report] = []
      for diagnostic in DiagnosticFinder.diagnostics(in: document.root) {
        let builder = MetricKitReportBuilder(diagnostic: diagnostic, allowance: input.allowance)
        if let report = builder.report() { found.append(report) }
      }
      if let damage = document.damage, let last = found.indices.last {
        // What was cut off belongs to the last diagnostic that is there.
        let offset = min(damage.offset, found[last].byteRange.upperBound)
        found[last].faults.append(ParseFault(kind: .damagedJson, byteRange: offset..<offset))
      }
      reports += found
    }
    return reports
  }
}

/// Makes a report of a diagnostic.
struct MetricKitReportBuilder {
  let diagnostic: MetricKitDiagnostic
  let allowance: ReportAllowance

  /// Nil for a tree that stands alone and has no frame: any JSON may have a list of that name.
  func report() -> Report? {
    var facts = ReportFacts(diagnostic)
    let event = diagnostic.event
    let start = diagnostic.trees.first?.byteRange.lowerBound
    let range = diagnostic.object.byteRange
    var reader = CallStackReader(
      event: event, isIntel: facts.architecture?.isIntel ?? false,
      images: MetricKitImages(at: start ?? range.lowerBound), allowance: allowance)
    for tree in diagnostic.trees { reader.read(tree) }
    let backtraces = reader.backtraces
    if diagnostic.isBare, !backtraces.contains(where: { !$0.frames.isEmpty }) { return nil }
    facts.event = event ?? (backtraces.contains(where: \.isCallTree) ? .sample : .crash)
    facts.crashedThread = backtraces.first(where: \.isCrashed)?.number
    return Report(
      format: .metricKit, byteRange: range, facts: facts, images: reader.images.images,
      backtraces: backtraces, faults: reader.faults, json: diagnostic.object)
  }
}

extension Architecture {
  fileprivate var isIntel: Bool { self == .i386 || self == .x86_64 || self == .x86_64h }
}
