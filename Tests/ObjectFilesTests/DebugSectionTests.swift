import BinaryInput
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// The text was compressed by `zlib.compress(text, 9)` of Python 3 and by `zstd -19 --no-check`
/// 1.5.4. The headers around it follow from the gABI, chapter 4.
@Suite struct DebugSectionTests {
  private static let text = Array(
    String(repeating: "The quick brown fox jumps over the lazy dog. ", count: 6).utf8)
  private static let zlib = [UInt8](
    hexadecimal:
      "78da0bc94855282ccd4cce56482aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228014ae72456552aa4e4a7eb"
      + "29840c77c50081c060eb")
  private static let zstd = [UInt8](
    hexadecimal:
      "28b52ffd600e00b50100d40254686520717569636b2062726f776e20666f78206a756d7073206f766572207468"
      + "65206c617a7920646f672e200100f5424a9501")

  /// `Elf64_Chdr` or `Elf32_Chdr`, and the bytes.
  private func compressed(
    type: UInt32, size: UInt64 = UInt64(text.count), _ bytes: [UInt8], is64Bit: Bool = true,
    bigEndian: Bool = false
  ) -> [UInt8] {
    var builder = BinaryBuilder(bigEndian: bigEndian)
    builder.u32(type)
    if is64Bit {
      builder.u32(0)
      builder.u64(size)
      builder.u64(1)
    } else {
      builder.u32(UInt32(size))
      builder.u32(1)
    }
    builder.append(bytes)
    return builder.bytes
  }

  /// `ZLIB`, the size, and the bytes.
  private func marked(size: UInt64 = UInt64(text.count), _ bytes: [UInt8]) -> [UInt8] {
    var builder = BinaryBuilder(bigEndian: true)
    builder.append(Array("ZLIB".utf8))
    builder.u64(size)
    builder.append(bytes)
    return builder.bytes
  }

  private func elf(
    _ content: [UInt8], name: String = ".debug_info", flags: UInt64 = 0x800
  ) throws -> ObjectFile {
    try parseThin(
      ElfImage(sections: [.init(name: name, flags: flags, content: content)]).bytes)
  }

  private func reason(
    _ file: ObjectFile, limit: UInt64 = 4 << 30
  ) -> ObjectFileError.Reason? {
    do {
      _ = try file.debugSection(".debug_info", inflatedSizeLimit: limit)
      return nil
    } catch {
      return error.reason
    }
  }

  /// 100,000 bytes could expand to 103 MB with zlib, and no section expands 250 times. Whether they
  /// can be inflated is not tried.
  @Test(arguments: [(67_108_865, true), (67_108_864, false)] as [(UInt64, Bool)])
  func refusesImplausibleExpansion(size: UInt64, isRefused: Bool) throws {
    let bytes = [UInt8](repeating: 7, count: 100_000)
    let found = reason(try elf(compressed(type: 1, size: size, bytes)))
    let refusal = ObjectFileError.Reason.damagedCompression(
      section: ".debug_info",
      .implausible(promised: size, compressed: 100_000, atMost: 67_108_864))
    expectTrue(found != nil)
    expectEqual(found == refusal, isRefused)
  }

  @Test func findsSectionsByElfNames() throws {
    let file = try parseThin(
      ElfImage(sections: [
        .init(name: ".debug_info", content: [1, 2]), .init(name: ".debug_str", content: [3]),
        .init(name: ".debug_line", content: []),
        .init(name: ".debug_abbrev", type: 8, size: 10),
      ]).bytes)
    expectTrue(file.hasDebugInfo)
    try expectEqual(file.debugSection(".debug_info")?.bytes, [1, 2])
    try expectEqual(file.debugSection(".debug_str")?.bytes, [3])
    try expectEqual(file.debugSection(".debug_line")?.bytes, [])
    try expectNil(file.debugSection(".debug_abbrev"))
    try expectNil(file.debugSection(".debug_addr"))
    try expectNil(file.debugSection(""))
  }

