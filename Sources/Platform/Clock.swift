/// The system's clocks.
package enum Clock {
  /// Since 1970-01-01 00:00 UTC.
  package static var secondsSince1970: Int64 { Int64(time(nil)) }

  /// Of a clock that nobody sets and that starts anywhere; 0 if the system has none.
  package static var monotonicNanoseconds: UInt64 {
    var now = timespec()
    guard unsafe clock_gettime(CLOCK_MONOTONIC, &now) == 0 else { return 0 }
    return UInt64(clamping: now.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: now.tv_nsec)
  }
}
