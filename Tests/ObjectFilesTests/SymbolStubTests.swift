import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

/// The symbol of a stub follows from `<mach-o/loader.h>`: the stub at index n of a section
/// with S_SYMBOL_STUBS has entry reserved1 + n of the indirect symbol table; 0x8000_0000 is
/// INDIRECT_SYMBOL_LOCAL, 0x4000_0000 INDIRECT_SYMBOL_ABS.
@Suite struct SymbolStubTests {
  /// Five stubs of 12 bytes and half of one more, from entry 1 on.
  private func image(
    first: UInt32 = 1, stubSize: UInt32 = 12, indirect: [UInt32]? = Self.entries,
    is64Bit: Bool = true,
    bigEndian: Bool = false
  ) -> MachOImage {
    MachOImage(
      is64Bit: is64Bit, bigEndian: bigEndian, cpuType: is64Bit ? 0x0100_000c : 12,
      segments: [
        .init(
          name: "__TEXT", address: 0x1000, size: 0x1000,
          sections: [
            .text(0x1100, size: 0x100),
            .init(
              name: "__stubs", address: 0x1200, size: 66, flags: 0x8000_0408, reserved1: first,
              reserved2: stubSize),
          ])
      ],
      symbols: [
        .init(name: "_a", value: 0x1100),
        .init(name: "_strcmp", type: 1, section: 0, value: 0),
        .init(name: "_$s3App4MainV", type: 1, section: 0, value: 0),
        .init(name: "_lost", type: 1, section: 0, value: 0, nameOffset: 0xffff),
        .init(name: "_none", type: 1, section: 0, value: 0, nameOffset: 0),
      ], indirectSymbols: indirect)
  }

  private static let entries: [UInt32] = [0, 2, 1, 0x8000_0000, 0x4000_0001, 4, 1]

  private func stub(_ image: MachOImage, _ address: UInt64) throws -> Symbol? {
    try parseThin(image.bytes).readSymbolStubs()?.stub(at: LinkAddress(address))
  }

  private func refusal(_ image: MachOImage, _ address: UInt64) -> ObjectFileError.Reason? {
    (#expect(throws: ObjectFileError.self) { try stub(image, address) })?.reason
  }

  @Test(arguments: [(true, false), (false, false), (false, true)])
  func stubsHaveTheNamesOfTheirImports(is64Bit: Bool, bigEndian: Bool) throws {
    let image = image(is64Bit: is64Bit, bigEndian: bigEndian)
    let swift = Symbol(rawName: "_$s3App4MainV", addresses: addresses(0x1200, 0x120c))
    try expectEqual(stub(image, 0x1200), swift)
    try expectEqual(stub(image, 0x120b), swift)
    try expectEqual(
      stub(image, 0x120c), Symbol(rawName: "_strcmp", addresses: addresses(0x120c, 0x1218)))
  }

  @Test func whatHasNoName() throws {
    // Outside; local; absolute; a symbol without a name; half a stub; the end.
    for address: UInt64 in [0, 0x11ff, 0x1218, 0x1224, 0x1230, 0x123c, 0x1241, 0x1242, .max] {
      try expectNil(stub(image(), address), "\(address)")
    }
  }

  @Test func imagesWithoutATableHaveNoStubs() throws {
    try expectNil(parseThin(image(indirect: nil).bytes).readSymbolStubs())
  }

  @Test func brokenWaysToTheNameAreErrors() throws {
    expectEqual(refusal(image(stubSize: 0), 0x1200), .emptyStubs(section: "__stubs"))
    expectEqual(
      refusal(image(first: .max), 0x120c),
      .indirectSymbolIndex(section: "__stubs", index: 0x1_0000_0000, count: 7))
    expectEqual(
      refusal(image(first: 7), 0x1200), .indirectSymbolIndex(section: "__stubs", index: 7, count: 7)
    )
    expectEqual(refusal(image(indirect: [0, 5]), 0x1200), .symbolIndex(5, count: 5))
    expectEqual(
      refusal(image(indirect: [0, 3]), 0x1200),
      .namesOutsideStringTable(.symbolTable, count: 1, first: 3))
  }

  @Test func aTableBeyondTheEndIsAnError() throws {
    let bytes = image().bytes
    let reason = #expect(throws: ObjectFileError.self) {
      try parseThin(Array(bytes.dropLast())).readSymbolStubs()
    }?.reason
    expectEqual(
      reason,
      .truncated(
        .indirectSymbolTable, offset: UInt64(bytes.count - 28), wanted: 28,
        available: UInt64(bytes.count - 1)))
  }

  /// As `llvm-objdump-19 --macho --indirect-symbols` lists them.
  @Test func aLinkedImage() throws {
    let bytes = try Fixtures.bytes(of: Fixtures.path("MachO/calls-arm64-stripped"))
    let stubs = try require(parseThin(bytes).readSymbolStubs())
    try expectEqual(stubs.stub(at: LinkAddress(0x1_0000_4060))?.rawName, "_spread")
    try expectEqual(stubs.stub(at: LinkAddress(0x1_0000_406c))?.rawName, "_sum_of_areas")
    try expectNil(stubs.stub(at: LinkAddress(0x1_0000_405f)))
    try expectNil(stubs.stub(at: LinkAddress(0x1_0000_4078)))
  }
}
