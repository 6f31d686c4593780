import CrashLogParser
import TestSupport
import Testing

extension ParsedText {
  /// A report in `Fixtures/SwiftBacktrace/Reports`.
  init(swiftFixture name: String) throws {
    try self.init(
      bytes: Fixtures.bytes(of: Fixtures.path("SwiftBacktrace/Reports/\(name)")))
  }

  /// A Swift backtrace with these lines below the heading of a thread.
  static func ofSwiftThread(_ lines: String..., images: String = "") throws -> ParsedText {
    try ParsedText(
      """
      *** Program crashed: Illegal instruction at 0x0000000000001000 ***

      Thread 0 crashed:

      \(lines.joined(separator: "\n"))
      \(images)
      """)
  }
}
