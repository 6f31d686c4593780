import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// The reason why the nearest symbol does not name an address.
struct RefusedSymbolTests {
  private func refusal(_ file: String, _ address: UInt64) throws -> SymbolRefusal? {
    let resolver = try ImageResolver(symbolFile: Fixtures.path(file))
    let refusal = resolver.refusedSymbol(at: LinkAddress(address))
    // An address has a name or a refused symbol, and never both.
    expectTrue(refusal == nil || resolver.resolve(LinkAddress(address)) == nil)
    return refusal
  }

  /// `_spread` at 0x100004064 and a function without symbol at 0x100004184: `llvm-nm-19`,
  /// `llvm-objdump-19 --macho --function-starts`. `__text` ends at 0x10000437c, `_main` is the last
  /// one of `__text` (`llvm-nm-19 -n`).
  @Test func functionStartInBetween() throws {
    let file = "MachO/shapes-arm64-stripped"
    try expectEqual(
      refusal(file, 0x1_0000_4190),
      SymbolRefusal(
        rawName: "_spread", start: LinkAddress(0x1_0000_4064),
        reason: .functionStart(LinkAddress(0x1_0000_4184))))
    try expectNil(refusal(file, 0x1_0000_4183))
    try expectNil(refusal(file, 0x1_0000_0010))
  }

  /// `main` at 0x1480 has 0x2a bytes, `sum_of_areas.cold.1` at 0x17b0 has 0x33 and ends `.text`
  /// (`llvm-nm-19 -nS`); `.plt` begins at 0x17f0 (`llvm-readelf-19 -S`), with code that has no
  /// name.
  @Test func endAndSection() throws {
    let file = "Elf/libshapes-nodebug.elf"
    try expectNil(refusal(file, 0x14a9))
    try expectEqual(
      refusal(file, 0x14aa),
      SymbolRefusal(
        rawName: "main", start: LinkAddress(0x1480), reason: .endsAt(LinkAddress(0x14aa))))
    for (address, section) in [(0x17e5, nil), (0x17f8, ".plt")] as [(UInt64, String?)] {
      try expectEqual(
        refusal(file, address),
        SymbolRefusal(
          rawName: "sum_of_areas.cold.1", start: LinkAddress(0x17b0),
          reason: .anotherSection(own: ".text", ofAddress: section)))
    }
    try expectNil(refusal(file, 0x147f))
  }

  /// The names in the fixture are replaced by the one that the system's shared cache writes.
  @Test func hiddenNames() throws {
    let directory = try TemporaryDirectory()
    var bytes = try Fixtures.bytes(of: Fixtures.path("MachO/shapes-arm64-stripped"))
    let name = try require(bytes.firstRange(of: Array("_table_lookup\0".utf8)))
    bytes.replaceSubrange(name, with: Array("<redacted>\0".utf8) + [0, 0, 0])
    let path = try directory.write(bytes, to: "hidden")
    let resolver = try ImageResolver(symbolFile: path)
    // The export trie, 144 bytes at 49208 (`llvm-otool-19 -l`), still has the name.
    expectEqual(resolver.resolve(LinkAddress(0x1_0000_4044))?.origin, .exportTrie)
    expectNil(resolver.refusedSymbol(at: LinkAddress(0x1_0000_4044)))

    bytes.replaceSubrange(49208..<49352, with: repeatElement(0, count: 144))
    let hidden = try ImageResolver(symbolFile: directory.write(bytes, to: "hidden without exports"))
    expectNil(hidden.resolve(LinkAddress(0x1_0000_4044)))
    expectEqual(
      hidden.refusedSymbol(at: LinkAddress(0x1_0000_4044)),
      SymbolRefusal(
        rawName: "<redacted>", start: LinkAddress(0x1_0000_4040), reason: .hiddenName))
    expectEqual(hidden.resolve(LinkAddress(0x1_0000_403f))?.function.name, "main")
  }
}
