import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

@Suite struct AddressRangeTests {
  @Test func theLinkBaseOfMachOIsThatOfText() throws {
    let file = try parseThin(
      MachOImage(segments: [
        .init(name: "__PAGEZERO", size: 0x1000),
        .init(name: "__LOW", address: 0x2000, size: 0x1000),
        .init(name: "__TEXT", address: 0x8000, size: 0x1000),
        .init(name: "__TEXT_EXEC", address: 0xa000, size: 0x1000),
      ]).bytes)
    expectEqual(file.linkBase(), LinkAddress(0x8000))
    expectEqual(file.linkBase(segmentName: "__TEXT_EXEC"), LinkAddress(0xa000))
    expectEqual(file.linkBase(segmentName: "__PAGEZERO"), LinkAddress(0))
    expectNil(file.linkBase(segmentName: "__OTHER"))
  }

  @Test func withoutTextItIsTheLowest() throws {
    let file = try parseThin(
      MachOImage(segments: [
        .init(name: "__PAGEZERO", size: 0x1000),
        .init(name: "__HIGH", address: 0x9000, size: 0x1000),
        .init(name: "__LOW", address: 0x2000, size: 0x1000),
      ]).bytes)
    expectEqual(file.linkBase(), LinkAddress(0x2000))
    try expectNil(parseThin(MachOImage().bytes).linkBase())
  }

  /// The loader maps whole pages, so an image loaded at L has its first segment's page there.
  @Test func theLinkBaseOfElfIsTheFirstLoadedPage() throws {
    let image = ElfImage(programHeaders: [
      .init(type: 6, address: 0x40),
      .init(address: 0x40_0123, memorySize: 0x1000),
      .init(address: 0x20_0000, memorySize: 0x1000),
    ])
    let file = try parseThin(image.bytes)
    expectEqual(file.linkBase(), LinkAddress(0x40_0000))
    expectNil(file.linkBase(segmentName: "__TEXT"))
    try expectNil(parseThin(ElfImage().bytes).linkBase())
  }

  @Test func loadedRangesLeaveOutWhatIsNotLoaded() throws {
    let file = try parseThin(
      MachOImage(
        fileType: 10,
        segments: [
          .init(name: "__PAGEZERO", size: 0x1000),
          .init(name: "__DATA", address: 0x3000, size: 0x1000),
          .init(name: "__TEXT", address: 0x2000, size: 0x1000),
          .init(name: "__HIGH", address: 0x8000, size: 0x1000),
          .init(name: "__EMPTY", address: 0xf000),
          .init(name: "__LINKEDIT", address: 0x4000, size: 0x1000),
          .init(name: "__DWARF", address: 0x5000, size: 0x1000),
        ]
      ).bytes)
    expectEqual(file.loadedRanges, [addresses(0x2000, 0x4000), addresses(0x8000, 0x9000)])
  }

  @Test func loadedRangesOfRelocatableMachOAreSections() throws {
    let file = try parseThin(
      MachOImage(
        fileType: 1,
        segments: [
          .init(
            name: "", size: 0x100,
            sections: [
              .text(0, size: 0x20),
              .init(segment: "__DWARF", name: "__debug_info", address: 0x20, size: 0x40),
              .init(segment: "__DATA", name: "__data", address: 0x60, size: 8),
            ])
        ]
      ).bytes)
    expectEqual(file.loadedRanges, [addresses(0, 0x20), addresses(0x60, 0x68)])
    expectEqual(file.linkBase(), LinkAddress(0))
  }

  @Test func loadedRangesOfElfAreItsLoadedSegments() throws {
    let file = try parseThin(
      ElfImage(programHeaders: [
        .init(address: 0x1000, memorySize: 0x800), .init(type: 2, address: 0x9000, memorySize: 8),
        .init(address: 0x1800, memorySize: 0x100), .init(address: 0x3000, memorySize: 0x100),
      ]).bytes)
    expectEqual(file.loadedRanges, [addresses(0x1000, 0x1900), addresses(0x3000, 0x3100)])
  }

  @Test func codeRangesAreSortedAndJoined() throws {
    let file = try parseThin(
      MachOImage(segments: [
        .init(
          name: "__TEXT", address: 0, size: 0x10000,
          sections: [
            .init(name: "__late", address: 0x500, size: 0x10, flags: 0x400),
            .init(name: "__a", address: 0x100, size: 0x20, flags: 0x8000_0000),
            .init(name: "__b", address: 0x120, size: 0x10, flags: 0x8000_0408),
            .init(name: "__within", address: 0x104, size: 4, flags: 0x400),
            .init(name: "__empty", address: 0x50, size: 0, flags: 0x400),
            .init(name: "__const", address: 0x200, size: 0x20),
          ])
      ]).bytes)
    expectEqual(file.codeRanges, [addresses(0x100, 0x130), addresses(0x500, 0x510)])
  }

  @Test func withoutCodeSectionsTheyAreExecutableSegments() throws {
    let machO = try parseThin(
      MachOImage(segments: [
        .init(name: "__DATA", address: 0x2000, size: 0x100, protection: 3),
        .init(name: "__TEXT", address: 0x1000, size: 0x100, protection: 5),
      ]).bytes)
    expectEqual(machO.codeRanges, [addresses(0x1000, 0x1100)])
    let elf = try parseThin(
      ElfImage(programHeaders: [
        .init(flags: 4, address: 0x1000, memorySize: 0x100),
        .init(flags: 5, address: 0x2000, memorySize: 0x100),
      ]).bytes)
    expectEqual(elf.codeRanges, [addresses(0x2000, 0x2100)])
  }

  /// dsymutil keeps the headers of `__TEXT`'s sections and none of their bytes.
  @Test func codeSectionsOfDsymsCount() throws {
    let file = try parseThin(
      MachOImage(
        fileType: 10,
        segments: [
          .init(
            name: "__TEXT", address: 0x1000, size: 0x1000,
            sections: [
              .init(
                name: "__text", address: 0x1400, size: 0x200, flags: 0x8000_0400, offset: 0x4000)
            ])
        ]
      ).bytes)
    expectEqual(file.codeRanges, [addresses(0x1400, 0x1600)])
    expectNil(file.sections[0].fileRange)
    expectEqual(file.faults, [])
  }
}
