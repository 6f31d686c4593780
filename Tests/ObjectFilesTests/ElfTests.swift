import BinaryInput
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// Expected values are those that were put into the file, or follow from the System V gABI.
@Suite struct ElfTests {
  private static let buildId: [UInt8] = Array(0xa0...0xb3)

  @Test(arguments: [true, false], [true, false])
  func readsBothClassesAndOrders(is64Bit: Bool, bigEndian: Bool) throws {
    var image = ElfImage(
      is64Bit: is64Bit, bigEndian: bigEndian, type: 3, machine: 20,
      programHeaders: [
        .init(flags: 4, offset: 0, address: 0x1000, fileSize: 0x80, memorySize: 0x100),
        .init(flags: 5, offset: 0x80, address: 0x2080, fileSize: 0x10, memorySize: 0x10),
        .init(type: 2, flags: 6, address: 0x3000, memorySize: 0x10),
      ],
      sections: [
        .init(name: ".text", flags: 6, address: 0x2080, content: [UInt8](repeating: 1, count: 16)),
        .init(name: ".plt", flags: 6, address: 0x2090, content: [2, 2]),
        .init(name: ".bss", type: 8, flags: 3, address: 0x4000, size: 0x1000),
        .init(name: ".comment", content: [3, 3, 3]),
        .init(
          name: ".note.gnu.build-id", type: 7, flags: 2, address: 0x1080,
          content: ElfImage.note("GNU", type: 3, Self.buildId, bigEndian: bigEndian)),
      ])
    image.addSymbols([.init(name: "run", value: 0x2084, size: 4)])
    let container = try parse(image.bytes)
    expectEqual(container.kind, .thin)
    let file = try require(container.objectFiles.first)
    expectEqual(file.format, .elf)
    expectEqual(file.fileType, .dynamicLibrary)
    expectEqual(file.addressSize, is64Bit ? 8 : 4)
    expectEqual(file.byteOrder, bigEndian ? .big : .little)
    expectEqual(file.identity?.bytes, Self.buildId)
    expectEqual(file.faults, [])
    expectEqual(file.segments.map(\.name), ["", ""])
    expectEqual(
      file.segments.map(\.addresses), [addresses(0x1000, 0x1100), addresses(0x2080, 0x2090)])
    expectEqual(file.segments.map(\.fileRange), [0..<0x80, 0x80..<0x90])
    expectEqual(file.segments.map(\.isExecutable), [false, true])

    let names = [
      ".text", ".plt", ".bss", ".comment", ".note.gnu.build-id", ".symtab", ".strtab", ".shstrtab",
    ]
    expectEqual(file.sections.map(\.name), names)
    expectEqual(file.sections[0].addresses, addresses(0x2080, 0x2090))
    let start = UInt64(image.contentOffset)
    expectEqual(file.sections[0].fileRange, start..<(start + 16))
    expectEqual(file.sections[1].fileRange, (start + 16)..<(start + 18))
    expectEqual(file.sections[2].addresses, addresses(0x4000, 0x5000))
    expectNil(file.sections[2].fileRange)
    expectTrue(file.sections[3].addresses.isEmpty)
    expectEqual(file.sections.map(\.holdsCode).prefix(4), [true, true, false, false])
    expectEqual(file.sections.map(\.isSymbolStubs).prefix(4), [false, true, false, false])
    expectEqual(file.codeRanges, [addresses(0x2080, 0x2092)])
    let symbol = try file.symbolTable().symbol(at: LinkAddress(0x2087))
    expectEqual(symbol, Symbol(rawName: "run", addresses: addresses(0x2084, 0x2088)))
  }

  @Test(
    arguments: [
      (1, .relocatable), (2, .executable), (3, .dynamicLibrary), (4, .core),
      (0xfe00, .other(0xfe00)),
    ] as [(UInt16, ObjectFileType)])
  func namesFileTypes(number: UInt16, expected: ObjectFileType) throws {
    try expectEqual(parseThin(ElfImage(type: number).bytes).fileType, expected)
  }

  @Test func findsTheBuildIdAmongOtherNotes() throws {
    let notes =
      ElfImage.note("GNU", type: 1, [1, 2, 3, 4]) + ElfImage.note("stapsdt", type: 3, [9, 9, 9])
      + ElfImage.note("GNU", type: 3, [5, 6, 7])
    let image = ElfImage(sections: [.init(name: ".notes", type: 7, content: notes)])
    try expectEqual(parseThin(image.bytes).identity?.bytes, [5, 6, 7])
  }

