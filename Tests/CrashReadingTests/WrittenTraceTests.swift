import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Stacks and reasons as people write them into pages, comments, lists and sentences.
struct WrittenTraceTests {
  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: dyld

  /// A forum puts each line of a report into a paragraph, and the fields of the linker's message
  /// onto the line of its heading.
  @Test func paragraphsOfAPage() throws {
    let report = try read(
      """
      <div class="text">
      <p>It only says:</p>
      <blockquote>
      <p>Crashed Thread: 0 Dispatch queue: com.apple.main-thread</p>
      <p>Exception Type: EXC_BREAKPOINT (SIGTRAP) Exception Codes: 0x0000000000000002, 0x0000000000000000</p>
      <p>Application Specific Information:</p>
      <p>objc[812]: garbage collection is OFF</p>
      <p>Dyld Error Message: Symbol not found: _deck_deal</p>
      <p>Referenced from: /usr/local/lib/libboard.1.dylib</p>
      <p>Expected in: /usr/lib/libdeck.2.dylib</p>
      </blockquote>
      </div>

      """)
    expectEqual(report.termination.details.first, "Symbol not found: _deck_deal")
    expectEqual(
      report.crash.reason,
      "DYLD, Symbol not found: _deck_deal, referenced from libboard.1.dylib, expected in libdeck.2.dylib"
    )
  }

  /// Who is named there only needed what is missing.
  @Test func imagesAreNoReason() throws {
    let report = try read(
      """
      Exception Type: EXC_BREAKPOINT (SIGTRAP)

      Dyld Error Message:
      Referenced from: /usr/local/lib/libboard.1.dylib

      """)
    expectEqual(report.crash.reason, "DYLD, referenced from libboard.1.dylib")
  }

  /// Source: dyld, src/dyldAPIs.cpp (`dyld: in dlopen()`). A line end may be lost.
  @Test(arguments: ["\nApplication Specific Information:\n", "Application Specific Information:\n"])
  func libraryThatIsLoaded(heading: String) throws {
    let text = """
      Exception Type: EXC_BAD_ACCESS (Code Signature Invalid)
      Exception Codes: 0x0000000000000032, 0x000000010d745000
      Termination Reason: Namespace CODESIGNING, Code 0x2
      VM Regions Near 0x10d745000:
      --> mapped file 000000010d745000-000000010d746000 [ 4K] r-x/r-x SM=PRV Object_id=2929ab85\(heading)dyld: in dlopen()
      /tmp/cards/libdeck.dylib

      Thread 0 Crashed:
      0   dyld  0x000000010d745000 dyld::load + 12

      """
    expectSuffix(try require(read(text).crash.reason), ", as dyld loaded libdeck.dylib")
    let other = text.replacing("dyld: in dlopen()", with: "dyld: launch, running initializers")
    expectFalse(try require(read(other).crash.reason).contains("libdeck"))
  }

  // MARK: Compilers

  private static let dump = """
    Stack dump:
    0.\tProgram arguments: /usr/bin/swift -frontend -interpret deck.swift
    1.\tSwift version 5.2
    2.\tWhile running user code "deck.swift"
    0  swift                    0x000000010e62d4ea PrintStackTraceSignalHandler(void*) + 42
    1  swift                    0x000000010e62ccc0 SignalHandler(int) + 352
    2  libsystem_platform.dylib 0x00007fff71c8242d _sigtramp + 29
    3  swift                    0x000000010a3b09ba llvm::MCJIT::runFunction(llvm::Function*) + 458
    4  libdyld.dylib            0x00007fff71a847fd start + 1

    """

  /// What shells print about the process, below the stack that it printed itself.
  ///
  /// Source: fish-shell, src/proc.rs; GNU Bash, jobs.c.
  @Test(
    arguments: [
      (
        "fish: Job 1, 'swift deck.swift' terminated by signal SIGSEGV (Address boundary error)\n",
        "SIGSEGV"
      ),
      ("Segmentation fault: 11\n", "SIGSEGV"), ("\nzsh: abort      swift deck.swift\n", "SIGABRT"),
      ("$ swift deck.swift\n", nil), ("done\n\n\n\n\n\nSegmentation fault: 11\n", nil),
    ] as [(String, String?)])
  func shells(line: String, signal: String?) throws {
    let report = try read(Self.dump + line)
    expectEqual(report.exception.signal, signal)
    expectEqual(
      report.crash.reason, "the interpreter crashed while running user code \"deck.swift\"")
  }

