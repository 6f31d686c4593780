package import BinaryInput
import SymbolicationModel

/// A file in an archive.
package struct ArchiveMember: Hashable, Sendable {
  /// Counted from 0, over all members of the archive, directories and links included.
  package let index: Int
  /// As the archive states it, with slashes. It may be anything, such as `../x` or `/etc/passwd`:
  /// it is shown and compared, and never used as a path.
  package let name: String
  /// In bytes, as the archive states it.
  package let size: UInt64
  /// Where its bytes are in the archive file, if they are there uncompressed; nil if it must be
  /// unpacked.
  package let offset: UInt64?

  package init(index: Int, name: String, size: UInt64, offset: UInt64?) {
    self.index = index
    self.name = name
    self.size = size
    self.offset = offset
  }

  /// Whether a member of that name holds only the attributes of another file (AppleDouble).
  static func isAppleDouble(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    return parts.contains("__MACOSX") || parts.last?.hasPrefix("._") == true
  }
}

/// The bytes of a member from its start on, as far as they are asked for. Compressed members are
/// decompressed no further.
package final class MemberHead {
  package let member: ArchiveMember
  private let pass: ArchivePass
  private let archiveFile: ArchiveFile
  /// The member in the archive's own bytes; nil if it is compressed.
  private let inPlace: ByteRegion?
  /// The bytes that were read and may be asked for, from `windowStart` on.
  private var window: [UInt8]
  private var windowStart: UInt64 = 0

  /// - Parameter header: the member at which the pass is.
  init(
    _ header: ArchivePass.Header, in pass: ArchivePass, of archive: ArchiveFile
  ) throws(ArchiveError) {
    self.pass = pass
    self.archiveFile = archive
    let first = try pass.nextBlock()
    var offset: UInt64?
    if let first, first.offset == 0, first.count == header.size {
      offset = pass.offsetInArchive(of: first)
    }
    self.member = ArchiveMember(
      index: header.index, name: header.name, size: header.size, offset: offset)
    if let offset, let region = try? archive.bytes.subregion(offset: offset, count: header.size) {
      inPlace = region
      window = []
    } else {
      inPlace = nil
      window = []
      if let first { try append(first) }
    }
  }

  /// The `count` bytes at `offset` of the member, or as many as it has.
  ///
  /// Offsets may grow from call to call and never shrink: what is before the last one is gone.
  package func bytes(at offset: UInt64, count: Int) throws(ArchiveError) -> ByteRegion {
    if let inPlace {
      let start = min(offset, UInt64(inPlace.count))
      let count = min(UInt64(max(count, 0)), UInt64(inPlace.count) - start)
      return (try? inPlace.subregion(offset: start, count: count)) ?? ByteRegion(copying: [])
    }
    drop(upTo: offset)
    while windowStart < offset || window.count < count {
      guard let block = try pass.nextBlock() else { break }
      try append(block)
      drop(upTo: offset)
    }
    return ByteRegion(copying: windowStart == offset ? window.prefix(max(count, 0)) : [])
  }

  /// The kind of archive that the member itself is, as its first bytes show; nil if it is none.
  package func archiveKind() throws(ArchiveError) -> ArchiveKind? {
    ArchiveKind(try bytes(at: 0, count: ArchiveKind.prefixSize).bytes)
  }

  /// The archive that the member itself is, given its kind; nil if it cannot be had.
  package func archive() throws(ArchiveError) -> ArchiveFile? {
    guard let content = try whole() else { return nil }
    return archiveFile.archive(in: member, content: content)
  }

  /// The whole member, unpacked to memory or to a temporary file if it is compressed; nil if bytes
  /// before the last offset that was asked for are gone. Its checksum is not compared.
  package func whole() throws(ArchiveError) -> ByteRegion? {
    if let inPlace { return inPlace }
    guard windowStart == 0 else { return nil }
    try checkRoom()
    let place = UnpackedBytes(size: member.size, limits: pass.limits) { self.pass.error($0) }
    return try place.fill { (write) throws(ArchiveError) in try unpack(to: write) }
  }

  private func checkRoom() throws(ArchiveError) {
    do throws(ArchiveFault) {
      // What the window has is paid for.
      try archiveFile.budget.checkRoom(
        for: member.size - min(member.size, UInt64(window.count)))
    } catch {
      throw pass.error(error)
    }
  }

  /// The window must begin at the start of the member.
  private func unpack(to write: (RawSpan) -> Bool) throws(ArchiveError) {
    var unpacking = MemberUnpacking(size: member.size, budget: archiveFile.budget)
    do throws(ArchiveFault) {
      guard try unsafe unpacking.add(window.span.bytes, at: 0, to: write) else { return }
    } catch {
      throw pass.error(error)
    }
    try pass.unpackRest(with: &unpacking, to: write)
  }

  /// Adds the member to a collection. No byte may be gone: see `bytes(at:count:)`.
  package func add(to collection: MemberCollection) throws(ArchiveError) {
    if inPlace == nil { try checkRoom() }
    try collection.add(
      inPlace,
      orWritten: { (write) throws(ArchiveError) in
        try unpack(to: write)
      }, orAlone: { () throws(ArchiveError) in try whole() }, error: { self.pass.error($0) })
  }

  private func drop(upTo offset: UInt64) {
    guard offset > windowStart else { return }
    let count = min(offset - windowStart, UInt64(window.count))
    window.removeFirst(Int(count))
    windowStart += count
  }

  /// Appends a block; what is missing before it is zero. A gap larger than a page ends the head:
  /// no header has one.
  private func append(_ block: ArchivePass.Block) throws(ArchiveError) {
    let end = windowStart + UInt64(window.count)
    guard block.offset >= end, block.offset - end <= 4096 else {
      throw pass.error(.wrongSize(stated: member.size, found: end))
    }
    window += [UInt8](repeating: 0, count: Int(block.offset - end))
    unsafe window.append(contentsOf: block.bytes)
  }
}
