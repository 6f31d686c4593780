import CrashLogParser
import FunctionNames
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What articles, logs and people's own explanations say of a crash beside the report: examples,
/// exceptions in sentences, words of checkers, marked frames.
///
/// The shapes are those of public reports, as the rules name them; what the words mean is from
/// Apple's documentation and the sources of Swift's runtime and XNU.
struct QuotedReasonTests {
  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: Words of another crash

  private func badAccess(_ address: String, words: String, function: String) throws
    -> JsonReport.Crash
  {
    try read(
      """
      Process:             Board [412]
      Identifier:          com.example.board
      Version:             1 (1.0)
      Code Type:           ARM-64 (Native)
      OS Version:          iPhone OS 11.4 (15F79)

      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at \(address)
      Triggered by Thread:  0

      Application Specific Information:
      \(words)

      Thread 0 Crashed:
      0   libobjc.A.dylib    0x00000001805b17f4 \(function) + 16
      1   Board              0x0000000102692f7c Board.turn() + 416 (Board.swift:0)

      """
    ).crash
  }

  /// Swift's runtime, `assert` and C++ end with a trap or `abort()`.
  @Test(
    arguments: [
      "Fatal error: Unexpectedly found nil while unwrapping an Optional value",
      "Board/Board.swift:12: Fatal error: Index out of range",
      "libc++abi: terminating due to uncaught exception of type std::range_error",
      "Assertion failed: (count > 0), function turn, file Board.c, line 12.",
    ])
  func wordsOfAnEndAreNotThoseOfABadAccess(words: String) throws {
    let found = try badAccess(
      "0x00000005bee2bec8", words: words, function: "objc_object::release()")
    expectEqual(
      found.reason,
      "an object was used that was freed or overwritten before (objc_object::release())")
    expectEqual(found.frame?.function, "Board.turn()")
  }

  /// WebKit's `CRASH()` writes to this address, and others to a null pointer.
  @Test(arguments: ["0x00000000bbadbeef", "0x0000000000000000"])
  func wordsOfAnEndThatWritesToAnAddress(address: String) throws {
    let words = "Assertion failed: (count > 0), function turn, file Board.cpp, line 12."
    let found = try badAccess(address, words: words, function: "WTFCrash")
    expectEqual(found.reason, words)
  }

  @Test func wordsOfSwiftAreNotThoseOfANullPointer() throws {
    let found = try badAccess(
      "0x0000000000000010", words: "Board/Board.swift:12: Fatal error: no cards",
      function: "objc_msgSend")
    expectEqual(
      found.reason, "an object was used that was freed or overwritten before (objc_msgSend)")
  }

  // MARK: No exception

  @Test(
    arguments: [
      "_swift_release_dealloc", "_swift_release_", "swift_release_n", "swift_bridgeObjectRelease_n",
      "_CFRelease", "object_cxxDestructFromClass(objc_object*, objc_class*)", "lookUpImpOrForward",
      "bool swift::RefCounts<swift::RefCountBitsT<(swift::RefCountInlinedness)1>>::doDecrementSlow<(swift::PerformDeinit)1>(swift::HeapObject*)",
    ])
  func objectsWithoutAnException(function: String) throws {
    let image = function == "_CFRelease" ? "CoreFoundation" : "libobjc.A.dylib"
    let found = try read(
      """
      Crashed: com.apple.main-thread
      0  \(image)               0x3ab354 \(function) + 32
      1  Board                         0x821fc8 Board.turn(_:) + 12 (Board.swift:12)
      2  Board                         0x821e94 main + 52

      """
    ).crash
    expectEqual(found.kind, "freedObject")
    expectEqual(found.confidence, "possible")
    expectEqual(found.frame?.function, "Board.turn(_:)")
  }

