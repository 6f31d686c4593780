import CLibDwarf
import DwarfReader

/// Input that libdwarf must not see.
extension LibDwarfReader {
  /// Whether a unit has `DW_AT_GNU_dwo_id` in DWARF 5, as swiftc writes for each imported clang
  /// module. libdwarf (20210528 and 0.11.1) stops at such a unit with `DW_DLE_IMPROPER_DWO_ID`.
  func hasDwoIdentifier(_ unit: DwarfUnitHeader) -> Bool {
    guard unit.version >= 5, let tables = AbbreviationAttributes(sections) else { return false }
    let codes = try? tables.codeRanges(
      of: UInt64(DW_AT_GNU_dwo_id), inTableAt: unit.abbreviationOffset)
    return codes?.isEmpty == false
  }

  /// The sections with `DW_AT_GNU_dwo_id` hidden in all DWARF 5 units. Copies nothing if no unit
  /// has it.
  func hideDwoIdentifiers() -> DwarfSections {
    guard let tables = AbbreviationAttributes(sections) else { return sections }
    var codes: [Range<Int>] = []
    var walked: Set<UInt64> = []
    for unit in unitList.units where unit.version >= 5 {
      guard walked.insert(unit.abbreviationOffset).inserted else { continue }
      // If a table cannot be read, libdwarf reports that for the units that use it.
      codes +=
        (try? tables.codeRanges(
          of: UInt64(DW_AT_GNU_dwo_id), inTableAt: unit.abbreviationOffset)) ?? []
    }
    return sections.hidingAttributes(at: codes)
  }

  /// The number of bytes of `.debug_rnglists` to show to libdwarf: the tables in front of the first
  /// unsound header. With some unsound headers, libdwarf 20210528 frees memory twice
  /// (`dwarf_load_rnglists`), and follows offsets out of the section.
  func checkRangeLists() -> UInt64 {
    let (count, fault) = RangeListTables.soundPrefix(of: sections)
    if let fault { record(fault) }
    return count
  }
}
