import Foundation
import TestSupport
import Testing

/// `symbolicate atos …`: the form of Apple's answers, over the project's own symbol files.
///
/// Functions, files and lines are those that `llvm-symbolizer-19 --inlines` and `swift-demangle
/// --simplified` give (Fixtures/README.md lists them); the form is that of Apple's `atos`.
struct AtosTests {
  private static let initializer =
    "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) (in Letter Shuffle) (<compiler-generated>:0)\n"

  private func atos(_ arguments: [String], input: String = "") async throws -> ProgramResult {
    try await Program.symbolicate(["atos"] + arguments, input: Array(input.utf8))
  }

  private func answer(_ arguments: [String]) async throws -> String {
    try await atos(arguments).outputText
  }

  @Test(arguments: [Fixtures.storyDwarfFile, Fixtures.storyBundle])
  func theStory(symbols: String) async throws {
    let result = try await atos([
      "-arch", "arm64", "-o", symbols, "-l", "0x100228000", "0x000000010024f19c",
    ])
    expectEqual(result.outputText, Self.initializer)
    expectEqual(result.standardError, "")
    expectEqual(result.status, 0)
  }

  @Test func answersToItsName() async throws {
    let directory = try TemporaryDirectory()
    try directory.link("atos", to: Program.builtProgramPath)
    let result = try await Program.run(
      directory.path("atos"),
      ["-arch", "arm64", "-o", Fixtures.storyDwarfFile, "-l", "0x100228000", "0x10024f19c"])
    expectEqual(result.outputText, Self.initializer)
  }

  /// The same address, given in each way.
  @Test(arguments: [
    ["-l", "0x100228000", "0x10024f19c"],
    ["-l", "100228000", "10024f19c"],
    ["-l", "0X100228000", "0X10024F19C"],
    ["-l0x100228000", "0x10024f19c"],
    ["0x10024f19c", "-l", "0x100228000"],
    ["-s", "0x228000", "0x10024f19c"],
    ["-s", "228000", "0x10024f19c"],
    ["-s", "-0x1000", "0x10002619c"],
    ["-offset", "0x2719c"],
    ["--offset", "2719c"],
    ["-l", "0", "0x2719c"],
    ["10002719c"],
    ["--", "10002719c"],
    ["-arch", "arm64e", "10002719c"],
    ["--arch=arm64", "10002719c"],
    ["-dedup", "10002719c"],
  ])
  func addressing(arguments: [String]) async throws {
    try await expectEqual(answer(["-o", Fixtures.storyBundle] + arguments), Self.initializer)
  }

  /// Frames 5 to 7 of the report: the return addresses themselves, not the calls before them.
  @Test func looksUpExactlyWhatItIsGiven() async throws {
    let text = try await answer([
      "-o", Fixtures.storyBundle, "-l", "0x100228000", "0x100245798", "0x10024563c", "0x1002453f4",
    ])
    expectEqual(
      text,
      """
      GameData.rounds.unsafeMutableAddressor (in Letter Shuffle) (GameData.swift:0)
      GameViewController.loadRound(_:) (in Letter Shuffle) (GameViewController.swift:61)
      GameViewController.viewDidLoad() (in Letter Shuffle) (GameViewController.swift:37)

      """)
  }

  @Test func inlinedFrames() async throws {
    let base = ["-o", Fixtures.storyBundle, "-offset"]
    try await expectEqual(
      answer(base + ["-i", "1d3f3", "2719c", "zz"]),
      """
      GameViewController.startRound() (in Letter Shuffle) (GameViewController.swift:51)
      GameViewController.viewDidLoad() (in Letter Shuffle) (GameViewController.swift:37)

      GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) (in Letter Shuffle) (<compiler-generated>:0)

      zz


      """)
    try await expectEqual(
      answer(base + ["--inlineFrames", "-d", "@", "1d3f3", "2719c"]),
      """
      GameViewController.startRound() (in Letter Shuffle) (GameViewController.swift:51)@GameViewController.viewDidLoad() (in Letter Shuffle) (GameViewController.swift:37)@
      GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) (in Letter Shuffle) (<compiler-generated>:0)@

      """)
  }

  @Test func fullPaths() async throws {
    for option in ["-fullPath", "--fullPath"] {
      try await expectEqual(
        answer(["-o", Fixtures.storyBundle, option, "10001d63b"]),
        "GameViewController.loadRound(_:) (in Letter Shuffle) (/Users/builder/Letter Shuffle/GameViewController.swift:60)\n"
      )
    }
  }

