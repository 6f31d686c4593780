import BinaryInput

/// One unit, ready for its entries to be read. It holds what does not change: several threads may
/// read it.
final class DwarfUnit: Sendable {
  let header: DwarfUnitHeader
  let format: DwarfUnitFormat
  let root: UnitRoot
  let file: DwarfFile
  /// What indices of strings, addresses and range lists count from in their sections.
  let stringOffsetsBase: UInt64
  let addressBase: UInt64
  let rangeListsBase: UInt64
  /// What `DW_AT_ranges` counts from before DWARF 5; 0 but in split units.
  let rangesBase: UInt64
  /// What the entries of range lists count from: `DW_AT_low_pc`, or 0.
  let lowPc: UInt64

  convenience init(
    _ header: DwarfUnitHeader, of file: DwarfFile, skeleton: DwarfUnit? = nil
  ) throws(DwarfReadError) {
    self.init(header, try UnitRoot(header, of: file), of: file, skeleton: skeleton)
  }

  /// - Parameter skeleton: of a split unit the one that stands in the image: it tells where the code
  ///   is, and where the unit's addresses are.
  init(
    _ header: DwarfUnitHeader, _ root: UnitRoot, of file: DwarfFile, skeleton: DwarfUnit? = nil
  ) {
    self.header = header
    self.format = header.format
    self.file = file
    self.root = root
    // The tables of DWARF 5 begin with a header: a length (4 or 12 bytes) and 4 bytes; those of range
    // lists count their offsets in 4 more (sections 7.26 to 7.28).
    let tableHeaderSize: UInt64 = header.version < 5 ? 0 : header.is64Bit ? 16 : 8
    self.stringOffsetsBase = root.stringOffsetsBase ?? tableHeaderSize
    self.addressBase =
      skeleton?.addressBase ?? root.addressBase ?? tableHeaderSize
    self.rangeListsBase =
      root.rangeListsBase ?? (header.version < 5 ? 0 : tableHeaderSize + 4)
    self.rangesBase = skeleton?.root.splitRangesBase ?? 0
    if let skeleton {
      self.lowPc = skeleton.lowPc
    } else {
      self.lowPc =
        Self.address(root.codeRange.low, base: addressBase, format: header.format, in: file) ?? 0
    }
  }

  /// Whether nothing in the unit can hold code.
  var isTypeUnit: Bool {
    header.unitType == DwarfUnitHeader.typeUnit || header.unitType == DwarfUnitHeader.splitTypeUnit
  }

  /// The unit's abbreviations. Cost: they are compiled at the first call, and later looked up.
  ///
  /// Throws `decodingLimit`.
  func abbreviations() throws(DwarfReadError) -> AbbreviationTable {
    try file.decodedOnce.abbreviationTable(
      at: header.abbreviationOffset, of: file.abbreviationSection, file.byteOrder, format: format)
  }

  /// A cursor at `offset` of `.debug_info`, which ends where the unit does.
  @inline(__always)
  func dieCursor(at offset: UInt64) -> ByteCursor {
    file.info.cursor(at: offset, end: header.end, byteOrder: file.byteOrder)
  }

  /// Of the unit's first entry in `.debug_info`.
  var firstDieOffset: UInt64 { header.offset + header.headerSize }

  /// Whether `offset` lies among the unit's entries.
  func holdsDie(at offset: UInt64) -> Bool { offset >= firstDieOffset && offset < header.end }
}
