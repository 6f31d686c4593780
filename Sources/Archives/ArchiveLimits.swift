package import SymbolicationModel
import Synchronization

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

/// How many bytes may still be unpacked from an archive and the archives in it, over all passes
/// over them, and from all archives of the run.
///
/// Bytes that lie in the archive as they are cost nothing, and so does what is in the cache.
final class UnpackingBudget: Sendable {
  /// The path of the file that was opened.
  private let path: String
  private let archiveSize: UInt64
  private let limits: ArchiveLimits
  private let used = Mutex<UInt64>(0)

  /// - Parameter archiveSize: the bytes of the file that was opened.
  init(_ limits: ArchiveLimits, path: String, archiveSize: UInt64) {
    self.limits = limits
    self.path = path
    self.archiveSize = archiveSize
    limits.usage.addArchive(ofSize: archiveSize)
  }

  private var limit: UInt64 { limits.unpackedSize(ofArchiveOf: archiveSize) }

  /// Takes `count` bytes from what is left. Throws, and takes nothing, if that is less.
  func take(_ count: UInt64) throws(ArchiveFault) {
    try used.withLock { (used) throws(ArchiveFault) in
      try check(count, used: used)
      if let size = limits.usage.addUnpacked(count, limit: limits.unpackedSize) {
        throw .unpackedTooMuch(archiveSize: size, limit: limits.unpackedSize(ofArchiveOf: size))
      }
      used += count
    }
  }

  /// Throws if less than `size` bytes are left, so that a member that will not fit is not begun.
  func checkRoom(for size: UInt64) throws(ArchiveFault) {
    try used.withLock { (used) throws(ArchiveFault) in
      try check(size, used: used)
      if let size = limits.usage.exceeded(byUnpacking: size, limit: limits.unpackedSize) {
        throw .unpackedTooMuch(archiveSize: size, limit: limits.unpackedSize(ofArchiveOf: size))
      }
    }
  }

  /// The error for a fault of an archive or its member. That the budget does not suffice is one
  /// error for all members.
  func error(_ fault: ArchiveFault, path: String, member: String?) -> ArchiveError {
    switch fault {
    case .implausibleSize, .unpackedTooMuch: ArchiveError(path: self.path, fault)
    default: ArchiveError(path: path, member: member, fault)
    }
  }

  private func check(_ count: UInt64, used: UInt64) throws(ArchiveFault) {
    guard count <= limit - used else {
      throw .implausibleSize(archiveSize: archiveSize, limit: limit)
    }
  }
}
