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

  /// React Native logs an exception in a native module.
  @Test func exceptionsOfNativeModules() throws {
    let line = "Exception 'no cards' was thrown while invoking turn on target Board with params ("
    expectEqual(try crash("\(line)\n").reason, line)
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