  /// `.note.gnu.property` is padded to 8 bytes, and may share a segment with the build-id.
  @Test func notesMayBeAlignedToEightBytes() throws {
    let notes =
      ElfImage.note("GNU", type: 5, [1, 2, 3, 4], alignment: 8)
      + ElfImage.note("GNU", type: 3, [5, 6, 7, 8], alignment: 8)
    let image = ElfImage(sections: [.init(name: ".notes", type: 7, content: notes, alignment: 8)])
    try expectEqual(parseThin(image.bytes).identity?.bytes, [5, 6, 7, 8])
  }

  @Test func findsTheBuildIdWithoutSections() throws {
    let note = ElfImage.note("GNU", type: 3, Self.buildId)
    var image = ElfImage(
      programHeaders: [.init(type: 4, fileSize: UInt64(note.count), alignment: 4)],
      sections: [.init(name: "data", content: note)])
    image.programHeaders[0].offset = UInt64(image.contentOffset)
    try expectEqual(parseThin(image.bytes).identity?.bytes, Self.buildId)
    // The same file with e_shoff, e_shnum and e_shstrndx of 0, as `strip --strip-section-headers`
    // writes them.
    let stripped = image.bytes.replacing(at: 40, with: [UInt8](repeating: 0, count: 8))
      .replacing(at: 60, with: [0, 0, 0, 0])
    let file = try parseThin(stripped)
    expectEqual(file.identity?.bytes, Self.buildId)
    expectEqual(file.sections, [])
    try expectEqual(file.symbolTable().count, 0)
  }

  @Test func damagedNotesAreAFault() throws {
    let note = ElfImage.note("GNU", type: 3, Self.buildId)
    // The first note has 16 bytes. The name and the descriptor of the second follow its three
    // words.
    for (offset, name, start) in [(0, "name", 16 + 12), (4, "descriptor", 16 + 12 + 4 as UInt64)] {
      let damaged = note.replacing(at: offset, with: [0xff, 0xff, 0xff, 0xff])
      let image = ElfImage(sections: [
        .init(name: ".note", type: 7, content: ElfImage.note("GNU", type: 1, []) + damaged)
      ])
      let file = try parseThin(image.bytes)
      expectNil(file.identity, "\(name)")
      expectEqual(
        file.faults.map(\.reason),
        [
          .truncated(
            .notes, offset: UInt64(image.contentOffset) + start, wanted: 0xffff_ffff,
            available: 16 + UInt64(note.count))
        ], "\(name)")
    }
    let outside = ElfImage(sections: [
      .init(name: ".note", type: 7, content: note, size: 1 << 40)
    ])
    let bytes = outside.bytes
    let reasons = try parseThin(bytes).faults.map(\.reason)
    expectTrue(
      reasons.contains(
        .truncated(
          .notes, offset: UInt64(outside.contentOffset), wanted: 1 << 40,
          available: UInt64(bytes.count))))
  }

  @Test func refusesOtherClassesOrdersAndVersions() {
    let bytes = ElfImage().bytes
    expectEqual(refusal(of: bytes.replacing(at: 4, with: [3])), .unsupportedClass(3))
    expectEqual(refusal(of: bytes.replacing(at: 5, with: [0])), .unsupportedByteOrder(0))
    expectEqual(refusal(of: bytes.replacing(at: 6, with: [2])), .unsupportedVersion(2))
  }

  @Test func refusesTruncatedHeadersAndTables() {
    let image = ElfImage(programHeaders: [.init(address: 0, memorySize: 1)])
    let bytes = image.bytes
    expectEqual(
      refusal(of: [0x7f, 0x45, 0x4c, 0x46, 2]),
      .truncated(.elfHeader, offset: 0, wanted: 16, available: 5))
    expectEqual(
      refusal(of: Array(bytes[..<63])), .truncated(.elfHeader, offset: 0, wanted: 64, available: 63)
    )
    expectEqual(
      refusal(of: Array(bytes.dropLast())),
      .truncated(
        .sectionHeaders, offset: UInt64(image.sectionHeadersOffset), wanted: 128,
        available: UInt64(bytes.count - 1)))
    // e_phoff
    expectEqual(
      refusal(of: bytes.replacing(at: 32, with: [0xff, 0xff, 0xff])),
      .truncated(
        .programHeaders, offset: 0xff_ffff, wanted: 56, available: UInt64(bytes.count)))
  }

