import BinaryInput

/// Where the sequences of a line table of version 5 rely on the file register's first value.
///
/// "The file register is 1 at the start of each sequence" (DWARF 5, section 6.2.2). A program that
/// begins in file 1 sets no file, and compilers make use of that; libdwarf 20210528 starts at 0. This
/// walks the opcodes of the table, without computing rows, and tells the rows concerned.
package struct DwarfLineFileRegister {
  /// For each sequence, in the order of the program, how many of its rows come before the first
  /// `DW_LNS_set_file`.
  package private(set) var rowsBeforeSetFile: [Int] = []

  /// - Parameter offset: the table's place in `.debug_line` (`DW_AT_stmt_list`).
  /// - Returns: nil where the table is of another version. Of a damaged program it is what comes
  ///   before the damage.
  package init?(_ sections: DwarfSections, tableAt offset: UInt64) {
    guard let region = sections[.line] else { return nil }
    var reader = region.reader(byteOrder: sections.byteOrder)
    do {
      try reader.seek(to: offset)
      guard let header = try Header(&reader) else { return nil }
      var program = header.program.reader(byteOrder: sections.byteOrder)
      while !program.isAtEnd { try step(&program, header) }
    } catch {
      // The reader of the rows meets the same damage and reports it.
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
    case 0x09:  // DW_LNS_fixed_advance_pc, the one whose operand is no LEB128
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
