import DwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// Every opcode of line programs. Expected values are computed by hand from the opcodes that each
/// test writes, according to DWARF 5, section 6.2.5.
@Suite struct LineOpcodeTests {
  /// A reader for a unit that covers 0x1000 to 0x2000 with these lines.
  private func open(
    _ kind: DwarfReaderKind, _ format: DwarfFormat = DwarfFormat(),
    _ lines: LineProgramBuilder
  ) throws -> any DwarfReading {
    let image = DwarfImageBuilder(format)
    let table = lines.append(to: image)
    image.addUnit { unit in
      unit.die(
        Tag.compileUnit, [.lines(table), .directory("/build")], code: 0x1000..<0x2000)
    }
    return try kind.open(image)
  }

  /// Lines by address; 0 if there is no row.
  private func expect(
    _ reader: any DwarfReading, _ lines: [(UInt64, UInt32)],
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) throws {
    for (address, line) in lines {
      try expectEqual(
        reader.row(address)?.line ?? 0, line, "\(String(address, radix: 16))",
        sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.all)
  func standardOpcodes(kind: DwarfReaderKind, format: DwarfFormat) throws {
    // opcode_base 10 covers the nine opcodes of DWARF 2; the other three exist since DWARF 3.
    var parameters = LineProgramParameters()
    if format.version == 2 { parameters.operandCounts.removeLast(3) }
    var lines = LineProgramBuilder(
      format, parameters: parameters, directories: ["/build", "/dir"],
      files: [("a.c", 0), ("b.c", 0), ("c.c", 1)])
    lines.setAddress(0x1000)
    lines.setFile(2)
    lines.setColumn(300)
    lines.advanceLine(99)  // to 100
    lines.append([6, 7])  // negate_stmt, set_basic_block
    lines.copy()  // 0x1000: 100
    lines.append([8])  // const_add_pc: as special opcode 255, (255 - opcode_base) / 12
    lines.advanceLine(-50)
    lines.copy()  // 50, at 0x1000 + 20
    lines.append([9])  // fixed_advance_pc, an operand of two bytes
    lines.number(0x180)
    lines.specialRow(addressDelta: 0, lineDelta: 8)  // 58, at 0x1194
    if format.version > 2 {
      lines.append([10, 11, 12, 0x85, 0x01])  // prologue_end, epilogue_begin, set_isa
    }
    lines.specialRow(addressDelta: 5, lineDelta: -3)  // 55, at 0x1199
    lines.advance(200)  // two bytes
    lines.advanceLine(1000)
    lines.copy()  // 1055, at 0x1261
    lines.endSequence(addressDelta: 0x10)  // 0x1271
    let reader = try open(kind, format, lines)
    try expect(
      reader,
      [
        (0xfff, 0), (0x1000, 100), (0x1013, 100), (0x1014, 50), (0x1193, 50), (0x1194, 58),
        (0x1198, 58), (0x1199, 55), (0x1260, 55), (0x1261, 1055), (0x1270, 1055), (0x1271, 0),
      ])
    let row = try reader.row(0x1000)
    expectEqual(row?.column, 300)
    expectEqual(row?.path, format.version >= 5 ? "/dir/c.c" : "/build/b.c")
    expectEmpty(reader.faults)
  }

  /// With `minimum_instruction_length` 4, only `fixed_advance_pc` still counts bytes.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func instructionsOfFourBytes(kind: DwarfReaderKind, format: DwarfFormat) throws {
    let parameters = LineProgramParameters(minimumInstructionLength: 4)
    var lines = LineProgramBuilder(format, parameters: parameters, directories: ["/build"])
    lines.setAddress(0x1000)
    lines.copy()  // 1
    lines.advance(3)
    lines.specialRow(addressDelta: 0, lineDelta: 1)  // 2, at 0x100c
    lines.specialRow(addressDelta: 2, lineDelta: 1)  // 3, at 0x1014
    lines.append([8])  // 20 instructions
    lines.specialRow(addressDelta: 0, lineDelta: 1)  // 4, at 0x1064
    lines.append([9])
    lines.number(6)
    lines.specialRow(addressDelta: 0, lineDelta: 1)  // 5, at 0x106a
    lines.endSequence(addressDelta: 1)
    let reader = try open(kind, format, lines)
    try expect(
      reader,
      [
        (0x100b, 1), (0x100c, 2), (0x1013, 2), (0x1014, 3), (0x1063, 3), (0x1064, 4), (0x1069, 4),
        (0x106a, 5), (0x106d, 5), (0x106e, 0),
      ])
    expectEmpty(reader.faults)
  }

  /// With several operations in an instruction, opcodes share the register `op_index` (since DWARF
  /// 4): address += length * ((op_index + advance) / maximum), op_index = (op_index + advance) %
  /// maximum. llvm-symbolizer 19 gives the same lines for these bytes; libdwarf 20210528 does not.
  @Test(arguments: DwarfReaderKind.complete, [4, 5] as [UInt16])
  func severalOperationsInAnInstruction(kind: DwarfReaderKind, version: UInt16) throws {
    let parameters = LineProgramParameters(
      minimumInstructionLength: 16, maximumOperationsPerInstruction: 3)
    let format = DwarfFormat(version: version)
    var lines = LineProgramBuilder(format, parameters: parameters, directories: ["/build"])
    lines.setAddress(0x1000)
    lines.copy()  // 1, at 0x1000 operation 0
    lines.specialRow(addressDelta: 2, lineDelta: 1)  // 2, at 0x1000 operation 2
    lines.specialRow(addressDelta: 2, lineDelta: 1)  // 3, at 0x1010 operation 1
    lines.advance(4)  // 0x1020 operation 2
    lines.copy()  // 3
    lines.append([8])  // 20 operations: 22 / 3 = 7 instructions, operation 1
    lines.specialRow(addressDelta: 0, lineDelta: 1)  // 4, at 0x1090
    lines.append([9])  // sets op_index to 0
    lines.number(0x10)
    lines.specialRow(addressDelta: 2, lineDelta: 1)  // 5, at 0x10a0 operation 2
    lines.specialRow(addressDelta: 1, lineDelta: 1)  // 6, at 0x10b0 operation 0
    lines.endSequence(addressDelta: 3)  // 0x10c0
    let reader = try open(kind, format, lines)
    try expect(
      reader,
      [
        (0x1000, 2), (0x100f, 2), (0x1010, 3), (0x108f, 3), (0x1090, 4), (0x109f, 4), (0x10a0, 5),
        (0x10af, 5), (0x10b0, 6), (0x10bf, 6), (0x10c0, 0),
      ])
    expectEmpty(reader.faults)
  }

  /// Special opcodes with a positive and a very negative `line_base`, and lines below 0, which wrap
  /// around in 32 bits.
  @Test(arguments: DwarfReaderKind.allCases, [(1, 4), (-100, 120), (0, 1), (-5, 14)])
  func lineBases(kind: DwarfReaderKind, parameters: (base: Int, range: Int)) throws {
    let parameters = LineProgramParameters(
      lineBase: Int8(parameters.base), lineRange: UInt8(parameters.range))
    var lines = LineProgramBuilder(parameters: parameters)
    let last = Int(parameters.lineBase) + Int(parameters.lineRange) - 1
    lines.setAddress(0x1000)
    lines.advanceLine(199)
    lines.specialRow(addressDelta: 0, lineDelta: Int(parameters.lineBase))
    lines.specialRow(addressDelta: 1, lineDelta: last)
    lines.append([8])  // (255 - 13) / line_range
    lines.copy()
    lines.endSequence(addressDelta: 1)
    let reader = try open(kind, DwarfFormat(), lines)
    let first = UInt32(200 + Int(parameters.lineBase))
    let second = UInt32(Int(first) + last)
    let end = 0x1001 + 242 / UInt64(parameters.lineRange)
    try expect(reader, [(0x1000, first), (0x1001, second), (end, second), (end + 1, 0)])
  }

  /// Opcodes from `opcode_base` on are special, even those that have another meaning in other
  /// tables.
  @Test(arguments: DwarfReaderKind.allCases, [4, 9, 10, 12])
  func smallOpcodeBases(kind: DwarfReaderKind, count: Int) throws {
    try expectOpcodeBase(count, kind)
  }

  /// The header states the number of LEB128 operands of unknown standard opcodes. libdwarf 20210528
  /// rejects the table (`DW_DLE_LINE_NUM_OPERANDS_BAD`).
  @Test(arguments: DwarfReaderKind.complete, [13, 17, 20])
  func largeOpcodeBases(kind: DwarfReaderKind, count: Int) throws {
    try expectOpcodeBase(count, kind)
  }

  private func expectOpcodeBase(_ count: Int, _ kind: DwarfReaderKind) throws {
    var parameters = LineProgramParameters()
    let known = parameters.operandCounts
    parameters.operandCounts = (0..<count).map { $0 < known.count ? known[$0] : UInt8($0 % 4) }
    var lines = LineProgramBuilder(parameters: parameters)
    lines.setAddress(0x1000)
    lines.copy()
    for opcode in known.count..<max(count, known.count) {
      lines.append([UInt8(opcode + 1)])
      // 0x4001 in LEB128, and the last opcode's operands look like DW_LNS_copy.
      for _ in 0..<parameters.operandCounts[opcode] { lines.append([0x81, 0x80, 0x01]) }
    }
    lines.specialRow(addressDelta: 4, lineDelta: 2)
    lines.specialRow(addressDelta: 4, lineDelta: 2)
    lines.endSequence(addressDelta: 4)
    let reader = try open(kind, DwarfFormat(), lines)
    try expect(reader, [(0x1003, 1), (0x1004, 3), (0x1007, 3), (0x1008, 5), (0x100c, 0)])
    expectEmpty(reader.faults)
  }

  /// `DW_LNE_set_discriminator`, vendor opcodes and unknown ones are skipped by their length, which
  /// may be encoded in more bytes than necessary.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func extendedOpcodes(kind: DwarfReaderKind, format: DwarfFormat) throws {
    var lines = LineProgramBuilder(format, directories: ["/build"])
    lines.setAddress(0x1000)
    lines.extended(4, [0x85, 0x01])
    lines.copy()
    lines.extended(0x80, [1, 2, 3])
    lines.append([0, 0x83, 0x80, 0x00, 0x7f, 1, 1])
    lines.specialRow(addressDelta: 4, lineDelta: 1)
    lines.advance(4)
    lines.append([0, 0x81, 0x00, 1])  // end_sequence
    lines.sequence(0x1800..<0x1810, line: 7)
    let reader = try open(kind, format, lines)
    try expect(
      reader, [(0x1000, 1), (0x1004, 2), (0x1007, 2), (0x1008, 0), (0x1800, 7), (0x180f, 7)])
    expectEmpty(reader.faults)
  }

