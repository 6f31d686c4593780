import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Functions with several code ranges. Expected values are read off the lists that each test
/// builds, according to DWARF 4, section 2.17.3, and DWARF 5, sections 2.17.3 and 7.25.
@Suite struct RangeListTests {
  private static let before5 = DwarfFormat.all.filter { $0.version < 5 }

  /// Ranges are relative to the unit's low_pc, and after a pair with the largest address of the
  /// unit's address size to the base that the pair states.
  @Test(arguments: DwarfReaderKind.allCases, before5)
  func baseSelectionOfRanges(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let selection = UInt64.max >> (64 - 8 * UInt64(format.addressSize))
    let image = DwarfImageBuilder(format)
    let list = image.addRanges([
      (0x100, 0x180), (selection, 0x8000), (0x10, 0x20), (selection, 0), (0x9000, 0x9040),
      (0x9080, 0x9080),
    ])
    let unitList = image.addRanges([(0, 0x1000), (selection, 0x8000), (0, 0x2000)])
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x1000), .ranges(unitList)]) { unit in
        unit.die(Tag.subprogram, [.name("f"), .ranges(list)])
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.range(0x1100), code(0x1100, 0x1180))
    try expectEqual(reader.range(0x117f), code(0x1100, 0x1180))
    try expectEqual(reader.range(0x8010), code(0x8010, 0x8020))
    try expectEqual(reader.range(0x903f), code(0x9000, 0x9040))
    for outside: UInt64 in [0x10ff, 0x1180, 0x800f, 0x8020, 0x9040, 0x9080] {
      try expectNil(reader.answer(at: LinkAddress(outside)))
    }
    expectEmpty(reader.faults)
  }

  /// Without a low_pc in the unit, ranges are relative to 0.
  @Test(arguments: DwarfReaderKind.allCases, [2, 3, 4] as [UInt16])
  func rangesWithoutABase(kind: DwarfReaderKind, version: UInt16) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: version))
    _ = image.addRanges([(0x5000, 0x6000)])
    let list = image.addRanges([(0x1000, 0x1010), (0x2000, 0x2010)])
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.ranges(list)]) { unit in
        unit.die(Tag.subprogram, [.name("f"), .ranges(list)])
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.range(0x1000), code(0x1000, 0x1010))
    try expectEqual(reader.range(0x200f), code(0x2000, 0x2010))
    try expectNil(reader.answer(at: LinkAddress(0x5000)))
  }

  /// Every kind of entry, in every format.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all(of: 5))
  func entriesOfRangeLists(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    _ = image.addAddresses([0xffff])
    let base = image.addAddresses([0x5000, 0x6000, 0x6010])
    _ = image.addRangeList { $0.u8(0) }
    let list = image.addRangeList { entries in
      // offset_pair from the unit's low_pc
      entries.append([0x04, 0x10, 0x20])
      // base_addressx, offset_pair with numbers of two bytes
      entries.append([0x01, 0, 0x04, 0x80, 0x01, 0x90, 0x01])
      // startx_endx, startx_length
      entries.append([0x02, 1, 2, 0x03, 1, 0x30])
      // base_address, offset_pair
      entries.u8(0x05)
      entries.address(0x7000, format)
      entries.append([0x04, 0x10, 0x20])
      // start_end
      entries.u8(0x06)
      entries.address(0x9000, format)
      entries.address(0x9040, format)
      // start_length
      entries.u8(0x07)
      entries.address(0xa000, format)
      entries.append([0xd0, 0x00])
      // An empty range, and the end. What follows belongs to no list.
      entries.append([0x03, 0, 0, 0, 0x03, 0, 0x7f])
    }
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit,
        [.lowPc(0x1000), .ranges(list), .sectionOffset(Attribute.addressBase, base)]
      ) { unit in
        unit.die(Tag.subprogram, [.name("f"), .ranges(list)])
      }
    }
    let reader = try kind.open(image)
    for piece in [
      code(0x1010, 0x1020), code(0x5080, 0x5090), code(0x6000, 0x6030), code(0x7010, 0x7020),
      code(0x9000, 0x9040), code(0xa000, 0xa050),
    ] {
      let (low, high) = (piece.lowerBound.value, piece.upperBound.value)
      try expectEqual(reader.range(low), piece)
      try expectEqual(reader.range(high - 1), piece)
      try expectNil(reader.answer(at: LinkAddress(low - 1)))
      try expectNil(reader.answer(at: LinkAddress(high)))
    }
    expectEmpty(reader.faults)
  }

  /// `DW_FORM_rnglistx` is an index in the offsets behind the header, at `DW_AT_rnglists_base`.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all(of: 5))
  func rangeListsByIndex(kind: DwarfReaderKind, format: DwarfFormat) throws {
    func startLength(_ low: UInt64) -> (inout BinaryBuilder) -> Void {
      { entries in
        entries.u8(0x07)
        entries.address(low, format)
        entries.append([0x10, 0])
      }
    }
    let image = DwarfImageBuilder(format)
    image.addRangeLists([startLength(0xe000), startLength(0xf000)])
    for unit: UInt64 in [1, 2] {
      let base = image.addRangeLists([
        startLength(0x1000 * unit), startLength(0x1100 * unit),
      ]).base
      image.addUnit { builder in
        builder.die(
          Tag.compileUnit,
          [
            .lowPc(0), .uleb128(Attribute.ranges, form: Form.rnglistx, 0),
            .sectionOffset(Attribute.rangeListsBase, base),
          ]
        ) {
          $0.die(
            Tag.subprogram,
            [.name("f\(unit)"), .uleb128(Attribute.ranges, form: Form.rnglistx, 0)])
        }
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "f1")
    try expectEqual(reader.name(0x2000), "f2")
    try expectEqual(reader.range(0x200f), code(0x2000, 0x2010))
    try expectNil(reader.answer(at: LinkAddress(0xe000)))
    expectEmpty(reader.faults)
  }

  /// Without a base, the standard allows an index only in a split unit (DWARF 5, section 7.28). The
  /// function is found in the first table, or lost with a fault; the others remain.
  @Test(arguments: DwarfReaderKind.safe) func indexWithoutABase(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    image.addRangeLists([
      { entries in
        entries.append([0x07, 0x00, 0x10, 0, 0, 0, 0, 0, 0, 0x10, 0])
      }
    ])
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.die(
          Tag.subprogram, [.name("f"), .uleb128(Attribute.ranges, form: Form.rnglistx, 0)])
        unit.function("g", 0x1080..<0x1090)
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1080), "g")
    try expectTrue(reader.name(0x1000) == "f" || !reader.faults.isEmpty)
  }

  /// A list outside its section, one with an entry of an unknown kind, or one with an index behind
  /// the addresses: that function is lost, with a fault.
  @Test(
    arguments: DwarfReaderKind.safe,
    [[0x04, 0x10], [0x09, 0, 0], [0x04, 0x80, 0x80], [0x03, 9, 1, 0], [0x07, 1, 2, 3]] as [[UInt8]])
  func damagedRangeLists(kind: DwarfReaderKind, entries: [UInt8]) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    let base = image.addAddresses([0x1000])
    let list = image.addRangeList { $0.append(entries) }
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit, [.sectionOffset(Attribute.addressBase, base)], code: 0x1000..<0x1100
      ) { unit in
        unit.function("g", 0x1080..<0x1090)
        unit.die(Tag.subprogram, [.name("f"), .ranges(list)])
        unit.function("h", 0x1090..<0x10a0)
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1080), "g")
    try expectEqual(reader.name(0x1090), "h")
    expectFalse(reader.faults.isEmpty)
  }

  /// Inlined bodies may have several ranges, and so may the blocks around them.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func inlinedBodiesInPieces(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    let pieces: [Range<UInt64>] = [0x1010..<0x1020, 0x1040..<0x1050, 0x1020..<0x1028]
    let list: UInt64
    if format.version >= 5 {
      list = image.addRangeList { entries in
        for piece in pieces {
          entries.u8(0x04)
          entries.uleb128(piece.lowerBound - 0x1000)
          entries.uleb128(piece.upperBound - 0x1000)
        }
        entries.u8(0)
      }
    } else {
      list = image.addRanges(pieces.map { ($0.lowerBound - 0x1000, $0.upperBound - 0x1000) })
    }
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        let origin = unit.function("inner")
        unit.function("outer", 0x1000..<0x1080) { unit in
          unit.die(Tag.lexicalBlock, [.ranges(list)]) { unit in
            unit.die(Tag.inlined, [.origin(origin), .ranges(list)])
          }
        }
      }
    }
    let reader = try kind.open(image)
    for (address, names): (UInt64, [String?]) in [
      (0x100f, ["outer"]), (0x1010, ["inner", "outer"]), (0x1027, ["inner", "outer"]),
      (0x1028, ["outer"]), (0x104f, ["inner", "outer"]), (0x1050, ["outer"]),
    ] {
      try expectEqual(reader.names(address), names)
    }
    // Ranges that touch are joined.
    try expectEqual(reader.range(0x1018), code(0x1010, 0x1028))
    try expectEqual(reader.frames(0x1018).last?.range, code(0x1000, 0x1080))
    expectEmpty(reader.faults)
  }
}
