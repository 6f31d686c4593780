import ReportTestSupport
import TestSupport
import Testing

/// What a process, or who ended it, said about the end, in places where it is easily missed.
struct LastWordsTests {
  private typealias Report = TrapReportFixture

  private static let own = "-[Board draw] + 12 (Board.m:7)"
  private static let abort = "Exception Type:  EXC_CRASH (SIGABRT)"

  private func text(_ head: String, before: String = "", frames: [String] = []) -> String {
    Report.report(
      frames + [Report.stated(frames.count, 0x1_0000_1000, Self.own)], head: head, before: before)
  }

  private func crash(
    _ head: String, before: String = "", frames: [String] = []
  ) throws -> JsonReport.Crash {
    try JsonFixture.report(text(head, before: before, frames: frames), with: []).crash
  }

  /// The output of a program is pasted with its report.
  @Test(
    arguments: [
      (
        "Unhandled exception. System.DivideByZeroException: Attempted to divide by zero.\n   at Game.Board.Turn() in /src/Board.cs:line 12",
        "managedException",
        "Unhandled exception. System.DivideByZeroException: Attempted to divide by zero. (thrown in Game.Board.Turn, Board.cs:12)"
      ),
      (
        "Unhandled Exception:\nSystem.IO.IOException: gone\n  at System.IO.File.Open () [0x00000] in <1234>:0\n  at Game.Board.Turn () [0x00012] in D:\\src\\Board.cs:12",
        "managedException",
        "Unhandled exception. System.IO.IOException: gone (thrown in Game.Board.Turn, Board.cs:12)"
      ),
      (
        "2026-05-20 11:23:04.212 Game[1:2] *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'",
        "uncaughtException", "NSRangeException: index 3"
      ),
      (
        "Modifications to the layout engine must not be performed from a background thread after it has been accessed from the main thread.\n(null)",
        "uncaughtException",
        "NSInternalInconsistencyException: Modifications to the layout engine must not be performed from a background thread after it has been accessed from the main thread."
      ),
      (
        "2026-05-20 11:23:04.212 Game[1:2] [General] 'NSWindow drag regions should only be invalidated on the Main Thread!'",
        "uncaughtException",
        "NSInternalInconsistencyException: NSWindow drag regions should only be invalidated on the Main Thread!"
      ),
      (
        "libc++abi: terminating due to uncaught exception of type std::runtime_error: no cards",
        "applicationMessage",
        "libc++abi: terminating due to uncaught exception of type std::runtime_error: no cards"
      ),
      (
        "Uncaught Kotlin exception: kotlin.IllegalStateException: no cards\n    at 0  Game",
        "managedException", "Uncaught Kotlin exception: kotlin.IllegalStateException: no cards"
      ),
      (
        "thread 'main' panicked at src/main.rs:4:5:\nno cards\nnote: run with RUST_BACKTRACE=1",
        "rustPanic", "thread 'main' panicked at src/main.rs:4:5: no cards"
      ),
      (
        "Game/Board.swift:12: Fatal error: no cards", "applicationMessage",
        "Game/Board.swift:12: Fatal error: no cards"
      ),
    ])
  func wordsAboveAReport(output: String, kind: String, reason: String) throws {
    let report = text(Self.abort, frames: [Report.system(0, "abort + 8")])
    for gap in ["\n", "\n\nzsh: abort\n\n"] {
      let found = try JsonFixture.report("$ ./game\n\(output)\(gap)\(report)", with: []).crash
      expectEqual(found.kind, kind)
      expectEqual(found.reason, reason)
      expectEqual(found.confidence, "certain")
    }
    // They are of the report above, whose images stand between.
    let both = try JsonFixture.document("\(output)\n\(report)\n\(report)".utf8, with: []).reports
    expectEqual(both.count, 2)
    expectEqual(both.map(\.crash.kind), [kind, "abort"])
    // Far above.
    let far = String(repeating: "line\n", count: 40)
    let other = try JsonFixture.report("\(output)\n\(far)\(report)", with: []).crash
    expectEqual(other.kind, "abort")
  }

