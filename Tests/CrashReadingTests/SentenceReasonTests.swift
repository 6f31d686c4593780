import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What people say in their own sentences about a crash, in the words of a library, and reports
/// whose reason stands where others have something else.
///
/// The words are those of the sources that the rules name.
struct SentenceReasonTests {
  private static let overlap =
    "Simultaneous accesses to 0x10, but modification requires exclusive access"
  private static let infinite =
    "Double value cannot be converted to Int because it is either infinite or NaN"
  private static let newer =
    "This copy of libswiftCore.dylib requires an OS version prior to 12.2.0"
  private static let lock =
    "Tried to obtain the web lock from a thread other than the main thread or the web thread"
  private static let rates = "required condition is false: a.rate == b.rate"
  private static let audio = "com.apple.coreaudio.avfaudio: \(rates)"
  private static let head = "2026-01-02 10:00:00.528+0200 Board[812:56] "

  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: Sentences

  @Test(
    arguments: [
      ("Tapping it says\n`Thread 1: \(overlap)`\nin Xcode.\n", overlap),
      ("\(head)\(overlap).\n", overlap), ("Now I get \(overlap) in the log.\n", overlap),
      ("It says \"Fatal access conflict detected.\" then.\n", "Fatal access conflict detected"),
      ("It stops with “\(infinite)”.\n", infinite),
      (
        "It is `ouble value cannot be converted to UInt8 because it is either infinite or NaN`.\n",
        "ouble value cannot be converted to UInt8 because it is either infinite or NaN"
      ),
      (
        "Float value cannot be converted to Int because the result would be less than Int.min\n",
        "Float value cannot be converted to Int because the result would be less than Int.min"
      ),
      ("I see Fatal error: \(infinite) when I tap.\n", "Fatal error: \(infinite)"),
      ("##### \(newer).\n", newer), ("It says \"\(newer).\" then.\n", newer),
      ("$ ./board\n\(newer).\nAbort trap: 6\n", newer),
      ("bool _WebTryThreadLock(bool), 0x10: \(lock). This may be a result\n", lock),
      ("Why?\ncom.apple.coreaudio.avfaudio', reason: '\(rates)'\n", audio),
      ("It says \"\(rates)\".\n", audio), ("\(rates)\n", audio),
      ("\(head)[avae] AVAEInternal.h:70:_AVAE_Check: \(rates)\n", audio),
      (
        "\(head)[avae] AVAEInternal.h:70:_AVAE_Check: \(rates)\n"
          + "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'no card'\n",
        "NSRangeException: no card"
      ),
      (
        "It ends: Terminating app due to uncaught exception 'NSRangeException', reason: 'no card'\n",
        "NSRangeException: no card"
      ),
      ("NSRangeException', reason: 'no card'\n", "NSRangeException: no card"),
      ("It crashes with 'NSRangeException', reason: 'no card'\n", "NSRangeException: no card"),
    ])
  func words(text: String, reason: String) throws {
    let report = try read(text)
    expectEqual(report.crash.reason, reason)
    expectEqual(report.process.name, text.hasPrefix(Self.head) ? "Board" : nil)
  }

  private static let unowned =
    "Attempted to read an unowned reference but the object was already deallocated"
  private static let foundNil =
    "Fatal error: Unexpectedly found nil while unwrapping an Optional value"

  /// Swift's standard library, with and without a place.
  @Test(
    arguments: [
      ("It stops with \(foundNil) here.\n", foundNil),
      ("It stops with `Thread 1: \(foundNil)` here.\n", foundNil),
      (
        "It stops with `A/Deck.swift:7: Fatal error: no cards` here.\n",
        "A/Deck.swift:7: Fatal error: no cards"
      ),
      (
        "It says A/Deck.swift:7: Fatal error: Index out of range here.\n",
        "A/Deck.swift:7: Fatal error: Index out of range"
      ),
      (
        "022-04-10 18:45:09.8+1200 Board[1:2] Swift/arm64-apple-ios.swiftinterface:3: Fatal error: x\n",
        "Swift/arm64-apple-ios.swiftinterface:3: Fatal error: x"
      ),
      ("fatal error: Index out of range\n", "Fatal error: Index out of range"),
      ("fatal error: Index out of range in `turn()`\n", "Fatal error: Index out of range"),
      (
        "Fatal error: \(unowned)2022-01-26 15:27:24.6+0100 Board[28:59]\n",
        "Fatal error: \(unowned)"
      ),
      ("\(head)Fatal error: Division by zero\n", "Fatal error: Division by zero"),
    ])
  func swift(text: String, reason: String) throws {
    expectEqual(try read(text).crash.reason, reason)
  }

