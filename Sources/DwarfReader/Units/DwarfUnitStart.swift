import BinaryInput

/// The first bytes of units that are scattered over a large `.debug_info`, read without touching
/// the mapping of the file: 2,000 units of a kernel would load 200 MB of pages.
///
/// It only reads what is plainly sound. Everything else is left to the reader of the mapping, which
/// finds what is wrong.
struct DwarfUnitStart {
  let header: DwarfUnitHeader
  /// The bytes of the unit from its header on: all, or the first `size`.
  private let bytes: ByteRegion

  /// Enough for a header and the first DIE of most units.
  private static let size = 256
  /// Of a smaller section, all pages are loaded by reading a few units.
  private static let scatteredSize = 8 << 20

  /// A reader of the units of `info`; nil if the mapping is as good.
  static func reader(of info: ByteRegion) -> ScatteredReader? {
    info.count < scatteredSize ? nil : ScatteredReader(info)
  }

  /// The start of the unit at `offset` of `info`. Nil if it should be read from the mapping.
  init?(
    at offset: UInt64, of info: ByteRegion, _ byteOrder: ByteOrder, _ reader: ScatteredReader
  ) {
    guard let bytes = reader.part(at: offset, count: Self.size) else { return nil }
    var start = bytes.reader(byteOrder: byteOrder)
    guard let length = try? start.read(UInt32.self), length < 0xffff_fff0,
      UInt64(length) + 4 <= UInt64(info.count) - offset,
      let header = try? DwarfUnitHeader(&start, extent: DwarfUnitExtent(ofRegionWith: length))
    else { return nil }
    self.header = header.moved(to: offset)
    self.bytes = bytes
  }

  /// The unit of `file`, with the attributes of its first DIE. Nil if it should be read from the
  /// mapping.
  func unit(of file: DwarfFile) -> DwarfUnit? {
    guard bytes.count > Int(header.headerSize) || header.isEmpty else { return nil }
    let die = bytes.cursor(
      at: header.headerSize, end: min(header.size, UInt64(bytes.count)), byteOrder: file.byteOrder)
    guard let root = try? UnitRoot(header, of: file, die: die), !root.holdsText else { return nil }
    return DwarfUnit(header, root, of: file)
  }
}
