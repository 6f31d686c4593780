import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Units of all kinds. Expected values are read off the units that each test builds, according to
/// DWARF 5, sections 3.1 and 7.5.1.
@Suite struct UnitKindTests {
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func everyFormat(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    image.addUnit("a", 0x1000..<0x1010)
    image.addUnit("b", 0x2000..<0x2010)
    for hasAddressRanges in [false, true] {
      if hasAddressRanges {
        image.addAddressRanges(unit: 0, [0x1000..<0x1010])
        image.addAddressRanges(unit: image[.info].count / 2, [0x2000..<0x2010, 0x3000..<0x3010])
      }
      let reader = try kind.open(image)
      try expectEqual([0x1000, 0x100f, 0x2000, 0x200f].map(reader.name), ["a", "a", "b", "b"])
      for outside: UInt64 in [0xfff, 0x1010, 0x1fff, 0x2010, 0x3000] {
        try expectNil(reader.answer(at: LinkAddress(outside)))
      }
      expectEmpty(reader.faults)
    }
  }

  /// Units of all versions, 32-bit and 64-bit, in one file.
  @Test(arguments: DwarfReaderKind.allCases) func formatsSideBySide(kind: DwarfReaderKind) throws {
    let formats = DwarfFormat.all.filter { $0.addressSize == 8 && !$0.isBigEndian }
    let image = DwarfImageBuilder()
    for (index, format) in formats.enumerated() {
      let low = 0x1000 * UInt64(index + 1)
      image.addUnit("f\(index)", low..<(low + 0x10), format)
    }
    let reader = try kind.open(image)
    for index in formats.indices.reversed() {
      try expectEqual(reader.name(0x1000 * UInt64(index + 1)), "f\(index)")
    }
    expectEmpty(reader.faults)
  }

  /// Type units have a signature and the offset of a type in front of their DIEs; the units behind
  /// them are found.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all(of: 5))
  func typeUnits(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    image.addUnit("a", 0x1000..<0x1010)
    var header = format.bytes
    header.u64(0x1122_3344_5566_7788)
    header.offset(UInt64(format.lengthSize + 20), format)
    image.addUnit(type: UnitType.type, header: header.bytes) { unit in
      unit.die(Tag.typeUnit, [.data1(Attribute.language, 0x21)]) { unit in
        unit.die(Tag.structure, [.name("S")]) { $0.function("method", nil, [.flag(0x3c)]) }
      }
    }
    image.addUnit("b", 0x2000..<0x2010)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    try expectEqual(reader.name(0x2000), "b")
    expectEmpty(reader.faults)
  }

  /// A partial unit has no code; other units import it and refer to its DIEs.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all.filter { $0.version >= 3 })
  func partialUnits(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    var inner = 0
    let partial = image.addUnit(type: UnitType.partial) { unit in
      unit.die(Tag.partialUnit, []) { unit in
        inner = unit.sectionOffset(of: unit.function("inner", nil, [.linkageName("_inner")]))
      }
    }
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.die(Tag.importedUnit, [.sectionReference(0x18, partial + format.lengthSize + 7)])
        unit.function("outer", 0x1000..<0x1010) {
          $0.die(
            Tag.inlined, [.sectionReference(Attribute.abstractOrigin, inner)],
            code: 0x1000..<0x1008)
        }
        unit.die(
          Tag.subprogram, [.sectionReference(Attribute.abstractOrigin, inner)],
          code: 0x1010..<0x1020)
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.names(0x1000), ["inner", "outer"])
    try expectEqual(reader.frames(0x1010).map(\.linkageName), ["_inner"])
    expectEmpty(reader.faults)
  }

  /// clang modules: units with only a name and the path of a missing file. In version 4, they are
  /// compile units with `DW_AT_GNU_dwo_id`; in version 5, skeleton units.
  @Test(arguments: DwarfReaderKind.allCases, [4, 5] as [UInt16])
  func moduleSkeletons(kind: DwarfReaderKind, version: UInt16) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: version))
    image.addUnit("a", 0x1000..<0x1010)
    if version == 4 {
      image.addUnit { unit in
        unit.die(
          Tag.compileUnit,
          [
            .name("Foundation"), .data8(Attribute.gnuDwoIdentifier, 0x1234),
            .string(Attribute.gnuDwoName, "/cache/Foundation.pcm"),
          ])
      }
    } else {
      image.addUnit(
        type: UnitType.skeleton, header: [0x34, 0x12, 0, 0, 0, 0, 0, 0]
      ) { unit in
        unit.die(
          Tag.skeletonUnit,
          [.name("Foundation"), .string(Attribute.dwoName, "/cache/Foundation.pcm")])
      }
    }
    image.addUnit("b", 0x2000..<0x2010)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    try expectEqual(reader.name(0x2000), "b")
    try expectNil(reader.answer(at: LinkAddress(0x3000)))
    expectEmpty(reader.faults)
  }

  /// Version 4 has `.debug_types` beside `.debug_info`; damage there has no effect.
  @Test(arguments: DwarfReaderKind.safe) func typesSection(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("a", 0x1000..<0x1010)
    image[.types].append([0xff, 0xff, 0, 0, 4, 0, 1, 2, 3])
    try expectEqual(kind.open(image).name(0x1000), "a")
  }

  /// An unknown type of unit may have anything behind its abbreviation offset.
  @Test(arguments: DwarfReaderKind.safe, [0, 7, 0x80, 0xff] as [UInt8])
  func unknownUnitTypes(kind: DwarfReaderKind, type: UInt8) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    image.addUnit("a", 0x1000..<0x1010)
    image.addUnit(type: type, header: [9, 9, 9, 9, 9]) { unit in
      unit.die(Tag.compileUnit, [], code: 0x3000..<0x3010)
    }
    image.addUnit("b", 0x2000..<0x2010)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    try expectEqual(reader.name(0x2000), "b")
  }

  /// A unit without DIEs, alone and between others, in all formats.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func unitsWithoutDies(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    image.addUnit { _ in }
    try expectNil(kind.open(image).answer(at: LinkAddress(0x1000)))
    image.addUnit("a", 0x1000..<0x1010)
    image.addUnit { $0.damage([0]) }
    image.addUnit("b", 0x2000..<0x2010)
    image.addUnit { _ in }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    try expectEqual(reader.name(0x2000), "b")
    expectEmpty(reader.faults)
  }

  /// Units without ranges, with only functions or lines: the line table gives the ranges. Without a
  /// line table, the functions cannot be found by address.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func unitsWithoutRanges(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    var lines = LineProgramBuilder(format, directories: ["/build"])
    lines.sequence(0x1800..<0x1810, line: 8)
    lines.sequence(0x1000..<0x1020, line: 7)
    let table = lines.append(to: image)
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lines(table)]) { unit in
        unit.function("f", 0x1000..<0x1010)
        unit.function("g", 0x1800..<0x1810)
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.names(0x1000), ["f"])
    try expectEqual(reader.names(0x180f), ["g"])
    try expectEqual(reader.answer(at: LinkAddress(0x1018))?.frames.isEmpty, true)
    try expectEqual(reader.row(0x1018)?.line, 7)
    try expectNil(reader.answer(at: LinkAddress(0x1020)))
    expectEmpty(reader.faults)
  }
}
