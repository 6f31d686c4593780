import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Which of several reasons is shown. The texts are from real reports or modelled on them.
struct CrashReasonTests {
  private typealias Report = TrapReportFixture

  private static let own = Report.stated(4, 0x1_0000_1000, "-[Board draw] + 12 (Board.m:7)")

  /// A crash in system `functions`, innermost first, called by the user's code.
  private func crash(
    _ functions: [String], head: String = "Exception Type:  EXC_CRASH (SIGABRT)",
    before: String = ""
  ) throws -> JsonReport.Crash {
    let frames = functions.enumerated().map { Report.system($0.offset, "\($0.element) + 8") }
    return try JsonFixture.report(
      Report.report(frames + [Self.own], head: head, before: before), with: []
    ).crash
  }

  @Test func theBestReasonIsShown() throws {
    let failed = "_assertionFailure(_:_:file:line:flags:)"
    let information = "\nApplication Specific Information:\ndyld3 mode\n"
    let thrown = "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'no'\n"
    let dyld = """
      Exception Type: EXC_CRASH (SIGABRT)
      Termination Reason:  DYLD 4 Symbol missing
      Symbol not found: _f
      """
    func reason(_ crash: JsonReport.Crash) -> [String?] { [crash.reasonFrom, crash.reason] }

    expectEqual(reason(try crash(["read"])), ["exceptionType", "EXC_CRASH (SIGABRT)"])
    expectEqual(reason(try crash(["read"], head: "Role: Foreground")), [nil, nil])
    expectEqual(
      reason(try crash(["read"], before: information + "abort() called\n")),
      ["applicationSpecificInformation", "abort() called"])
    expectEqual(
      reason(try crash(["__pthread_kill", "abort"])), ["function", "abort() was called"])
    expectEqual(
      reason(try crash([failed], before: information)),
      [
        "function", "Swift fatal error or failed precondition, without its message",
      ])
    expectEqual(
      reason(try crash([failed], head: dyld)),
      ["termination", "DYLD 0x4, Symbol missing, Symbol not found: _f"])
    expectEqual(
      reason(try crash([failed], head: dyld, before: information + "A.swift:3: Fatal error: no\n")),
      ["applicationSpecificInformation", "A.swift:3: Fatal error: no"])
    expectEqual(
      reason(try crash([failed], before: information + thrown)),
      ["thrownException", "NSRangeException: no"])
    // If a zombie was used, KSCrash also writes the last exception thrown, which is not the reason.
    let fault = "Exception Type: EXC_BAD_ACCESS (SIGSEGV)"
    expectEqual(
      reason(try crash(["objc_msgSend"], head: fault, before: information + thrown)),
      [
        "exceptionType", "an object was used that was freed or overwritten before (objc_msgSend)",
      ])
    // A queue's label says less than the system.
    let watchdog = """
      Exception Type: EXC_CRASH (SIGKILL)
      Termination Reason:  WATCHDOG 1 monitoring timed out
      """
    expectEqual(
      reason(try crash(["read"], head: watchdog, before: information + "dispatch queue x\n")),
      ["termination", "WATCHDOG 0x1, monitoring timed out"])
    // The exception already says the signal.
    expectEqual(
      reason(
        try crash(
          ["read"],
          head:
            "Exception Type: EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x1, 0x8\nException Subtype: KERN_INVALID_ADDRESS at 0x8\nTermination Reason: SIGNAL 11 Segmentation fault: 11"
        )), ["exceptionType", "access through a null pointer, at offset 0x8, in read"])
  }

  /// The line of the information that says what failed, not those that say what was going on.
  @Test(
    arguments: [
      (["dyld3 mode", "Assertion failed: (a), function f, file a.c, line 3."], 1),
      (
        [
          "Performing @selector(a:) from sender NSButton 0x7f87d143f8c0",
          "CoreSimulator 201.3 - Device",
          "stack buffer overflow",
        ], 2
      ),
      (["Abort Cause 1", "BUG IN CLIENT OF LIBDISPATCH: Semaphore"], 1),
      (["objc_msgSend() selector name: respondsToSelector:"], nil),
      // What tools leave when they start.
      (["ld64-278.4", "Program arguments: /usr/bin/clang -c a.c"], nil),
      (["state-3.0 is wrong"], 0),
      (["*** multi-threaded process forked ***", "crashed on child side of fork pre-exec"], nil),
    ] as [([String], Int?)])
  func information(lines: [String], telling: Int?) throws {
    let found = try crash(
      ["read"],
      before: "\nApplication Specific Information:\n" + lines.joined(separator: "\n") + "\n")
    expectEqual(found.reason, telling.map { lines[$0] } ?? "EXC_CRASH (SIGABRT)")
  }

  /// What a library says about an error comes before what it says about something else. The names
  /// of the process and the advice for debuggers are not shown.
  @Test(
    arguments: [
      (
        [
          "objc[42]: garbage collection is ON",
          "*** error for object 0x10740f610: pointer being freed was not allocated",
        ], "*** error for object 0x10740f610: pointer being freed was not allocated"
      ),
      (
        [
          "objc[42]: Board object 0x7f9 overreleased while already deallocating; break on objc_e to debug",
          "Game(42,0x700005de0000) malloc: *** error for object 0x7f98: pointer being freed was not allocated",
        ], "*** error for object 0x7f98: pointer being freed was not allocated"
      ),
      (
        ["objc[42]: Board object 0x7f9 overreleased; break on objc_e to debug"],
        "Board object 0x7f9 overreleased"
      ),
      (["objc[42]: garbage collection is ON"], "EXC_CRASH (SIGABRT)"),
      // Sentry joins what the Swift runtime said.
      (
        ["Fatal error > Board/Board.swift > no cards >", "Attempted to dereference null pointer."],
        "Fatal error: no cards"
      ),
    ] as [([String], String)])
  func wordsOfLibraries(lines: [String], reason: String) throws {
    let found = try crash(
      ["read"],
      before: "\nApplication Specific Information:\n" + lines.joined(separator: "\n") + "\n")
    expectEqual(found.reason, reason)
  }

