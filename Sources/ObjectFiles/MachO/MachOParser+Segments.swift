import BinaryInput
import SymbolicationModel

extension MachOParser {
  /// Reads a `segment_command` or `segment_command_64` and its sections.
  ///
  /// - Parameters:
  ///   - body: the command after its size.
  ///   - wordSize: the width of the fields in bytes. It follows from the command, not from the
  ///     file.
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

  /// The fields of a segment that its sections are checked against.
  private struct SegmentLayout {
    let address: UInt64
    let offset: UInt64
    let fileSize: UInt64
    let isInFile: Bool
  }

  /// Reads a `section` or `section_64`.
  private mutating func readSection(
    _ body: inout ByteReader, wordSize: Int, segment: SegmentLayout
  ) throws {
    let name = try readName(&body)
    let segmentName = try readName(&body)
    let address = try body.readUnsigned(size: wordSize)
    let size = try body.readUnsigned(size: wordSize)
    let statedOffset: UInt32 = try body.read()
    try body.skip(12)  // align, reloff, nreloc
    let flags: UInt32 = try body.read()
    let reserved1: UInt32 = try body.read()
    let reserved2: UInt32 = try body.read()
    if wordSize == 8 { try body.skip(4) }  // reserved3

    let type = flags & 0xff  // SECTION_TYPE
    // S_ZEROFILL, S_GB_ZEROFILL, S_THREAD_LOCAL_ZEROFILL. A dSYM also keeps the headers of sections
    // in segments without bytes.
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

  /// The offset of a section in the file.
  ///
  /// The field has 32 bits even in 64-bit files, and writers of dSYMs larger than 4 GiB cut it. The
  /// segment's offset and the section's address give the full offset, which is used if its lower 32
  /// bits are the stated ones.
  private func fullOffset(stated: UInt32, address: UInt64, segment: SegmentLayout) -> UInt64 {
    guard address >= segment.address else { return UInt64(stated) }
    let (offset, overflow) = segment.offset.addingReportingOverflow(address - segment.address)
    guard !overflow, UInt32(truncatingIfNeeded: offset) == stated else { return UInt64(stated) }
    return offset
  }

  /// Reads a `symtab_command`. `body` is what follows the command's size.
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

  /// Reads a `dysymtab_command`. `body` is what follows the command's size. Whether the file holds
  /// the table is checked when it is read.
  mutating func readDynamicSymbolTableCommand(
    _ body: inout ByteReader
  ) throws(ByteReadError) {
    try body.skip(48)  // from ilocalsym to nextrefsyms
    let offset: UInt32 = try body.read()
    let count: UInt32 = try body.read()
    indirectSymbols = ObjectFile.IndirectSymbolTable(offset: offset, count: count)
  }

  /// The offsets that a `linkedit_data_command`, or a part of a `dyld_info_command`, states; nil if
  /// they are empty. Whether the file holds the bytes is checked when they are read.
  func readLinkEditData(_ body: inout ByteReader) throws(ByteReadError) -> Range<UInt64>? {
    let offset: UInt32 = try body.read()
    let size: UInt32 = try body.read()
    return size == 0 ? nil : UInt64(offset)..<(UInt64(offset) + UInt64(size))
  }

  /// Reads a name in a field of 16 bytes. It ends at the first zero, or fills the field.
  private func readName(_ body: inout ByteReader) throws(ByteReadError) -> String {
    let field = try body.readRegion(count: 16).bytes
    return String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// Whether the file holds the bytes; adds a fault if it does not.
  private mutating func noteIfOutside(
    _ structure: ObjectFileError.Structure, offset: UInt64, size: UInt64
  ) -> Bool {
    guard size > 0 else { return true }
    guard let range = fileRange(start: offset, size: size) else {
      faults.append(error(.overflow(structure, start: offset, size: size)))
      return false
    }
    let available = sliceSize
    guard range.upperBound <= available else {
      faults.append(
        error(.truncated(structure, offset: offset, wanted: size, available: available)))
      return false
    }
    return true
  }
}
