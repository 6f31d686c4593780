import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Stacks that somebody shortened or announced, and what is said of those that a text lacks.
struct ShortenedStackTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  private static let head = """
    Exception Type:  EXC_BAD_ACCESS (SIGBUS)
    Exception Codes: KERN_PROTECTION_FAILURE at 0x0000000000005128
    Crashed Thread:  0

    """

  /// The program counter is null: ReportCrash prints it with `%#010llx` in a process of 32 bits.
  @Test(arguments: ["0000000000 0 + 0", "000000000000000000 0 + 0"])
  func nullProgramCounters(rest: String) {
    let text = """
      Process:         Board [267]
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at 0x00000000
      Triggered by Thread:  0

      Thread 0 name:  Dispatch queue: com.apple.main-thread
      Thread 0 Crashed:
      0   ???                           \t\(rest)

      """
    expectEqual(JsonFixture.headline(text), "call through a null pointer")
  }

  /// People leave the heading of the thread that crashed out.
  @Test func framesRightBelowFields() throws {
    let report = try JsonFixture.report(
      Self.head + """
        0   ???       0x012e77f0
        1   Board     0x01525268 Board::turn(int) + 24
        2   com.apple.HIToolbox  DispatchEventToHandlers(...)

        """, with: [])
    expectEqual(report.backtraces.first?.number, 0)
    expectEqual(report.backtraces.first?.crashed, true)
    expectEqual(report.backtraces.first?.frames.count, 3)
    expectEqual(report.crash.frame?.function, "Board::turn(int)")
  }

  /// Lists of other things have numbers, too.
  @Test(arguments: [
    "0  Open   the board\n2  Turn   the card\n", "0  cards\n1  boards\n",
    "\n0  Open   the board\n1  Turn   the card\n",
  ])
  func listsBelowFields(list: String) throws {
    expectEqual(try JsonFixture.report(Self.head + list, with: []).backtraces.count, 0)
  }

  /// The author of a text looked the functions up with tools of their own, and marks the place.
  @Test(
    arguments: [
      ("Board::deal() const     <- faults", "Board::deal() const"),
      ("-[Board deal]  <- here", "-[Board deal]"), ("Board::deal() <- crash.", "Board::deal()"),
      ("Board::deal() <- called twice", nil), ("the board <- faults", nil),
    ] as [(String, String?)])
  func markedPlaces(row: String, function: String?) throws {
    let found = try crash(
      Self.head + """
        0   ???       0x012e77f0
        1   ???       0x01525268
        2   com.apple.HIToolbox  DispatchEventToHandlers(...)

        Mapped through the symbols:

        main -> Board::start()
          -> Board::turn(int)
            -> \(row)

        """)
    expectEqual(found.frame?.function, function)
    expectEqual(found.reason, "access to 0x5128 that the memory's protection forbids")
  }

  /// What the text lacks is only said if no line of it may be a frame.
  @Test(arguments: [
    ("Thread 0 Crashed:\n", "are not in this text"),
    ("Thread 0 Crashed:\nThe cards were dealt twice.\n", "are not in this text"),
    ("Thread 0 Crashed:\nI see 12 cards at 0x10.\n", "are not in this text"),
    ("Thread 0 Crashed:\nin deal_cards of libDeck, deal_cards + 12\n", "could not be read"),
    ("\nThe stack is:\n\n* 0 Board ??? 0x10\n", "could not be read"),
    ("\nThe stack is:\n\n`Board::deal(int)`\n", "could not be read"),
    ("\nIt was in\n\nBoard.deal (Board.swift:12)\n", "could not be read"),
    ("\nIt was in\n\n[Board dealCards:]\n", "could not be read"),
    // A statement of Objective-C.
    ("\nIt is in\n\n[deck dealCardsOfSuit:CardSuitSpades];\n", "are not in this text"),
  ])
  func unreadFrames(rest: String, words: String) {
    expectEqual(
      JsonFixture.headline(Self.head + rest),
      "access to 0x5128 that the memory's protection forbids — thread 0 crashed; its frames \(words)"
    )
  }

  /// Frames below the heading of another thread are not those.
  @Test(arguments: [(24, "could not be read"), (1, "are not in this text")])
  func framesOfOtherThreads(number: Int, words: String) {
    let headline = JsonFixture.headline(
      """
      Exception Type: EXC_CRASH (SIGABRT)
      Crashed Thread: 24

      Application Specific Information:
      N4deck5ErrorE

      Thread \(number)
      0   libsystem_kernel.dylib          0x3b1ddd6d0         __workq_kernreturn

      Thread 4 name: cards
      0   libsystem_kernel.dylib          0x3b1dd5178         mach_msg2_trap

      """)
    expectSuffix(headline, "thread 24 crashed; its frames \(words)")
  }

  // MARK: Announced stacks

  /// A sentence that ends in a colon says what the stack right below it is of. Xcode copies threads
  /// with their queues.
  @Test(
    arguments: [
      ("The board crashes (EXC_BAD_ACCESS) with a stack:", "EXC_BAD_ACCESS"),
      ("EXC_BREAKPOINT in the simulator, with this backtrace:", "EXC_BREAKPOINT"),
      ("It no longer crashes (EXC_BAD_ACCESS) with a stack:", nil),
      ("The board crashes (EXC_BAD_ACCESS), and I do not know why:", nil),
      ("What is EXC_BAD_ACCESS? A stack trace is below.", nil),
    ] as [(String, String?)])
  func announcedStacks(sentence: String, type: String?) throws {
    let report = try JsonFixture.report(
      """
      \(sentence)

      Thread 1 Queue : com.apple.main-thread (serial)

          #0\t0x0000000111e8e969 in deck_shuffle ()
          #1\t0x000000012fe80dd8 in board_turn ()

      All threads:

      Thread 4 Queue : com.example.board (concurrent)
      #0\t0x0000000111e4cbfe in __workq_kernreturn ()
      #1\t0x0000000111ea16e6 in _pthread_wqthread ()

      """, with: [])
    expectEqual(report.exception.type, type)
    expectEqual(report.backtraces.map(\.number), [1, 4])
    expectEqual(report.backtraces.first?.crashed, type != nil)
    expectEqual(report.crash.frame?.function, type == nil ? nil : "deck_shuffle")
  }

  // MARK: Kotlin

  /// Functions that only throw for the runtime, and the standard library of Kotlin 1.2, are no
  /// place. A text may end within a name.
  ///
  /// Source: github.com/JetBrains/kotlin, kotlin-native/runtime/src/main/cpp/Worker.cpp.
  @Test func throwersOfKotlin() throws {
    func trace(_ rest: String) -> String {
      """
      Uncaught Kotlin exception: kotlin.IllegalStateException: no deck
              at 0   Board   0x000000010708a866 kfun:kotlin.Exception.<init>(kotlin.String?)kotlin.Exception + 70
              at 1   Board   0x000000010712d012 ThrowWorkerInvalidState + 66
              at 2   Board   0x000000010714a974 Kotlin_Worker_scheduleInternal + 148
              at 3   Board   0x000000010712cf5a kfun:konan.worker.scheduleImpl$stdlib(konan.worker.Wor\(rest)

      """
    }
    expectEqual(
      try crash(trace("ker) + 90\n        at 4   Board   0x000000010712cf8a kfun:app.deal() + 90"))
        .frame?.function, "kfun:app.deal()")
    expectEqual(try crash(trace("")).library, "the Kotlin runtime")
  }

  /// Markdown's mark of code may begin in front of the words and end behind the frames.
  @Test func codeAroundKotlin() throws {
    let found = try crash(
      """
      # The deck is empty

      `Uncaught Kotlin exception: app.DeckError: Function 'deal' can not be called

          at 0   Board   0x104ce5f9b        kfun:kotlin.Throwable#<init>(kotlin.String?){} + 119

          at 1   Board   0x104cdf2e3        kfun:app.DeckError#<init>(kotlin.String?){} + 115

          at 2   Board   0x105aacc07        kfun:app.Board.draw#internal + 2059

      `

      """)
    expectEqual(
      found.reason, "Kotlin exception app.DeckError: Function 'deal' can not be called")
  }

  // MARK: Words

  /// Who threw is the place.
  @Test func throwersInTheSystem() {
    let text = """
      # Crashlytics - Stack trace
      # Platform: apple

      Fatal Exception: NSInternalInconsistencyException
      0  CoreFoundation                 0x83f20 __exceptionPreprocess
      1  libobjc.A.dylib                0x16018 objc_exception_throw
      2  CoreAutoLayout                 0x12224 _NSConstraintBasedLayoutDeferOptimization
      3  UIKitCore                      0x10d1c -[UIView(CALayerDelegate) layoutSublayersOfLayer:]

      """
    expectEqual(
      JsonFixture.headline(text),
      "_NSConstraintBasedLayoutDeferOptimization in CoreAutoLayout — NSInternalInconsistencyException"
    )
  }

  /// .NET's advice is no reason, and dyld's reason is behind the paths.
  ///
  /// Source: github.com/dotnet/runtime, src/coreclr/dlls/mscorrc/mscorrc.rc; dyld, Loader.cpp.
  @Test(arguments: [
    ("", ""),
    (
      "\ndlopen(/b/libDeck.dylib, 0x0001): tried: '/b/libDeck.dylib' (no such file), '/c/libDeck.dylib' (code signature in <87DAF9EF> '/c/libDeck.dylib' not valid for use in process: library load disallowed by system policy), '/d/libDeck.dylib' (cod",
      ": code signature not valid for use in process: library load disallowed by system policy"
    ),
    (
      "\ndlopen(libDeck, 0x0001): tried: 'libDeck' (no such file), '/usr/lib/libDeck' (no such file)",
      ": no such file"
    ),
  ])
  func librariesOfDotNet(rest: String, reason: String) {
    let words =
      "Unhandled exception. System.DllNotFoundException: Unable to load shared library 'libDeck' or one of its dependencies"
    let advice =
      ". In order to help diagnose loading problems, consider setting the DYLD_PRINT_LIBRARIES environment variable: "
    expectEqual(
      JsonFixture.headline("$ dotnet board.dll\n\(words)\(advice)\(rest)\n"), words + reason)
  }

  // MARK: Endings

  /// dyld calls an empty function so that debuggers learn which images are loaded. A thread that
  /// was there for another reason says nothing.
  ///
  /// Source: llvm-project, lldb: DynamicLoaderMacOS.cpp (`NotifyBreakpointHit`).
  @Test(
    arguments: [
      (
        "EXC_BREAKPOINT (SIGTRAP)", 0,
        "a debugger's breakpoint in dyld, which no debugger handled any more"
      ),
      ("EXC_BREAKPOINT (SIGTRAP)", 1, nil), ("EXC_BAD_ACCESS (SIGSEGV)", 0, nil),
    ] as [(String, Int, String?)])
  func breakpointsOfDebuggers(type: String, index: Int, reason: String?) throws {
    let names = ["dyld4::RuntimeState::load()", "dyld4::RuntimeState::notify()"]
    var functions = names
    functions.insert("lldb_image_notifier", at: index)
    let frames = functions.enumerated().map { index, name in
      "\(index)   dyld   0x1b8aad870 \(name) + \(index)\n"
    }
    let found = try crash(
      "Exception Type:  \(type)\nException Codes: 0x1, 0x1b8aad870\nTriggered by Thread:  0\n\n"
        + "Thread 0 Crashed:\n" + frames.joined())
    expectEqual(found.kind == "sentSignal" ? found.reason : nil, reason)
  }

  /// Source: XNU, bsd/sys/reason.h (`EXEC_EXIT_REASON_…`); ReportCrash names the code signature in
  /// the place of the signal.
  @Test(arguments: [
    (
      "EXC_CRASH (SIGKILL - CODESIGNING)", "EXEC; [1]",
      "terminated: EXEC 0x1 (Bad Mach-O: the kernel could not load the program's file); killed for its code signature"
    ),
    (
      "EXC_CRASH (SIGKILL)", "Namespace EXEC, Code 0xc",
      "terminated: EXEC 0xc (it was packed with UPX, in a form that the kernel does not load)"
    ),
    ("EXC_CRASH (SIGKILL)", "EXEC 1 Bad Mach-O", "terminated: EXEC 0x1, Bad Mach-O"),
    (
      "EXC_CRASH (SIGKILL (Code Signature Invalid))", "Namespace CODESI",
      "killed for its code signature, which is invalid"
    ),
    (
      "EXC_CRASH (SIGKILL (Code Signature Invalid))", "Namespace CODESIGNING, Code 0x1",
      "terminated: CODESIGNING 0x1 (its code signature was refused at launch)"
    ),
  ])
  func refusedPrograms(type: String, reason: String, headline: String) {
    let text = """
      Process:             board [77]
      Exception Type:  \(type)
      Exception Codes: 0x0000000000000000, 0x0000000000000000
      Termination Reason: \(reason)

      Triggered by Thread:  0

      """
    expectTrue(JsonFixture.headline(text).hasPrefix(headline))
  }

  // MARK: Retyped stacks

  /// Who retypes a stack leaves all but the names out, and of the regions all but the kind.
  @Test(arguments: [("STACK GUARD", "stackOverflow"), ("MALLOC_TINY", "memoryProtection")])
  func bareNames(region: String, kind: String) throws {
    let report = try JsonFixture.report(
      """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_PROTECTION_FAILURE
      VM Region Info: \(region)

      Thread 0 Crashed:
      _DeckVisitorEntertainDescendingVisitors
      _DeckVisitor::visitCard

      """, with: [])
    expectEqual(
      report.backtraces.first?.frames.map(\.function),
      ["_DeckVisitorEntertainDescendingVisitors", "_DeckVisitor::visitCard"])
    expectEqual(report.crash.kind, kind)
  }

  /// Frames of which somebody kept the numbers and the functions, with gaps.
  @Test func numberedNames() throws {
    let report = try JsonFixture.report(
      """
      Thread 4 Crashed:: Dispatch queue: com.example.cards
      0 _dispatch_assert_queue_fail
      3 _swift_task_checkIsolatedSwift
      5 _checkExpectedExecutor(…)                      [inlined]
      6 @objc Board.turn(_:)   (<compiler-generated>:103)
      7 closure #1 in Board.deal(to:)   (Board.swift:12)
      …
      12 -[Deck postCards:andState:]
      14 deck::Pile::turn(int)

      It is a failed check.
      """, with: [])
    let frames = report.backtraces.first?.frames ?? []
    expectEqual(
      frames.map(\.function),
      [
        "_dispatch_assert_queue_fail", "_swift_task_checkIsolatedSwift",
        "_checkExpectedExecutor(…)", "@objc Board.turn(_:)", "closure #1 in Board.deal(to:)",
        "-[Deck postCards:andState:]", "deck::Pile::turn(int)",
      ])
    expectEqual(frames.map(\.index), [0, 3, 5, 6, 7, 12, 14])
    expectEqual(frames[4].file, "Board.swift")
    expectEqual(frames[4].line, 12)
    expectEqual(report.crash.kind, "swiftConcurrency")
  }

  /// Other lists, a name alone, and threads that did not crash.
  @Test(arguments: [
    "Thread 4 Crashed:\n0 cards\n1 boards\n", "Thread 4 Crashed:\n0 deck_turn\n\n",
    "Thread 4 Crashed:\n3 deck_turn\n2 deck_deal\n",
    "Thread 4:\n0 deck_turn\n1 deck_deal\n",
  ])
  func otherNumberedLines(list: String) throws {
    expectEqual(
      try JsonFixture.report(Self.head + list, with: []).backtraces.first?.frames.count, 0)
  }
}