  @Test func symbolTableNames() async throws {
    try await expectEqual(
      answer(["-o", Fixtures.storyBundle, "10000a004", "10000a044", "10000a040"]),
      """
      TileView.layoutTiles() (in Letter Shuffle) + 4
      letter_frequency (in Letter Shuffle) + 4
      letter_frequency (in Letter Shuffle) + 0

      """)
    // A Mach-O executable without DWARF: llvm-nm has _table_lookup at 0x100004040.
    try await expectEqual(
      answer(["-o", Fixtures.path("MachO/shapes-arm64"), "-offset", "4044"]),
      "table_lookup (in shapes-arm64) + 4\n")
  }

  @Test func echoesAddressesOutsideTheImage() async throws {
    try await expectEqual(
      answer([
        "-o", Fixtures.storyBundle, "-l", "0x100228000", "0x10024f19c", "+", "62626x", "0x12",
        "0xFFFF0000", "0", "0x", "0x123456789abcdef01",
      ]), Self.initializer + "+\n62626x\n0x12\n0xFFFF0000\n0\n0x\n0x123456789abcdef01\n")
  }

  @Test func printsUnnamedAddressesInFull() async throws {
    // In __DATA, where there is no function.
    try await expectEqual(
      answer(["-o", Fixtures.storyBundle, "-l", "0x100228000", "100258000"]),
      "0x0000000100258000 (in Letter Shuffle)\n")
    try await expectEqual(
      answer(["-o", Fixtures.storyBundle, "-offset", "30000"]),
      "0x0000000100030000 (in Letter Shuffle)\n")
  }

  /// `_twice` exported at 0x100004000 and `_main` at 0x100004030, stubs at 0x100004060 of `_spread`
  /// and 0x10000406c of `_sum_of_areas`, both 12 bytes: `llvm-objdump-19 --macho --exports-trie
  /// --indirect-symbols`.
  @Test func symbolStubsAndExports() async throws {
    try await expectEqual(
      answer([
        "-o", Fixtures.path("MachO/calls-arm64-stripped"), "-l", "0x104000000", "104004060",
        "10400406b", "10400406c", "104004070", "104004000", "10400402c", "104004030", "10400405c",
        "104003ffc", "104004078",
      ]),
      """
      DYLD-STUB$$spread (in calls-arm64-stripped) + 0
      DYLD-STUB$$spread (in calls-arm64-stripped) + 11
      DYLD-STUB$$sum_of_areas (in calls-arm64-stripped) + 0
      DYLD-STUB$$sum_of_areas (in calls-arm64-stripped) + 4
      twice (in calls-arm64-stripped) + 0
      twice (in calls-arm64-stripped) + 44
      main (in calls-arm64-stripped) + 0
      main (in calls-arm64-stripped) + 44
      0x0000000104003ffc (in calls-arm64-stripped)
      0x0000000104004078 (in calls-arm64-stripped)

      """)
  }

  /// A function begins at 0x100004184 (`llvm-objdump-19 --macho --function-starts`) whose name was
  /// stripped; `_spread` before it and `_fail` behind it have theirs (`llvm-nm-19`).
  @Test func functionsWithoutAName() async throws {
    try await expectEqual(
      answer([
        "-o", Fixtures.path("MachO/shapes-arm64-stripped"), "-l", "0x104000000", "104004183",
        "104004184", "1040041a7", "1040041a8",
      ]),
      """
      spread (in shapes-arm64-stripped) + 287
      0x0000000104004184 (in shapes-arm64-stripped) + 0
      0x00000001040041a7 (in shapes-arm64-stripped) + 35
      fail (in shapes-arm64-stripped) + 0

      """)
  }

