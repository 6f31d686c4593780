package import BinaryInput

/// The bytes of one contribution to a DWARF section, from its length field. Units, range list
/// tables and address range sets all begin with one (DWARF 5, sections 7.2.2 and 7.4).
package struct DwarfUnitExtent: Hashable, Sendable {
  /// The offset in the section of the first byte of the length field.
  package let offset: UInt64
  /// The offset of the first byte behind the length field.
  package let contentOffset: UInt64
  /// The offset of the first byte behind the contribution; at most the size of the section.
  package let end: UInt64
  /// Whether the length field has the 64-bit format.
  package let is64Bit: Bool

  /// Reads the length field at the position of `reader` in `section`, and leaves `reader` behind
  /// it.
  ///
  /// Throws `unreadable` if the section ends before that, and `malformed` if the length is a
  /// reserved value or extends past the end of the section.
  package init(
    _ reader: inout ByteReader, in section: DwarfSectionName
  ) throws(DwarfReadError) {
    let offset = UInt64(reader.position)
    let length: UInt64
    let is64Bit: Bool
    do {
      let short = try reader.read(UInt32.self)
      is64Bit = short == 0xffff_ffff
      length = is64Bit ? try reader.read(UInt64.self) : UInt64(short)
      guard is64Bit || short < 0xffff_fff0 else {
        throw DwarfReadError.malformed(section: section, offset: offset)
      }
    } catch let error as ByteReadError {
      throw .unreadable(section: section, error)
    } catch {
      throw .malformed(section: section, offset: offset)
    }
    guard length <= UInt64(reader.remaining) else {
      throw .malformed(section: section, offset: offset)
    }
    self.offset = offset
    self.contentOffset = UInt64(reader.position)
    self.end = contentOffset + length
    self.is64Bit = is64Bit
  }

  /// The extent of a contribution in the 32-bit format that is the whole of a region. Only the
  /// start of the region may be at hand. `length` is the value of its length field.
  init(ofRegionWith length: UInt32) {
    self.offset = 0
    self.contentOffset = 4
    self.end = 4 + UInt64(length)
    self.is64Bit = false
  }
}

/// The header of one unit of `.debug_info` (DWARF 5, section 7.5.1, and the sections of the same
/// title in versions 2 to 4).
package struct DwarfUnitHeader: Hashable, Sendable {
  /// The offset of the unit's first byte in `.debug_info`.
  package private(set) var offset: UInt64
  /// The size of the whole unit in bytes, including its length field.
  package let size: UInt64
  /// Whether offsets into other sections have 8 bytes ("64-bit DWARF") instead of 4.
  package let is64Bit: Bool
  /// 2 to 5.
  package let version: UInt16
  /// `DW_UT_…`. Before version 5, the header has no type, and this is `DW_UT_compile`.
  package let unitType: UInt8
  /// The size of an address in bytes, 1 to 8.
  package let addressSize: Int
  /// The offset of the unit's table in `.debug_abbrev`.
  package let abbreviationOffset: UInt64
  /// In bytes, including the length field. The unit's first DIE is at `offset + headerSize`.
  package let headerSize: UInt64
  /// The identifier that a skeleton and its split unit share; nil in other units, and before
  /// version 5.
  package let dwoIdentifier: UInt64?

  /// The offset of the first byte behind the unit.
  package var end: UInt64 { offset + size }

  /// The same header at another offset.
  func moved(to offset: UInt64) -> DwarfUnitHeader {
    var header = self
    header.offset = offset
    return header
  }

  /// Whether the unit has no DIEs.
  package var isEmpty: Bool { size == headerSize }

  // `DW_UT_…` (DWARF 5, section 7.5.1).
  package static let compileUnit: UInt8 = 0x01
  package static let typeUnit: UInt8 = 0x02
  package static let partialUnit: UInt8 = 0x03
  package static let skeletonUnit: UInt8 = 0x04
  package static let splitCompileUnit: UInt8 = 0x05
  package static let splitTypeUnit: UInt8 = 0x06

  /// Reads the header of the unit with `extent`, and leaves `reader` behind the header.
  ///
  /// Throws `unsupportedVersion`, and `malformed` or `unreadable` if the header does not fit in the
  /// unit or contains invalid values.
  package init(
    _ reader: inout ByteReader, extent: DwarfUnitExtent
  ) throws(DwarfReadError) {
    do {
      try reader.seek(to: extent.contentOffset)
      let version = try reader.read(UInt16.self)
      guard (2...5).contains(version) else {
        throw DwarfReadError.unsupportedVersion(version, unitOffset: extent.offset)
      }
      let offsetSize = extent.is64Bit ? 8 : 4
      var unitType = Self.compileUnit
      var dwoIdentifier: UInt64?
      let addressSize: UInt8
      let abbreviationOffset: UInt64
      if version >= 5 {
        unitType = try reader.read(UInt8.self)
        addressSize = try reader.read(UInt8.self)
        abbreviationOffset = try reader.readUnsigned(size: offsetSize)
        switch unitType {
        case Self.skeletonUnit, Self.splitCompileUnit:
          dwoIdentifier = try reader.read(UInt64.self)
        case Self.typeUnit, Self.splitTypeUnit:
          // The type's signature and the offset of its DIE.
          try reader.skip(8 + UInt64(offsetSize))
        default:
          break
        }
      } else {
        abbreviationOffset = try reader.readUnsigned(size: offsetSize)
        addressSize = try reader.read(UInt8.self)
      }
      let headerEnd = UInt64(reader.position)
      guard headerEnd <= extent.end, (1...8).contains(addressSize) else {
        throw DwarfReadError.malformed(section: .info, offset: extent.offset)
      }
      self.offset = extent.offset
      self.size = extent.end - extent.offset
      self.is64Bit = extent.is64Bit
      self.version = version
      self.unitType = unitType
      self.addressSize = Int(addressSize)
      self.abbreviationOffset = abbreviationOffset
      self.headerSize = headerEnd - extent.offset
      self.dwoIdentifier = dwoIdentifier
    } catch let error as DwarfReadError {
      throw error
    } catch let error as ByteReadError {
      throw .unreadable(section: .info, error)
    } catch {
      throw .malformed(section: .info, offset: extent.offset)
    }
  }
}

extension DwarfUnitHeader {
  /// Reads the header of the unit that should begin at `offset` of `.debug_info`. Does not check
  /// whether a unit begins there.
  ///
  /// Throws `missingSection`, `unsupportedVersion`, and `malformed` or `unreadable` if the unit
  /// does not fit in the section, or its header is invalid. Cost: reads only this header.
  package static func read(
    at offset: UInt64, of sections: DwarfSections
  ) throws(DwarfReadError) -> DwarfUnitHeader {
    guard let info = sections[.info] else { throw .missingSection(.info) }
    var reader = info.reader(byteOrder: sections.byteOrder)
    do {
      try reader.seek(to: offset)
    } catch {
      throw .unreadable(section: .info, error)
    }
    let extent = try DwarfUnitExtent(&reader, in: .info)
    return try DwarfUnitHeader(&reader, extent: extent)
  }
}