  @Test func refusesTablesOfOtherEntrySizes() {
    let bytes = ElfImage(programHeaders: [.init()]).bytes
    // e_phentsize, e_shentsize
    expectEqual(
      refusal(of: bytes.replacing(at: 54, with: [55, 0])),
      .entrySize(.programHeaders, stated: 55, expected: 56))
    expectEqual(
      refusal(of: bytes.replacing(at: 58, with: [0, 0])),
      .entrySize(.sectionHeaders, stated: 0, expected: 64))
  }

  /// With `e_shnum` 0 the null section's `sh_size` is the number of sections (gABI, chapter 4), and
  /// with `PN_XNUM` its `sh_info` that of the program headers.
  @Test func readsExtendedCounts() throws {
    let image = ElfImage(
      programHeaders: [.init(address: 0x5000, memorySize: 1)],
      sections: [.init(name: ".text", flags: 6, address: 0x5000, content: [1])])
    let null = image.sectionHeadersOffset
    let bytes = image.bytes.replacing(at: 60, with: [0, 0]).replacing(at: null + 32, with: [3])
      .replacing(at: 56, with: [0xff, 0xff]).replacing(at: null + 44, with: [1])
    let file = try parseThin(bytes)
    expectEqual(file.sections.map(\.name), [".text", ".shstrtab"])
    expectEqual(file.linkBase(), LinkAddress(0x5000))

    let size = UInt64(bytes.count)
    expectEqual(
      refusal(of: bytes.replacing(at: null + 32, with: [4])),
      .truncated(.sectionHeaders, offset: UInt64(null), wanted: 256, available: size))
    expectEqual(
      refusal(of: bytes.replacing(at: null + 32, with: [UInt8](repeating: 0xff, count: 8))),
      .overflow(.sectionHeaders, start: UInt64(null), size: .max))
    expectEqual(
      refusal(of: bytes.replacing(at: null + 44, with: [0xff, 0xff, 0xff, 0xff])),
      .truncated(.programHeaders, offset: 64, wanted: 0xffff_ffff * 56, available: size))
    // Without sections, only the header states a count.
    expectEqual(
      refusal(of: bytes.replacing(at: 40, with: [UInt8](repeating: 0, count: 8))),
      .truncated(.programHeaders, offset: 64, wanted: 0xffff * 56, available: size))
  }

  @Test func keepsFaultsOfSectionsBeyondTheEnd() throws {
    var image = ElfImage(sections: [
      .init(name: ".debug_info", content: [1, 2, 3], offset: 1 << 32),
      .init(name: ".debug_line", content: [4, 5], offset: .max),
      .init(name: ".text", type: 8, flags: 6, address: .max, size: 2),
      .init(name: ".debug_abbrev", content: [7]),
    ])
    image.programHeaders = [.init(address: .max, memorySize: 1)]
    let bytes = image.bytes
    let file = try parseThin(bytes)
    let truncation = ObjectFileError.Reason.truncated(
      .section(".debug_info"), offset: 1 << 32, wanted: 3, available: UInt64(bytes.count))
    expectEqual(
      file.faults.map(\.reason),
      [
        .overflow(.programHeaders, start: .max, size: 1), truncation,
        .overflow(.section(".debug_line"), start: .max, size: 2),
        .overflow(.section(".text"), start: .max, size: 2),
      ])
    let error = #expect(throws: ObjectFileError.self) { try file.debugSection(".debug_info") }
    expectEqual(error?.reason, truncation)
    try expectEqual(file.debugSection(".debug_abbrev")?.bytes, [7])
  }

  @Test func namesOutsideTheirTableAreCounted() throws {
    let image = ElfImage(sections: [
      .init(name: "a", nameOffset: 1000), .init(name: "b"), .init(name: "c", nameOffset: .max),
    ])
    let file = try parseThin(image.bytes)
    expectEqual(file.sections.map(\.name), ["", "b", "", ".shstrtab"])
    expectEqual(
      file.faults.map(\.reason),
      [
        .namesOutsideStringTable(.sectionHeaders, count: 2, first: 1)
      ])
    // e_shstrndx
    let lost = try parseThin(image.bytes.replacing(at: 62, with: [99, 0]))
    expectEqual(lost.sections.map(\.name), ["", "", "", ""])
    expectEqual(
      lost.faults.map(\.reason), [.namesOutsideStringTable(.sectionHeaders, count: 4, first: 1)])
  }
}
