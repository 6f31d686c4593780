import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// The effects of a unit that cannot be read. Expected values are read off the sections that each
/// test builds.
@Suite struct DamagedUnitTests {
  @Test(arguments: DwarfReaderKind.allCases)
  func unitOfUnknownVersion(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("a", 0x1000..<0x1010)
    let unknown = image.addUnit("x", 0x2000..<0x2010, DwarfFormat(version: 6))
    image.addUnit("b", 0x3000..<0x3010)
    image.addAddressRanges(unit: unknown, [0x2000..<0x2010])
    let reader = try kind.open(image)
    let refusal = DwarfReadError.unsupportedVersion(6, unitOffset: UInt64(unknown))
    try expectEqual(reader.name(0x1000), "a")
    try expectEqual(reader.name(0x3000), "b")
    for _ in 0..<2 {
      #expect(throws: refusal) { try reader.answer(at: LinkAddress(0x2000)) }
    }
    expectEqual(reader.faults, [refusal])
  }

  /// The unit's only DIE has an abbreviation code that its table lacks.
  @Test(arguments: DwarfReaderKind.allCases)
  func malformedUnitBesideGoodOnes(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("a", 0x1000..<0x1010)
    let bad = image.addUnit { $0.damage([0x55, 1, 2, 3]) }
    image.addUnit("b", 0x3000..<0x3010)
    image.addAddressRanges(unit: bad, [0x2000..<0x2010])
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    try expectEqual(reader.name(0x3000), "b")
    var refusals: [DwarfReadError] = []
    for _ in 0..<2 {
      do {
        _ = try reader.answer(at: LinkAddress(0x2000))
      } catch {
        refusals.append(error)
      }
    }
    expectEqual(refusals.count, 2)
    expectEqual(refusals.first, refusals.last)
    expectTrue(refusals.allSatisfy(reader.faults.contains))
  }

  /// The unit's tree ends after its first DIE.
  @Test(arguments: DwarfReaderKind.allCases)
  func unitWithADamagedTree(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x2000), .length(0x100)]) { unit in
        unit.die(Tag.subprogram, [.name("x"), .lowPc(0x2000), .length(0x10)])
        unit.damage([0x7f])
      }
    }
    image.addUnit("b", 0x3000..<0x3010)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x3000), "b")
    // libdwarf rejects the unit, although everything in front of the damage is sound.
    switch kind {
    case .builtIn: try expectEqual(reader.name(0x2000), "x")
    case .libDwarf: #expect(throws: DwarfReadError.self) { try reader.name(0x2000) }
    }
    expectEqual(reader.faults.count, 1)
  }

  /// `DW_AT_sibling` refers to its own DIE: libdwarf 20210528 would return it forever.
  @Test(arguments: DwarfReaderKind.allCases)
  func siblingThatLeadsNowhere(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lowPc(0x1000), .length(0x100)]) { unit in
        let first = unit.die(Tag.subprogram, [.name("a"), .lowPc(0x1000), .length(0x10)])
        let own = unit.die(Tag.subprogram, [.reference(0x01, first)]) { unit in
          unit.die(Tag.lexicalBlock, [])
        }
        unit.patch(reference: own, at: own + 1)
      }
    }
    let reader = try kind.open(image)
    switch kind {
    case .builtIn: try expectEqual(reader.name(0x1000), "a")
    case .libDwarf: #expect(throws: DwarfReadError.self) { try reader.name(0x1000) }
    }
    expectEqual(reader.faults.count, 1)
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func lengthThatPassesTheSection(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("a", 0x1000..<0x1010)
    let last = image.addUnit("b", 0x2000..<0x2010)
    image[.info].patch(u32: 0x1000, at: last)
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    try expectNil(reader.name(0x2000))
    expectEqual(reader.faults, [.malformed(section: .info, offset: UInt64(last))])
  }

  /// Wrong headers in `.debug_rnglists`. libdwarf 20210528 frees the table with the wrong version
  /// twice, and follows the offset out of the section, so it only sees the tables in front of the
  /// damage.
  static let damages: [(Int, UInt32)] = [
    (4, 0x0008_0009), (4, 0x0002_0005), (4, 0x0108_0005), (0, 0x1000), (0, 2), (8, 0x1000_0000),
    (8, 1),
  ]

  /// The lists themselves are sound, and the units state their offsets. A reader that does not use
  /// the headers, such as llvm-symbolizer 19, finds both functions.
  @Test(arguments: DwarfReaderKind.allCases, damages)
  func malformedRangeLists(kind: DwarfReaderKind, damage: (offset: Int, value: UInt32)) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    let lists = [0x1000, 0x2000].map { (low: UInt64) in
      image.addRangeList { entries in
        entries.u8(0x06)
        entries.u64(low)
        entries.u64(low + 0x10)
        entries.u8(0)
      }
    }
    // The length, the version with its neighbours, or the number of offsets of the second table. An
    // offset would be read from the first bytes of the list, and lead far out of the table.
    let second = image[.rangeLists].count / 2
    image[.rangeLists].patch(u32: damage.value, at: second + damage.offset)
    for (name, list) in zip(["a", "b"], lists) {
      image.addUnit { unit in
        unit.die(Tag.compileUnit, [.lowPc(0), .sectionOffset(0x55, list)]) { unit in
          unit.die(Tag.subprogram, [.name(name), .sectionOffset(0x55, list)])
        }
      }
    }
    let reader = try kind.open(image)
    try expectEqual(reader.name(0x1000), "a")
    guard kind == .libDwarf else {
      try expectEqual(reader.name(0x2000), "b")
      return
    }
    try expectNil(reader.name(0x2000))
    let faults = reader.faults.filter {
      switch $0 {
      case .malformed(section: .rangeLists, offset: UInt64(second)): true
      case .unreadable(section: .rangeLists, _): damage.offset == 0
      default: false
      }
    }
    expectEqual(faults.count, 1)
  }
}