  /// The return address is at the start of a function: the call to throw ended the one before it.
  @Test func throwerWithoutAName() throws {
    func reason(_ caller: String) throws -> String? {
      try read(
        """
        Application Specific Backtrace 0:
        0   CoreFoundation      0x00000001afe58a18 __exceptionPreprocess + 176
        1   libobjc.A.dylib     0x00000001af9a6ea8 objc_exception_throw + 60
        2   Foundation          0x00000001b121c578 -[NSMutableArray(Board) turn] + 0
        3   \(caller)
        4   AppKit              0x00000001b3051a1c -[NSView setFrameOrigin:] + 248

        """
      ).crash.reason
    }
    let words = "uncaught Objective-C exception, which the report does not name"
    expectEqual(
      try reason("AppKit              0x00000001b37d97cc _NSViewClamp + 492"),
      "\(words), thrown in or below _NSViewClamp")
    // It may have called what has no name here.
    expectEqual(try reason("Foundation          0x00000001b37d97cc _NSRaise + 492"), words)
    expectEqual(try reason("AppKit              0x00000001b37d97cc _NSViewClamp + 492000"), words)
  }

  // MARK: Exceptions in sentences

  private static let frames = """
    ```
    0  libswiftCore.dylib  Hasher.init(_seed:)
    1  Board               BoardView.body.getter
    2  SwiftUI             Button.body.getter
    ```

    """

  @Test(
    arguments: [
      ("All are `EXC_BAD_ACCESS` / `KERN_PROTECTION_FAILURE` in the stack guard page.", nil),
      ("主线程栈溢出（`EXC_BAD_ACCESS` + `KERN_PROTECTION_FAILURE`）。", nil),
      ("`EXC_BAD_ACCESS (SIGBUS)` with `KERN_PROTECTION_FAILURE`, a stack overflow.", "SIGBUS"),
      ("スタックオーバーフロー: EXC_BAD_ACCESS (SIGSEGV), KERN_PROTECTION_FAILURE", "SIGSEGV"),
    ] as [(String, String?)])
  func overflowsInSentences(sentence: String, signal: String?) throws {
    let report = try read("It stops.\n\n\(sentence)\n\n\(Self.frames)")
    expectEqual(report.crash.reason, "stack overflow")
    expectEqual(report.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.exception.signal, signal)
  }

  @Test(
    arguments: [
      "crashes with `EXC_BAD_ACCESS` (`KERN_INVALID_ADDRESS` at `0x18`)",
      "Typ: `EXC_BAD_ACCESS` – `KERN_INVALID_ADDRESS at 0x0000000000000018`",
      "EXC_BAD_ACCESS (KERN_INVALID_ADDRESS at 0x18)",
    ])
  func addressesInSentences(sentence: String) throws {
    let found = try read("\(sentence)\n\n\(Self.frames)").crash
    expectEqual(
      found.reason, "access through a null pointer, at offset 0x18, in Hasher.init(_seed:)")
  }

  @Test(
    arguments: [
      ("Absturz: `EXC_BREAKPOINT` / `SIGTRAP`", "EXC_BREAKPOINT", "SIGTRAP"),
      ("异常为 `EXC_CRASH`（`SIGABRT`）。", "EXC_CRASH", "SIGABRT"),
    ])
  func signalsInSentences(sentence: String, type: String, signal: String) throws {
    let report = try read("\(sentence)\n\n\(Self.frames)")
    expectEqual(report.exception.type, type)
    expectEqual(report.exception.signal, signal)
  }

  /// The sentence is about something else, or names no more than a kind.
  @Test(
    arguments: [
      "It is not `EXC_BAD_ACCESS` / `KERN_INVALID_ADDRESS` any more.",
      "这不是 `EXC_BAD_ACCESS`（`KERN_INVALID_ADDRESS`）。",
      "Others, such as EXC_BAD_ACCESS (SIGSEGV), have an address.",
      "It may be EXC_BREAKPOINT (SIGTRAP) there.", "See EXC_BAD_ACCESS for what it is.",
    ])
  func sentencesAboutOthers(sentence: String) throws {
    let report = try read("\(sentence)\n\n\(Self.frames)")
    expectEqual(report.exception.type, nil)
  }

