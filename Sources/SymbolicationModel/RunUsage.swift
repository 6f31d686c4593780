import Synchronization

/// What a run has used of those limits that hold for all of its files together.
///
/// Where a store of symbol files lives long, as in a worker, each search for symbol files counts as
/// a run.
package final class RunUsage: Sendable {
  private let archives = Mutex(Archives())

  private struct Archives {
    /// The bytes of the archives themselves.
    var size: UInt64 = 0
    var unpackedSize: UInt64 = 0
    var sizeInMemory: UInt64 = 0
  }

  package init() {}

  /// The bytes that were unpacked from archives.
  package var unpackedSize: UInt64 { archives.withLock { $0.unpackedSize } }

  /// The bytes of `unpackedSize` that are in memory.
  package var sizeInMemory: UInt64 { archives.withLock { $0.sizeInMemory } }

  /// Counts an archive of `size` bytes, which may be unpacked from now on.
  package func addArchive(ofSize size: UInt64) {
    archives.withLock { $0.size = Self.sum($0.size, size) }
  }

  /// Counts bytes that are unpacked from archives.
  ///
  /// - Parameter limit: the most that may be unpacked of archives of that size.
  /// - Returns: nil if they may be; else the size of all archives. They are not counted then.
  package func addUnpacked(_ count: UInt64, limit: (UInt64) -> UInt64) -> UInt64? {
    archives.withLock { archives in
      let total = Self.sum(archives.unpackedSize, count)
      guard total <= limit(archives.size) else { return archives.size }
      archives.unpackedSize = total
      return nil
    }
  }

  /// What `addUnpacked` would return.
  package func exceeded(byUnpacking count: UInt64, limit: (UInt64) -> UInt64) -> UInt64? {
    archives.withLock { archives in
      Self.sum(archives.unpackedSize, count) <= limit(archives.size) ? nil : archives.size
    }
  }

  /// Counts bytes that are unpacked to memory and stay there: false, and nothing is counted, if all
  /// together would be more than `limit`.
  package func addToMemory(_ count: UInt64, limit: UInt64) -> Bool {
    archives.withLock { archives in
      let total = Self.sum(archives.sizeInMemory, count)
      guard total <= limit else { return false }
      archives.sizeInMemory = total
      return true
    }
  }

  private static func sum(_ first: UInt64, _ second: UInt64) -> UInt64 {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? .max : sum
  }
}

/// Limits are the same limits whatever was used of them.
extension RunUsage: Hashable {
  package static func == (_: RunUsage, _: RunUsage) -> Bool { true }
  package func hash(into _: inout Hasher) {}
}
