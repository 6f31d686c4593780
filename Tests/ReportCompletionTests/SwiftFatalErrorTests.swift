import ReportTestSupport
import TestSupport
import Testing

/// The line that Swift's standard library prints above a backtrace. The lines are those of
/// swiftlang/swift, stdlib/public/core/Assert.swift.
struct SwiftFatalErrorTests {
  private static let message = "Bank/Bank.swift:2: Fatal error: Index out of range"

  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  @Test(
    arguments: [
      "\(message)\n\n", "\(message)\n",
      "swift-runtime: failed to suspend thread 5 while processing a crash\n",
      "\(message)\nswift-runtime: failed to suspend thread 5 while processing a crash\n",
      "\u{1b}[31m\(message)\u{1b}[0m\nother output\n", "\(message)\n1\n2\n3\n4\n",
      "\(message)\n*** Signal 4: Backtracing from 0x1... done ***\n\nBacktrace took 0.01s\n\n",
    ])
  func aboveText(lines: String) throws {
    let log = try SwiftBacktraceTests.log("bank-off")
    let start = try require(log.firstRange(of: "*** Signal")).lowerBound
    let found = try crash(lines + log[start...])
    let isNear = lines.contains(Self.message) && !lines.contains("3\n4") && !lines.contains("took")
    expectEqual(found.kind, isNear ? "applicationMessage" : "exceptionType")
    expectEqual(found.reason == Self.message, isNear)
    expectEqual(found.evidence.first?.text == Self.message, isNear)
  }

  @Test func aboveJson() throws {
    let path = SwiftBacktraceTests.path("Reports/bank-off.json")
    let json = String(decoding: try Fixtures.bytes(of: path), as: UTF8.self)
    let found = try crash("\(Self.message)\n\n" + json)
    expectEqual(found.reason, Self.message)
    expectEqual(found.reasonFrom, "applicationSpecificInformation")
  }

  @Test func afterAPrefix() throws {
    let log = try SwiftBacktraceTests.log("bank-off")
    let start = try require(log.firstRange(of: "*** Signal")).lowerBound
    let lines = ("\(Self.message)\n\n" + log[start...])
      .split(separator: "\n", omittingEmptySubsequences: false)
    let found = try crash(lines.map { "bank-1  | \($0)" }.joined(separator: "\n"))
    expectEqual(found.reason, Self.message)
  }
}
