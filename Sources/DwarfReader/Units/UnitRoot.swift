import BinaryInput

/// The attributes of a unit's first DIE: the code ranges of the unit, and the bases that values in
/// its other DIEs are relative to.
struct UnitRoot: Sendable {
  var codeRange = CodeRangeAttributes()
  /// Whether other units import it (`DW_TAG_partial_unit`).
  var isPartial = false
  var language: UInt64?
  /// `DW_AT_stmt_list`: the offset of the line table in `.debug_line`.
  var lineTableOffset: UInt64?
  var compilationDirectory: DwarfValue?
  /// `DW_AT_dwo_name` or `DW_AT_GNU_dwo_name`.
  var splitName: DwarfValue?
  /// `DW_AT_GNU_dwo_id`. (In DWARF 5, the identifier is in the unit's header.)
  var splitIdentifier: UInt64?
  var stringOffsetsBase: UInt64?
  /// `DW_AT_addr_base` or `DW_AT_GNU_addr_base`.
  var addressBase: UInt64?
  var rangeListsBase: UInt64?
  /// `DW_AT_GNU_ranges_base`: the offset that `DW_AT_ranges` of the split unit is relative to.
  var splitRangesBase: UInt64?

  /// Reads the first DIE of the unit. A unit without DIEs gives an empty value.
  ///
  /// Throws `malformed` if the DIE cannot be read, and `decodingLimit`. Cost: reads the
  /// abbreviation table only up to the abbreviation of this DIE, so that finding the ranges of all
  /// units of a file does not need their whole tables.
  init(_ header: DwarfUnitHeader, of file: DwarfFile) throws(DwarfReadError) {
    try self.init(
      header, of: file,
      die: file.info.cursor(
        at: header.offset + header.headerSize, end: header.end, byteOrder: file.byteOrder))
  }

  /// Reads the first DIE of the unit at `die`, which may be in a copy of its bytes. Throws
  /// `malformed`, too, if the copy ends before the DIE.
  init(
    _ header: DwarfUnitHeader, of file: DwarfFile, die: ByteCursor
  ) throws(DwarfReadError) {
    let limits = file.limits
    guard limits.dies.permitsMore else { throw .decodingLimit(section: .info) }
    var die = die
    let start = die.position
    defer { limits.dies.add(die.position - start) }
    if die.isAtEnd { return }
    let code = die.readUleb128()
    // A unit that begins with an end mark has no DIE either.
    if code == 0, !die.hasFailed { return }
    guard
      let declaration = try file.decodedOnce.declaration(
        of: code, inTableAt: header.abbreviationOffset, of: file.abbreviationSection,
        file.byteOrder)
    else { throw .malformed(section: .abbreviations, offset: header.offset) }
    isPartial = declaration.tag == DwarfTag.partialUnit
    var table = declaration.attributes
    let format = header.format
    var attributeCount = 0
    while !table.hasFailed, !die.hasFailed {
      attributeCount += 1
      if attributeCount > Abbreviation.attributeLimit { table.fail() }
      let name = table.readUleb128()
      let form = table.readUleb128()
      if name == 0, form == 0 { return }
      let implicit = form == UInt64(DwarfForm.implicitConst) ? table.readSleb128() : 0
      let value = DwarfValue(
        UInt16(exactly: form) ?? 0xffff, &die, in: format, implicit: implicit)
      take(value, of: UInt16(exactly: name) ?? 0xffff)
    }
    throw .malformed(section: table.hasFailed ? .abbreviations : .info, offset: header.offset)
  }

  /// Whether a value is text in the DIE itself: it is given by its place, which a copy changes.
  var holdsText: Bool {
    compilationDirectory?.form == DwarfForm.string || splitName?.form == DwarfForm.string
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
