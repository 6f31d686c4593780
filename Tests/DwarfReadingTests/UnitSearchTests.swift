import BinaryInput
import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Which unit is asked about an address, and the effects of a unit that cannot be read. Expected
/// values are read off the sections that each test builds.
@Suite struct UnitSearchTests {
  @Test(arguments: DwarfReaderKind.allCases)
  func withoutAddressRanges(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("a", 0x2000..<0x2100)
    image.addUnit("b", 0x1000..<0x1100)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x2000), "a")
    try expectEqual(reader.name(0x10ff), "b")
    try expectNil(reader.name(0x1100))
    expectEmpty(reader.faults)
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func addressRangesThatAreNotAll(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let a = image.addUnit("a", 0x1000..<0x1100)
    image.addUnit("b", 0x2000..<0x2100)
    image.addAddressRanges(unit: a, [0x1000..<0x1100])
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    try expectEqual(reader.name(0x2000), "b")
    expectEmpty(reader.faults)
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func addressRangesThatAreWrong(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let a = image.addUnit("a", 0x1000..<0x1100)
    image.addUnit("b", 0x2000..<0x2100)
    image.addUnit("c", 0x3000..<0x3100)
    // To another unit, into the middle of one, and behind the section.
    image.addAddressRanges(unit: a, [0x2000..<0x2100])
    image.addAddressRanges(unit: a + 7, [0x1000..<0x1010])
    image.addAddressRanges(unit: 0x7fff_ffff, [0x3000..<0x3100, 0x4000..<0x4100])
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    try expectEqual(reader.name(0x2000), "b")
    try expectEqual(reader.name(0x3000), "c")
    try expectNil(reader.answer(at: LinkAddress(0x4000)))
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func addressRangesThatEndTooEarly(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let a = image.addUnit("a", 0x1000..<0x1100)
    image.addAddressRanges(unit: a, [0x1000..<0x1100])
    image[.addressRanges].u32(0x1000)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    expectEqual(
      reader.faults,
      [.malformed(section: .addressRanges, offset: UInt64(image[.addressRanges].count - 4))])
  }

  /// Both units cover the addresses of `big`, and each has functions there.
  @Test(arguments: DwarfReaderKind.allCases)
  func overlappingUnits(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    for (name, low): (String, UInt64) in [("a", 0x1000), ("b", 0x1200)] {
      image.addUnit { unit in
        unit.die(Tag.compileUnit, [.lowPc(name == "a" ? 0x1000 : 0x1100), .length(0x1000)]) {
          $0.die(Tag.subprogram, [.name(name), .lowPc(low), .length(0x10)])
          $0.die(Tag.subprogram, [.name(name), .lowPc(low + 0x400), .length(0x10)])
        }
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    try expectEqual(reader.name(0x1200), "b")
    try expectEqual(reader.name(0x1400), "a")
    try expectEqual(reader.name(0x1600), "b")
    try expectNil(reader.answer(at: LinkAddress(0x1700)))
  }

  /// Rows alone are an answer only if no other unit has a function.
  @Test(arguments: DwarfReaderKind.allCases)
  func aFunctionGoesBeforeARow(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("f", 0x1000..<0x1010)
    var lines = LineProgramBuilder()
    lines.setAddress(0x1000)
    lines.row(addressDelta: 0, lineDelta: 0)
    lines.endSequence(addressDelta: 0x20)
    let table = lines.append(to: image)
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x1000), .length(0x20), .lines(table)])
    }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "f")
    let assembly = try require(reader.answer(at: LinkAddress(0x1010)))
    expectEmpty(assembly.frames)
    expectEqual(assembly.row, SourceLocation(path: "a.c", line: 1))
  }

  /// A header with nothing behind it, and a header with a null entry.
  @Test(arguments: DwarfReaderKind.allCases)
  func emptyUnits(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let empty = image.addUnit { _ in }
    image.addUnit { $0.damage([0]) }
    image.addUnit("f", 0x1000..<0x1010)
    image.addAddressRanges(unit: empty, [0x1000..<0x1010])
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "f")
    expectEmpty(reader.faults)
  }

  @Test(arguments: DwarfReaderKind.allCases) func deepTree(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1010) { unit in
        for _ in 0..<300 { unit.openLexicalBlock() }
        unit.function("f", 0x1000..<0x1010)
        unit.damage([UInt8](repeating: 0, count: 300))
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "f")
    expectEmpty(reader.faults)
  }

  @Test(arguments: DwarfReaderKind.allCases) func missingSections(kind: DwarfReaderKind) {
    let none = DwarfSections(regions: [:], byteOrder: .little, addressSize: 8, codeRanges: [])
    #expect(throws: DwarfReadError.missingSection(.info)) { try kind.open(none) }
    let noAbbreviations = none.replacing(.info, with: ByteRegion(copying: [0]))
    #expect(throws: DwarfReadError.missingSection(.abbreviations)) {
      try kind.open(noAbbreviations)
    }
  }

  /// libdwarf rejects DWARF 5 units with `DW_AT_GNU_dwo_id` (0x2131), as Swift writes them for
  /// imported clang modules.
  @Test(arguments: DwarfReaderKind.allCases)
  func dwoIdentifierInACompileUnit(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let version5 = DwarfFormat(version: 5)
    image.addUnit("a", 0x1000..<0x1010, version5)
    image.addUnit("b", 0x2000..<0x2010, version5, [.data8(0x2131, 0x1234)])
    image.addUnit("c", 0x3000..<0x3010, version5)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x3000), "c")
    try expectEqual(reader.name(0x2000), "b")
    try expectEqual(reader.name(0x1000), "a")
    expectEmpty(reader.faults)
  }
}
