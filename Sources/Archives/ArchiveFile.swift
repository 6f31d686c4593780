package import BinaryInput
import FileSystem
import SymbolicationModel
import Synchronization
import SystemPackage

/// A zip or tar archive: its members, the first bytes of each, and the whole of some.
///
/// It may be used from several threads. Every member is data: no name in an archive is a path of
/// the file system, and links are not followed. What a link leads to is found under its own name.
package final class ArchiveFile: Sendable {
  /// As it was opened. An archive in an archive has the path of the outer one and its own name.
  package let path: String
  package let kind: ArchiveKind
  package let limits: ArchiveLimits
  let bytes: ByteRegion
  /// What names its members in a cache; nil if the archive is not a regular file, so that nothing
  /// tells it from another one.
  let cacheKey: String?
  /// The file that was opened, and its status then; nil if it is not a regular file.
  private let source: Source?
  /// Whether the checksum of gzip data is wrong; nil until it was compared.
  let wrongChecksum = Mutex<Bool?>(nil)
  /// What visits may decompress together with those of the archive that holds this one; nil if each
  /// visit has an account of its own.
  let sharedBudget: UnpackingBudget?

  private struct Source {
    let path: String
    let status: FileStatus
  }

  /// The archive at `path`, mapped; nil if the file does not begin like one.
  package static func open(
    path: String, limits: ArchiveLimits = ArchiveLimits()
  ) throws(ArchiveError) -> ArchiveFile? {
    let status: FileStatus
    let bytes: ByteRegion
    do throws(FileSystemError) {
      status = try FileStatus(path: path)
    } catch {
      throw ArchiveError(
        path: path, reason: .inaccessible(errno: error.errno.rawValue, operation: .inspect))
    }
    do throws(FileAccessError) {
      bytes = try MappedFile.openRegularFile(path: path)
    } catch {
      throw ArchiveError(
        path: path, reason: .inaccessible(errno: error.errno.rawValue, operation: .open))
    }
    guard let kind = ArchiveKind(bytes.prefix(ArchiveKind.prefixSize)) else { return nil }
    return ArchiveFile(
      path: path, kind: kind, limits: limits, bytes: bytes, cacheKey: ArchiveCache.key(of: status),
      source: Source(path: path, status: status))
  }

  /// The archive in these bytes; nil if they do not begin like one. Nothing of it is cached.
  package convenience init?(
    _ bytes: ByteRegion, path: String, limits: ArchiveLimits = ArchiveLimits()
  ) {
    guard let kind = ArchiveKind(bytes.prefix(ArchiveKind.prefixSize)) else { return nil }
    self.init(
      path: path, kind: kind, limits: limits, bytes: bytes, cacheKey: nil, source: nil)
  }

  private init(
    path: String, kind: ArchiveKind, limits: ArchiveLimits, bytes: ByteRegion, cacheKey: String?,
    source: Source?, sharedBudget: UnpackingBudget? = nil
  ) {
    self.path = path
    self.kind = kind
    self.limits = limits
    self.bytes = bytes
    self.cacheKey = cacheKey
    self.source = source
    self.sharedBudget = sharedBudget
  }

  /// The archive that `member` is, given its bytes; nil if they do not begin like one.
  package func archive(in member: ArchiveMember, content: ByteRegion) -> ArchiveFile? {
    archive(in: member, content: content, sharedBudget: nil)
  }

  func archive(
    in member: ArchiveMember, content: ByteRegion, sharedBudget: UnpackingBudget?
  ) -> ArchiveFile? {
    guard let kind = ArchiveKind(content.prefix(ArchiveKind.prefixSize)) else { return nil }
    // The limit follows from the bytes that were there first.
    var limits = limits
    limits.smallestUnpackedSize = newBudget.limit
    limits.expansion = 0
    return ArchiveFile(
      path: path + "/" + member.name, kind: kind, limits: limits, bytes: content,
      cacheKey: cacheKey.map { "\($0)-\(member.index.hexadecimalDigits())" }, source: source,
      sharedBudget: sharedBudget)
  }

  /// What one pass over the archive may decompress.
  var newBudget: UnpackingBudget {
    UnpackingBudget(limits.unpackedSize(ofArchiveOf: UInt64(bytes.count)))
  }

  func error(_ fault: ArchiveFault, in member: String? = nil) -> ArchiveError {
    ArchiveError(path: path, member: member, fault)
  }

  /// Whether the file is still the one that was opened. What is not a file cannot change.
  var isUnchanged: Bool {
    guard let source else { return true }
    guard let now = try? FileStatus(path: source.path) else { return false }
    return now.identity == source.status.identity && now.size == source.status.size
      && now.modificationTime == source.status.modificationTime
  }
}