  /// What stands between quotation marks is read as if it had a line of its own.
  @Test(
    arguments: [
      ("It stops with `Thread 1: signal SIGABRT` in main.\n", "SIGABRT"),
      (
        "I get \"libc++abi: terminating with uncaught exception of type E: x\" on launch\n",
        "libc++abi: terminating with uncaught exception of type E: x"
      ),
      (
        "See `Board.swift`: \"-[Deck deal]: unrecognized selector sent to instance 0x1\"\n",
        "-[Deck deal]: unrecognized selector sent to instance 0x1"
      ),
      (
        "With `a` it says `Board(812,0x10) malloc: *** error for object 0x7f: no block` then\n",
        "*** error for object 0x7f: no block"
      ),
      ("I get `Segmentation fault: 11` there.\n", "SIGSEGV"),
      ("It says ``Thread 1: signal SIGABRT`` now\n", "SIGABRT"),
      ("崩溃「Thread 1: signal SIGABRT」了\n", "SIGABRT"),
      ("| `Fatal error: Index out of range` | an index |\n", "Fatal error: Index out of range"),
      (
        "It ends: -[Deck deal]: unrecognized selector sent to instance 0x1 when I tap\n",
        "-[Deck deal]: unrecognized selector sent to instance 0x1"
      ),
      (
        "[Deck deal]: unrecognized selector sent to instance 0x1\n",
        "[Deck deal]: unrecognized selector sent to instance 0x1"
      ),
      (
        "Why is Collection <__NSArrayM: 0x28> was mutated while being enumerated. thrown?\n",
        "NSGenericException: Collection <__NSArrayM: 0x28> was mutated while being enumerated"
      ),
    ])
  func quotations(text: String, reason: String) throws {
    let crash = try read(text).crash
    expectEqual(crash.reason, reason)
  }

  /// What Xcode shows of a trap on Intel's processors, with the code in words.
  @Test(arguments: ["I386", "i386"])
  func codesBehindThread(name: String) throws {
    expectEqual(
      try read("Thread 1: EXC_BAD_INSTRUCTION (code=EXC_\(name)_INVOP, subcode=0x0)\n").crash.kind,
      "failedCheck")
    let fault = try read("Thread 1: EXC_BAD_ACCESS (code=EXC_\(name)_GPFLT)\n").crash
    expectTrue(fault.reason?.hasPrefix("general protection fault: ") == true)
  }

  /// Frames whose numbers only an endless recursion has.
  @Test(arguments: [(8454, true), (84, false)])
  func deepStack(first: Int, isDeep: Bool) throws {
    let names = ["-[Deck dealloc]", "-[Card dealloc]", "-[Deck dealloc]", "-[Card dealloc]"]
    let frames = names.enumerated().map { index, name in
      "    frame #\(first + index): 0x00007fff35fd592d Board`\(name) + 157\n"
    }
    let crash = try read(frames.joined()).crash
    expectEqual(
      crash.reason,
      isDeep
        ? "a recursion of more than 8457 frames, most likely a stack overflow: -[Deck dealloc] and -[Card dealloc] call each other (× 2)"
        : nil)
  }

