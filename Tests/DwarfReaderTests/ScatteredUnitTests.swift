import BinaryInput
import SymbolicationModel
import TestSupport
import Testing

@testable import DwarfReader

/// A `.debug_info` that is so large that the headers of units are read from the file and not from
/// the mapping. The same bytes in memory are read from there, and must give the same.
@Suite struct ScatteredUnitTests {
  private static let code: UInt64 = 0x40_0000

  /// Units that cannot all be read, the last behind 8 MiB of another.
  private static func content() -> [DwarfSectionName: [UInt8]] {
    // 1: with a range. 2: with an inline name of 300 bytes before the range. 3: without a range.
    let table =
      SharedDwarfTests.declaration(1, tag: 0x11, [(0x11, 0x01), (0x12, 0x06)])
      + SharedDwarfTests.declaration(2, tag: 0x11, [(0x03, 0x08), (0x11, 0x01), (0x12, 0x06)])
      + SharedDwarfTests.declaration(3, tag: 0x11, [(0x1b, 0x08)]) + [0]
    func range(_ index: UInt64) -> [UInt8] {
      SharedDwarfTests.number(code + index * 0x100) + SharedDwarfTests.number(UInt32(0x80))
    }
    var info: [UInt8] = []
    info += SharedDwarfTests.unit([1] + range(0))
    info += SharedDwarfTests.unit(
      [2] + [UInt8](repeating: UInt8(ascii: "n"), count: 300) + [0] + range(1))
    info += SharedDwarfTests.unit([3] + Array("/build".utf8) + [0])
    info += SharedDwarfTests.unit(version: 9, [1] + range(2))
    info += SharedDwarfTests.unit(version: 5, [1] + range(3))
    info += SharedDwarfTests.unit([])
    info += SharedDwarfTests.unit([9] + range(4))
    info += SharedDwarfTests.unit([1] + range(5) + [UInt8](repeating: 0, count: 8 << 20))
    info += SharedDwarfTests.unit([1] + range(6))
    info += SharedDwarfTests.unit([1] + range(7).dropLast())
    // Its length passes the end of the section.
    info += [0xff, 0xff, 0, 0, 4, 0]
    return [.info: info, .abbreviations: table]
  }

  @Test func readsTheSameFromTheFile() throws {
    let content = Self.content()
    let inMemory = DwarfSections(
      regions: content.mapValues { ByteRegion(copying: $0) }, byteOrder: .little, addressSize: 8,
      codeRanges: [LinkAddress(Self.code)..<LinkAddress(Self.code + 0x10_0000)])
    let directory = try TemporaryDirectory()
    let path = try directory.write(content[.info] ?? [], to: "info")
    let mapped = inMemory.replacing(.info, with: try MappedFile.open(path: path))
    let info = try require(mapped[.info])
    expectTrue(DwarfUnitStart.reader(of: info) != nil)

    let expectedList = DwarfUnitList(inMemory)
    let list = DwarfUnitList(mapped)
    expectEqual(list.units, expectedList.units)
    expectEqual(list.units.count, 9)
    expectEqual(list.faults, expectedList.faults)
    expectEqual(list.faults.count, 2)

    let expected = UnitRangeSearch.ranges(
      of: try DwarfFile(imageSections: inMemory, referencedFiles: nil))
    let found = UnitRangeSearch.ranges(
      of: try DwarfFile(imageSections: mapped, referencedFiles: nil))
    expectEqual(found.table.entries, expected.table.entries)
    expectEqual(
      found.table.entries.map { $0.low }, [0, 1, 3, 5, 6].map { Self.code + $0 * 0x100 })
    expectEqual(found.faults, expected.faults)
    expectFalse(found.faults.isEmpty)
  }
}
