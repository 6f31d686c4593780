package import BinaryInput
package import SymbolicationModel

/// States which symbol file an index was made from. This program appends it to the GSYM file, where
/// other readers of the format do not look.
///
/// It begins with a table of checksums (`IndexChecksum.ofBlock`), one of eight bytes for each block
/// of 4 KiB of the GSYM file. A body and a footer at the very end of the file follow. Numbers are
/// little-endian:
///
///     8  size of the GSYM file in front of the trailer, in bytes
///     8  link base of the image; 0 if it has none
///     8  size of the symbol file, in bytes
///     8  when the symbol file was last changed: seconds since 1970 (signed)
///     4  … and nanoseconds
///     2  1 if the image has a link base, else 0
///     2  size of the architecture's name
///     4  size of the symbol file's path
///     …  the architecture's name and the path, UTF-8
///     …  the checksums of the blocks of the table, eight bytes each
///
///     8  checksum of the body and of the next two fields (`IndexChecksum`)
///     4  size of the body
///     4  version: 3
///     8  `SymIndex`, as text
package struct IndexTrailer: Hashable, Sendable {
  /// The address at which the image was linked to be loaded; nil if the symbol file does not state
  /// it.
  package let linkBase: LinkAddress?
  package let architecture: Architecture
  /// Size, time and path of the symbol file when it was read.
  package let source: SourceStamp
  /// The size of the GSYM file, in bytes.
  package let contentSize: UInt64
  /// The checksums of the blocks of the table of checksums.
  package let tableChecksums: [UInt64]

  package init(
    linkBase: LinkAddress?, architecture: Architecture, source: SourceStamp, contentSize: UInt64,
    tableChecksums: [UInt64]
  ) {
    self.linkBase = linkBase
    self.architecture = architecture
    self.source = source
    self.contentSize = contentSize
    self.tableChecksums = tableChecksums
  }

  /// The bytes to append to a GSYM file that consists of `pieces`, one after the other: the table
  /// of checksums, and the trailer.
  ///
  /// Cost: reads all bytes.
  package static func ending(
    linkBase: LinkAddress?, architecture: Architecture, source: SourceStamp, of pieces: [[UInt8]]
  ) -> [UInt8] {
    let checksums = IndexBlocks.checksums(of: pieces)
    var table: [UInt8] = []
    table.reserveCapacity(8 * checksums.count)
    for checksum in checksums { table.appendNumber(checksum) }
    let trailer = IndexTrailer(
      linkBase: linkBase, architecture: architecture, source: source,
      contentSize: pieces.reduce(0) { $0 + UInt64($1.count) },
      tableChecksums: IndexBlocks.checksums(of: [table]))
    return table + trailer.encoded
  }

  /// The size in bytes of the table of checksums.
  package var tableSize: UInt64 { Self.tableSize(forContentOf: contentSize) }

  private static func tableSize(forContentOf size: UInt64) -> UInt64 {
    8 * IndexBlocks.count(of: size)
  }

  private static let magic = Array("SymIndex".utf8)
  /// Raise this when the trailer changes, or when indexes are made in another way: indexes of other
  /// versions are not used.
  private static let version: UInt32 = 3
  private static let footerSize = 24
  /// The size in bytes of the body without its two texts and the checksums.
  private static let fixedSize = 44
  /// The greatest size of the body: that of the checksums follows from that of a GSYM file, which
  /// has no records beyond 4 GiB, and no record of more than 4 GiB.
  private static let maximumBodySize = fixedSize + Int(UInt16.max) + maximumPathSize + 1 << 16

  /// The bytes to append to the GSYM file and its table of checksums.
  package var encoded: [UInt8] {
    let name = Array(architecture.name.utf8.prefix(Int(UInt16.max)))
    let path = Array(source.path.utf8.prefix(Self.maximumPathSize))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.fixedSize + name.count + path.count + Self.footerSize)
    bytes.appendNumber(contentSize)
    bytes.appendNumber(linkBase?.value ?? 0)
    bytes.appendNumber(source.size)
    bytes.appendNumber(UInt64(bitPattern: source.modificationSeconds))
    bytes.appendNumber(source.modificationNanoseconds)
    bytes.appendNumber(UInt16(linkBase == nil ? 0 : 1))
    bytes.appendNumber(UInt16(truncatingIfNeeded: name.count))
    bytes.appendNumber(UInt32(truncatingIfNeeded: path.count))
    bytes += name
    bytes += path
    for checksum in tableChecksums { bytes.appendNumber(checksum) }
    let size = UInt32(truncatingIfNeeded: bytes.count)
    bytes.appendNumber(Self.checksum(ofBody: bytes, size: size, version: Self.version))
    bytes.appendNumber(size)
    bytes.appendNumber(Self.version)
    bytes += Self.magic
    return bytes
  }

  /// In bytes: longer than any path that a system opens. A longer one is cut off.
  private static let maximumPathSize = 1 << 20

  private static func checksum(ofBody body: [UInt8], size: UInt32, version: UInt32) -> UInt64 {
    var checksum = IndexChecksum()
    checksum.add(body)
    var numbers: [UInt8] = []
    numbers.appendNumber(size)
    numbers.appendNumber(version)
    checksum.add(numbers)
    return checksum.value
  }

  /// Reads the trailer at the end of `region`, a whole file; nil if the file does not end with one.
  ///
  /// Throws if the trailer is damaged, has another version, or states another size of the GSYM
  /// file. The bytes of the GSYM file are not compared: see `IndexBlocks`.
  ///
  /// Cost: reads the end of the file.
  package init?(_ region: ByteRegion) throws(IndexTrailerError) {
    let size = UInt64(region.count)
    let footerSize = UInt64(Self.footerSize)
    guard size >= footerSize, region.holds(Self.magic, at: size - UInt64(Self.magic.count)) else {
      return nil
    }
    var cursor = region.cursor(at: size - footerSize, byteOrder: .little)
    let checksum = cursor.readUInt64()
    let bodySize = cursor.readUInt32()
    let version = cursor.readUInt32()
    guard version == Self.version else { throw .unsupportedVersion(version) }
    guard UInt64(bodySize) <= size - footerSize,
      bodySize <= Self.maximumBodySize,
      let body = try? region.subregion(
        offset: size - footerSize - UInt64(bodySize), count: UInt64(bodySize))
    else { throw .bodySize(UInt64(bodySize), available: size - footerSize) }
    guard Self.checksum(ofBody: body.bytes, size: bodySize, version: version) == checksum else {
      throw .checksum(stated: checksum)
    }
    try self.init(body: body, sizeBefore: size - footerSize - UInt64(bodySize))
  }

  /// - Parameter sizeBefore: the size in bytes of the GSYM file and the table of checksums.
  private init(body: ByteRegion, sizeBefore: UInt64) throws(IndexTrailerError) {
    var cursor = body.cursor(byteOrder: .little)
    self.contentSize = cursor.readUInt64()
    let linkBase = LinkAddress(cursor.readUInt64())
    let sourceSize = cursor.readUInt64()
    let seconds = Int64(bitPattern: cursor.readUInt64())
    let nanoseconds = cursor.readUInt32()
    self.linkBase = cursor.readUInt16() == 0 ? nil : linkBase
    let nameSize = Int(cursor.readUInt16())
    let pathSize = Int(cursor.readUInt32())
    let tableSize = Self.tableSize(forContentOf: contentSize)
    let expected = contentSize.addingReportingOverflow(tableSize)
    guard !expected.overflow, expected.partialValue == sizeBefore else {
      throw .contentSize(
        expected: expected.overflow ? .max : expected.partialValue, actual: sizeBefore)
    }
    let checksumCount = Int(IndexBlocks.count(of: tableSize))
    let textsEnd = Self.fixedSize + nameSize + pathSize
    guard !cursor.hasFailed, body.count == textsEnd + 8 * checksumCount else {
      throw .bodySize(UInt64(textsEnd + 8 * checksumCount), available: UInt64(body.count))
    }
    cursor.seek(to: UInt64(textsEnd))
    self.tableChecksums = (0..<checksumCount).map { _ in cursor.readUInt64() }
    let texts = body.bytes[Self.fixedSize..<textsEnd]
    self.architecture = Architecture(name: String(decoding: texts.prefix(nameSize), as: UTF8.self))
    self.source = SourceStamp(
      size: sourceSize, modificationSeconds: seconds, modificationNanoseconds: nanoseconds,
      path: String(decoding: texts.dropFirst(nameSize), as: UTF8.self))
  }
}

