import TestSupport
import Testing

/// Each documented exit status of `symbolicate`, with its message.
struct ExitStatusTests {
  private let directory: TemporaryDirectory
  private let report: [UInt8]

  init() throws {
    directory = try TemporaryDirectory()
    report = try Fixtures.bytes(of: Fixtures.storyReport)
  }

  private func run(_ arguments: [String], input: [UInt8] = []) async throws -> ProgramResult {
    try await Program.symbolicate(arguments, input: input)
  }

  @Test func strictFailsForAnUnresolvedFrame() async throws {
    let symbols = ["-d", Fixtures.storyBundle]
    // Five frames lie in libraries of the operating system, and six in the app.
    try await expectEqual(run([Fixtures.storyReport, "--strict=all"] + symbols).status, 2)
    try await expectEqual(run(["--strict", Fixtures.storyReport] + symbols).status, 0)
    let failed = try await run(["--strict", "-q", Fixtures.storyReportAlone])
    expectEqual(failed.status, 2)
    expectEqual(failed.standardError, "symbolicate: error: --strict: 6 frames have no name\n")
    let several = try await run(
      ["--strict=all", "-q", Fixtures.storyReportAlone, Fixtures.storyReport] + symbols)
    expectEqual(several.status, 2)
    expectEqual(
      several.standardError,
      "symbolicate: error: --strict=all: 10 frames in 2 reports have no name\n")
    let wrong = try await run([Fixtures.storyReport, "--strict=app"])
    expectEqual(wrong.status, 64)
    expectTrue(
      wrong.standardError.hasPrefix(
        "symbolicate: error: --strict takes no value but 'all' (--strict=all), not 'app'\n"))
    // The same report with the frames of the app alone.
    let lines = String(decoding: report, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    let ownFrames = lines.filter { line in
      !["libdispatch", "libswiftCore", "UIKitCore"].contains {
        line.contains($0) && line.contains(" + ")
      }
    }
    let complete = try await run(
      ["-", "-d", Fixtures.storyBundle, "--strict=all"],
      input: Array(ownFrames.joined(separator: "\n").utf8))
    expectEqual(complete.status, 0)
    expectEqual(complete.standardError, "6 of 6 frames resolved\n")
  }

  @Test func aDsymFromAnotherBuild() async throws {
    // The same name, another UUID: the report's image line is given another one.
    let text = String(decoding: report, as: UTF8.self).replacing(
      "a4b1de4970b3301da64458d6bc22f513", with: "00112233445566778899aabbccddeeff")
    let result = try await run(["-d", Fixtures.storyBundle], input: Array(text.utf8))
    expectEqual(result.status, 3)
    expectEqual(result.outputText, text)
    expectTrue(
      result.standardError.contains(
        "is from a different build: it is Letter Shuffle (UUID A4B1DE49-70B3-301D-A644-58D6BC22F513, arm64); the report needs Letter Shuffle (UUID 00112233-4455-6677-8899-AABBCCDDEEFF, arm64)"
      ))
  }

  @Test func anUnmatchedSymbolFileIsNotAnError() async throws {
    let other = Fixtures.path("Dwarf/x86_64-dwarf4.dSYM")
    let result = try await run([Fixtures.storyReport, "-d", other, "-d", Fixtures.storyBundle])
    expectEqual(result.status, 0)
    expectContains(result.standardError, "x86_64-dwarf4.dSYM matches no image of the report")
    expectContains(result.standardError, "6 of 11 frames resolved")
  }

  @Test func wrongUsage() async throws {
    try await expectEqual(run(["--no-such-option"]).status, 64)
    try await expectEqual(run([Fixtures.storyReport, "-d"]).status, 64)
  }

  @Test(arguments: [
    ("a letter to nobody\n", "has no crash report"),
    ("", "is empty; expected a crash report"),
    (
      #"{"app_name":"App","bug_type":"309","name":"App"}"# + "\n{\n  \"uptime\" : 1\n}\n",
      "is a crash report as JSON (.ips), but has no threads and images that can be read"
    ),
  ])
  func noReportPassesThrough(input: String, message: String) async throws {
    let result = try await run(["-d", Fixtures.storyBundle], input: Array(input.utf8))
    expectEqual(result.status, 65)
    expectEqual(result.outputText, input)
    expectContains(result.standardError, "standard input \(message)")
  }

  /// What a text mentions is shown by what reads a report, if it was given as one.
  @Test func whatATextMentions() async throws {
    let text = "It ends in EXC_GUARD, and nobody knows why.\n"
    let words = "EXC_GUARD, and nobody knows why"
    try directory.makeDirectory("notes")
    let path = try directory.write(Array(text.utf8), to: "notes/guard.txt")
    for arguments in [[path], ["-"]] {
      let summary = try await run(arguments + ["--summary"], input: Array(text.utf8))
      expectEqual(summary.status, 0)
      expectContains(summary.outputText, words)
    }
    // A list of facts looks like the head of a report.
    let list =
      text + "\n- Bundle identifier: `com.example.deck`\n- Code type: **ARM-64 (Native)**\n"
    let listed = try await run(["-", "--summary"], input: Array(list.utf8))
    expectEqual(listed.status, 0)
    expectContains(listed.outputText, words)
    let json = try await run([path, "--format", "json"])
    expectEqual(json.status, 0)
    expectContains(json.outputText, #""confidence": "possible""#)
    // There is nothing to symbolicate in it, and a directory has notes as well as reports.
    try await expectEqual(run([path]).status, 65)
    try await expectEqual(run([directory.path("notes"), "--summary"]).status, 65)
  }

  @Test func aReportThatCannotBeRead() async throws {
    let missing = directory.path("missing.crash")
    let result = try await run([missing, "-d", Fixtures.storyBundle])
    expectEqual(result.status, 66)
    expectEmpty(result.standardOutput)
    expectEqual(
      result.standardError,
      "symbolicate: error: cannot read the report \(missing): No such file or directory\n")
    // A directory is walked for reports.
    try await expectEqual(run([directory.path]).status, 65)
  }

  @Test func skipsAnUnreadableSymbolFile() async throws {
    let golden = try await run([Fixtures.storyReport, "-d", Fixtures.storyBundle])
    let dwarf = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    try directory.makeDirectory("Empty.dSYM/Contents/Resources")
    let cases = [
      (directory.path("missing.dSYM"), "No such file or directory"),
      (try directory.write([], to: "empty"), "is empty; expected a Mach-O or ELF file"),
      (try directory.write("hello".utf8, to: "text"), "text is text, not a symbol file"),
      (try directory.write(dwarf.prefix(100), to: "short"), "is cut short or damaged"),
      (directory.path("Empty.dSYM"), "has no DWARF file in Contents/Resources/DWARF"),
    ]
    for (path, message) in cases {
      let result = try await run([Fixtures.storyReport, "-d", path, "-d", Fixtures.storyBundle])
      expectEqual(result.status, 66)
      expectEqual(result.standardOutput, golden.standardOutput)
      expectTrue(result.standardError.contains(message))
      expectTrue(result.standardError.contains(path))
    }
  }

  @Test func returnsTheFirstStatusInOrder() async throws {
    let missing = directory.path("missing.dSYM")
    // 66 before 65, 65 before 3 and 2, 73 before 66.
    try await expectEqual(run(["-d", missing], input: Array("x".utf8)).status, 66)
    try await expectEqual(run(["--strict"], input: Array("x".utf8)).status, 65)
    try await expectEqual(
      run([
        Fixtures.storyReport, "-d", missing, "-o", directory.path("no/such/folder"),
      ]).status, 73)
    try await expectEqual(run([Fixtures.storyReport, "-d", missing, "--strict"]).status, 66)
  }
}
