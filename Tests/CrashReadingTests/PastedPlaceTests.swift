import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons and places in pasted reports that lost parts, and in stacks where runtimes and libraries
/// stand above the code that failed.
struct PastedPlaceTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  /// - Parameter frames: images and what their frames show, innermost first.
  private func thread(_ frames: [(String, String)]) -> String {
    let lines = frames.enumerated().map { index, frame in
      ReportFixture.line(
        index, (frame.0.hasPrefix("Game") ? 0x1_0000_0000 : 0x1_8000_0000) + UInt64(index) * 4096,
        image: frame.0, frame.1)
    }
    return "Thread 0 Crashed:\n\(lines.joined(separator: "\n"))\n"
  }

  // MARK: Exceptions

  /// React Native's exception is named after its reason, which ends with the stack of the script.
  @Test func errorsOfJavaScript() throws {
    let name = "RCTFatalException: Unhandled JS Exception: TypeError: it's no card"
    let found = try crash(
      """
      2026-01-02 10:00:00.0 Game[12:34] *** Terminating app due to uncaught exception '\(name)', \
      reason: 'Unhandled JS Exception: TypeError: it's no card, stack:
      \((1...40).map { "turn@397:\($0)" }.joined(separator: "\n"))
      '
      *** First throw call stack:
      (
      0   CoreFoundation  0x00007fff23c7127e __exceptionPreprocess + 350
      1   libobjc.A.dylib 0x00007fff513fbb20 objc_exception_throw + 48
      2   Game            0x0000000105babd8b RCTFormatError + 0
      3   Game            0x0000000105c217b1 -[RCTExceptionsManager reportFatalException:stack:exceptionId:] + 508
      )

      """)
    expectEqual(found.kind, "javaScriptError")
    expectEqual(
      found.reason,
      "RCTFatalException: Unhandled JS Exception: TypeError: it's no card, in turn@397:1")
    expectEqual(found.frame?.index, nil)
  }

  /// The quotation mark above the frames may close anything.
  @Test func quotationMarksAboveFrames() throws {
    let found = try crash(
      """
      *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'
      \(String(repeating: "It says 'no cards'\n", count: 40))
      *** First throw call stack:
      (
      0   CoreFoundation  0x00007fff23c7127e __exceptionPreprocess + 350
      1   libobjc.A.dylib 0x00007fff513fbb20 objc_exception_throw + 48
      2   Game            0x0000000105babd8b -[Board draw] + 12
      )

      """)
    expectEqual(found.frame?.function, "-[Board draw]")
  }

  /// Xcode writes what failed in a test on one line with the exception.
  @Test func exceptionsBehindOtherWords() throws {
    let found = try crash(
      """
      Test 'turns' started.10:00:00 App[1:2] *** Assertion failure in -[Board draw], Board.m:7/src/\
      T.m:3: error: no cards*** Terminating app due to uncaught exception 'NSRangeException', \
      reason: 'no cards'
      *** First throw call stack:
      (
      0   CoreFoundation  0x00007fff23c7127e __exceptionPreprocess + 350
      1   libobjc.A.dylib 0x00007fff513fbb20 objc_exception_throw + 48
      2   Game            0x0000000105babd8b -[Board draw] + 12
      )

      """)
    expectEqual(found.reason, "NSRangeException: no cards")
  }

  /// The frame that gives up has the name of the function behind it.
  @Test func forwardingBelowANeighbour() throws {
    let found = try crash(
      "Exception Type:  EXC_CRASH (SIGABRT)\n\n"
        + thread([
          ("CoreFoundation", "__exceptionPreprocess + 164"),
          ("libobjc.A.dylib", "objc_exception_throw + 88"),
          ("CoreFoundation", "-[NSObject(NSObject) __retain_OA] + 0"),
          ("CoreFoundation", "___forwarding___ + 1480"),
          ("CoreFoundation", "_CF_forwarding_prep_0 + 96"), ("Game", "draw(id<Card>) + 12"),
        ]))
    expectEqual(found.kind, "unrecognizedSelector")
    expectEqual(found.reason, "unrecognized selector sent to an object by draw(id<Card>)")
  }

  // MARK: Runtimes

  /// The words of malloc stand above the stack of a debugger.
  @Test func wordsOfMalloc() throws {
    let found = try crash(
      """
      game(12,0x10b41ddc0) malloc: *** error for object 0x7ffc7050: pointer being freed was not allocated
      game(12,0x10b41ddc0) malloc: *** set a breakpoint in malloc_error_break to debug

      * thread #1, stop reason = signal SIGABRT
        * frame #0: 0x00007fff70cc1808 libsystem_c.dylib`abort + 120
          frame #1: 0x00007fff70dba40f libsystem_malloc.dylib`malloc_report + 151
          frame #2: 0x000000010000f08a Game`draw(cards=0x0000000100404) at board.c:7:3

      """)
    expectEqual(
      found.reason, "*** error for object 0x7ffc7050: pointer being freed was not allocated")
    expectEqual(found.frame?.function, "draw")
  }

  /// LLVM prints the stack in a signal handler.
  @Test(arguments: ["(/lib/libc.so.6+0x45330)", "__restore_rt sigaction.c:0:0"])
  func stacksOfLlvm(trampoline: String) throws {
    let found = try crash(
      """
       #0 0x00005cd39d49d598 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/src/game+0x7316598)
       #1 0x00005cd39d49b36e llvm::sys::RunSignalHandlers() (/src/game+0x731436e)
       #2 0x00005cd39d49dc31 SignalHandler(int, siginfo_t*, void*) Signals.cpp:0:0
       #3 0x000070e784c51330 \(trampoline)
       #4 0x00005cd39862a717 Board::turn() (/src/game+0x24a3717)

      """)
    expectEqual(found.reason, "a signal arrived here, which LLVM handled")
    expectEqual(found.frame?.function, "Board::turn()")
  }

  /// cgo makes a function for each one of C.
  @Test(arguments: ["net._C2func_getaddrinfo", "net._Cfunc_getaddrinfo"])
  func functionsThatGoCalled(name: String) throws {
    let found = try crash(
      """
      fatal error: unexpected signal during runtime execution
      [signal SIGSEGV: segmentation violation code=0x1 addr=0x63 pc=0x7f77885ea259]

      goroutine 22 [syscall]:
      runtime.cgocall(0xb04b30, 0xc4205465f8)
      \t/go/src/runtime/cgocall.go:128 +0x64
      \(name)(0xc42003c834)
      \t_cgo_gotypes.go:92 +0x55

      """)
    expectEqual(found.reason, "a fault in C code that Go called (cgo): getaddrinfo")
  }

  /// The class of an object that was freed is null, and what destroys it is 16 bytes before that.
  @Test func objectsWithoutAClass() throws {
    let text = """
      *** Program crashed: Bad pointer dereference at 0xfffffffffffffff0 ***

      Thread 0 crashed:

      0 0x0000ffff9d2551b4 _swift_release_dealloc + 36 in libswiftCore.so

      """
    try expectEqual(
      crash(text).reason,
      "an object was used that was freed or overwritten before (_swift_release_dealloc)")
  }

  /// Only the first of these functions fails itself.
  @Test func equalKeysOfADictionary() throws {
    let failure = ("libswiftCore.dylib", "_assertionFailure(_:_:file:line:flags:) + 156")
    let dictionary = ("libswiftCore.dylib", "Dictionary.init<A>(uniqueKeysWithValues:) + 344")
    let own = ("Game", "Board.load() + 12 (Board.swift:7)")
    let merge = (
      "libswiftCore.dylib",
      "specialized _NativeDictionary.merge<A>(_:isUnique:uniquingKeysWith:) + 1756"
    )
    let trap = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)\n\n"
    let found = try crash(trap + thread([failure, merge, dictionary, own]))
    expectEqual(found.reason, "two equal keys for Dictionary(uniqueKeysWithValues:)")
    expectEqual(found.frame?.function, "Board.load()")
    let other = try crash(trap + thread([failure, own, merge, dictionary]))
    expectEqual(other.reason, "Swift fatal error or failed precondition, without its message")
  }

  // MARK: Whose code

  /// Xcode puts the code of a program that is debugged into a library, which a shortened list of
  /// images may not have.
  @Test func librariesOfDebuggedPrograms() throws {
    let frame = ReportFixture.line(
      0, 0x1_0900_1000, image: "Process.debug.dylib", "Board.load() + 12 (Board.swift:7)")
    let found = try crash(TrapReportFixture.report([frame]))
    expectEqual(found.frame?.function, "Board.load()")
  }

  /// Who called what ended the process, if no code of the user's is on the stack; code without a
  /// name would be somebody else's.
  @Test(
    arguments: [
      (
        ["Binding.subscript.getter + 12", "Other.get() + 8"], "Binding.subscript.getter in SwiftUI"
      ),
      (["0x180000000 + 4096", "Other.get() + 8"], nil),
    ] as [([String], String?)])
  func callersInFrameworks(functions: [String], place: String?) {
    let frames =
      [("libswiftCore.dylib", "_assertionFailure(_:_:file:line:flags:) + 156")]
      + functions.map { ("SwiftUI", $0) }
    let text = "Exception Type:  EXC_BREAKPOINT (SIGTRAP)\n\n" + thread(frames)
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    let reason = "Swift fatal error or failed precondition, without its message"
    expectContains(summary, "\n\(place.map { "\($0) — " } ?? "")\(reason)\n")
  }

  // MARK: Facts

  /// A link, and frames without numbers, are none.
  @Test func linesThatAreNoFacts() {
    let text = """
      Exception Type: EXC_CRASH (SIGABRT)
      Termination Reason: SIGNAL 6 Abort trap: 6
      -[Board draw] + 120 (Board.m:115)
      Terminating Process: exc handler [0]

      Application Specific Information:
      [All of it](https://example.com/crash)

      """
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    for word in ["pid 0", "Board.m", "example.com"] { expectFalse(summary.contains(word), word) }
  }

  @Test(
    arguments: [
      (
        "Exception Type: EXC_CRASH (SIGABRT)\n\nApplication Specific Information:\nCoreSimulator 7.5 - Device: iPhone 8 (0A) - Runtime: iOS 14.0 (18A394) - DeviceType: iPhone 8\n",
        "iOS", "14.0", "18A394"
      ),
      (
        "Build fingerprint: 'google/bull/bull:6.0.1/MTC19T/2741:user/release-keys'\npid: 12, tid: 13, name: draw  >>> game <<<\nsignal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x8\n    #00 pc 0001d2f4  /data/app/libgame.so\n",
        "Android", "6.0.1", "MTC19T"
      ),
    ])
  func systems(text: String, name: String, version: String, build: String) throws {
    let system = try JsonFixture.report(text, with: []).os
    expectEqual(system.name, name)
    expectEqual(system.version, version)
    expectEqual(system.build, build)
  }

  /// The log in which the exception is names the process.
  @Test func writerOfAnException() {
    let text = """
      2026-01-02 10:00:00.0 Letter Game[12:34] *** Terminating app due to uncaught exception 'A', \
      reason: 'b'
      *** First throw call stack:
      (
      0   CoreFoundation  0x00007fff23c7127e __exceptionPreprocess + 350
      1   Kit             0x0000000105babd8b -[Board draw] + 12
      )

      """
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectPrefix(summary, "Letter Game, pid 12\n")
  }

  /// A crash SDK in the stack is no name for the process.
  @Test func crashSdkInTheStack() throws {
    let text = thread([
      ("libsystem_kernel.dylib", "__pthread_kill + 10"),
      ("net.hockeyapp.sdk.mac", "uncaught_exception_handler + 27"),
      ("libobjc.A.dylib", "_objc_terminate() + 94"),
    ])
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectPrefix(summary, "unknown process\n")
  }

  /// Who leaves the addresses out may keep the distances from the start of the image.
  @Test func placesInImagesWithoutAddresses() throws {
    let report = try JsonFixture.report(
      """
      Exception Type: EXC_BREAKPOINT (SIGTRAP)

      Thread 20 Crashed:: Dispatch queue: game.keys
      0  libdispatch.dylib       __DISPATCH_WAIT_FOR_QUEUE__
      1  libdispatch.dylib       _dispatch_sync_f_slow
      2  Game                    + 58940
      3  Game                    main + 144

      """, with: [])
    expectEqual(report.crash.reason, "dispatch_sync called on the queue it waits for")
    expectEqual(report.crash.frame?.imageName, "Game")
    expectEqual(report.crash.frame?.imageOffset, 58940)
    expectNil(report.crash.frame?.function)
    expectEqual(report.backtraces.first?.frames.last?.function, "main")
  }

  /// Nothing but the stack: it shows what the process hung in.
  @Test(
    arguments: [
      (
        ["__ulock_wait + 8", "_dispatch_gate_wait_slow + 56", "dispatch_once_f + 124"],
        "the main thread was waiting for the block of dispatch_once, in draw"
      ),
      (
        ["__psynch_mutexwait + 8", "_pthread_mutex_lock_slow + 60"],
        "the main thread was waiting for a lock, in draw"
      ),
      (
        ["semaphore_wait_trap + 8", "_dispatch_semaphore_wait_slow + 60"],
        "the main thread was waiting for a semaphore or a condition, in draw"
      ),
      // These do not wait for another thread.
      (["mach_msg_trap + 8", "mach_msg + 60"], "draw"), (["pread + 8"], "draw"),
    ])
  func threadThatWaits(functions: [String], line: String) throws {
    let text = thread(functions.map { ("libsystem_kernel.dylib", $0) } + [("Game", "draw + 7")])
    let lines = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    expectEqual(String(lines[1]), line)
  }

  /// Markdown puts a backslash in front of its own signs.
  @Test func escapedNames() throws {
    let text = thread([("CoreFoundation", "\\_CFAutoreleasePoolPop + 12"), ("Game", "draw + 7")])
    let summary = JsonFixture.output(text.utf8, as: .summary, with: [])
    expectContains(summary, "  _CFAutoreleasePoolPop\n")
  }
}
