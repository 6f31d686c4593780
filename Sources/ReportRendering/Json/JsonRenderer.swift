import CrashLogParser
package import ReportSymbolication
import SymbolicationModel
package import Wording

/// Writes reports as JSON in this program's own schema: `docs/report.schema.json`, explained in
/// `docs/json.md`. Every key is always there, in the same order; `null` means unknown.
package struct JsonRenderer: Sendable {
  /// The value of `version`. It changes if a key is removed or changes its meaning, not if one is
  /// added.
  static let schemaVersion = 1

  private let input: SymbolicatedInput
  private let inputName: String
  private let form: Form

  /// - Parameter inputName: what to call the input.
  package init(_ input: SymbolicatedInput, inputName: String, _ form: Form) {
    self.input = input
    self.inputName = inputName
    self.form = form
  }

  package enum Form: Sendable {
    /// One document for all reports.
    case document
    /// One document for each report, on a line of its own.
    case lines
  }

  package var bytes: [UInt8] {
    var writer = JsonWriter(layout)
    write(to: &writer)
    return writer.bytes
  }

  /// Writes everything in pieces, so that the whole is never in memory.
  ///
  /// - Throws: what `write` throws; it is then not called again.
  package func write<Failure: Error>(
    to write: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    try writePieces(to: write) { take in
      var writer = JsonWriter(layout, take: take)
      self.write(to: &writer)
    }
  }

  private var layout: JsonWriter.Layout {
    switch form {
    case .document: .indented
    case .lines: .oneLine
    }
  }

  private func write(to writer: inout JsonWriter) {
    switch form {
    case .document: writeDocument(to: &writer)
    case .lines:
      for report in input.shownReports {
        writer.object { writer in
          head(&writer)
          JsonReport(report, of: input).write(to: &writer)
        }
        writer.finish()
      }
    }
  }

  private func writeDocument(to writer: inout JsonWriter) {
    writer.object { writeMembers(to: &$0) }
    writer.finish()
  }

  /// Writes the members of the document for all reports into the open object.
  package func writeMembers(to writer: inout JsonWriter) {
    let reports = input.shownReports.map { JsonReport($0, of: input) }
    head(&writer)
    writer.member(objects: "reports", reports) { $1.write(to: &$0) }
    var counts = FrameCounts()
    for report in reports { counts += report.counts }
    writer.member(object: "counts") { counts.write(to: &$0) }
  }

  private func head(_ writer: inout JsonWriter) {
    writer.member("schema", "symbolicate-report")
    writer.member("version", Self.schemaVersion)
    writer.member("input", inputName)
  }
}

extension FrameCounts {
  package func write(to writer: inout JsonWriter) {
    writer.member("frames", frames)
    writer.member("named", named)
    writer.member("completed", completed)
    writer.member("resolved", resolved)
    writer.member("unresolved", unresolved)
  }
}
