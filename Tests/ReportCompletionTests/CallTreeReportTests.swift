import CrashLogParser
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// Samples, spindumps and stackshots with addresses of Letter Shuffle. Functions and lines are
/// those of `Fixtures/LetterShuffle/README.md`, distances those of `llvm-nm`.
struct CallTreeReportTests {
  private static let completedSample =
    ReportFixture.sampleHead + """
          +   2705 @objc GameViewController.viewDidLoad()  (in Letter Shuffle) + 28  [0x100245520]  <compiler-generated>:0
          +     2000 GameViewController.viewDidLoad()  (in Letter Shuffle) + 40  [0x1002453f4]  GameViewController.swift:37
          +     ! 2000 GameViewController.loadRound(_:)  (in Letter Shuffle) + 28  [0x10024563c]  GameViewController.swift:60
          +     ! : 2000 GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)  (in Letter Shuffle) + 164  [0x10024f19c]  <compiler-generated>:0
          +     705 ???  (in <unknown binary>)  [0x4800047383]

      Total number in stack (recursive counted multiple, when >=5):
              31       @objc GameViewController.viewDidLoad()  (in Letter Shuffle) + 28  [0x100245520]  <compiler-generated>:0

      Sort by top of stack, same collapsed (when >= 5):
              GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)  (in Letter Shuffle) + 164  [0x10024f19c]  <compiler-generated>:0        12

      """ + ReportFixture.sampleImages

  private static func spindump(_ frames: String, process: String = "Letter Shuffle [7]") -> String {
    let heaviest = frames.split(separator: "\n").prefix(2).map { line in
      "  \(line.drop { $0 == " " })\n"
    }
    return """
      Date/Time:        2025-12-17 19:00:41.615 -0500
      OS Version:       iPhone OS 12.4 (Build 16G77)
      Architecture:     arm64
      Data Source:      Stackshots
      Event:            hang
      Duration:         3.50s

      Heaviest stack for the main thread of the target process:
      \(heaviest.joined())
      Process:          \(process)
      Architecture:     arm64

        Thread 0xeac    DispatchQueue "com.apple.main-thread"(1)    9 samples (1-9)
      \(frames)
        Binary Images:
                 0x100228000 -        0x10026bfff  ???    <A4B1DE49-70B3-301D-A644-58D6BC22F513>

      """
  }

  private static let frames = """
      9   ??? (<A4B1DE49-70B3-301D-A644-58D6BC22F513> + 120096) [0x100245520] 1-9
        5   GameViewController.viewDidLoad() + 40 (Letter Shuffle + 119796) [0x1002453f4] (running) 1-5
         *5   ??? (kernel + 32) [0xffffff80002d08d0] 1-5
        4   ??? [0x10024563c]
          4   ??? (Letter Shuffle + 160156) [0x10024f19c] (blocked by turnstile waiting for App [1] thread 0x2)

    """
  private static let completedFrames = """
      9   @objc GameViewController.viewDidLoad() + 28 (<compiler-generated> in <A4B1DE49-70B3-301D-A644-58D6BC22F513> + 120096) [0x100245520] 1-9
        5   GameViewController.viewDidLoad() + 40 (GameViewController.swift:37 in Letter Shuffle + 119796) [0x1002453f4] (running) 1-5
         *5   ??? (kernel + 32) [0xffffff80002d08d0] 1-5
        4   GameViewController.loadRound(_:) + 28 (GameViewController.swift:60 in <A4B1DE49-70B3-301D-A644-58D6BC22F513> + 120380) [0x10024563c]
          4   GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) + 164 (<compiler-generated> in Letter Shuffle + 160156) [0x10024f19c] (blocked by turnstile waiting for App [1] thread 0x2)

    """

