import CrashLogParser
import TestSupport
import Testing

/// Who wrote what a log or a terminal shows, and what checkers say in it.
struct LogWriterTests {
  private static let end = """
    *** Terminating app due to uncaught exception 'NSRangeException', reason: 'no card 5'

    """
  private static let stack = """
    *** First throw call stack:
    (
    \t0   CoreFoundation      0x0000000189040770 __exceptionPreprocess + 176
    \t1   Board               0x000000018e3cd374 -[Board turn] + 176
    )

    """

  /// The words about the end have no head of a log.
  @Test(
    arguments: [
      ("2026-01-02 10:00:00.528 Board[812:56] ready\n", "Board", 812),
      ("2026-01-02 10:00:00.528+0200 Card Board[812:56] [General] ready\n\n", "Card Board", 812),
      ("me@mac ~ % /Applications/Board.app/Contents/MacOS/Board\n", "Board", nil),
      ("$ ./Board.app/Contents/MacOS/Board --fast\n", "Board", nil),
      // Two programs wrote it.
      ("2026-01-02 10:00:00.5 Board[812:56] a\n2026-01-02 10:00:00.5 Card[1:2] b\n", nil, nil),
      ("It was 10:20 in log[1:2] then.\n", nil, nil),
    ] as [(String, String?, Int?)])
  func linesAbove(above: String, name: String?, number: Int?) throws {
    for below in ["", Self.stack] {
      let facts = try ParsedText(above + Self.end + below).report.facts
      expectEqual(facts.exception.name, "NSRangeException")
      expectEqual(facts.process.name, name)
      expectEqual(facts.process.identifier, number)
    }
  }

  /// The categories and levels are those of public logs.
  @Test(
    arguments: [
      "2026-01-02 10:00:00.528+0200 Board[812:56] ",
      "2026-01-02 10:00:00.528+0200 Board[812:56] [reports] ",
      "Jan  2 10:00:00 phone Board(libMainThreadChecker.dylib)[812] <Error>: ",
    ])
  func checkersInLogs(head: String) throws {
    let words = "Main Thread Checker: UI API called on a background thread: -[UIView frame]"
    let details = """
      PID: 812, TID: 56, Thread name: (none), Queue name: q, QoS: 0

      """
    let stack = """
      Backtrace:
      4   Board        0x0000000104fe9ca1 $s5Board4PageC4turnyyF + 81
      5   Board        0x0000000104fe9c18 $s5Board4PageC4loadyyF + 40

      """
    for below in ["", stack] {
      let facts = try ParsedText("\(head)\(words)\n\(details)\(below)").report.facts
      expectEqual(facts.applicationInformation, [words])
      expectEqual(facts.process.name, "Board")
      expectEqual(facts.process.identifier, 812)
    }
  }

  @Test(
    arguments: [
      "#### UI API called from background thread: -[UIView setHidden:] must be used from main thread only",
      "-[UIView setHidden:] must be used from main thread only",
    ])
  func wordsOfXcode(line: String) throws {
    let facts = try ParsedText(line + "\n").report.facts
    expectEqual(
      facts.applicationInformation,
      ["Main Thread Checker: -[UIView setHidden:] must be used from main thread only"])
  }

  @Test func wordsOfUiKit() throws {
    let words = "+[UIView setAnimationsEnabled:] being called from a background thread"
    for head in ["", "[Animation] ", "2026-01-02 10:00:00.5+0200 Board[812:56] [Animation] "] {
      let line = "\(head)\(words). Performing any operation from a background thread is wrong\n"
      let facts = try ParsedText(line).report.facts
      expectEqual(facts.applicationInformation, [words])
    }
  }

  @Test(
    arguments: [
      "This must be used from main thread only\n",
      "UIView.frame must be used from main thread only, says the page\n",
    ])
  func otherSentences(line: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(line.utf8)) }
  }

  // MARK: The end of an earlier trace

  @Test func endOfAnEarlierTrace() throws {
    let end = """
      21  libdispatch.dylib         0x0000000106361b0f _dispatch_worker_thread2 + 135
      22  libsystem_pthread.dylib   0x00007fff60340417 _pthread_wqthread + 244
      23  libsystem_pthread.dylib   0x00007fff6033f42f start_wqthread + 15

      """
    let reports = try CrashLogParser.parse(
      Array((end + "\nThen:\nit\nended:\n" + Self.end + Self.stack).utf8))
    let report = try require(reports.first)
    expectEqual(reports.count, 1)
    expectEqual(report.byteRange.lowerBound, 0)
    expectEqual(report.facts.exception.name, "NSRangeException")
    expectEqual(report.backtraces.map(\.kind), [.lastException, .thread])
    expectEqual(report.backtraces.map { $0.frames.first?.index }, [0, 21])
    // Nothing says what the second one is about.
    let others = try CrashLogParser.parse(
      Array((end + "\nThen:\nit\nended:\n" + end.replacing("21  ", with: "1   ")).utf8))
    expectEqual(others.first?.backtraces.first?.frames.first?.index, 21)
  }
}
