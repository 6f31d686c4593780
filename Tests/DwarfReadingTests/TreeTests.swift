import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Abbreviation tables, and the way from DIE to DIE. Expected values are read off the DIEs that
/// each test builds.
@Suite struct TreeTests {
  private static let numberings: [@Sendable (UInt64) -> UInt64] = [
    { $0 }, { 100 - $0 }, { $0 * 7 }, { $0 % 2 == 0 ? $0 : 500 + $0 }, { 1 << 20 + $0 },
    { UInt64(UInt32.max) + $0 }, { $0 << 48 },
  ]

  /// Codes need not be dense, ascending or small (DWARF 5, section 7.5.3).
  @Test(arguments: DwarfReaderKind.allCases, numberings.indices)
  func abbreviationCodes(kind: DwarfReaderKind, index: Int) throws {
    let image = DwarfImageBuilder()
    for unit: UInt64 in [1, 2] {
      let low = 0x1000 * unit
      image.addUnit(numbering: Self.numberings[index]) { builder in
        builder.die(Tag.compileUnit, [], code: low..<(low + 0x100)) { builder in
          builder.die(Tag.structure, []) { $0.die(0x0d, [.name("m")]) }
          builder.function("f", low..<(low + 0x10))
          builder.die(
            Tag.subprogram, [.data1(0x3a, 1), .name("g")], code: (low + 0x10)..<(low + 0x20))
        }
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "f")
    try expectEqual(reader.name(0x1010), "g")
    try expectEqual(reader.name(0x2000), "f")
    try expectEqual(reader.name(0x2010), "g")
    expectEmpty(reader.faults)
  }

  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func unitsThatShareAbbreviations(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    image.addUnit("other", 0x8000..<0x8010, nil, [.name("first")])
    image.addUnits(
      sharing: [0x1000, 0x2000, 0x3000].map { (low: UInt64) in
        { unit in
          unit.die(Tag.compileUnit, [], code: low..<(low + 0x10)) { unit in
            // Abbreviations that the other units do not use come first.
            if low == 0x2000 { unit.die(0x24, [.data1(0x3e, 7)]) }
            unit.function("f\(low)", low..<(low + 0x10))
          }
        }
      })
    image.addUnit("last", 0x9000..<0x9010)
    let reader = try kind.open(image)
    for low: UInt64 in [0x3000, 0x1000, 0x2000] { try expectEqual(reader.name(low), "f\(low)") }
    try expectEqual(reader.name(0x8000), "other")
    try expectEqual(reader.name(0x9000), "last")
    expectEmpty(reader.faults)
  }

  /// `DW_AT_sibling` in each form of reference, on DIEs with irrelevant children and on a function.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func siblings(kind: DwarfReaderKind, format: DwarfFormat) throws {
    for (form, size) in [(Form.ref2, 2), (Form.ref4, 4), (Form.ref8, 8)] {
      let image = DwarfImageBuilder(format)
      image.addUnit { unit in
        unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
          // A structure of the code, the reference, a member of 3 bytes and the end of the
          // children.
          unit.die(
            Tag.structure,
            [
              .fixed(
                Attribute.sibling, form: form, UInt64(unit.nextOffset + 1 + size + 3 + 1),
                size: size)
            ]
          ) { $0.die(0x0d, [.name("m")]) }
          let inner = unit.function("inner")
          // A function of code, reference, name (2), low_pc (8), high_pc (4 or 8), a body of code,
          // origin (4), low_pc, high_pc, and the end.
          let high = format.version >= 4 ? 4 : 8
          let end = unit.nextOffset + 1 + size + 2 + 8 + high + 1 + 4 + 8 + high + 1
          unit.die(
            Tag.subprogram,
            [.fixed(Attribute.sibling, form: form, UInt64(end), size: size), .name("f")],
            code: 0x1000..<0x1010
          ) { $0.die(Tag.inlined, [.origin(inner)], code: 0x1000..<0x1008) }
          expectEqual(unit.nextOffset, end)
          unit.function("g", 0x1010..<0x1020)
        }
      }
      let reader = try kind.open(image)
      try expectEqual(reader.names(0x1000), ["inner", "f"])
      try expectEqual(reader.names(0x1008), ["f"])
      try expectEqual(reader.names(0x1010), ["g"])
      expectEmpty(reader.faults)
    }
  }

  /// If a sibling leads backwards, to its own DIE, to the unit's, into another unit or out of the
  /// section, at most that unit is lost, and not silently.
  @Test(
    arguments: DwarfReaderKind.allCases, [-20, 0, 1, 0x60, 0x1000, 0x7fff_0000] as [Int])
  func siblingsThatLeadAstray(kind: DwarfReaderKind, distance: Int) throws {
    let image = DwarfImageBuilder()
    image.addUnit("before", 0x2000..<0x2010)
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.function("f", 0x1000..<0x1010)
        unit.die(Tag.structure, [.reference(Attribute.sibling, unit.nextOffset + distance)]) {
          $0.die(0x0d, [.name("m")])
        }
        unit.function("g", 0x1010..<0x1020)
      }
    }
    image.addUnit("after", 0x3000..<0x3010)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x2000), "before")
    try expectEqual(reader.name(0x3000), "after")
    let names = try? [reader.name(0x1000), reader.name(0x1010)]
    // A reader need not follow siblings.
    expectTrue(names == ["f", "g"] || !reader.faults.isEmpty)
  }

  /// The children of the unit are ended by the end of the unit instead of a null entry. Compilers
  /// write the null entry; without it, llvm-symbolizer 19 warns, and finds the function.
  @Test(arguments: DwarfReaderKind.allCases) func missingNullEntries(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let unit = image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.function("f", 0x1000..<0x1010)
      }
    }
    // One byte less: the null entry.
    let bytes = image[.info].bytes
    image[.info] = BinaryBuilder()
    image[.info].append(bytes.dropLast())
    image[.info].patch(u32: UInt32(bytes.count - 5), at: unit)
    image.addUnit("after", 0x3000..<0x3010)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "f")
    try expectEqual(reader.name(0x3000), "after")
  }

  /// More null entries than levels, as padding behind the tree.
  @Test(arguments: DwarfReaderKind.allCases) func paddingBehindTheTree(kind: DwarfReaderKind) throws
  {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1010) { unit in
        unit.function("f", 0x1000..<0x1010)
      }
      unit.damage([0, 0, 0, 0, 0, 0, 0])
    }
    image.addUnit("g", 0x2000..<0x2010)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "f")
    try expectEqual(reader.name(0x2000), "g")
    expectEmpty(reader.faults)
  }

  /// DIEs that claim to have children, but have none.
  @Test(arguments: DwarfReaderKind.allCases) func childrenThatAreNone(kind: DwarfReaderKind) throws
  {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.die(Tag.structure, []) { _ in }
        unit.die(Tag.namespace, []) { _ in }
        unit.function("f", 0x1000..<0x1010) { _ in }
        unit.function("g", 0x1010..<0x1020) { $0.die(Tag.lexicalBlock, []) { _ in } }
        unit.function("h", 0x1020..<0x1030)
      }
    }
    let reader = try kind.open(image)
    try expectEqual([0x1000, 0x1010, 0x1020].map(reader.name), ["f", "g", "h"])
    expectEmpty(reader.faults)
  }

  /// Abbreviations with an unknown vendor tag: the DIEs below are skipped.
  @Test(arguments: DwarfReaderKind.allCases) func unknownTags(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.die(0x4321, [.name("x")]) { unit in
          unit.die(0x5432, [.data4(0x3b, 1)]) { $0.die(0x34, [.name("y")]) }
        }
        unit.function("f", 0x1000..<0x1010) { unit in
          unit.die(0x4109, [.lowPc(0x1004)]) {
            $0.die(0x410a, [.raw(0x02, form: 0x18, [1, 0x50])])
          }
        }
        unit.function("g", 0x1010..<0x1020)
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "f")
    try expectEqual(reader.name(0x1010), "g")
    expectEmpty(reader.faults)
  }
}
