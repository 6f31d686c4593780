/// In what form reports come out.
package enum OutputForm: String, CaseIterable, Sendable {
  /// As they came in: text stays text, and JSON stays JSON, with the answers in their places.
  case auto
  /// Apple's text; reports as JSON are translated.
  case crash
  /// Apple's JSON (`.ips`). Reports as text cannot be turned into it.
  case ips
  /// One JSON document for all reports of an input, of this program's own schema.
  case json
  /// The same, one line for each report.
  case ndjson
  /// A few lines for people: what happened, and the crashed thread.
  case summary

  /// Whether it has columns of source lines, which no index holds.
  var showsColumns: Bool { [.json, .ndjson].contains(self) }
}
