import BinaryInput
package import DwarfReader

/// Finds and hides attribute codes in `.debug_abbrev` (DWARF 5, section 7.5.3).
///
/// libdwarf refuses units that carry certain attributes. This finds them before libdwarf sees the
/// section, and hides them from it.
package struct AbbreviationAttributes: Sendable {
  private let region: ByteRegion
  private let byteOrder: ByteOrder

  /// Nil if the image has no `.debug_abbrev`.
  package init?(_ sections: DwarfSections) {
    guard let region = sections[.abbreviations] else { return nil }
    self.region = region
    self.byteOrder = sections.byteOrder
  }

  /// The byte ranges (half-open, ascending, from the start of the section) of the ULEB128 numbers
  /// that declare `attribute` in the table at `offset`.
  ///
  /// Throws `unreadable` if the table does not end within the section. Cost: a walk over that
  /// table.
  package func codeRanges(
    of attribute: UInt64, inTableAt offset: UInt64
  ) throws(DwarfReadError) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
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
          if code == attribute { ranges.append(start..<end) }
          // The value of `DW_FORM_implicit_const`, an SLEB128 number of any length.
          if form == 0x21 {
            while try reader.read(UInt8.self) & 0x80 != 0 {}
          }
        }
      }
    } catch {
      throw .unreadable(section: .abbreviations, error)
    }
    return ranges
  }
}

extension DwarfSections {
  /// These sections with a copy of `.debug_abbrev` in which the attribute codes at `codeRanges` are
  /// replaced by 0x3fbe, a vendor code that nothing uses.
  ///
  /// The new code takes as many bytes as the old one, so no offset changes. It does not fit in one
  /// byte: codes of one byte stay as they are. If there are no ranges, nothing is copied.
  package func hidingAttributes(at codeRanges: [Range<Int>]) -> DwarfSections {
    guard let region = self[.abbreviations], !codeRanges.isEmpty else { return self }
    var bytes = region.bytes
    for range in codeRanges where range.count >= 2 && range.upperBound <= bytes.count {
      bytes[range.lowerBound] = 0xbe
      for index in range.dropFirst() { bytes[index] = 0x80 }
      bytes[range.lowerBound + 1] = range.count == 2 ? 0x7f : 0xff
      if range.count > 2 { bytes[range.upperBound - 1] = 0x00 }
    }
    return replacing(.abbreviations, with: ByteRegion(copying: bytes))
  }
}
