package import BinaryInput
package import SymbolicationModel

/// The header of a GSYM file (Header.h).
package struct GsymHeader: Hashable, Sendable {
  package let byteOrder: ByteOrder
  /// In bytes: 1, 2, 4 or 8.
  package let addressOffsetSize: Int
  /// At most 20 bytes; empty where the image has none.
  package let uuid: [UInt8]
  /// What the address offsets count from.
  package let baseAddress: LinkAddress
  package let functionCount: UInt32
  /// Place and size of the strings, in bytes from the start of the file.
  package let stringTableOffset: UInt32
  package let stringTableSize: UInt32

  /// In bytes: longer ones cannot be written.
  package static let maximumUuidSize = GsymFormat.maximumUuidSize

  /// Whether `region` begins as a GSYM file of any version does.
  package static func begins(_ region: ByteRegion) -> Bool {
    byteOrder(ofMagicIn: region) != nil
  }

  private static func byteOrder(ofMagicIn region: ByteRegion) -> ByteOrder? {
    switch region.cursor(byteOrder: .little).first(UInt32.self) {
    case GsymFormat.magic: .little
    case GsymFormat.magic.byteSwapped: .big
    default: nil
    }
  }

  /// The header at the start of `region`. Whether the tables it tells of are there is not checked.
  package init(_ region: ByteRegion) throws(GsymError) {
    func checkSize(_ wanted: Int) throws(GsymError) {
      guard region.count >= wanted else {
        throw .outOfBounds(
          .header, offset: 0, count: UInt64(wanted), available: UInt64(region.count))
      }
    }
    // Magic and version stand where they do in any version of the format, whatever its header's size.
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
  /// The number at the cursor, 0 where there is none.
  fileprivate func first(_: UInt32.Type) -> UInt32 {
    var copy = self
    return copy.readUInt32()
  }
}
