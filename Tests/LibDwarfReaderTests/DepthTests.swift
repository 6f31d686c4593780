import BinaryInput
import DwarfReader
import LibDwarfReader
import SymbolicationModel
import TestSupport
import Testing

/// What only this reader does. `DwarfReadingTests` tests the answers of all readers.
struct DepthTests {
  /// 1,000 levels are rejected, because libdwarf would take quadratic time. Expected values are
  /// read off the bytes: DWARF 4 with the abbreviations 1 (unit with low_pc and length), 2 (lexical
  /// block with children) and 3 (function with low_pc and length).
  @Test(arguments: [(300, true), (1000, false)]) func depthOfTheTree(levels: Int, isRead: Bool)
    throws
  {
    var unit = BinaryBuilder()
    unit.u16(4)
    unit.u32(0)
    unit.u8(8)
    unit.u8(1)
    unit.u64(0x1000)
    unit.u8(0x10)
    unit.append([UInt8](repeating: 2, count: levels))
    unit.u8(3)
    unit.u64(0x1000)
    unit.u8(0x10)
    unit.append([UInt8](repeating: 0, count: levels + 1))
    var info = BinaryBuilder()
    info.u32(UInt32(unit.count))
    info.append(unit.bytes)
    let abbreviations: [UInt8] = [
      1, 0x11, 1, 0x11, 0x01, 0x12, 0x0b, 0, 0, 2, 0x0b, 1, 0, 0,
      3, 0x2e, 0, 0x11, 0x01, 0x12, 0x0b, 0, 0, 0,
    ]
    let reader = try LibDwarfReader(
      sections: DwarfSections(
        regions: [
          .info: ByteRegion(copying: info.bytes),
          .abbreviations: ByteRegion(copying: abbreviations),
        ],
        byteOrder: .little, addressSize: 8, codeRanges: [LinkAddress(0x1000)..<LinkAddress(0x2000)])
    )
    if isRead {
      try expectEqual(reader.answer(at: LinkAddress(0x1000))?.frames.count, 1)
    } else {
      // The block at level 512. The first block comes behind a header of 11 bytes and the unit's
      // DIE of 10.
      #expect(throws: DwarfReadError.malformed(section: .info, offset: 21 + 511)) {
        try reader.answer(at: LinkAddress(0x1000))
      }
    }
    expectEqual(reader.faults.isEmpty, isRead)
  }
}
