import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// The order of rows and sequences, and the effects of damage. Expected values are read off the
/// line programs that each test builds.
@Suite struct LineSequenceTests {
  private func image(
    _ format: DwarfFormat = DwarfFormat(), _ lines: LineProgramBuilder
  ) -> DwarfImageBuilder {
    let image = DwarfImageBuilder(format)
    let table = lines.append(to: image)
    image.addUnit { unit in
      unit.die(Tag.compileUnit, [.lines(table), .directory("/build")], code: 0x1000..<0x2000) {
        $0.function("f", 0x1000..<0x1100)
      }
    }
    return image
  }

  private func lines(_ reader: any DwarfReading, _ addresses: [UInt64]) throws -> [UInt32?] {
    try addresses.map { try reader.row($0)?.line }
  }

  /// The linker sets code that it removed to 0, -1 or -2 of the address size.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func tombstones(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let last = UInt64.max >> (64 - 8 * UInt64(format.addressSize))
    var program = LineProgramBuilder(format, directories: ["/build"])
    for tombstone in [0, last, last - 1] {
      program.setAddress(tombstone)
      program.row(addressDelta: 0, lineDelta: 70)
      program.row(addressDelta: 0x1080, lineDelta: 1)
      program.endSequence(addressDelta: 0x1000)
    }
    program.sequence(0x1000..<0x1080, line: 5)
    let reader = try kind.open(image(format, program))
    try expectEqual(lines(reader, [0x1000, 0x107f, 0x1080, 0x1100]), [5, 5, nil, nil])
    expectEmpty(reader.faults)
  }

  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func sequencesInAnyOrder(kind: DwarfReaderKind, format: DwarfFormat) throws {
    var program = LineProgramBuilder(format, directories: ["/build"])
    let order: [UInt64] = [5, 1, 4, 0, 3, 2]
    for index in order {
      program.sequence((0x1000 + index * 0x10)..<(0x100c + index * 0x10), line: Int64(index) + 1)
    }
    let reader = try kind.open(image(format, program))
    for index in order {
      let low = 0x1000 + index * 0x10
      try expectEqual(
        lines(reader, [low, low + 11, low + 12]), [UInt32(index) + 1, UInt32(index) + 1, nil])
    }
    expectEmpty(reader.faults)
  }

  /// Of several rows at one address, the last counts. A row with line 0 is a row.
  @Test(arguments: DwarfReaderKind.allCases) func rowsOfOneAddress(kind: DwarfReaderKind) throws {
    var program = LineProgramBuilder()
    program.setAddress(0x1000)
    program.row(addressDelta: 0, lineDelta: 9)
    program.row(addressDelta: 0, lineDelta: 1)
    program.row(addressDelta: 8, lineDelta: -11)
    program.row(addressDelta: 0, lineDelta: 0)
    program.endSequence(addressDelta: 8)
    let reader = try kind.open(image(DwarfFormat(), program))
    try expectEqual(lines(reader, [0x1000, 0x1007, 0x1008, 0x100f]), [11, 11, 0, 0])
  }

  /// The standard requires ascending rows. Descending ones are sorted, so that no row hides
  /// another; llvm-symbolizer 19 searches such rows unsorted and misses some.
  @Test(arguments: DwarfReaderKind.allCases) func rowsThatDescend(kind: DwarfReaderKind) throws {
    var program = LineProgramBuilder()
    program.setAddress(0x1010)
    program.row(addressDelta: 0, lineDelta: 1)  // 2
    program.setAddress(0x1000)
    program.row(addressDelta: 0, lineDelta: 1)  // 3
    program.setAddress(0x1020)
    program.row(addressDelta: 0, lineDelta: 1)  // 4
    program.endSequence(addressDelta: 0x10)
    let reader = try kind.open(image(DwarfFormat(), program))
    try expectEqual(
      lines(reader, [0x1000, 0x100f, 0x1010, 0x101f, 0x1020, 0x102f, 0x1030]),
      [3, 3, 2, 2, 4, 4, nil])
  }

  /// Empty sequences, and an end without rows.
  @Test(arguments: DwarfReaderKind.allCases) func emptySequences(kind: DwarfReaderKind) throws {
    var program = LineProgramBuilder()
    program.sequence(0x1000..<0x1000, line: 8)
    program.setAddress(0x1008)
    program.endSequence(addressDelta: 0)
    program.sequence(0x1000..<0x1010, line: 5)
    let reader = try kind.open(image(DwarfFormat(), program))
    try expectEqual(lines(reader, [0x1000, 0x1008, 0x100f, 0x1010]), [5, 5, 5, nil])
    expectEmpty(reader.faults)
  }

  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func programWithoutAnOpcode(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let reader = try kind.open(image(format, LineProgramBuilder(format, directories: ["/build"])))
    try expectNil(reader.row(0x1000))
    try expectEqual(reader.name(0x1000), "f")
    expectEmpty(reader.faults)
  }

  /// A truncated table: complete sequences are kept, and the last one is dropped with a fault.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func programThatIsCut(kind: DwarfReaderKind, format: DwarfFormat) throws {
    var program = LineProgramBuilder(format, directories: ["/build"])
    program.sequence(0x1000..<0x1010, line: 5)
    program.setAddress(0x1010)
    program.row(addressDelta: 0, lineDelta: 6)
    let reader = try kind.open(image(format, program))
    try expectEqual(lines(reader, [0x1000, 0x100f, 0x1010]), [5, 5, nil])
    try expectEqual(reader.name(0x1010), "f")
    expectEqual(reader.faults, [.malformed(section: .line, offset: 0)])
  }

  /// A table truncated in the middle of an opcode.
  @Test(
    arguments: DwarfReaderKind.safe,
    [[2], [2, 0x80], [0], [0, 9, 2, 1], [0, 0x80], [9, 1], [0, 200, 4], [4, 0xff]] as [[UInt8]])
  func opcodeThatIsCut(kind: DwarfReaderKind, opcode: [UInt8]) throws {
    var program = LineProgramBuilder()
    program.sequence(0x1000..<0x1010, line: 5)
    program.setAddress(0x1010)
    program.row(addressDelta: 0, lineDelta: 6)
    program.append(opcode)
    let reader = try kind.open(image(DwarfFormat(), program))
    try expectEqual(lines(reader, [0x1000, 0x100f, 0x1010]), [5, 5, nil])
    try expectEqual(reader.name(0x1010), "f")
    expectFalse(reader.faults.isEmpty)
  }

  /// `line_range` 0, which is a divisor in special opcodes; an unknown version; a header longer
  /// than its table; a length that exceeds the section.
  @Test(arguments: DwarfReaderKind.safe, DwarfFormat.versions)
  func damagedHeaders(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let intact = LineProgramBuilder(format, directories: ["/build"])
    let headerLength = format.version >= 5 ? 8 : 6
    let lineRange = headerLength + 4 + (format.version >= 4 ? 4 : 3)
    for (offset, value): (Int, UInt8) in [
      (lineRange, 0), (4, 1), (4, 6), (headerLength + 2, 0x7f), (2, 0x7f), (3, 0xff),
    ] {
      var program = intact
      program.setAddress(0x1000)
      program.specialRow(addressDelta: 0, lineDelta: 4)
      program.append([8])
      program.endSequence(addressDelta: 0x10)
      let image = image(format, program)
      var bytes = image[.line].bytes
      bytes[offset] = value
      image[.line] = BinaryBuilder()
      image[.line].append(bytes)
      let reader = try kind.open(image)
      try expectEqual(reader.name(0x1000), "f")
      try expectTrue(reader.row(0x1000) == nil || offset == lineRange)
      expectFalse(reader.faults.isEmpty, "\(offset)")
    }
  }

  /// A row with a file that the table lacks gives no location, and hides no other row.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func filesOutOfTheTable(kind: DwarfReaderKind, format: DwarfFormat) throws {
    var program = LineProgramBuilder(
      format, directories: ["/build"], files: [("a.c", 0), ("b.c", 0)])
    program.setAddress(0x1000)
    program.setFile(1)
    program.row(addressDelta: 0, lineDelta: 0)
    program.setFile(3)
    program.row(addressDelta: 4, lineDelta: 0)
    program.setFile(UInt64(UInt32.max))
    program.row(addressDelta: 4, lineDelta: 0)
    program.setFile(0)
    program.row(addressDelta: 4, lineDelta: 0)
    program.endSequence(addressDelta: 4)
    let reader = try kind.open(image(format, program))
    let is5 = format.version >= 5
    try expectEqual(reader.row(0x1003)?.path, is5 ? "/build/b.c" : "/build/a.c")
    try expectNil(reader.row(0x1004))
    try expectNil(reader.row(0x1008))
    try expectEqual(reader.row(0x100c)?.path, is5 ? "/build/a.c" : nil)
    for address: UInt64 in [0x1004, 0x1008] {
      try expectEqual(reader.frames(address).map(\.location), [nil])
    }
  }
}
