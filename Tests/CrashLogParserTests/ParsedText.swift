import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// The reports of a text that a test wrote, with the bytes at their ranges.
struct ParsedText {
  /// What the ranges refer to: the input, or the text in its wrapping.
  let bytes: [UInt8]
  let input: [UInt8]
  let reports: [Report]

  init(_ text: String) throws { try self.init(bytes: Array(text.utf8)) }

  init(bytes: [UInt8]) throws {
    input = bytes
    reports = try CrashLogParser.parse(bytes)
    self.bytes = reports.first?.wrapping?.text ?? bytes
  }

  /// The only report.
  var report: Report {
    get throws {
      try require(reports.count == 1)
      return try require(reports.first)
    }
  }

  /// The `.ips` reports.
  var ipsReports: [Report] { reports.filter { $0.format == .ipsCrash } }

  /// The reports in Apple's text format.
  var textReports: [Report] { reports.filter(\.isAppleText) }

  subscript(range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The bytes at a range; nil if there is no range.
  func text(_ range: Range<Int>?) -> String? { range.map { self[$0] } }
}

extension Report {
  var isAppleText: Bool {
    [.crashText, .crashTextWithJsonHeader, .frameFragment].contains(format)
  }

  /// The body of an `.ips` report.
  var bodyRange: Range<Int>? { json?.byteRange }

  /// The values of the head with this name.
  func fields(_ name: String) -> [String] {
    facts.fields.filter { $0.name == name }.map(\.value)
  }
}

/// The frames of one thread with these lines.
func frames(_ lines: String...) throws -> (text: ParsedText, frames: [StackFrame]) {
  let text = try ParsedText(
    "Incident Identifier: A\nProcess: App [1]\nPath: /App\n\nThread 0 Crashed:\n"
      + lines.joined(separator: "\n") + "\n")
  return (text, try require(text.report.threads.first).frames)
}

/// The images of one report with these lines.
func images(_ lines: String...) throws -> (report: Report, images: [BinaryImage]) {
  let report = try ParsedText(
    "Process: App [1]\nPath: /App\nIdentifier: App\n\nBinary Images:\n"
      + lines.joined(separator: "\n") + "\n"
  ).report
  return (report, report.images)
}
