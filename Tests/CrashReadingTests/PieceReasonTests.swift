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
}
