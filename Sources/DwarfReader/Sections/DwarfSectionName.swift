/// The sections that DWARF readers use, by their ELF names (DWARF 5, section 7, and the older
/// `.debug_ranges`). The reader of a Mach-O file maps its names (`__debug_info`,
/// `__debug_str_offs`, …) to these.
package enum DwarfSectionName: String, CaseIterable, Sendable {
  case info = ".debug_info"
  case types = ".debug_types"
  case abbreviations = ".debug_abbrev"
  case addressRanges = ".debug_aranges"
  case line = ".debug_line"
  case lineStrings = ".debug_line_str"
  case strings = ".debug_str"
  case stringOffsets = ".debug_str_offsets"
  case addresses = ".debug_addr"
  case ranges = ".debug_ranges"
  case rangeLists = ".debug_rnglists"
  /// Only in a package of split DWARF (`.dwp`): which parts of the sections belong to which unit.
  case unitIndex = ".debug_cu_index"
  /// Only in a package of split DWARF: which parts of the sections belong to which type unit.
  case typeUnitIndex = ".debug_tu_index"
}
