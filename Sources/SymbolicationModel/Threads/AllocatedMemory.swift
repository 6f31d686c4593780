import Platform

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
    guard ThisProcess.peakByteCount > limit else { return false }
    guard remaining == 0 else {
      remaining -= 1
      return false
    }
    let count = Heap.usedByteCount
    stride = count > limit / 2 ? 1 : min(2 * stride, 256)
    remaining = stride - 1
    return count > limit
  }

  /// Keeps memory that is freed, as far as it is less than `limit` bytes at the end of a heap, for
  /// what is allocated next. Without this, a process that works on one large input after the other
  /// gives its pages back after each and gets new ones, which the system clears.
  package static func keepFreed(upTo limit: Int) {
    Heap.keepFreed(upTo: limit)
  }
}
