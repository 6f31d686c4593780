import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons of crashes whose frames begin with a handler or a hook, or that are one instruction or
/// one sentence.
struct HookedReasonTests {
  // MARK: Handlers

  private static let handler = """
    Received signal 11. Backtrace:
    0x55e176770802, Backtrace.(printBacktrace in _B82A)(signal: Swift.Int32) -> () at /src/Backtrace.swift:66
    0x55e176770a77, closure #1 (Swift.Int32) -> () in static Backtrace.Backtrace.install(signals: Swift.Array<Swift.Int32>) -> () at /src/Backtrace.swift:80
    0x55e176770a77, @objc closure #1 (Swift.Int32) -> () in static Backtrace.Backtrace.install(signals: Swift.Array<Swift.Int32>) -> () at /src/<compiler-generated>:79
    0x7f984567c51f

    """

  /// The handler of the package swift-backtrace did not crash.
  @Test func handlerOfSwiftServer() throws {
    try expectReason(
      "\(Self.handler)0x55e177706312, App.Board.turn() -> () at /src/App/Board.swift:12\n",
      "SIGSEGV", in: "App.Board.turn() -> ()")
  }

  /// It sends itself the signal of `abort()` again.
  @Test func abortBelowAHandler() throws {
    try expectReason(
      Self.handler.replacing("signal 11", with: "signal 6")
        + "0x55e177706312, App.Board.turn() -> () at /src/App/Board.swift:12\n",
      "SIGABRT", in: "App.Board.turn() -> ()")
  }

  /// The limit that ends a process, on the same line.
  @Test func limitOfTheProcessor() throws {
    let words = "used 9.00s of CPU over 9.57 seconds, violating a CPU usage limit of 9.00s over 15s"
    let report = try JsonFixture.report(
      "Received (FATAL) CPU usage trigger: The Board[848] () \(words)\n", with: [])
    expectEqual(report.process.name, "The Board")
    expectEqual(report.crash.reason, "exceeded its limit of processor time: \(words)")
  }

  /// Addresses alone accuse nobody.
  @Test func addressesBelowAHandler() throws {
    let text = "\(Self.handler)0x55e177706312\n0x55e17772cd7d\n"
    try expectReason(text, "SIGSEGV")
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectTrue(summary.hasPrefix("unknown process\nSIGSEGV\n"))
  }

  /// A hook for exceptions of Kotlin that nobody catches, which records them with Crashlytics.
  @Test func hookOfKotlin() throws {
    try expectReason(
      """
      Crashed: com.google.firebase.crashlytics.ios.exception
      0   Board   0x1c6f0 FIRCLSProcessRecordAllThreads + 392 (FIRCLSProcess.c:392)
      1   Board   0x2a5e4 FIRCLSExceptionRecordNSException + 127 (FIRCLSException.mm:127)
      2   Board   0x9eeb4 @objc CrashlyticsNSExceptionKtReporter.reportException(_:) + 86 (<compiler-generated>:86)
      3   Board   0x10ac26c kfun:com.rickclephas.kmp.nsexceptionkt.core.addReporter$1.invoke(kotlin.Throwable){}#internal
      """,
      "unhandled Kotlin exception, recorded by a hook; its class and message are not on the stack")
  }

  /// What an app's own handler of exceptions prints.
  @Test(arguments: [
    (
      "Uncaught exception: NSInvalidArgumentException: -[Deck turn]: unrecognized selector",
      "NSInvalidArgumentException: -[Deck turn]: unrecognized selector"
    ),
    ("CRASH: -[Deck turn]: unrecognized selector", "-[Deck turn]: unrecognized selector"),
  ])
  func handlerOfTheApp(line: String, reason: String) throws {
    try expectReason(
      """
      2026-10-01 15:40:35.363514-0600 Board[425:96444] \(line)
      (
      \t0   CoreFoundation    0x0000000185a3d358 7769FFAC-4FCD-332D-A4BE-DA2F0E2FFEA5 + 1250136
      \t1   libobjc.A.dylib   0x0000000185752cc0 objc_exception_throw + 60
      \t2   CoreFoundation    0x0000000185a43e10 _CF_forwarding_prep_0 + 96
      \t3   Board             0x0000000104995824 -[Board turn:] + 36
      )

      """, reason, in: "-[Board turn:]")
  }

  // MARK: Instructions

  /// The words that a library loads before its trap.
  @Test func trapOfALibrary() throws {
    try expectReason(
      """
      libdispatch.dylib`_dispatch_board.cold.1:
          0x101081f60 <+0>:  pacibsp
          0x101081f7c <+28>: bl     0x10107bfc8               ; _dispatch_bug
          0x101081f9c <+60>: add    x20, x20, #0x801          ; "BUG IN CLIENT OF LIBDISPATCH: no cards"
          0x101081fa8 <+72>: str    x20, [x21, #0x8]
      ->  0x101081fb4 <+84>: brk    #0x1
      """, "BUG IN CLIENT OF LIBDISPATCH: no cards")
  }

