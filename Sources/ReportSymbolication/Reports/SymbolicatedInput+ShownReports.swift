import CrashLogParser

extension SymbolicatedInput {
  /// The reports that outputs of this program's own making show: all but those as text of whose
  /// incident the input has the JSON too. Console puts both into one file, and the text is made of the
  /// JSON.
  var shownReports: [SymbolicatedReport] {
    let incidents = Set(
      reports.compactMap { report -> String? in
        if case .ips(let ips) = report.source { ips.incidentIdentifier } else { nil }
      })
    guard !incidents.isEmpty else { return reports }
    return reports.filter { report in
      guard case .text(let text) = report.source else { return true }
      return text.incidentIdentifier.map { !incidents.contains($0) } ?? true
    }
  }
}
