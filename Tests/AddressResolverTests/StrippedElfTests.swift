import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// ELF files without debug information and `.symtab`. Names and addresses of functions are those of
/// `llvm-nm-19 -nS Fixtures/Elf/libshapes-nodebug.elf`, the same library unstripped.
struct StrippedElfTests {
  private func resolver(_ name: String) throws -> ImageResolver {
    try ImageResolver(symbolFile: Fixtures.path("Elf/\(name).elf"))
  }

  private func answer(_ resolver: ImageResolver, _ address: UInt64) -> String {
    guard let answer = resolver.resolve(LinkAddress(address)) else { return "-" }
    let start = String(answer.function.rangeStart.value, radix: 16)
    return "\(answer.function.name) \(start) \(answer.origin)"
  }

  /// `spread` is exported, `midpoint` (0x15f0 to 0x1613) and the cold parts are not.
  @Test func onlyExportedFunctionsHaveNames() throws {
    // Without the debug file beside it, to which it has a link.
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("Elf/libshapes-stripped.elf"), to: "alone.elf")
    let resolver = try ImageResolver(symbolFile: directory.path("alone.elf"))
    expectEqual(answer(resolver, 0x14d0), "spread 14d0 symbolTable")
    expectEqual(answer(resolver, 0x15eb), "spread 14d0 symbolTable")
    for address: UInt64 in [0x15ec, 0x15f0, 0x1612, 0x1770, 0x17e2] {
      expectEqual(answer(resolver, address), "-")
    }
    expectEqual(resolver.problems.count, 1)
  }

  /// `llvm-objdump-19 -d` shows `sum_of_areas@plt` at 0x1800.
  @Test(arguments: ["libshapes-stripped", "libshapes-nodebug", "libshapes", "libshapes-minidebug"])
  func linkageTable(file: String) throws {
    let resolver = try resolver(file)
    expectEqual(answer(resolver, 0x1800), "sum_of_areas@plt 1800 symbolStub")
    expectEqual(resolver.resolve(LinkAddress(0x1805))?.function.rawName, "sum_of_areas")
    expectEqual(answer(resolver, 0x17f4), "-")
    expectEmpty(resolver.problems)
  }

  /// One holds the whole symbol table, the other, as in Fedora, what `.dynsym` lacks.
  @Test(arguments: ["libshapes-minidebug", "libshapes-minidebug-fedora"])
  func miniDebugInfo(file: String) throws {
    let resolver = try resolver(file)
    expectTrue(resolver.hasAnySymbols)
    expectEqual(answer(resolver, 0x15f4), "midpoint 15f0 miniDebugInfo")
    expectEqual(answer(resolver, 0x1612), "midpoint 15f0 miniDebugInfo")
    expectEqual(answer(resolver, 0x1780), "area_of.cold.1 1770 miniDebugInfo")
    expectEqual(answer(resolver, 0x14d4), "spread 14d0 symbolTable")
    expectEqual(answer(resolver, 0x1613), "-")
    expectEqual(
      resolver.refusedSymbol(at: LinkAddress(0x1613)),
      SymbolRefusal(
        rawName: "midpoint", start: LinkAddress(0x15f0), reason: .endsAt(LinkAddress(0x1613))))
    expectEmpty(resolver.problems)
  }

  /// The order of questions does not matter.
  @Test func questionsInAnyOrder() throws {
    let addresses = Array(0x1470..<0x1850 as Range<UInt64>)
    let upwards = try resolver("libshapes-minidebug-fedora")
    let downwards = try resolver("libshapes-minidebug-fedora")
    let expected = addresses.map { answer(upwards, $0) }
    expectEqual(addresses.reversed().map { answer(downwards, $0) }, expected.reversed())
    // The unstripped library gives the same answers.
    let whole = try resolver("libshapes-nodebug")
    for (address, text) in zip(addresses, expected) {
      expectEqual(
        text.replacing("miniDebugInfo", with: "symbolTable"), answer(whole, address), "\(address)")
    }
  }

  /// Damage is reported once, at the first question that MiniDebugInfo would answer.
  @Test func damagedMiniDebugInfo() throws {
    let directory = try TemporaryDirectory()
    var bytes = try Fixtures.bytes(of: Fixtures.path("Elf/libshapes-minidebug-fedora.elf"))
    let start = try require(bytes.firstRange(of: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0])).lowerBound
    bytes[start + 60] ^= 0xff
    let path = try directory.write(bytes, to: "damaged.elf")
    let resolver = try ImageResolver(symbolFile: path)
    expectEqual(answer(resolver, 0x14d4), "spread 14d0 symbolTable")
    expectEmpty(resolver.problems)
    for _ in 0..<2 { expectEqual(answer(resolver, 0x15f4), "-") }
    expectEqual(
      resolver.problems,
      [
        // LZMA_DATA_ERROR is 9.
        SymbolFileProblem(
          path: path, architecture: .x86_64,
          kind: .damagedCompression(section: ".gnu_debugdata", .damaged(method: .xz, code: 9)))
      ])
  }
}
