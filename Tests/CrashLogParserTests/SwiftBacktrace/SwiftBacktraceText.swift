import CrashLogParser
import TestSupport
import Testing

/// A text read as Swift backtraces, with the bytes at its ranges.
struct SwiftBacktraceText {
  let bytes: [UInt8]
  let reports: [SwiftBacktraceReport]

  init(_ text: String) throws { try self.init(bytes: Array(text.utf8)) }

  init(bytes: [UInt8]) throws {
    self.bytes = bytes
    reports = try CrashLogParser.reports(in: bytes).compactMap {
      if case .swiftBacktrace(let report) = $0 { report } else { nil }
    }
  }

  /// A report in `Fixtures/SwiftBacktrace/Reports`.
  init(fixture name: String) throws {
    try self.init(
      bytes: Fixtures.bytes(of: Fixtures.path("SwiftBacktrace/Reports/\(name)")))
  }

  var report: SwiftBacktraceReport {
    get throws {
      try #require(reports.count == 1)
      return reports[0]
    }
  }

  func text(_ range: Range<Int>?) -> String? {
    range.map { String(decoding: bytes[$0], as: UTF8.self) }
  }

  /// A report with these lines below the heading of a thread.
  static func ofThread(_ lines: String..., images: String = "") throws -> SwiftBacktraceText {
    try SwiftBacktraceText(
      """
      *** Program crashed: Illegal instruction at 0x0000000000001000 ***

      Thread 0 crashed:

      \(lines.joined(separator: "\n"))
      \(images)
      """)
  }
}
