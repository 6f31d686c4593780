package import BinaryInput

/// Where a contribution to a DWARF section begins and ends: the length field that heads units, range
/// list tables and address range sets alike (DWARF 5, section 7.2.2 and 7.4).
package struct DwarfUnitExtent: Hashable, Sendable {
  /// Of the first byte of the length field, from the start of the section.
  package let offset: UInt64
  /// Of the first byte behind the length field.
  package let contentOffset: UInt64
  /// Of the first byte behind the contribution; at most the section's size.
  package let end: UInt64
  /// Whether the length field has the 64-bit form.
  package let is64Bit: Bool

  /// Reads the length field where `reader` stands in `section` and leaves `reader` behind it.
  ///
  /// Throws `malformed` where the length is a reserved one or passes the end of the section.
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
}
