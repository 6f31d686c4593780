package import BinaryInput
package import SymbolicationModel

/// The DWARF sections of one image, whatever its object file format.
package struct DwarfSections: Sendable {
  let regions: [DwarfSectionName: ByteRegion]
  package let byteOrder: ByteOrder
  /// The size of an address in the object file, in bytes: 4 or 8. (Each unit also states its own.)
  package let addressSize: Int
  /// The ranges (half-open) with code in the image, ascending and not overlapping. Code ranges that
  /// begin elsewhere are ignored: the linker sets functions that it removed to 0, −1 or −2.
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

  /// The decompressed bytes of a section; nil if the image has no such section.
  package subscript(name: DwarfSectionName) -> ByteRegion? { regions[name] }

  /// These sections with the content of section `name` replaced.
  package func replacing(_ name: DwarfSectionName, with region: ByteRegion) -> DwarfSections {
    var regions = regions
    regions[name] = region
    return DwarfSections(
      regions: regions, byteOrder: byteOrder, addressSize: addressSize, codeRanges: codeRanges)
  }

  /// The zero-terminated string at `offset` of section `name`; nil if there is none. Invalid UTF-8
  /// is replaced by U+FFFD.
  package func string(in name: DwarfSectionName, at offset: UInt64) -> String? {
    guard var reader = regions[name]?.reader(byteOrder: byteOrder),
      (try? reader.seek(to: offset)) != nil, let bytes = try? reader.readCString()
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Whether the image has code at `address`. Cost: a binary search.
  package func isCode(_ address: LinkAddress) -> Bool {
    let index = codeRanges.partitionPoint { $0.upperBound > address }
    return index < codeRanges.count && codeRanges[index].contains(address)
  }
}
