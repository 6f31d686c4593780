import Foundation
import TestSupport
import Testing

/// `atos` driven through pipes, as sanitizers and other tools do: they write an address and wait
/// for its answer before they write the next.
struct InteractiveAtosTests {
  @Test(.timeLimit(.minutes(1))) func eachAnswerComesBeforeTheNextQuestion() throws {
    let process = Process()
    let (questions, answers) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: Program.builtProgramPath)
    process.arguments = ["atos", "-o", Fixtures.storyBundle, "-l", "100228000"]
    process.standardInput = questions
    process.standardOutput = answers
    try process.run()
    for (question, answer) in [
      (
        "0x1002453f4",
        "GameViewController.viewDidLoad() (in Letter Shuffle) (GameViewController.swift:37)\n"
      ),
      ("nonsense", "nonsense\n"),
      ("10022d010", "main (in Letter Shuffle) (AppDelegate.swift:13)\n"),
    ] {
      try questions.fileHandleForWriting.write(contentsOf: Data("\(question)\n".utf8))
      let bytes = answers.fileHandleForReading.availableData
      #expect(String(decoding: bytes, as: UTF8.self) == answer)
    }
    try questions.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }

  @Test func standardInputThatCannotBeRead() async throws {
    for redirection in ["<&-", "</"] {
      let result = try await Program.run(
        "/bin/sh",
        [
          "-c", "exec \"$0\" atos -o \"$1\" \(redirection)", Program.builtProgramPath,
          Fixtures.storyBundle,
        ])
      #expect(result.status == 1)
      #expect(result.standardError.hasPrefix("atos: cannot read the addresses in standard input: "))
    }
  }
}
