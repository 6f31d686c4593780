package import CrashLogParser

extension SymbolicatedInput {
  /// The reports that JSON and summaries show. Console puts a text report and the JSON it was made
  /// from into one file; the text is then dropped. Reports of processes that the options leave out
  /// are not shown.
  package var shownReports: [SymbolicatedReport] {
    reports.ofDistinctIncidents.filter { options.selects($0.source.process) }
  }
}

extension [SymbolicatedReport] {
  /// Drops a text report if the input also holds the JSON of the same incident.
  package var ofDistinctIncidents: [SymbolicatedReport] {
    guard count > 1 else { return self }
    let incidents = Set(filter(\.isTranslatable).flatMap(\.source.facts.incidentKeys))
    guard !incidents.isEmpty else { return self }
    return filter { report in
      report.isTranslatable
        || !(report.source.facts.incidentKeys.first.map { incidents.contains($0) } ?? false)
    }
  }
}

/// What distinguishes one crash from any other.
private enum IncidentKey: Hashable {
  case identifier(String)
  /// Text reports of macOS have no identifier, but a time in tenths of a millisecond.
  case process(identifier: Int, date: String)
}

extension ReportFacts {
  /// The best one first.
  fileprivate var incidentKeys: [IncidentKey] {
    var keys: [IncidentKey] = []
    if let incident { keys.append(.identifier(incident)) }
    if let identifier = process.identifier, let date {
      keys.append(.process(identifier: identifier, date: date))
    }
    return keys
  }
}

extension SymbolicatedReport {
  /// Whether Apple's tools make text reports from it: then a text report of the same incident is a
  /// copy.
  package var isTranslatable: Bool { source.format.traits.appleText == .translation }
}

extension [Report] {
  /// The format of the first report if none has stacks; nil otherwise.
  package var formatWithoutStacks: ReportFormat? {
    contains { $0.format.hasStacks } ? nil : first?.format
  }
}
