package import BinaryInput
package import SymbolicationModel

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

  /// The section's bytes, decompressed; nil where the image has no such section.
  package subscript(name: DwarfSectionName) -> ByteRegion? { regions[name] }

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
