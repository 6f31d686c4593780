/// The sections that a DWARF reader asks for, by their ELF names (DWARF 5, section 7, and the older
/// `.debug_ranges`). Mach-O's spellings (`__debug_info`, `__debug_str_offs`, …) are turned into these
/// by whoever reads the container.
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
  /// Only of a package of split DWARF (`.dwp`): which parts of its sections belong to which unit.
  case unitIndex = ".debug_cu_index"
  case typeUnitIndex = ".debug_tu_index"
}
