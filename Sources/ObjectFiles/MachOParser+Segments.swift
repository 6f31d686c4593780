import BinaryInput
import SymbolicationModel

extension MachOParser {
  /// A `segment_command` or `segment_command_64`, from behind its size, with its sections.
  ///
  /// The kind of the command decides over the width of its fields, not that of the file.
  mutating func readSegment(_ body: inout ByteReader, wordSize: Int) throws {
    let name = try readName(&body)
    let address = try body.readUnsigned(size: wordSize)
    let size = try body.readUnsigned(size: wordSize)
    let offset = try body.readUnsigned(size: wordSize)
    let fileSize = try body.readUnsigned(size: wordSize)
    try body.skip(4)  // maxprot
    let protection: UInt32 = try body.read()  // initprot
    let sectionCount: UInt32 = try body.read()
    try body.skip(4)  // flags

    let isInFile = noteIfOutside(.segment(name), offset: offset, size: fileSize)
    if let addresses = addressRange(start: address, size: size) {
      segments.append(
        Segment(
          name: name, addresses: addresses,
          fileRange: fileRange(start: offset, size: fileSize) ?? 0..<0,
          isExecutable: protection & 4 != 0))  // VM_PROT_EXECUTE
    } else {
      faults.append(error(.overflow(.segment(name), start: address, size: size)))
    }

    let room = UInt64(body.remaining) / (wordSize == 8 ? 80 : 68)
    guard UInt64(sectionCount) <= room else {
      throw error(.sectionCount(segment: name, stated: sectionCount, room: room))
    }
    let segment = SegmentLayout(
      address: address, offset: offset, fileSize: fileSize, isInFile: isInFile)
    for _ in 0..<sectionCount {
      try readSection(&body, wordSize: wordSize, segment: segment)
    }
  }

  /// What sections need of their segment.
  private struct SegmentLayout {
    let address: UInt64
    let offset: UInt64
    let fileSize: UInt64
    let isInFile: Bool
  }

  /// A `section` or `section_64`.
  private mutating func readSection(
    _ body: inout ByteReader, wordSize: Int, segment: SegmentLayout
  ) throws {
    let name = try readName(&body)
    let segmentName = try readName(&body)
    let address = try body.readUnsigned(size: wordSize)
    let size = try body.readUnsigned(size: wordSize)
    let statedOffset: UInt32 = try body.read()
    try body.skip(12)  // the alignment, and the place and number of relocations
    let flags: UInt32 = try body.read()
    let reserved1: UInt32 = try body.read()
    let reserved2: UInt32 = try body.read()
    if wordSize == 8 { try body.skip(4) }  // reserved3

    let type = flags & 0xff  // SECTION_TYPE
    // S_ZEROFILL, S_GB_ZEROFILL, S_THREAD_LOCAL_ZEROFILL; and a dSYM keeps the headers of sections
    // whose segment it has no bytes of.
    let hasBytes = ![0x1, 0xc, 0x12].contains(type) && segment.fileSize > 0
    let offset = fullOffset(stated: statedOffset, address: address, segment: segment)
    if hasBytes, segment.isInFile {
      _ = noteIfOutside(.section(name), offset: offset, size: size)
    }
    let isSymbolStubs = type == 0x8  // S_SYMBOL_STUBS
    let addresses = addressRange(start: address, size: size)
    if addresses == nil {
      faults.append(error(.overflow(.section(name), start: address, size: size)))
    }
    sections.append(
      Section(
        segmentName: segmentName, name: name,
        addresses: addresses ?? LinkAddress(0)..<LinkAddress(0),
        fileRange: hasBytes ? fileRange(start: offset, size: size) : nil,
        // S_ATTR_PURE_INSTRUCTIONS, S_ATTR_SOME_INSTRUCTIONS
        holdsCode: flags & 0x8000_0400 != 0,
        isSymbolStubs: isSymbolStubs,
        stubLayout: isSymbolStubs
          ? StubLayout(firstIndirectSymbol: reserved1, stubSize: reserved2) : nil,
        isCompressed: false, needsRelocation: false))
  }

  /// A section's offset has 32 bits even in 64-bit files, and dSYMs larger than 4 GiB exist: their
  /// writers cut it. Where the segment's offset and the section's address agree with the 32 bits that
  /// are there, they give the rest.
  private func fullOffset(stated: UInt32, address: UInt64, segment: SegmentLayout) -> UInt64 {
    guard address >= segment.address else { return UInt64(stated) }
    let (offset, overflow) = segment.offset.addingReportingOverflow(address - segment.address)
    guard !overflow, UInt32(truncatingIfNeeded: offset) == stated else { return UInt64(stated) }
    return offset
  }

  /// A `symtab_command`, from behind its size.
  mutating func readSymbolTableCommand(_ body: inout ByteReader, wordSize: Int) throws {
    let offset: UInt32 = try body.read()
    let count: UInt32 = try body.read()
    let stringsOffset: UInt32 = try body.read()
    let stringsSize: UInt32 = try body.read()
    symbolTableSource = .machO(
      offset: offset, count: count, stringsOffset: stringsOffset, stringsSize: stringsSize)
    _ = noteIfOutside(
      .symbolTable, offset: UInt64(offset),
      size: UInt64(count) * ObjectFile.machOSymbolSize(wordSize: wordSize))
    _ = noteIfOutside(.stringTable, offset: UInt64(stringsOffset), size: UInt64(stringsSize))
  }

  /// A `dysymtab_command`, from behind its size. Whether the file holds the table is found out when
  /// it is read.
  mutating func readDynamicSymbolTableCommand(
    _ body: inout ByteReader
  ) throws(ByteReadError) {
    try body.skip(48)  // from ilocalsym to nextrefsyms
    let offset: UInt32 = try body.read()
    let count: UInt32 = try body.read()
    indirectSymbols = ObjectFile.IndirectSymbolTable(offset: offset, count: count)
  }

  /// The offset and the size of a `linkedit_data_command`, or of a part of a `dyld_info_command`; nil
  /// where it has no bytes. Whether the file holds them is found out when they are read.
  func readLinkEditData(_ body: inout ByteReader) throws(ByteReadError) -> Range<UInt64>? {
    let offset: UInt32 = try body.read()
    let size: UInt32 = try body.read()
    return size == 0 ? nil : UInt64(offset)..<(UInt64(offset) + UInt64(size))
  }

  /// A name in a field of 16 bytes, which it may fill without a zero at its end.
  private func readName(_ body: inout ByteReader) throws(ByteReadError) -> String {
    let field = try body.readRegion(count: 16).bytes
    return String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Whether the file holds the bytes. Where it does not, that becomes a fault.
  private mutating func noteIfOutside(
    _ structure: ObjectFileError.Structure, offset: UInt64, size: UInt64
  ) -> Bool {
    guard size > 0 else { return true }
    guard let range = fileRange(start: offset, size: size) else {
      faults.append(error(.overflow(structure, start: offset, size: size)))
      return false
    }
    let available = UInt64(region.count)
    guard range.upperBound <= available else {
      faults.append(
        error(.truncated(structure, offset: offset, wanted: size, available: available)))
      return false
    }
    return true
  }
}