  /// libdispatch says it itself, at the start of a line, in a log, or quoted in prose.
  @Test(arguments: [
    ("It crashes with `", "` (`EXC_BREAKPOINT (SIGTRAP)`)."), ("", ""), ("Says \"", "\" here"),
    ("2026-05-20 11:23:04.212 Game[1:2] ", ""), ("May 20 11:23:04 host Game[1]: ", ""),
  ])
  func bugInTheClient(start: String, end: String) throws {
    let words = "BUG IN CLIENT OF LIBDISPATCH: no cards in the queue"
    let found = try JsonFixture.report(
      """
      \(start)\(words)\(end)

      0  libdispatch.dylib       DISPATCH_WAIT_FOR_QUEUE + 484
      1  libdispatch.dylib       _dispatch_sync_f_slow + 148
      2  Game                    Board.draw(cards:) + 960
      3  Game                    main + 144

      """, with: []
    ).crash
    expectEqual(found.reason, words)
    expectEqual(found.frame?.function, "Board.draw(cards:)")
  }

  /// Markdown makes bold text of a name in underscores, and the message may be missing.
  @Test func deadlockWithoutUnderscores() throws {
    for line in ["Stack:", "It is BUG IN CLIENT OF LIBDISPATCH: he said", "`BUG IN LIB"] {
      let found = try JsonFixture.report(
        """
        \(line)

        0  libdispatch.dylib       DISPATCH_WAIT_FOR_QUEUE + 484
        1  libdispatch.dylib       _dispatch_sync_f_slow + 148
        2  Game                    Board.draw(cards:) + 960
        3  Game                    main + 144

        """, with: []
      ).crash
      expectEqual(found.reason, "dispatch_sync called on the queue it waits for")
    }
  }

  /// Xcode names an exception in its own words, and has the stack among them.
  @Test(arguments: [
    ("  1  0x0000000113bcf956 -[Plug turn] at /src/a b/Plug.m:107 (in Plug)", ", Plug.m:107"),
    ("  1   -[Plug turn] (in Plug)", ""), ("  1  0x0000000113bcf956 -[Plug turn](in Plug)", ""),
  ])
  func exceptionsInXcode(frame: String, file: String) throws {
    func reason(_ words: String) throws -> String? {
      let information = """

        Application Specific Information:
        ProductBuildVersion: 4E2002
        \(words)
        UserInfo: (null)
        Hints: None
        Backtrace:
          0  0x00007fff8e203faa __exceptionPreprocess (in CoreFoundation)
          0  0x00007fff8e203faa DVTFailureHintExceptionPreprocessor (in DVTFoundation)
        \(frame)
          2  0x00007fff8e203faa main (in Xcode)

        """
      return try crash(
        Self.abort, before: information, frames: [Report.system(0, "abort + 8")]
      ).reason
    }
    let place = " (called by -[Plug turn]\(file), in Plug)"
    expectEqual(
      try reason("UNCAUGHT EXCEPTION (NSRangeException): -[NSString a]: index out of bounds"),
      "NSRangeException: -[NSString a]: index out of bounds\(place)")
    expectEqual(
      try reason("ASSERTION FAILURE in /SourceCache/Board/Board.m:33\nDetails:  cards > 0"),
      "failed assertion in Board.m:33: cards > 0\(place)")
  }

  /// Xcode's tools write the same into the log.
  @Test func exceptionsOfXcodeInALog() throws {
    let head = "2022-09-14 19:57:46.570 tool[42:18896] [MT] DVTAssertions: "
    let report = text(Self.abort, frames: [Report.system(0, "abort + 8")])
    let words = "UNCAUGHT EXCEPTION (NSRangeException): no cards"
    let found = try JsonFixture.report("\(head)\(words)\n\n\(report)", with: []).crash
    expectEqual(found.reason, "NSRangeException: no cards")
  }

