import ReportRuns
import ReportTestSupport
import TestSupport
import Testing

/// Which address is looked up, and which offset is printed. Rows and ranges are from
/// `llvm-dwarfdump-19 --debug-line --debug-info` of the example's dSYM; addresses in the report are
/// 0x128000 higher than in the file.
struct ReturnAddressTests {
  /// 0x10001d798 begins line 0; the row before it is line 14. 0x10001d63c begins line 61, the row
  /// before it line 60. The functions begin at 0x10001d768 and 0x10001d620.
  private let accessor: UInt64 = 0x1_0024_5798
  private let loadRound: UInt64 = 0x1_0024_563c

  private let exact = "GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:0)"
  private let before = "GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)"

  @Test func theFirstFrameIsExactAndTheOthersAreReturnAddresses() {
    expectEqual(
      ReportFixture.contents([
        ReportFixture.frame(0, accessor), ReportFixture.frame(1, accessor),
        ReportFixture.frame(2, loadRound), ReportFixture.frame(3, 0x1_0024_53f4),
      ]),
      [
        exact, before, "GameViewController.loadRound(_:) + 28 (GameViewController.swift:60)",
        "GameViewController.viewDidLoad() + 40 (GameViewController.swift:37)",
      ])
  }

  @Test func theFrameThatASignalInterruptedIsExact() {
    let trampoline = ReportFixture.line(
      1, 0x1_90b3_c290, image: "libsystem_platform.dylib", "_sigtramp + 56")
    expectEqual(
      ReportFixture.contents([
        ReportFixture.frame(0, accessor), trampoline, ReportFixture.frame(2, loadRound),
        ReportFixture.frame(3, loadRound),
      ]),
      [
        exact, "_sigtramp + 56",
        "GameViewController.loadRound(_:) + 28 (GameViewController.swift:61)",
        "GameViewController.loadRound(_:) + 28 (GameViewController.swift:60)",
      ])
  }

  @Test func aBacktraceWithoutItsFirstFrames() {
    expectEqual(
      ReportFixture.contents([ReportFixture.frame(3, accessor), ReportFixture.frame(4, accessor)]),
      [before, before])
  }

  @Test func callsInlinedIntoTheFirstFrame() {
    let inlined = ReportFixture.line(0, accessor, "Builtin.once + 0 (Once.swift:3) [inlined]")
    expectEqual(
      ReportFixture.contents([
        inlined, ReportFixture.frame(1, accessor), ReportFixture.frame(2, accessor),
      ]), ["Builtin.once + 0 (Once.swift:3) [inlined]", exact, before])
  }

  /// `viewDidLoad()` ends at 0x10001d410. A call that returns there belongs to it, and its offset
  /// is the length of the function.
  @Test func aCallThatIsTheLastInstructionOfItsFunction() {
    expectEqual(
      ReportFixture.contents([
        ReportFixture.frame(0, accessor), ReportFixture.frame(1, 0x1_0024_5410),
      ]), [exact, "GameViewController.viewDidLoad() + 68 (GameViewController.swift:40)"])
  }

  @Test func everyThreadBeginsAnew() {
    let threads = (0..<3).map { number in
      "Thread \(number):\n" + ReportFixture.frame(0, accessor) + "\n"
        + ReportFixture.frame(1, accessor) + "\n"
    }
    let text = threads.joined(separator: "\n") + "\nBinary Images:\n\(ReportFixture.storyLine)\n"
    let result = ReportFixture.symbolicate(text)
    let output = String(decoding: result.output, as: UTF8.self)
    expectEqual(output.split(separator: exact, omittingEmptySubsequences: false).count, 4)
    expectEqual(output.split(separator: before, omittingEmptySubsequences: false).count, 4)
    expectEqual(result.notes.first, "6 of 6 frames resolved")
  }

  @Test func theLastException() {
    let text = """
      Report Version:      104

      Last Exception Backtrace:
      \(ReportFixture.frame(0, accessor))
      \(ReportFixture.frame(1, accessor))

      Thread 0 Crashed:
      \(ReportFixture.frame(0, loadRound))

      Binary Images:
      \(ReportFixture.storyLine)

      """
    let output = String(decoding: ReportFixture.symbolicate(text).output, as: UTF8.self)
    expectContains(output, " \(exact)\n1 ")
    expectContains(output, " \(before)\n\nThread 0")
    expectContains(output, "loadRound(_:) + 28 (GameViewController.swift:61)")
  }
}
