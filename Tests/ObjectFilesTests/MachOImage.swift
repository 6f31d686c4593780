import TestSupport

/// A Mach-O file that is built field by field (`<mach-o/loader.h>`, `<mach-o/nlist.h>`): header,
/// load commands (segments, symbol table, UUID), section contents in order, symbols, strings.
struct MachOImage {
  struct Section {
    var segment = "__TEXT"
    var name: String
    var address: UInt64 = 0
    var size: UInt64 = 0
    /// S_REGULAR; the code sections of a linker have 0x8000_0400.
    var flags: UInt32 = 0
    /// Nil for a header without bytes; otherwise it decides over `size` as well.
    var content: [UInt8]?
    /// Replaces the offset of the content if it is set.
    var offset: UInt32?
    var reserved1: UInt32 = 0
    var reserved2: UInt32 = 0

    static func text(_ address: UInt64, size: UInt64) -> Section {
      Section(name: "__text", address: address, size: size, flags: 0x8000_0400)
    }
    static func debug(_ name: String, _ content: [UInt8]) -> Section {
      Section(segment: "__DWARF", name: name, flags: 0x0200_0000, content: content)
    }
  }

  struct Segment {
    var name: String
    var address: UInt64 = 0
    var size: UInt64 = 0
    var protection: UInt32 = 5
    var sections: [Section] = []
    /// Replaces the offsets of the sections' contents if it is set.
    var fileRange: (offset: UInt64, size: UInt64)?
  }

  struct Symbol {
    var name: String
    var type: UInt8 = 0x0f
    var section: UInt8 = 1
    var description: UInt16 = 0
    var value: UInt64
    /// Replaces the offset of the name if it is set.
    var nameOffset: UInt32?
  }

  var is64Bit = true
  var bigEndian = false
  var cpuType: UInt32 = 0x0100_000c
  var cpuSubtype: UInt32 = 0
  var fileType: UInt32 = 2
  var uuid: [UInt8]? = Array(1...16)
  var segments: [Segment] = []
  var symbols: [Symbol] = []
  /// LC_DYSYMTAB if there are any.
  var indirectSymbols: [UInt32]?
  /// The data of LC_FUNCTION_STARTS if there are any.
  var functionStarts: [UInt8]?
  /// The export trie if there is one: of LC_DYLD_EXPORTS_TRIE, or of LC_DYLD_INFO_ONLY.
  var exportTrie: [UInt8]?
  var hasLoaderInfo = false

  private var wordSize: Int { is64Bit ? 8 : 4 }
  private var headerSize: Int { is64Bit ? 32 : 28 }
  private func size(of segment: Segment) -> Int {
    is64Bit ? 72 + 80 * segment.sections.count : 56 + 68 * segment.sections.count
  }

  /// Where the load command of `segments[index]` starts.
  func commandOffset(_ index: Int) -> Int {
    headerSize + segments[..<index].reduce(0) { $0 + size(of: $1) }
  }

  private var commandsSize: Int {
    commandOffset(segments.count) - headerSize + 24 + (uuid == nil ? 0 : 24)
      + (indirectSymbols == nil ? 0 : 80) + (functionStarts == nil ? 0 : 16)
      + (exportTrie == nil ? 0 : hasLoaderInfo ? 48 : 16)
  }

  /// Where the symbols start.
  var symbolsOffset: Int {
    headerSize + commandsSize
      + segments.flatMap(\.sections).reduce(0) { $0 + ($1.content?.count ?? 0) }
  }

