import TestSupport
import Testing

/// `atos` driven through pipes, as sanitizers and other tools do: they write an address and wait
/// for its answer before they write the next.
struct InteractiveAtosTests {
  @Test(.timeLimit(.minutes(60))) func eachAnswerComesBeforeTheNextQuestion() throws {
    let process = try ChildProcess(
      Program.builtProgramPath, ["atos", "-o", Fixtures.storyBundle, "-l", "100228000"])
    for (question, answer) in [
      (
        "0x1002453f4",
        "GameViewController.viewDidLoad() (in Letter Shuffle) (GameViewController.swift:37)\n"
      ),
      ("nonsense", "nonsense\n"),
      ("10022d010", "main (in Letter Shuffle) (AppDelegate.swift:13)\n"),
    ] {
      try process.write("\(question)\n")
      expectEqual(String(decoding: try process.nextOutput(), as: UTF8.self), answer)
    }
    expectEqual(process.end(), 0)
  }

  @Test func standardInputThatCannotBeRead() async throws {
    for redirection in ["<&-", "</"] {
      let result = try await Program.run(
        "/bin/sh",
        [
          "-c", "exec \"$0\" atos -o \"$1\" \(redirection)", Program.builtProgramPath,
          Fixtures.storyBundle,
        ])
      expectEqual(result.status, 1)
      expectPrefix(result.standardError, "atos: cannot read the addresses in standard input: ")
    }
  }
}
