import CrashLogParser
import SymbolicationModel
import Testing

/// A report written in a test, with its bytes.
struct ParsedText {
  let bytes: [UInt8]
  let reports: [CrashReport]

  init(_ text: String) throws {
    bytes = Array(text.utf8)
    reports = try CrashLogParser.parse(bytes)
  }

  /// The report, where there must be one and no more.
  var report: CrashReport {
    get throws {
      try #require(reports.count == 1)
      return try #require(reports.first)
    }
  }

  subscript(range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
}

/// The frames of one thread with these lines.
func frames(_ lines: String...) throws -> (text: ParsedText, frames: [StackFrame]) {
  let text = try ParsedText(
    "Incident Identifier: A\nProcess: App [1]\nPath: /App\n\nThread 0 Crashed:\n"
      + lines.joined(separator: "\n") + "\n")
  return (text, try #require(text.report.threads.first).frames)
}

/// The images of one report with these lines.
func images(_ lines: String...) throws -> (report: CrashReport, images: [BinaryImage]) {
  let report = try ParsedText(
    "Process: App [1]\nPath: /App\nIdentifier: App\n\nBinary Images:\n"
      + lines.joined(separator: "\n") + "\n"
  ).report
  return (report, report.images)
}