  /// A stack that nobody's handler printed may be of a process that goes on.
  @Test func otherStacksAboveShells() throws {
    let text = """
      0  Board             0x000000010a3b09ba Deck.deal() + 458
      1  libdyld.dylib     0x00007fff71a847fd start + 1
      Segmentation fault: 11

      """
    expectNil(try read(text).exception.signal)
  }

  /// The compiler prints the assertion above its dump, and mostly repeats it there.
  ///
  /// Source: llvm-project, llvm/lib/Support/PrettyStackTrace.cpp; assert(3) of Darwin and glibc.
  @Test(
    arguments: [
      "Assertion failed: (count > 0 && \"no cards\"), function deal at Deck.cpp:62.",
      "swift-frontend: /src/Deck.cpp:62: void deal(int): Assertion `count > 0' failed.",
    ])
  func assertionsOfCompilers(line: String) throws {
    let report = try read(
      """
      \(line)
      (to display assertion configuration options: -Xllvm -assert-help)

      Please submit a bug report and include the crash backtrace.
      Stack dump:
      0.\tProgram arguments: /usr/bin/swift-frontend -typecheck deck.swift
      1.\tSwift version 6.5-dev
      2.\tWhile type-checking expression at [/src/deck.swift:25:1 - line:25:12]
       #0 0x0000559e35cf1a58 llvm::sys::PrintStackTrace(llvm::raw_ostream&, int) (/usr/bin/swift-frontend+0x8bc7a58)
       #1 0x00007f0b27b38b2c pthread_kill (/lib/libc.so.6+0x9eb2c)
       #2 0x0000559e2f1b6144 swift::deal(swift::Deck&) (/usr/bin/swift-frontend+0x208c144)

      """)
    let reason = try require(report.crash.reason)
    expectSuffix(line, reason)
    expectContains(reason, "ssertion ")
    expectContains(reason, "Deck.cpp:62")
  }

  /// Source: glibc, assert/assert.c. The words in a sentence are others.
  @Test func assertionsOfLinux() throws {
    let line = "board: deck.c:9: int deal(int): Assertion `count > 0' failed."
    expectEqual(
      try read("\(line)\nAborted (core dumped)\n").crash.reason,
      "deck.c:9: int deal(int): Assertion `count > 0' failed.")
    expectNoReport("Note: Assertion `count > 0' is checked.\n")
    expectNoReport("What does Assertion `count > 0' failed mean?\n")
  }

  // MARK: Swift

  /// The thread that crashed, without what the runtime prints above it.
  @Test func swiftThreadAlone() throws {
    let text = """
      **Example**:
      ```
      Thread 7 crashed:
        0 free_list + 864 in libsystem_malloc.dylib
        1 Deck.deal() at Deck.swift:70
           let card = cards.first
        2 Board.turn() at Board.swift:12
      ```

      """
    let report = try read(text)
    expectEqual(report.crashedThread, 7)
    expectEqual(report.crash.frame?.function, "Deck.deal()")
    expectEqual(report.crash.frame?.line, 70)
    // Two of them are two crashes.
    let two = text + text.replacing("Thread 7", with: "Thread 3")
    expectEqual(try CrashLogParser.parse(Array(two.utf8)).count, 2)
    // No frame of a backtrace follows.
    expectNoReport("Thread 7 crashed:\n\nIt was the one that deals.\n")
    expectNoReport("Thread 7 crashed:\n1. deal in the deck\n")
  }

