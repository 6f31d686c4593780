import FetchProtocol
import Platform
import Synchronization

/// The bytes and the time that are left for all downloads of a run, on all threads together.
///
/// Time passes while any download is under way, and stands while there is none.
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

    func nanoseconds(at now: UInt64) -> UInt64 {
      nanoseconds &+ (count > 0 ? now &- start : 0)
    }
  }

  /// A download begins.
  func begin() {
    let now = Clock.monotonicNanoseconds
    state.withLock { state in
      if state.count == 0 { state.start = now }
      state.count += 1
    }
  }

  /// A download ends, whatever came of it.
  func end() {
    let now = Clock.monotonicNanoseconds
    state.withLock { state in
      state.count -= 1
      if state.count == 0 { state.nanoseconds &+= now &- state.start }
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
    let now = Clock.monotonicNanoseconds
    return state.withLock { state in
      if state.isOver { return .bytes }
      return state.nanoseconds(at: now) / 1_000_000_000 >= limits.runSeconds ? .seconds : nil
    }
  }
}
