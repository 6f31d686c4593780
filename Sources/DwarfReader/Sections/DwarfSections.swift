package import BinaryInput
package import SymbolicationModel

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