  var bytes: [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.u32(is64Bit ? 0xfeed_facf : 0xfeed_face)
    builder.u32(cpuType)
    builder.u32(cpuSubtype)
    builder.u32(fileType)
    let more = [
      uuid != nil, indirectSymbols != nil, functionStarts != nil, exportTrie != nil,
    ].count { $0 }
    builder.u32(UInt32(segments.count + 1 + more))
    builder.u32(UInt32(commandsSize))
    builder.u32(0)
    if is64Bit { builder.u32(0) }

    var position = headerSize + commandsSize
    for segment in segments { append(segment, to: &builder, position: &position) }

    var strings: [UInt8] = [0x20, 0]
    var nameOffsets: [UInt32] = []
    for symbol in symbols {
      nameOffsets.append(symbol.nameOffset ?? UInt32(strings.count))
      strings += Array(symbol.name.utf8) + [0]
    }
    builder.u32(0x2)
    builder.u32(24)
    builder.u32(UInt32(symbolsOffset))
    builder.u32(UInt32(symbols.count))
    builder.u32(UInt32(symbolsOffset + symbols.count * (is64Bit ? 16 : 12)))
    builder.u32(UInt32(strings.count))
    if let uuid {
      builder.u32(0x1b)
      builder.u32(24)
      builder.append(uuid)
    }
    let indirectOffset = symbolsOffset + symbols.count * (is64Bit ? 16 : 12) + strings.count
    if let indirectSymbols {
      builder.u32(0xb)
      builder.u32(80)
      for _ in 0..<12 { builder.u32(0) }
      builder.u32(UInt32(indirectOffset))
      builder.u32(UInt32(indirectSymbols.count))
      for _ in 0..<4 { builder.u32(0) }
    }
    if let functionStarts {
      builder.u32(0x26)
      builder.u32(16)
      builder.u32(UInt32(indirectOffset + 4 * (indirectSymbols?.count ?? 0)))
      builder.u32(UInt32(functionStarts.count))
    }
    if let exportTrie {
      builder.u32(hasLoaderInfo ? 0x8000_0022 : 0x8000_0033)
      builder.u32(hasLoaderInfo ? 48 : 16)
      if hasLoaderInfo { for _ in 0..<8 { builder.u32(0) } }
      builder.u32(
        UInt32(
          indirectOffset + 4 * (indirectSymbols?.count ?? 0) + (functionStarts?.count ?? 0)))
      builder.u32(UInt32(exportTrie.count))
    }
    for section in segments.flatMap(\.sections) { builder.append(section.content ?? []) }
    for (symbol, nameOffset) in zip(symbols, nameOffsets) {
      builder.u32(nameOffset)
      builder.u8(symbol.type)
      builder.u8(symbol.section)
      builder.u16(symbol.description)
      word(symbol.value, &builder)
    }
    builder.append(strings)
    for entry in indirectSymbols ?? [] { builder.u32(entry) }
    builder.append(functionStarts ?? [])
    builder.append(exportTrie ?? [])
    return builder.bytes
  }

  private func word(_ value: UInt64, _ builder: inout BinaryBuilder) {
    if is64Bit { builder.u64(value) } else { builder.u32(UInt32(value)) }
  }

  private func append(_ segment: Segment, to builder: inout BinaryBuilder, position: inout Int) {
    let contentSize = segment.sections.reduce(0) { $0 + ($1.content?.count ?? 0) }
    let range = segment.fileRange ?? (contentSize == 0 ? 0 : UInt64(position), UInt64(contentSize))
    builder.u32(is64Bit ? 0x19 : 0x1)
    builder.u32(UInt32(size(of: segment)))
    builder.fixedString(segment.name, width: 16)
    word(segment.address, &builder)
    word(segment.size, &builder)
    word(range.offset, &builder)
    word(range.size, &builder)
    builder.u32(7)
    builder.u32(segment.protection)
    builder.u32(UInt32(segment.sections.count))
    builder.u32(0)
    for section in segment.sections {
      builder.fixedString(section.name, width: 16)
      builder.fixedString(section.segment, width: 16)
      word(section.address, &builder)
      word(section.content.map { UInt64($0.count) } ?? section.size, &builder)
      builder.u32(section.offset ?? (section.content == nil ? 0 : UInt32(position)))
      builder.u32(0)
      builder.u32(0)
      builder.u32(0)
      builder.u32(section.flags)
      builder.u32(section.reserved1)
      builder.u32(section.reserved2)
      if is64Bit { builder.u32(0) }
      position += section.content?.count ?? 0
    }
  }
}

/// A fat file (`<mach-o/fat.h>`).
struct FatImage {
  struct Slice {
    var cpuType: UInt32 = 0x0100_000c
    var cpuSubtype: UInt32 = 0
    var bytes: [UInt8]
    /// Replace the offset and the number of the bytes if they are set.
    var offset: UInt64?
    var size: UInt64?
  }

  var is64Bit = false
  var bigEndian = true
  var slices: [Slice]
  /// Replaces the number of slices if it is set.
  var count: UInt32?

  var bytes: [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.u32(is64Bit ? 0xcafe_babf : 0xcafe_babe)
    builder.u32(count ?? UInt32(slices.count))
    var position = 8 + slices.count * (is64Bit ? 32 : 20)
    for slice in slices {
      builder.u32(slice.cpuType)
      builder.u32(slice.cpuSubtype)
      let offset = slice.offset ?? UInt64(position)
      let size = slice.size ?? UInt64(slice.bytes.count)
      if is64Bit {
        builder.u64(offset)
        builder.u64(size)
        builder.u32(0)
        builder.u32(0)
      } else {
        builder.u32(UInt32(offset))
        builder.u32(UInt32(size))
        builder.u32(0)
      }
      position += slice.bytes.count
    }
    for slice in slices { builder.append(slice.bytes) }
    return builder.bytes
  }
}
