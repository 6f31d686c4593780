import BinaryInput
import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Which unit is asked about an address, and what a unit costs that cannot be read. Expected values
/// are read off the sections that each test builds.
@Suite struct UnitSearchTests {
  @Test(arguments: DwarfReaderKind.allCases)
  func withoutAddressRanges(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("a", 0x2000..<0x2100)
    image.addUnit("b", 0x1000..<0x1100)
    let reader = try kind.open(image)
    #expect(try reader.name(0x2000) == "a")
    #expect(try reader.name(0x10ff) == "b")
    #expect(try reader.name(0x1100) == nil)
    #expect(reader.faults.isEmpty)
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func addressRangesThatAreNotAll(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let a = image.addUnit("a", 0x1000..<0x1100)
    image.addUnit("b", 0x2000..<0x2100)
    image.addAddressRanges(unit: a, [0x1000..<0x1100])
    let reader = try kind.open(image)
    #expect(try reader.name(0x1000) == "a")
    #expect(try reader.name(0x2000) == "b")
    #expect(reader.faults.isEmpty)
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
    #expect(try reader.name(0x1000) == "a")
    #expect(try reader.name(0x2000) == "b")
    #expect(try reader.name(0x3000) == "c")
    #expect(try reader.answer(at: LinkAddress(0x4000)) == nil)
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func addressRangesThatEndTooEarly(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let a = image.addUnit("a", 0x1000..<0x1100)
    image.addAddressRanges(unit: a, [0x1000..<0x1100])
    image[.addressRanges].u32(0x1000)
    let reader = try kind.open(image)
    #expect(try reader.name(0x1000) == "a")
    #expect(
      reader.faults
        == [.malformed(section: .addressRanges, offset: UInt64(image[.addressRanges].count - 4))])
  }

  /// Both units cover the addresses of `big`, in which each has its functions.
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
    #expect(try reader.name(0x1000) == "a")
    #expect(try reader.name(0x1200) == "b")
    #expect(try reader.name(0x1400) == "a")
    #expect(try reader.name(0x1600) == "b")
    #expect(try reader.answer(at: LinkAddress(0x1700)) == nil)
  }

