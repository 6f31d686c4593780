import CMalloc

/// Watches what this process has allocated.
///
/// The C library walks all that is free to count what is in use. After many small reports that
/// takes milliseconds, so it is asked as rarely as the answer allows.
package struct AllocatedMemory: Sendable {
  /// How many questions are answered with no before the C library is asked again.
  private var remaining = 0
  private var stride = 1

  package init() {}

  /// Whether more than `limit` bytes are in use, without those of mapped files. It may be noticed
  /// late: up to 256 questions after the last answer that was below half the limit.
  ///
  /// Cost: less than a microsecond if the process never had that much memory.
  package mutating func exceeds(_ limit: UInt64) -> Bool {
    guard Self.peak > limit else { return false }
    guard remaining == 0 else {
      remaining -= 1
      return false
    }
    let count = Self.byteCount
    stride = count > limit / 2 ? 1 : min(2 * stride, 256)
    remaining = stride - 1
    return count > limit
  }

  /// The most memory that the process ever had, in bytes; with mapped files.
  private static var peak: UInt64 {
    var usage = rusage()
    guard unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return .max }
    return UInt64(clamping: usage.ru_maxrss) * 1024
  }

  private static var byteCount: UInt64 {
    let heap = mallinfo2()
    return UInt64(heap.uordblks) + UInt64(heap.hblkhd)
  }
}
