internal import SymbolicationModel

/// Finds where another report begins, for readers whose own reports have no certain end.
///
/// Each line may be asked about once, in their order.
struct ReportBoundary {
  private let source: TextSource
  private var fragments = FragmentFinder()
  /// Up to here JSON was read. It is not read again, so that the time stays linear.
  private var readEnd = 0

  init(_ source: TextSource) { self.source = source }

  /// Whether a report certainly begins with this line: one in Apple's text format with its head,
  /// one of another format, or one in JSON.
  mutating func isReached(at line: TextLine) -> Bool {
    source.isFirstLineOfReport(line) || source.beginsOtherReport(line) || isJson(line)
  }

  /// Whether one may begin with this line that has lost its head.
  mutating func mayBeReached(at line: TextLine) -> Bool {
    source.reportStart(line, fragments: &fragments) != nil || isReached(at: line)
  }

  /// Whether JSON begins with this line that is a report. Of other JSON, logs are full.
  mutating func isJson(_ line: TextLine) -> Bool {
    guard source.beginsDocument(line), line.start >= readEnd else { return false }
    if ReportFormat.detectJson(source, line, isFirst: false) != nil { return true }
    let document = try? JsonDocument(source.bytes, in: line.start..<source.count)
    guard let document else { return false }
    readEnd = document.byteRange.upperBound
    return document.damage == nil && ReportFormat(of: document, in: source).isReport
  }
}
