package import CrashLogParser
import CrashReading
package import ReportSymbolication
import SymbolicationModel
import SystemPackage
import Wording

/// What JSON has in place of a report for an input without one, so that a reader gets JSON alone
/// and something for each input.
package struct ErrorRecord: Hashable, Sendable {
  /// `-` for standard input.
  package let path: String
  package let code: Code
  /// A sentence, as on standard error.
  package let message: String

  /// Programs rely on the values.
  package enum Code: String, Hashable, CaseIterable, Sendable {
    /// The input was read, and holds no report.
    case noReport = "no-report"
    /// The system refused to let the input be read.
    case unreadable
    /// The input is larger than a limit, so it was not read.
    case limit
  }

  package init(path: String, code: Code, message: String) {
    self.path = path
    self.code = code
    self.message = message.withoutControlCharacters
  }

  /// An input that holds no report.
  package init(_ error: CrashLogParseError, path: String, shownPath: String, _ input: [UInt8]) {
    let isTooLarge = if case .inputTooLarge = error { true } else { false }
    self.init(
      path: path, code: isTooLarge ? .limit : .noReport,
      message: error.message(path: shownPath, input))
  }

  /// The record as output of that form; empty for a form that is not JSON.
  package func output(as form: OutputForm) -> [UInt8] {
    let layout: JsonWriter.Layout
    switch form {
    case .json: layout = .indented
    case .ndjson: layout = .oneLine
    default: return []
    }
    var writer = JsonWriter(layout)
    writer.object { writer in
      writer.member("schema", "symbolicate-report")
      writer.member("version", JsonRenderer.schemaVersion)
      writer.member("input", path == "-" ? "standard input" : path)
      writer.member("path", path == "-" ? nil : path)
      writer.member(object: "error") { writer in
        writer.member("code", code.rawValue)
        writer.member("message", message)
      }
    }
    writer.finish()
    return writer.bytes
  }
}

extension ReportReadError {
  /// The code of the record of an input that cannot be read.
  package var recordCode: ErrorRecord.Code {
    switch self {
    case .unreadable(.fileTooLarge), .implausibleSize: .limit
    case .unreadable, .damagedCompression: .unreadable
    case .archive: .noReport
    }
  }
}
