import BinaryInput
import CLibElf
import SymbolicationModel

extension ElfParser {
  /// The GNU build-id, from the note sections, or from the `PT_NOTE` segments if the sections have
  /// none.
  ///
  /// Sections come first because the program headers of a debug file describe the file that it was
  /// made from.
  mutating func findBuildId(_ headers: Headers) -> ImageIdentity? {
    // Sections and segments cover the same notes, so twice the file's size is enough. Without a
    // limit, a small file with many headers would take long.
    var unreadBytes = 2 * UInt64(region.count)
    for header in headers.sections where header.sh_type == UInt32(SHT_NOTE) {
      if let found = findBuildId(
        offset: header.sh_offset, size: header.sh_size, alignment: header.sh_addralign,
        unreadBytes: &unreadBytes)
      {
        return found
      }
    }
    for header in headers.program where header.p_type == UInt32(PT_NOTE) {
      if let found = findBuildId(
        offset: header.p_offset, size: header.p_filesz, alignment: header.p_align,
        unreadBytes: &unreadBytes)
      {
        return found
      }
    }
    return nil
  }

  /// The build-id in the notes at `offset`.
  private mutating func findBuildId(
    offset: UInt64, size: UInt64, alignment: UInt64, unreadBytes: inout UInt64
  ) -> ImageIdentity? {
    guard let notes = try? region.subregion(offset: offset, count: size) else {
      faults.append(
        error(
          .truncated(.notes, offset: offset, wanted: size, available: UInt64(region.count))))
      return nil
    }
    guard size <= unreadBytes else { return nil }
    unreadBytes -= size
    do throws(ByteReadError) {
      return try ElfNotes.buildId(in: notes, alignment: alignment, byteOrder: byteOrder)
    } catch {
      faults.append(self.error(.truncation(.notes, error, base: offset)))
      return nil
    }
  }
}

/// The notes of a section or segment.
enum ElfNotes {
  /// The GNU build-id; nil if there is none.
  ///
  /// Walks notes (gABI, chapter 5, "Note Section"): name size, descriptor size, type, name,
  /// descriptor. Name and descriptor are padded to 4 bytes, or to 8 if the notes are aligned to 8.
  static func buildId(
    in notes: ByteRegion, alignment: UInt64, byteOrder: ByteOrder
  ) throws(ByteReadError) -> ImageIdentity? {
    let padding: UInt64 = alignment == 8 ? 8 : 4
    var reader = notes.reader(byteOrder: byteOrder)
    while reader.remaining >= 12 {
      let nameSize = UInt64(try reader.read(UInt32.self))
      let descriptorSize = UInt64(try reader.read(UInt32.self))
      let type: UInt32 = try reader.read()
      let name = try reader.readRegion(count: nameSize)
      try skipPadding(&reader, to: padding)
      let descriptor = try reader.readRegion(count: descriptorSize)
      try skipPadding(&reader, to: padding)
      // NT_GNU_BUILD_ID
      if type == 3, name.count == 4, name.holds(Array("GNU\0".utf8), at: 0) {
        return ImageIdentity(bytes: descriptor.bytes)
      }
    }
    return nil
  }

  /// Skips to a multiple of `alignment`. The padding of the last note may be missing.
  private static func skipPadding(
    _ reader: inout ByteReader, to alignment: UInt64
  ) throws(ByteReadError) {
    let odd = UInt64(reader.position) % alignment
    guard odd > 0 else { return }
    try reader.skip(min(alignment - odd, UInt64(reader.remaining)))
  }
}
