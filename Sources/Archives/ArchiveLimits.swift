package import SymbolicationModel

/// How much of an archive is read. Archives come from strangers: a few kilobytes may state, or
/// inflate to, more than any disk holds.
package struct ArchiveLimits: Sendable {
  /// Members, of any kind.
  package var memberCount = 1_000_000
  /// Bytes of a member's name. Linux opens no longer path (`PATH_MAX`).
  package var nameLength = 4096
  /// Bytes that may come out of an archive however small it is.
  package var smallestUnpackedSize: UInt64 = 1 << 30
  /// How many times its own size may come out of an archive. Symbol files shrink to a tenth or,
  /// with many like slices, to a hundredth.
  package var expansion: UInt64 = 250
  /// Bytes of members that may be unpacked to memory in a run.
  package var memory: UInt64 = 4 << 30
  /// Where temporary files may be, the best place first; nil for the user's folders.
  package var scratchFolders: [String]?
  /// What the run has unpacked so far. Copies share it.
  package var usage = RunUsage()

  package init() {}

  /// The bytes that may come out of an archive of `size` bytes, over all passes over it and over
  /// the archives in it; and out of all archives of a run, of `size` bytes together.
  func unpackedSize(ofArchiveOf size: UInt64) -> UInt64 {
    let (product, overflow) = size.multipliedReportingOverflow(by: expansion)
    return max(smallestUnpackedSize, overflow ? .max : product)
  }
}

extension ArchiveLimits {
  /// The standard limits, with those of the run, and on its account.
  package init(_ limits: ResourceLimits) {
    self.init()
    memory = limits.memberSize
    smallestUnpackedSize = limits.unpackedSize
    usage = limits.usage
  }
}
