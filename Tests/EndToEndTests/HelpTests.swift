import TestSupport
import Testing

/// Help, completions and the names of subcommands.
struct HelpTests {
  /// Help is as wide as the terminal, or as COLUMNS says.
  private func run(_ arguments: [String], columns: Int = 80) async throws -> ProgramResult {
    try await Program.run(
      "/usr/bin/env", ["COLUMNS=\(columns)", Program.builtProgramPath] + arguments)
  }

  private static let commands = [
    "index", "uuid", "check", "doctor", "group", "dsym-for-uuid", "worker", "atos",
  ]

  @Test func ofTheProgram() async throws {
    for arguments in [
      ["--help"], ["help"], ["help", "help"], ["crash.ips", "--help", "--no-such-option"],
    ] {
      let result = try await run(arguments)
      expectEqual(result.status, 0)
      expectEmpty(result.standardError)
      try ExpectedOutput.expect(result.standardOutput, equals: "Help/symbolicate.txt")
      let lineCount = result.standardOutput.count { $0 == UInt8(ascii: "\n") }
      expectTrue(lineCount <= 70, "\(lineCount) lines, which nobody reads")
    }
    let result = try await run(["crash.ips", "--help-all"])
    expectEqual(result.status, 0)
    try ExpectedOutput.expect(result.standardOutput, equals: "Help/symbolicate-all.txt")
  }

  /// What `--help` leaves out is counted, and `--help-all` has it.
  @Test(arguments: commands + [""])
  func whatTheHelpLeavesOut(command: String) async throws {
    let words = [command].filter { !$0.isEmpty }
    func entries(_ option: String) async throws -> [Substring] {
      try await run(words + [option]).outputText.split(separator: "\n")
        .filter { $0.hasPrefix("  -") }
    }
    let (usual, all) = try await (entries("--help"), entries("--help-all"))
    expectTrue(Set(usual).isSubset(of: all))
    expectEqual(usual.isEmpty, false)
    let text = try await run(words + ["--help"]).outputText
    let counted = text.firstMatch(of: /--help-all' has (\d+) more options\./)?.1
    // Apple's atos has few options, and all are shown.
    expectEqual(counted.flatMap { Int($0) }, command == "atos" ? nil : all.count - usual.count)
  }

  @Test(arguments: commands)
  func ofEachCommand(command: String) async throws {
    for arguments in [[command, "--help"], ["help", command]] {
      let result = try await run(arguments)
      expectEqual(result.status, 0)
      expectEmpty(result.standardError)
      try ExpectedOutput.expect(
        result.standardOutput, equals: "Help/symbolicate-\(command).txt")
    }
  }

  @Test(arguments: commands + [""])
  func ofMinusH(command: String) async throws {
    let words = [command].filter { !$0.isEmpty }
    let result = try await run(words + ["-h"])
    expectEqual(result.status, 0)
    expectEmpty(result.standardError)
    let name = (["symbolicate"] + words).joined(separator: "-")
    try ExpectedOutput.expect(result.standardOutput, equals: "Help/\(name)-short.txt")
    let lines = result.outputText.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 21, "20 lines, each with its end")
    // Examples are commands, and the options in it are options of the help.
    let examples = lines.filter { $0.hasPrefix("  symbolicate ") || $0.hasPrefix("  atos ") }
    expectTrue(command == "dsym-for-uuid" || command == "worker" || examples.count == 3)
    let help = try await run(words + ["--help"]).outputText
    for line in lines where line.hasPrefix("  -") {
      let names = line.matches(of: /(?:^|[ ,])(--?[A-Za-z-]+)/).map { String($0.1) }
      expectTrue(help.contains(names.first ?? ""), "\(line)")
    }
  }

  /// Every help fits a terminal of 80 columns, and a narrow one as far as words allow.
  @Test(arguments: commands + [""])
  func fitsEightyColumns(command: String) async throws {
    let words = [command].filter { !$0.isEmpty }
    for option in ["-h", "--help", "--help-all"] {
      let result = try await run(words + [option])
      for line in result.outputText.split(separator: "\n") {
        #expect(line.count <= 80, "\(line)")
      }
    }
    let wide = try await run(words + ["--help"], columns: 140).outputText
    expectTrue(command == "atos" || wide.split(separator: "\n").contains { $0.count > 80 })
    expectTrue(wide.split(separator: "\n").allSatisfy { $0.count <= 140 })
  }

  /// Usage comes first, sections follow in this order, and exit statuses are the end.
  @Test func sections() async throws {
    let text = try await run(["--help-all"]).outputText
    func headings(_ text: String) -> [Substring] {
      text.split(separator: "\n").filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
    }
    expectEqual(
      headings(text),
      [
        "Symbols:", "Output:", "Frames:", "Indexes:", "Resources:", "Diagnostics:", "General:",
        "Commands:", "Exit status:",
      ])
    // A section without a usual option is left out.
    try await expectEqual(
      headings(run(["--help"]).outputText),
      ["Symbols:", "Output:", "Frames:", "Diagnostics:", "General:", "Commands:", "Exit status:"])
    expectPrefix(text, "Usage: symbolicate ")
    expectSuffix(text, "If several apply, the first of 1, 74, 73, 66, 65, 3, 2 is returned.\n")
  }

