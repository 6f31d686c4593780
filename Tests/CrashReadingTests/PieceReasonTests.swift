import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What pieces say that people paste: stacks of a debugger without an exception, names alone, codes
/// without their namespace, frames on one line.
struct PieceReasonTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  // MARK: Objects

  /// Xcode copies frames without images, and does not say why it stopped.
  @Test(arguments: ["objc_release", "objc_msgSend", "swift_release", "objc_retain"])
  func objectsInADebuggersStack(function: String) throws {
    let found = try crash(
      """
      Thread 1Queue : com.apple.main-thread (serial)
      #0\t0x0000000100f39d5b in \(function) ()
      #1\t0x0000000100906c8e in -[Board turn] at /src/Board.m:33
      #2\t0x00000001007e9977 in main at /src/main.m:13

      """)
    expectEqual(
      found.reason, "an object was used that was freed or overwritten before (\(function))")
    expectEqual(found.confidence, "possible")
    expectEqual(found.frame?.function, "-[Board turn]")
  }

  /// It was stopped elsewhere, or in one of several threads.
  @Test(
    arguments: [
      "#0\t0x0000000100f39d5b in mach_msg ()\n#1\t0x0000000100f39d5c in objc_release ()\n",
      "#0\t0x0000000100f39d5b in turn ()\n",
    ])
  func otherStacksOfADebugger(frames: String) throws {
    let found = try crash(
      "Thread 1Queue : com.apple.main-thread (serial)\n\(frames)#2\t0x00000001007e9977 in main ()\n"
    )
    expectEqual(found.kind == "freedObject", false)
  }

  // MARK: Names alone

  /// Below the words of libdispatch, as in Sentry's issues. A name may go on in the next line.
  @Test func namesBelowLastWords() throws {
    let words =
      "BUG IN CLIENT OF LIBDISPATCH: Assertion failed: Block was expected to execute on queue"
      + " [com.apple.main-thread (0x20c470540)]"
    let found = try crash(
      """
      EXC_BREAKPOINT (SIGTRAP)
      \(words)

      _dispatch_assert_queue_fail
      dispatch_assert_queue$V2.cold.1
      dispatch_assert_queue
      swift_task_isCurrentExecutorWithFlagsImpl(swift::SerialExecutorRef, swift::swift_task_flag)
      closure #1 () in closure #1 @MainActor @Sendable (Data) in
          Board.save(url:done:)
      thunk for @escaping @callee_guaranteed () -> ()
      __31-[Library change:withQueue:]_block_invoke
      _dispatch_call_block_and_release

      """)
    expectEqual(found.reason, words)
    expectEqual(found.frame?.function, "Board.save(url:done:)")
  }

  /// Who explains a stack puts remarks behind addresses.
  @Test func addressesWithRemarks() throws {
    let found = try crash(
      """
      0   libswiftCore.dylib          _assertionFailure(_:_:file:line:flags:)
      1   libswift_Concurrency.dylib  CheckedContinuation.resume(throwing:)
      2   Board    0x10493bda4  (our code)
      3   Board    0x104430ff9  (the same again)

      """)
    expectEqual(found.reason, "a continuation was resumed more than once")
    expectEqual(found.frame?.imageName, "Board")
  }

  @Test func namesBelowAFatalError() throws {
    let found = try crash(
      """
      Fatal error: Index out of range

      _assertionFailure(_:_:file:line:flags:)
      specialized Array.subscript.getter
      Board.turn()

      """)
    expectEqual(found.reason, "Fatal error: Index out of range")
  }

  // MARK: Ends

  /// Source: developer.apple.com/documentation/xcode/sigkill.
  @Test(arguments: ["0x8BADF00D (Watchdog Violation)", "Watchdog Violation (0x8badf00d)"])
  func codesWithoutTheirNamespace(reason: String) throws {
    let found = try crash(
      """
      Process: Board [812]
      Exception Type: EXC_BAD_ACCESS (SIGKILL)
      Exception Subtype: KERN_INVALID_ADDRESS at 0x78
      Termination Reason: \(reason)

      """)
    expectEqual(found.kind, "watchdog")
    expectEqual(found.reason, "0x8badf00d (watchdog: it took too long), Watchdog Violation")
  }

  /// Source: XNU, bsd/kern/kern_memorystatus.c; doc/vm/memorystatus_kills.md.
  @Test(
    arguments: [
      ("low-swap", "there was no more space to swap to"),
      ("sustained-memory-pressure", "the system was short of memory for long, and it was idle"),
      ("vm-pageout-starvation", "the system could not free memory fast enough"),
      ("vm-compressor-space-shortage", "there was no more space for compressed memory"),
    ])
  func wordsOfJetsam(word: String, meaning: String) throws {
    let found = try crash(
      "memorystatus: killing_top_process pid 812 [board] (\(word) 0 5s rf:-) 512KB - x\n")
    expectEqual(found.reason, "JETSAM (\(meaning)), \(word), 512KB")
  }

  @Test func limitsOfTheKernel() throws {
    let found = try crash(
      "kernel: memorystatus: exceeded mem limit: ActiveHard 50 MB (fatal)\n"
        + "kernel: killing_specific_process pid 812 [board] ... 51200KB\n")
    expectEqual(
      found.reason,
      "JETSAM (used more memory than its own limit), exceeded mem limit: ActiveHard 50 MB")
  }

  // MARK: One line

  /// Frames that Markdown or a form joined, behind signs of code, a quotation, or words.
  @Test(arguments: ["`", "", "> ", "It crashes: `"])
  func framesOnOneLine(start: String) throws {
    let found = try crash(
      "\(start)0   CoreFoundation      0x1a7bee86c exceptionPreprocess + 220 (NSException.m:199)"
        + " 1   libobjc.A.dylib     0x1bcb07c50 objc_exception_throw + 60 (objc-exception.mm:565)"
        + " 2   Board     0x1046280a0 0x1045c4000 + 409760"
        + " 3   Data Kit  0x1adec40d4 -[Store change:] + 12\n")
    expectEqual(found.kind, "uncaughtException")
    expectEqual(found.frame?.imageName, "Board")
  }

  // MARK: Frames of Crashlytics

  /// Who explains a stack leaves images, addresses and whole frames out.
  @Test func functionsWithoutImages() throws {
    try expectReason(
      """
      The thread is not the main one:

      ```
      Crashed: com.example.board.loading
      0  _dispatch_assert_queue_fail
      3  dispatch_assert_queue$V2
      4  _swift_task_checkIsolatedSwift
      6  closure #1 in static Board.register()
      ```

      1 player sees it, 2 players do not.

      """,
      "actor-isolated code ran outside its actor's queue",
      in: "closure #1 in static Board.register()")
  }

  /// The cells of a table, each on a line of its own, with the place as newer pages write it.
  @Test func placesInCells() throws {
    try expectReason(
      """
      Crashed: NSManagedObjectContext 0x105c5f240
      EXC_BREAKPOINT 0x00000001a9f32074
      0
      CoreData
      -[NSManagedObjectContext _thereIsNoSadnessLikeTheDeathOfOptimism] + 196
      1
      CoreData
      -[NSManagedObjectContext save:] + 2756
      2
      Board
      Store.swift:198
      closure #1 in Store.write(_:) + 198
      3
      CoreData
      developerSubmittedBlockToNSManagedObjectContextPerform + 228

      """,
      "Core Data stopped the process on purpose as it saved a context, whose state was not "
        + "consistent; often it was used on another thread than its own",
      in: "closure #1 in Store.write(_:)")
  }

  /// Where the text ends, nameless code of the program that UIKit seems to have called back is its
  /// `main` only if GraphicsServices stands above that.
  @Test(arguments: [(false, true), (true, false)])
  func endsOfCutStacks(hasEvents: Bool, hasPlace: Bool) throws {
    let events = hasEvents ? "3  GraphicsServices  0x36c870\n4  UIKitCore  0x2e3e4\n" : ""
    let crash = try JsonFixture.report(
      """
      # Platform: apple
      Fatal Exception: NSInvalidArgumentException
      0  CoreFoundation    0x940c __exceptionPreprocess
      1  libobjc.A.dylib   0x15c28 objc_exception_throw
      2  UIKitCore         0x2fcc4c
      \(events)5  UIKitCore         0x2fbb90
      6  BoardKit          0x59d0 (Missing UUID 5f671a965c973084a707a4313ef15173)
      7  BoardKit          0x4cf0 (Missing UUID 5f671a965c973084a707a4313ef15173)

      """, with: []
    ).crash
    expectEqual(crash.frame?.imageName, hasPlace ? "BoardKit" : nil)
  }

  /// Key-value observing looks at the objects of others: who changed one is the place.
  @Test func observers() throws {
    let watch = "KVO_IS_RETAINING_ALL_OBSERVERS_OF_THIS_OBJECT_IF_IT_CRASHES_AN_OBSERVER_WAS_"
    let summary = JsonFixture.output(
      """
      EXC_BAD_ACCESS (KERN_INVALID_ADDRESS) 0x000000000000001e
      Crashed: com.apple.main-thread
      0  libobjc.A.dylib  0x9af0 object_isClass + 16
      1  Foundation       0x8090 \(watch)OVERRELEASED_OR_SMASHED + 72
      2  Foundation       0x3f9f8 NSKeyValueWillChangeWithPerThreadPendingNotifications + 296
      3  WebKit           0x430b6c WebKit::PageClientImplCocoa::gpuProcessDidExit() + 44

      """.utf8, as: .summary, with: [])
    expectPrefix(
      summary,
      """
      unknown process
      WebKit::PageClientImplCocoa::gpuProcessDidExit() in WebKit — an object was used that was \
      freed or overwritten before (object_isClass): an observer (KVO)

      """)
  }

  // MARK: Words around a report

  /// The head of a report that was cut takes its reason from the lines above it; that of another
  /// process counts for nothing.
  @Test(arguments: [("", true), ("Process: Tile [9]\n", false)])
  func reasonsAboveHeads(other: String, isTaken: Bool) throws {
    let crash = try JsonFixture.report(
      """
      It ends at once:
      \(other)> `Termination Reason:    Namespace CODESIGNING, Code 2 Invalid Page`

      Full report below:

      ```
      Process:               Board [812]
      Path:                  /Applications/Board.app/Contents/MacOS/Board
      Code Type:             ARM-64 (Native)
      OS Version:            macOS 14.6.1 (23G93)
      Report Vers

      """, with: []
    ).crash
    expectEqual(crash.kind, isTaken ? "codeSignature" : nil)
  }

  /// Statements that stand alone, each with the exception or the end that it names.
  @Test(
    arguments: [
      (
        "**Fatal Exception: NSInternalInconsistencyException\nThe board was never shown.**\n",
        "NSInternalInconsistencyException: The board was never shown."
      ),
      (
        "Fatal Exception: NSRangeException index 5 beyond bounds\n",
        "NSRangeException: index 5 beyond bounds"
      ),
      (
        "`Objective-C exception thrown.  Name: NSRangeException Reason: index 5\n",
        "NSRangeException: index 5"
      ),
    ])
  func exceptionsAlone(text: String, reason: String) throws {
    try expectReason(text, reason)
  }

  @Test func sentencesAboutExceptions() {
    let text = "It ends with a\nFatal Exception: the board was lost.\n"
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Xcode copies the name of a thread that has no number in front.
  @Test func namesOfThreads() throws {
    try expectReason(
      """
      WebThread (12)#0\t0x0000000188f8c150 in objc_msgSend ()
      #1\t0x0000000100946064 in -[Board layout] ()
      #2\t0x00000001906450b4 in thread_start ()

      """, "an object was used that was freed or overwritten before (objc_msgSend)",
      in: "-[Board layout]")
  }
}
