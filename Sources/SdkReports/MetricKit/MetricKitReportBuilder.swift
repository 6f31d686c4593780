import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Makes a report of a diagnostic.
struct MetricKitReportBuilder {
  private let diagnostic: MetricKitDiagnostic
  private let allowance: ReportAllowance

  init(_ diagnostic: MetricKitDiagnostic, _ allowance: ReportAllowance) {
    self.diagnostic = diagnostic
    self.allowance = allowance
  }

  /// Nil for a tree that stands alone and has no frame: any JSON may have a list of that name.
  func report() -> Report? {
    var facts = ReportFacts(diagnostic)
    let event = diagnostic.event
    let start = diagnostic.trees.first?.byteRange.lowerBound
    let range = diagnostic.object.byteRange
    var reader = CallStackReader(
      event: event, isIntel: facts.architecture?.isIntel ?? false,
      images: MetricKitImages(at: start ?? range.lowerBound), allowance)
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
