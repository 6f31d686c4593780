import CrashLogParser

extension SymbolicatedInput {
  /// The reports that outputs of this program's own making show: all but those as text of whose
  /// incident the input has the JSON too. Console puts both into one file, and the text is made of the
  /// JSON.
  var shownReports: [SymbolicatedReport] { reports.ofDistinctIncidents }
}

extension [SymbolicatedReport] {
  /// All but those as text of whose incident the JSON is there too.
  var ofDistinctIncidents: [SymbolicatedReport] {
    let incidents = Set(filter(\.isJson).flatMap(\.source.incidentKeys))
    guard !incidents.isEmpty else { return self }
    return filter { report in
      report.isJson || !(report.source.incidentKeys.first.map { incidents.contains($0) } ?? false)
    }
  }
}

/// What tells one crash from any other.
private enum IncidentKey: Hashable {
  case identifier(String)
  /// Reports of macOS as text have no identifier; their time is told to a tenth of a millisecond.
  case process(identifier: Int, date: String)
}

extension ParsedReport {
  /// The best one first.
  fileprivate var incidentKeys: [IncidentKey] {
    let (incident, identifier, date) =
      switch self {
      case .text(let report):
        (report.incidentIdentifier?.known, report.processIdentifier, report.dateTime?.known)
      case .ips(let report):
        (report.incidentIdentifier, report.processIdentifier, report.captureTime)
      case .swiftBacktrace: (nil, nil, nil)
      }
    var keys: [IncidentKey] = []
    if let incident { keys.append(.identifier(incident)) }
    if let identifier, let date { keys.append(.process(identifier: identifier, date: date)) }
    return keys
  }
}
