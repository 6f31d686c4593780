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

  /// The place in `allCases`.
  var number: Int {
    switch self {
    case .info: 0
    case .types: 1
    case .abbreviations: 2
    case .addressRanges: 3
    case .line: 4
    case .lineStrings: 5
    case .strings: 6
    case .stringOffsets: 7
    case .addresses: 8
    case .ranges: 9
    case .rangeLists: 10
    case .unitIndex: 11
    case .typeUnitIndex: 12
    }
  }
}
