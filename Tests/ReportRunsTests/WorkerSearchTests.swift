import SymbolicationWorker
import TestSupport
import Testing

/// When a worker looks again for symbols that were missing.
struct WorkerSearchTests {
  /// `--retry` counts from the end of a search, and the pause is at least 20 times as long as that
  /// took, to the nanosecond: a search of 2 ms that meets the tick of a second is one of 2 ms.
  /// docs/worker.md states the rule.
  @Test(
    arguments: [
      // From and to, the interval, now, in milliseconds and seconds; the pause is 40 ms.
      (999, 1001, 0, 1040, false), (999, 1001, 0, 1041, true),
      // The interval is longer.
      (999, 1001, 1, 2000, false), (999, 1001, 1, 2001, true),
      // The search took a second.
      (1000, 2000, 1, 21_999, false), (1000, 2000, 1, 22_000, true),
    ])
  func pauses(start: UInt64, end: UInt64, interval: Int, now: UInt64, isAllowed: Bool) {
    let search = WorkerSession.SearchTime(start: start * 1_000_000, end: end * 1_000_000)
    expectEqual(search.allowsNext(after: interval, at: now * 1_000_000), isAllowed)
  }
}
