import Synchronization

/// How many bytes may still be decompressed, over an archive and the archives in it.
final class UnpackingBudget: Sendable {
  /// What there was at the start.
  let limit: UInt64
  private let remaining: Mutex<UInt64>

  init(_ limit: UInt64) {
    self.limit = limit
    remaining = Mutex(limit)
  }

  /// Whether `count` bytes were left; they are gone then.
  func take(_ count: UInt64) -> Bool {
    remaining.withLock { remaining in
      guard count <= remaining else { return false }
      remaining -= count
      return true
    }
  }
}
