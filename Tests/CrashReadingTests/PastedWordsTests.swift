import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What runtimes, tools and pages say about a crash, in the shapes in which people paste it. The
/// texts are those of the sources that the rules name.
struct PastedWordsTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  // MARK: Stacks without room

  @Test(
    arguments: [
      ("thread 'main' has overflowed its stack\nfatal runtime error: stack overflow\n", nil),
      ("\nthread 'worker' (4711) has overflowed its stack\nfatal runtime error: x\n", nil),
      (
        "host board[812]: thread '<main>' has overflowed its stack\n",
        "thread '<main>' has overflowed its stack"
      ),
      ("fatal runtime error: stack overflow, aborting\n", nil),
      ("fatal error: stack overflow\n", nil),
      ("Fatal error: exception Stack_overflow\n", nil),
      ("Stack overflow.\n", nil),
      ("Stack overflow (e.g., infinite or very deep recursion)\n", nil),
      ("Process is terminating due to StackOverflowException.\n", nil),
      ("Process is terminated due to StackOverflowException.\n", nil),
      (
        "runtime: goroutine stack exceeds 1000000000-byte limit\nfatal error: stack overflow\n",
        "fatal error: stack overflow"
      ),
    ])
  func stacksWithoutRoom(text: String, reason: String?) throws {
    let found = try crash(text)
    let first = text.split(separator: "\n").first.map(String.init)
    expectEqual(found.reason, reason ?? first)
    expectEqual(found.kind, "stackOverflow")
  }

  /// A number that overflows is another failure, and so is a buffer.
  @Test(
    arguments: [
      ("thread 'main' panicked at src/main.rs:4:5:\nattempt to add with overflow\n", "rustPanic"),
      ("*** stack smashing detected ***: terminated\n", "applicationMessage"),
      ("fatal runtime error: failed to initiate panic, error 5\n", "applicationMessage"),
      ("Fatal error: exception Not_found\n", "applicationMessage"),
    ])
  func otherFailures(text: String, kind: String) throws {
    expectEqual(try crash(text).kind, kind)
  }

  @Test func repeatedCallsOfDotNet() throws {
    let found = try crash(
      """
      Stack overflow.
      Repeat 24105 times:
      --------------------------------
         at Game.Board.Turn(Int32)
      --------------------------------
         at Game.Program.Main(System.String[])

      """)
    expectEqual(found.reason, "Stack overflow.")
    expectEqual(found.kind, "stackOverflow")
    expectEqual(found.frame?.function, "Game.Board.Turn(Int32)")
  }

  // MARK: Last words of libraries and runtimes

  /// Each line is in the shape in which the source that its row in `StatementMessage` names prints
  /// it. It counts alone, in a log and in a block of code.
  @Test(
    arguments: [
      ("Assertion page->count failed at src/page.c:12", nil),
      (
        "[deck @ 0x7f8a1b00] Assertion count > 0 failed at libdeck/deck.c:99",
        "Assertion count > 0 failed at libdeck/deck.c:99"
      ),
      (
        "F0101 12:00:00.000000  1234 deck.cc:45] Check failed: count > 0 (0 vs. 0)",
        "Check failed: count > 0 (0 vs. 0)"
      ),
      ("[FATAL:flutter/shell/deck.cc(12)] Check failed: page.", "Check failed: page."),
      (
        "# Fatal error in ../../src/deck.cc, line 12\n# Check failed: a == b.",
        "Fatal error in ../../src/deck.cc, line 12: Check failed: a == b."
      ),
      ("ERROR:page.c:12:page_turn: assertion failed: (page != NULL)", nil),
      (
        "/src/table.cpp:12: [realm-core-13.17.1] Assertion failed: page != 0",
        "table.cpp:12: [realm-core-13.17.1] Assertion failed: page != 0"
      ),
      ("Assertion failed: page != 0 (page.c: turn: 12)", nil),
      ("Assertion failed: Page < Count [File:Deck.h] [Line: 12]", nil),
      ("../../runtime/vm/page.cc: 12: error: expected: page.IsTurned()", nil),
      (
        "* Assertion at page.c:12, condition `page' not met",
        "Assertion at page.c:12, condition `page' not met"
      ),
      (
        "/usr/include/c++/v1/vector:12: assertion n < size() failed: index out of bounds",
        "vector:12: assertion n < size() failed: index out of bounds"
      ),
      (
        "/usr/include/c++/12/bits/stl_vector.h:12: int& f(int): Assertion 'n < this->size()' failed.",
        "stl_vector.h:12: int& f(int): Assertion 'n < this->size()' failed."
      ),
      (
        "terminate called after throwing an instance of 'page::Error'\n  what():  no page",
        "terminate called after throwing an instance of 'page::Error': no page"
      ),
      ("terminate called without an active exception", nil),
      ("LLVM ERROR: no page", nil), ("UNREACHABLE executed at lib/Page.cpp:12!", nil),
      ("PANIC: unprotected error in call to Lua API (no page)", nil),
      (
        "page.rb:3: [BUG] Segmentation fault at 0x0000000000000008",
        "[BUG] Segmentation fault at 0x0000000000000008"
      ),
      ("[812] signal 11 (1): Segmentation fault", "SIGSEGV"),
      ("*** caught segfault ***", nil),
      ("FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory", nil),
      ("thread 812 panic: reached unreachable code", nil),
      ("SIGSEGV: Illegal storage access. (Attempt to read from nil?)", nil),
      ("core.exception.AssertError@page.d(12): Assertion failure", nil),
      ("Runtime error 216 at $0000000000401234", nil),
      ("raised CONSTRAINT_ERROR : page.adb:12 index check failed", nil),
      ("Program received signal SIGSEGV: Segmentation fault - invalid memory reference.", nil),
      ("handle_crash: Program crashed with signal 11", "SIGSEGV"),
    ] as [(String, String?)])
  func lastWordsOfLibraries(words: String, reason: String?) throws {
    for text in ["\(words)\n", "start\n\(words)\n", "It crashes:\n\n```\n\(words)\n```\n"] {
      expectEqual(try crash(text).reason, reason ?? words)
    }
  }

  /// Documents, source code and lists of issues use the same words.
  @Test(
    arguments: [
      "The macro ends the process if Assertion failed at runtime is printed.",
      "Check failed: the page is too long", "# Check failed: lint",
      "# Fatal error in the deck, since version 12", "PANIC: unprotected error in call",
      "page.cc:12:3: error: expected: page", "[BUG] Page does not turn", "[BUG] Segmentation fault",
      "fprintf(stderr, \"LLVM ERROR: %s\", page);", "Runtime error 216 is an access violation.",
      "signal (15): Terminated", "it raised CONSTRAINT_ERROR : see the manual",
      "FATAL ERROR: cannot read the page", "BUG IN CLIENT: the page is blue\nBUG IN CLIENT: again",
    ])
  func sameWordsElsewhere(text: String) {
    var job = ReportJob(symbolPaths: [], form: .json)
    expectFalse(job.symbolicate(Array("Notes\n\(text)\n".utf8), shownPath: "notes").hasReport)
  }

  /// Frameworks leave their name out (CompositorServices).
  @Test(arguments: [("The log says **", "**"), ("```\n", "\n```"), ("It stops with `", "` there.")])
  func bugsInClients(before: String, after: String) throws {
    let words = "BUG IN CLIENT: please draw with turn_page"
    expectEqual(try crash("Hello\n\n\(before)\(words)\(after)\n").reason, words)
  }

  /// lldb shows `EXC_GUARD` without the kind of a guard (bits 61 to 63) for a pointer that was
  /// overwritten by a text; with the kind it is a guard.
  @Test(
    arguments: [
      (
        "code=1, subcode=0x4242424242424242",
        "the pointer holds text (“BBBBBBBB”): memory was overwritten"
      ),
      ("code=2305843009213693953, subcode=0x4242424242424242", "misuse of a guarded Mach port"),
    ])
  func guardWithoutKind(codes: String, reason: String) throws {
    let found = try crash(
      "* thread #1, stop reason = EXC_GUARD (\(codes))\n"
        + "  * frame #0: 0x00000001855ba8c8 libdispatch.dylib`_dispatch_root_queue_drain + 176\n")
    expectEqual(found.reason, reason)
  }

  /// XNU, bsd/kern/kern_memorystatus.c: the band of priority is no reason.
  @Test func bandOfPriority() throws {
    let found = try crash(
      "memorystatus: killing process 812 [Board] in high band FOREGROUND (100)"
        + " - memorystatus_available_pages: 1731\n")
    expectEqual(found.reason, "JETSAM")
  }

  // MARK: Panics that were thrown again

  private static let repanicked = """
    goroutine 1 [running]:
    main.run.func1()
    \t/src/run.go:8 +0x65
    panic({0x1002a0f80?, 0x1002c5f10?})
    \t/usr/local/go/src/runtime/panic.go:770 +0x124
    main.turn(...)
    \t/src/turn.go:12
    main.run()
    \t/src/run.go:10 +0x40

    """

  /// The first panic stands first in the words, and last on the stack.
  @Test(
    arguments: [
      ("panic: no cards [recovered]\n\tpanic: gone\n\n\(repanicked)", "Go panic: no cards"),
      ("panic: no cards [recovered, repanicked]\n\n\(repanicked)", "Go panic: no cards"),
      ("panic: no cards\n\tpanic: gone\n\n\(repanicked)", "Go panic: no cards"),
    ])
  func panicsThrownAgain(text: String, reason: String) throws {
    let found = try crash(text)
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.function, "main.turn")
  }

  // MARK: Names alone below an exception

  @Test(
    arguments: [
      "NSRangeException · *** -[__NSArrayM objectAtIndex:]: index 5",
      "NSRangeException: *** -[__NSArrayM objectAtIndex:]: index 5",
      "*** Terminating app due to uncaught exception 'NSRangeException', reason: '*** -[__NSArrayM objectAtIndex:]: index 5'",
    ])
  func namesBelowAnException(exception: String) throws {
    for name in ["-[Page load:done:]", "__19-[Page load:done:]_block_invoke_2"] {
      let found = try crash(
        "\(exception)\n__exceptionPreprocess\n\(name)\t\nboard::turn(int, Board*)\n\nThanks.\n")
      expectEqual(found.reason, "NSRangeException: *** -[__NSArrayM objectAtIndex:]: index 5")
      expectEqual(found.frame?.function.map { $0.contains("-[Page load:done:]") }, true)
    }
  }

  /// Markdown takes the sign in front of a method away.
  @Test func methodsWithoutTheirSign() throws {
    let found = try crash(
      "NSRangeException · index 5\n\n[Page load:done:]_block_invoke\n[Page load:done:]\n")
    expectEqual(found.frame?.function, "-[Page load:done:]_block_invoke")
  }

  /// React Native logs an exception in a native module, and throws it again under its own name.
  @Test(arguments: ["", "RCTFatalException: "])
  func exceptionsOfNativeModules(name: String) throws {
    let line = "Exception 'no cards' was thrown while invoking turn on target Board with params ("
    expectEqual(
      try crash("\(name)\(line)\n").reason,
      "\(name)no cards, thrown while invoking turn on target Board")
  }

  // MARK: Lines that mail and pages changed

  @Test(
    arguments: [
      """
      *** Terminating app due to uncaught exception
      'NSRangeException', reason: '*** -[NSCFArray
      objectAtIndex:]: index (5)'
      """,
      """
      *** Terminating app due to uncaught exception 'NSRangeException', reason: '***
      -[NSCFArray objectAtIndex:]: index (5)'
      """,
      "*** Terminating app due to uncaught exception &#39;NSRangeException&#39;, reason: &#39;*** -[NSCFArray objectAtIndex:]: index (5)&#39;",
    ])
  func brokenStatements(statement: String) throws {
    let text = TrapReportFixture.report(
      [TrapReportFixture.stated(0, 0x1_0000_1000, "-[Board draw] + 12 (Board.m:7)")],
      head:
        "Exception Type:  EXC_CRASH (SIGABRT)\n\nApplication Specific Information:\n\(statement)\n")
    expectEqual(
      try crash(text).reason, "NSRangeException: *** -[NSCFArray objectAtIndex:]: index (5)")
  }

  /// A reason of several lines is not a broken one.
  @Test func reasonsOfSeveralLines() throws {
    let text = TrapReportFixture.report(
      [TrapReportFixture.stated(0, 0x1_0000_1000, "-[Board draw] + 12 (Board.m:7)")],
      head: """
        Exception Type:  EXC_CRASH (SIGABRT)

        Application Specific Information:
        *** Terminating app due to uncaught exception 'NSRangeException', reason: 'no card:
        a long story'

        """)
    expectEqual(try crash(text).reason, "NSRangeException: no card:")
  }

  /// What Spotlight's worker was reading is no reason.
  @Test func filesOfSpotlight() throws {
    let text = TrapReportFixture.report(
      [TrapReportFixture.stated(0, 0x1_0000_1000, "-[Board draw] + 12 (Board.m:7)")],
      head: """
        Exception Type:  EXC_CRASH (SIGABRT)

        Application Specific Information:
        import fstype:apfs fsflag:480D000 diag:0 uti:com.example.deck plugin:/Library/Spotlight/Deck.mdimporter - find suspect file using: sudo mdutil -t 812
        no cards are left

        """)
    expectEqual(try crash(text).reason, "no cards are left")
  }

  // MARK: Debuggers

  /// A debugger stopped at address 0, in a function that nobody but a null pointer leads to.
  @Test func pausedAtNull() throws {
    let found = try crash(
      """
      Thread 1 Queue : com.apple.main-thread (serial)
      #0 0x0000000000000000 in 0x00000000 ()
      #1 0x000000010aede368 in type metadata completion function for Board ()
      #2 0x0000000185b07870 in swift::MetadataCacheEntryBase<Entry, int>::doInitialization ()
      #3 0x0000000185af8974 in swift_getSingletonMetadata ()

      """)
    expectEqual(found.kind, "callThroughNullPointer")
    expectEqual(
      found.reason, "call through a null pointer in type metadata completion function for Board")
    let called = try crash(
      "#0 0x0000000000000000 in 0x00000000 ()\n#1 0x000000010aede368 in -[Page load] ()\n")
    expectEqual(called.reason, "call through a null pointer")
    expectEqual(called.frame?.function, "-[Page load]")
  }

  /// Xcode's banner at the end of bold text.
  @Test func bannersInBold() throws {
    let found = try crash(
      "**0x105c61f44 <+20>:  ldrb   w8, [x19, #0x10]\nThread 1: EXC_BAD_ACCESS (code=1, address=0x10)**\n"
    )
    expectEqual(found.kind, "nullPointer")
  }
}
