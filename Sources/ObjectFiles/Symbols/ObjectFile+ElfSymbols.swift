import BinaryInput
import Decompression
import SymbolicationModel

extension ObjectFile {
  /// The functions, indirect functions and untyped labels (`STT_FUNC`, `STT_GNU_IFUNC`,
  /// `STT_NOTYPE`) that are defined in a code section. Symbols without a name are left out, and so
  /// are the mapping symbols that mark code and data (`$x`, `$d`, `$a`, `$t`, with or without a
  /// suffix).
  ///
  /// ARM marks Thumb functions by an odd address; their code is at the even one. Section numbers
  /// beyond 16 bits (`SHN_XINDEX`) are not read, because only relocatable files have them.
  ///
  /// - Parameter takesObjects: whether data (`STT_OBJECT`) in a code section counts, too.
  func elfSymbols(
    _ header: ElfSymbolTableHeader, takesObjects: Bool = false
  ) throws(ObjectFileError) -> SymbolTable {
    guard fileType != .relocatable else { throw error(.needsRelocation(.symbolTable)) }
    guard let (table, strings) = try elfSymbolTableBytes(header) else { return SymbolTable() }

    let isArm = architecture == .armv7
    let count = table.count / Int(header.entrySize)
    var reader = table.reader(byteOrder: byteOrder)
    var candidates: [SymbolTable.Candidate] = []
    candidates.reserveCapacity(count)
    var misnamed = NamesOutsideStringTable()
    for index in 0..<count {
      guard let symbol = try? ElfSymbol(&reader, is64Bit: addressSize == 8),
        let number = UInt32(exactly: index)
      else { break }
      guard symbol.isCode || takesObjects && symbol.isObject, symbol.section > 0,
        Int(symbol.section) <= sections.count
      else {
        continue
      }
      let section = sections[Int(symbol.section) - 1]
      let start = isArm && symbol.isFunction ? symbol.value & ~1 : symbol.value
      // Dart's file of symbols has its code in a section without a size.
      let isUnsized = section.addresses.isEmpty && (takesObjects || symbol.size > 0)
      guard section.holdsCode, isUnsized || section.addresses.contains(LinkAddress(start)) else {
        continue
      }
      guard let first = strings.byte(at: UInt64(symbol.nameOffset)) else {
        misnamed.add(index)
        continue
      }
      guard first != 0, !isMappingSymbol(symbol, first: first, in: strings) else { continue }
      let sectionEnd = isUnsized ? .max : section.addresses.upperBound.value
      let (end, overflow) = start.addingReportingOverflow(symbol.size)
      candidates.append(
        SymbolTable.Candidate(
          start: start,
          limit: symbol.size == 0 || overflow ? sectionEnd : min(end, sectionEnd),
          name: symbol.nameOffset, index: number, hasSize: symbol.size > 0,
          rank: symbol.rank))
    }
    return SymbolTable(
      candidates, names: .strings(strings), faults: misnamed.faults(of: .symbolTable, in: self))
  }

  /// The bytes of a symbol table and of its names; nil if the file does not hold the table. Throws
  /// `entrySize` and `truncated`.
  func elfSymbolTableBytes(
    _ header: ElfSymbolTableHeader
  ) throws(ObjectFileError) -> (table: ByteRegion, strings: ByteRegion)? {
    guard sections.indices.contains(header.section),
      let tableRange = sections[header.section].fileRange
    else { return nil }
    let expectedSize: UInt64 = addressSize == 8 ? 24 : 16
    guard header.entrySize == expectedSize else {
      throw error(.entrySize(.symbolTable, stated: header.entrySize, expected: expectedSize))
    }
    let table = try bytes(of: .symbolTable, at: tableRange)
    guard sections.indices.contains(header.strings),
      let stringsRange = sections[header.strings].fileRange
    else { return (table, ByteRegion(copying: [])) }
    return (table, try bytes(of: .stringTable, at: stringsRange))
  }

  private func isMappingSymbol(
    _ symbol: ElfSymbol, first: UInt8, in strings: ByteRegion
  ) -> Bool {
    guard first == UInt8(ascii: "$"), !symbol.isFunction else { return false }
    switch strings.byte(at: UInt64(symbol.nameOffset) + 1) {
    case UInt8(ascii: "x"), UInt8(ascii: "d"), UInt8(ascii: "a"), UInt8(ascii: "t"): return true
    default: return false
    }
  }
}

/// An `Elf32_Sym` or `Elf64_Sym` (gABI, chapter 4, "Symbol Table").
private struct ElfSymbol {
  let nameOffset: UInt32
  let info: UInt8
  let section: UInt16
  let value: UInt64
  let size: UInt64

  init(_ reader: inout ByteReader, is64Bit: Bool) throws(ByteReadError) {
    nameOffset = try reader.read()
    if is64Bit {
      info = try reader.read()
      try reader.skip(1)  // st_other
      section = try reader.read()
      value = try reader.read()
      size = try reader.read()
    } else {
      value = UInt64(try reader.read(UInt32.self))
      size = UInt64(try reader.read(UInt32.self))
      info = try reader.read()
      try reader.skip(1)  // st_other
      section = try reader.read()
    }
  }

  private var type: UInt8 { info & 0xf }

  /// `STT_FUNC` or `STT_GNU_IFUNC`
  var isFunction: Bool { type == 2 || type == 10 }
  /// `STT_OBJECT`
  var isObject: Bool { type == 1 }
  /// A function or `STT_NOTYPE`
  var isCode: Bool { isFunction || type == 0 }

  /// Lower for a symbol that is preferred: first those with a size, then functions before labels,
  /// then all bindings before `STB_LOCAL`.
  var rank: UInt8 {
    (size == 0 ? 4 : 0) | (isFunction ? 0 : 2) | (info >> 4 == 0 ? 1 : 0)
  }
}

extension ObjectFile {
  /// The ELF file in `.gnu_debugdata`, which distributions leave in stripped files ("MiniDebugInfo"
  /// in GDB's documentation); nil if there is no such section.
  ///
  /// It is compressed with xz. It has a symbol table with those functions that are not in
  /// `.dynsym`, and sections without bytes. Its path is this file's path followed by `
  /// (.gnu_debugdata)`.
  ///
  /// Throws `truncated`, `damagedCompression`, and whatever opening an ELF file throws. Cost: the
  /// section is inflated at each call.
  package func miniDebugInfo(
    inflatedSizeLimit limit: UInt64 = ResourceLimits().miniDebugInfoSize
  ) throws(ObjectFileError) -> ObjectFile? {
    guard format == .elf,
      let section = sections.first(where: { $0.name == Self.miniDebugInfoSection }),
      let range = section.fileRange, !range.isEmpty
    else { return nil }
    let compressed = try bytes(of: .section(section.name), at: range)
    let size: UInt64
    do throws(DecompressionError) {
      size = try compressed.withRawSpan { (input) throws(DecompressionError) in
        try Decompression.statedXzSize(of: input)
      }
    } catch {
      throw self.error(.damagedCompression(section: section.name, error))
    }
    let content = try inflate(compressed, .xz, size: size, limit: limit, section: section)
    return try ElfParser.parse(content, path: path + " (\(Self.miniDebugInfoSection))")
  }

  /// Whether there is a section with MiniDebugInfo. Cost: a walk over the section names.
  package var hasMiniDebugInfo: Bool {
    format == .elf && sections.contains { $0.name == Self.miniDebugInfoSection }
  }

  private static let miniDebugInfoSection = ".gnu_debugdata"
}
