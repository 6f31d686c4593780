package import BinaryInput
package import SymbolicationModel

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

/// The DWARF sections of one image, whatever its object file format.
package struct DwarfSections: Sendable {
  /// By `DwarfSectionName.number`.
  private var regions: [ByteRegion?]
  package let byteOrder: ByteOrder
  /// The size of an address in the object file, in bytes: 4 or 8. (Each unit also states its own.)
  package let addressSize: Int
  /// The ranges (half-open) with code in the image, ascending and not overlapping. Code ranges that
  /// begin elsewhere are ignored: the linker sets functions that it removed to 0, −1 or −2.
  package let codeRanges: [Range<LinkAddress>]
  /// How many units of `.debug_info` are read.
  package var unitLimit = ResourceLimits().units
  /// How much memory may be in use before decoded units are forgotten.
  package var decodedSizeLimit = ResourceLimits().decodedSize

  /// - Parameter region: the bytes of a section; nil if the image has no such section.
  package init<Failure>(
    byteOrder: ByteOrder, addressSize: Int, codeRanges: [Range<LinkAddress>],
    region: (DwarfSectionName) throws(Failure) -> ByteRegion?
  ) throws(Failure) {
    self.regions = []
    self.byteOrder = byteOrder
    self.addressSize = addressSize
    self.codeRanges = codeRanges
    regions.reserveCapacity(DwarfSectionName.allCases.count)
    for name in DwarfSectionName.allCases { regions.append(try region(name)) }
  }

  package init(
    regions: [DwarfSectionName: ByteRegion], byteOrder: ByteOrder, addressSize: Int,
    codeRanges: [Range<LinkAddress>]
  ) {
    self.init(byteOrder: byteOrder, addressSize: addressSize, codeRanges: codeRanges) {
      regions[$0]
    }
  }

  /// The decompressed bytes of a section; nil if the image has no such section.
  package subscript(name: DwarfSectionName) -> ByteRegion? { regions[name.number] }

  /// These sections with the content of section `name` replaced.
  package func replacing(_ name: DwarfSectionName, with region: ByteRegion?) -> DwarfSections {
    var sections = self
    sections.regions[name.number] = region
    return sections
  }

  /// The path in the zero-terminated string at `offset` of section `name`; nil if there is none.
  /// Bytes that are not UTF-8 are kept (`PathByte`).
  package func path(in name: DwarfSectionName, at offset: UInt64) -> String? {
    guard let section = self[name], let count = section.countBeforeZero(from: offset) else {
      return nil
    }
    return section.path(at: offset, count: count)
  }

  /// Whether the image has code at `address`. Cost: a binary search.
  package func isCode(_ address: LinkAddress) -> Bool {
    let index = codeRanges.partitionPoint { $0.upperBound > address }
    return index < codeRanges.count && codeRanges[index].contains(address)
  }
}

/// A zero-terminated string, given by its section and offset. It is read when it is needed.
package struct StringReference: Hashable, Sendable {
  package let section: DwarfSectionName
  /// In bytes from the start of the section.
  package let offset: UInt64

  package init(section: DwarfSectionName, offset: UInt64) {
    self.section = section
    self.offset = offset
  }
}
