import Foundation
import ReportRuns
import TestSupport
import Testing

/// Reports that somebody writes to while they are symbolicated.
@Suite struct ReplacedReportsTests {
  private let directory: TemporaryDirectory
  private let input: ReportInput
  private let replaced: ReplacedReports

  init() throws {
    directory = try TemporaryDirectory()
    input = ReportInput(try directory.write("report".utf8, to: "a.crash"))
    replaced = ReplacedReports(directories: [])
    replaced.willRead(input)
  }

  @Test func aReportThatNobodyWroteToIsReplaced() throws { try replaced.check(input) }

  @Test func anAppendedLineIsKept() throws {
    let file = try require(FileHandle(forWritingAtPath: input.path))
    try file.seekToEnd()
    try file.write(contentsOf: Array("more".utf8))
    try file.close()
    try expectRefusal()
  }

  @Test func aReportOfTheSameSizeIsKept() throws {
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)], ofItemAtPath: input.path)
    try expectRefusal()
  }

  /// An editor writes a new file, and gives it the name.
  @Test func anotherFileIsKept() throws {
    try directory.write("report".utf8, to: "new")
    try FileManager.default.removeItem(atPath: input.path)
    try FileManager.default.moveItem(atPath: directory.path("new"), toPath: input.path)
    try expectRefusal()
  }

  @Test func aReportThatIsGoneIsNotMadeAgain() throws {
    try FileManager.default.removeItem(atPath: input.path)
    try expectRefusal()
  }

  private func expectRefusal(sourceLocation: SourceLocation = #_sourceLocation) throws {
    let error = #expect(throws: OutputRefusal.self, sourceLocation: sourceLocation) {
      try replaced.check(input)
    }
    expectEqual(error?.reason, .changed, sourceLocation: sourceLocation)
    expectEqual(
      error?.message(for: .report),
      "\(input.path) has changed since it was read, and is left as it is; run again when nobody writes to it",
      sourceLocation: sourceLocation)
  }
}