  private func output(
    _ text: String, _ form: OutputForm = .auto,
    _ options: SymbolicationOptions = SymbolicationOptions()
  ) -> ReportJob.Result {
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options, form: form)
    return job.symbolicate(Array(text.utf8), shownPath: "report")
  }

  /// Inlined calls are left out; all bytes besides names stay; a second run changes nothing.
  @Test(arguments: [
    (ReportFixture.sample, completedSample), (spindump(frames), spindump(completedFrames)),
  ])
  func isCompletedInPlace(input: String, completed: String) {
    let text = String(decoding: output(input).output, as: UTF8.self)
    for (line, expected) in zip(text.split(separator: "\n"), completed.split(separator: "\n"))
    where line != expected {
      expectEqual(line, expected)
    }
    expectEqual(text, completed)
    expectEqual(String(decoding: output(text).output, as: UTF8.self), completed)
    var again = SymbolicationOptions()
    again.resymbolicates = true
    expectEqual(String(decoding: output(text, .auto, again).output, as: UTF8.self), completed)
  }

  /// Files without an extension, such as C++ headers, and images with the word that separates the
  /// two.
  @Test(arguments: [
    "vector:512", "my vector:512", "__hidden#12_:0", "a.cpp", "<compiler-generated>",
  ])
  func sourceFilesOfFrames(_ file: String) throws {
    let frame = "f() + 40 (\(file) in Made in App + 119796)"
    let text = Self.spindump("  9   \(frame) [0x1002453f4] 1-9\n")
    let report = try require(CrashLogParser.parse(Array(text.utf8)).first)
    let values = try require(report.backtraces.last?.frames.first?.values)
    expectEqual(values.imageName, "Made in App")
    expectEqual(values.symbol?.file, String(file.prefix { $0 != ":" }))
    expectEqual(values.symbol?.line, file.contains("512") ? 512 : 0)
    expectEqual(String(decoding: output(text).output, as: UTF8.self), text)
  }

  /// An image may be called like a file and its image.
  @Test func imagesWithTheSeparatorInTheirNames() throws {
    let text = Self.spindump("  9   ??? (Dr. Made in App + 119796) [0x100100000] 1-9\n")
    let report = try require(CrashLogParser.parse(Array(text.utf8)).first)
    expectEqual(report.backtraces.last?.frames.first?.values?.imageName, "Dr. Made in App")
  }

  /// Lines that end with CR LF.
  @Test func otherLineEnds() {
    let input = ReportFixture.sample.replacing("\n", with: "\r\n")
    expectEqual(
      String(decoding: output(input).output, as: UTF8.self),
      Self.completedSample.replacing("\n", with: "\r\n"))
  }

  @Test func jsonShowsInlinedCallsAfterTheirFunction() throws {
    let text = ReportFixture.sample.replacing("[0x100245520]", with: "[0x1002453f4]")
    let input = try require(output(text, .json).symbolicated)
    let frames = input.reports[0].backtraces[0].shownFrames(input.options)
    expectEqual(
      frames.prefix(3).map(\.function),
      [
        "start", "GameViewController.viewDidLoad()", "GameViewController.startRound()",
      ])
    expectEqual(frames.prefix(3).map(\.depth), [0, 1, 1])
    expectEqual(frames.prefix(3).map(\.isInlined), [false, false, true])
  }

  @Test func summaries() {
    let lines = String(decoding: output(ReportFixture.sample, .summary).output, as: UTF8.self)
    expectTrue(
      lines.hasPrefix(
        """
        Letter Shuffle, pid 7, arm64
        sample of 3 seconds
        the main thread was in GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)
        heaviest stack of thread 9 (com.apple.main-thread), 2705 samples:
          2705  dyld            start

        """))
    expectTrue(
      lines.contains(
        "  2000  Letter Shuffle  GameViewController.startRound() (GameViewController.swift:51) [inlined]\n"
      ))
    let hang = String(decoding: output(Self.spindump(Self.frames), .summary).output, as: UTF8.self)
    expectContains(hang, "\nhang of 3.50s\n")
    expectContains(hang, "\nheaviest stack of thread 0xeac (com.apple.main-thread), 9 samples:\n")
  }

  @Test func stackshotsHaveNamesInJson() throws {
    let text = """
      {"bug_type":"288","timestamp":"2025-06-12 08:04:25.00 +0300"}
      {"build":"iPhone OS 12.4 (16G77)","processByPid":{"7":{"pid":7,"procname":"Letter Shuffle",
      "threadById":{"9":{"id":9,"userFrames":[[1,160156],[1,120096],[0,0]]}}}},
      "binaryImages":[["00000000-0000-0000-0000-000000000000",0,"A"],
      ["a4b1de49-70b3-301d-a644-58d6bc22f513",4297228288,"P"]]}

      """
    let result = output(text, .json)
    let input = try require(result.symbolicated)
    let frames = input.reports[0].backtraces[0].shownFrames(input.options)
    expectEqual(
      frames.map(\.function),
      [
        "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
        "@objc GameViewController.viewDidLoad()",
      ])
    // In place, the answers are in a key of their own.
    let place = #""sourceFile":"<compiler-generated>","sourceLine":0"#
    let first =
      #"{"symbol":"GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)","symbolLocation":164,\#(place)}"#
    let second =
      #"{"symbol":"@objc GameViewController.viewDidLoad()","symbolLocation":28,\#(place)}"#
    let symbols = #""userFrameSymbols":[\#(first),\#(second),null]"#
    let completed = text.replacing("[0,0]]}", with: "[0,0]],\(symbols)}")
    expectEqual(String(decoding: output(text).output, as: UTF8.self), completed)
    expectEqual(String(decoding: output(completed).output, as: UTF8.self), completed)
    var again = SymbolicationOptions()
    again.resymbolicates = true
    expectEqual(String(decoding: output(completed, .auto, again).output, as: UTF8.self), completed)
    // Some answers from an earlier run, the others now.
    let partly = completed.replacing(second, with: "null")
    expectEqual(String(decoding: output(partly).output, as: UTF8.self), completed)
  }

  // MARK: Processes

  private static let twoProcesses =
    spindump(frames)
    + spindump(frames, process: "Other [8]").split(separator: "\n").drop {
      !$0.hasPrefix("Process:")
    }
    .joined(separator: "\n") + "\n"

  @Test(arguments: ["Letter Shuffle", "7"])
  func oneProcess(word: String) throws {
    var options = SymbolicationOptions()
    options.processes = [word]
    let result = output(Self.twoProcesses, .json, options)
    let input = try require(result.symbolicated)
    expectEqual(input.reports.count, 2)
    expectEqual(input.shownReports.map(\.source.facts.process.identifier), [7])
    expectEqual(input.outcome.counts.frames, 7)
    // The other process stays as it is.
    let text = String(decoding: output(Self.twoProcesses, .auto, options).output, as: UTF8.self)
    let halves = text.split(separator: "Process:          Other")
    expectEqual(halves.count, 2)
    expectEqual(halves.first?.contains("loadRound"), true)
    expectEqual(halves.last?.contains("loadRound"), false)
    expectFalse(result.notes.contains { $0.contains("has no process") })
  }

  @Test func absentProcesses() throws {
    var options = SymbolicationOptions()
    options.processes = ["Nothing", "8", "99"]
    expectTrue(
      output(Self.twoProcesses, .json, options).notes.contains(
        "the report has no process 99, Nothing; it has Letter Shuffle [7], Other [8]"))
    let frames = "0   App   0x1010 0x1000 + 16\n"
    expectTrue(
      output(frames, .json, options).notes.contains(
        "the report names no process, so not 8, 99, Nothing either"))
  }

  // MARK: Sentences

  @Test(
    arguments: [
      (.crash, nil, nil), (.leak, "1", nil), (.panic, nil, nil), (.hang, "3.50s", "hang of 3.50s"),
      (.hang, nil, "hang"), (.cpuUsage, "9 s", "CPU time: 9 s"),
      (.wakeups, "45001 wakeups", "wakeups: 45001 wakeups"), (.memory, nil, "memory"),
      (.diskWrites, "1 MB", "disk writes: 1 MB"), (.launch, "5 s", "launch of 5 s"),
      (.sample, "3 seconds", "sample of 3 seconds"),
    ] as [(ReportEvent, String?, String?)])
  func headline(event: ReportEvent, extent: String?, text: String?) {
    var facts = ReportFacts()
    facts.event = event
    facts.eventExtent = extent
    expectEqual(facts.eventHeadline, text)
  }

  /// The head of a diagnostic whose stacks were left out, with a line that somebody broke; and why
  /// the kernel took stacks, above the head.
  @Test(
    arguments: [
      (
        "Event:            cpu usage\nAction taken:     Process killed\n"
          + "CPU:              48 seconds cpu time over 48 seconds,\n"
          + "                  exceeding limit of 80% cpu\n",
        "CPU time: 48 seconds cpu time over 48 seconds, exceeding limit of 80% cpu; the process was killed",
        nil
      ),
      // Within brackets.
      (
        "Event:            cpu usage\nAction taken:     none\n"
          + "CPU:              90 seconds cpu time over 150 seconds (60% cpu\n"
          + " average), exceeding limit of 50% cpu\nCPU limit:        90s\n",
        "CPU time: 90 seconds cpu time over 150 seconds (60% cpu average), exceeding limit of 50% cpu",
        nil
      ),
      (
        "Stackshot Reason: Wake transition timed out.\n\n====\n"
          + spindump(frames).replacing(
            "Event:            hang", with: "Event:            Sleep Wake Failure"),
        nil, "Wake transition timed out."
      ),
    ] as [(String, String?, String?)])
  func heads(text: String, headline: String?, information: String?) throws {
    let facts = try require(output(text, .json).symbolicated?.reports.first).source.facts
    if let headline { expectEqual(facts.eventHeadline, headline) }
    expectEqual(facts.applicationInformation.first, information)
  }
}
