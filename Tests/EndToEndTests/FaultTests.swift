import Foundation
import TestSupport
import Testing

/// The program while the system fails. `make faults` runs far more of it.
struct FaultTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// `$0` is the program, `$1` a report, `$2` its dSYM.
  private func shell(_ script: String) async throws -> ProgramResult {
    try await Program.run(
      "/bin/bash",
      [
        "-c", "export XDG_CACHE_HOME=/dev/null; " + script, Program.builtProgramPath,
        Fixtures.storyReport, Fixtures.storyBundle,
      ],
      workingDirectory: directory.path)
  }

  /// The program waits for a question, with the file mapped. Then the file is cut.
  @Test(.timeLimit(.minutes(60))) func aSymbolFileThatIsCutWhileItIsRead() async throws {
    let path = directory.path("é")
    try directory.copy(Fixtures.storyDwarfFile, to: "é")
    let result = try await Program.run(
      "/bin/bash",
      [
        "-c",
        """
        coproc P { exec "$0" atos -o "$1" -l 100228000 2> errors; }
        echo nonsense >&${P[1]}; read -r line <&${P[0]}; : > "$1"
        process=$P_PID; echo 10022d010 >&${P[1]}; wait $process; echo $?; cat errors
        """, Program.builtProgramPath, path,
      ], workingDirectory: directory.path)
    expectEqual(
      result.outputText,
      "1\natos: cannot read \(directory.path)/\\xc3\\xa9: the file was shortened while it was being read, or its disk failed; try again\n"
    )
  }

  @Test func aLimitOfTheSizeOfFiles() async throws {
    let result = try await shell(#"ulimit -f 1; "$0" "$1" -d "$2" -o out; echo $?; ls -A"#)
    expectEqual(result.outputText, "74\n")
    expectPrefix(result.standardError, "symbolicate: error: cannot write out: File too large\n")
  }

  @Test func aReaderThatHasLeft() async throws {
    // The other end of the pipe is closed before the program starts.
    let gone = "exec 3> >(:); wait $!; "
    let result = try await shell(gone + #""$0" "$1" "$1" -d "$2" >&3; echo $? >&2"#)
    expectEqual(result.standardError, "74\n")
    let atos = try await shell(
      gone + #""$0" atos -o "$2" -l 100228000 10022d010 >&3; echo $? >&2"#)
    expectEqual(atos.standardError, "1\n")
  }

  /// Help and completions, too: they are all that was asked for.
  @Test(arguments: [
    ("--help", 74), ("index --help", 74), ("--version", 74), ("help atos", 1),
    ("doctor \"$1\"", 74),
    ("--generate-completion-script bash", 74), ("uuid \"$2\"", 74), ("check \"$2\"", 74),
    ("\"$1\"", 74), ("dsym-for-uuid A4B1DE49-70B3-301D-A644-58D6BC22F513", 74),
    ("atos -o \"$2\" 0", 1),
  ])
  func standardOutputThatIsFullOrClosed(arguments: String, status: Int32) async throws {
    for redirection in ["> /dev/full", ">&-"] {
      let result = try await shell("\"$0\" \(arguments) \(redirection)")
      expectEqual(result.status, status)
      expectContains(result.standardError, "cannot write standard output: ")
    }
  }

  /// Otherwise the first file that is opened would be the stream.
  @Test func closedStreamsAreNotTakenByFiles() async throws {
    let expected = try await Program.symbolicate([Fixtures.storyReport, Fixtures.storyBundle])
    let result = try await shell(
      #"cp "$1" r; "$0" r missing -d "$2" --in-place <&- >&- 2>&-; echo $?; ls; cat r"#)
    expectEqual(result.outputText, "66\nr\n\(expected.outputText)")
  }

  @Test(.timeLimit(.minutes(60))) func aNamedPipeThatNobodyWritesTo() async throws {
    let result = try await shell(#"mkfifo p; cp "$1" r; "$0" r -d p > out; echo $?; cmp r out"#)
    expectEqual(result.outputText, "66\n")
    expectContains(result.standardError, "p is empty")
  }

  @Test func resultsThatLinksLeadToOneFile() async throws {
    let result = try await shell(
      #"mkdir o; cp "$1" a; cp "$1" b; ln -s ../x o/a; ln -s ../x o/b; "$0" a b --output-dir o; echo $?; ls"#
    )
    expectEqual(result.outputText, "73\na\nb\no\n")
    expectEqual(
      result.standardError,
      "symbolicate: error: the results of a and b would both be o/b, so nothing was written; symbolicate them in separate runs, each with its own directory\n"
    )
  }

  @Test func namesThatAreCanonicallyEqualAreTwo() async throws {
    let result = try await shell(
      #"mkdir m n; cp "$1" $'m/\u00e9'; cp "$1" $'n/e\u0301'; "$0" m/* n/* --output-dir o; echo $?; ls o | wc -l"#
    )
    expectEqual(result.outputText, "0\n2\n")
  }

  /// A few dozen faults, each at one call of the system. `make faults` tries all.
  @Test func faultsOfTheSystem() async throws {
    let script = Fixtures.packageDirectory + "/Tests/Faults/faults.py"
    let result = try await Program.run(
      "/usr/bin/env", ["python3", script, Program.builtProgramPath, "--small"])
    // 77: tracing is not permitted here, as in some containers.
    if result.status == 77 { return print("not tested: \(result.standardError)") }
    expectEqual(result.status, 0, "\(result.outputText)\(result.standardError)")
  }
}