  @Test func findsSectionsOfMachOByElfNames() throws {
    let names = [
      ".debug_info": "__debug_info", ".debug_abbrev": "__debug_abbrev",
      ".debug_aranges": "__debug_aranges", ".debug_line": "__debug_line",
      ".debug_line_str": "__debug_line_str", ".debug_str": "__debug_str",
      ".debug_str_offsets": "__debug_str_offs", ".debug_addr": "__debug_addr",
      ".debug_ranges": "__debug_ranges", ".debug_rnglists": "__debug_rnglists",
    ]
    let sorted = names.sorted { $0.key < $1.key }
    let file = try parseThin(
      MachOImage(
        fileType: 10,
        segments: [
          .init(name: "__TEXT", sections: [.init(name: "__debug_types", content: [99])]),
          .init(
            name: "__DWARF",
            sections: sorted.enumerated().map { .debug($0.element.value, [UInt8($0.offset)]) }),
        ]
      ).bytes)
    expectTrue(file.hasDebugInfo)
    for (index, name) in sorted.enumerated() {
      try expectEqual(file.debugSection(name.key)?.bytes, [UInt8(index)])
    }
    // A section in another segment is not debug information.
    try expectNil(file.debugSection(".debug_types"))
  }

  @Test func anEmptySectionIsNoDebugInfo() throws {
    try expectFalse(elf([], name: ".debug_info", flags: 0).hasDebugInfo)
    try expectFalse(elf([1], name: ".debug_line", flags: 0).hasDebugInfo)
    try expectFalse(parseThin(MachOImage().bytes).hasDebugInfo)
    let stripped = ElfImage(sections: [.init(name: ".debug_info", type: 8, size: 10)])
    try expectFalse(parseThin(stripped.bytes).hasDebugInfo)
  }

  @Test(arguments: [true, false], [true, false])
  func inflatesCompressedSections(is64Bit: Bool, bigEndian: Bool) throws {
    for (type, bytes) in [(UInt32(1), Self.zlib), (2, Self.zstd)] {
      let content = compressed(type: type, bytes, is64Bit: is64Bit, bigEndian: bigEndian)
      let file = try parseThin(
        ElfImage(
          is64Bit: is64Bit, bigEndian: bigEndian,
          sections: [.init(name: ".debug_info", flags: 0x800, content: content)]
        ).bytes)
      expectTrue(file.hasDebugInfo)
      try expectEqual(file.debugSection(".debug_info")?.bytes, Self.text)
    }
  }

  @Test func inflatesMarkedSections() throws {
    let file = try elf(marked(Self.zlib), name: ".zdebug_info", flags: 0)
    expectTrue(file.hasDebugInfo)
    try expectEqual(file.debugSection(".debug_info")?.bytes, Self.text)
    let machO = try parseThin(
      MachOImage(segments: [
        .init(
          name: "__DWARF",
          sections: [
            .debug("__zdebug_info", marked(Self.zlib)),
            .debug("__zdebug_str_off", marked(Self.zlib)),
          ])
      ]).bytes)
    expectTrue(machO.hasDebugInfo)
    try expectEqual(machO.debugSection(".debug_info")?.bytes, Self.text)
    try expectEqual(machO.debugSection(".debug_str_offsets")?.bytes, Self.text)
  }

  @Test func prefersThePlainSection() throws {
    let file = try parseThin(
      ElfImage(sections: [
        .init(name: ".zdebug_info", content: [1]), .init(name: ".debug_info", content: [2]),
      ]).bytes)
    try expectEqual(file.debugSection(".debug_info")?.bytes, [2])
  }

  @Test func refusesUnknownCompression() throws {
    expectEqual(
      reason(try elf(compressed(type: 3, Self.zlib))),
      .unsupportedCompression(section: ".debug_info", type: 3))
    expectEqual(
      reason(try elf(Array("ZSTD".utf8) + Self.zstd, name: ".zdebug_info", flags: 0)),
      .unsupportedCompression(section: ".zdebug_info", type: nil))
  }