  /// As different versions of the systems write them.
  @Test(
    arguments: [
      ("closure #1 in closure #1 in _assertionFailure(_:_:file:line:flags:)", "Swift fatal error"),
      ("_assertionFailure+ 201624 (_:_:file:line:flags:)", "Swift fatal error"),
      ("_dispatch_assert_queue_fail", "dispatch_assert_queue: "),
      ("swift_task_isCurrentExecutorImpl(swift::SerialExecutorRef)", "actor-isolated code"),
      ("swift_beginAccess", "overlapping accesses"),
      (
        "___BUG_IN_CLIENT_OF_LIBMALLOC_POINTER_BEING_FREED_WAS_NOT_ALLOCATED",
        "pointer being freed"
      ),
      ("__stack_chk_fail", "stack buffer overflow"), ("__assert_rtn", "failed assert()"),
      ("-[NSObject(NSObject) doesNotRecognizeSelector:]", "unrecognized selector"),
      ("objc_exception_throw", "uncaught Objective-C exception"),
      ("malloc_vreport", "malloc found a damaged heap"), ("abort$VARIANT$mp", "abort() was called"),
      ("swift::fatalError(unsigned int, char const*, ...)", "fatal error of the Swift runtime"),
      ("abortUpload", "EXC_CRASH (SIGABRT)"), ("-[Upload abort]", "EXC_CRASH (SIGABRT)"),
    ])
  func functionsThatEndProcesses(function: String, reason: String) throws {
    try expectEqual(crash(["__pthread_kill", function]).reason?.hasPrefix(reason), true)
  }

  @Test func functionsOfTheUsersCodeAndItsCallersDoNotCount() throws {
    let frames = [
      Report.stated(0, 0x1_0000_1000, "abort + 12 (Board.m:7)"), Report.system(1, "abort + 3"),
    ]
    let text = Report.report(frames, head: "Exception Type:  EXC_CRASH (SIGABRT)")
    try expectEqual(JsonFixture.report(text, with: []).crash.reasonFrom, "exceptionType")
    // Nor do they count if the process did not end itself.
    let access = try crash(["abort"], head: "Exception Type: EXC_BAD_ACCESS (SIGSEGV)")
    expectEqual(access.reasonFrom, "exceptionType")
  }

  /// The function that says most wins; the words for the codes are Apple's.
  @Test func theMostSpecificReasonWins() throws {
    try expectEqual(
      crash(["abort", "malloc_vreport", "free"]).reason?.hasPrefix("malloc found"), true)
    try expectEqual(
      crash(["_dispatch_assert_queue_fail", "_swift_task_checkIsolatedSwift"]).reason,
      "actor-isolated code ran outside its actor's queue")
  }

  @Test(
    arguments: [
      (
        "Termination Reason: SPRINGBOARD 0xdead10cc",
        "SPRINGBOARD 0xdead10cc (held a file or database lock while suspended)"
      ),
      (
        "Termination Reason: FRONTBOARD 2343432205",
        "FRONTBOARD 0x8badf00d (watchdog: it took too long)"
      ),
      ("Termination Reason: RUNNINGBOARD 0xbad", "RUNNINGBOARD 0xbad"),
      (
        "Exception Type:  00000020\nException Codes: 0xc00010ff",
        "0xc00010ff (the device was too hot)"
      ),
    ])
  func codesOfTerminations(head: String, reason: String) throws {
    try expectEqual(crash(["mach_msg_trap"], head: head).reason, reason)
  }

  /// A summary says each thing once.
  @Test func theSummaryDoesNotRepeatTheReason() {
    func summary(head: String, before: String = "") -> [Substring] {
      let text = Report.report([Self.own], head: head, before: before)
      return JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    }
    let place = "Board.m:7 in -[Board draw] — "
    let arithmetic = "Exception Type:  EXC_ARITHMETIC (SIGFPE)\nException Codes: 0x5, 0x8"
    expectEqual(
      summary(head: arithmetic)[1...3],
      ["\(place)EXC_ARITHMETIC (SIGFPE): codes 0x5 0x8", "incident 1", "thread 0 crashed:"])
    let exception = "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Codes: 0x1, 0x8"
    expectEqual(
      summary(head: exception)[1...4],
      [
        "\(place)access through a null pointer, at offset 0x8",
        "EXC_BAD_ACCESS (SIGSEGV): codes 0x1 0x8", "incident 1", "thread 0 crashed:",
      ])
    expectEqual(
      summary(head: "\(exception)\nTermination Reason: FRONTBOARD 1 a")[1...4],
      [
        "\(place)terminated: FRONTBOARD 0x1, a", "EXC_BAD_ACCESS (SIGSEGV): codes 0x1 0x8",
        "incident 1", "thread 0 crashed:",
      ])
    let long = String(repeating: "n", count: 400)
    let cut = summary(head: exception, before: "\nApplication Specific Information:\n\(long)\n")
    expectTrue(cut[1].count == 301 && cut[1].hasPrefix(place) && cut[1].hasSuffix("n…"))
    expectEqual(cut[3], "    \(long.prefix(300))…")
  }
}