  /// `DW_LNE_define_file` adds to the files of the header (DWARF 4, section 6.2.5.3).
  @Test(arguments: DwarfReaderKind.allCases, [2, 3, 4] as [UInt16])
  func defineFile(kind: DwarfReaderKind, version: UInt16) throws {
    let format = DwarfFormat(version: version)
    var lines = LineProgramBuilder(format, directories: ["/dir"], files: [("a.c", 0)])
    lines.setAddress(0x1000)
    lines.extended(3, Array("new.c".utf8) + [0, 1, 0, 0])
    lines.extended(3, Array("newer.c".utf8) + [0, 0, 0x80, 0x01, 5])
    lines.setFile(2)
    lines.copy()
    lines.setFile(3)
    lines.specialRow(addressDelta: 4, lineDelta: 1)
    lines.endSequence(addressDelta: 4)
    let reader = try open(kind, format, lines)
    try expectEqual(reader.row(0x1000)?.path, "/dir/new.c")
    try expectEqual(reader.row(0x1004)?.path, "/build/newer.c")
    expectEmpty(reader.faults)
  }

  /// Each sequence begins with the initial registers (DWARF 5, section 6.2.2): file 1, line 1,
  /// column 0.
  @Test(arguments: DwarfReaderKind.allCases, DwarfFormat.versions)
  func registersStartAnew(kind: DwarfReaderKind, format: DwarfFormat) throws {
    var lines = LineProgramBuilder(
      format, directories: ["/build"], files: [("a.c", 0), ("b.c", 0), ("c.c", 0)])
    lines.setAddress(0x1000)
    lines.setFile(2)
    lines.setColumn(9)
    lines.row(addressDelta: 0, lineDelta: 40)
    lines.endSequence(addressDelta: 0x10)
    lines.setAddress(0x1800)
    lines.copy()
    lines.endSequence(addressDelta: 0x10)
    let reader = try open(kind, format, lines)
    try expectEqual(reader.row(0x1000)?.line, 41)
    let row = try reader.row(0x1800)
    expectEqual(row?.line, 1)
    expectEqual(row?.column, 0)
    expectEqual(row?.path, format.version >= 5 ? "/build/b.c" : "/build/a.c")
  }
}