  /// Frames without names say no more than whose they are.
  @Test func systemWithoutNames() {
    let text = """
      Thread 3 crashed:
        0 0x00000001d99feb1c <unknown> + 1048 in Speech
        1 0x00000001d9a00ef0 <unknown> in Speech

      """
    expectEqual(JsonFixture.headline(text), "in Speech")
  }

  /// A comment quotes the headline and the first frames, without offsets and addresses.
  @Test(arguments: ["//   ", "", "    # ", "  "])
  func swiftBacktraceInAComment(prefix: String) throws {
    let text = """
      \(prefix)*** Program crashed: Bad pointer dereference at 0xfffffffffffffff8 ***
      \(prefix)  0  swift_deal + … in libswift_Concurrency.so
      \(prefix)  1 [inlined] specialized Deck.withCard<A>(_:operation:)
      \(prefix)

      """
    let report = try read("It faults at `metadata - 8`:\n\n\(text)")
    let frames = try require(report.backtraces.first).frames
    expectEqual(
      frames.map(\.function), ["swift_deal", "specialized Deck.withCard<A>(_:operation:)"])
    expectEqual(frames.first?.imageName, "libswift_Concurrency.so")
    // Source: docs/ABI/TypeMetadata.rst: the value witnesses are in front of the metadata.
    expectPrefix(
      try require(report.crash.reason), "access through a null pointer, at offset -0x8")
  }

  @Test(
    arguments: [
      "- **Symptom** — `*** Program crashed: Bad pointer dereference ...` with `deal(_:) + 60 in libDeck.so` on top.\n",
      "It prints `*** Program crashed: Bad pointer dereference at 0x8 ***` (in `deal(_:) + 60 in libDeck.so`).\n",
    ])
  func swiftCrashInASentence(text: String) throws {
    let report = try read(text)
    expectEqual(report.exception.signal, "SIGSEGV")
    expectPrefix(try require(report.exception.subtype), "Bad pointer dereference")
    expectEqual(report.backtraces.first?.frames.first?.function, "deal(_:)")
    expectEqual(report.backtraces.first?.frames.first?.imageName, "libDeck.so")
  }

  /// Swift's runtime writes the second line over the first, and somebody copied both, or one.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/libexec/swift-backtrace/main.swift.
  @Test(
    arguments: [
      ("💣 Program crashed: Bad pointer dereference at 0x00000000000000b0\n", nil),
      (
        "💣 Program crashed: Signal 11: Backtracing from 0x19c724\n💣 Program crashed: Bad pointer dereference at 0x00000000000000b0\n",
        "SIGSEGV"
      ),
      (
        "*** Signal 11: Backtracing from 0x19c724... done ***\n\n*** Program crashed: Bad pointer dereference at 0x00000000000000b0 ***\n",
        "SIGSEGV"
      ),
    ])
  func swiftCrashWithoutThreads(lines: String, signal: String?) throws {
    let report = try read("# Fix the cards\n```\n\(lines)```\n\n- **Deck**: `deal()` is `nil`\n")
    expectEqual(report.exception.signal, signal)
    expectEqual(report.crash.reason, "access through a null pointer, at offset 0xb0")
    expectEqual(report.backtraces.isEmpty, true)
  }

  /// What failed is below the function of GLib that says so.
  @Test func assertionInAWrittenStack() throws {
    let report = try read(
      """
      Faulting thread: 5 (*/cards)
        0: __pthread_kill (offset 38320)
        1: abort (offset 497744)
        2: g_assertion_message (offset 487600)
        3: g_assertion_message_expr (offset 487716)
        4: deck_deal (offset 5539848)

      """)
    expectPrefix(report.crash.reason ?? "", "a failed assertion (GLib)")
    expectEqual(report.crash.systemFrame?.function, "deck_deal")
  }

