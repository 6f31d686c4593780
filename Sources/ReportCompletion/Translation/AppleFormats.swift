import CrashLogParser
import ReportSymbolication

extension SymbolicatedInput {
  /// Apple's text of every report, one after the other. Nil if a report has none.
  ///
  /// JSON and other formats are translated, JSON even if the input also holds Apple's own
  /// translation. If the input holds only text, the output is the whole input, including the text
  /// between its reports.
  package var appleText: [UInt8]? {
    let shown = shownReports
    guard shown.allSatisfy({ $0.source.format.traits.appleText != .none }) else { return nil }
    guard reports.contains(where: { $0.source.format.traits.appleText != .original }) else {
      return splicedBytes
    }
    return joined(shown.map { appleText(of: $0) }, separator: "\n")
  }

  private func appleText(of report: SymbolicatedReport) -> [UInt8] {
    switch report.source.format.traits.appleText {
    case .translation: IpsTranslator.translate(report) ?? splicedBytes(of: report)
    case .model: ModelTranslator.translate(report)
    case .original, .none: splicedBytes(of: report)
    }
  }

  /// The reports as Apple's JSON, without what surrounds them. Nil if one is not Apple's JSON.
  package var ipsDocuments: [UInt8]? {
    guard shownReports.allSatisfy(\.isTranslatable) else { return nil }
    if reports.count == 1, let range = reports.first?.source.byteRange, range.lowerBound == 0,
      bytes[range.upperBound...].allSatisfy({ Ascii.isJsonSpace($0) })
    {
      return splicedBytes
    }
    return joined(shownReports.map { splicedBytes(of: $0) }, separator: "")
  }

  private func joined(_ texts: [[UInt8]], separator: String) -> [UInt8] {
    var output: [UInt8] = []
    for text in texts {
      if !output.isEmpty { output += separator.utf8 }
      output += text
      if output.last != UInt8(ascii: "\n") { output += "\n".utf8 }
    }
    return output
  }

  /// The bytes of one report with its answers in place.
  private func splicedBytes(of report: SymbolicatedReport) -> [UInt8] {
    var edits = ByteEdits()
    edits.remove(0..<report.source.byteRange.lowerBound)
    report.splicer.splice(report, of: bytes, into: &edits)
    edits.remove(report.source.byteRange.upperBound..<bytes.count)
    return edits.applied(to: bytes)
  }
}
