import BinaryInput
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// Expected values are those that were put into the file, or follow from `<mach-o/loader.h>`.
@Suite struct MachOTests {
  private static let executable = MachOImage(segments: [
    .init(name: "__PAGEZERO", size: 0x1_0000_0000, protection: 0),
    .init(
      name: "__TEXT", address: 0x1_0000_0000, size: 0x8000,
      sections: [
        .init(
          name: "__text", address: 0x1_0000_4000, flags: 0x8000_0400,
          content: [UInt8](repeating: 0x1f, count: 32)),
        .init(name: "__stubs", address: 0x1_0000_5000, size: 0x40, flags: 0x8000_0408),
        .init(name: "__cstring", address: 0x1_0000_6000, flags: 2, content: Array("text\0".utf8)),
      ]),
    .init(
      name: "__DATA", address: 0x1_0000_8000, size: 0x4000, protection: 3,
      sections: [
        .init(segment: "__DATA", name: "__bss", address: 0x1_0000_8000, size: 0x100, flags: 1)
      ]),
    .init(name: "__LINKEDIT", address: 0x1_0000_c000, size: 0x4000, protection: 1),
  ])

  @Test func readsAnExecutable() throws {
    let container = try parse(Self.executable.bytes)
    expectEqual(container.kind, .thin)
    expectEqual(container.faults, [])
    let file = try require(container.objectFiles.first)
    expectEqual(file.path, "file")
    expectEqual(file.format, .machO)
    expectEqual(file.fileType, .executable)
    expectEqual(file.architecture, .arm64)
    expectEqual(file.identity?.description, "01020304-0506-0708-090A-0B0C0D0E0F10")
    expectEqual(file.byteOrder, .little)
    expectEqual(file.addressSize, 8)
    expectEqual(file.faults, [])
    expectFalse(file.hasDebugInfo)

    expectEqual(file.segments.map(\.name), ["__PAGEZERO", "__TEXT", "__DATA", "__LINKEDIT"])
    expectEqual(file.segments[1].addresses, addresses(0x1_0000_0000, 0x1_0000_8000))
    expectEqual(file.segments.map(\.isExecutable), [false, true, false, false])
    expectEmpty(file.segments[0].fileRange)
    // Behind the header (32), four segments (72 each) of four sections (80 each), LC_SYMTAB and
    // LC_UUID (24 each).
    expectEqual(file.segments[1].fileRange, 688..<725)

    expectEqual(file.sections.map(\.name), ["__text", "__stubs", "__cstring", "__bss"])
    expectEqual(file.sections.map(\.segmentName), ["__TEXT", "__TEXT", "__TEXT", "__DATA"])
    expectEqual(file.sections.map(\.holdsCode), [true, true, false, false])
    expectEqual(file.sections.map(\.isSymbolStubs), [false, true, false, false])
    expectEqual(file.sections[0].addresses, addresses(0x1_0000_4000, 0x1_0000_4020))
    expectEqual(file.sections[0].fileRange, 688..<720)
    expectEqual(file.sections[2].fileRange, 720..<725)
    expectNil(file.sections[3].fileRange)
  }

  @Test(arguments: [true, false], [true, false])
  func readsBothWordSizesAndOrders(is64Bit: Bool, bigEndian: Bool) throws {
    let image = MachOImage(
      is64Bit: is64Bit, bigEndian: bigEndian, cpuType: is64Bit ? 0x0100_0012 : 18, fileType: 6,
      segments: [
        .init(
          name: "__TEXT", address: 0x1000, size: 0x2000,
          sections: [
            .init(
              name: "__text", address: 0x1100, flags: 0x8000_0400, content: [1, 2, 3, 4])
          ])
      ],
      symbols: [.init(name: "_run", value: 0x1100)])
    let file = try parseThin(image.bytes)
    expectEqual(file.architecture.name, is64Bit ? "ppc64" : "ppc")
    expectEqual(file.addressSize, is64Bit ? 8 : 4)
    expectEqual(file.byteOrder, bigEndian ? .big : .little)
    expectEqual(file.fileType, .dynamicLibrary)
    expectEqual(file.segments.map(\.addresses), [addresses(0x1000, 0x3000)])
    expectEqual(file.sections.map(\.addresses), [addresses(0x1100, 0x1104)])
    expectEqual(file.identity?.bytes, Array(1...16))
    let symbol = try file.symbolTable().symbol(at: LinkAddress(0x1103))
    expectEqual(symbol, Symbol(rawName: "_run", addresses: addresses(0x1100, 0x1104)))
  }

  @Test(
    arguments: [
      (1, .relocatable), (2, .executable), (3, .other(3)), (4, .core), (6, .dynamicLibrary),
      (7, .dynamicLinker), (8, .bundle), (10, .debugSymbols), (11, .kernelExtension),
      (12, .other(12)), (.max, .other(.max)),
    ] as [(UInt32, ObjectFileType)])
  func namesFileTypes(number: UInt32, expected: ObjectFileType) throws {
    try expectEqual(parseThin(MachOImage(fileType: number).bytes).fileType, expected)
  }

