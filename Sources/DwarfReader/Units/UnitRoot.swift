import BinaryInput

/// What the first entry of a unit says: where the unit has code, and what the values of its other
/// entries count from.
struct UnitRoot: Sendable {
  var codeRange = CodeRangeAttributes()
  /// Whether it is a part that other units import (`DW_TAG_partial_unit`).
  var isPartial = false
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

  /// Reads the first entry of the unit by its abbreviation, behind which nothing of the table is read:
  /// the ranges of all units of a file are found without their tables.
  ///
  /// A unit without entries gives an empty value. Throws where the entry cannot be read.
  init(_ header: DwarfUnitHeader, of file: DwarfFile) throws(DwarfReadError) {
    let limits = file.limits
    guard limits.dies.permitsMore else { throw .decodingLimit(section: .info) }
    var entry = file.info.cursor(
      at: header.offset + header.headerSize, end: header.end, byteOrder: file.byteOrder)
    let start = entry.position
    defer { limits.dies.add(entry.position - start) }
    if entry.isAtEnd { return }
    let code = entry.readUleb128()
    // A unit that begins with an end mark has no entry either.
    if code == 0, !entry.hasFailed { return }
    guard
      let declaration = try file.decodedOnce.declaration(
        of: code, inTableAt: header.abbreviationOffset, of: file.abbreviationSection,
        file.byteOrder)
    else { throw .malformed(section: .abbreviations, offset: header.offset) }
    isPartial = declaration.tag == DwarfTag.partialUnit
    var table = declaration.attributes
    let format = header.format
    var attributeCount = 0
    while !table.hasFailed, !entry.hasFailed {
      attributeCount += 1
      if attributeCount > Abbreviation.attributeLimit { table.fail() }
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

  private mutating func take(_ value: DwarfValue, of attribute: UInt16) {
    switch attribute {
    case DwarfAttribute.lowPc: codeRange.low = value
    case DwarfAttribute.highPc: codeRange.high = value
    case DwarfAttribute.ranges: codeRange.ranges = value
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
