import BinaryInput
import Decompression
import FileSystem
import SymbolicationModel
import Synchronization
import SystemPackage

/// A compressed tar archive without its compression, in a temporary file.
///
/// Every member that is taken from a compressed archive costs everything before it. With this, all
/// of them cost one more pass over it together.
struct PlainTar {
  /// Nil if there can be none: the archive is damaged, or no folder has room for it.
  private let archive: ArchiveFile?
  /// By their places in the archive.
  private var members: [Int: ArchiveMember] = [:]

  fileprivate init(of archive: ArchiveFile) throws(ArchiveError) {
    self.archive = try archive.decompressed()
    guard let plain = self.archive else { return }
    var members: [Int: ArchiveMember] = [:]
    _ = plain.visitMembers { (head) throws(ArchiveError) in
      members[head.member.index] = head.member
    }
    self.members = members
  }

  fileprivate func content(of member: ArchiveMember) throws(ArchiveError) -> ByteRegion? {
    guard let archive, let plain = members[member.index], plain.name == member.name,
      plain.size == member.size
    else { return nil }
    return try archive.content(of: plain, cache: nil)
  }
}

extension ArchiveFile {
  /// The bytes of a member of a compressed archive; nil if they must be unpacked on their own.
  func plainMember(_ member: ArchiveMember) throws(ArchiveError) -> ByteRegion? {
    guard case .compressed = kind else { return nil }
    let tar = try plainTar.withLock { (known) throws(ArchiveError) in
      let tar = if let known { known } else { try PlainTar(of: self) }
      known = tar
      return tar
    }
    return try tar.content(of: member)
  }

  /// The archive without its compression, so that its members need not be unpacked one by one. The
  /// archive itself if it is not compressed as a whole, is cut short or damaged, or if no temporary
  /// file has room.
  package func withoutCompression() throws(ArchiveError) -> ArchiveFile {
    try decompressed() ?? self
  }

  fileprivate func decompressed() throws(ArchiveError) -> ArchiveFile? {
    guard case .compressed(let compression) = kind,
      let format = CompressedFile(rawValue: compression.rawValue),
      let file = ScratchFile.open(in: limits.scratchFolders ?? ScratchFile.userFolders, size: 0)
    else { return nil }
    defer { try? file.close() }
    var isWhole = true
    var isWrong = false
    let content = UnpackedBytes.fill(file) { write in
      bytes.withRawSpan { span in
        do throws(DecompressionError) {
          try unsafe format.inflate(span, limit: .max) { piece in
            isWhole = unsafe (try? budget.take(UInt64(piece.count))) != nil && write(piece.bytes)
            return isWhole
          }
        } catch {
          isWhole = false
          isWrong = error == .wrongChecksum
        }
      }
    }
    if isWrong { throw error(.wrongChecksum) }
    guard isWhole, let content else { return nil }
    return plainArchive(content)
  }
}
