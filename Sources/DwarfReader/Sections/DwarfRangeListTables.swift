import BinaryInput

/// The headers of `.debug_rnglists` (DWARF 5, section 7.28), for readers that must not be shown a
/// malformed one.
package enum DwarfRangeListTables {
  /// How many bytes from the start of the section hold nothing but tables with sound headers, and
  /// what is wrong behind them; the whole section and nil where all headers are sound.
  ///
  /// A header is sound where its version is 5, its addresses have 4 or 8 bytes, it has no segment
  /// selectors, and its offsets lie inside its table and lead to places inside it.
  ///
  /// Cost: the header and the offsets of each table are read.
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
