import JsonReading
package import ReportModel
import SymbolicationModel

/// Finds where another report begins, for readers whose own reports have no certain end.
///
/// Each line may be asked about once, in their order.
package struct ReportBoundary {
  private let source: TextSource
  private let signs: FormatSigns
  private var fragments: FragmentFinder
  /// Up to here JSON was read. It is not read again, so that the time stays linear.
  private var readEnd = 0

  package init(_ source: TextSource, _ signs: FormatSigns) {
    self.source = source
    self.signs = signs
    fragments = FragmentFinder(signs)
  }

  /// Whether a report certainly begins with this line: one in Apple's text format with its head,
  /// one of another format, or one in JSON.
  package mutating func isReached(at line: TextLine) -> Bool {
    source.isFirstLineOfReport(line, signs) || signs.beginsReport(line, in: source)
      || isJson(line)
  }

  /// Whether one may begin with this line that has lost its head.
  package mutating func mayBeReached(at line: TextLine) -> Bool {
    source.reportStart(line, fragments: &fragments) != nil || isReached(at: line)
  }

  /// Whether JSON begins with this line that is a report. Of other JSON, logs are full.
  package mutating func isJson(_ line: TextLine) -> Bool {
    guard source.beginsDocument(line), line.start >= readEnd else { return false }
    if signs.format(ofJsonFrom: line, isFirst: false, in: source) != nil { return true }
    let document = try? JsonDocument(source.bytes, in: line.start..<source.count)
    guard let document else { return false }
    readEnd = document.byteRange.upperBound
    return document.damage == nil && signs.format(of: document, in: source).isReport
  }
}