  /// Any other instruction says where the exception was that somebody names.
  @Test func faultInADisassembly() throws {
    try expectReason(
      """
      Thread 1: EXC_BAD_ACCESS (code=1, address=0x10)

      Board`board_turn:
          0x100003f54 <+68>: mov    x0, #0x0
      ->  0x100003f58 <+72>: ldr    x0, [x0, #0x10]
      """, "access through a null pointer, at offset 0x10", in: "board_turn")
  }

  /// A breakpoint is no crash, and a line of source code with an arrow no instruction.
  @Test(arguments: [
    "Board`board_turn:\n->  0x100003f58 <+72>: ldr    x0, [x0, #0x10]\n",
    "-> 0x100003f58 <+72>: brk    #0x1\n",
    "func turn()\n-> Card: brk\n",
  ])
  func noReason(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  // MARK: Sentences

  /// The function that a sentence names in Markdown's marks of code.
  @Test(arguments: [
    (
      "It aborts with `EXC_BREAKPOINT (SIGTRAP) brk 1` — a trap — inside `Board.turn(to:)` at"
        + " [`Board.swift:12`](https://example.com/Board.swift#L12):",
      "a failed check in Swift code (nil, index, overflow, cast or precondition)",
      "Board.turn(to:)"
    ),
    (
      "- **Crash:** `EXC_BAD_ACCESS (KERN_INVALID_ADDRESS at 0x10)` in `-[Board turn]` (Board.m:12)",
      "access through a null pointer, at offset 0x10", "-[Board turn]"
    ),
    (
      "It stops with \"BUG IN CLIENT OF LIBBOARD: no cards\", and I do not know why.",
      "BUG IN CLIENT OF LIBBOARD: no cards", nil
    ),
  ])
  func sentence(text: String, reason: String, function: String?) throws {
    try expectReason("\(text)\n", reason, in: function)
  }

  /// The place behind a function, with and without marks.
  @Test(arguments: [
    "Crash: EXC_BREAKPOINT in Board.turn(to:) at Board.swift:12",
    "We see `EXC_BREAKPOINT` (`SIGTRAP`) in **`Board.turn(to:)`** (`Board.swift:12`).",
  ])
  func placeInASentence(text: String) throws {
    let crash = try JsonFixture.report("\(text)\n", with: []).crash
    expectEqual(crash.frame?.function, "Board.turn(to:)")
    expectEqual(crash.frame?.file, "Board.swift")
    expectEqual(crash.frame?.line, 12)
  }

  /// What somebody called, another sentence, and one case of several.
  @Test(arguments: [
    "I saw `EXC_BAD_ACCESS` when calling `Board.turn(to:)`.\n",
    "I saw `EXC_BAD_ACCESS`. Look at `Board.turn(to:)`.\n",
    "If it is `EXC_BAD_ACCESS` inside `Board.turn(to:)`, look there.\n",
  ])
  func otherSentence(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// WatchKit's own assertions.
  @Test(arguments: ["", "2026-09-08 10:00:00.123 Board[300:4711] "])
  func watchKit(head: String) throws {
    let words = "-[WKBoard turn]_block_invoke:38: Critical failure. Simulating crash: Condition"
    try expectReason(
      "\(head)\(words) failed:\"NO\". No cards\n", "\(words) failed:\"NO\". No cards")
  }

  // MARK: Frames of the system

  /// Without images, as in a piece of an `.ips`.
  @Test func forwardedMessage() throws {
    try expectReason(
      """
      "lastExceptionBacktrace" : [{"imageOffset":1012779,"symbol":"__exceptionPreprocess","symbolLocation":226,"imageIndex":3},{"imageOffset":89637,"symbol":"objc_exception_throw","symbolLocation":48,"imageIndex":10},{"imageOffset":1631595,"symbol":"-[NSObject(NSObject) __retain_OA]","symbolLocation":0,"imageIndex":3},{"imageOffset":399003,"symbol":"___forwarding___","symbolLocation":1324,"imageIndex":3},{"imageOffset":397528,"symbol":"_CF_forwarding_prep_0","symbolLocation":120,"imageIndex":3},{"imageOffset":370136,"symbol":"-[AVBoard turn:]","symbolLocation":853,"imageIndex":2}
      """, "unrecognized selector sent to an object by -[AVBoard turn:]")
  }

  /// Who freed the block that malloc complains about.
  @Test func releaser() throws {
    let text = """
      0   libsystem_kernel.dylib   0x00000001962cb270 __pthread_kill + 8
      1   libsystem_c.dylib        0x0000000196242b14 abort + 108
      2   libsystem_malloc.dylib   0x00000001963063e0 nanozone_error + 316
      3   libsystem_malloc.dylib   0x00000001963052f4 nano_free + 188
      4   CoreFoundation           0x0000000183e0d5e4 __CFStringDeallocate + 188
      5   CoreFoundation           0x0000000183d19390 CFRelease + 324
      6   CoreData                 0x0000000183bda168 -[NSSQLBoard turn:] + 852
      7   CoreData                 0x0000000183bbf0bc -[NSSQLBoard turns] + 308

      """
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectTrue(
      summary.contains(
        "\n-[NSSQLBoard turn:] in CoreData — malloc found a damaged heap or a bad pointer\n"))
  }

  /// Old versions of Xcode's debugger, without a blank before the brackets.
  @Test func oldDebugger() throws {
    let text = """
      Program received signal:  “EXC_BAD_ACCESS”.
      (gdb) where
      #0  0x321068a8 in -[UIBoardController turn:toView:]()
      #1  0x31b77064 in run_animation_callbacks ()
      #2  0x31b76e6c in CA::timer_callback ()
      #3  0x32001230 in UIApplicationMain ()

      """
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectTrue(summary.contains("\n-[UIBoardController turn:toView:] — EXC_BAD_ACCESS\n"))
  }

  /// The mark of the crashed thread stands behind the colon. So it does in tables that lack the
  /// thread's name.
  @Test(arguments: ["Crashed", "Crashed:", "Crashed: com.example.board"])
  func markBehindTheColon(mark: String) throws {
    try expectReason(
      """
      Thread 21: \(mark)
      0   libGPUSupportMercury.dylib   0x000000019d9dd140 _gpus_ReturnNotPermittedKillClient + 12
      1   Board                        0x00000001071b35cc Board.turn() + 98

      """,
      "the app used the GPU in the background, which is not permitted (OpenGL): the system's library stopped it on purpose",
      in: "Board.turn()")
  }

  /// A library of the system reports a fault, and the process goes on.
  @Test func faultOfALibrary() throws {
    try expectReason(
      """
      Process:             boardd [301]
      Exception Type:  EXC_GUARD
      Exception Subtype: GUARD_TYPE_USER
      Exception Codes: 0x6000000000000007, 0x0000000000000009
      Termination Reason: LIBXPC 9 XPC_EXIT_REASON_FAULT

      """, "misuse that a library of the system reports (the process goes on): GUARD_TYPE_USER")
  }

  /// Who names a bad pointer may leave the exception out.
  @Test func pointerAlone() throws {
    try expectReason(
      """
      EXC_BAD_ACCESS Board.turn()
      Attempted to dereference garbage pointer 0x8000000000000008.

      0 libswiftCore.dylib +0x3ff520   _swift_isUniquelyReferenced_nonNull_native
      1 Board +0xde3b4                 Board.turn() (Board.swift:12)

      """,
      "a pointer that was overwritten: 0x8000000000000008 is no address of a process",
      in: "Board.turn()")
  }

  // MARK: Hangs and lists

  /// What pages of crash SDKs say above the stack of an app that hung.
  @Test(arguments: [
    ("App Hang: The app was terminated while unresponsive", "hang"),
    (
      "**App Hang** The app's main thread failed to respond to an event within 2000 milliseconds",
      "hang of at least 2000 ms"
    ),
    ("App Hanging: App hanging for at least 2000 ms.", "hang of at least 2000 ms"),
    ("Fatal App Hang Fully Blocked", "hang"),
    ("App Hang is my word for it", "Board.swift:12 in Board.turn()"),
  ])
  func hang(title: String, headline: String) throws {
    let text = """
      Process:            Board
      OS Version:         iOS 15.1

      \(title)

      0  libsystem_kernel.dylib _guarded_pwrite_np
      1  libsqlite3.dylib       _sqlite3_step
      2  Board                  Board.turn() (Board.swift:12)

      """
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    let lines = summary.split(separator: "\n")
    expectEqual(lines.dropFirst().first.map(String.init), headline)
  }

  /// UIKit's words about an update are longer than a headline.
  @Test(arguments: [
    (
      " in section 0.  The number of rows contained in an existing section after the update (3)"
        + " must be equal to the number of rows contained in that section before the update (2),"
        + " plus or minus the number of rows inserted or deleted from that section (0 inserted,"
        + " 0 deleted) and plus or minus the number of rows moved into or out of that section"
        + " (0 moved in, 0 moved out). Table view: <Board.DeckView: 0x12003c000; frame = (0 0)>",
      " in section 0: 3 after the update, 2 before, 0 inserted, 0 deleted, 0 moved in, 0 moved out;"
        + " Board.DeckView"
    ),
    (
      ". The number of sections contained in the table view after the update (3) must be equal to"
        + " the number of sections contained in the table view before the update (2), plus or minus"
        + " the number of sections inserted or deleted (4 inserted, 0 deleted).",
      ": 3 after the update, 2 before, 4 inserted, 0 deleted"
    ),
  ])
  func listUpdate(words: String, short: String) throws {
    let start = "Invalid update: invalid number of rows"
    let text = """
      *** Terminating app due to uncaught exception 'NSInternalInconsistencyException', reason: '\
      \(start)\(words)'

      """
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectTrue(summary.contains("\nNSInternalInconsistencyException: \(start)\(short)\n"))
  }
}
