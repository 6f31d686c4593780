import CrashLogParser
import SymbolicationModel

/// Writes reports as JSON in this program's own schema: `docs/report.schema.json`, explained in
/// `docs/json.md`. Every key is always there, in the same order; `null` means unknown.
struct JsonRenderer {
  /// The value of `version`. It changes if a key is removed or changes its meaning, not if one is
  /// added.
  static let schemaVersion = 1

  private let input: SymbolicatedInput
  private let inputName: String

  /// - Parameter inputName: what to call the input.
  init(_ input: SymbolicatedInput, inputName: String) {
    self.input = input
    self.inputName = inputName
  }

  /// One document for all reports, ending with a line end.
  var document: [UInt8] {
    let reports = input.shownReports.map { JsonReport($0, of: input) }
    var writer = JsonWriter(.indented)
    writer.object { writer in
      head(&writer)
      writer.member(array: "reports", reports) { writer, report in
        writer.object { report.write(to: &$0) }
      }
      var counts = FrameCounts()
      for report in reports { counts += report.counts }
      writer.member(object: "counts") { counts.write(to: &$0) }
    }
    return Array(writer.text.utf8) + [0x0a]
  }

  /// One document for each report, on a line of its own.
  var lines: [UInt8] {
    var bytes: [UInt8] = []
    for report in input.shownReports {
      var writer = JsonWriter(.oneLine)
      writer.object { writer in
        head(&writer)
        JsonReport(report, of: input).write(to: &writer)
      }
      bytes += writer.text.utf8
      bytes.append(0x0a)
    }
    return bytes
  }

  private func head(_ writer: inout JsonWriter) {
    writer.member("schema", "symbolicate-report")
    writer.member("version", Self.schemaVersion)
    writer.member("input", inputName)
  }
}

extension FrameCounts {
  func write(to writer: inout JsonWriter) {
    writer.member("frames", frames)
    writer.member("named", named)
    writer.member("completed", completed)
    writer.member("resolved", resolved)
    writer.member("unresolved", unresolved)
  }
}
