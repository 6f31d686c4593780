import CLibDwarf
import DwarfReader

/// What libdwarf must not be shown.
extension LibDwarfReader {
  /// A DWARF 5 unit whose DIE carries `DW_AT_GNU_dwo_id`, as swiftc writes for each imported clang
  /// module, ends libdwarf's walk with `DW_DLE_IMPROPER_DWO_ID` (20210528 and 0.11.1).
  func hasDwoIdentifier(_ unit: DwarfUnitHeader) -> Bool {
    guard unit.version >= 5, let tables = AbbreviationAttributes(sections) else { return false }
    let codes = try? tables.codeRanges(
      of: UInt64(DW_AT_GNU_dwo_id), inTableAt: unit.abbreviationOffset)
    return codes?.isEmpty == false
  }

  /// The sections with that attribute hidden wherever a unit of DWARF 5 has it; no bytes are copied
  /// where none has.
  func hideDwoIdentifiers() -> DwarfSections {
    guard let tables = AbbreviationAttributes(sections) else { return sections }
    var codes: [Range<Int>] = []
    var walked: Set<UInt64> = []
    for unit in unitList.units where unit.version >= 5 {
      guard walked.insert(unit.abbreviationOffset).inserted else { continue }
      // A table that cannot be read is refused by libdwarf too, for the units that use it.
      codes +=
        (try? tables.codeRanges(
          of: UInt64(DW_AT_GNU_dwo_id), inTableAt: unit.abbreviationOffset)) ?? []
    }
    return sections.hidingAttributes(at: codes)
  }

  /// Of `.debug_rnglists` libdwarf sees the tables in front of the first unsound header: 20210528 frees
  /// memory twice of some (`dwarf_load_rnglists`) and follows offsets out of the section.
  func checkRangeLists() -> UInt64 {
    let (count, fault) = RangeListTables.soundPrefix(of: sections)
    if let fault { record(fault) }
    return count
  }
}
