import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// An answer does not depend on what else is asked. A reader decodes what the addresses announced
/// need, and the whole unit when another one is asked about, so every address is asked about alone,
/// together with all others, and after another. The same is asked with a limit of one byte for what
/// is decoded, with which no unit is ever decoded as a whole. Expected values are read off the
/// units that each test builds.
@Suite struct FewAddressTests {
  /// `answer` of each address in each of these ways, and that it is `expected`.
  private func expect<Value: Equatable>(
    _ image: DwarfImageBuilder, _ kind: DwarfReaderKind, _ expected: [UInt64: Value],
    sourceLocation: SourceLocation = #_sourceLocation,
    _ answer: (any DwarfReading, UInt64) throws -> Value
  ) throws {
    for limit: UInt64 in [.max, 1] {
      var sections = image.sections()
      sections.decodedSizeLimit = limit
      try expect(sections, kind, expected, sourceLocation: sourceLocation, answer)
    }
  }

  private func expect<Value: Equatable>(
    _ image: DwarfSections, _ kind: DwarfReaderKind, _ expected: [UInt64: Value],
    sourceLocation: SourceLocation, _ answer: (any DwarfReading, UInt64) throws -> Value
  ) throws {
    let addresses = expected.keys.sorted()
    for jobs in [1, 2] {
      let all = try kind.open(image)
      all.prepare(for: addresses.map { LinkAddress($0) }, jobs: jobs)
      for address in addresses {
        try expectEqual(answer(all, address), expected[address], sourceLocation: sourceLocation)
      }
    }
    for address in addresses {
      let alone = try kind.open(image)
      try expectEqual(answer(alone, address), expected[address], sourceLocation: sourceLocation)
      for other in addresses {
        try expectEqual(answer(alone, other), expected[other], sourceLocation: sourceLocation)
      }
      let announced = try kind.open(image)
      announced.prepare(for: [LinkAddress(address)], jobs: 1)
      for other in addresses.reversed() {
        try expectEqual(answer(announced, other), expected[other], sourceLocation: sourceLocation)
      }
    }
  }

  private typealias SourceLocation = Testing.SourceLocation

