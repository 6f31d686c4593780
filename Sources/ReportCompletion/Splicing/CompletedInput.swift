import CrashLogParser
package import ReportSymbolication

extension SymbolicatedInput {
  /// The input with the answers in place: text stays text, JSON stays JSON, and a wrapping stays
  /// around its report. A binary report becomes the text that it stands for. Nil if answers cannot
  /// be written into the wrapping.
  package var completedInput: [UInt8]? {
    guard let wrapping, !wrapping.isTranslation else { return splicedBytes }
    guard let outer = wrapping.inputEdits(edits.list) else { return nil }
    var edits = ByteEdits()
    for edit in outer { edits.replace(edit.range, with: edit.replacement) }
    return edits.applied(to: input)
  }

  /// The text of the reports with the answers in place.
  package var splicedBytes: [UInt8] { edits.applied(to: bytes) }

  private var edits: ByteEdits {
    var edits = ByteEdits()
    for report in reports { report.splicer.splice(report, of: bytes, into: &edits) }
    return edits
  }
}
