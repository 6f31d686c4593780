import TestSupport
import Testing

/// Programs in place of dSYMs, given to the program: what is beside them, or what they were linked
/// of, answers.
///
/// Functions, files and lines are those of `llvm-symbolizer-19 --inlines` over the dSYM that
/// dsymutil made of the program, starts of functions and calls those of `llvm-dwarfdump-19` over
/// it.
struct ProgramSymbolsTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let folder = Fixtures.path("DebugMap/arm64-dwarf5")

  private static func report(_ frames: [String]) -> String {
    """
    Incident Identifier: 5F0B8F0C-1B6F-4E0E-9B1D-2A3C4D5E6F70
    Process:             ledger [812]
    Path:                /usr/local/bin/ledger
    Code Type:           ARM-64 (Native)
    OS Version:          macOS 13.5 (22G74)
    Exception Type:  EXC_BREAKPOINT (SIGTRAP)
    Thread 0 Crashed:
    \(frames.joined(separator: "\n"))

    Binary Images:
           0x102a00000 -        0x102a0bfff ledger arm64  <4c4c44c655553144a165519fbe5c73f3> /usr/local/bin/ledger

    """
  }

  private static let report = report([
    "0   ledger                        0x0000000102a005b8 0x102a00000 + 1464",
    "1   ledger                        0x0000000102a00538 0x102a00000 + 1336",
    "2   ledger                        0x0000000102a004e0 0x102a00000 + 1248",
  ])

  private static let golden = report([
    "0   ledger                        0x0000000102a005b8 twice(long) + 8 (rounding.h:13) [inlined]",
    "1   ledger                        0x0000000102a005b8 (anonymous namespace)::Year::sum(long) const + 16 (interest-of-the-year.cpp:8)",
    "2   ledger                        0x0000000102a00538 statement + 44 (statement.cpp:7)",
    "3   ledger                        0x0000000102a004e0 main + 48 (main.c:11)",
  ])

  private func symbolicate(_ symbols: String...) async throws -> ProgramResult {
    try await Program.symbolicate(
      ["-"] + symbols.flatMap { ["-d", $0] }, input: Array(Self.report.utf8))
  }

  @Test func aReportByTheDebugMap() async throws {
    for symbols in [Self.folder + "/ledger", Self.folder] {
      let result = try await symbolicate(symbols)
      expectEqual(result.outputText, Self.golden)
      expectEqual(result.standardError, "3 of 3 frames resolved\n")
      expectEqual(result.status, 0)
    }
  }

  @Test func aReportByTheDsymBesideTheProgram() async throws {
    try directory.copy(Self.folder + "/ledger", to: "ledger")
    try directory.copy(Self.folder + ".dSYM", to: "ledger.dSYM")
    for symbols in [directory.path("ledger"), directory.path] {
      let result = try await symbolicate(symbols)
      expectEqual(result.outputText, Self.golden)
      expectEqual(result.standardError, "3 of 3 frames resolved\n")
    }
    let both = try await symbolicate(directory.path("ledger"), directory.path("ledger.dSYM"))
    expectEqual(both.outputText, Self.golden)
    expectEqual(both.standardError, "3 of 3 frames resolved\n")
  }

  @Test func aReportWithoutTheObjectFiles() async throws {
    try directory.copy(Self.folder + "/ledger", to: "ledger")
    let result = try await symbolicate(directory.path("ledger"))
    expectEqual(
      result.outputText,
      Self.report([
        "0   ledger                        0x0000000102a005b8 (anonymous namespace)::Year::sum(long) const + 16",
        "1   ledger                        0x0000000102a00538 statement + 44",
        "2   ledger                        0x0000000102a004e0 main + 48",
      ]))
    let place = directory.path
    expectEqual(
      result.standardError,
      """
      symbolicate: warning: \(place)/ledger: cannot use 3 object files with its debug information, so functions from there have no lines; looked at \(place)/main.o (not there), \(place)/statement.o (not there), \(place)/libinterest.a(interest-of-the-year.o) (not there); build it again, or give its dSYM
      3 of 3 frames resolved

      """)
    expectEqual(result.status, 0)
  }

  @Test func atos() async throws {
    let arguments = ["-arch", "arm64", "-o", Self.folder + "/ledger", "-l", "0x102a00000"]
    let result = try await Program.symbolicate(
      ["atos"] + arguments + ["102a005b8", "102a00578", "102a005dc"])
    expectEqual(
      result.outputText,
      """
      (anonymous namespace)::Year::sum(long) const (in ledger) (interest-of-the-year.cpp:8)
      weigh (in ledger) (early.c:4)
      DYLD-STUB$$imported (in ledger) + 4

      """)
    expectEqual(result.standardError, "")
    expectEqual(result.status, 0)
    let inlined = try await Program.symbolicate(
      ["atos", "-i", "-fullPath"] + arguments + ["102a005b8"])
    expectEqual(
      inlined.outputText,
      """
      twice(long) (in ledger) (/Users/builder/Ledger/./rounding.h:13)
      (anonymous namespace)::Year::sum(long) const (in ledger) (/Users/builder/Ledger/interest-of-the-year.cpp:8)


      """)
  }

  @Test func atosWithADsymBesideTheBundle() async throws {
    try directory.makeDirectory("Ledger.app/Contents/MacOS")
    try directory.copy(Self.folder + "/ledger", to: "Ledger.app/Contents/MacOS/Ledger")
    try directory.copy(Self.folder + ".dSYM", to: "Ledger.app.dSYM")
    try directory.copy(
      Self.folder + ".dSYM/Contents/Resources/DWARF/ledger",
      to: "Ledger.app.dSYM/Contents/Resources/DWARF/Ledger")
    for path in ["Ledger.app", "Ledger.app/Contents/MacOS/Ledger"] {
      let result = try await Program.symbolicate(
        ["atos", "-o", path, "100000578"], workingDirectory: directory.path)
      expectEqual(result.outputText, "weigh (in Ledger) (early.c:4)\n")
      expectEqual(result.standardError, "")
    }
  }

  /// The UUIDs are those of `llvm-dwarfdump-19 --uuid`.
  @Test func atosRefusesTheDsymOfAnotherBuild() async throws {
    try directory.copy(Self.folder + "/ledger", to: "ledger")
    try directory.copy(Fixtures.path("Inlines/Inlines.dSYM"), to: "ledger.dSYM")
    let dwarf = "ledger.dSYM/Contents/Resources/DWARF"
    try directory.copy(directory.path("\(dwarf)/Inlines"), to: "\(dwarf)/ledger")
    let result = try await Program.symbolicate(
      ["atos", "-o", directory.path("ledger"), "1000005a8"])
    expectEqual(result.outputText, "(anonymous namespace)::Year::sum(long) const (in ledger) + 0\n")
    expectTrue(
      result.standardError.hasPrefix(
        "atos: \(directory.path("ledger")): cannot use ledger.dSYM, which has its debug information, so lines and inlined calls are missing; looked at \(directory.path("\(dwarf)/ledger")) (of another build: 4C4C440B-5555-3144-A174-35F176083CD8 instead of 4C4C44C6-5555-3144-A165-519FBE5C73F3)"
      ))
  }

  /// `llvm-symbolizer-19`, which follows the link too.
  @Test func atosWithALinkedDebugFile() async throws {
    let result = try await Program.symbolicate([
      "atos", "-o", Fixtures.path("Elf/shapes-separate.elf"), "-i", "4011f0",
    ])
    expectEqual(
      result.outputText,
      """
      rectangle (in shapes-separate.elf) (shapes.c:16)
      area_of (in shapes-separate.elf) (shapes.c:28)


      """)
    expectEqual(result.standardError, "")
  }

  @Test func indexOfAProgram() async throws {
    let arguments = ["-o", directory.path("indexes")]
    let map = try await Program.symbolicate(["index", Self.folder + "/ledger"] + arguments)
    expectEqual(map.outputText, "")
    expectContains(map.standardError, "make a dSYM with dsymutil and index that")
    expectEqual(map.status, 65)
    let linked = try await Program.symbolicate(
      ["index", Fixtures.path("Elf/libshapes-stripped.elf")] + arguments)
    expectSuffix(linked.outputText, "6d8e22cf8306af072138fc23a59eecf13c73474e-x86_64.gsym\n")
    expectEqual(linked.status, 0)
    let answer = try await Program.symbolicate([
      "atos", "-o", Fixtures.path("Elf/libshapes-stripped.elf"), "-index-dir",
      directory.path("indexes"), "16e8",
    ])
    expectEqual(answer.outputText, "sum_of_areas (in libshapes-stripped.elf) (shapes.c:34)\n")
    expectEqual(answer.standardError, "")
  }
}