  /// AppKit's message in a log of the system, with lines of other processes between its own.
  @Test func exceptionsOfAppKitInALog() throws {
    let message = "-[__NSCFString cards]: unrecognized selector sent to instance 0x7f9cc2059200"
    for (head, other) in [
      (
        "Jul 21 13:44:49 mac.local Letter Game[264]: ",
        "Jul 21 13:44:49 mac.local daemon[103]: no device\nJul 21 13:44:49 --- last message repeated 20 times ---\n"
      ),
      (
        "2016-07-21 13:44:49.123 Letter Game[264:1f3] ",
        "2016-07-21 13:44:49.124 daemon[103:4] no\n"
      ),
      ("", ""),
    ] {
      let text = """
        \(head)An uncaught exception was raised
        \(other)\(head)\(message)
        \(other)\(other)\(head)(
        \t0   CoreFoundation                      0x00007fff8edb925c __exceptionPreprocess + 172
        \t1   libobjc.A.dylib                     0x00007fff8d70be75 objc_exception_throw + 43
        \t2   CoreFoundation                      0x00007fff8edbc12d -[NSObject(NSObject) doesNotRecogni

        """
      let report = try JsonFixture.report(text, with: [])
      expectEqual(report.crash.reason, "uncaught exception: \(message)", "\(head)")
      if head.isEmpty { continue }
      expectEqual(report.process.name, "Letter Game")
      expectEqual(report.process.pid, 264)
    }
  }

  /// Below the report too, if no other report follows, and between its fields.
  @Test func wordsBelowAReportAndInIt() throws {
    let report = text(Self.abort, frames: [Report.system(0, "abort + 8")])
    let words = "Fatal error: no cards"
    let below = try JsonFixture.report("\(report)\nzsh: abort\n\(words)\n", with: []).crash
    expectEqual(below.reason, words)
    let both = try JsonFixture.document("\(report)\n\(words)\n\(report)".utf8, with: []).reports
    expectEqual(both.map(\.crash.kind), ["abort", "applicationMessage"])
    expectEqual(try crash("\(Self.abort)\n\n\(words)\n").reason, words)
    let far = String(repeating: "line\n", count: 40)
    expectEqual(try JsonFixture.report("\(report)\n\(far)\(words)\n", with: []).crash.kind, "abort")
    // The place in a library of Swift is no place of the program.
    let other = "libswiftCore.dylib: Fatal error: no cards (Swift/Array.swift:12)"
    expectEqual(try JsonFixture.report("\(report)\n\(other)\n", with: []).crash.kind, "abort")
  }

  /// Who wrote the words did not end in these ways.
  @Test(arguments: [
    "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x1, 0x8",
    "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: FRONTBOARD 0x8badf00d",
  ])
  func wordsThatDoNotFit(head: String) throws {
    let report = text(head, frames: [Report.system(0, "abort + 8")])
    let found = try JsonFixture.report("Fatal error: no cards\n\n\(report)", with: []).crash
    expectNotEqual(found.kind, "applicationMessage")
  }

  /// KSCrash and Sentry put what registers point at, and numbers, in front of their words.
  @Test(arguments: ["extra >", "Exception 1, Code 0, Subcode 8 >", "Signal 6, Code 0"])
  func notesOfCrashSdks(note: String) throws {
    let head = "Exception Type:  EXC_BAD_ACCESS (SIGBUS)\nException Codes: BUS_NOOP at 0x1092759d0"
    let words = "Attempted to dereference garbage pointer 0x1092759d0."
    let found = try crash(
      head, before: "\nApplication Specific Information:\n\(note)\n\(words)\n")
    expectEqual(found.reason, words)
    let alone = try crash(
      Self.abort, before: "\nApplication Specific Information:\n\(note)\n",
      frames: [Report.system(0, "abort + 8")])
    expectEqual(alone.kind, "abort")
  }

  @Test func exceptionsOfDotNetNameTheSignature() throws {
    let found = try JsonFixture.report(
      "Unhandled exception. System.IO.IOException: gone\n\n\(text(Self.abort))", with: [])
    expectEqual(found.signature?.text, "EXC_CRASH | System.IO.IOException | -[Board draw]")
  }

