import BinaryInput
import SymbolicationModel

/// The header of a GSYM file (LLVM's Header.h and HeaderV2.h), read for what it states about the
/// image that the file is the index of. `SymbolIndex` reads the tables after it.
struct GsymOutline: StandaloneHead {
  private let region: ByteRegion
  private let byteOrder: ByteOrder

  /// Version 1.
  private static let headerSize = 48
  private static let maximumUuidSize = 20
  /// Version 2: the size of the header and of an entry of the directory after it, how many entries
  /// are read, and the greatest size of a UUID.
  private static let headerSize2 = 20
  private static let directoryEntrySize = 20
  private static let directoryLimit = 1024
  private static let maximumUuidSize2: UInt64 = 64
  /// `GlobalInfoType` of GlobalData.h.
  private static let endOfDirectory: UInt32 = 0
  private static let uuidTable: UInt32 = 6

  /// The offset of the directory of version 2 is in its first bytes.
  static let size = 64

  init(_ region: ByteRegion) {
    self.region = region
    let isBigEndian = SymbolFileMagic(region.prefix(4)) == .gsym(isBigEndian: true)
    byteOrder = isBigEndian ? .big : .little
  }

  /// Whether the header alone has everything that `objectFile` reads. In version 2 it may be
  /// anywhere in the file.
  var isSelfContained: Bool {
    var cursor = region.cursor(at: 4, byteOrder: byteOrder)
    return cursor.readUInt16() == 1
  }

  /// Throws `truncated` if the header, or the directory of version 2, is not complete, and
  /// `unsupportedIndexVersion`.
  func objectFile(path: String) throws(ObjectFileError) -> ObjectFile {
    try checkSize(6, path)
    var cursor = region.cursor(at: 4, byteOrder: byteOrder)
    let uuid: [UInt8]
    switch cursor.readUInt16() {
    case 1: uuid = try readUuid(path)
    case 2: uuid = try readUuid2(path)
    case let version: throw ObjectFileError(path: path, reason: .unsupportedIndexVersion(version))
    }
    return ObjectFile(
      path: path, format: .gsym, fileType: .index, architecture: .unknown,
      identity: ImageIdentity(bytes: uuid), byteOrder: byteOrder, addressSize: 8, segments: [],
      sections: [], faults: [], region: region, symbolTableSource: .none)
  }

  private func readUuid(_ path: String) throws(ObjectFileError) -> [UInt8] {
    try checkSize(Self.headerSize, path)
    var cursor = region.cursor(at: 7, byteOrder: byteOrder)
    let size = min(Int(cursor.readUInt8()), Self.maximumUuidSize)
    cursor.seek(to: 28)
    return (0..<size).map { _ in cursor.readUInt8() }
  }

  /// Looks for the UUID in the directory of version 2; the last entry for it counts. The reader of
  /// the tables refuses a UUID beyond the end of the file.
  private func readUuid2(_ path: String) throws(ObjectFileError) -> [UInt8] {
    try checkSize(Self.headerSize2, path)
    var uuid: [UInt8] = []
    var cursor = region.cursor(at: UInt64(Self.headerSize2), byteOrder: byteOrder)
    for _ in 0..<Self.directoryLimit {
      guard cursor.remaining >= Self.directoryEntrySize else {
        throw ObjectFileError(
          path: path,
          reason: .truncated(
            .indexDirectory, offset: UInt64(cursor.position),
            wanted: UInt64(Self.directoryEntrySize), available: UInt64(region.count)))
      }
      let kind = cursor.readUInt32()
      let offset = cursor.readUInt64()
      let size = cursor.readUInt64()
      guard kind != Self.endOfDirectory else { return uuid }
      guard kind == Self.uuidTable else { continue }
      let part = try? region.subregion(offset: offset, count: min(size, Self.maximumUuidSize2))
      uuid = part?.bytes ?? []
    }
    return uuid
  }

  private func checkSize(_ wanted: Int, _ path: String) throws(ObjectFileError) {
    guard region.count >= wanted else {
      throw ObjectFileError(
        path: path,
        reason: .truncated(
          .indexHeader, offset: 0, wanted: UInt64(wanted), available: UInt64(region.count)))
    }
  }
}
