import BinaryInput

/// The attribute codes of `.debug_abbrev` (DWARF 5, section 7.5.3), for readers that have to know of
/// one, or to hide it, before they decode anything.
package struct DwarfAbbreviationTables: Sendable {
  private let region: ByteRegion
  private let byteOrder: ByteOrder

  /// Nil where the image has no `.debug_abbrev`.
  package init?(_ sections: DwarfSections) {
    guard let region = sections[.abbreviations] else { return nil }
    self.region = region
    self.byteOrder = sections.byteOrder
  }

  /// Where in the section the code of `attribute` stands, as a ULEB128 number, in the table at
  /// `offset`. The places are byte ranges, ascending.
  ///
  /// Cost: a walk over that one table. Throws where it does not end within the section.
  package func places(
    of attribute: UInt64, inTableAt offset: UInt64
  ) throws(DwarfReadError) -> [Range<Int>] {
    var places: [Range<Int>] = []
    var reader = region.reader(byteOrder: byteOrder)
    do {
      try reader.seek(to: offset)
      while try reader.readUleb128() != 0 {
        _ = try reader.readUleb128()
        try reader.skip(1)
        while true {
          let start = reader.position
          let code = try reader.readUleb128()
          let end = reader.position
          let form = try reader.readUleb128()
          if code == 0, form == 0 { break }
          if code == attribute { places.append(start..<end) }
          // The value of `DW_FORM_implicit_const`, an SLEB128 number of any length.
          if form == 0x21 {
            while try reader.read(UInt8.self) & 0x80 != 0 {}
          }
        }
      }
    } catch {
      throw .unreadable(section: .abbreviations, error)
    }
    return places
  }
}

extension DwarfSections {
  /// The same sections with a copy of `.debug_abbrev` in which the attribute codes at `places` are
  /// 0x3fbe, a vendor code that nothing uses, in as many bytes as before. Places of one byte, into
  /// which it does not fit, are left as they are. Without places nothing is copied.
  package func hidingAttributes(at places: [Range<Int>]) -> DwarfSections {
    guard let region = self[.abbreviations], !places.isEmpty else { return self }
    var bytes = region.bytes
    for place in places where place.count >= 2 && place.upperBound <= bytes.count {
      bytes[place.lowerBound] = 0xbe
      for index in place.dropFirst() { bytes[index] = 0x80 }
      bytes[place.lowerBound + 1] = place.count == 2 ? 0x7f : 0xff
      if place.count > 2 { bytes[place.upperBound - 1] = 0x00 }
    }
    return replacing(.abbreviations, with: ByteRegion(copying: bytes))
  }
}