  @Test func ofAnUnknownCommand() async throws {
    let result = try await run(["help", "idnex"])
    expectEqual(result.status, 64)
    expectEqual(
      result.standardError,
      "symbolicate: error: there is no command 'idnex'; did you mean 'index'?\n")
    let other = try await run(["help", "nothing"])
    expectEqual(other.status, 64)
    expectEqual(
      other.standardError,
      "symbolicate: error: there is no command 'nothing'; the commands are atos, index, uuid, check, doctor, group, dsym-for-uuid, worker\n"
    )
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsHaveTheSubcommands(shell: String) async throws {
    let result = try await run(["--generate-completion-script", shell])
    expectEqual(result.status, 0)
    for word in [
      "atos", "index", "uuid", "check", "doctor", "group", "dsym-for-uuid", "worker", "help",
      "clean", "in-place", "map-path",
    ] {
      expectTrue(result.outputText.contains(word), "\(word)")
    }
  }

  /// The script is one that bash accepts, and it completes subcommands and their options.
  @Test(arguments: [
    ("symbolicate ind", "index"), ("symbolicate ato", "atos"), ("symbolicate --in-p", "--in-place"),
    ("symbolicate index --cle", "--clean"), ("symbolicate c.crash --in-p", "--in-place"),
    ("symbolicate uui", "uuid"), ("symbolicate check --jun", "--junit"),
    ("symbolicate group --mer", "--merge"),
    ("symbolicate --jobs 2 c.crash -d x --summ", "--summary"),
    ("symbolicate atos -arc", "-arch"), ("symbolicate atos -o x -full", "-fullPath"),
  ])
  func bashCompletes(line: String, expected: String) async throws {
    let script = """
      source <("$0" --generate-completion-script bash) || exit 3
      COMP_LINE="$1"; COMP_POINT=${#COMP_LINE}; read -ra COMP_WORDS <<<"$1"
      COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_TYPE=9; COMP_KEY=9
      function=$(complete -p symbolicate | sed 's/.*-F \\([^ ]*\\).*/\\1/')
      "$function" symbolicate "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}" 2>/dev/null
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let result = try await Program.run(
      "/bin/bash", ["-c", script, Program.builtProgramPath, line])
    expectTrue(
      result.outputText.split(separator: "\n").contains { $0.trimmed == expected },
      "\(result.outputText)\(result.standardError)")
  }

  @Test(
    .enabled(if: Program.path(of: "fish") != nil, "needs fish"),
    arguments: [
      ("symbolicate ind", "index"), ("symbolicate --in-p", "--in-place"),
      ("symbolicate index --cle", "--clean"), ("symbolicate c.crash --in-p", "--in-place"),
      ("symbolicate Package.sw", "Package.swift"), ("symbolicate atos -arc", "-arch"),
      ("atos -dwarf-reader lib", "libdwarf"),
    ])
  func fishCompletes(line: String, expected: String) async throws {
    let fish = try require(Program.path(of: "fish"))
    let command = "\(Program.builtProgramPath) --generate-completion-script fish | source"
    let result = try await Program.run(
      fish, ["--no-config", "-c", "\(command); complete -C '\(line)'"],
      workingDirectory: Fixtures.packageDirectory)
    expectTrue(
      result.outputText.split(separator: "\n").contains {
        $0.split(separator: "\t").first ?? "" == expected
      }, "\(result.outputText)\(result.standardError)")
  }

  @Test func theDescriptionForToolsHasTheSubcommands() async throws {
    let result = try await run(["--experimental-dump-help"])
    expectEqual(result.status, 0)
    expectTrue(result.outputText.contains(#""commandName" : "index""#))
    expectTrue(result.outputText.contains(#""commandName" : "atos""#))
  }

  /// Reports with the names of subcommands are given with a folder in front.
  @Test(arguments: ["index", "atos", "uuid", "check", "doctor", "help"])
  func aReportWithTheNameOfASubcommand(name: String) async throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyReport, to: name)
    for arguments in [["./\(name)"], ["-d", Fixtures.storyBundle, name]] {
      let result = try await Program.symbolicate(
        arguments, workingDirectory: directory.path)
      expectEqual(result.status, 0)
      expectContains(result.standardError, " of 11 frames resolved")
    }
  }
}

extension Substring {
  fileprivate var trimmed: Substring {
    var rest = self
    while rest.last == " " { rest.removeLast() }
    return rest
  }
}
