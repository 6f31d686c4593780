import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Words that stand near frames, or near the head of a report that ends before them: in the block
/// of code above, in a sentence, in a title, and in sections that few reports have.
struct WordsNearFramesTests {
  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  private func crash(_ text: String) throws -> JsonReport.Crash { try read(text).crash }

  // MARK: Frames

  /// libsystem_kernel has a wrapper around the system call, which nobody calls by its name; of the
  /// libraries of threads, only the check of a thread's signature ends a process in this way.
  ///
  /// Source: github.com/apple-oss-distributions/libpthread, src/inline_internal.h
  /// (`_pthread_validate_signature`); XNU, libsyscall/wrappers/terminate_with_reason.c.
  @Test(
    arguments: [
      (
        "libsystem_pthread.dylib          0x00000001b4e750a8 pthread_join + 0",
        "pthread_t was corrupted (the data of the threads library are damaged)"
      ),
      (
        "libdispatch.dylib                0x00000001b4e750a8 _dispatch_deal + 0",
        "the process ended itself with abort_with_payload()"
      ),
    ])
  func wrappersOfAborts(caller: String, reason: String) throws {
    let found = try crash(
      """
      Thread 0 Crashed:
      0   libsystem_kernel.dylib           0x00000001b4f4c930 __abort_with_payload + 8
      1   libsystem_kernel.dylib           0x00000001b4f50f24 abort_with_payload_wrapper_internal + 100
      2   libsystem_kernel.dylib           0x00000001b4f50ec0 abort_with_payload_wrapper_internal + 0
      3   \(caller)
      4   Board                            0x00000001049b0858 board_open_window + 392

      """)
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.function, "board_open_window")
  }

  /// Threads of Kotlin's workers begin in three functions of its runtime, and kotlinx.coroutines
  /// throws an error of its own for one of another kind.
  ///
  /// Source: github.com/JetBrains/kotlin, kotlin-native/runtime/src/main/cpp/Worker.cpp;
  /// github.com/Kotlin/kotlinx.coroutines, DispatchedTask.kt (`handleFatalException`).
  @Test func rootsOfKotlinWorkers() throws {
    let report = try read(
      """
      Uncaught Kotlin exception: kotlinx.coroutines.CoroutinesInternalError: Fatal exception in coroutines machinery for Task@1. Please read KDoc to 'handleFatalException' method and report this incident to maintainers
          at 0   Deck    0x000000010b0c8dec kfun:kotlin.Error#<init>(kotlin.String?;kotlin.Throwable?){} + 124
          at 1   Deck    0x000000010b287089 kfun:kotlinx.coroutines.DispatchedTask#run(){} + 953
          at 2   Deck    0x000000010b0ff3b7 WorkerLaunchpad + 183 (/runtime/Internal.kt:69:54)
          at 3   Deck    0x000000010b1fad7f _ZN6Worker19processQueueElementEb + 3135
          at 4   Deck    0x000000010b1fa126 _ZN12_GLOBAL__N_113workerRoutineEPv + 54
          at 5   libsystem_pthread.dylib    0x00007fff522b7109 _pthread_start + 148
      Caused by: kotlin.IllegalStateException: no cards
          at 0   Deck    0x000000010b0cfedd kfun:kotlin.Throwable#<init>(kotlin.String?){} + 93
      Caused by: kotlin.native.concurrent.InvalidMutabilityException: mutation attempt of frozen app.Deck@54
          at 0   Deck    0x000000010b0cfedd kfun:kotlin.Throwable#<init>(kotlin.String?){} + 93

      """)
    expectEqual(
      report.crash.reason,
      "kotlinx.coroutines.CoroutinesInternalError: Fatal exception in coroutines machinery for"
        + " Task@1, caused by kotlin.native.concurrent.InvalidMutabilityException: mutation attempt"
        + " of frozen app.Deck@54")
    expectEqual(report.crash.library, "the Kotlin runtime")
    expectNil(report.crash.frame)
  }

  /// Of a function that is in no class, Flutter's plug-in for Crashlytics writes the class as null.
  ///
  /// Source: github.com/firebase/flutterfire, packages/firebase_crashlytics.
  @Test func functionsOfDartWithoutClass() throws {
    let text = """
      Fatal Exception: FlutterError
      0  ???                            0x0 (null)._dealCards (dart:async)

      """
    let reports = try CrashLogParser.parse(Array(text.utf8))
    expectEqual(
      reports.first?.backtraces.first?.frames.first?.symbol?.name.hasPrefix("_dealCards"), true)
  }

  // MARK: Words in blocks and sections

  /// Swift's interpreter prints why the program stopped right above the dump of the compiler. If
  /// nothing is known of a place, LLVM's symbolizer shows the last file of the symbol table.
  ///
  /// Source: swiftlang/swift, stdlib/public/stubs/Assert.cpp; llvm-project, llvm/lib/DebugInfo/
  /// Symbolize; gcc, libgcc/crtstuff.c.
  @Test func messagesAboveDumps() throws {
    let report = try read(
      """
      Deck/Board.swift:7: Fatal error: no cards
      Stack dump:
      0.\tProgram arguments: /usr/bin/swift-frontend -frontend -interpret board.swift
      1.\tWhile running user code "board.swift"
       #0 0x0000556691086438 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/bin/swift-frontend+0x72f5438)
       #1 0x00007fea74932dfc deal_cards crtstuff.c:0:0
       #2 0x00007fea7493938e turn_board (/usr/lib/libDeck.so+0x2c738e)

      """)
    expectEqual(report.crash.reason, "Deck/Board.swift:7: Fatal error: no cards")
    expectNil(report.crash.frame?.file)
  }

  /// The journal has the stack, and the terminal what the process said.
  ///
  /// Source: systemd, src/coredump; swiftlang/swift, stdlib/public/core/AssertCommon.swift.
  @Test func messagesInAnEarlierBlock() throws {
    let found = try crash(
      """
      ```
      $ board
      Fatal error: Loading libdeck.so failed: file /src/Deck/loader.swift, line 39
      Illegal instruction (core dumped)
      ```

      The journal has:

      ```
      Process 812 (board) of user 1000 dumped core.

      Stack trace of thread 812:
      #0  0x00007f4e10665312 $ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAHSus6UInt32VtF (libswiftCore.so + 0x150312)
      #1  0x0000561eeac68637 n/a (board + 0x12c637)
      ```

      """)
    expectEqual(
      found.reason, "Fatal error: Loading libdeck.so failed: file /src/Deck/loader.swift, line 39")
  }

  /// What tells errors of the GPU from others says more than that `abort()` was called.
  ///
  /// Source: libGPUSupport's words, as people show them (github.com/monero-project/monero-gui,
  /// issue 3250).
  @Test func signaturesWithoutFrames() throws {
    let found = try crash(
      """
      Process:               board [812]
      Identifier:            com.example.board
      OS Version:            Mac OS X 10.15.5 (19F96)
      Crashed Thread:        12  RenderThread

      Exception Type:        EXC_CRASH (SIGABRT)
      Exception Codes:       0x0000000000000000, 0x0000000000000000

      Application Specific Information:
      abort() called

      Application Specific Signatures:
      Graphics kernel error: 0x00000003

      """)
    expectEqual(found.reason, "Graphics kernel error: 0x00000003")
  }

  /// Xcode's condition above a stack whose other head is missing.
  ///
  /// Source: IDEKit's and DVTFoundation's handlers, as people show them.
  @Test func signaturesAboveAStack() throws {
    let found = try crash(
      """
      Application Specific Signatures:
      !deck || ![deck isClosing]

      Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
      0   libsystem_kernel.dylib                   0x19d1a35b0 __pthread_kill + 8
      1   libsystem_c.dylib                        0x19d0e2850 abort + 124
      2   IDEKit                                   0x10af734c8 +[IDEAssertionHandler _handleAssertionWithLogString:assertionSignature:assertionReason:extraBacktrace:] + 964
      3   DVTFoundation                            0x106bd440c _DVTAssertionHandler + 412
      4   IDEKit                                   0x10af65cf4 -[IDEDeckController addDeck:] + 876

      """)
    expectEqual(
      found.reason, "failed assertion in -[IDEDeckController addDeck:]: !deck || ![deck isClosing]")
  }

  /// The section is read, too, if the text ends in it and another one is above it.
  ///
  /// Source: reports of iOS 9, such as github.com/Provenance-Emu/Provenance, issue 762.
  @Test func messagesOfTheLinkerAtTheEnd() throws {
    let found = try crash(
      """
      Incident Identifier: 2C05B887-C480-48BA-BE9C-D68A58828E1F
      Process:             Board [670]
      OS Version:          iOS 9.3.5 (13G36)

      Exception Type:  EXC_BREAKPOINT (SIGTRAP)
      Exception Codes: 0x0000000000000001, 0x00000000e7ffdefe
      Triggered by Thread:  0

      Filtered syslog:
      None found

      Dyld Error Message:
      Dyld Message: DECK_OPCODE has segment 0 which is not a writable segment in /Board.app/Deck
      """)
    expectEqual(
      found.reason?.hasSuffix(
        "DECK_OPCODE has segment 0 which is not a writable segment in /Board.app/Deck"),
      true)
  }

  /// HIToolbox logs exceptions that reach it. Who handles the event may go on, so they count above
  /// a stack only.
  ///
  /// Source: the words, as people show them (github.com/sgehrman/SwiftUIAppBugs).
  @Test(arguments: ["; {\n    NSAssertFile = \"NSDeck.m\";\n}", "; (user info absent)", ""])
  func loggedExceptions(ending: String) throws {
    let found = try crash(
      """
      *** Assertion failure in -[NSDeck dealCards:], NSDeck.m:16
      [HIExceptions] FAULT: NSInternalInconsistencyException: the deck has no cards\(ending)
      the deck has no cards
      (
      \t0   CoreFoundation                      0x000000019d2c98dc __exceptionPreprocess + 176
      \t1   libobjc.A.dylib                     0x000000019cda2418 objc_exception_throw + 88
      \t2   Board                               0x0000000102c98dc0 -[Deck deal] + 12
      )

      """)
    expectEqual(found.reason, "NSInternalInconsistencyException: the deck has no cards")
    expectEqual(found.frame?.function, "-[Deck deal]")
  }

  @Test func loggedExceptionsAloneAreNoCrash() {
    expectNoReport(
      "[HIExceptions] FAULT: NSRangeException: no such card; (user info absent)\nThe game goes on.\n"
    )
  }

  // MARK: Words in sentences

  private static let cutHead = """

    Process:             board [14470]
    Identifier:          board
    OS Version:          macOS 26.2 (25C56)

    Triggered by Thread: 0  main, Dispatch Queue: com.apple.main-thread

    Exception Type:    EXC_CRASH (SIGABRT)
    Exception Codes:   0x0000000000000000, 0x0000000000000000

    Termination Reason:  Namespace SIGNAL, Code 6, Abort trap: 6
    Terminating Proc
    """

  /// A report that ends before its frames, below a sentence about the panic.
  ///
  /// Source: the places of std::panic (rust-lang/rust, library/std/src/panicking.rs).
  @Test(
    arguments: [
      (
        "The panic location: kit-0.3.5/src/board.rs:12 - in setup.",
        "Rust panic at kit-0.3.5/src/board.rs:12"
      ),
      ("It panicked at `src/board.rs:7`.", "Rust panic at src/board.rs:7"),
      ("This cannot panic. See src/board.rs:12.", nil),
      ("If it panics at src/board.rs:12, tell us.", nil),
    ] as [(String, String?)])
  func panicsInSentences(sentence: String, reason: String?) throws {
    let found = try crash("\(sentence)\n\(Self.cutHead)")
    expectEqual(found.reason, reason ?? "EXC_CRASH (SIGABRT)")
  }

  /// A title names the method as its class and its selector.
  @Test(
    arguments: [
      (
        "# [deck][iOS] EXC_BAD_ACCESS (code=2) in KITDeckPlugin didTurnCard: on iPad",
        "KITDeckPlugin didTurnCard:"
      ),
      ("# EXC_BAD_ACCESS (code=2) in -[Deck turnCard:] on iPad", "-[Deck turnCard:]"),
      ("# EXC_BAD_ACCESS (code=2) in SwiftUI macOS: it stops", nil),
      ("# EXC_BAD_ACCESS (code=2) in KITDeckPlugin since Monday", nil),
    ] as [(String, String?)])
  func placesInTitles(title: String, function: String?) throws {
    let report = try read("\(title)\n\nTap a card.\n")
    expectEqual(report.exception.type, "EXC_BAD_ACCESS")
    expectEqual(
      report.crash.frame?.function ?? report.backtraces.first?.frames.first?.function, function)
  }

  /// A span of code that runs over the end of a line.
  ///
  /// Source: CommonMark 0.31.2, section 6.1 (code spans).
  @Test(arguments: ["The body traps with\n", "The body traps with "])
  func spansOverLines(head: String) throws {
    let found = try crash(
      """
      # The crash

      \(head)`Fatal error: Unexpectedly found nil while implicitly unwrapping an Optional
      value` at the `deck.deal(card)` line. It happens on the way back.

      """)
    expectEqual(
      found.reason,
      "Fatal error: Unexpectedly found nil while implicitly unwrapping an Optional value")
  }

  // MARK: Runtimes

  /// Where the system hides names, only the functions of weak references are left. `<unknown>` is
  /// no name.
  ///
  /// Source: Sentry's text of a report; github.com/apple-oss-distributions/objc4,
  /// runtime/objc-weak.mm (`weak_register_no_lock`).
  @Test(
    arguments: [
      (
        "objc_initWeak",
        "fatal error of the Objective-C runtime: a weak reference to an object that is being deallocated"
      ),
      ("objc_allocBoard", "the process ended itself with abort_with_reason()"),
    ])
  func weakReferencesBelowHiddenNames(function: String, reason: String) throws {
    let found = try crash(
      """
      Thread 0 Crashed:
      0   libsystem_kernel.dylib          0x26807ed24         __abort_with_payload
      1   libsystem_kernel.dylib          0x26809f934         abort_with_reason
      2   libobjc.A.dylib                 0x206feac14         <redacted>
      3   libobjc.A.dylib                 0x206fd5abc         \(function)
      4   board_sound                     0x106cd2c48         <unknown> + 404
      5   CoreFoundation                  0x20d13e860         <redacted>

      """)
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.imageName, "board_sound")
    expectNil(found.frame?.function)
  }

  /// A log of Apple's system with what Mono prints. No image is at 0, so the last address was cut.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-exceptions.c (`Native stacktrace:`).
  @Test(
    arguments: [
      (
        "Then I get a SIGSEGV:",
        "SIGSEGV in native code, which Mono's crash handler reported"
      ),
      ("It ends with SIGSEGV or SIGBUS:", "a signal arrived, which Mono handled"),
      ("Here is the stack:", "a signal arrived, which Mono handled"),
    ])
  func signalsAboveStacksOfMono(sentence: String, reason: String) throws {
    let found = try crash(
      """
      \(sentence)

      2018-01-28 14:05:35.879 Board.iOS[309:1167] critical:
      Native stacktrace:

      2018-01-28 14:05:35.935 Board.iOS[309:1167] critical: \t0   Board.iOS                    0x00000001037d07d0 BoardSize + 950492
      2018-01-28 14:05:35.935 Board.iOS[309:1167] critical: \t1   Board.iOS                    0x00000001037db7f0 mono_pmip + 9588
      2018-01-28 14:05:35.935 Board.iOS[309:1167] critical: \t2   libsystem_platform.dylib            0x0000
      """)
    expectEqual(found.reason, reason)
  }

  /// Swift's runtime is linked into programs on Linux. It accepts null, so what it was given is an
  /// object that is none any more, and who destroys objects in it is the place.
  ///
  /// Source: docs.swift.org, "Backtracing"; github.com/swiftlang/swift,
  /// stdlib/public/runtime/HeapObject.cpp. `swift_board_turn` is anybody's.
  @Test(
    arguments: [
      (
        "swift_release",
        "an object was used that was freed or overwritten before (swift_release)",
        "destroy for Board.Card"
      ),
      ("swift_board_turn", "access through a null pointer", "swift_board_turn"),
    ])
  func swiftRuntimeInTheProgram(function: String, reason: String, place: String) throws {
    let found = try crash(
      """
      *** Program crashed: Bad pointer dereference at 0x0000000000000000 ***

      Thread 7 "NIO-ELT-0-#7" crashed:

       0                  0x000065506c44960e \(function) + 30 in board
       1 [ra] [system]    0x000065506b6e26b2 destroy for Board.Card + 17 in board at //<compiler-generated>
       2 [ra]             0x000065506c43ceea swift_arrayDestroy + 137 in board

      """)
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.function, place)
  }

  /// Crashlytics has no reason of the exception, but who writes about it has.
  ///
  /// Source: `NSParameterAssert` in Foundation's NSException.h.
  @Test(
    arguments: [
      (
        "# Fix Invalid parameter not satisfying: cards.count > 0\n\nSee `Invalid parameter not satisfying: cards.count > 0` here.",
        "NSInternalInconsistencyException: Invalid parameter not satisfying: cards.count > 0"
      ),
      // Which of them?
      (
        "`Invalid parameter not satisfying: cards.count > 0`\n`Invalid parameter not satisfying: deck != nil`",
        "NSInternalInconsistencyException: failed assertion (NSAssert) in -[UIDeck deal:]"
      ),
      (
        "An app may say, for example, `Invalid parameter not satisfying: deck != nil`",
        "NSInternalInconsistencyException: failed assertion (NSAssert) in -[UIDeck deal:]"
      ),
    ])
  func conditionsAboveAssertions(text: String, reason: String) throws {
    let found = try crash(
      """
      \(text)

      Fatal Exception: NSInternalInconsistencyException
      0  CoreFoundation                 0x1af88d80c __exceptionPreprocess
      1  libobjc.A.dylib                0x1af5b5fa4 objc_exception_throw
      2  Foundation                     0x1afc140d4 -[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:]
      3  UIKitCore                      0x1b3129448 -[UIDeck deal:]
      4  Board                          0x102286ab8 Board.turn() + 18 (Board.swift:18)
      """)
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.function, "Board.turn()")
  }

  /// A stack of Kotlin/Native that a tool looked up: names and places only. It begins with the
  /// constructors of the exception; what another class makes is none.
  ///
  /// Source: github.com/JetBrains/kotlin, kotlin-native/runtime, kotlin/Throwable.kt.
  @Test(
    arguments: [
      (
        "app.DeckException",
        "Kotlin exception app.DeckException, whose message is not on the stack"
      ),
      ("app.Deck", "uncaught exception, which the report does not name"),
    ])
  func kotlinFramesWithoutAddresses(type: String, reason: String) throws {
    let report = try read(
      """
      Last Exception Backtrace:
      0  kfun:\(type)#<init>                       (DeckException.kt:3)
      1  kfun:app.Board#turn                        (Board.kt:21)
      """)
    expectEqual(report.crash.reason, reason)
    let frames = report.backtraces.first?.frames
    expectEqual(frames?.last?.file, "Board.kt")
    expectEqual(frames?.last?.line, 21)
    expectEqual(frames?.count, 2)
  }

  /// lldb's instructions around a call that only ends the process. After other calls it stops
  /// because somebody wanted it to.
  ///
  /// Source: lldb, source/Core/Disassembler.cpp; github.com/JetBrains/kotlin,
  /// kotlin-native/runtime/src/main/cpp/Exceptions.cpp.
  @Test(arguments: [("Kotlin_processUnhandledException", true), ("Kotlin_initRuntime", false)])
  func callsAboveTheArrow(function: String, isEnd: Bool) throws {
    let text = """
      It crashes on my phone.
      ```
          0x109555848 <+108>: ldr    x8, [sp]
          0x109555850 <+116>: bl     0x1094a3ad4               ; \(function)
      ->  0x109555854 <+120>: b      0x109555858               ; <+124> at Deck.kt:24:2
          0x109555858 <+124>: b      0x10955585c               ; <+128> at Deck.kt:24:2
      ```
      """
    if isEnd {
      expectEqual(try crash(text).reason, "unhandled Kotlin exception")
    } else {
      expectNoReport(text)
    }
  }

  /// What somebody quotes from lldb in a sentence, with the mark that Markdown needs.
  ///
  /// Source: CommonMark 0.31.2, section 2.4 (backslash escapes); lldb's `frame-format`.
  @Test func framesInSentences() throws {
    let found = try crash(
      """
      - lldb: `stop reason = EXC_BAD_ACCESS (code=2, address=0x209ac0da0)`,
        `frame #0: libboard.dylib\\`board_port_`, and then `udf #0x203`.

      """)
    expectEqual(found.frame?.function, "board_port_")
    expectEqual(found.frame?.imageName, "libboard.dylib")
  }
}
