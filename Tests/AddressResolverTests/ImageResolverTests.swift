import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// Answers over the project's symbol files. Functions, files and lines are those of
/// `llvm-symbolizer-19 --inlines` (Fixtures/README.md), starts of functions those of `llvm-nm-19`
/// and `llvm-dwarfdump-19`.
struct ImageResolverTests {
  private func resolver(
    _ name: String, _ architecture: Architecture? = nil
  ) throws -> ImageResolver {
    try ImageResolver(symbolFile: Fixtures.path(name), architecture: architecture)
  }

  private func chain(_ answer: ResolvedAddress?) -> [String] {
    answer?.frames.map { frame in
      let place = frame.location.map { " \($0.fileName):\($0.line)" } ?? ""
      return frame.name + place
    } ?? []
  }

  private static let chainOfFive = [
    "clamp shapes.h:0", "scale shapes.h:24", "rectangle shapes.c:15", "area_of shapes.c:28",
    "sum_of_areas shapes.c:34",
  ]

  @Test(
    arguments: [
      ("Dwarf/arm64-dwarf2.dSYM/Contents/Resources/DWARF/Shapes", 0x1_0000_07b0),
      ("Dwarf/arm64-dwarf3.dSYM/Contents/Resources/DWARF/Shapes", 0x1_0000_07b0),
      ("Dwarf/arm64-dwarf4.dSYM/Contents/Resources/DWARF/Shapes", 0x1_0000_07b0),
      ("Dwarf/arm64-dwarf5.dSYM/Contents/Resources/DWARF/Shapes", 0x1_0000_07b0),
      // 32-bit Mach-O, its code from 0x8000 on.
      ("MachO/arm64_32.dSYM/Contents/Resources/DWARF/Shapes", 0x8280),
      ("Elf/libshapes.elf", 0x16e8),
      ("Elf/libshapes-zlib.elf", 0x16e8),
      ("Elf/libshapes-zstd.elf", 0x16e8),
      ("Elf/libshapes.debug", 0x16e8),
      ("Elf/shapes-pie.elf", 0x1590),
      ("Elf/shapes-fixed.elf", 0x40_1490),
    ] as [(String, UInt64)])
  func chainsOfInlinedCalls(file: String, address: UInt64) throws {
    let answer = try resolver(file).resolve(LinkAddress(address))
    expectEqual(chain(answer), Self.chainOfFive)
    expectEqual(answer?.origin, .dwarf)
  }

  @Test func theWholeAnswer() throws {
    let resolver = try resolver("Dwarf/arm64-dwarf4.dSYM/Contents/Resources/DWARF/Shapes")
    let answer = try require(resolver.resolve(LinkAddress(0x1_0000_07b0)))
    expectEqual(answer.inlinedFrames.count, 4)
    expectEqual(answer.function.rawName, "sum_of_areas")
    expectEqual(answer.function.rangeStart, LinkAddress(0x1_0000_0770))
    expectEqual(answer.function.location?.path, "/Users/builder/Shapes/shapes.c")
    expectEqual(resolver.imageName, "Shapes")
    expectTrue(resolver.hasAnySymbols)
    expectEmpty(resolver.problems)
  }

  @Test func aFunctionWithoutDwarfInAFileWithDwarf() throws {
    let resolver = try ImageResolver(symbolFile: Fixtures.storyDwarfFile)
    let answer = try require(resolver.resolve(LinkAddress(0x1_0000_a004)))
    expectEqual(answer.origin, .symbolTable)
    expectEqual(chain(answer), ["TileView.layoutTiles()"])
    expectEqual(answer.function.rawName, "_$s14Letter_Shuffle8TileViewC11layoutTilesyyF")
    expectEqual(answer.function.rangeStart, LinkAddress(0x1_0000_a000))
    expectEqual(chain(resolver.resolve(LinkAddress(0x1_0000_9004))), ["word_checksum WordList.c:5"])
  }

  @Test(
    arguments: [
      ("MachO/shapes-arm64", 0x1_0000_4044, "table_lookup", 0x1_0000_4040),
      ("MachO/shapes-arm64", 0x1_0000_4184, "midpoint", 0x1_0000_4184),
      ("MachO/libshapes.dylib", 0x4044, "table_lookup", 0x4040),
      ("Elf/libshapes-nodebug.elf", 0x14b4, "table_lookup", 0x14b0),
    ] as [(String, UInt64, String, UInt64)])
  func theSymbolTableAlone(file: String, address: UInt64, name: String, start: UInt64) throws {
    let answer = try require(resolver(file).resolve(LinkAddress(address)))
    expectEqual(answer.origin, .symbolTable)
    expectEqual(chain(answer), [name])
    expectEqual(answer.function.rangeStart, LinkAddress(start))
  }