  /// The heading of the stack is Apple's.
  @Test func sentencesAboveAThread() throws {
    let report = try read(
      """
      It dies with `EXC_BAD_ACCESS (SIGSEGV)`, `KERN_INVALID_ADDRESS at 0x10`.

      Thread 0 Crashed:
      0   Board         0x00000001a0000010 Board.turn() + 12
      1   Board         0x00000001a0000020 main + 12

      """)
    expectEqual(report.crash.reason, "access through a null pointer, at offset 0x10")
    expectEqual(report.exception.signal, "SIGSEGV")
  }

  /// Without frames below, a sentence is no report.
  @Test func sentencesAlone() {
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("All are `EXC_BAD_ACCESS` / `KERN_INVALID_ADDRESS`.\n".utf8))
    }
  }

  /// A reason behind the name, without a colon.
  @Test func reasonBehindTheName() throws {
    let report = try read(
      """
      Fatal Exception: NSInternalInconsistencyException Tiles must be turned on the main thread.
      0  CoreFoundation                 0x92d1c __exceptionPreprocess
      1  libobjc.A.dylib                0x14ee4 objc_exception_throw
      2  CoreAutoLayout                 0x5000 -[NSISEngine turn:]
      3  Board                          0xaddaa0 -[Board turn]

      """)
    expectEqual(report.exception.name, "NSInternalInconsistencyException")
    expectEqual(
      report.crash.reason,
      "NSInternalInconsistencyException: Tiles must be turned on the main thread.")
  }

  // MARK: Marked frames

  @Test(arguments: ["Frame %  ", "Frame %: ", "frame %: ", "Frame #%  ", "#% ", "[%] "])
  func markedFrames(mark: String) throws {
    func frame(_ number: Int, _ text: String) -> String {
      mark.replacing("%", with: "\(number)") + text + "\n"
    }
    let report = try read(
      "Exception Type:  EXC_CRASH (SIGABRT)\nProcess: Board [12]\n\n### Decoded\n\n"
        + frame(0, "libsystem_kernel.dylib  __pthread_kill   ← here")
        + frame(1, "libsystem_c.dylib  abort") + "...\n" + frame(3, "Board  Board.turn()"))
    let frames = try require(report.backtraces.first?.frames)
    expectEqual(frames.map(\.function), ["__pthread_kill", "abort", "Board.turn()"])
    expectEqual(frames.map(\.index), [0, 1, 3])
    expectEqual(report.process.name, "Board")
  }

  @Test(
    arguments: [
      "Frame 1 of the film is fine.\nFrame 2 of the film is not.\n",
      "[0] first  item\n[1] second  item\n", "#0 the first\n#1 the second\n",
    ])
  func listsThatAreNoFrames(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  // MARK: Who ended the process

  private static let late =
    "scene-update watchdog transgression: app<org.example.board(FEED)>:812 exhausted real (wall clock) time allowance of 10.00 seconds"

  /// What RunningBoard says stands in reports, logs, lists and sentences, and says the same
  /// everywhere. The words are those of `RBSTerminateContext`, as reports show them.
  @Test(
    arguments: [
      // Each line a text of JSON.
      "termination.reasons|\n[\n  \"<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:\(late)\",\n"
        + "  \"ProcessVisibility: Foreground\",\n"
        + "  \"\\\"Elapsed application CPU time (seconds): 1.235, 17% CPU\\\"\",\n"
        + "  \") reportType:CrashLog maxTerminationResistance:Interactive>\"\n]\n"
        + "frame[0]|image=libboard.dylib|symbol=Deck.deal()\n",
      // In one line, with a word or a sentence in front.
      "It says <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:\(late) | ProcessVisibility: Foreground | \"Elapsed application CPU time (seconds): 1.235, 17% CPU\", reportType:CrashLog>\n",
      "reason: \"<RBSTerminateContext| domain:10 code:2343432205 explanation:\(late) | ProcessVisibility: Foreground | \"Elapsed application CPU time (seconds): 1.235, 17% CPU\" reportType:CrashLog>\"\n",
    ])
  func terminateContexts(text: String) throws {
    let report = try read(text)
    expectEqual(
      report.crash.reason,
      "FRONTBOARD 0x8badf00d, watchdog: scene-update took more than 10.00 s of real time (in the foreground; the app used 17 % of the processor)"
    )
    expectEqual(report.termination.namespace, "FRONTBOARD")
    expectEqual(report.crash.kind, "watchdog")
  }

  /// The explanation alone, the description without the reason, and other codes and domains.
  @Test(
    arguments: [
      (late, "0x8badf00d, watchdog: scene-update took more than 10.00 s of real time"),
      (
        "  \"\(late)\",", "0x8badf00d, watchdog: scene-update took more than 10.00 s of real time"
      ),
      (
        "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Description: SPRINGBOARD, <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:\(late)>\nTriggered by Thread:  0",
        "FRONTBOARD 0x8badf00d, watchdog: scene-update took more than 10.00 s of real time"
      ),
      (
        "<RBSTerminateContext| domain:15 code:0xDEAD10CC explanation:was suspended reportType:CrashLog>",
        "RUNNINGBOARD 0xdead10cc (held a file or database lock while suspended), was suspended"
      ),
    ])
  func explanationsAlone(text: String, reason: String) throws {
    try expectEqual(read("\(text)\n").crash.reason, reason)
  }

  /// A sentence about what might happen tells nothing, and so does an end as it should be.
  @Test(
    arguments: [
      "An app ends such as with \(late)\n",
      "<RBSTerminateContext| domain:0 code:0x0 explanation:quit reportType:None>\n",
    ])
  func noTerminations(text: String) {
    expectNoReport(text)
  }

  /// A thread is only where it was when somebody else ended the process.
  @Test(
    arguments: [
      (
        "Exception Type:  EXC_CRASH (SIGKILL)\nTermination Reason: FRONTBOARD 2343432205 \nTermination Description: \(late)",
        "the frames of thread 3 are not in this text"
      ),
      (
        "Exception Note:  EXC_CORPSE_NOTIFY (SIMULATED)\nTermination Reason: Namespace SPRINGBOARD, Code 0x8badf00d",
        "the frames of thread 3 are not in this text"
      ),
      (
        "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nTermination Reason: Namespace SIGNAL, Code 0xb",
        "thread 3 crashed; its frames are not in this text"
      ),
    ])
  func sampledThreads(head: String, words: String) {
    let text = "Process: Board [812]\n\(head)\nTriggered by Thread:  3\n"
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectEqual(summary.contains(words), true)
    expectEqual(summary.contains("did it"), false)
  }

  /// Only the termination has the signal, in either number. If the exception is there, it says it.
  @Test(
    arguments: [
      (
        "Namespace SIGNAL, Code 0xa", nil,
        "SIGBUS: a bad access to memory (bus error), in _platform_memmove"
      ),
      (
        "SIGNAL 11 Segmentation fault: 11", nil,
        "SIGSEGV: a bad access to memory, in _platform_memmove"
      ),
      ("Namespace SIGNAL, Code 0xa", "EXC_BAD_ACCESS (SIGBUS)", "EXC_BAD_ACCESS (SIGBUS)"),
    ] as [(String, String?, String)])
  func signalsOfTerminations(termination: String, type: String?, reason: String) throws {
    let report = try read(
      (type.map { "Exception Type:  \($0)\n" } ?? "")
        + """
        Termination Reason: \(termination)
        Triggered by Thread:  0

        Thread 0 Crashed:
        0   libsystem_platform.dylib   0x00000001b9206688 _platform_memmove + 408
        1   Board   0x0000000104a1c2f0 Deck_Deal_m8056BDE8A4AD4816F9D7DBDBCB80D03BE8F3ED14 + 12

        """)
    expectEqual(report.crash.reason, reason)
    // Unity's hash is no part of the name for people.
    expectEqual(
      report.crash.frame?.function, "Deck_Deal_m8056BDE8A4AD4816F9D7DBDBCB80D03BE8F3ED14")
    expectEqual(
      ReadableName.readable("Deck_Deal_m8056BDE8A4AD4816F9D7DBDBCB80D03BE8F3ED14_gshared"),
      "Deck_Deal")
    expectEqual(ReadableName.readable("Deck_Deal_m8056"), "Deck_Deal_m8056")
  }
}
