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
