import TestSupport
import Testing

/// `--format` and the options that choose what is looked up, from the command line.
struct FormatTests {
  private static let ips = """
    {"app_name":"Letter Shuffle","bug_type":"309","platform":2}
    {
      "osVersion" : {"train":"iPhone OS 16.0","build":"20A362","isEmbedded":true},
      "procName" : "Letter Shuffle", "pid" : 7, "cpuType" : "ARM-64", "faultingThread" : 0,
      "threads" : [{"triggered":true,"id":1,"frames":[{"imageOffset":160156,"imageIndex":0},{"imageOffset":119796,"imageIndex":0}]},{"id":2,"frames":[{"imageOffset":120380,"imageIndex":0}]}],
      "usedImages" : [{"source":"P","arch":"arm64","base":4297228288,"size":278528,"uuid":"a4b1de49-70b3-301d-a644-58d6bc22f513","path":"\\/x\\/Letter Shuffle","name":"Letter Shuffle"}]
    }

    """

  private func run(_ arguments: [String], _ input: String = ips) async throws -> ProgramResult {
    try await Program.symbolicate(
      ["-d", Fixtures.storyBundle] + arguments, input: Array(input.utf8))
  }

  /// Frames as Apple's translated reports show them: the address in 18 columns after a tab, and no
  /// place for line 0.
  @Test func crashTranslatesJson() async throws {
    let result = try await run(["--format", "crash"])
    expectEqual(result.status, 0)
    expectTrue(
      result.outputText.contains(
        """
        Thread 0 Crashed:
        0   Letter Shuffle                \t       0x10024f19c GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) + 164
        1   Letter Shuffle                \t       0x1002453f4 GameViewController.startRound() + 16 (GameViewController.swift:51) [inlined]
        2   Letter Shuffle                \t       0x1002453f4 GameViewController.viewDidLoad() + 40 (GameViewController.swift:37)

        Thread 1:
        0   Letter Shuffle                \t       0x10024563c GameViewController.loadRound(_:) + 28
        """))
    let crashed = try await run(["--format", "crash", "--threads", "crashed", "--no-inlines"])
    expectTrue(
      crashed.outputText.contains(
        "1   Letter Shuffle                \t       0x1002453f4 GameViewController.viewDidLoad() + 40 (GameViewController.swift:37)\n"
      ))
    expectFalse(crashed.outputText.contains("Thread 1:"))
  }

  @Test func crashFormatKeepsText() async throws {
    let text = try Fixtures.bytes(of: Fixtures.storyReport)
    let input = String(decoding: text, as: UTF8.self)
    let crash = try await run(["--format", "crash"], input)
    let auto = try await run([], input)
    expectEqual(crash.standardOutput, auto.standardOutput)
  }

  @Test func ipsFormatNeedsJson() async throws {
    let same = try await run(["--format", "ips"])
    let auto = try await run([])
    expectEqual(same.standardOutput, auto.standardOutput)
    expectEqual(same.status, 0)
    let text = try Fixtures.bytes(of: Fixtures.storyReport)
    let refused = try await run(["--format", "ips"], String(decoding: text, as: UTF8.self))
    expectEqual(refused.status, 65)
    expectContains(refused.standardError, "is a text report, which cannot be converted to .ips")
    expectEqual(refused.standardOutput, text)
  }

  @Test(arguments: [
    ["--format", "pdf"], ["--threads", "some"], ["--threads", "1,,2"],
    ["--summary", "--format", "json"],
  ])
  func refusesWrongValues(arguments: [String]) async throws {
    try await expectEqual(run(arguments, "").status, 64)
  }
}
