import BinaryInput

/// What the first entry of a unit says: where the unit has code, and what the values of its other
/// entries count from.
struct UnitRoot: Sendable {
  var code = EntryCode()
  var language: UInt64?
  /// `DW_AT_stmt_list`: of the line table in `.debug_line`.
  var lineTableOffset: UInt64?
  var compilationDirectory: DwarfValue?
  /// `DW_AT_dwo_name` or `DW_AT_GNU_dwo_name`.
  var splitName: DwarfValue?
  /// `DW_AT_GNU_dwo_id`. (DWARF 5 has the identifier in the unit's header.)
  var splitIdentifier: UInt64?
  var stringOffsetsBase: UInt64?
  /// `DW_AT_addr_base` or `DW_AT_GNU_addr_base`.
  var addressBase: UInt64?
  var rangeListsBase: UInt64?
  /// `DW_AT_GNU_ranges_base`: what `DW_AT_ranges` of the split unit counts from.
  var splitRangesBase: UInt64?

  /// Reads the first entry of the unit in `info` by its abbreviation in `abbreviations`, of which
  /// nothing behind is read: the ranges of all units of a file are found without their tables.
  ///
  /// A unit without entries gives an empty value. Throws where the entry cannot be read.
  init(
    _ header: DwarfUnitHeader, info: ByteRegion, abbreviations: ByteRegion, byteOrder: ByteOrder
  ) throws(DwarfReadError) {
    var entry = info.cursor(
      at: header.offset + header.headerSize, end: header.end, byteOrder: byteOrder)
    if entry.isAtEnd { return }
    let code = entry.readUleb128()
    // A unit that begins with an end mark has no entry either.
    if code == 0, !entry.hasFailed { return }
    var table = abbreviations.cursor(at: header.abbreviationOffset, byteOrder: byteOrder)
    Self.find(code, in: &table)
    let format = header.format
    while !table.hasFailed, !entry.hasFailed {
      let name = table.readUleb128()
      let form = table.readUleb128()
      if name == 0, form == 0 { return }
      let implicit = form == UInt64(DwarfForm.implicitConst) ? table.readSleb128() : 0
      let value = DwarfValue(
        UInt16(exactly: form) ?? 0xffff, &entry, in: format, implicit: implicit)
      take(value, of: UInt16(exactly: name) ?? 0xffff)
    }
    throw .malformed(section: table.hasFailed ? .abbreviations : .info, offset: header.offset)
  }

  /// Moves `table` to the attributes of the declaration of `code`; fails it where there is none.
  private static func find(_ code: UInt64, in table: inout ByteCursor) {
    while true {
      let declared = table.readUleb128()
      if declared == 0 { return table.fail() }
      table.skipLeb128()  // the tag
      table.skip(1)  // whether it has children
      if declared == code { return }
      while true {
        let name = table.readUleb128()
        let form = table.readUleb128()
        if name == 0, form == 0 { break }
        if form == UInt64(DwarfForm.implicitConst) { table.skipLeb128() }
      }
    }
  }

  private mutating func take(_ value: DwarfValue, of attribute: UInt16) {
    switch attribute {
    case DwarfAttribute.lowPc: code.low = value
    case DwarfAttribute.highPc: code.high = value
    case DwarfAttribute.ranges: code.ranges = value
    case DwarfAttribute.language: language = value.number
    case DwarfAttribute.stmtList: lineTableOffset = value.number
    case DwarfAttribute.compDir: compilationDirectory = value
    case DwarfAttribute.dwoName, DwarfAttribute.gnuDwoName: splitName = value
    case DwarfAttribute.gnuDwoId: splitIdentifier = value.number
    case DwarfAttribute.strOffsetsBase: stringOffsetsBase = value.number
    case DwarfAttribute.addrBase, DwarfAttribute.gnuAddrBase: addressBase = value.number
    case DwarfAttribute.rnglistsBase: rangeListsBase = value.number
    case DwarfAttribute.gnuRangesBase: splitRangesBase = value.number
    default: break
    }
  }
}