  /// It is about backtraces.
  @Test(
    arguments: [
      "*** Program crashed: Bad pointer dereference ***\n",
      "*** Program crashed: REASON ***\n*** Program crashed: Aborted at 0x000000000deadbee ***\n",
      "**Program** prints `*** Program crashed: Aborted at 0x8 ***` and no frames.\n",
      "💣 Program crashed: Signal 11: Backtracing from 0x19c724\n",
      "The tool looks for `*** Program crashed: ` in the log.\n",
      "It prints `*** Program crashed: Bad pointer dereference ***` and the frames.\n",
      "It prints `*** Program crashed: Aborted ***`, and then `make -j4` goes on.\n",
      "A line such as `*** Program crashed: Aborted` with `deal(_:) + 60 in libDeck.so` is read.\n",
    ])
  func noSwiftCrash(text: String) { expectNoReport(text) }

  /// Swift 5.3 and earlier put the place behind the message, which may be long.
  @Test func longMessages() {
    let words = String(repeating: "cards(IOData { slice: 0..<1024 }), ", count: 12)
    expectSuffix(
      JsonFixture.headline(
        "Fatal error: found \(words): file /src/Board/Sources/Deck.swift, line 200\n"),
      "…: file Deck.swift, line 200")
    expectEqual(
      JsonFixture.headline("Fatal error: no cards: file /src/Board/Deck.swift, line 200\n"),
      "Fatal error: no cards: file /src/Board/Deck.swift, line 200")
  }

  // MARK: React Native

  /// Source: RCTExceptionsManager.mm; the log of expo-updates has it below `Description`.
  @Test func errorsOfJavaScript() throws {
    let report = try read(
      """
      It aborts:

      ```
      Domain: RCTErrorDomain
      Code: 0
      Description: Unhandled JS Exception: Error: No card in the
      deck.

      This error is located at:
          at Deck (main.jsbundle:1512:43)
          at Board
      ```

      """)
    expectEqual(report.crash.kind, "javaScriptError")
    expectContains(
      try require(report.crash.reason), "Unhandled JS Exception: Error: No card in the deck.")
    expectEqual(report.crash.frame?.function, "Deck")
    expectEqual(report.crash.frame?.file, "main.jsbundle")
    expectEqual(report.crash.frame?.line, 1512)
    expectNoReport("Errors such as Unhandled JS Exception: Error: x are shown in red.\n")
  }

  /// Crashlytics has the reason once as a title, and once with the stack of the script in one line.
  ///
  /// Source: github.com/facebook/react-native, React/Base/RCTAssert.m (`RCTFormatError`).
  @Test(arguments: [
    ("deal@109398:53 draw@1094:38", ", in deal@109398:53"), ("", ""), ("of cards", ""),
  ])
  func stackOfAScriptInOneLine(stack: String, place: String) throws {
    let words = "Unhandled JS Exception: Error: No card, js engine: hermes"
    let text =
      "It crashes:\n\nFatal Exception: RCTFatalException: \(words)\n\(words), stack: \(stack)\n"
    expectEqual(try read(text).crash.reason, "RCTFatalException: \(words)\(place)")
  }

  /// A lambda is called so in any code; its file says whose it is.
  @Test(
    arguments: [
      ("(RCTNativeModule.mm:79)", nil), ("", nil), ("(Deck.mm:79)", "operator()"),
    ] as [(String, String?)])
  func lambdas(place: String, function: String?) throws {
    let report = try read(
      """
      Last Exception Backtrace:
      0   CoreFoundation  0x1b9036248 __exceptionPreprocess + 164
      1   libobjc.A.dylib 0x1b23f7a68 objc_exception_throw + 60
      2   Board           0x10238db70 RCTFatal + 668 (RCTAssert.m:146)
      3   Board           0x1023c0fa8 operator() + 44 \(place)

      """)
    expectEqual(report.crash.frame?.function, function)
  }

  // MARK: Lists, titles and sentences

  private static let told =
    "It ends with `EXC_BAD_INSTRUCTION / SIGILL`, and `atos` says:\n\n"