/// Why the trailer of an index cannot be used.
package enum IndexTrailerError: Error, Hashable, Sendable {
  /// The trailer has another version than this program writes.
  case unsupportedVersion(UInt32)
  /// The body or its texts should have this many bytes, but only `available` bytes are there.
  case bodySize(UInt64, available: UInt64)
  /// The bytes of the trailer do not have the checksum that it states.
  case checksum(stated: UInt64)
  /// The GSYM file in front of the trailer and its table of checksums have another size than when
  /// they were written.
  case contentSize(expected: UInt64, actual: UInt64)
}

/// Size, time and path of a file: tells whether it is still the one that an index was made from.
package struct SourceStamp: Hashable, Sendable {
  /// In bytes.
  package let size: UInt64
  /// The time at which the content was last changed, in seconds since 1970-01-01 00:00 UTC.
  package let modificationSeconds: Int64
  /// The fraction of that second in nanoseconds: 0 to 999,999,999.
  package let modificationNanoseconds: UInt32
  /// The path of the file. It is only shown to people: the same file may have other paths.
  package let path: String

  package init(
    size: UInt64, modificationSeconds: Int64, modificationNanoseconds: UInt32, path: String
  ) {
    self.size = size
    self.modificationSeconds = modificationSeconds
    self.modificationNanoseconds = modificationNanoseconds
    self.path = path
  }

  /// This stamp with another path.
  package func at(path: String) -> SourceStamp {
    SourceStamp(
      size: size, modificationSeconds: modificationSeconds,
      modificationNanoseconds: modificationNanoseconds, path: path)
  }

  /// Whether both stamps have the same size and time, so that the content is probably the same.
  package func isSameContent(as other: SourceStamp) -> Bool {
    size == other.size && modificationSeconds == other.modificationSeconds
      && modificationNanoseconds == other.modificationNanoseconds
  }
}
