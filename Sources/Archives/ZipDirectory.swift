import BinaryInput
import SymbolicationModel

/// Where the members of a zip archive begin, as its central directory says (APPNOTE.TXT 6.3.10,
/// sections 4.3.12 to 4.3.16, and 4.5.3 for numbers of 64 bits).
///
/// libarchive reads the whole directory before it reads one member. With this, a member costs only
/// itself, in whatever order members are asked for. It is a shortcut: who uses it looks whether the
/// member there is the one that libarchive found in its own pass.
struct ZipDirectory {
  /// The offsets of the local headers, sorted, each once. libarchive counts members in this order.
  let starts: [UInt64]

  /// Nil if the directory is not found, or one of its entries is damaged.
  ///
  /// Cost: the bytes of the directory.
  init?(_ archive: ByteRegion) {
    guard let end = EndRecord(archive) else { return nil }
    var starts: [UInt64] = []
    var position = end.directoryStart
    while position < end.directoryEnd {
      guard archive.holds(Signature.entry, at: position),
        let start = Self.start(ofEntryAt: position, in: archive),
        let size = Self.size(ofEntryAt: position, in: archive)
      else { return nil }
      starts.append(start)
      position += size
    }
    guard position == end.directoryEnd else { return nil }
    starts.sort()
    self.starts = starts.withoutRepetitions
  }

  private enum Signature {
    static let entry: [UInt8] = [0x50, 0x4b, 1, 2]
    static let end: [UInt8] = [0x50, 0x4b, 5, 6]
    static let end64: [UInt8] = [0x50, 0x4b, 6, 6]
    static let locator64: [UInt8] = [0x50, 0x4b, 6, 7]
  }

  /// Without its three texts.
  private static let entrySize: UInt64 = 46

  private static func size(ofEntryAt position: UInt64, in archive: ByteRegion) -> UInt64? {
    guard let name = archive.number(at: position + 28, size: 2),
      let extra = archive.number(at: position + 30, size: 2),
      let comment = archive.number(at: position + 32, size: 2)
    else { return nil }
    return entrySize + name + extra + comment
  }

  /// The offset of the entry's local header, which is in the extra field with tag 1 if 32 bits do
  /// not hold it, behind the sizes that they do not hold.
  private static func start(ofEntryAt position: UInt64, in archive: ByteRegion) -> UInt64? {
    guard let compressed = archive.number(at: position + 20, size: 4),
      let size = archive.number(at: position + 24, size: 4),
      let nameSize = archive.number(at: position + 28, size: 2),
      let extraSize = archive.number(at: position + 30, size: 2),
      let start = archive.number(at: position + 42, size: 4)
    else { return nil }
    guard start == UInt32.max else { return start }
    var field = position + entrySize + nameSize
    let end = field + extraSize
    while field + 4 <= end {
      guard let tag = archive.number(at: field, size: 2),
        let count = archive.number(at: field + 2, size: 2)
      else { return nil }
      if tag == 1 {
        let sizes = [size, compressed].filter { $0 == UInt32.max }.count
        return archive.number(at: field + 4 + UInt64(sizes) * 8, size: 8)
      }
      field += 4 + count
    }
    return nil
  }

  /// The record at the end of the archive.
  private struct EndRecord {
    /// Where the entries begin and end (half-open).
    let directoryStart: UInt64
    let directoryEnd: UInt64

    init?(_ archive: ByteRegion) {
      guard let end = Self.position(in: archive),
        let size = archive.number(at: end + 12, size: 4),
        let start = archive.number(at: end + 16, size: 4)
      else { return nil }
      guard size == UInt32.max || start == UInt32.max else {
        (directoryStart, directoryEnd) = (start, end)
        return
      }
      guard end >= 20, archive.holds(Signature.locator64, at: end - 20),
        let end64 = archive.number(at: end - 12, size: 8),
        archive.holds(Signature.end64, at: end64),
        let start64 = archive.number(at: end64 + 48, size: 8)
      else { return nil }
      (directoryStart, directoryEnd) = (start64, end64)
    }

    /// It is the last one of the archive, and a comment of up to 65,535 bytes may follow it.
    private static func position(in archive: ByteRegion) -> UInt64? {
      guard archive.count >= 22 else { return nil }
      let last = UInt64(archive.count) - 22
      var position = last
      while true {
        if archive.holds(Signature.end, at: position) { return position }
        guard position > 0, last - position < UInt16.max else { return nil }
        position -= 1
      }
    }
  }
}

extension ByteRegion {
  /// Zip's numbers are little-endian (APPNOTE.TXT 4.4.1.1).
  fileprivate func number(at offset: UInt64, size: Int) -> UInt64? {
    unsigned(at: offset, size: size, byteOrder: .little)
  }
}
