package import BinaryInput
package import SymbolicationModel

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

/// The DWARF of one image: what every reader is made from. The container it came from is not known
/// here.
package struct DwarfSections: Sendable {
  let regions: [DwarfSectionName: ByteRegion]
  package let byteOrder: ByteOrder
  /// Bytes in an address of the container: 4 or 8. (Each unit states its own as well.)
  package let addressSize: Int
  /// Where the image has code, ascending and not overlapping. What claims to be code elsewhere (a
  /// function that the linker left out stands at 0, −1 or −2) is passed over.
  package let codeRanges: [Range<LinkAddress>]

  package init(
    regions: [DwarfSectionName: ByteRegion], byteOrder: ByteOrder, addressSize: Int,
    codeRanges: [Range<LinkAddress>]
  ) {
    self.regions = regions
    self.byteOrder = byteOrder
    self.addressSize = addressSize
    self.codeRanges = codeRanges
  }

  package var isLittleEndian: Bool { byteOrder == .little }

  /// The section's bytes, decompressed; nil where the image has no such section.
  package subscript(name: DwarfSectionName) -> ByteRegion? { regions[name] }

  /// The section's bytes for a C library that keeps the pointer; nil where the section is absent.
  /// They are valid as long as something holds these sections.
  package func unsafeBytes(of name: DwarfSectionName) -> UnsafeRawBufferPointer? {
    unsafe regions[name]?.unsafeBytes
  }

  /// The same with another content of the section `name`.
  package func replacing(_ name: DwarfSectionName, with region: ByteRegion) -> DwarfSections {
    var regions = regions
    regions[name] = region
    return DwarfSections(
      regions: regions, byteOrder: byteOrder, addressSize: addressSize, codeRanges: codeRanges)
  }

  /// The zero-terminated string at `offset` of the section `name`; nil where there is none. What is
  /// not UTF-8 in it comes out as replacement characters.
  package func string(in name: DwarfSectionName, at offset: UInt64) -> String? {
    guard var reader = regions[name]?.reader(byteOrder: byteOrder),
      (try? reader.seek(to: offset)) != nil, let bytes = try? reader.readCString()
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether `address` lies where the image has code. Cost: a binary search.
  package func isCode(_ address: LinkAddress) -> Bool {
    let index = codeRanges.partitionPoint { $0.upperBound > address }
    return index < codeRanges.count && codeRanges[index].contains(address)
  }
}
