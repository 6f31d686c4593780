import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reports of processes that went on: nothing in them crashed.
struct LivingProcessTests {
  private func text(_ head: String, thread: Int = 0) -> String {
    TrapReportFixture.report(
      [TrapReportFixture.stated(0, 0x1_0000_1000, "-[Board draw] + 12 (Board.m:7)")],
      head: "\(head)\nTriggered by Thread:  \(thread)")
  }

  private static let wakeups =
    "Exception Type:  EXC_RESOURCE\nException Subtype: WAKEUPS\nException Message: (Limit 150/sec) Observed 195/sec over 300 secs"

  @Test(
    arguments: [
      (wakeups, false),
      // A termination record: the kernel ended it.
      (wakeups + "\nTermination Reason: Namespace RESOURCE, Code 0x1", true),
      (
        "Exception Type:  EXC_GUARD\nException Subtype: GUARD_TYPE_FD\nException Message: CLOSE on file descriptor 63 (guarded with 0x08fd4dbfade2dead)\nException Note:  SIMULATED (this is NOT a crash)",
        false
      ),
      // A library of the system reports a fault.
      (
        "Exception Type:  EXC_GUARD\nException Codes: GUARD_TYPE_USER\nException Codes: 0x6000000000000012, 0x0000000000000002",
        false
      ),
      ("Exception Type:  EXC_CRASH (SIGABRT)", true),
    ])
  func headingsOfThreads(head: String, hasCrashed: Bool) {
    let summary = JsonFixture.output(text(head).utf8, as: .summary, with: [])
    expectEqual(summary.contains("\nthread 0 crashed:\n"), hasCrashed)
    expectEqual(summary.contains("\nthread 0:\n"), !hasCrashed)
    let page = JsonFixture.output(text(head).utf8, as: .html, with: [])
    expectEqual(page.contains("<b>Thread 0 crashed</b>"), hasCrashed)
    expectEqual(page.contains("<b>Thread 0</b>"), !hasCrashed)
  }

  /// ThreadSanitizer warns; only a signal ends the process.
  @Test(
    arguments: [
      ("WARNING: ThreadSanitizer: data race (pid=7)", false),
      ("==7==ERROR: ThreadSanitizer: SEGV on unknown address 0x10", true),
      ("==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020", true),
    ])
  func findingsOfSanitizers(head: String, hasCrashed: Bool) {
    let text = "\(head)\n  Write of size 4 by thread T4:\n    #0 draw() Board.cc:7 (Game+0x1f5c)\n"
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectEqual(summary.contains("\nthread 4 crashed:\n"), hasCrashed)
    expectEqual(summary.contains("\nthread 4:\n"), !hasCrashed)
    expectEqual(summary.contains(" (this is not a crash: the process went on)\n"), !hasCrashed)
  }

  @Test func threadsThatWereCutOff() {
    let cut = text(Self.wakeups, thread: 7).replacing("Thread 0 Crashed:", with: "Thread 0:")
    let summary = JsonFixture.output(cut.utf8, as: .summary, with: [])
    let lines = summary.split(separator: "\n", omittingEmptySubsequences: false)
    // In the headline, or below it if both are too long.
    expectTrue(
      lines[1].hasSuffix(" — thread 7 did it; its frames are not in this text")
        || lines[2] == "thread 7 did it; its frames are not in this text")
  }
}
