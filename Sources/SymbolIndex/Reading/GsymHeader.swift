package import BinaryInput
package import SymbolicationModel

/// The header of a GSYM file (Header.h for version 1, HeaderV2.h for version 2).
package struct GsymHeader: Hashable, Sendable {
  /// 1 or 2.
  package let version: UInt16
  package let byteOrder: ByteOrder
  /// In bytes: 1, 2, 4 or 8.
  package let addressOffsetSize: Int
  /// The address that address offsets are relative to.
  package let baseAddress: LinkAddress
  package let functionCount: UInt32

  /// The greatest size of a UUID that version 1 can store, in bytes.
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

  /// Reads the header at the start of `region`. Its fixed fields have the same offsets in both
  /// versions; what follows them, `GsymTables` reads.
  ///
  /// Throws `notGsym`, `unsupportedVersion`, `unsupportedAddressOffsetSize`, and `outOfBounds` if
  /// the region ends before the header does.
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
    self.version = cursor.readUInt16()
    switch version {
    case GsymFormat.version: try checkSize(GsymFormat.headerSize)
    case GsymFormat.Version2.number: try checkSize(GsymFormat.Version2.headerSize)
    default: throw .unsupportedVersion(version)
    }
    let addressOffsetSize = cursor.readUInt8()
    guard [1, 2, 4, 8].contains(addressOffsetSize) else {
      throw .unsupportedAddressOffsetSize(addressOffsetSize)
    }
    // The size of the UUID in version 1, the encoding of the strings in version 2.
    cursor.skip(1)
    self.byteOrder = byteOrder
    self.addressOffsetSize = Int(addressOffsetSize)
    self.baseAddress = LinkAddress(cursor.readUInt64())
    self.functionCount = cursor.readUInt32()
  }
}

extension ByteCursor {
  /// The number at the cursor; 0 if the data ends before it.
  fileprivate func first(_: UInt32.Type) -> UInt32 {
    var copy = self
    return copy.readUInt32()
  }
}