  @Test func namesMayFillTheirFields() throws {
    let image = MachOImage(segments: [
      .init(
        name: "__SIXTEEN_BYTES_",
        sections: [.init(segment: "__SIXTEEN_BYTES_", name: "__debug_str_offs")])
    ])
    let file = try parseThin(image.bytes)
    expectEqual(file.segments[0].name, "__SIXTEEN_BYTES_")
    expectEqual(file.sections[0].name, "__debug_str_offs")
    expectEqual(file.sections[0].segmentName, "__SIXTEEN_BYTES_")
  }

  /// Old linkers wrote no UUID; some writers fill it with zeros.
  @Test func aFileMayHaveNoIdentity() throws {
    try expectNil(parseThin(MachOImage(uuid: nil).bytes).identity)
    let zeros = [UInt8](repeating: 0, count: 16)
    try expectNil(parseThin(MachOImage(uuid: zeros).bytes).identity)
  }

  @Test func refusesWhatIsNoObjectFile() {
    expectEqual(refusal(of: []), .empty)
    expectEqual(refusal(of: [0xfe]), .unrecognized(firstBytes: [0xfe]))
    expectEqual(
      refusal(of: Array("#!/bin/sh\n".utf8)), .unrecognized(firstBytes: Array("#!/bin/s".utf8)))
    expectEqual(
      refusal(of: Array("!<arch>\nx".utf8)), .unrecognized(firstBytes: Array("!<arch>\n".utf8)))
  }