  @Test func numberedLists() throws {
    let text =
      "\(Self.told)1. `deck_draw + 139`\n2. `-[Board turn] + 356`\n3. `main + 14`\n\nSo I\n"
    let report = try read(text)
    expectEqual(
      report.backtraces.first?.frames.map(\.function), ["deck_draw", "-[Board turn]", "main"])
    // Nothing says whose function is first.
    let own = "\(Self.told)1. `deck_draw + 139`\n2. `deck_turn + 356`\n"
    expectPrefix(JsonFixture.headline(own), "deck_draw")
    for other in [
      "1. `deck_draw`\n2. `deck_turn`\n", "1. `deck_draw + 139`\n3. `deck_turn + 356`\n",
      "1. Use `deck_draw + 139`\n2. `deck_turn + 356`\n", "1. `deck_draw + 139`\n",
    ] {
      let reports = try? CrashLogParser.parse(Array((Self.told + other).utf8))
      expectEmpty((reports ?? []).flatMap(\.backtraces))
    }
  }

  /// Crashlytics' mail has the title in this form, and the stack only the name.
  @Test func titlesOfCrashlytics() throws {
    let frames = """
      Fatal Exception: NSInternalInconsistencyException
      0  CoreFoundation  0xec69c __exceptionPreprocess
      1  libobjc.A.dylib 0x2bc80 objc_exception_throw
      2  Foundation      0x6b0dd8 _userInfoForFileAndLine
      3  UIKitCore       0xd2578 -[UICollectionView layoutSubviews]

      """
    expectEqual(
      try read("NSInternalInconsistencyException - no card from -deck:cardAt:\n\n\(frames)")
        .exception
        .reason, "no card from -deck:cardAt:")
    expectNil(
      try read("NSInternalInconsistencyException - when a card-table turns\n\n\(frames)").exception
        .reason)
    expectNil(
      try read("NSInternalInconsistencyException-free code\n\n\(frames)").exception.reason)
  }

  /// The title of an issue, as a heading above its stack.
  @Test func headingsAboveStacks() throws {
    let frames = """

      ```
      Crashed: com.example.worker
      0  AGXMetalA13     0x55b18 <redacted> + 124
      1  Board           0x416488 board::turn() + 820500
      2  libsystem_pthread.dylib 0x4438 _pthread_start + 136
      ```

      """
    let report = try read(
      "# EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x0000000000000238 v11.2\n\(frames)")
    expectEqual(report.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000238")
    expectNil(try read("# Crash in version 11.2\n\(frames)").exception.type)
  }

  /// Who threw, in a sentence about the exception.
  @Test func sourcesOfExceptions() throws {
    let report = try read(
      "It stops with `EXC_CRASH (SIGABRT)`, triggered by an uncaught `NSRangeException` propagating out of `-[Board turn]` at `Board.mm:182`.\n"
    )
    expectEqual(report.exception.name, "NSRangeException")
    expectEqual(report.crash.frame?.function, "-[Board turn]")
    expectEqual(report.crash.frame?.line, 182)
    let caused = try read(
      "The crash (`EXC_BAD_ACCESS` / `SIGSEGV`) is caused by an exception: `-[Board turn:]`.\n")
    expectEqual(caused.crash.frame?.function, "-[Board turn:]")
    // Who calls is not where it happened, and words of other languages have no brackets.
    expectNoReport("It stops with `EXC_CRASH (SIGABRT)`, called from `-[Board turn]`.\n")
    expectNoReport("It stops with `EXC_CRASH (SIGABRT)`, caused by `Board`.\n")
  }

  /// lldb stops there for who debugs, and the process goes on.
  ///
  /// Source: llvm-project, lldb/source/Target/StopInfo.cpp (`StopInfoWatchpoint`).
  @Test func watchpoints() throws {
    let text = """
      * thread #1, queue = 'com.apple.main-thread', stop reason = watchpoint 2
        * frame #0: 0x00000001017ddd7c Board`deal(count=3) at deck.c:11
          frame #1: 0x00000001017df0eb Board`main at main.c:86

      """
    expectEqual(
      JsonFixture.headline(text),
      "deck.c:11 in deal — the debugger stopped at watchpoint 2: no crash")
    let other = text.replacing("watchpoint 2", with: "breakpoint 2.1")
    expectEqual(JsonFixture.headline(other), "deck.c:11 in deal")
  }
}