  /// Rows alone are an answer only where no other unit has a function.
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
    #expect(try reader.name(0x1000) == "f")
    let assembly = try #require(try reader.answer(at: LinkAddress(0x1010)))
    #expect(assembly.frames.isEmpty)
    #expect(assembly.row == SourceLocation(path: "a.c", line: 1))
  }

  /// A header and nothing behind it, and a header with a null entry.
  @Test(arguments: DwarfReaderKind.allCases)
  func emptyUnits(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let empty = image.addUnit { _ in }
    image.addUnit { $0.damage([0]) }
    image.addUnit("f", 0x1000..<0x1010)
    image.addAddressRanges(unit: empty, [0x1000..<0x1010])
    let reader = try kind.open(image)
    #expect(try reader.name(0x1000) == "f")
    #expect(reader.faults.isEmpty)
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func unitOfUnknownVersion(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("a", 0x1000..<0x1010)
    let unknown = image.addUnit("x", 0x2000..<0x2010, DwarfFormat(version: 6))
    image.addUnit("b", 0x3000..<0x3010)
    image.addAddressRanges(unit: unknown, [0x2000..<0x2010])
    let reader = try kind.open(image)
    let refusal = DwarfReadError.unsupportedVersion(6, unitOffset: UInt64(unknown))
    #expect(try reader.name(0x1000) == "a")
    #expect(try reader.name(0x3000) == "b")
    for _ in 0..<2 {
      #expect(throws: refusal) { try reader.answer(at: LinkAddress(0x2000)) }
    }
    #expect(reader.faults == [refusal])
  }

  /// The unit's only DIE has an abbreviation that its table does not hold.
  @Test(arguments: DwarfReaderKind.allCases)
  func malformedUnitBesideGoodOnes(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("a", 0x1000..<0x1010)
    let bad = image.addUnit { $0.damage([0x55, 1, 2, 3]) }
    image.addUnit("b", 0x3000..<0x3010)
    image.addAddressRanges(unit: bad, [0x2000..<0x2010])
    let reader = try kind.open(image)
    #expect(try reader.name(0x1000) == "a")
    #expect(try reader.name(0x3000) == "b")
    var refusals: [DwarfReadError] = []
    for _ in 0..<2 {
      do {
        _ = try reader.answer(at: LinkAddress(0x2000))
      } catch {
        refusals.append(error)
      }
    }
    #expect(refusals.count == 2 && refusals.first == refusals.last)
    #expect(refusals.allSatisfy(reader.faults.contains))
  }

  /// The unit's tree breaks off behind its first DIE.
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
    #expect(try reader.name(0x3000) == "b")
    #expect(throws: DwarfReadError.self) { try reader.answer(at: LinkAddress(0x2000)) }
    #expect(reader.faults.count == 1)
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
    #expect(try reader.name(0x1000) == "f")
    #expect(reader.faults.isEmpty)
  }

  /// `DW_AT_sibling` leads to its own DIE: libdwarf 20210528 would give it again for ever.
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
    #expect(throws: DwarfReadError.self) { try reader.name(0x1000) }
    #expect(reader.faults.count == 1)
  }

  @Test(arguments: DwarfReaderKind.allCases)
  func lengthThatPassesTheSection(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit("a", 0x1000..<0x1010)
    let last = image.addUnit("b", 0x2000..<0x2010)
    image[.info].patch(u32: 0x1000, at: last)
    let reader = try kind.open(image)
    #expect(try reader.name(0x1000) == "a")
    #expect(try reader.name(0x2000) == nil)
    #expect(reader.faults == [.malformed(section: .info, offset: UInt64(last))])
  }

  @Test(arguments: DwarfReaderKind.allCases) func missingSections(kind: DwarfReaderKind) {
    let none = DwarfSections(regions: [:], byteOrder: .little, addressSize: 8, codeRanges: [])
    #expect(throws: DwarfReadError.missingSection(.info)) { try kind.open(none) }
    let noAbbreviations = none.replacing(.info, with: ByteRegion(copying: [0]))
    #expect(throws: DwarfReadError.missingSection(.abbreviations)) {
      try kind.open(noAbbreviations)
    }
  }

  /// libdwarf refuses DWARF 5 units with `DW_AT_GNU_dwo_id` (0x2131), as Swift's imports of clang
  /// modules write them.
  @Test(arguments: DwarfReaderKind.allCases)
  func dwoIdentifierInACompileUnit(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let version5 = DwarfFormat(version: 5)
    image.addUnit("a", 0x1000..<0x1010, version5)
    image.addUnit("b", 0x2000..<0x2010, version5, [.data8(0x2131, 0x1234)])
    image.addUnit("c", 0x3000..<0x3010, version5)
    let reader = try kind.open(image)
    #expect(try reader.name(0x3000) == "c")
    #expect(try reader.name(0x2000) == "b")
    #expect(try reader.name(0x1000) == "a")
    #expect(reader.faults.isEmpty)
  }

  /// Range lists in front of the damage are read; those behind cost the functions that need them.
  /// libdwarf 20210528 frees the table with the wrong version twice, and follows the offset.
  static let damages: [(Int, UInt32)] = [
    (4, 0x0008_0009), (4, 0x0002_0005), (4, 0x0108_0005), (0, 0x1000), (0, 2), (8, 0x1000_0000),
    (8, 1),
  ]

  @Test(arguments: DwarfReaderKind.allCases, damages)
  func malformedRangeLists(kind: DwarfReaderKind, damage: (place: Int, value: UInt32)) throws {
    let image = DwarfImageBuilder(DwarfFormat(version: 5))
    let lists = [0x1000, 0x2000].map { (low: UInt64) in
      image.addRangeList { entries in
        entries.u8(0x06)
        entries.u64(low)
        entries.u64(low + 0x10)
        entries.u8(0)
      }
    }
    // The length, the version with its neighbours, or the number of offsets of the second table. One
    // offset would be made of the list's first bytes, and lead far out of the table.
    let second = image[.rangeLists].count / 2
    image[.rangeLists].patch(u32: damage.value, at: second + damage.place)
    for (name, list) in zip(["a", "b"], lists) {
      image.addUnit { unit in
        unit.die(Tag.compileUnit, [.lowPc(0), .sectionOffset(0x55, list)]) { unit in
          unit.die(Tag.subprogram, [.name(name), .sectionOffset(0x55, list)])
        }
      }
    }
    let reader = try kind.open(image)
    #expect(try reader.name(0x1000) == "a")
    #expect(try reader.name(0x2000) == nil)
    let faults = reader.faults.filter {
      switch $0 {
      case .malformed(section: .rangeLists, offset: UInt64(second)): true
      case .unreadable(section: .rangeLists, _): damage.place == 0
      default: false
      }
    }
    #expect(faults.count == 1)
  }
}