  @Test func saysThatTheFileCannotBeOpened() {
    let error = #expect(throws: ObjectFileError.self) {
      try ObjectContainer.open(path: "/nonexistent/file")
    }
    expectEqual(error?.path, "/nonexistent/file")
    guard case .inaccessible(let access)? = error?.reason else {
      Issue.record("\(String(describing: error))")
      return
    }
    expectEqual(access.operation, .open)
  }

  @Test func refusesTruncatedHeadersAndCommands() {
    let bytes = Self.executable.bytes
    expectEqual(
      refusal(of: Array(bytes[..<31])),
      .truncated(.machHeader, offset: 0, wanted: 32, available: 31))
    expectEqual(
      refusal(of: Array(bytes[..<687])),
      .truncated(.loadCommands, offset: 32, wanted: 656, available: 687))
  }

  @Test func refusesLoadCommandSizesThatDoNotFit() {
    let bytes = Self.executable.bytes
    let size = 32 + 4
    for stated: UInt32 in [0, 7, 8, 71] {
      expectEqual(
        refusal(of: bytes.replacing(at: size, with: [UInt8(stated), 0, 0, 0])),
        .loadCommandSize(index: 0, command: 0x19, size: stated, available: 656))
    }
    expectEqual(
      refusal(of: bytes.replacing(at: size, with: [0xff, 0xff, 0xff, 0xff])),
      .loadCommandSize(index: 0, command: 0x19, size: .max, available: 656))
    // LC_SYMTAB and LC_UUID are the last two, 24 bytes each.
    expectEqual(
      refusal(of: bytes.replacing(at: 688 - 20, with: [23, 0, 0, 0])),
      .loadCommandSize(index: 5, command: 0x1b, size: 23, available: 24))
    expectEqual(
      refusal(of: bytes.replacing(at: 688 - 44, with: [20, 0, 0, 0])),
      .loadCommandSize(index: 4, command: 0x2, size: 20, available: 48))
  }

  @Test func refusesMoreLoadCommandsThanFit() {
    let bytes = Self.executable.bytes
    expectEqual(
      refusal(of: bytes.replacing(at: 16, with: [7, 0, 0, 0])),
      .loadCommandCount(stated: 7, index: 6))
    expectEqual(
      refusal(of: bytes.replacing(at: 16, with: [0xff, 0xff, 0xff, 0xff])),
      .loadCommandCount(stated: .max, index: 6))
  }

  @Test func refusesMoreSectionsThanFit() {
    let bytes = Self.executable.bytes
    let count = Self.executable.commandOffset(1) + 64
    for stated: UInt8 in [4, 0xff] {
      expectEqual(
        refusal(of: bytes.replacing(at: count, with: [stated, 0, 0, 0])),
        .sectionCount(segment: "__TEXT", stated: UInt32(stated), room: 3))
    }
    expectEqual(
      refusal(of: bytes.replacing(at: count, with: [0xff, 0xff, 0xff, 0xff])),
      .sectionCount(segment: "__TEXT", stated: .max, room: 3))
  }

  /// The error of one slice's command names that slice's architecture.
  @Test func errorsNamePathAndArchitecture() {
    let bytes = Self.executable.bytes.replacing(at: 36, with: [0, 0, 0, 0])
    let error = #expect(throws: ObjectFileError.self) { try parse(bytes) }
    expectEqual(error?.path, "file")
    expectEqual(error?.architecture, .arm64)
  }

  @Test func keepsFaultsOfWhatLiesBeyondTheEnd() throws {
    let whole = MachOImage(
      segments: [
        .init(
          name: "__DWARF",
          sections: [.debug("__debug_line", [1, 2, 3, 4]), .debug("__debug_info", [5, 6, 7, 8])])
      ], symbols: [.init(name: "_main", value: 0)])
    let bytes = whole.bytes
    let symbols = whole.symbolsOffset
    let end = UInt64(symbols - 2)
    let file = try parseThin(Array(bytes[..<(symbols - 2)]))
    expectEqual(
      file.faults.map(\.reason),
      [
        .truncated(.segment("__DWARF"), offset: UInt64(symbols - 8), wanted: 8, available: end),
        .truncated(.symbolTable, offset: UInt64(symbols), wanted: 16, available: end),
        .truncated(.stringTable, offset: UInt64(symbols + 16), wanted: 8, available: end),
      ])
    // Complete parts are returned, others are errors.
    try expectEqual(file.debugSection(".debug_line")?.bytes, [1, 2, 3, 4])
    expectTrue(file.hasDebugInfo)
    let sectionError = #expect(throws: ObjectFileError.self) {
      try file.debugSection(".debug_info")
    }
    expectEqual(
      sectionError?.reason,
      .truncated(
        .section("__debug_info"), offset: UInt64(symbols - 4), wanted: 4, available: end))
    let tableError = #expect(throws: ObjectFileError.self) { try file.symbolTable() }
    expectEqual(
      tableError?.reason,
      .truncated(.symbolTable, offset: UInt64(symbols), wanted: 16, available: end))
  }

  @Test func aSectionMayLieBeyondTheEndOfAWholeSegment() throws {
    let image = MachOImage(segments: [
      .init(
        name: "__DWARF",
        sections: [
          .init(
            segment: "__DWARF", name: "__debug_info", content: [1, 2, 3], offset: 0xffff_fff0)
        ])
    ])
    let bytes = image.bytes
    let file = try parseThin(bytes)
    let reason = ObjectFileError.Reason.truncated(
      .section("__debug_info"), offset: 0xffff_fff0, wanted: 3, available: UInt64(bytes.count))
    expectEqual(file.faults.map(\.reason), [reason])
    let error = #expect(throws: ObjectFileError.self) { try file.debugSection(".debug_info") }
    expectEqual(error?.reason, reason)
  }

  @Test func rangesBeyondSixtyFourBitsAreFaults() throws {
    let image = MachOImage(segments: [
      .init(
        name: "__TEXT", address: .max - 1, size: 2,
        sections: [
          .init(name: "__text", address: .max, size: .max, flags: 0x8000_0400),
          .init(name: "__more", address: 0x10, size: 0x10, flags: 0x8000_0400),
        ], fileRange: (.max, 1))
    ])
    let file = try parseThin(image.bytes)
    expectEqual(
      file.faults.map(\.reason),
      [
        .overflow(.segment("__TEXT"), start: .max, size: 1),
        .overflow(.segment("__TEXT"), start: UInt64.max - 1, size: 2),
        .overflow(.section("__text"), start: .max, size: .max),
      ])
    expectEmpty(file.segments)
    // Sections keep their numbers, which symbols refer to.
    expectEqual(file.sections.map(\.addresses), [addresses(0, 0), addresses(0x10, 0x20)])
    expectEqual(file.codeRanges, [addresses(0x10, 0x20)])
    expectNil(file.linkBase())
  }

  /// S_ZEROFILL 0x1, S_GB_ZEROFILL 0xc, S_THREAD_LOCAL_ZEROFILL 0x12; S_LITERAL_POINTERS is 0x5.
  @Test(arguments: [(0x1, false), (0xc, false), (0x12, false), (0x5, true), (0, true)])
  func zeroFilledSectionsHaveNoBytes(type: UInt32, hasBytes: Bool) throws {
    let image = MachOImage(segments: [
      .init(
        name: "__DATA",
        sections: [
          .init(segment: "__DATA", name: "__data", content: [1, 2, 3, 4]),
          .init(segment: "__DATA", name: "__other", size: 4, flags: type),
        ])
    ])
    let file = try parseThin(image.bytes)
    expectEqual(file.sections[1].fileRange != nil, hasBytes)
    expectEqual(file.sections[0].fileRange?.count, 4)
  }

  /// The offsets of a dSYM beyond 4 GiB are cut to 32 bits; segment and addresses give the rest.
  @Test func sectionOffsetsBeyondFourGigabytesAreCompleted() throws {
    let image = MachOImage(
      fileType: 10,
      segments: [
        .init(
          name: "__DWARF", address: 0x2_0000_0000, size: 0x2_0000_0000,
          sections: [
            .init(
              segment: "__DWARF", name: "__debug_info", address: 0x3_0000_0010, size: 0x20,
              offset: 0x1010),
            // These 32 bits contradict the address, so they are used as they are.
            .init(
              segment: "__DWARF", name: "__debug_line", address: 0x3_0000_0010, size: 0x20,
              offset: 0x2000),
          ], fileRange: (0x1000, 0x2_0000_0000))
      ])
    let file = try parseThin(image.bytes)
    expectEqual(file.sections[0].fileRange, 0x1_0000_1010..<0x1_0000_1030)
    expectEqual(file.sections[1].fileRange, 0x2000..<0x2020)
  }
}
