/// The form in which reports are written.
package enum OutputForm: String, CaseIterable, Sendable {
  /// The input with the resolved frames filled in: text stays text, and JSON stays JSON.
  case auto
  /// Apple's text. Apple's JSON is translated.
  case crash
  /// Apple's JSON (`.ips`). Text cannot be turned into it.
  case ips
  /// One JSON document for all reports of an input, in this program's own schema.
  case json
  /// One line of JSON for each report, in this program's own schema.
  case ndjson
  /// A few lines for people: what happened, and the crashed thread.
  case summary
  /// A page for browsers: everything that is known about the reports of an input.
  case html
  /// Markdown for an issue of GitHub or GitLab, at most 60,000 characters.
  case markdown

  /// Whether the output is still a report, which can be read again. The others leave out most of
  /// it.
  package var isReport: Bool { [.auto, .crash, .ips].contains(self) }

  /// Whether it shows the columns of source locations, which no index holds.
  package var showsColumns: Bool { [.json, .ndjson].contains(self) }
}
