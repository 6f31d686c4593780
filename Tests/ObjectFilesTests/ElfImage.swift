import TestSupport

/// An ELF file that is built field by field (System V gABI): header, program headers, section
/// contents in order, section names, section headers.
struct ElfImage {
  struct Section {
    var name: String
    /// 1 SHT_PROGBITS, 2 SHT_SYMTAB, 3 SHT_STRTAB, 4 SHT_RELA, 7 SHT_NOTE, 8 SHT_NOBITS, 11
    /// SHT_DYNSYM.
    var type: UInt32 = 1
    /// 2 SHF_ALLOC, 4 SHF_EXECINSTR, 0x800 SHF_COMPRESSED.
    var flags: UInt64 = 0
    var address: UInt64 = 0
    var content: [UInt8] = []
    /// Replaces the size of the content if it is set.
    var size: UInt64?
    var link: UInt32 = 0
    var info: UInt32 = 0
    var alignment: UInt64 = 1
    var entrySize: UInt64 = 0
    /// Replaces the offset of the content if it is set.
    var offset: UInt64?
    /// Replaces the offset of the name if it is set.
    var nameOffset: UInt32?

    static func text(_ address: UInt64, size: UInt64) -> Section {
      Section(name: ".text", type: 8, flags: 6, address: address, size: size)
    }
  }

  struct ProgramHeader {
    /// 1 PT_LOAD, 4 PT_NOTE
    var type: UInt32 = 1
    var flags: UInt32 = 5
    var offset: UInt64 = 0
    var address: UInt64 = 0
    var fileSize: UInt64 = 0
    var memorySize: UInt64 = 0
    var alignment: UInt64 = 4096
  }

  struct Symbol {
    var name: String
    /// STB_GLOBAL, STT_FUNC
    var info: UInt8 = 0x12
    var section: UInt16 = 1
    var value: UInt64
    var size: UInt64 = 0
    /// Replaces the offset of the name if it is set.
    var nameOffset: UInt32?
  }

  var is64Bit = true
  var bigEndian = false
  /// ET_EXEC
  var type: UInt16 = 2
  /// EM_X86_64
  var machine: UInt16 = 62
  var programHeaders: [ProgramHeader] = []
  /// Without the null section, which comes first, and the section of names, which comes last.
  var sections: [Section] = []

  private var headerSize: Int { is64Bit ? 64 : 52 }
  /// Where the contents of the sections start.
  var contentOffset: Int { headerSize + programHeaders.count * (is64Bit ? 56 : 32) }
  var sectionHeadersOffset: Int {
    contentOffset + sections.reduce(0) { $0 + $1.content.count } + names.bytes.count
  }

  private var names: (bytes: [UInt8], offsets: [UInt32]) {
    var bytes: [UInt8] = [0]
    var offsets: [UInt32] = []
    for section in sections + [Section(name: ".shstrtab")] {
      offsets.append(section.nameOffset ?? UInt32(bytes.count))
      bytes += Array(section.name.utf8) + [0]
    }
    return (bytes, offsets)
  }

  var bytes: [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.append([0x7f, 0x45, 0x4c, 0x46, is64Bit ? 2 : 1, bigEndian ? 2 : 1, 1, 0])
    builder.u64(0)
    builder.u16(type)
    builder.u16(machine)
    builder.u32(1)
    word(0, &builder)
    word(programHeaders.isEmpty ? 0 : UInt64(headerSize), &builder)
    word(UInt64(sectionHeadersOffset), &builder)
    builder.u32(0)
    builder.u16(UInt16(headerSize))
    builder.u16(is64Bit ? 56 : 32)
    builder.u16(UInt16(programHeaders.count))
    builder.u16(is64Bit ? 64 : 40)
    builder.u16(UInt16(sections.count + 2))
    builder.u16(UInt16(sections.count + 1))
    for header in programHeaders { append(header, to: &builder) }

    let (nameBytes, nameOffsets) = names
    for section in sections { builder.append(section.content) }
    builder.append(nameBytes)
    append(Section(name: "", type: 0), nameOffset: 0, position: 0, to: &builder)
    var position = UInt64(contentOffset)
    let nameSection = Section(name: ".shstrtab", type: 3, content: nameBytes)
    for (section, nameOffset) in zip(sections + [nameSection], nameOffsets) {
      append(section, nameOffset: nameOffset, position: position, to: &builder)
      position += UInt64(section.content.count)
    }
    return builder.bytes
  }

  private func word(_ value: UInt64, _ builder: inout BinaryBuilder) {
    if is64Bit { builder.u64(value) } else { builder.u32(UInt32(value)) }
  }

  private func append(_ header: ProgramHeader, to builder: inout BinaryBuilder) {
    builder.u32(header.type)
    if is64Bit { builder.u32(header.flags) }
    word(header.offset, &builder)
    word(header.address, &builder)
    word(header.address, &builder)
    word(header.fileSize, &builder)
    word(header.memorySize, &builder)
    if !is64Bit { builder.u32(header.flags) }
    word(header.alignment, &builder)
  }

  private func append(
    _ section: Section, nameOffset: UInt32, position: UInt64, to builder: inout BinaryBuilder
  ) {
    builder.u32(nameOffset)
    builder.u32(section.type)
    word(section.flags, &builder)
    word(section.address, &builder)
    word(section.offset ?? position, &builder)
    word(section.size ?? UInt64(section.content.count), &builder)
    builder.u32(section.link)
    builder.u32(section.info)
    word(section.alignment, &builder)
    word(section.entrySize, &builder)
  }

  /// Adds `.symtab` (or `name`) and its strings.
  mutating func addSymbols(
    _ symbols: [Symbol], name: String = ".symtab", type: UInt32 = 2, entrySize: UInt64? = nil
  ) {
    var table = BinaryBuilder(bigEndian: bigEndian)
    var strings: [UInt8] = [0]
    table.append([UInt8](repeating: 0, count: is64Bit ? 24 : 16))
    for symbol in symbols {
      table.u32(symbol.nameOffset ?? (symbol.name.isEmpty ? 0 : UInt32(strings.count)))
      strings += Array(symbol.name.utf8) + [0]
      if !is64Bit {
        table.u32(UInt32(symbol.value))
        table.u32(UInt32(symbol.size))
      }
      table.u8(symbol.info)
      table.u8(0)
      table.u16(symbol.section)
      if is64Bit {
        table.u64(symbol.value)
        table.u64(symbol.size)
      }
    }
    sections.append(
      Section(
        name: name, type: type, content: table.bytes, link: UInt32(sections.count + 2),
        entrySize: entrySize ?? (is64Bit ? 24 : 16)))
    sections.append(Section(name: ".strtab", type: 3, content: strings))
  }

  /// A note: name, type, descriptor, padded to `alignment`.
  static func note(
    _ name: String, type: UInt32, _ descriptor: [UInt8], bigEndian: Bool = false,
    alignment: Int = 4
  ) -> [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.u32(UInt32(name.utf8.count + 1))
    builder.u32(UInt32(descriptor.count))
    builder.u32(type)
    builder.cString(name)
    builder.pad(to: (builder.count + alignment - 1) / alignment * alignment)
    builder.append(descriptor)
    builder.pad(to: (builder.count + alignment - 1) / alignment * alignment)
    return builder.bytes
  }
}
