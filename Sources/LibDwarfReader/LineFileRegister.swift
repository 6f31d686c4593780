import BinaryInput
package import DwarfReader

/// Counts the rows of a version 5 line table that take their file from the file register's initial
/// value.
///
/// "The file register is 1 at the start of each sequence" (DWARF 5, section 6.2.2), so compilers
/// emit no `DW_LNS_set_file` for a sequence that begins in file 1. libdwarf 20210528 starts the
/// register at 0 instead and gives these rows the wrong file. This walks the opcodes, without
/// computing rows, to find out which rows are wrong.
package struct LineFileRegister {
  /// For each sequence, in program order: the number of its rows before the first
  /// `DW_LNS_set_file`.
  package private(set) var rowsBeforeSetFile: [Int] = []

  /// Walks the table at `offset` of `.debug_line` (`DW_AT_stmt_list`). In a damaged program, it
  /// counts up to the damage. Nil if the table has another version, or its header cannot be read.
  package init?(_ sections: DwarfSections, tableAt offset: UInt64) {
    guard let region = sections[.line] else { return nil }
    var reader = region.reader(byteOrder: sections.byteOrder)
    do {
      try reader.seek(to: offset)
      guard let header = try Header(&reader) else { return nil }
      var program = header.program.reader(byteOrder: sections.byteOrder)
      while !program.isAtEnd { try step(&program, header) }
    } catch {
      // libdwarf meets the same damage when it reads the rows, and reports it.
    }
  }

  private var setsFile = false
  private var rowsBefore = 0

  private struct Header {
    let program: ByteRegion
    let standardOpcodeOperandCounts: [UInt8]
    var opcodeBase: UInt8 { UInt8(clamping: standardOpcodeOperandCounts.count + 1) }

    /// DWARF 5, section 6.2.4. Nil for other versions.
    init?(_ reader: inout ByteReader) throws(ByteReadError) {
      let shortLength = try reader.read(UInt32.self)
      let is64Bit = shortLength == 0xffff_ffff
      let length = is64Bit ? try reader.read(UInt64.self) : UInt64(shortLength)
      let unit = try reader.readRegion(count: length)
      var inner = unit.reader(byteOrder: reader.byteOrder)
      guard try inner.read(UInt16.self) == 5 else { return nil }
      try inner.skip(2)  // address_size, segment_selector_size
      let headerLength = try inner.readUnsigned(size: is64Bit ? 8 : 4)
      let programStart = UInt64(inner.position).addingReportingOverflow(headerLength)
      try inner.skip(5)  // minimum_instruction_length to line_range
      let opcodeBase = try inner.read(UInt8.self)
      var counts: [UInt8] = []
      for _ in 1..<max(opcodeBase, 1) { counts.append(try inner.read()) }
      self.standardOpcodeOperandCounts = counts
      guard !programStart.overflow else {
        throw .outOfBounds(offset: .max, count: 0, available: UInt64(unit.count))
      }
      try inner.seek(to: programStart.partialValue)
      self.program = try inner.readRegion(count: UInt64(inner.remaining))
    }
  }

  private mutating func step(
    _ program: inout ByteReader, _ header: Header
  ) throws(ByteReadError) {
    let opcode = try program.read(UInt8.self)
    switch opcode {
    case header.opcodeBase...:
      countRow()
    case 0:
      let length = try program.readUleb128()
      var extended = try program.readRegion(count: length).reader(byteOrder: program.byteOrder)
      if !extended.isAtEnd, try extended.read(UInt8.self) == 0x01 { endSequence() }
    case 0x01:  // DW_LNS_copy
      countRow()
    case 0x04:  // DW_LNS_set_file
      _ = try program.readUleb128()
      setsFile = true
    case 0x09:  // DW_LNS_fixed_advance_pc, the only one whose operand is not a LEB128 number
      try program.skip(2)
    default:
      for _ in 0..<header.standardOpcodeOperandCounts[Int(opcode) - 1] {
        _ = try program.readUleb128()
      }
    }
  }

  private mutating func countRow() {
    if !setsFile { rowsBefore += 1 }
  }

  private mutating func endSequence() {
    rowsBeforeSetFile.append(rowsBefore)
    rowsBefore = 0
    setsFile = false
  }
}