  /// Methods of .NET have no addresses.
  @Test func methodsBelowAnException() throws {
    let found = try crash(
      Self.abort,
      before: """

        Application Specific Information:
        *** Terminating app due to uncaught exception 'System.Exception', reason: 'System.Exception: no cards'

        Xamarin Exception Stack:
          at Game.Board.Turn (System.Int32 card) [0x00007] in /src/Board.cs:12
          at Game.Board.Draw () [0x00076] in /src/Board.cs:4

        """)
    expectEqual(found.reason, "System.Exception: no cards (thrown in Game.Board.Turn, Board.cs:12)")
    expectEqual(found.kind, "uncaughtException")
  }

  @Test func headingsGoOnInTheNextLine() throws {
    let found = try crash(
      "Exception Type:  EXC_BREAKPOINT (SIGTRAP)",
      before:
        "\nApplication Specific Information:\nBUG IN CLIENT OF LIBDISPATCH:\n   Semaphore object deallocated while in use\n"
    )
    expectEqual(
      found.reason, "BUG IN CLIENT OF LIBDISPATCH: Semaphore object deallocated while in use")
    let last = try crash(
      "Exception Type:  EXC_BREAKPOINT (SIGTRAP)",
      before: "\nApplication Specific Information:\nBUG IN CLIENT OF LIBDISPATCH:\n")
    expectEqual(last.reason, "BUG IN CLIENT OF LIBDISPATCH:")
  }

  @Test func deadlocksThatKsCrashFound() throws {
    let found = try crash(
      "Exception Type:  0 (0)\nException Codes: 0x00000000 at 0x00000000\nCrashed Thread:  0\n",
      before: "Application main thread deadlocked\n")
    expectEqual(found.reason, "Application main thread deadlocked")
  }

  /// `OS_REASON_LIBSYSTEM_CODE_…` of XNU's bsd/sys/reason.h.
  @Test(
    arguments: [
      (1, "a thread ended, or waits for work, and still owns a workloop"),
      (2, "a library of the system found a fault of the app"),
      (3, "its security could not be set up at the start (secinit)"),
      (4, "the data of the threads library are damaged"),
    ])
  func codesOfTheSystemLibrary(code: Int, meaning: String) throws {
    let found = try crash("\(Self.abort)\nTermination Reason: Namespace LIBSYSTEM, Code 0x\(code)")
    expectEqual(found.reason, "LIBSYSTEM 0x\(code) (\(meaning))")
    expectEqual(found.confidence, "certain")
  }

  /// The frames are only where the process was when it was asked to end, or its memory was taken.
  @Test(
    arguments: [
      ("Exception Type:  EXC_CRASH (SIGTERM)", "SIGTERM: it was asked to end"),
      ("Exception Type:  EXC_CRASH (SIGQUIT)", "SIGQUIT: it was asked to end, with a report"),
      (
        "Exception Type:  00000020\nException Codes: 0xc00010ff",
        "0xc00010ff (the device was too hot)"
      ),
      (
        "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: JETSAM 4 vm-pageshortage\nvm-pageshortage 512000KB",
        "JETSAM 0x4 (the system ran out of memory), vm-pageshortage 512000KB"
      ),
    ])
  func endsThatAccuseNobody(head: String, reason: String) throws {
    let found = try crash(head)
    expectEqual(found.reason, reason)
    expectTrue(found.frame == nil)
    let pipe = try crash("Exception Type:  EXC_CRASH (SIGPIPE)")
    expectTrue(pipe.frame != nil)
  }

  /// A block that no zone has was never allocated, or is free already.
  @Test func blocksThatNoZoneHas() throws {
    let calls = ["abort + 8", "malloc_vreport + 8", "malloc_report + 8", "find_zone_and_free + 8"]
    let frames = calls.enumerated().map { Report.system($0.offset, $0.element) }
    expectEqual(
      try crash(Self.abort, frames: frames).reason, "pointer being freed was not allocated")
    expectEqual(
      try crash(Self.abort, frames: Array(frames[..<3])).reason,
      "malloc found a damaged heap or a bad pointer")
  }
}
