import BinaryInput
import DwarfReader
import LibDwarfReader
import TestSupport
import Testing

/// Line programs built in the test. The expected counts are found by reading the opcodes according
/// to DWARF 5, section 6.2.5: 0x01 copy, 0x02 advance_pc, 0x04 set_file, 0x09 fixed_advance_pc, 13
/// and above special.
struct LineFileRegisterTests {
  private static let endSequence: [UInt8] = [0, 1, 1]

  /// - Parameter before: bytes in front of the table.
  private func sections(
    _ program: [UInt8], version: UInt16 = 5, bigEndian: Bool = false, is64Bit: Bool = false,
    before: Int = 0
  ) -> DwarfSections {
    var header = BinaryBuilder(bigEndian: bigEndian)
    // minimum_instruction_length, maximum_operations, default_is_stmt, line_base, line_range,
    // opcode_base
    for byte: UInt8 in [1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1] {
      header.u8(byte)
    }
    header.append([0, 0, 0, 0])  // no directories and no files
    var unit = BinaryBuilder(bigEndian: bigEndian)
    unit.u16(version)
    unit.u8(8)
    unit.u8(0)
    if is64Bit { unit.u64(UInt64(header.count)) } else { unit.u32(UInt32(header.count)) }
    unit.append(header.bytes)
    unit.append(program)
    var section = BinaryBuilder(bigEndian: bigEndian)
    section.append([UInt8](repeating: 0xee, count: before))
    if is64Bit {
      section.u32(0xffff_ffff)
      section.u64(UInt64(unit.count))
    } else {
      section.u32(UInt32(unit.count))
    }
    section.append(unit.bytes)
    section.append([0xee, 0xee])
    return DwarfSections(
      regions: [.line: ByteRegion(copying: section.bytes)],
      byteOrder: bigEndian ? .big : .little, addressSize: 8, codeRanges: [])
  }

  @Test(arguments: [(false, false), (true, false), (false, true), (true, true)])
  func countsRowsBeforeTheFirstSetFileOfEachSequence(bigEndian: Bool, is64Bit: Bool) {
    let program: [UInt8] =
      // set_address, two special rows, a copy; then file 2 and one more row.
      [0, 9, 2, 1, 2, 3, 4, 5, 6, 7, 8, 20, 0xff, 0x01, 0x04, 2, 20] + Self.endSequence
      // File 1 is set before the first row.
      + [0x04, 1, 20, 20] + Self.endSequence
      // No file is set; operands that look like set_file are not opcodes.
      + [0x02, 0x04, 0x03, 0x04, 0x09, 0x04, 0x04, 20] + Self.endSequence
    let register = LineFileRegister(
      sections(program, bigEndian: bigEndian, is64Bit: is64Bit, before: 7), tableAt: 7)
    expectEqual(register?.rowsBeforeSetFile, [3, 0, 1])
  }

  @Test(arguments: [2, 3, 4, 6] as [UInt16])
  func leavesOtherVersionsAlone(version: UInt16) {
    let register = LineFileRegister(
      sections([20] + Self.endSequence, version: version), tableAt: 0)
    expectNil(register)
  }

  @Test func keepsWhatComesBeforeDamage() {
    let whole = [20] + Self.endSequence
    // An extended opcode whose length exceeds the program.
    expectEqual(
      LineFileRegister(sections(whole + [0, 0x7f, 1]), tableAt: 0)?.rowsBeforeSetFile, [1])
    expectEqual(LineFileRegister(sections(whole + [0x04]), tableAt: 0)?.rowsBeforeSetFile, [1])
    // An offset outside the section.
    expectEqual(LineFileRegister(sections(whole), tableAt: 1 << 40)?.rowsBeforeSetFile, [])
  }
}
