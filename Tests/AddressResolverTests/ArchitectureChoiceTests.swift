import AddressResolver
import SymbolicationModel
import TestSupport
import Testing

/// Which slice is opened. `Fat/fat.dSYM` has x86_64, arm64 and arm64e, in this order
/// (`llvm-dwarfdump-19 --uuid`).
struct ArchitectureChoiceTests {
  private static let fat = Fixtures.path("Fat/fat.dSYM/Contents/Resources/DWARF/Shapes")
  private static let fat64 = Fixtures.path("Fat/fat64.dSYM/Contents/Resources/DWARF/Shapes")
  private static let arm64e = Fixtures.path("Fat/arm64e.dSYM/Contents/Resources/DWARF/Shapes")

  @Test(arguments: [fat, fat64])
  func ofAFatFile(path: String) throws {
    for (wanted, taken) in [
      (Architecture.arm64, Architecture.arm64), (.arm64e, .arm64e), (.x86_64, .x86_64),
      (.x86_64h, .x86_64),
    ] {
      try expectEqual(ImageResolver(symbolFile: path, architecture: wanted).architecture, taken)
    }
    try expectEqual(ImageResolver(symbolFile: path).architecture, .arm64)
  }

  @Test func fallsBackOneWayOnly() throws {
    let story = try ImageResolver(symbolFile: Fixtures.storyDwarfFile, architecture: .arm64e)
    expectEqual(story.architecture, .arm64)
    try expectEqual(ImageResolver(symbolFile: Self.arm64e).architecture, .arm64e)
    #expect(
      throws: SymbolFileProblem(
        path: Self.arm64e, kind: .missingArchitecture(wanted: .arm64, found: [.arm64e]))
    ) {
      try ImageResolver(symbolFile: Self.arm64e, architecture: .arm64)
    }
    #expect(
      throws: SymbolFileProblem(
        path: Self.fat,
        kind: .missingArchitecture(wanted: .armv7, found: [.x86_64, .arm64, .arm64e]))
    ) {
      try ImageResolver(symbolFile: Self.fat, architecture: .armv7)
    }
  }
}
