import FetchProtocol
import Platform
import Synchronization

/// The bytes and the time that are left for all downloads of a run, on all threads together.
///
/// Time passes while any download is under way, and stands while there is none. The clock is read
/// under the lock, so that no thread sees a start that is later than its own time.
final class DownloadBudget: Sendable {
  private let state = Mutex(State())

  private struct State {
    var bytes: UInt64 = 0
    /// Whether more bytes came in than were left. Nothing is downloaded then, not even less.
    var isOver = false
    var nanoseconds: UInt64 = 0
    /// Downloads that are under way, and since when there are any.
    var count = 0
    var start: UInt64 = 0

    var nanosecondsNow: UInt64 {
      nanoseconds &+ (count > 0 ? Clock.monotonicNanoseconds &- start : 0)
    }
  }

  /// A download begins.
  func begin() {
    state.withLock { state in
      if state.count == 0 { state.start = Clock.monotonicNanoseconds }
      state.count += 1
    }
  }

  /// A download ends, whatever came of it.
  func end() {
    state.withLock { state in
      state.nanoseconds = state.nanosecondsNow
      state.count -= 1
      state.start = Clock.monotonicNanoseconds
    }
  }

  /// Counts bytes that have come in: false, and they are not counted, if they are more than is
  /// left.
  func take(_ count: Int, _ limits: FetchLimits) -> Bool {
    state.withLock { state in
      let (sum, overflow) = state.bytes.addingReportingOverflow(UInt64(clamping: count))
      guard !overflow, sum <= limits.runBytes else {
        state.isOver = true
        return false
      }
      state.bytes = sum
      return true
    }
  }

  /// The limit that is reached; nil if none is.
  func reached(_ limits: FetchLimits) -> FetchFailure.RunLimit? {
    state.withLock { state in
      if state.isOver { return .bytes }
      return state.nanosecondsNow / 1_000_000_000 >= limits.runSeconds ? .seconds : nil
    }
  }
}
