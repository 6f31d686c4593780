import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// The stacks of `leaks`: the outermost frame comes first.
struct LeaksTests {
  private static let head = """
    Process:         Letter Shuffle [6258]
    Path:            /Users/USER/Letter Shuffle
    Identifier:      Letter Shuffle
    Code Type:       ARM64

    Date/Time:       2022-08-01 17:14:48.402 +0400
    ----

    leaks Report Version: 4.0, multi-line stacks
    Process 6258: 33822 nodes malloced for 6005 KB
    Process 6258: 3 leaks for 96 total leaked bytes.

    STACK OF 3 INSTANCES OF 'ROOT LEAK: <Tile>':

    """
  private static let tail = """
    ====
        3 (96 bytes) << TOTAL >>
          1 (32 bytes) ROOT LEAK: <Tile 0x6000000317e0> [32]


    Binary Images:
    \(ReportFixture.storyLine)

    """

  private static func report(_ frames: [String]) -> String {
    head + frames.map { $0 + "\n" }.joined() + tail
  }

  /// The frame of `viewDidLoad` has an inlined call; the names are those that LLVM's tools give
  /// (Fixtures/LetterShuffle/README.md).
  @Test func isCompletedInItsOrder() throws {
    let allocation = ReportFixture.line(0, 0x1_04B4_DD91, image: "libsystem_malloc", "malloc + 24")
    let input = Self.report([
      ReportFixture.frame(2, 0x1_0024_5520), ReportFixture.frame(1, 0x1_0024_53F4), allocation,
    ])
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle])
    let result = job.symbolicate(Array(input.utf8), shownPath: "report")
    let allocationAgain = allocation
    let expected = Self.report([
      ReportFixture.line(
        3, 0x1_0024_5520, "@objc GameViewController.viewDidLoad() + 28 (<compiler-generated>:0)"),
      ReportFixture.line(
        2, 0x1_0024_53F4, "GameViewController.viewDidLoad() + 40 (GameViewController.swift:37)"),
      ReportFixture.line(
        1, 0x1_0024_53F4,
        "GameViewController.startRound() + 16 (GameViewController.swift:51) [inlined]"),
      allocationAgain,
    ])
    expectEqual(String(decoding: result.output, as: UTF8.self), expected)
    expectFalse(result.notes.contains { $0.contains("damaged") })
    let again = job.symbolicate(result.output, shownPath: "report")
    expectEqual(again.output, result.output)
  }

  @Test func isNamed() throws {
    let input = Self.report([ReportFixture.frame(0, 0x1_0024_5520)])
    var job = ReportJob(symbolPaths: [], form: .json)
    let json = String(
      decoding: job.symbolicate(Array(input.utf8), shownPath: "report").output, as: UTF8.self)
    expectContains(json, "\"format\": \"leaks\"")
    expectContains(json, "\"name\": \"3 INSTANCES OF 'ROOT LEAK: <Tile>'\"")
  }
}
