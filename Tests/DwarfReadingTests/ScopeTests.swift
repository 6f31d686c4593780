import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// The function that an address belongs to. Expected values are read off the DIEs that each test
/// builds.
@Suite struct ScopeTests {
  /// A function, a call inlined into it and a function with two ranges, looked up at all their
  /// ends.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func everyEdge(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    let list: UInt64
    if format.version >= 5 {
      list = image.addRangeList { $0.append([0x04, 0x40, 0x50, 0x04, 0x60, 0x70, 0]) }
    } else {
      list = image.addRanges([(0x40, 0x50), (0x60, 0x70)])
    }
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        let inner = unit.function("inner")
        unit.function("f", 0x1000..<0x1020) {
          $0.die(Tag.inlined, [.origin(inner)], code: 0x1008..<0x1010)
        }
        unit.function("g", 0x1020..<0x1030)
        unit.die(Tag.subprogram, [.name("h"), .ranges(list)])
      }
    }
    let reader = try kind.open(image)
    for (address, names): (UInt64, [String?]) in [
      (0xfff, []), (0x1000, ["f"]), (0x1007, ["f"]), (0x1008, ["inner", "f"]),
      (0x100f, ["inner", "f"]), (0x1010, ["f"]), (0x101f, ["f"]), (0x1020, ["g"]), (0x102f, ["g"]),
      (0x1030, []), (0x103f, []), (0x1040, ["h"]), (0x104f, ["h"]), (0x1050, []), (0x105f, []),
      (0x1060, ["h"]), (0x106f, ["h"]), (0x1070, []),
    ] {
      try expectEqual(reader.names(address), names, "\(String(address, radix: 16))")
    }
    expectEmpty(reader.faults)
  }

  /// The linker sets code that it removed to 0, -1 or -2 of the address size, as low_pc or in
  /// lists.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func tombstones(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let last = UInt64.max >> (64 - 8 * UInt64(format.addressSize))
    let image = DwarfImageBuilder(format)
    let list: UInt64
    if format.version >= 5 {
      list = image.addRangeList { entries in
        for low in [last, 0, 0x1030] {
          entries.u8(0x07)
          entries.address(low, format)
          entries.append([0x10])
        }
        entries.u8(0)
      }
    } else {
      // GNU ld writes 1, 1, so that the list does not end there.
      list = image.addRanges([(1, 1), (last - 1, last - 1), (0x1030, 0x1040)])
    }
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0), .ranges(list)]) { unit in
        unit.die(Tag.subprogram, [.name("f"), .ranges(list)])
      }
    }
    for (name, low) in [("zero", 0), ("last", last), ("lastButOne", last - 1)] {
      image.addUnit { unit in
        unit.die(Tag.compileUnit, [], code: low..<(low &+ 0x2000 > low ? low + 0x2000 : low)) {
          $0.die(
            Tag.subprogram,
            [.name(name), .lowPc(low), .highPc(low &+ 0x2000, from: low)])
        }
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.range(0x1030), code(0x1030, 0x1040))
    for outside: UInt64 in [0, 1, 8, 0x102f, 0x1040, 0x1ff0, last, last - 1] {
      try expectNil(reader.answer(at: LinkAddress(outside)))
    }
    expectEmpty(reader.faults)
  }

  /// Of two functions that cover an address, the last one in `.debug_info` counts: the linker
  /// folded them into one. llvm-symbolizer 19 has the same rule if both begin at the same address
  /// and nothing is inlined. Otherwise its answer depends on the order in which it splits the
  /// ranges.
  @Test(arguments: DwarfReaderKind.allCases) func foldedFunctions(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        let inner = unit.function("inner")
        unit.function("first", 0x1000..<0x1020) {
          $0.die(Tag.inlined, [.origin(inner)], code: 0x1000..<0x1010)
        }
        unit.function("second", 0x1000..<0x1020)
        unit.function("long", 0x1040..<0x1080)
        unit.function("short", 0x1050..<0x1060)
        unit.function("short", 0x1090..<0x10a0)
        unit.function("long", 0x1080..<0x10c0)
      }
    }
    let reader = try kind.open(image)
    for (address, names): (UInt64, [String?]) in [
      (0x1000, ["second"]), (0x101f, ["second"]), (0x1040, ["long"]), (0x1050, ["short"]),
      (0x105f, ["short"]), (0x1060, ["long"]), (0x1090, ["long"]), (0x10bf, ["long"]),
    ] {
      try expectEqual(reader.names(address), names)
    }
  }

  /// A chain of calls inlined into each other, with blocks between them and a sibling of each.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func nestedCalls(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let image = DwarfImageBuilder(format)
    let depth: UInt64 = 20
    func add(_ level: UInt64, _ origins: [Int], to unit: UnitBuilder) {
      guard level < depth else { return }
      unit.die(Tag.lexicalBlock, [], code: 0x1000..<(0x1100 - level)) { unit in
        unit.die(
          Tag.inlined, [.origin(origins[Int(level)]), .data1(Attribute.callLine, UInt8(level))],
          code: 0x1000..<(0x1100 - level)
        ) { add(level + 1, origins, to: $0) }
        unit.die(
          Tag.inlined, [.origin(origins[0])], code: (0x1200 + level * 8)..<(0x1208 + level * 8))
      }
    }
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x2000) { unit in
        let origins = (0..<depth).map { unit.function("f\($0)") }
        unit.function("outer", 0x1000..<0x1800) { add(0, origins, to: $0) }
        unit.function("next", 0x1800..<0x1900)
      }
    }
    let reader = try kind.open(image)
    let all = (0..<depth).reversed().map { Optional("f\($0)") }
    try expectEqual(reader.names(0x1000), all + ["outer"])
    try expectEqual(reader.names(0x10ff - 3), all.suffix(4) + ["outer"])
    try expectEqual(reader.names(0x1100), ["outer"])
    try expectEqual(reader.names(0x1800), ["next"])
    expectEmpty(reader.faults)
  }

  /// Functions in modules, namespaces, types of languages with methods, and functions. In C, types
  /// are skipped.
  @Test(
    arguments: DwarfReaderKind.allCases,
    [(0x1e, true), (0x21, true), (0x1c, true), (0x0c, false)] as [(UInt8, Bool)])
  func placesOfFunctions(kind: DwarfReaderKind, language: (code: UInt8, hasMethods: Bool)) throws {
    let image = DwarfImageBuilder()
    let holders: [UInt64] = [Tag.module, Tag.namespace, Tag.structure, 0x02, 0x17, 0x38, 0x04]
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit, [.data1(Attribute.language, language.code)], code: 0x1000..<0x2000
      ) { unit in
        for (index, tag) in holders.enumerated() {
          let low = 0x1000 + 0x10 * UInt64(index)
          unit.die(tag, [.name("holder")]) { unit in
            unit.function("f\(index)", low..<(low + 0x10))
          }
        }
        unit.die(Tag.module, [.name("M")]) { unit in
          unit.die(Tag.namespace, [.name("N")]) { $0.function("deep", 0x1800..<0x1810) }
        }
      }
    }
    let reader = try kind.open(image)
    for index in holders.indices {
      let isFound = index < 2 || language.hasMethods
      try expectEqual(reader.name(0x1000 + 0x10 * UInt64(index)), isFound ? "f\(index)" : nil)
    }
    try expectEqual(reader.names(0x1800), ["deep"])
    expectEmpty(reader.faults)
  }

  /// A function nested in another (GNU C). `DW_AT_sibling` of the outer one leads past it.
  @Test(arguments: DwarfReaderKind.allCases) func functionsInFunctions(kind: DwarfReaderKind) throws
  {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        let inner = unit.function("inner")
        let start = unit.nextOffset
        unit.die(
          Tag.subprogram, [.reference(Attribute.sibling, 0), .name("outer")], code: 0x1000..<0x1010
        ) { unit in
          unit.function("local", 0x1020..<0x1030) { unit in
            unit.die(Tag.inlined, [.origin(inner)], code: 0x1020..<0x1028)
            unit.function("deeper", 0x1040..<0x1050)
          }
          unit.die(Tag.inlined, [.origin(inner)], code: 0x1008..<0x1010)
        }
        unit.patch(reference: unit.nextOffset, at: start + 1)
        unit.function("next", 0x1060..<0x1070)
      }
    }
    let reader = try kind.open(image)
    // In an order in which the skipped functions come last, and once more.
    for (address, names): (UInt64, [String?]) in [
      (0x1000, ["outer"]), (0x1060, ["next"]), (0x1008, ["inner", "outer"]),
      (0x1020, ["inner", "local"]), (0x1028, ["local"]), (0x1040, ["deeper"]),
      (0x1000, ["outer"]), (0x1008, ["inner", "outer"]), (0x1060, ["next"]),
    ] {
      try expectEqual(reader.names(address), names)
    }
    try expectNil(reader.answer(at: LinkAddress(0x1070)))
    expectEmpty(reader.faults)
  }

  /// Declarations and abstract instances have no code; a DIE with a start but no end covers
  /// nothing.
  @Test(arguments: DwarfReaderKind.allCases) func functionsWithoutCode(kind: DwarfReaderKind) throws
  {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x1100) { unit in
        unit.function("declared", nil, [.flag(Attribute.declaration)])
        unit.function("abstract", nil, [.data1(Attribute.inline, 1)])
        unit.function("started", nil, [.lowPc(0x1000)])
        unit.function("empty", 0x1000..<0x1000)
      }
    }
    let reader = try kind.open(image)
    try expectNil(reader.answer(at: LinkAddress(0x1000)))
    expectEmpty(reader.faults)
  }
}
