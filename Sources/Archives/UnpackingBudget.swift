import SymbolicationModel
import Synchronization

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
