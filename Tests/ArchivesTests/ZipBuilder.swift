import TestSupport

/// Writes zip archives byte by byte (PKWARE's APPNOTE.TXT), so that they can lie.
struct ZipBuilder {
  private var archive = BinaryBuilder()
  private var directory = BinaryBuilder()
  private var count: UInt16 = 0

  /// Adds a member.
  ///
  /// - Parameters:
  ///   - method: 0, stored, or 8, deflated.
  ///   - localSize: the uncompressed size that the local header states.
  ///   - centralSize: the one that the central directory states.
  ///   - flags: the general purpose bits; the first says that the member is encrypted.
  /// - Returns: where its bytes begin in the archive.
  @discardableResult
  mutating func add(
    _ name: String, _ content: [UInt8], method: UInt16 = 0, localSize: UInt32? = nil,
    centralSize: UInt32? = nil, flags: UInt16 = 0, crc: UInt32 = 0, attributes: UInt32 = 0
  ) -> UInt64 {
    let size = UInt32(content.count)
    let start = UInt32(archive.count)
    archive.append([0x50, 0x4b, 3, 4])
    archive.u16(20)  // version needed
    archive.u16(flags)
    archive.u16(method)
    archive.u32(0)  // time and date
    archive.u32(crc)
    archive.u32(size)
    archive.u32(localSize ?? size)
    archive.u16(UInt16(name.utf8.count))
    archive.u16(0)  // extra field
    archive.append(name.utf8)
    let offset = UInt64(archive.count)
    archive.append(content)

    directory.append([0x50, 0x4b, 1, 2])
    directory.u16(0x0314)  // made on Unix
    directory.u16(20)
    directory.u16(flags)
    directory.u16(method)
    directory.u32(0)
    directory.u32(crc)
    directory.u32(size)
    directory.u32(centralSize ?? localSize ?? size)
    directory.u16(UInt16(name.utf8.count))
    directory.u16(0)  // extra field
    directory.u16(0)  // comment
    directory.u16(0)  // disk
    directory.u16(0)  // internal attributes
    directory.u32(attributes)
    directory.u32(start)
    directory.append(name.utf8)
    count += 1
    return offset
  }

  var bytes: [UInt8] {
    var end = BinaryBuilder()
    end.append([0x50, 0x4b, 5, 6])
    end.u16(0)  // disk
    end.u16(0)  // disk of the directory
    end.u16(count)
    end.u16(count)
    end.u32(UInt32(directory.count))
    end.u32(UInt32(archive.count))
    end.u16(0)  // comment
    return archive.bytes + directory.bytes + end.bytes
  }
}
