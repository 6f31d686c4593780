import TestSupport
import Testing

/// The example report, from the command line, compared with golden files.
///
/// The files in `Expected` were put together from `llvm-symbolizer-19 --inlines` (functions, files,
/// lines), `llvm-nm-19` (starts of functions) and `swift-demangle --simplified`, as
/// `Fixtures/LetterShuffle/README.md` lists them, and not by this program.
struct StoryReportTests {
  private func expected(_ name: String) throws -> [UInt8] { try ExpectedOutput.bytes(of: name) }

  @Test(arguments: [
    ("letter-shuffle.crash", Fixtures.storyBundle),
    ("letter-shuffle.crash", Fixtures.storyDwarfFile),
    ("letter-shuffle-web-copy.crash", Fixtures.storyBundle),
    // A directory that is searched for the UUID.
    ("letter-shuffle.crash", Fixtures.path("LetterShuffle")),
    ("letter-shuffle.crash", Fixtures.path("")),
  ])
  func symbolicatesInPlace(report: String, symbols: String) async throws {
    let result = try await Program.symbolicate([
      Fixtures.path("LetterShuffle/\(report)"), "-d", symbols,
    ])
    try ExpectedOutput.expect(result.standardOutput, equals: report)
    expectEqual(result.status, 0)
  }

  @Test func readsStandardInput() async throws {
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    let golden = try expected("letter-shuffle.crash")
    for arguments in [["-", "-d", Fixtures.storyBundle], ["-d", Fixtures.storyBundle]] {
      let result = try await Program.symbolicate(arguments, input: report)
      expectEqual(result.standardOutput, golden)
      expectEqual(result.status, 0)
    }
  }

  @Test func acceptsSymbolFilesAsArguments() async throws {
    let result = try await Program.symbolicate([Fixtures.storyReport, Fixtures.storyBundle])
    try expectEqual(result.standardOutput, expected("letter-shuffle.crash"))
  }

  /// Without the inlined call, frame 7 is the function that was called, with the line of the call.
  @Test func leavesOutInlinedCalls() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--no-inlines",
    ])
    try ExpectedOutput.expect(result.standardOutput, equals: "letter-shuffle.no-inlines.crash")
  }

  @Test func reportsMissingSymbolsOnStandardError() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle,
    ])
    expectEqual(
      result.standardError,
      """
      6 of 11 frames resolved
      symbolicate: note: no symbols for 5 frames in system libraries (libdispatch.dylib 2, libswiftCore.dylib 1, UIKitCore 2): this is normal, because an app's dSYMs do not have the symbols of the operating system

      """)
  }

  @Test func passesTheReportThroughWithoutSymbols() async throws {
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    // The dSYM lies beside the file, and standard input has no folder.
    let result = try await Program.symbolicate(["-"], input: report)
    expectEqual(result.standardOutput, report)
    expectEqual(result.status, 0)
    expectPrefix(result.standardError, "0 of 11 frames resolved\n")
    expectTrue(
      result.standardError.contains(
        "no symbols for Letter Shuffle (UUID A4B1DE49-70B3-301D-A644-58D6BC22F513, arm64): 6 frames unresolved; give its dSYM with -d"
      ))
  }

  @Test func keepsItsOwnOutput() async throws {
    let golden = try expected("letter-shuffle.crash")
    let result = try await Program.symbolicate(["-d", Fixtures.storyBundle], input: golden)
    expectEqual(result.standardOutput, golden)
    expectPrefix(result.standardError, "7 of 12 frames resolved (7 already had names)\n")
  }
}
