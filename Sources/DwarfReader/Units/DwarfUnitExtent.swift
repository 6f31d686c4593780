package import BinaryInput

/// The bytes of one contribution to a DWARF section, from its length field. Units, range list
/// tables and address range sets all begin with one (DWARF 5, sections 7.2.2 and 7.4).
package struct DwarfUnitExtent: Hashable, Sendable {
  /// The offset in the section of the first byte of the length field.
  package let offset: UInt64
  /// The offset of the first byte behind the length field.
  package let contentOffset: UInt64
  /// The offset of the first byte behind the contribution; at most the size of the section.
  package let end: UInt64
  /// Whether the length field has the 64-bit format.
  package let is64Bit: Bool

  /// Reads the length field at the position of `reader` in `section`, and leaves `reader` behind
  /// it.
  ///
  /// Throws `unreadable` if the section ends before that, and `malformed` if the length is a
  /// reserved value or extends past the end of the section.
  package init(
    _ reader: inout ByteReader, in section: DwarfSectionName
  ) throws(DwarfReadError) {
    let offset = UInt64(reader.position)
    let length: UInt64
    let is64Bit: Bool
    do {
      let short = try reader.read(UInt32.self)
      is64Bit = short == 0xffff_ffff
      length = is64Bit ? try reader.read(UInt64.self) : UInt64(short)
      guard is64Bit || short < 0xffff_fff0 else {
        throw DwarfReadError.malformed(section: section, offset: offset)
      }
    } catch let error as ByteReadError {
      throw .unreadable(section: section, error)
    } catch {
      throw .malformed(section: section, offset: offset)
    }
    guard length <= UInt64(reader.remaining) else {
      throw .malformed(section: section, offset: offset)
    }
    self.offset = offset
    self.contentOffset = UInt64(reader.position)
    self.end = contentOffset + length
    self.is64Bit = is64Bit
  }

  /// The extent of a contribution in the 32-bit format that is the whole of a region. Only the
  /// start of the region may be at hand. `length` is the value of its length field.
  init(ofRegionWith length: UInt32) {
    self.offset = 0
    self.contentOffset = 4
    self.end = 4 + UInt64(length)
    self.is64Bit = false
  }
}
