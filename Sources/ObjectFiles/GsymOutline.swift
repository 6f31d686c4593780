import BinaryInput
import SymbolicationModel

/// The header of a GSYM file (LLVM's Header.h), read for what it states about the image that the
/// file is the index of. `SymbolIndex` reads the tables after it.
struct GsymOutline {
  private let region: ByteRegion
  private let byteOrder: ByteOrder

  private static let headerSize = 48
  private static let maximumUuidSize = 20

  init(_ region: ByteRegion, byteOrder: ByteOrder) {
    self.region = region
    self.byteOrder = byteOrder
  }

  /// Throws `truncated` if the header is not complete, and `unsupportedIndexVersion`.
  func objectFile(path: String) throws(ObjectFileError) -> ObjectFile {
    func checkSize(_ wanted: Int) throws(ObjectFileError) {
      guard region.count >= wanted else {
        throw ObjectFileError(
          path: path,
          reason: .truncated(
            .indexHeader, offset: 0, wanted: UInt64(wanted), available: UInt64(region.count)))
      }
    }
    try checkSize(6)
    var cursor = region.cursor(at: 4, byteOrder: byteOrder)
    let version = cursor.readUInt16()
    guard version == 1 else {
      throw ObjectFileError(path: path, reason: .unsupportedIndexVersion(version))
    }
    try checkSize(Self.headerSize)
    cursor.seek(to: 7)
    let uuidSize = min(Int(cursor.readUInt8()), Self.maximumUuidSize)
    cursor.seek(to: 28)
    return ObjectFile(
      path: path, format: .gsym, fileType: .index, architecture: .unknown,
      identity: ImageIdentity(bytes: (0..<uuidSize).map { _ in cursor.readUInt8() }),
      byteOrder: byteOrder, addressSize: 8, segments: [], sections: [], faults: [], region: region,
      symbolTableSource: .none)
  }
}