  @Test func readsAddressesFromAFile() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      "10024f19c\n  0x10024f19c\t10024f19c\r\n".utf8, to: "addresses")
    try await expectEqual(
      answer(["-o", Fixtures.storyBundle, "-l", "100228000", "-f", file]),
      Self.initializer + Self.initializer + Self.initializer)
    let missing = try await atos(["-o", Fixtures.storyBundle, "-f", directory.path("none")])
    expectEqual(missing.status, 1)
    expectContains(missing.standardError, "cannot read the addresses in")
  }

  @Test func answersStandardInputLineByLine() async throws {
    let result = try await atos(
      ["-o", Fixtures.storyBundle, "-l", "100228000"],
      input: "10024f19c\n\nnonsense\r\n0x10024f19c")
    expectEqual(result.outputText, Self.initializer + "nonsense\n" + Self.initializer)
    expectEqual(result.status, 0)
  }

  @Test func triesFilesInOrder() async throws {
    let library = Fixtures.path("MachO/libshapes.dylib")
    let text = try await answer(["-o", library, "-o", Fixtures.storyBundle, "10002719c"])
    expectEqual(text, Self.initializer)
  }

  /// Both images begin at 0x100000000: 0x100005010 lies in the first one's data and in the second
  /// one's code, the last address in the load commands of both.
  @Test func triesTheNextFileForAnUnnamedAddress() async throws {
    let files = ["-o", Fixtures.path("Dwarf/arm64-dwarf4.dSYM"), "-o", Fixtures.storyBundle]
    try await expectEqual(
      answer(files + ["1000007b0", "100005010", "100000100"]),
      """
      sum_of_areas (in Shapes) (shapes.c:34)
      main (in Letter Shuffle) (AppDelegate.swift:13)
      0x0000000100000100 (in Shapes)

      """)
  }

  /// Codes of pointer authentication in the high bits, as third-party reporters leave them.
  @Test func addressesWithSignatures() async throws {
    let base = ["-o", Fixtures.storyBundle, "-l", "0x100228000"]
    try await expectEqual(
      answer(base + ["0x003be3010024f19c", "7fff80010024f19c"]), Self.initializer + Self.initializer
    )
    try await expectEqual(answer(base + ["0xfff0000000000012"]), "0xfff0000000000012\n")
    // Offsets and other processors have no such bits.
    try await expectEqual(
      answer(["-o", Fixtures.storyBundle, "-offset", "0x003be3000002719c"]), "0x003be3000002719c\n")
    try await expectEqual(
      answer(["-o", Fixtures.path("Dwarf/x86_64-dwarf4.dSYM"), "0x0010000100000550"]),
      "0x0010000100000550\n")
  }

  /// `llvm-nm-19`: `midpoint` begins at 0x112d0, `_start` at 0x111b4; `llvm-symbolizer-19` has the
  /// line.
  @Test func ignoresTheThumbBit() async throws {
    let base = ["-o", Fixtures.path("ElfDwarf/armv7-dwarf5.elf")]
    let answers = try await answer(base + ["0x112d1", "0x112d0"])
    expectEqual(
      answers, String(repeating: "midpoint (in armv7-dwarf5.elf) (stats.c:5)\n", count: 2))
  }

  @Test func choosesSlices() async throws {
    for file in ["Fat/fat.dSYM", "Fat/fat64.dSYM"] {
      // 0x1000007b0: the chain of five of Fixtures/README.md; the outermost is sum_of_areas.
      let arm = try await atos(["-o", Fixtures.path(file), "1000007b0"])
      expectPrefix(arm.outputText, "sum_of_areas (in Shapes) (shapes.c:34)")
      expectContains(arm.standardError, "has slices for x86_64, arm64, arm64e; using arm64")
      let intel = try await atos(["-o", Fixtures.path(file), "-arch", "x86_64", "100000550"])
      expectPrefix(intel.outputText, "table_lookup (in Shapes) (")
      expectEqual(intel.standardError, "")
      let horse = try await atos(["-o", Fixtures.path(file), "-arch", "x86_64h", "100000550"])
      expectEqual(horse.outputText, intel.outputText)
    }
  }

  @Test func doesNotFallBackFromArm64ToArm64e() async throws {
    let path = Fixtures.path("Fat/arm64e.dSYM")
    let result = try await atos(["-o", path, "-arch", "arm64", "1000007b0"])
    expectEqual(result.status, 1)
    expectEmpty(result.standardOutput)
    expectTrue(
      result.standardError.hasPrefix(
        "atos cannot load symbols for the file \(path) for architecture arm64.\n"))
    try await expectEqual(atos(["-o", path, "-arch", "arm64e", "1000007b0"]).status, 0)
  }

  @Test func readsElfFiles() async throws {
    // 0x16e8 is the chain of five of Fixtures/README.md.
    for name in ["libshapes.elf", "libshapes-zlib.elf", "libshapes-zstd.elf"] {
      let text = try await answer(["-o", Fixtures.path("Elf/\(name)"), "-i", "16e8"])
      let functions = text.split(separator: "\n").map { $0.prefix { $0 != " " } }
      expectEqual(functions, ["clamp", "scale", "rectangle", "area_of", "sum_of_areas"])
    }
    try await expectEqual(
      answer([
        "-o", Fixtures.path("Elf/shapes-gcc.elf"), "-l", "7f0000000000", "7f0000001220",
      ]), "sum_of_areas (in shapes-gcc.elf) (shapes.c:34)\n")
  }

  @Test func shows32BitAddressesWithEightDigits() async throws {
    let path = Fixtures.path("MachO/arm64_32.dSYM")
    try await expectEqual(answer(["-o", path, "-offset", "0"]), "0x00004000 (in Shapes)\n")
  }
}
