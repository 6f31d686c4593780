import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Expected values are read off the DIEs that each test builds.
@Suite struct FunctionTests {
  /// A line table with one row: line 1 of `/src/a.c`, for 0x1000 to 0x2000.
  private func oneLine(_ image: DwarfImageBuilder) -> UInt64 {
    var lines = LineProgramBuilder()
    lines.setAddress(0x1000)
    lines.row(addressDelta: 0, lineDelta: 0)
    lines.endSequence(addressDelta: 0x1000)
    return lines.append(to: image)
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func inlinedBodiesNestThroughLexicalBlocks(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let lines = oneLine(image)
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit,
        [.name("a.c"), .directory("/src"), .lowPc(0x1000), .length(0x1000), .lines(lines)]
      ) { unit in
        let inner = unit.die(Tag.subprogram, [.name("inner"), .data1(0x20, 1)])
        let outer = unit.die(Tag.subprogram, [.name("outer"), .data1(0x20, 1)])
        unit.die(Tag.subprogram, [.name("f"), .lowPc(0x1100), .length(0x100)]) { unit in
          unit.die(Tag.lexicalBlock, []) { unit in
            unit.die(
              Tag.inlined,
              [
                .origin(outer), .lowPc(0x1120), .length(0x40), .data1(0x58, 1), .data1(0x59, 20),
                .data1(0x57, 7),
              ]
            ) { unit in
              unit.die(Tag.lexicalBlock, [.lowPc(0x1130), .length(0x10)]) { unit in
                unit.die(
                  Tag.inlined,
                  [
                    .origin(inner), .lowPc(0x1130), .length(0x10), .data1(0x58, 1),
                    .data1(0x59, 30),
                  ])
              }
            }
          }
        }
      }
    }
    let reader = try kind.open(image)
    try expectEqual(
      reader.frames(0x1130),
      [
        DwarfFrame(
          linkageName: nil, name: "inner", location: SourceLocation(path: "/src/a.c", line: 1),
          range: code(0x1130, 0x1140)),
        DwarfFrame(
          linkageName: nil, name: "outer", location: SourceLocation(path: "/src/a.c", line: 30),
          range: code(0x1120, 0x1160)),
        DwarfFrame(
          linkageName: nil, name: "f",
          location: SourceLocation(path: "/src/a.c", line: 20, column: 7),
          range: code(0x1100, 0x1200)),
      ])
    try expectEqual(reader.frames(0x1140).map(\.name), ["outer", "f"])
    try expectEqual(reader.frames(0x111f).map(\.name), ["f"])
    try expectEqual(reader.frames(0x11ff).map(\.name), ["f"])
    // A row, but no function.
    let gap = try require(reader.answer(at: LinkAddress(0x1200)))
    expectEmpty(gap.frames)
    expectEqual(gap.row, SourceLocation(path: "/src/a.c", line: 1))
    try expectNil(reader.answer(at: LinkAddress(0x2000)))
    expectEmpty(reader.faults)
  }

  /// `.debug_ranges` is relative to the unit's low_pc, or to a base address selection.
  @Test(arguments: DwarfReaderKind.allCases)
  func coldPartsOfVersion4(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let list = image.addRanges([(0x100, 0x180), (UInt64.max, 0x8000), (0x10, 0x20)])
    let unitList = image.addRanges([
      (UInt64.max, 0), (0x1000, 0x2000), (0x8000, 0x9000),
    ])
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x1000), .sectionOffset(0x55, unitList)]) { unit in
        unit.die(Tag.subprogram, [.name("f"), .sectionOffset(0x55, list)])
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.frames(0x1100).map(\.range), [code(0x1100, 0x1180)])
    try expectEqual(reader.frames(0x8010).map(\.range), [code(0x8010, 0x8020)])
    try expectEqual(reader.frames(0x8010).map(\.name), ["f"])
    try expectNil(reader.answer(at: LinkAddress(0x1180)))
    try expectNil(reader.answer(at: LinkAddress(0x8020)))
    expectEmpty(reader.faults)
  }

  /// Every kind of entry of `.debug_rnglists` (DWARF 5, section 7.25).
  @Test(arguments: DwarfReaderKind.allCases)
  func coldPartsOfVersion5(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    let base = image.addAddresses([0x5000, 0x6000])
    let list = image.addRangeList { entries in
      // base_addressx 0; offset_pair 0x10, 0x20
      entries.append([0x01, 0, 0x04, 0x10, 0x20])
      // base_address 0x7000; offset_pair 0x10, 0x20
      entries.u8(0x05)
      entries.u64(0x7000)
      entries.append([0x04, 0x10, 0x20])
      // startx_endx 0, 1
      entries.append([0x02, 0, 1])
      // startx_length 1, 0x30
      entries.append([0x03, 1, 0x30])
      // start_end
      entries.u8(0x06)
      entries.u64(0x9000)
      entries.u64(0x9040)
      // start_length
      entries.u8(0x07)
      entries.u64(0xa000)
      entries.u8(0x50)
      entries.u8(0)
    }
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit,
        [.lowPc(0), .sectionOffset(0x55, list), .sectionOffset(0x73, base)]
      ) { unit in
        unit.die(Tag.subprogram, [.name("f"), .sectionOffset(0x55, list)])
        unit.die(Tag.subprogram, [.name("g"), .addressIndex(0x11, 1), .length(0x10)])
      }
    }
    let reader = try kind.open(image)
    // startx_endx 0x5000–0x6000 takes in the first pair, and touches 0x6000–0x6030.
    try expectEqual(reader.frames(0x5010).map(\.range), [code(0x5000, 0x6030)])
    try expectEqual(reader.frames(0x7010).map(\.range), [code(0x7010, 0x7020)])
    try expectEqual(reader.frames(0x9000).map(\.range), [code(0x9000, 0x9040)])
    try expectEqual(reader.frames(0xa04f).map(\.range), [code(0xa000, 0xa050)])
    try expectNil(reader.answer(at: LinkAddress(0xa050)))
    // Where two functions overlap, the later one counts.
    try expectEqual(reader.frames(0x6000).map(\.name), ["g"])
    try expectEqual(reader.frames(0x6010).map(\.name), ["f"])
    expectEmpty(reader.faults)
  }

  /// The linker sets functions that it removed to 0, -1 or -2, where the image has no code.
  @Test(arguments: DwarfReaderKind.allCases)
  func functionsWithoutCodeArePassedOver(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x1000), .length(0x1000)]) { unit in
        unit.die(Tag.subprogram, [.name("kept"), .lowPc(0x1000), .length(0x20)])
        unit.die(Tag.subprogram, [.name("zero"), .lowPc(0), .length(0x2000)])
        unit.die(Tag.subprogram, [.name("minusOne"), .lowPc(UInt64.max), .length(0x2000)])
        unit.die(Tag.subprogram, [.name("minusTwo"), .lowPc(UInt64.max - 1), .length(0x20)])
        unit.die(Tag.subprogram, [.name("empty"), .lowPc(0x1008), .length(0)])
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.frames(0x1008).map(\.name), ["kept"])
    try expectNil(reader.answer(at: LinkAddress(0x1020)))
    try expectNil(reader.answer(at: LinkAddress(0x10)))
  }

  /// Functions in namespaces, types (old Swift compilers define methods there) and other functions.
  @Test(arguments: DwarfReaderKind.allCases)
  func nestedFunctionsAreFound(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.data1(0x13, 0x1e), .lowPc(0x1000), .length(0x1000)]) { unit in
        unit.die(Tag.namespace, [.name("n")]) { unit in
          unit.die(Tag.structure, [.name("S")]) { unit in
            unit.die(Tag.subprogram, [.name("method"), .lowPc(0x1000), .length(0x20)])
          }
        }
        unit.die(Tag.subprogram, [.name("outer"), .lowPc(0x1100), .length(0x20)]) { unit in
          unit.die(Tag.lexicalBlock, []) { unit in
            unit.die(Tag.subprogram, [.name("local"), .lowPc(0x1200), .length(0x20)])
          }
        }
        unit.die(Tag.subprogram, [.name("last"), .lowPc(0x1300), .length(0x20)])
      }
    }
    let reader = try kind.open(image)
    for (address, name): (UInt64, String) in [
      (0x1000, "method"), (0x1100, "outer"), (0x1200, "local"), (0x1300, "last"),
    ] {
      try expectEqual(reader.frames(address).map(\.name), [name])
    }
  }

  /// dsymutil writes references to other units as `DW_FORM_ref_addr`, forwards and backwards.
  @Test(arguments: DwarfReaderKind.allCases)
  func namesComeFromOtherUnits(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    var declaration = 0
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x1000), .length(0x100)]) { unit in
        unit.die(Tag.structure, [.name("S")]) { unit in
          declaration = unit.sectionOffset(
            of: unit.die(
              Tag.subprogram, [.name("method"), .string(0x2007, "_ZN1S6methodEv"), .flag(0x3c)]))
        }
        unit.die(Tag.subprogram, [.name("first"), .lowPc(0x1000), .length(0x20)])
      }
    }
    var own = 0
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x2000), .length(0x100)]) { unit in
        let origin = unit.die(
          Tag.subprogram, [.sectionReference(0x47, declaration), .data1(0x20, 1)])
        own = unit.sectionOffset(of: origin)
        unit.die(Tag.subprogram, [.lowPc(0x2000), .length(0x20), .sectionReference(0x31, own)])
        unit.die(Tag.subprogram, [.lowPc(0x2020), .length(0x20), .origin(origin)])
        // A reference outside of all units: no name.
        unit.die(Tag.subprogram, [.lowPc(0x2040), .length(0x20), .sectionReference(0x31, 0xffff)])
      }
    }
    let reader = try kind.open(image)
    for address: UInt64 in [0x2000, 0x2020] {
      let frame = try require(reader.frames(address).first)
      expectEqual(frame.name, "method")
      expectEqual(frame.linkageName, "_ZN1S6methodEv")
    }
    let nameless = try require(reader.frames(0x2040).first)
    expectNil(nameless.name)
    try expectEqual(reader.frames(0x1000).map(\.name), ["first"])
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func endlessReferencesEnd(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    var first = 0
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x1000), .length(0x100)]) { unit in
        // A DIE of 5 bytes and this one refer to each other.
        let a = unit.die(Tag.subprogram, [.reference(0x31, 0)])
        let b = unit.die(Tag.subprogram, [.origin(a)])
        unit.patch(reference: b, at: a + 1)
        first = unit.sectionOffset(
          of: unit.die(Tag.subprogram, [.lowPc(0x1000), .length(0x20), .origin(b)]))
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.frames(0x1000).map(\.name), [nil])
    expectEqual(reader.faults, [.endlessReferences(offset: UInt64(first))])
  }

  /// GCC writes what all calls of a table have in common as `DW_FORM_implicit_const`.
  @Test(arguments: DwarfReaderKind.allCases)
  func callSitesAsImplicitConstants(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    var lines = LineProgramBuilder(
      image.format, directories: ["/src"], files: [("a.c", 0), ("b.c", 0)])
    lines.setAddress(0x1000)
    lines.setFile(0)
    lines.row(addressDelta: 0, lineDelta: 4)
    lines.endSequence(addressDelta: 0x100)
    let table = lines.append(to: image)
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit, [.directory("/src"), .lowPc(0x1000), .length(0x100), .lines(table)]
      ) { unit in
        let origin = unit.die(Tag.subprogram, [.name("inner")])
        unit.die(Tag.subprogram, [.name("f"), .lowPc(0x1000), .length(0x100)]) { unit in
          unit.die(
            Tag.inlined,
            [
              .origin(origin), .lowPc(0x1000), .length(0x10), .implicitConstant(0x58, 1),
              .implicitConstant(0x59, 33), .implicitConstant(0x57, 3),
            ])
          // Without a line, and without a file.
          unit.die(
            Tag.inlined, [.origin(origin), .lowPc(0x1010), .length(0x10), .data1(0x58, 1)])
          unit.die(
            Tag.inlined, [.origin(origin), .lowPc(0x1020), .length(0x10), .data1(0x59, 1)])
        }
      }
    }
    let reader = try kind.open(image)
    try expectEqual(
      reader.frames(0x1000).map(\.location),
      [
        SourceLocation(path: "/src/a.c", line: 5),
        SourceLocation(path: "/src/b.c", line: 33, column: 3),
      ])
    try expectEqual(reader.frames(0x1010).last?.location, SourceLocation(path: "/src/b.c", line: 0))
    try expectNil(reader.frames(0x1020).last?.location)
    expectEmpty(reader.faults)
  }
}
