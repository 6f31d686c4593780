import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What Swift's concurrency says, regions of memory that somebody put below each other, signals in
/// the words of crash SDKs, and stacks from which frames were left out.
struct ConcurrencyWordsTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  // MARK: Swift's concurrency

  private static let twice =
    "SWIFT TASK CONTINUATION MISUSE: deal(to:) tried to resume its continuation more than once"
  private static let elsewhere =
    "Incorrect actor executor assumption; expected 'Game.Table' executor."

  /// Source: swiftlang/swift, stdlib/public/Concurrency, with the words as they are there.
  @Test(
    arguments: [
      twice + ", returning ()!", "Fatal error: " + twice, elsewhere,
      "Fatal error: Incorrect actor executor assumption; Expected 'MainActor' executor.",
      "Fatal error: Unexpected isolation context, expected to be executing on DeckExecutor",
      "error: data race detected: @MainActor function at Game/Deck.swift:7 was not called on the main thread",
      "Game/Deck.swift:7: Fatal error: Incorrect actor executor assumption; Expected same executor as Game.Table.",
    ])
  func concurrency(words: String) throws {
    for text in [words, "> \(words)", "It ends with `\(words)` now.", "It says \"\(words)\"."] {
      expectEqual(try crash("Some text\n\n\(text)\nAbort trap: 6\n").reason, words)
    }
    let logged = "2026-01-02 10:00:00.000000+0100 Game[12:34] \(words)\n"
    let report = try JsonFixture.report(logged, with: [])
    expectEqual(report.crash.reason, words)
    expectEqual(report.process.name, "Game")
  }

  @Test(arguments: [("# Crash: ", ""), ("Thread 1: Fatal error: ", ""), ("Why '", "!' again?")])
  func continuationInTitles(start: String, end: String) throws {
    expectEqual(
      try crash("\(start)\(Self.twice)\(end)\n").reason?.contains(Self.twice), true)
  }

  /// Who writes lines of a certain length breaks the message.
  @Test(
    arguments: [
      (
        "_Concurrency/CheckedContinuation.swift:196: Fatal error: SWIFT TASK CONTINUATION MISUSE:",
        "deal(to:) tried to resume its continuation more than once, throwing",
        "empty(\"no cards (2)\")"
      ),
      (
        "Fatal error: SWIFT TASK CONTINUATION MISUSE: deal(to:)",
        "tried to resume its continuation more than once,", "returning ()!"
      ),
    ])
  func brokenMessages(first: String, second: String, third: String) throws {
    let text = "It stops:\n```\n\(first)\n\(second)\n\(third)\n```\nwhich ends it\n"
    expectEqual(try crash(text).reason, "\(first) \(second) \(third)")
  }

  @Test func brokenSentence() throws {
    let words = "Game/Deck.swift:7: Fatal error: Unexpectedly found nil while unwrapping"
    expectEqual(
      try crash("\(words)\nan Optional value\n").reason, "\(words) an Optional value")
    let whole = "\(words) an Optional value"
    expectEqual(try crash("```\n\(whole)\n```\n").reason, whole)
    expectEqual(
      try crash("Game/Deck.swift:7: Fatal error: no cards\nan Optional value\n").reason,
      "Game/Deck.swift:7: Fatal error: no cards")
  }

  /// A continuation that leaked is only logged, warnings end nothing, and source code has such
  /// words too.
  @Test(
    arguments: [
      "SWIFT TASK CONTINUATION MISUSE: deal(to:) leaked its continuation without resuming it.",
      "SWIFT TASK CONTINUATION MISUSE:", "SWIFT TASK CONTINUATION MISUSE:\n\n\(twice)",
      "warning: data race detected: actor-isolated function at A.swift:7 was not called on the same actor",
      "fatalError(\"Incorrect actor executor assumption; Expected same executor as \\(self).\")",
      "It has the trap `Incorrect actor executor assumption`.",
    ])
  func otherWords(text: String) {
    expectNoReport(text.hasSuffix(Self.twice) ? String(text.dropLast(60)) : text + "\n")
  }

  // MARK: Regions of memory

  private static let region = """
    0x16fdfbfb0 is in 0x16bdf8000-0x16fdfc000;  bytes before end: 79
       ---> STACK GUARD  16bdf8000-16fdfc000  [64.0M] ---/rwx  stack guard for thread 0
            Stack        16fdfc000-1705f8000  [8176K] rw-/rwx  thread 0
    """

  /// Strings of JSON have no line breaks: who shows the regions below each other made them.
  @Test(arguments: [true, false])
  func brokenRegions(isWhole: Bool) throws {
    let members = """
      "exception": {"type": "EXC_BAD_ACCESS", "signal": "SIGSEGV",
                    "subtype": "KERN_PROTECTION_FAILURE at 0x000000016fdfbfb0"},
      "vmRegionInfo": "\(Self.region)",
      "faultingThread": 0
      """
    let text = isWhole ? "{\n\(members)\n}\n" : "The fields:\n\n```json\n\(members)\n```\n"
    let found = try crash(text)
    expectEqual(found.kind, "stackOverflow")
  }

  @Test(arguments: [("STACK GUARD", true), ("MALLOC_TINY", false)])
  func joinedRegions(kind: String, isOverflow: Bool) throws {
    let region = Self.region.split(separator: "\n").map { $0.drop { $0 == " " } }
      .joined(separator: " ").replacing("STACK GUARD", with: kind)
    let found = try crash(
      """
      Exception Type: EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_PROTECTION_FAILURE at 0x000000016fdfbfb0
      VM Region Info: \(region) STACK GUARD 1705f8000-1705fc000 [16K] ---/rwx

      """)
    expectEqual(found.kind == "stackOverflow", isOverflow)
    let summary = JsonFixture.output(
      "Exception Type: EXC_BAD_ACCESS (SIGSEGV)\nVM Region Info: \(region)\n".utf8, as: .summary,
      with: [])
    expectEqual(
      summary.contains("\nmemory region: \(kind) 16bdf8000-16fdfc000 [64.0M]\n"), true)
  }

  // MARK: Signals of crash SDKs

  private static let idle = """
    Cause: Crash due to signal: SIGABRT(#0) at 1e4e89578
    Reported at: 2026-01-02 10:00:00 UTC

    Thread 0 Unknown:

    0    libsystem_kernel.dylib   0x1e4e82ca4   mach_msg2_trap + 8
    1    CoreFoundation           0x1a5f423ec   CFRunLoopRunSpecific + 611

    """

  /// The place is below the title, and the first thread is not the one that crashed.
  @Test(arguments: ["", idle])
  func placeBelowSignal(frames: String) throws {
    let found = try crash(
      """
      Crash due to signal: SIGABRT(#0) at 1e4e89578
      $defer #1 <A>() in Deck.turn<A>(_:) (Deck.swift:21 )

      \(frames)
      """)
    expectEqual(found.reason, "SIGABRT: #0 at 0x1e4e89578")
    expectEqual(found.frame?.function, "$defer #1 <A>() in Deck.turn<A>(_:)")
    expectEqual(found.frame?.line, 21)
  }

  @Test func signalAboveCrashedThread() throws {
    let report = try JsonFixture.report(
      """
      \(Self.idle)
      Thread 5 Crashed:

      0    libsystem_kernel.dylib   0x1e4e89578   __pthread_kill + 8
      1    libsystem_c.dylib        0x1e4e95e4c   abort + 180
      2    Game                     0x102a423ec   Deck.deal(_:) (Deck.swift:21)

      """, with: [])
    expectEqual(report.exception.signal, "SIGABRT")
    expectEqual(report.crash.frame?.function, "Deck.deal(_:)")
    expectEqual(report.crashedThread, 5)
  }

  @Test(
    arguments: [
      ("SIGSEGV(SEGV_ACCERR) at -[Deck turn] (Deck.m:37) [Bugsee]", "-[Deck turn]", 37),
      ("GAME-7: SIGABRT(#0) at Deck.deal(_:) + 8", "Deck.deal(_:)", nil),
    ])
  func signalsInTitles(title: String, function: String, line: Int?) throws {
    let found = try crash(title + "\n")
    expectEqual(found.frame?.function, function)
    expectEqual(found.frame?.line, line)
  }

  @Test func causeOfInstabug() throws {
    try expectReason(
      """
      Cause: NSRangeException: index 7 beyond bounds [0 .. 4]
      Reported at: 2026-01-02 10:00:00 UTC

      Thread 0 Crashed:

      0    CoreFoundation    0x1e4e82ca4   __exceptionPreprocess + 8
      1    libobjc.A.dylib   0x1e4e95e4c   objc_exception_throw + 539
      2    Game              0x102a423ec   -[Deck turn] (Deck.m:21)

      """, "NSRangeException: index 7 beyond bounds [0 .. 4]", in: "-[Deck turn]")
  }

  // MARK: Broken heads

  /// Editors of Markdown write a backslash where a line ends.
  @Test(arguments: ["", "> "], ["\\", " \\"])
  func hardBreaks(quote: String, mark: String) throws {
    let text = """
      Process:         Game [812]
      Version:         1.2 (3)
      OS Version:      macOS 15.3.2 (24D81)
      Exception Type:  EXC_CRASH (SIGABRT)

      Thread 2 Crashed:
      0   libsystem_kernel.dylib   0x19b0b5388 __pthread_kill + 8
      1   libsystem_c.dylib        0x19aff8164 abort + 128
      2   Game                     0x104a1c3f0 Deck.deal(_:) + 12
      """
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let written = lines.map { $0.isEmpty ? "\(quote)" : "\(quote)\($0)\(mark)" }
    for count in [4, lines.count] {
      let report = try JsonFixture.report(
        written.prefix(count).joined(separator: "\n") + "\n", with: [])
      expectEqual(report.process.name, "Game")
      expectEqual(report.process.version, "1.2 (3)")
      expectEqual(report.os.build, "24D81")
      expectEqual(report.exception.signal, "SIGABRT")
      expectEqual(report.crash.frame?.function, count > 4 ? "Deck.deal(_:)" : nil)
    }
  }

  /// Who broke the lines of a head joined a field with the rest of the one above.
  @Test func fieldBehindReason() throws {
    let report = try JsonFixture.report(
      """
      Exception Type: EXC_CRASH (SIGABRT)
      Termination Reason: SIGNAL 6
      Abort trap: 6 Terminating Process: game [812]

      Thread 0 Crashed:
      0   libsystem_kernel.dylib   0x19b0b5388 __pthread_kill + 8
      1   libsystem_c.dylib        0x19aff8164 abort + 128
      2   Deck                     0x104a1c3f0 Deck.deal(_:) + 12

      """, with: [])
    expectEqual(report.process.name, "game")
    expectEqual(report.termination.process.pid, 812)
    expectEqual(report.termination.details, [])
  }

  /// Cut to the width of a line, a message says no more than the headline.
  @Test func longMessageOnce() {
    let words = "Game/Deck.swift:7: Fatal error: no cards of \(String(repeating: "x ", count: 200))"
    let summary = JsonFixture.output("\(words)end\n".utf8, as: .summary, with: [])
    expectEqual(summary.split(separator: "\n").count { $0.hasPrefix("Game/Deck.swift:7") }, 1)
  }

  // MARK: Shortened stacks

  /// Frames are left out, and the endings of libraries.
  @Test(arguments: ["1", "4"])
  func columnsWithGaps(second: String) throws {
    let report = try JsonFixture.report(
      """
      It crashes with `EXC_BAD_ACCESS (SIGSEGV)` after the main thread overflows its stack.

      ```
      0   libsystem_pthread   ___chkstk_darwin
      \(second)   Game                -[Deck turn]
      8   CoreAutoLayout      -[NSLayoutConstraint setConstant:]
      12  SwiftUICore         DisplayList.ViewUpdater.update(..
      ```

      """, with: [])
    expectEqual(report.crash.kind, "stackOverflow")
    expectEqual(report.crash.frame?.function, "-[Deck turn]")
    expectEqual(report.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.backtraces.first?.frames.count, 4)
  }

  /// Numbered lists have no columns.
  @Test func listsWithGaps() {
    expectNoReport("1. libsystem_c is fine\n3. Game is not\n")
    expectNoReport("0 libsystem_c is fine\n3 Game is not\n")
  }
}