  @Test func refusesTruncatedCompressionHeaders() throws {
    let content = compressed(type: 1, Self.zlib)
    for (count, wanted, offset) in [(3, 4, 0), (7, 4, 4), (12, 8, 8), (23, 8, 16)] {
      expectEqual(
        reason(try elf(Array(content[..<count]))),
        .truncated(
          .section(".debug_info"), offset: UInt64(offset), wanted: UInt64(wanted),
          available: UInt64(count)))
    }
    expectEqual(
      reason(try elf(Array("ZLIB".utf8) + [0, 0], name: ".zdebug_info", flags: 0)),
      .truncated(.section(".zdebug_info"), offset: 4, wanted: 8, available: 6))
  }

  /// The reasons in detail are tested with Decompression.
  @Test func refusesDamagedAndLyingSections() throws {
    let size = UInt64(Self.text.count)
    let contents: [[UInt8]] = [
      compressed(type: 1, size: size - 1, Self.zlib),
      compressed(type: 1, size: size + 1, Self.zlib),
      compressed(type: 1, size: .max, Self.zlib),
      compressed(type: 1, size: 1 << 31, Self.zlib),
      compressed(type: 2, size: size - 1, Self.zstd),
      compressed(type: 2, size: size + 1, Self.zstd),
      compressed(type: 2, size: 1 << 40, Self.zstd),
      compressed(type: 2, Self.zlib), compressed(type: 1, Self.zstd),
      compressed(type: 1, Array(Self.zlib.dropLast())), compressed(type: 1, Self.zlib + [0]),
      compressed(type: 1, []),
    ]
    for (index, content) in contents.enumerated() {
      guard case .damagedCompression(".debug_info", _)? = reason(try elf(content)) else {
        Issue.record("\(index)")
        continue
      }
    }
    guard
      case .damagedCompression(".zdebug_info", _)? = reason(
        try elf(marked(size: .max, Self.zlib), name: ".zdebug_info", flags: 0))
    else {
      Issue.record("marked")
      return
    }
  }

  @Test func inflatesNoMoreThanTheLimit() throws {
    let size = UInt64(Self.text.count)
    let file = try elf(compressed(type: 1, Self.zlib))
    expectNil(reason(file, limit: size))
    guard case .damagedCompression(".debug_info", _)? = reason(file, limit: size - 1) else {
      Issue.record("no error")
      return
    }
  }

  /// A relocatable file's sections mean nothing before their relocations are applied; those of a
  /// split DWARF file (`.dwo`) have none.
  @Test func sectionsThatWaitForRelocationsAreRefused() throws {
    func image(type: UInt16, relocationSize: UInt64) -> ElfImage {
      ElfImage(
        type: type,
        sections: [
          .init(name: ".debug_info", content: [1]), .init(name: ".debug_str", content: [2]),
          .init(
            name: ".rela.debug_info", type: 4, content: [UInt8](repeating: 0, count: 24),
            size: relocationSize, info: 1),
        ])
    }
    let relocatable = try parseThin(image(type: 1, relocationSize: 24).bytes)
    expectTrue(relocatable.hasDebugInfo)
    expectEqual(reason(relocatable), .needsRelocation(.section(".debug_info")))
    try expectEqual(relocatable.debugSection(".debug_str")?.bytes, [2])
    let split = try parseThin(image(type: 1, relocationSize: 0).bytes)
    try expectEqual(split.debugSection(".debug_info")?.bytes, [1])
    // The linker has applied these relocations and kept them (`--emit-relocs`).
    let linked = try parseThin(image(type: 2, relocationSize: 24).bytes)
    try expectEqual(linked.debugSection(".debug_info")?.bytes, [1])
  }
}
