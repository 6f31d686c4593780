import BinaryInput
import CLibElf
import SymbolicationModel

/// Reads from an ELF file (System V gABI, chapters 4 and 5) what a `SymbolFileHeader` states: its
/// type and machine, the names of its sections, and its notes.
///
/// `ElfParser` reads everything through libelf, which needs the whole file in memory.
struct ElfHeaderReader {
  private let byteOrder: ByteOrder
  private let is64Bit: Bool

  /// Notes are a few hundred bytes long.
  private static let notesLimit: UInt64 = 1 << 20

  /// Nil if anything is unusual.
  static func read(_ file: HeaderFile) -> SymbolFileHeader? {
    guard let identification = file.bytes(offset: 0, count: 16)?.bytes,
      [1, 2].contains(identification[4]),  // EI_CLASS
      [1, 2].contains(identification[5]),  // EI_DATA
      identification[6] == 1  // EI_VERSION
    else { return nil }
    let reader = ElfHeaderReader(
      byteOrder: identification[5] == 1 ? .little : .big, is64Bit: identification[4] == 2)
    return (try? reader.header(of: file)) ?? nil
  }

  private var wordSize: Int { is64Bit ? 8 : 4 }

  private func header(of file: HeaderFile) throws(ByteReadError) -> SymbolFileHeader? {
    guard let bytes = file.bytes(offset: 0, count: is64Bit ? 64 : 52) else { return nil }
    var reader = bytes.reader(byteOrder: byteOrder)
    try reader.skip(16)
    let type: UInt16 = try reader.read()
    let machine: UInt16 = try reader.read()
    try reader.skip(4 + UInt64(wordSize))  // e_version, e_entry
    let programOffset = try reader.readUnsigned(size: wordSize)
    let sectionOffset = try reader.readUnsigned(size: wordSize)
    try reader.skip(6)  // e_flags, e_ehsize
    let programEntrySize: UInt16 = try reader.read()
    let programCount: UInt16 = try reader.read()
    let sectionEntrySize: UInt16 = try reader.read()
    let sectionCount: UInt16 = try reader.read()
    let nameTable: UInt16 = try reader.read()

    // Counts beyond 16 bits are in the null section (PN_XNUM, SHN_LORESERVE, SHN_XINDEX).
    guard programCount < 0xffff, sectionCount < 0xff00, nameTable < 0xff00,
      (sectionCount == 0) == (sectionOffset == 0),
      sectionCount == 0 || sectionEntrySize == (is64Bit ? 64 : 40),
      programCount == 0 || programEntrySize == (is64Bit ? 56 : 32)
    else { return nil }

    var sections: [Entry] = []
    if sectionCount > 0 {
      guard
        let table = file.bytes(
          offset: sectionOffset, count: UInt64(sectionCount) * UInt64(sectionEntrySize))
      else { return nil }
      var entries = table.reader(byteOrder: byteOrder)
      for _ in 0..<sectionCount { sections.append(try section(&entries)) }
    }
    var segments: [Entry] = []
    if programCount > 0 {
      guard
        let table = file.bytes(
          offset: programOffset, count: UInt64(programCount) * UInt64(programEntrySize))
      else { return nil }
      var entries = table.reader(byteOrder: byteOrder)
      for _ in 0..<programCount { segments.append(try segment(&entries)) }
    }
    guard let hasDebugInfo = hasDebugInfo(sections, names: nameTable, in: file) else { return nil }
    // Sections come first, as in `ElfParser`.
    let notes =
      sections.dropFirst().filter { $0.type == UInt32(SHT_NOTE) }
      + segments.filter { $0.type == UInt32(PT_NOTE) }
    guard let identity = buildId(in: notes, of: file) else { return nil }
    return SymbolFileHeader(
      format: .elf, fileType: ObjectFileType(elfType: type),
      architecture: Architecture(elfMachine: machine, is64Bit: is64Bit, byteOrder: byteOrder),
      identity: identity, hasDebugInfo: hasDebugInfo)
  }

  /// The fields of a section header or program header that are used here.
  private struct Entry {
    var name: UInt32 = 0
    var type: UInt32 = 0
    var offset: UInt64 = 0
    var size: UInt64 = 0
    var alignment: UInt64 = 0
  }

  /// Reads an `Elf32_Shdr` or `Elf64_Shdr`.
  private func section(_ reader: inout ByteReader) throws(ByteReadError) -> Entry {
    var entry = Entry()
    entry.name = try reader.read()
    entry.type = try reader.read()
    try reader.skip(2 * UInt64(wordSize))  // sh_flags, sh_addr
    entry.offset = try reader.readUnsigned(size: wordSize)
    entry.size = try reader.readUnsigned(size: wordSize)
    try reader.skip(8)  // sh_link, sh_info
    entry.alignment = try reader.readUnsigned(size: wordSize)
    try reader.skip(UInt64(wordSize))  // sh_entsize
    return entry
  }

  /// Reads an `Elf32_Phdr` or `Elf64_Phdr`.
  private func segment(_ reader: inout ByteReader) throws(ByteReadError) -> Entry {
    var entry = Entry()
    entry.type = try reader.read()
    if is64Bit { try reader.skip(4) }  // p_flags
    entry.offset = try reader.readUnsigned(size: wordSize)
    try reader.skip(2 * UInt64(wordSize))  // p_vaddr, p_paddr
    entry.size = try reader.readUnsigned(size: wordSize)
    try reader.skip(UInt64(wordSize))  // p_memsz
    if !is64Bit { try reader.skip(4) }  // p_flags
    entry.alignment = try reader.readUnsigned(size: wordSize)
    return entry
  }

  /// Whether the section that `ObjectFile.debugSection(".debug_info")` finds has bytes; nil if the
  /// names cannot be read.
  private func hasDebugInfo(
    _ sections: [Entry], names index: UInt16, in file: HeaderFile
  ) -> Bool? {
    guard index > 0 else { return false }
    guard Int(index) < sections.count,
      let names = file.bytes(
        offset: sections[Int(index)].offset, count: sections[Int(index)].size),
      // A name that no zero ends would be another one for `ElfParser`.
      !names.isEmpty, names.byte(at: UInt64(names.count - 1)) == 0
    else { return nil }
    var marked: Bool?
    for section in sections.dropFirst() {
      let holdsBytes =
        section.size > 0 && section.type != UInt32(SHT_NOBITS) && section.type != UInt32(SHT_NULL)
      if names.holds(Self.debugInfo, at: UInt64(section.name)) { return holdsBytes }
      if marked == nil, names.holds(Self.markedDebugInfo, at: UInt64(section.name)) {
        marked = holdsBytes
      }
    }
    return marked ?? false
  }

  private static let debugInfo = Array(".debug_info\0".utf8)
  private static let markedDebugInfo = Array(".zdebug_info\0".utf8)

  /// The first build-id, in two optionals: nil if the notes cannot be read.
  private func buildId(in notes: [Entry], of file: HeaderFile) -> ImageIdentity?? {
    for entry in notes where entry.size > 0 {
      guard entry.size <= Self.notesLimit,
        let bytes = file.bytes(offset: entry.offset, count: entry.size)
      else { return nil }
      do throws(ByteReadError) {
        let found = try ElfNotes.buildId(
          in: bytes, alignment: entry.alignment, byteOrder: byteOrder)
        if let found { return .some(found) }
      } catch {
        return nil
      }
    }
    return .some(nil)
  }
}
