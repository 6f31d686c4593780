import BinaryInput

/// The checks of an ELF header that are made before libelf sees the file.
///
/// They exist so that an error states its reason: libelf's error numbers do not distinguish a
/// truncated file from one of a wrong class.
struct ElfOutline {
  let byteOrder: ByteOrder
  let is64Bit: Bool

  init(_ region: ByteRegion) throws(ObjectFileError.Reason) {
    var identification: [UInt8] = []
    do {
      identification = try region.subregion(offset: 0, count: 16).bytes
    } catch {
      throw .truncation(.elfHeader, error)
    }
    switch identification[4] {  // EI_CLASS
    case 1: is64Bit = false
    case 2: is64Bit = true
    case let other: throw .unsupportedClass(other)
    }
    switch identification[5] {  // EI_DATA
    case 1: byteOrder = .little
    case 2: byteOrder = .big
    case let other: throw .unsupportedByteOrder(other)
    }
    guard identification[6] == 1 else {  // EI_VERSION
      throw .unsupportedVersion(identification[6])
    }
    let tables: Tables
    do {
      tables = try Tables(region, byteOrder: byteOrder, is64Bit: is64Bit)
    } catch {
      throw .truncation(.elfHeader, error)
    }
    try tables.check(in: region, byteOrder: byteOrder, is64Bit: is64Bit)
  }

  /// The offsets, counts and entry sizes that the header states for its two tables.
  private struct Tables {
    let programOffset: UInt64
    let sectionOffset: UInt64
    let programEntrySize: UInt16
    let programCount: UInt16
    let sectionEntrySize: UInt16
    let sectionCount: UInt16

    init(_ region: ByteRegion, byteOrder: ByteOrder, is64Bit: Bool) throws(ByteReadError) {
      let size: UInt64 = is64Bit ? 64 : 52
      let wordSize = is64Bit ? 8 : 4
      var reader = try region.subregion(offset: 0, count: size).reader(byteOrder: byteOrder)
      try reader.skip(24 + UInt64(wordSize))  // from e_ident to e_entry
      programOffset = try reader.readUnsigned(size: wordSize)
      sectionOffset = try reader.readUnsigned(size: wordSize)
      try reader.skip(6)  // e_flags, e_ehsize
      programEntrySize = try reader.read()
      programCount = try reader.read()
      sectionEntrySize = try reader.read()
      sectionCount = try reader.read()
    }

    func check(
      in region: ByteRegion, byteOrder: ByteOrder, is64Bit: Bool
    ) throws(ObjectFileError.Reason) {
      let programEntry: UInt64 = is64Bit ? 56 : 32
      let sectionEntry: UInt64 = is64Bit ? 64 : 40
      var programTotal = UInt64(programCount)
      if sectionOffset > 0 {
        guard UInt64(sectionEntrySize) == sectionEntry else {
          throw .entrySize(
            .sectionHeaders, stated: UInt64(sectionEntrySize), expected: sectionEntry)
        }
        // A section count beyond 16 bits is in the null section, and so is such a program header
        // count.
        let null = try table(
          .sectionHeaders, at: sectionOffset, count: 1, entry: sectionEntry, in: region)
        let sectionTotal =
          sectionCount > 0
          ? UInt64(sectionCount)
          : try extendedCount(null, at: is64Bit ? 32 : 20, size: is64Bit ? 8 : 4, byteOrder)
        _ = try table(
          .sectionHeaders, at: sectionOffset, count: sectionTotal, entry: sectionEntry, in: region)
        if programCount == 0xffff {  // PN_XNUM
          programTotal = try extendedCount(null, at: is64Bit ? 44 : 28, size: 4, byteOrder)
        }
      }
      guard programTotal > 0 else { return }
      guard UInt64(programEntrySize) == programEntry else {
        throw .entrySize(
          .programHeaders, stated: UInt64(programEntrySize), expected: programEntry)
      }
      _ = try table(
        .programHeaders, at: programOffset, count: programTotal, entry: programEntry, in: region)
    }

    private func table(
      _ structure: ObjectFileError.Structure, at offset: UInt64, count: UInt64, entry: UInt64,
      in region: ByteRegion
    ) throws(ObjectFileError.Reason) -> ByteRegion {
      let (size, overflow) = count.multipliedReportingOverflow(by: entry)
      guard !overflow else {
        throw .overflow(structure, start: offset, size: count)
      }
      do {
        return try region.subregion(offset: offset, count: size)
      } catch {
        throw .truncation(structure, error)
      }
    }

    /// Reads a field of the null section's header.
    private func extendedCount(
      _ null: ByteRegion, at offset: UInt64, size: Int, _ byteOrder: ByteOrder
    ) throws(ObjectFileError.Reason) -> UInt64 {
      var reader = null.reader(byteOrder: byteOrder)
      do {
        try reader.skip(offset)
        return try reader.readUnsigned(size: size)
      } catch {
        throw .truncation(.sectionHeaders, error)
      }
    }
  }
}
