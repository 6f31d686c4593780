import TestSupport
import Testing

/// The labels of messages, `--quiet`, `--verbose`, and the one tally of several reports.
struct MessageSchemeTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyReport, to: "a.crash")
    try directory.copy(Fixtures.storyReport, to: "b.crash")
    try directory.write("shopping list\n".utf8, to: "notes.txt")
  }

  private func run(_ arguments: [String], input: [UInt8] = []) async throws -> ProgramResult {
    try await Program.symbolicate(
      arguments, input: input, workingDirectory: directory.path)
  }

  private func lines(_ result: ProgramResult) -> [String] {
    result.standardError.split(separator: "\n").map(String.init)
  }

  @Test func quietReportsErrorsOnly() async throws {
    let result = try await run(["a.crash", "-q"])
    expectEqual(result.status, 0)
    expectEqual(result.standardError, "")
    let failed = try await run(["a.crash", "-q", "-d", "gone.dSYM", "-d", Fixtures.storyBundle])
    expectEqual(failed.status, 66)
    expectEqual(
      failed.standardError, "symbolicate: error: cannot read gone.dSYM: No such file or directory\n"
    )
    let several = try await run(["a.crash", "notes.txt", "--quiet"])
    expectEqual(several.status, 65)
    expectTrue(lines(several).allSatisfy { $0.hasPrefix("symbolicate: error: ") })
    expectEqual(lines(several).count, 1)
    for command in [["index", Fixtures.storyBundle, "-o", "out"], ["group", "a.crash"]] {
      let result = try await run(command + ["-q"])
      expectEqual(result.standardError, "", "\(command)")
    }
  }

  /// Whoever names a place expects symbols from it: that it gave none is no detail.
  @Test func quietSaysWhatANamedPlaceDidNotGive() async throws {
    try directory.makeDirectory("empty")
    for (place, end) in [
      (["-d", "empty"], "its dSYM was not found in empty"),
      (["-s", "empty"], "its dSYM was not found in empty"),
      (["-d", Program.builtProgramPath], "x86_64)"),
    ] {
      for reports in [["a.crash"], ["a.crash", "b.crash"]] {
        let result = try await run(reports + place + ["-q"])
        expectEqual(result.status, 0)
        expectTrue(lines(result).contains { $0.hasSuffix(end) }, result.standardError)
        expectTrue(lines(result).allSatisfy { $0.hasPrefix("symbolicate: warning: ") })
        expectEqual(Set(lines(result)).count, lines(result).count)
      }
    }
    let found = try await run(["a.crash", "-q", "-d", Fixtures.storyBundle, "-s", "empty"])
    expectEqual(found.standardError, "")
  }

  /// In all commands that look for symbols.
  @Test func quietSaysWhichNamedPlacesAreNone() async throws {
    try directory.makeDirectory("empty")
    try directory.makeDirectory("zip")
    // The start of a zip archive.
    try directory.write([0x50, 0x4b, 3, 4] + Array("cut".utf8), to: "zip/cut.zip")
    let uuid = "A4B1DE49-70B3-301D-A644-58D6BC22F513"
    for (command, place, message) in [
      (["a.crash"], ["-d", "zip/cut.zip"], "zip/cut.zip is cut short: "),
      (["a.crash"], ["--index-dir", "gone"], "--index-dir: cannot search gone: "),
      (["group", "a.crash"], ["-d", "empty"], "no Mach-O or ELF file was found in empty"),
      (["group", "a.crash"], ["-d", Program.builtProgramPath], "1 report has frames of the app"),
      (
        ["index", "--from", "a.crash"], ["-d", "empty"], "no Mach-O or ELF file was found in empty"
      ),
      (["worker"], ["-d", "empty"], "no Mach-O or ELF file was found in empty"),
      (["a.crash"], ["-s", "gone"], "cannot search gone: "),
      (["group", "a.crash"], ["-s", "gone"], "cannot search gone: "),
      (["check", Fixtures.storyBundle], ["-s", "gone"], "cannot search gone: "),
      (["doctor", "a.crash"], ["-s", "gone"], "cannot search gone: "),
      (["dsym-for-uuid", uuid], ["-s", "gone"], "cannot search gone: "),
      (["index", "--from", "a.crash"], ["-s", "gone"], "cannot search gone: "),
      (["worker"], ["-s", "gone"], "cannot search gone: "),
    ] {
      let record = Array("{\"id\":1,\"path\":\"a.crash\"}\n".utf8)
      let result = try await run(command + place + ["-q"], input: record)
      expectPrefix(
        lines(result).first ?? "", "symbolicate: warning: \(message)", "\(command) \(place)")
    }
  }

  /// `-o` in front of a report is an easy mistake: standard input is empty then.
  @Test func emptyInputReplacesNothing() async throws {
    let result = try await run(["-o", "a.crash"])
    expectEqual(result.status, 65)
    try expectEqual(directory.bytes(of: "a.crash"), Fixtures.bytes(of: Fixtures.storyReport))
  }

  /// What `--explain` says was asked for.
  @Test func quietDoesNotSilenceExplanations() async throws {
    let arguments = ["a.crash", "-d", Fixtures.storyBundle, "--explain"]
    let loud = try await run(arguments)
    let quiet = try await run(arguments + ["-q"])
    // The tally and a note follow the explanations.
    #expect(lines(loud).count > 20)
    expectEqual(lines(quiet), lines(loud).dropLast(2))
  }

  /// The command that explains what is missing comes last, whatever else there is to say.
  @Test func theDiagnosisComesLast() async throws {
    let result = try await run(["a.crash", "-d", Program.builtProgramPath, "--strict"])
    expectEqual(result.status, 2)
    expectEqual(
      lines(result).suffix(3).map { $0.prefix(38) },
      [
        "symbolicate: warning: \(Program.builtProgramPath) m".prefix(38),
        "symbolicate: error: --strict: 6 frames have no name".prefix(38),
        "symbolicate: note: to see why: symbolicate doctor".prefix(38),
      ])
  }

  /// Where a file would go, and why it cannot.
  @Test func aFolderThatIsNotThere() async throws {
    let result = try await run(["a.crash", "-q", "-o", "no/such/out.crash"])
    expectEqual(result.status, 73)
    expectEqual(
      result.standardError,
      "symbolicate: error: cannot create no/such/out.crash: there is no folder no/such\n")
  }

  @Test func verboseNamesTheFileOfEachImage() async throws {
    let result = try await run(["a.crash", "-v", "-d", Fixtures.storyBundle])
    expectEqual(
      lines(result).first,
      "symbolicate: note: Letter Shuffle (UUID A4B1DE49-70B3-301D-A644-58D6BC22F513, arm64): \(Fixtures.storyDwarfFile), matched by UUID"
    )
    expectContains(lines(result), "6 of 11 frames resolved")
    let silent = try await run(["a.crash", "-d", Fixtures.storyBundle])
    expectEqual(silent.standardOutput, result.standardOutput)
  }

  /// Eleven frames each, six of them the app's, and no symbols.
  @Test func severalReportsEndWithOneTally() async throws {
    let expected = """
      2 reports: 2 crash text
      0 of 22 frames resolved
      symbolicate: warning: no symbols for 1 image; give their dSYMs or ELF files with -d:
        UUID A4B1DE49-70B3-301D-A644-58D6BC22F513 (arm64) Letter Shuffle: 2 reports, 12 frames
      symbolicate: note: no symbols for 3 system libraries, wanted by up to 2 reports: this is normal, because an app's dSYMs do not have them
      """
    let named = try await run(["a.crash", "b.crash", "-o", "out"])
    expectEqual(named.status, 0)
    expectEqual(
      named.standardError,
      expected
        + "\nsymbolicate: note: to see why: symbolicate doctor a.crash\n")
    try directory.makeDirectory("logs")
    try directory.copy(Fixtures.storyReport, to: "logs/a.crash")
    try directory.copy(Fixtures.storyReport, to: "logs/b.crash")
    let walked = try await run(["logs", "-o", "out"])
    expectEqual(walked.standardError, expected + "\n")
    try directory.makeDirectory("empty")
    let searched = try await run(["a.crash", "b.crash", "-s", "empty", "-o", "out"])
    expectTrue(searched.standardError.contains("no symbols for 1 image; not found in empty:\n"))
  }

  /// What is particular to one of several reports is said with its name.
  @Test func aDamagedReportAmongSeveral() async throws {
    let text = #"{"bug_type":"309"}"# + "\n" + #"{"threads":[{"frames":[{"imageOffset":16,"#
    try directory.write(text.utf8, to: "cut.ips")
    let result = try await run(["a.crash", "cut.ips"])
    expectTrue(
      lines(result).contains {
        $0.hasPrefix("symbolicate: warning: cut.ips: the report is cut short or damaged: ")
      }, "\(result.standardError)")
  }

  @Test(arguments: [
    ("idnex", "index"), ("gruop", "group"), ("dcotor", "doctor"), ("workr", "worker"),
    ("uid", "uuid"), ("attos", "atos"), ("chekc", "check"), ("hlep", "help"),
  ])
  func aMistypedCommand(word: String, command: String) async throws {
    let result = try await run([word])
    expectEqual(result.status, 66)
    expectEqual(
      result.standardError,
      "symbolicate: error: cannot read the report \(word): No such file or directory; did you mean 'symbolicate \(command)'?\n"
    )
  }

  /// Options that a person knows from another tool are answered with what to give here.
  @Test(arguments: [
    (["--obj=App.dSYM", "0x1000"], "--obj", "give the symbol file with -d"),
    (["--exe", "App", "a.crash"], "--exe", "give the symbol file with -d"),
    (["-e", "App", "0x1000"], "-e", "symbolicate atos -o FILE"),
    (["-o", "App.dSYM", "-arch", "arm64", "-l", "0x1", "0x2"], "-arch", "symbolicate atos -o"),
    (["-A", "a.crash"], "-A", "--resymbolicate"),
    (["-p", "a.crash"], "-p", "symbolicate atos -o FILE -l"),
    (["--pretty", "a.crash"], "--pretty", "--format crash"),
    (["-fullPath", "a.crash"], "-fullPath", "symbolicate atos"),
    (["--inlines", "a.crash"], "--inlines", "--no-inlines"),
    (["-inlineFrames", "a.crash"], "-inlineFrames", "--no-inlines"),
    (["-delimiter", "x", "a.crash"], "-delimiter", "symbolicate atos -o FILE -l"),
    (["-dsym", "App.dSYM", "a.crash"], "-dsym", "give symbol files with -d"),
    (["-demangle=false", "a.crash"], "-demangle", "--demangle none"),
    (["--no-demangle", "a.crash"], "--no-demangle", "--demangle none"),
    (["--build-id=1", "a.crash"], "--build-id", "symbolicate uuid"),
    (["--debuginfod", "a.crash"], "--debuginfod", "DEBUGINFOD_URLS"),
    (
      ["--print-source-context-lines=3", "a.crash"], "--print-source-context-lines", "--source-con"
    ),
    (["--no-system-frameworks", "a.crash"], "--no-system-frameworks", "--only-user-code"),
    (["--uuids-only", "a.crash"], "--uuids-only", "symbolicate uuid"),
    (["--process-name", "App", "a.crash"], "--process-name", "--process "),
    (["--json", "a.crash"], "--json", "--format json"),
    (["--org", "x", "--project", "y", "a.crash"], "--org", "leave it out"),
    (["--type", "dsym", "a.crash"], "--type", "-s"),
    (["--require-all", "a.crash"], "--require-all", "symbolicate check"),
    (["--il2cpp-mapping", "a.crash"], "--il2cpp-mapping", "--il2cpp-map FILE"),
  ])
  func optionsOfOtherTools(arguments: [String], option: String, advice: String) async throws {
    let result = try await run(arguments)
    expectEqual(result.status, 64)
    expectPrefix(result.standardError, "symbolicate: error: '\(option)' is an option of ")
    expectContains(result.standardError, advice)
  }

  /// Only an option that the word is nearly is suggested.
  @Test(arguments: [
    ("--sumary", "'--summary'"), ("--frmat", "'--format'"), ("--jsno", nil), ("--help-me", nil),
    ("--exec", nil),
  ])
  func mistypedOptions(word: String, suggestion: String?) async throws {
    let result = try await run([word, "a.crash"])
    expectEqual(result.status, 64)
    expectPrefix(result.standardError, "symbolicate: error: unknown option '\(word)'")
    expectEqual(
      result.standardError.contains("did you mean"), suggestion != nil, result.standardError)
    if let suggestion { expectContains(result.standardError, suggestion) }
  }

  @Test func versionAndHelpAsApplesToolsPrintThem() async throws {
    let (ours, theirs) = try await (run(["--version"]), run(["-version"]))
    expectEqual(theirs.status, 0)
    expectEqual(theirs.outputText, ours.outputText)
    let (ourHelp, theirHelp) = try await (run(["--help"]), run(["-help", "a.crash"]))
    expectEqual(theirHelp.outputText, ourHelp.outputText)
  }

  @Test(arguments: ["crash.ips", "./idnex", "report", "x", "logs"])
  func aReportThatIsNotThere(path: String) async throws {
    let result = try await run([path])
    expectFalse(result.standardError.contains("did you mean"))
  }

  /// Its output and messages are on the terminal, and so is its standard input.
  @Test func nothingOnATerminal() throws {
    let result = try Terminal.run(
      Program.builtProgramPath, [], input: .terminal)
    expectEqual(result.status, 64)
    expectEqual(
      String(decoding: result.shown, as: UTF8.self),
      """
      symbolicate: error: there is no crash report to read
      Usage: symbolicate REPORT… [-d SYMBOLS]…
      For example: symbolicate crash.ips -d App.dSYM
      'symbolicate -h' has more examples, and 'symbolicate --help' the options.

      """)
  }
}
