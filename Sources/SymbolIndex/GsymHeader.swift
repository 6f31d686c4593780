package import BinaryInput
package import SymbolicationModel

/// The header of a GSYM file (Header.h).
package struct GsymHeader: Hashable, Sendable {
  package let byteOrder: ByteOrder
  /// In bytes: 1, 2, 4 or 8.
  package let addressOffsetSize: Int
  /// The image's UUID or build-id: at most 20 bytes, empty if the image has none.
  package let uuid: [UInt8]
  /// The address that address offsets are relative to.
  package let baseAddress: LinkAddress
  package let functionCount: UInt32
  /// In bytes from the start of the file.
  package let stringTableOffset: UInt32
  /// In bytes.
  package let stringTableSize: UInt32

  /// The greatest size of a UUID that the format can store, in bytes.
  package static let maximumUuidSize = GsymFormat.maximumUuidSize

  /// Whether `region` begins with the magic number of GSYM, in either byte order. Any version
  /// counts.
  package static func begins(_ region: ByteRegion) -> Bool {
    byteOrder(ofMagicIn: region) != nil
  }

  private static func byteOrder(ofMagicIn region: ByteRegion) -> ByteOrder? {
    switch region.cursor(byteOrder: .little).first(UInt32.self) {
    case SymbolFileMagic.gsymNumber: .little
    case SymbolFileMagic.gsymNumber.byteSwapped: .big
    default: nil
    }
  }

  /// Reads the header at the start of `region`. Does not check that its tables lie in the region.
  ///
  /// Throws `notGsym`, `unsupportedVersion`, `unsupportedAddressOffsetSize`, `oversizedUuid`, and
  /// `outOfBounds` if the region ends before the header does.
  package init(_ region: ByteRegion) throws(GsymError) {
    func checkSize(_ wanted: Int) throws(GsymError) {
      guard region.count >= wanted else {
        throw .outOfBounds(
          .header, offset: 0, count: UInt64(wanted), available: UInt64(region.count))
      }
    }
    // Magic and version have the same offsets in all versions, whatever the size of the header.
    try checkSize(4)
    guard let byteOrder = Self.byteOrder(ofMagicIn: region) else {
      throw .notGsym(magic: region.cursor(byteOrder: .little).first(UInt32.self))
    }
    try checkSize(6)
    var cursor = region.cursor(at: 4, byteOrder: byteOrder)
    let version = cursor.readUInt16()
    guard version == GsymFormat.version else { throw .unsupportedVersion(version) }
    try checkSize(GsymFormat.headerSize)
    let addressOffsetSize = cursor.readUInt8()
    guard [1, 2, 4, 8].contains(addressOffsetSize) else {
      throw .unsupportedAddressOffsetSize(addressOffsetSize)
    }
    let uuidSize = cursor.readUInt8()
    guard uuidSize <= GsymFormat.maximumUuidSize else { throw .oversizedUuid(uuidSize) }
    self.byteOrder = byteOrder
    self.addressOffsetSize = Int(addressOffsetSize)
    self.baseAddress = LinkAddress(cursor.readUInt64())
    self.functionCount = cursor.readUInt32()
    self.stringTableOffset = cursor.readUInt32()
    self.stringTableSize = cursor.readUInt32()
    self.uuid = (0..<uuidSize).map { _ in cursor.readUInt8() }
  }
}

extension ByteCursor {
  /// The number at the cursor; 0 if the data ends before it.
  fileprivate func first(_: UInt32.Type) -> UInt32 {
    var copy = self
    return copy.readUInt32()
  }
}
