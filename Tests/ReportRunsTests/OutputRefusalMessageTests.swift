import TestSupport
import Testing

@testable import ReportRuns

/// `OutputGuardTests` has the other sentences: tests run by the superuser can read every file.
@Suite struct OutputRefusalMessageTests {
  @Test func aFileThatCannotBeRead() {
    expectEqual(
      OutputRefusal(path: "out", reason: .unreadable).message(for: .report),
      "out cannot be read, so it may be a symbol file and will not be overwritten; choose another output"
    )
  }
}
