package import SymbolicationModel
import Synchronization

/// How much of an archive is read. Archives come from strangers: a few kilobytes may state, or
/// inflate to, more than any disk holds.
package struct ArchiveLimits: Hashable, Sendable {
  /// Members, of any kind.
  package var memberCount = 1_000_000
  /// Bytes of a member's name. Linux opens no longer path (`PATH_MAX`).
  package var nameLength = 4096
  /// Bytes that may come out of an archive however small it is.
  package var smallestUnpackedSize: UInt64 = 1 << 30
  /// How many times its own size may come out of an archive. Symbol files shrink to a tenth or,
  /// with many like slices, to a hundredth.
  package var expansion: UInt64 = 250
  /// Bytes of a member that may be unpacked to memory, if there is no cache.
  package var memory: UInt64 = 4 << 30

  package init() {}

  /// The bytes that may come out of an archive of `size` bytes, in one pass over it.
  func unpackedSize(ofArchiveOf size: UInt64) -> UInt64 {
    let (product, overflow) = size.multipliedReportingOverflow(by: expansion)
    return max(smallestUnpackedSize, overflow ? .max : product)
  }
}

extension ArchiveLimits {
  /// The standard limits, with that of the run on what is unpacked to memory.
  package init(_ limits: ResourceLimits) {
    self.init()
    memory = limits.memberSize
  }
}

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
