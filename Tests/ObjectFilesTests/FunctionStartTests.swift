import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// The data are ULEB128 differences (DWARF 5, section 7.6, has the encoding), the first from
/// __TEXT's address, here 0x1000.
@Suite struct FunctionStartTests {
  /// Two sections of code that touch, and one apart.
  private func file(_ data: [UInt8], cpuType: UInt32 = 0x0100_000c) throws -> ObjectFile {
    try parseThin(
      MachOImage(
        is64Bit: cpuType != 12, cpuType: cpuType, cpuSubtype: cpuType == 12 ? 9 : 0,
        segments: [
          .init(
            name: "__TEXT", address: 0x1000, size: 0x1000,
            sections: [
              .text(0x1100, size: 0x100), .text(0x1200, size: 0x40), .text(0x1400, size: 0x400),
            ])
        ], functionStarts: data
      ).bytes)
  }

  private func differences(_ values: [UInt64]) -> [UInt8] {
    var builder = BinaryBuilder()
    for value in values { builder.uleb128(value) }
    return builder.bytes
  }

  private func start(_ starts: FunctionStarts, _ address: UInt64) -> UInt64? {
    starts.start(containing: LinkAddress(address))?.value
  }

  @Test func functionsReachToTheNextOrToTheEndOfTheirSection() throws {
    // 0x1110, 0x1150, 0x1410; behind the 0 there is only padding.
    let data = differences([0x110, 0x40, 0x2c0, 0, 0x10])
    let starts = try require(file(data).readFunctionStarts())
    expectEqual(starts.count, 3)
    expectEqual(starts.faults, [])
    let expected: [(UInt64, UInt64?)] = [
      (0, nil), (0x1000, nil), (0x110f, nil), (0x1110, 0x1110), (0x114f, 0x1110),
      (0x1150, 0x1150), (0x11ff, 0x1150), (0x1200, nil), (0x1300, nil), (0x1400, nil),
      (0x1410, 0x1410), (0x17ff, 0x1410), (0x1800, nil), (.max, nil),
    ]
    for (address, found) in expected { expectEqual(start(starts, address), found, "\(address)") }
  }

  /// More than there are between two marks.
  @Test func everyOneOfManyIsFound() throws {
    let data = differences([0x400] + Array(repeating: 4, count: 199))
    let starts = try require(file(data).readFunctionStarts())
    expectEqual(starts.count, 200)
    for index in 0..<200 as Range<UInt64> {
      let function: UInt64? = 0x1400 + 4 * index
      expectEqual(start(starts, 0x1400 + 4 * index), function)
      expectEqual(start(starts, 0x1403 + 4 * index), function)
    }
    let last: UInt64? = 0x1400 + 4 * 199
    expectEqual(start(starts, 0x17ff), last)
  }

  /// Of 32-bit arm the differences are those of the addresses with the thumb bit.
  @Test func thumbFunctionsHaveEvenStarts() throws {
    let data = differences([0x111, 0x3f, 0x11])
    let arm = try require(file(data, cpuType: 12).readFunctionStarts())
    expectEqual(
      [0x110f, 0x1110, 0x1150, 0x1160].map { start(arm, $0) }, [nil, 0x1110, 0x1150, 0x1160])
    let other = try require(file(data).readFunctionStarts())
    expectEqual([0x1110, 0x1111, 0x1161].map { start(other, $0) }, [nil, 0x1111, 0x1161])
  }

  @Test func damagedListsAreUsedAsFarAsTheyGo() throws {
    let endless = try require(file([0x90, 0x02, 0x90]).readFunctionStarts())
    expectEqual(endless.count, 1)
    expectEqual(endless.faults.map(\.reason), [.damagedFunctionStarts(offset: 2)])
    expectEqual(start(endless, 0x1120), 0x1110)
    let large = try require(file(differences([0x110, .max])).readFunctionStarts())
    expectEqual(large.faults.map(\.reason), [.damagedFunctionStarts(offset: 2)])
    expectEqual(start(large, 0x1120), 0x1110)
  }

  @Test func dataBeyondTheEndAreAnError() throws {
    let image = MachOImage(
      segments: [.init(name: "__TEXT", address: 0x1000, size: 0x1000)], functionStarts: [1, 2, 3])
    let bytes = image.bytes
    let error = #expect(throws: ObjectFileError.self) {
      try parseThin(Array(bytes.dropLast())).readFunctionStarts()
    }
    expectEqual(
      error?.reason,
      .truncated(
        .functionStarts, offset: UInt64(bytes.count - 3), wanted: 3,
        available: UInt64(bytes.count - 1)))
  }

  @Test func filesWithoutAListHaveNone() throws {
    try expectNil(file([]).readFunctionStarts())
    try expectNil(parseThin(MachOImage().bytes).readFunctionStarts())
  }

  /// As `llvm-objdump-19 --macho --function-starts` lists them; the code ends at 0x10000437c.
  @Test func aLinkedImage() throws {
    let bytes = try Fixtures.bytes(of: Fixtures.path("MachO/shapes-arm64-stripped"))
    let starts = try require(parseThin(bytes).readFunctionStarts())
    let expected: [UInt64] = [
      0x1_0000_4000, 0x1_0000_4040, 0x1_0000_4064, 0x1_0000_4184, 0x1_0000_41a8, 0x1_0000_41c4,
      0x1_0000_422c, 0x1_0000_4258, 0x1_0000_4308, 0x1_0000_4324, 0x1_0000_4340,
    ]
    expectEqual(starts.count, expected.count)
    for (function, next) in zip(expected, expected.dropFirst() + [0x1_0000_437c]) {
      expectEqual(start(starts, function), function)
      expectEqual(start(starts, next - 1), function)
    }
    expectNil(start(starts, 0x1_0000_437c))
  }
}