  private func image(_ lines: LineProgramBuilder) -> DwarfImageBuilder {
    let image = DwarfImageBuilder()
    let table = lines.append(to: image)
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lines(table), .directory("/build")], code: 0x1000..<0x2000) {
        $0.function("f", 0x1000..<0x1100)
      }
    }
    return image
  }

  @Test(arguments: DwarfReaderKind.allCases) func rows(kind: DwarfReaderKind) throws {
    var program = LineProgramBuilder()
    program.setAddress(0x1000)
    program.row(addressDelta: 0, lineDelta: 9)  // 10
    program.row(addressDelta: 0, lineDelta: 1)  // 11, at the same address
    program.row(addressDelta: 8, lineDelta: 1)  // 12
    program.row(addressDelta: 8, lineDelta: 1)  // 13
    program.endSequence(addressDelta: 0x10)
    program.sequence(0x1040..<0x1050, line: 20)
    try expect(
      image(program), kind,
      [
        0x1000: 11, 0x1007: 11, 0x1008: 12, 0x100f: 12, 0x1010: 13, 0x101f: 13, 0x1020: nil,
        0x103f: nil, 0x1040: 20, 0x104f: 20, 0x1050: nil,
      ]
    ) { try $0.row($1)?.line }
  }

  /// Descending rows cannot be chosen while the program runs: the sequence is read again.
  @Test(arguments: DwarfReaderKind.allCases) func rowsThatDescend(kind: DwarfReaderKind) throws {
    var program = LineProgramBuilder()
    program.sequence(0x1040..<0x1050, line: 20)
    program.setAddress(0x1010)
    program.row(addressDelta: 0, lineDelta: 1)  // 2
    program.setAddress(0x1000)
    program.row(addressDelta: 0, lineDelta: 1)  // 3
    program.setAddress(0x1020)
    program.row(addressDelta: 0, lineDelta: 1)  // 4
    program.endSequence(addressDelta: 0x10)
    program.sequence(0x1050..<0x1060, line: 30)
    try expect(
      image(program), kind,
      [
        0x1000: 3, 0x100f: 3, 0x1010: 2, 0x101f: 2, 0x1020: 4, 0x102f: 4, 0x1030: nil, 0x1040: 20,
        0x1050: 30,
      ]
    ) { try $0.row($1)?.line }
  }

  /// Of sequences that overlap, the one with the first end counts.
  @Test(arguments: DwarfReaderKind.allCases) func sequencesThatOverlap(
    kind: DwarfReaderKind
  ) throws {
    var program = LineProgramBuilder()
    program.sequence(0x1000..<0x1100, line: 5)
    program.sequence(0x1010..<0x1020, line: 6)
    program.sequence(0x1010..<0x1020, line: 7)
    try expect(
      image(program), kind, [0x1000: 5, 0x100f: 5, 0x1010: 6, 0x101f: 6, 0x1020: 5, 0x10ff: 5]
    ) { try $0.row($1)?.line }
  }

  /// Of functions that overlap, the last in `.debug_info` counts, also if it is nested in one.
  @Test(arguments: DwarfReaderKind.allCases) func functions(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x2000) { unit in
        unit.function("wide", 0x1000..<0x1100)
        unit.function("first", 0x1010..<0x1020)
        unit.function("second", 0x1010..<0x1020)
        unit.function("declaration")
        unit.function("outer", 0x1200..<0x1300) { unit in
          unit.function("nested", 0x1400..<0x1410)
          unit.openLexicalBlock()
          unit.function("inner", 0x1240..<0x1250)
          unit.damage([0])
        }
        unit.function("last", 0x1500..<0x1510)
      }
    }
    try expect(
      image, kind,
      [
        0x1000: "wide", 0x1010: "second", 0x1020: "wide", 0x1100: nil, 0x1200: "outer",
        0x1240: "inner", 0x1250: "outer", 0x1400: "nested", 0x1410: nil, 0x1500: "last",
      ]
    ) { try $0.name($1) }
  }

  /// `.debug_aranges` that lead to the wrong unit, to two units, and to none.
  @Test(arguments: DwarfReaderKind.allCases) func addressRanges(kind: DwarfReaderKind) throws {
    let image = DwarfImageBuilder()
    let first = image.addUnit("a", 0x1000..<0x1100)
    let second = image.addUnit("b", 0x2000..<0x2100)
    image.addUnit("c", 0x3000..<0x3100)
    image.addAddressRanges(unit: first, [0x1000..<0x1100, 0x2000..<0x2100, 0x3000..<0x3010])
    image.addAddressRanges(unit: second, [0x2000..<0x2080, 0x1000..<0x1010])
    try expect(
      image, kind,
      [
        0x1000: "a", 0x100f: "a", 0x1010: "a", 0x2000: "b", 0x207f: "b", 0x2080: "b", 0x3000: "c",
        0x3010: "c", 0x3100: nil,
      ]
    ) { try $0.name($1) }
  }

  /// More single questions than `.debug_aranges` is read for.
  @Test func manySingleQuestions() throws {
    let image = DwarfImageBuilder()
    for index in 0..<20 {
      let low = 0x1000 + UInt64(index) * 0x100
      let unit = image.addUnit("f\(index)", low..<(low + 0x80))
      image.addAddressRanges(unit: unit, [low..<(low + 0x80)])
    }
    let reader = try DwarfReaderKind.builtIn.open(image)
    for index in 0..<20 {
      try expectEqual(reader.name(0x1000 + UInt64(index) * 0x100), "f\(index)")
    }
    expectEmpty(reader.faults)
  }

  /// DIEs that a walk passes over, with attributes of each shape: of fixed size, and with numbers
  /// and blocks of variable size before, between and after those.
  @Test(arguments: DwarfReaderKind.allCases) func shapesOfAttributes(
    kind: DwarfReaderKind
  ) throws {
    let fixed = DieAttribute.data8(0x3b, 7)
    let number = DieAttribute.name("long, and inline")
    let image = DwarfImageBuilder()
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [], code: 0x1000..<0x2000) { unit in
        for attributes in [
          [], [fixed], [fixed, number], [number, fixed], [fixed, number, fixed], [number, number],
        ] {
          unit.die(Tag.lexicalBlock, attributes)
          unit.die(Tag.lexicalBlock, attributes) { $0.die(Tag.lexicalBlock, attributes) }
        }
        unit.function("f", 0x1000..<0x1010)
      }
    }
    try expect(image, kind, [0x1000: "f", 0x1010: nil]) { try $0.name($1) }
  }
}
