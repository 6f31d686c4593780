import BinaryInput
package import DwarfReader

/// Checks the table headers of `.debug_rnglists` (DWARF 5, section 7.28): libdwarf must not see a
/// malformed one.
package enum RangeListTables {
  /// The size in bytes of the part of the section in front of the first unsound header, and what is
  /// wrong with that header. If all headers are sound: the size of the section, and nil.
  ///
  /// A header is sound if its version is 5, its addresses have 4 or 8 bytes, it has no segment
  /// selectors, and its offsets lie in its table and point into it.
  ///
  /// Cost: reads the header and the offsets of each table.
  package static func soundPrefix(
    of sections: DwarfSections
  ) -> (count: UInt64, fault: DwarfReadError?) {
    guard var reader = sections[.rangeLists]?.reader(byteOrder: sections.byteOrder) else {
      return (0, nil)
    }
    while !reader.isAtEnd {
      let start = UInt64(reader.position)
      do throws(DwarfReadError) {
        try checkTable(&reader)
      } catch {
        return (start, error)
      }
    }
    return (UInt64(reader.position), nil)
  }

  private static func checkTable(_ reader: inout ByteReader) throws(DwarfReadError) {
    let extent = try DwarfUnitExtent(&reader, in: .rangeLists)
    var isSound = false
    do {
      let version = try reader.read(UInt16.self)
      let addressSize = try reader.read(UInt8.self)
      let segmentSelectorSize = try reader.read(UInt8.self)
      let offsetCount = UInt64(try reader.read(UInt32.self))
      let offsetSize = extent.is64Bit ? 8 : 4
      let position = UInt64(reader.position)
      if version == 5, addressSize == 4 || addressSize == 8, segmentSelectorSize == 0,
        position <= extent.end, offsetCount * UInt64(offsetSize) <= extent.end - position
      {
        isSound = true
        for _ in 0..<offsetCount where isSound {
          isSound = try reader.readUnsigned(size: offsetSize) < extent.end - position
        }
      }
      try reader.seek(to: extent.end)
    } catch {
      throw .unreadable(section: .rangeLists, error)
    }
    guard isSound else { throw .malformed(section: .rangeLists, offset: extent.offset) }
  }
}
