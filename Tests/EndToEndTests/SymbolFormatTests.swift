import TestSupport
import Testing

/// The program with symbol files in other formats than DWARF: Breakpad's, and GSYM version 2.
struct SymbolFormatTests {
  private static let storySymbols = Fixtures.path(
    "Breakpad/Letter Shuffle/A4B1DE4970B3301DA64458D6BC22F5130/Letter Shuffle.sym")
  private static let inlines = Fixtures.path(
    "Breakpad/Inlines/4C4C440B55553144A17435F176083CD80/Inlines.sym")

  /// The file was made from the dSYM, so the report comes out as with it.
  @Test(arguments: [["-d", storySymbols], [storySymbols], ["-d", Fixtures.path("Breakpad")]])
  func theStoryReportIsGolden(arguments: [String]) async throws {
    let result = try await Program.symbolicate([Fixtures.storyReport] + arguments)
    try expectEqual(result.standardOutput, ExpectedOutput.bytes(of: "letter-shuffle.crash"))
    expectPrefix(result.standardError, "6 of 11 frames resolved\n")
    expectEqual(result.status, 0)
  }

  @Test func explanationsNameTheFormat() async throws {
    let result = try await Program.symbolicate(
      [Fixtures.storyReport, "-d", Self.storySymbols, "--explain"])
    expectTrue(
      result.standardError.contains(
        "Breakpad symbol file of \(Self.storySymbols) (matched by UUID), looked up at 0x2719c\n"))
    let json = try await Program.symbolicate(
      [Fixtures.storyReport, "-d", Self.storySymbols, "--format", "json"])
    expectContains(json.outputText, "\"origin\": \"breakpad\"")
  }

  /// Addresses in the file are relative to the start of the image, which `-l` is the address of.
  @Test func atosAnswersFromIt() async throws {
    let symbols = try await Program.symbolicate([
      "atos", "-o", Self.storySymbols, "-l", "0x100228000", "0x10024f19c", "0x1002474e0",
    ])
    let bundle = try await Program.symbolicate([
      "atos", "-o", Fixtures.storyBundle, "-l", "0x100228000", "0x10024f19c", "0x1002474e0",
    ])
    expectEqual(symbols.outputText, bundle.outputText)
    expectEqual(symbols.status, 0)
    let relative = try await Program.symbolicate(["atos", "-o", Self.storySymbols, "0x5000", "0x4"])
    expectEqual(
      relative.outputText,
      "main (in Letter Shuffle) (AppDelegate.swift:12)\n0x0000000000000004 (in Letter Shuffle)\n")
    let other = try await Program.symbolicate([
      "atos", "-arch", "x86_64", "-o", Self.storySymbols, "0x5000",
    ])
    expectContains(other.standardError, "has no x86_64 slice; it has arm64")
    expectEqual(other.status, 1)
  }

  @Test func getsNoIndex() async throws {
    let directory = try TemporaryDirectory()
    for path in [Self.inlines, Fixtures.path("Gsym/inlines-version2.gsym")] {
      let result = try await Program.symbolicate(["index", "-o", directory.path, path])
      expectEmpty(result.outputText)
      expectEqual(result.status, 65)
      expectEqual(
        result.standardError,
        "symbolicate: error: \(path) gets no index, because indexes are made from dSYMs, Mach-O and ELF files; give it with -d as it is\n"
      )
    }
  }

  @Test func isNotOverwritten() async throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(Fixtures.bytes(of: Self.inlines), to: "Inlines.sym")
    let result = try await Program.symbolicate([Fixtures.storyReport, "-o", path])
    expectEqual(result.status, 64)
    expectContains(result.standardError, "is a symbol file and will not be overwritten")
  }

  /// Both versions of one GSYM file answer alike.
  @Test func versionsOfGsym() async throws {
    let addresses = stride(from: 0x1_0000_4000, to: 0x1_0000_55d4, by: 52).map {
      String($0, radix: 16)
    }
    func answers(_ name: String) async throws -> String {
      let path = Fixtures.path("Gsym/\(name).gsym")
      let result = try await Program.symbolicate(["atos", "-i", "-o", path] + addresses)
      expectEqual(result.status, 0)
      return result.outputText.replacing("(in \(name))", with: "(in Inlines)")
    }
    let version1 = try await answers("inlines-version1")
    expectContains(version1, "Board.shuffle(_:) (in Inlines) (Board.swift:")
    try await expectEqual(answers("inlines-version2"), version1)
    try await expectEqual(answers("inlines-version2-reversed"), version1)
  }
}
