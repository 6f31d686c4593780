import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Texts that debuggers, compilers, test runners and runtimes print about a crash, as people show
/// them.
struct ToolTraceTests {
  private func report(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  private func summary(_ text: String) -> [String] {
    JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n").map(String.init)
  }

  /// The line of the summary that says where and why.
  private func headline(_ text: String) -> String? { summary(text).dropFirst().first }

  // MARK: Debuggers

  /// lldb prints the word of an instruction that an ARM processor refused without the name of the
  /// processor. 0xdefe is LLVM's trap in Thumb code; Intel's processors have no word.
  @Test(
    arguments: [
      (
        "code=1, subcode=0x4f3ffe14",
        "0x4f3ffe14 was executed, an illegal instruction: a trapped floating-point exception, or a vector instruction that this processor does not have"
      ),
      (
        "code=1, subcode=0xd4200020",
        "stopped by a trap instruction: a failed check, or a crash on purpose"
      ),
      (
        "code=EXC_ARM_UNDEFINED, subcode=0xdefe",
        "stopped by a trap instruction: a failed check, or a crash on purpose"
      ),
      (
        "code=EXC_I386_INVOP, subcode=0x0",
        "stopped by a trap instruction: a failed check, or a crash on purpose"
      ),
    ])
  func instructionsInStopReasons(codes: String, reason: String) throws {
    let text = """
      * thread #7, name = 'cards', stop reason = EXC_BAD_INSTRUCTION (\(codes))
        * frame #0: 0x0000000100ac2c14 libcards.4.dylib`___lldb_unnamed_symbol12 + 60
          frame #1: 0x0000000100ac4d18 libcards.4.dylib`___lldb_unnamed_symbol24 + 80
          frame #2: 0x0000000100ac4f40 libcards.4.dylib`cards_shuffle + 524
          frame #3: 0x000000010010ec2c board`deck_read + 284

      """
    expectEqual(try report(text).crash.reason, reason)
    expectEqual(
      headline(text), "libcards.4.dylib 0x100ac2c14, below cards_shuffle — \(reason)")
  }

  /// Apple's reports have the distance in the image, too.
  @Test func distancesBelowNames() {
    let text = """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000008cfe004

      Thread 0 Crashed:
      0   com.example.board   0x0000000108d0c513 0x108cfe000 + 58643
      1   com.example.board   0x0000000108d0c128 cards_shuffle + 88
      2   com.example.board   0x0000000108d0ac79 main + 153

      """
    let start = "com.example.board + 58643"
    expectEqual(headline(text)?.hasPrefix("\(start), below cards_shuffle — "), true)
    // Everything is below `main`.
    let other = text.replacing("cards_shuffle", with: "main")
    expectEqual(headline(other)?.hasPrefix("\(start) — "), true)
  }

  /// A named function of another image is not known to have called it.
  @Test func placesWithoutNamesBelowOtherImages() {
    let text = """
      * thread #7, stop reason = EXC_BAD_ACCESS (code=1, address=0x4141)
        * frame #0: 0x0000000100ac2c14 libcards.4.dylib`___lldb_unnamed_symbol12 + 60
          frame #1: 0x000000010010ec2c board`deck_read + 284

      """
    expectEqual(headline(text)?.hasPrefix("libcards.4.dylib 0x100ac2c14 — "), true)
  }

  private static let waiting = """
    ```
      thread #1, queue = 'com.apple.main-thread'
        frame #0: 0x0000000191a4c308 libsystem_kernel.dylib`__semwait_signal + 8
        frame #1: 0x000000019192dcc0 libsystem_c.dylib`nanosleep + 220
        frame #2: 0x0000000100000d78 Board`main + 12
      thread #2, name = 'cards'
        frame #0: 0x0000000191a48bb0 libsystem_kernel.dylib`semaphore_wait_trap + 8
        frame #1: 0x0000000191a8cc58 libsystem_pthread.dylib`_pthread_start + 136
    ```

    """

  /// The heading of an issue says what it is about, if no frame does.
  @Test(
    arguments: [
      (
        "# Calling `deck_free` from its callback ends in EXC_BAD_ACCESS",
        "EXC_BAD_ACCESS: Calling `deck_free` from its callback ends in EXC_BAD_ACCESS — which thread crashed is not in this text"
      ),
      ("# EXC_BAD_ACCESS is not what ends it", "which thread crashed is not in this text"),
      ("# Such as EXC_BAD_ACCESS or EXC_CRASH", "which thread crashed is not in this text"),
      ("I have seen EXC_BAD_ACCESS before.", "which thread crashed is not in this text"),
    ])
  func headingsAboveThreads(heading: String, line: String) {
    expectEqual(headline("\(heading)\n\n\(Self.waiting)"), line)
  }

  /// A stack that says itself why it stopped is not about what a heading says.
  @Test func headingsAboveStopReasons() throws {
    let text =
      "# Calling `deck_free` ends in EXC_BAD_ACCESS\n\n"
      + Self.waiting.replacing(
        "'com.apple.main-thread'", with: "'com.apple.main-thread', stop reason = signal SIGTRAP")
    let exception = try report(text).exception
    expectEqual(exception.signal, "SIGTRAP")
    expectEqual(exception.type, nil)
  }

  /// Xcode shows the instructions of the function that it stopped in. A text may end before the one
  /// with the arrow.
  private static let instructions = """
    Deck`cards::Page::turn:
        0x10e48b530 <+0>:   pushq  %rbp
        0x10e48b531 <+1>:   movq   %rsp, %rbp

    """

  @Test func functionOfADisassembly() throws {
    let stop = "# com.example.cards (12): EXC_BAD_ACCESS (code=1, address=0x4141)\n\n"
    let found = try report(stop + Self.instructions)
    expectEqual(found.crash.frame?.function, "cards::Page::turn")
    let thread = try CrashLogParser.parse(Array((stop + Self.instructions).utf8))[0].crashedThread
    expectEqual(thread?.number, 12)
    expectEqual(thread?.name, "com.example.cards")
    // Of two functions, either may be the one.
    let other = Self.instructions.replacing("turn:", with: "close:")
    expectEqual(try report(stop + Self.instructions + other).crash.frame?.function, nil)
    // A label above other lines.
    expectEqual(try report(stop + "Deck`cards::Page::turn:\nno cards\n").crash.frame?.function, nil)
  }

  @Test func disassemblyWithoutACrash() {
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("What is this?\n\n\(Self.instructions)".utf8))
    }
  }

  // MARK: Compilers

  /// A call that does not return has the name of the next function behind it, so only a caller
  /// further out has one.
  @Test func placesOfStackDumps() throws {
    let text = """
      Stack dump without symbol names:
      0  board-compiler           0x0000000108120a8c llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) + 56
      1  board-compiler           0x000000010811df2c llvm::sys::RunSignalHandlers() + 172
      2  board-compiler           0x000000010812107c SignalHandler(int, __siginfo*, void*) + 356
      3  libsystem_platform.dylib 0x0000000191b99744 _sigtramp + 56
      4  libsystem_pthread.dylib  0x0000000191b8f8d8 pthread_kill + 296
      5  libsystem_c.dylib        0x0000000191a96644 abort + 148
      6  board-compiler           0x0000000108121e54 deck::stop(char const*) + 0
      7  board-compiler           0x000000010341c088 deck::Page::get(int) + 0
      8  board-compiler           0x0000000103897418 deck::lookupCard(deck::Type) + 52
      9  board-compiler           0x0000000103897518 deck::run() + 52

      """
    expectEqual(try report(text).crash.frame?.function, "deck::lookupCard(deck::Type)")
  }

  // MARK: Test runners

  /// pytest and unittest end no line while a test runs.
  @Test(
    arguments: [
      "tests/test_deck.py::test_turn PASSED [ 10%]", "tests/test_deck.py ..s",
      "tests/test_deck.py ",
      "test_turn (test_deck.Deck) ... ", "tests/test_deck.py::test_turn ", "",
    ])
  func lastWordsBehindProgress(progress: String) throws {
    let words = "\(progress)Fatal Python error: Segmentation fault\n\n"
    expectEqual(try report(words).crash.reason, "Fatal Python error: Segmentation fault")
    let stack = """
      Current thread 0x00007fff8b2c1340 (most recent call first):
        File "/src/deck.py", line 12 in turn
        File "/src/board.py", line 5 in <module>

      """
    expectEqual(
      try report(words + stack).crash.reason,
      "Fatal Python error: Segmentation fault, in native code that turn (deck.py:12) called")
  }

  @Test func proseAboutPython() {
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("Fixes the Fatal Python error: see below.\n".utf8))
    }
  }

  // MARK: RTF

  /// Somebody copied the source of RTF, in which a backslash ends each paragraph.
  @Test func linesWithBackslashes() throws {
    let text = """
      Thread 3 Crashed:\\
      0   libsystem_c.dylib             \t    0x7ff80a98ed24 abort + 123\\
      1   libc++abi.dylib               \t    0x7ff80aa00ccc __cxa_throw + 116\\
      2   deck.dylib                    \t       0x1140de812 std::__1::__throw_bad_function_call() + 50\\
      3   deck.dylib                    \t       0x1140de786 deck::Page::turn() + 182\\
      4   deck.dylib                    \t       0x1140de93e deck::run() + 82\\

      """
    let found = try report(text)
    expectEqual(found.crash.frame?.function, "deck::Page::turn()")
    expectEqual(found.crash.reason, "uncaught C++ exception: std::bad_function_call")
  }

  // MARK: Mono

  /// The handler's own frames are no place, even if the text ends before the others.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-exceptions.c.
  @Test(
    arguments: [
      ("mono_dump_native_crash_info", "mono_handle_native_crash", nil as String?),
      ("mono_dump_native_crash_info", "mono_hand", nil),
      ("mono_handle_native_crash", "mono_sigsegv_signal_handler_debug", nil),
      ("mono_dump_native_crash_info", "owl_land", "owl_land"),
    ])
  func handlersOfMono(first: String, second: String, place: String?) throws {
    let image = "/var/containers/Bundle/Owl.app/Owl"
    let found = try report(
      """
      Got a segv while executing native code. This usually indicates
      a fatal error in the mono runtime or one of the native libraries
      used by your application.
      =================================================================
      Native stacktrace:
      =================================================================
      \t0x10b06d068 - \(image) : \(first)
      \t0x10b071490 - \(image) : \(second)

      """)
    expectEqual(
      found.crash.reason, "SIGSEGV in native code, which Mono's crash handler reported")
    expectEqual(found.crash.frame?.function, place)
    expectEqual(found.signature?.text, place.map { "SIGSEGV | \($0)" })
  }

  // MARK: Qt

  private static let fatal = """

    *** Program crashed: Aborted at 0x0000000191b54388 ***

    Thread 0 crashed:

     0 0x0000000191b54388 __pthread_kill + 8 in libsystem_kernel.dylib
     1 0x0000000191a96b50 abort + 124 in libsystem_c.dylib
     2 0x0000000106d04f38 QMessageLogger::fatal(char const*, ...) const + 148 in libQt6Core.6.dylib
     3 0x000000010672a094 <unknown> + 7812 in libQt6Gui.6.dylib
     4 0x00000001067269cc QDeckPrivate::shuffle() + 1464 in libQt6Gui.6.dylib
     5 0x0000000106a4d020 QCoreDeckPrivate::init() + 1692 in libQt6Core.6.dylib

    """

  /// qFatal() prints its message before it ends the process. Other lines may be anybody's.
  @Test(
    arguments: [
      (
        "deck.cards: Could not find \"blue\"\nThis application failed to start because no deck is there.",
        "deck.cards: Could not find \"blue\""
      ),
      ("QDeck: Must be made before a QCard", "QDeck: Must be made before a QCard"),
      (
        "ASSERT: \"cards\" in file deck.cpp, line 12", "ASSERT: \"cards\" in file deck.cpp, line 12"
      ),
      ("This is what it prints:", "qFatal() was called (Qt)"),
      ("e.g.: the deck", "qFatal() was called (Qt)"),
      ("Deck.qml: see above", "qFatal() was called (Qt)"),
    ])
  func messagesOfQFatal(lines: String, reason: String) throws {
    expectEqual(
      headline("\(lines)\n\(Self.fatal)"), "in Qt: QDeckPrivate::shuffle() — \(reason)")
  }

  // MARK: Objective-C

  /// The title of an issue is often cut, and somebody goes on behind the statement.
  @Test(
    arguments: [
      ("'page must be non-nil' on my iPad.", "page must be non-nil"),
      ("'no page 'two' of the deck' on my iPad.", "no page 'two' of the deck"),
      ("'it doesn't turn' on my iPad.", "it doesn't turn"),
      ("'no page 'two' of the deck'", "no page 'two' of the deck"),
      ("'the page 'two' is the last", "the page 'two' is the last"),
    ])
  func twoCopiesOfAnException(reason: String, expected: String) throws {
    let words = "*** Terminating app due to uncaught exception 'NSRangeException"
    let found = try report("# \(words)\n\n\(words)', reason: \(reason)\n")
    expectEqual(found.crash.reason, "NSRangeException: \(expected)")
  }

  // MARK: Several writers about one crash

  /// Mono prints the managed stack when `abort()` was called for the exception. Its own function is
  /// no place. A stack of another exception is another crash.
  @Test(
    arguments: [
      ("Stacktrace:\n\n", 1, "Deck.cs:12 in Board.Deck.Deal (int)"),
      ("System.Exception: no deck\n", 2, "in Mono: xamarin_dyn_objc_msgSend"),
    ])
  func managedStackBelow(title: String, count: Int, place: String) throws {
    let text = """
      *** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: 'no cards'
      *** First throw call stack:
      (
      \t0   CoreFoundation   0x00007fff8670a452 __exceptionPreprocess + 178
      \t1   libobjc.A.dylib  0x00007fff961def7e objc_exception_throw + 48
      \t2   Board            0x0000000104fd2999 xamarin_dyn_objc_msgSend + 217
      )
      libc++abi.dylib: terminating with uncaught exception of type NSException
      \(title)  at (wrapper managed-to-native) ObjCRuntime.Messaging.void_objc_msgSend (intptr) [0x0000c] in <6b70>:0
        at Board.Deck.Deal (int) [0x0000e] in /src/Deck.cs:12

      """
    expectEqual(try JsonFixture.document(text.utf8, with: []).reports.count, count)
    expectEqual(headline(text), "\(place) — NSInvalidArgumentException: no cards")
  }

  /// .NET for iOS prints the native stack in the middle of its exception. Prose in between ends it.
  ///
  /// Source: github.com/dotnet/macios, src/ObjCRuntime/ObjCException.cs.
  @Test(
    arguments: [
      ("", 1, "Deck.cs:12 in Board.Deck.Deal(Int32 count)"), ("It is so here:\n", 2, nil),
    ]
      as [(String, Int, String?)])
  func nativeStackInside(between: String, count: Int, place: String?) throws {
    let text = """
      Unhandled Exception:
      ObjCRuntime.ObjCException: Objective-C exception thrown.  Name: NSInvalidArgumentException Reason: no cards
      Native stack trace:
      \t0   CoreFoundation               0x0000000183153d70 __exceptionPreprocess + 236
      \t1   libobjc.A.dylib              0x0000000182ef814c objc_exception_throw + 56
      \t2   libxamarin-dotnet.dylib      0x0000000103a8d330 xamarin_dyn_objc_msgSend + 160
      \t3   libmonosgen-2.0.dylib        0x0000000103de2804 do_icall + 316

      \(between)   at ObjCRuntime.Runtime.ThrowException(IntPtr gchandle) in /src/Runtime.cs:line 2743
         at UIKit.UIBarButtonItem..ctor(UIBarButtonSystemItem systemItem)
         at Board.Deck.Deal(Int32 count) in /src/Deck.cs:line 12

      """
    expectEqual(try JsonFixture.document(text.utf8, with: []).reports.count, count)
    if let place {
      expectEqual(headline(text), "\(place) — NSInvalidArgumentException: no cards")
    }
  }

  /// LLVM's handler and Swift's runtime print the same crash. A place without a line is one of a
  /// frame.
  @Test(arguments: [("swift-frontend", "SIGABRT"), ("board", nil)] as [(String, String?)])
  func dumpOfCompiler(thread: String, signal: String?) throws {
    let text = """
      #2 0x0000559e2db50f32 check(deck::Board*, bool) Deck.cpp:0:0
      #3 0x0000559e2db3e9a5 play(deck::Board&) Deck.cpp:0:0
      #4 0x0000559e2db3b62e deck::run(int) (/usr/bin/swift-frontend+0xa1162e)
      #5 0x0000559e2d85fd21 deck::main(int, char const**) (/usr/bin/swift-frontend+0x735d21)

      *** Signal 6: Backtracing from 0x7f0b27bc128d... done ***

      *** Program crashed: Aborted at 0x00007f0b27bc128d ***

      Platform: x86_64 Linux (Ubuntu 24.04.4 LTS)

      Thread 0 "\(thread)" crashed:

      0  0x00007f0b27bc128d <unknown> in libc.so.6

      """
    let dump = try JsonFixture.document(text.utf8, with: []).reports.first
    expectEqual(dump?.exception.signal, signal)
    expectEqual(
      dump?.backtraces.first?.frames.map(\.function),
      [
        "check(deck::Board*, bool)", "play(deck::Board&)", "deck::run(int)",
        "deck::main(int, char const**)",
      ])
  }

  // MARK: Handlers

  /// Between a handler of signals and itself once more are only frames of its clean-up. What the
  /// first signal interrupted is cut off; else it is below the second handler.
  @Test(
    arguments: [
      ("", "NSRangeException: beyond"),
      (
        "9   libsystem_platform.dylib  0x0000000194e3cdeb _sigtramp + 43\n10  Board  0x0000000104a1c2f0 deal_cards + 12\n",
        "deal_cards — NSRangeException: beyond"
      ),
    ])
  func cleanUpOfHandlers(below: String, head: String) {
    let text = """
      Process: Board [812]
      Exception Type:  EXC_CRASH (SIGABRT)

      Application Specific Information:
      *** Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'
      abort() called

      Thread 0 Crashed:
      0   libsystem_kernel.dylib    0x0000000190ce6286 __kill + 10
      2   Board                     0x0000000104a976ca fatal_error_signal + 314
      3   libsystem_platform.dylib  0x0000000194e3cdeb _sigtramp + 43
      5   libsystem_c.dylib         0x0000000198388340 abort + 155
      6   Board                     0x0000000104a793c2 shut_down + 98
      8   Board                     0x0000000104a9768e fatal_error_signal + 254
      \(below)
      """
    expectEqual(headline(text), head)
  }
}