  /// Source code, formats and examples.
  @Test(
    arguments: [
      "// \(overlap)\n", "log(\"\(overlap)\")\n", "NSLog(@\"\(lock)\");\n",
      "If it says `Thread 1: signal SIGABRT`, wait.\n", "let a = \"Thread 1: signal SIGABRT\"\n",
      "The app no longer stops with `Thread 1: signal SIGABRT`.\n",
      "The app no longer stops with `Fatal error: Index out of range`.\n",
      "let a = \"\(overlap)\"\n",
      "echo \"Segmentation fault: 11\"\n", "If it says \(lock), wait.\n",
      "fatal error: no input files\n",
      "reason: '', reason: '\n",
      "The Terminating app due to uncaught exception '%@' is a format.\n",
      "Simultaneous accesses to 0x\n", " value cannot be converted to \n",
      "This copy of libswiftCore.dylib requires an OS version prior to that.\n",
    ])
  func others(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  // MARK: Frames below

  /// WebKit's frames count from one, and older versions left the addresses out.
  @Test(arguments: ["", "0x34c6e3d5 "])
  func webLock(address: String) throws {
    try expectReason(
      """
      bool _WebTryThreadLock(bool), 0xbca6290: \(Self.lock).
        This may be a result of calling to UIKit from a secondary thread. Crashing now...
      1   \(address)WebThreadLock
      2   \(address)-[UITextView setText:]
      3   \(address)-[Board show:]
      4   \(address)_pthread_start

      """, Self.lock, in: "-[Board show:]")
  }

  @Test(arguments: ["`", "> ", "**"])
  func checkerInMarkdown(mark: String) throws {
    let words = "Main Thread Checker: UI API called on a background thread: -[UIView frame]"
    try expectReason(
      """
      \(mark)\(words)
      Backtrace:
      4   Board            0x000000010a1219a8 +[Deck report:] + 1544
      5   Board            0x000000010a11ba64 -[Deck notify:] + 436
      6   libdispatch.dylib    0x000000011196b30f _dispatch_call_block_and_release + 12

      """, words, in: "+[Deck report:]")
  }

  /// What ExceptionHandling says about a signal, above the frames and alone.
  @Test func caughtSignal() throws {
    let words = "10:00:00: Exception raised: Uncaught system exception: signal 11\n"
    try expectReason(
      """
      \(words)0   Board                0x00000001004d7e10 Board + 54
      1   ExceptionHandling    0x0000000100a907ba NSExceptionHandlerUncaughtSignalHandler + 35
      2   libsystem_c.dylib    0x00007fff94edf90a _sigtramp + 26
      3   Foundation           0x00007fff8e73005c -[NSBundle load] + 19
      4   Board                0x00000001004d6f79 +[BoardLoader load:] + 1124

      """, "SIGSEGV", in: "+[BoardLoader load:]")
    try expectReason(words, "SIGSEGV")
  }

  /// Crashlytics of 2015 took the slide off the address only.
  @Test func startBelowZero() throws {
    let crash = try read(
      """
      Crashed: Deck
      0  IOKit    0x22b121d0 IOServiceAddMatchingNotification + 43
      1  Board    0x0020e68f -[CardFixture append] + 2459279
      2  Board    0x0020df53 -[CardFixture init] + 2457427

      """
    ).crash
    expectEqual(crash.frame?.function, "-[CardFixture append]")
  }

  /// Xcode writes why it stopped behind the instruction.
  @Test(
    arguments: [
      "0x3aaa1626:  ldrh.w r12, [r9, #12]      <-- here (Thread 1: EXC_BAD_ACCESS (code=1,address=0xa001800c))",
      "->  0x3aaa1626 <+6>: ldrh.w r12, [r9, #12]   Thread 1: EXC_BAD_ACCESS (code=1, address=0xa001800c)",
    ])
  func stopBehindInstruction(line: String) throws {
    let report = try read(
      """
      2014-05-02 11:12:56.094 Board[812:60b] ready
      libobjc.A.dylib`objc_msgSend:
      0x3aaa1620:  cbz    r0, 0x3aaa165e            ; objc_msgSend + 62
      \(line)
      0x3aaa162a:  ldr.w  r9, [r9, #8]

      """)
    expectEqual(
      report.crash.reason, "an object was used that was freed or overwritten before (objc_msgSend)")
    expectEqual(report.process.name, "Board")
  }

  // MARK: Heads

  /// SpringBoard of iOS 5 highlights a thread, which is not at fault.
  @Test func resumedTooOften() {
    let summary = JsonFixture.output(
      """
      Exception Type:  00000020
      Exception Codes: 0xbad22222
      Highlighted Thread:  1

      Application Specific Information:
      SBUnsuspendLimit Board[346] exceeded 15 wakes in 300 sec

      """.utf8, as: .summary, with: [])
    let lines = summary.split(separator: "\n")
    expectEqual(lines.first, "Board, pid 346")
    expectEqual(
      lines.dropFirst().first,
      "terminated: 0xbad22222 (resumed too often as a VoIP app: more than 15 times in 300 s)")
  }

  /// The thread of a process that was ended from outside did not crash.
  @Test func threadOfKilledProcess() {
    let summary = JsonFixture.output(
      """
      Exception Type:  00000020
      Exception Codes: 0x8badf00d
      Highlighted Thread:  0

      """.utf8, as: .summary, with: [])
    expectTrue(summary.contains(" — the frames of thread 0 are not in this text\n"))
  }

  private func cr4shed(_ type: String, _ reason: String) throws -> JsonReport {
    try read(
      """
      Date: 6/6/21, 4:12 PM
      Process: Board
      Bundle id: com.example.board
      Device: iPhone SE, iOS 12.4

      Exception type: \(type)
      Culprit: Unknown
      \(reason)
      Triggered by thread: 0
      Call stack:
      0   libsystem_kernel.dylib    0x0000000213315dd0 0x2132f4000 + 138704  // __abort_with_payload
      1   libobjc.A.dylib           0x0000000212953478 0x21294e000 + 21624   // _objc_fatalv
      2   libobjc.A.dylib           0x00000002129533d0 0x21294e000 + 21456   // __objc_error
      3   Foundation                0x00000002141e6084 0x2140cd000 + 1151108 // NSLog

      """)
  }

  /// Cr4shed has the words of a runtime where others have a namespace.
  @Test func wordsAsTermination() throws {
    let words =
      "-[Deck deal]: unrecognized selector sent to instance 0x10 (no message forward handler is installed)"
    let told = try cr4shed("EXC_SOFTWARE (SIGABRT)", "Termination Reason: \(words)")
    expectEqual(told.crash.reason, words)
    // `abort()` of a process that handles exceptions.
    let silent = try cr4shed("EXC_SOFTWARE (SIGABRT)", "")
    expectTrue(
      silent.crash.reason?.hasPrefix("fatal error of the Objective-C runtime about an object")
        == true)
    let fault = try cr4shed(
      "EXC_BAD_ACCESS (SIGSEGV)", "Termination Reason: Segmentation fault: 11")
    expectTrue(fault.crash.reason?.hasPrefix("Segmentation fault") == false)
  }

  /// A stack of `abort()` under the name of another exception, and a method of a category without
  /// an address.
  @Test func abortOfOtherName() throws {
    let report = try read(
      """
      Crash Type:  EXC_BAD_ACCESS
      Thread 0 Crashed:
      0   libsystem_kernel.dylib    __pthread_kill (in libsystem_kernel.dylib) + 8
      1   libsystem_c.dylib         abort (in libsystem_c.dylib) + 112
      2   libsystem_malloc.dylib    _nano_malloc_check_clear (in libsystem_malloc.dylib) + 364
      3   libsystem_malloc.dylib    calloc (in libsystem_malloc.dylib) + 64
      4   Board                     +[Deck(Cards) deal] (in TheBoard) (Deck+Cards.m:92)

      """)
    expectEqual(
      report.crash.reason,
      "malloc found a damaged heap: a free block was overwritten, often by other code than this")
    expectEqual(report.crash.frame?.function, "+[Deck(Cards) deal]")
  }

  /// The head of a sample without its call graph.
  @Test func headOfSample() throws {
    let report = try read(
      """
      Analysis of sampling Board (pid 812) every 1 millisecond
      Process:         Board [812]
      Path:            /Applications/Board.app/Contents/MacOS/Board
      OS Version:      Mac OS X 10.12.5 (16F73)
      Analysis Tool:   /usr/bin/sample
      ----

      """)
    expectEqual(report.format, "sample")
    expectEqual(report.process.name, "Board")
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(
        Array("Analysis of sampling Board (pid 812) every 1 millisecond\n".utf8))
    }
  }
}
