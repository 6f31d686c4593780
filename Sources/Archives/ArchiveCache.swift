import BinaryInput
package import FileSystem
import SymbolicationModel
import SystemPackage

/// The private folder of what was unpacked from archives: `archives` in the user's cache.
///
/// Its file names are made of numbers alone: what identifies the archive file (device, inode, size,
/// time of change) and the member's place in it. So no member leaves the folder, and the members of
/// an archive that was changed are not found. A file appears whole, and several processes may read
/// and write at a time. Least recently used files make room for new ones.
package struct ArchiveCache: Sendable {
  private let folder: CacheFolder
  private let upkeep = CacheUpkeep()

  package var directory: String { folder.directory }

  /// - Parameters:
  ///   - directory: need not exist.
  ///   - sizeLimit: the bytes that all files may have together.
  package init(directory: String, sizeLimit: UInt64) {
    folder = CacheFolder(
      directory: directory, sizeLimit: sizeLimit,
      suffixes: [Self.memberSuffix, Self.listingSuffix], temporaryStart: Self.temporaryStart)
  }

  /// Removes everything that was unpacked.
  package func clean() -> CacheFolder.Removal { folder.clean() }

  // MARK: - Names

  private static let memberSuffix = ".member"
  private static let listingSuffix = ".listing"
  private static let temporaryStart = ".symbolicate-archive-"

  static func key(of status: FileStatus) -> String {
    [
      status.identity.device, status.identity.inode, status.size,
      UInt64(bitPattern: status.modificationTime.seconds),
      UInt64(status.modificationTime.nanoseconds),
    ].map { $0.hexadecimalDigits() }.joined(separator: "-")
  }

  static func memberName(key: String, index: Int) -> String {
    "\(key)-\(index.hexadecimalDigits())\(memberSuffix)"
  }

  // MARK: - Files

  /// Whether a file of that size may be stored. It may be that all others make room for it.
  func hasRoom(for size: UInt64) -> Bool { folder.sizeLimit.map { size <= $0 } ?? true }

  /// The file of that name, mapped; nil if there is none of that size, or others could have put it
  /// there.
  func content(of name: String, size: UInt64?) -> ByteRegion? {
    let path = folder.path(name)
    guard folder.isPrivate(name), let region = try? MappedFile.openRegularFile(path: path),
      size == nil || UInt64(region.count) == size
    else { return nil }
    CacheFolder.noteUse(of: path)
    return region
  }

  /// Writes a file, completely or not at all, for the user alone.
  ///
  /// - Parameter content: hands over the bytes, piece by piece, until that returns false. Throws if
  ///   they do not come; then nothing is written.
  /// - Returns: whether the file is there.
  func store(
    _ name: String,
    content: ((RawSpan) -> Bool) throws(CacheWriteFailure) -> Void
  ) -> Bool {
    guard (try? folder.makeDirectory()) != nil, folder.isPrivate else { return false }
    upkeep.begin(folder)
    var isWritten = true
    var count: UInt64 = 0
    do throws(FileWriteError) {
      try WholeFile.write(
        to: folder.path(name), permissions: FilePermissions(rawValue: 0o600),
        temporaryName: { CacheFolder.temporaryName(Self.temporaryStart, $0) },
        content: { descriptor in
          do throws(CacheWriteFailure) {
            try content { block in
              count &+= UInt64(block.byteCount)
              isWritten =
                isWritten
                && (try? unsafe block.withUnsafeBytes { try unsafe descriptor.writeAll($0) }) != nil
              return isWritten
            }
          } catch {
            isWritten = false
          }
          return isWritten
        })
    } catch {
      return false
    }
    // The listing of an archive is small and stays with its members.
    upkeep.add(count, to: folder) { $0 == name }
    return isWritten
  }

  // MARK: - Listings

  /// What `storeListing` stored for the archive as it is now; nil if there is nothing.
  package func listing(of archive: ArchiveFile) -> [UInt8]? {
    guard let key = archive.cacheKey else { return nil }
    return content(of: key + Self.listingSuffix, size: nil)?.bytes
  }

  /// Stores what a caller found in the archive, so that it need not be read again.
  package func storeListing(_ bytes: [UInt8], of archive: ArchiveFile) {
    guard let key = archive.cacheKey, archive.isUnchanged else { return }
    _ = store(key + Self.listingSuffix) { (write) throws(CacheWriteFailure) in
      _ = unsafe write(bytes.span.bytes)
    }
  }
}
