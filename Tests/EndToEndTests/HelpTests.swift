import TestSupport
import Testing

/// Help, completions and the names of subcommands.
struct HelpTests {
  /// Help is as wide as the terminal, or as COLUMNS says.
  private func run(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.run("/usr/bin/env", ["COLUMNS=100", Program.builtProgramPath] + arguments)
  }

  @Test(arguments: [
    ("symbolicate.txt", [["--help"], ["-h"], ["help"]]),
    ("symbolicate-index.txt", [["index", "--help"], ["help", "index"], ["index", "-h"]]),
    (
      "symbolicate-dsym-for-uuid.txt",
      [["dsym-for-uuid", "--help"], ["help", "dsym-for-uuid"], ["dsym-for-uuid", "-h"]]
    ),
    ("symbolicate-uuid.txt", [["uuid", "--help"], ["help", "uuid"]]),
    ("symbolicate-check.txt", [["check", "--help"], ["help", "check"]]),
    ("symbolicate-doctor.txt", [["doctor", "--help"], ["help", "doctor"]]),
    ("symbolicate-group.txt", [["group", "--help"], ["help", "group"]]),
    ("symbolicate-worker.txt", [["worker", "--help"], ["help", "worker"]]),
    ("symbolicate-atos.txt", [["atos", "--help"], ["help", "atos"], ["atos", "-help"]]),
  ])
  func ofEachCommand(expected: String, forms: [[String]]) async throws {
    for arguments in forms {
      let result = try await run(arguments)
      #expect(result.status == 0)
      #expect(result.standardError.isEmpty)
      try ExpectedOutput.expect(result.standardOutput, equals: "Help/\(expected)")
    }
  }

  /// `help` of anything else is that of the program.
  @Test func ofAnUnknownCommand() async throws {
    let result = try await run(["help", "nothing"])
    #expect(result.status == 0)
    try ExpectedOutput.expect(result.standardOutput, equals: "Help/symbolicate.txt")
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionsHaveTheSubcommands(shell: String) async throws {
    let result = try await run(["--generate-completion-script", shell])
    #expect(result.status == 0)
    for word in [
      "atos", "index", "uuid", "check", "doctor", "group", "dsym-for-uuid", "worker", "help",
      "clean", "in-place", "map-path",
    ] {
      #expect(result.outputText.contains(word), "\(word)")
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
    #expect(
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
    let fish = try #require(Program.path(of: "fish"))
    let command = "\(Program.builtProgramPath) --generate-completion-script fish | source"
    let result = try await Program.run(
      fish, ["--no-config", "-c", "\(command); complete -C '\(line)'"],
      workingDirectory: Fixtures.packageDirectory)
    #expect(
      result.outputText.split(separator: "\n").contains {
        $0.split(separator: "\t").first ?? "" == expected
      },
      "\(result.outputText)\(result.standardError)")
  }

  @Test func theDescriptionForToolsHasTheSubcommands() async throws {
    let result = try await run(["--experimental-dump-help"])
    #expect(result.status == 0)
    #expect(result.outputText.contains(#""commandName" : "index""#))
    #expect(result.outputText.contains(#""commandName" : "atos""#))
  }

  /// Reports with the names of subcommands are given with a folder in front.
  @Test(arguments: ["index", "atos", "uuid", "check", "doctor", "help"])
  func aReportWithTheNameOfASubcommand(name: String) async throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyReport, to: name)
    for arguments in [["./\(name)"], ["-d", Fixtures.storyBundle, name]] {
      let result = try await Program.symbolicate(
        arguments, workingDirectory: directory.path)
      #expect(result.status == 0)
      #expect(result.standardError.contains(" of 11 frames resolved"))
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