  @Test func namesOfOtherFunctionsDoNotReachIntoStrippedOnes() throws {
    // `midpoint` at 0x100004184 is stripped; `spread` before it has no size, like all Mach-O
    // symbols.
    let stripped = try resolver("MachO/shapes-arm64-stripped")
    expectEqual(chain(stripped.resolve(LinkAddress(0x1_0000_4064))), ["spread"])
    expectEqual(chain(stripped.resolve(LinkAddress(0x1_0000_41a8))), ["fail"])
    // Nothing that is read here has the exported names of a library without a symbol table.
    // (A copy, away from its debug file.)
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("Elf/libshapes-stripped.elf"), to: "libshapes.elf")
    let library = try ImageResolver(symbolFile: directory.path("libshapes.elf"))
    expectNotEqual(library.resolve(LinkAddress(0x1650))?.origin, .dwarf)
  }

  @Test func addressesOutside() throws {
    let resolver = try resolver("Dwarf/arm64-dwarf4.dSYM/Contents/Resources/DWARF/Shapes")
    for address: UInt64 in [0, 0x1000, 0xffff_ffff, 0x2_0000_0000, .max] {
      expectNil(resolver.resolve(LinkAddress(address)))
      expectFalse(resolver.contains(LinkAddress(address)))
    }
    expectTrue(resolver.contains(LinkAddress(0x1_0000_0000)))
    // `board` is in the image and is not code.
    expectTrue(resolver.contains(LinkAddress(0x1_0000_4020)))
    expectNil(resolver.resolve(LinkAddress(0x1_0000_4020)))
  }

  @Test(
    arguments: [
      ("MachO/libshapes.dylib", 0),
      ("MachO/arm64_32.dSYM/Contents/Resources/DWARF/Shapes", 0x4000),
      ("MachO/shapes-arm64", 0x1_0000_0000),
      ("Elf/libshapes.elf", 0),
      ("Elf/shapes-fixed.elf", 0x40_0000),
      ("Elf/shapes-gcc.elf", 0x40_0000),
    ] as [(String, UInt64)])
  func whereTheImageBegins(file: String, base: UInt64) throws {
    try expectEqual(resolver(file).linkBase(), LinkAddress(base))
  }

  /// As `llvm-objdump-19 --macho --function-starts --indirect-symbols` lists them.
  @Test func stubsAndFunctionStarts() throws {
    let resolver = try resolver("MachO/calls-arm64-stripped")
    let stub = try require(resolver.resolve(LinkAddress(0x1_0000_4070)))
    expectEqual(stub.origin, .symbolStub)
    expectEqual(chain(stub), ["DYLD-STUB$$sum_of_areas"])
    expectEqual(stub.function.rawName, "_sum_of_areas")
    expectEqual(stub.function.rangeStart, LinkAddress(0x1_0000_406c))
    expectNil(resolver.functionStart(containing: LinkAddress(0x1_0000_4070)))
    expectEqual(resolver.resolve(LinkAddress(0x1_0000_4034))?.origin, .exportTrie)
    expectEqual(
      resolver.functionStart(containing: LinkAddress(0x1_0000_4034)), LinkAddress(0x1_0000_4030))
    expectEmpty(resolver.problems)
    // A dSYM and ELF have neither.
    for name in ["Dwarf/arm64-dwarf4.dSYM/Contents/Resources/DWARF/Shapes", "Elf/libshapes.elf"] {
      let other = try self.resolver(name)
      expectNil(other.functionStart(containing: LinkAddress(0x1_0000_07b0)))
      expectNil(other.functionStart(containing: LinkAddress(0x16e8)))
    }
  }

  @Test func segmentsByName() throws {
    let resolver = try resolver("MachO/shapes-arm64")
    expectEqual(resolver.linkBase(segmentName: "__TEXT"), LinkAddress(0x1_0000_0000))
    expectNil(resolver.linkBase(segmentName: "__TEXT_EXEC"))
    try expectNil(self.resolver("Elf/libshapes.elf").linkBase(segmentName: "__TEXT"))
  }
}
