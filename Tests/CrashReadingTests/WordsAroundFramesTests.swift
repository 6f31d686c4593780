import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What a text says around frames, or about a place without any: fields of a report below a stack,
/// assertions of libraries, AppKit's window in other languages, the log of Flutter's tool, lists.
struct WordsAroundFramesTests {
  private func crash(_ text: String) throws -> JsonReport.Crash {
    try JsonFixture.report(text, with: []).crash
  }

  private func summary(_ text: String) -> [String] {
    JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n").map(String.init)
  }

  // MARK: Fields below frames

  private static let names = """
    0  Deck            Deck::Page::turn() + 324
    1  CoreFoundation  __CFRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE0_PERFORM_FUNCTION__ + 20
    2  CoreFoundation  CFRunLoopRunSpecific + 500

    """
  private static let addresses = """
    ```
    0   Deck            0x0000000104234560 Deck::Page::turn() + 324
    1   CoreFoundation  0x00000001a1234570 __CFRUNLOOP_IS_CALLING_OUT_TO_A_SOURCE0_PERFORM_FUNCTION__ + 28
    2   CoreFoundation  0x00000001a1234590 CFRunLoopRunSpecific + 500
    ```

    """
  private static let debugger = """
    * thread #1, queue = 'com.apple.main-thread'
      * frame #0: 0x0000000104234560 Deck`Deck::Page::turn() + 324
        frame #1: 0x00000001a1234570 CoreFoundation`CFRunLoopRunSpecific + 500

    """

  @Test(arguments: [names, addresses, debugger])
  func fieldsBelowFrames(frames: String) throws {
    for codes in ["", "Exception Codes: 0x0000000000000001, 0x0000000000000640\n"] {
      let found = try crash(
        """
        \(frames)
        Exception Type:    EXC_BAD_ACCESS (SIGSEGV)
        Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000640
        \(codes)
        The page was closed.
        """)
      expectEqual(found.reason, "access through a null pointer, at offset 0x640")
      expectEqual(found.frame?.function, "Deck::Page::turn()")
    }
  }

  @Test func endBelowFrames() throws {
    let text = "\(Self.names)\nTermination Reason: Namespace FRONTBOARD, Code 0x8badf00d\n"
    let found = try crash(text)
    expectEqual(found.kind, "watchdog")
    expectEqual(found.frame?.function, "Deck::Page::turn()")
  }

  /// Sentences may be about another crash, as may fields of another kind of exception, or fields
  /// further down.
  @Test(arguments: [
    "\nAnother time it was EXC_BAD_ACCESS (code=1, address=0x640).\n",
    "\(String(repeating: "\nText.", count: 12))\nException Type: EXC_BAD_ACCESS (SIGSEGV)\n",
  ])
  func otherWordsBelowFrames(words: String) throws {
    expectEqual(try crash(Self.names + words).reason, nil)
  }

  // MARK: Assertions

  @Test(
    arguments: [
      (
        "/src/deck/deck-page.cpp:62: DECK_ASSERT(cards) failed",
        "DECK_ASSERT(cards) failed at deck-page.cpp:62"
      ),
      (
        "[deck] /src/page.c:7: DECK_CHECK(n > 0) failed: none",
        "DECK_CHECK(n > 0) failed at page.c:7: none"
      ),
      (
        #"C:\src\page.c:7: DECK_ASSERT(n > 0 && "no cards") failed"#,
        #"DECK_ASSERT(n > 0 && "no cards") failed at page.c:7"#
      ),
      ("DECK_ASSERT: /src/page.c:7: n > 0", "DECK_ASSERT(n > 0) failed at page.c:7"),
      (
        "Assertion failure: cards, at /src/Page.cpp:12",
        "Assertion failure: cards, at /src/Page.cpp:12"
      ),
      (
        "[Parent 12] Assertion failure: cards, at /src/Page.cpp:12",
        "Assertion failure: cards, at /src/Page.cpp:12"
      ),
      (
        "Hit MOZ_CRASH(no cards) at /src/Page.cpp:12", "Hit MOZ_CRASH(no cards) at /src/Page.cpp:12"
      ),
      (
        #"ASSERT: "cards" in file page.cpp, line 12"#, #"ASSERT: "cards" in file page.cpp, line 12"#
      ),
      (
        #"ASSERT failure in Page::turn: "no cards", file page.cpp, line 12"#,
        #"ASSERT failure in Page::turn: "no cards", file page.cpp, line 12"#
      ),
      ("ASSERTION FAILED: cards", "ASSERTION FAILED: cards"),
      (
        "It says `/src/page.c:7: DECK_ASSERT(n > 0) failed` and ends.",
        "DECK_ASSERT(n > 0) failed at page.c:7"
      ),
    ]
  )
  func assertionsOfLibraries(line: String, words: String) throws {
    expectEqual(try crash("Text.\n\(line)\n").reason, words)
  }

  /// A line that only mentions the macro, or has no place.
  @Test(arguments: [
    "  DECK_ASSERT(cards);", "DECK_ASSERT(cards) failed", "page.c: DECK_ASSERT(cards) failed",
    "page:12: DECK_ASSERT(cards", "DECK_ASSERT: cards", "_ASSERT(", ": _ASSERT(", "1:2: A_ASSERT(",
    "a.c:99999999999: DECK_ASSERT(x) failed",
  ])
  func otherLinesWithMacros(line: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array("\(line)\n".utf8)) }
  }

  /// ggml shows its own stack, which begins with who looks at it. The caller of a function that
  /// does not return has the name of the next one.
  @Test(arguments: ["libggml-metal.so", "libggml-metal.dylib"])
  func stackOfGgml(image: String) throws {
    let frames = """
      0   libggml-base.dylib   ggml_print_backtrace + 276
      1   libggml-base.dylib   ggml_abort + 156
      2   libggml-base.dylib   ggml_next_function + 0
      3   \(image)   ggml_metal_turn + 364
      4   libggml-base.dylib   ggml_sched_split + 6804

      """
    let words = "/src/ggml-page.cpp:62: GGML_ASSERT(cards) failed\n"
    let told = try crash("\(words)WARNING: Using native backtrace.\n\(frames)")
    expectEqual(told.reason, "GGML_ASSERT(cards) failed at ggml-page.cpp:62")
    expectEqual(told.frame?.function, "ggml_metal_turn")
    let alone = try crash(frames)
    expectEqual(alone.kind, "assertion")
    expectEqual(alone.frame?.function, "ggml_metal_turn")
  }

  /// The stack of a debugger shows `abort()`, and the line above it why.
  @Test func assertionAboveADebuggersStack() throws {
    let found = try crash(
      """
      /src/ggml-page.cpp:62: GGML_ASSERT(cards) failed
      Process 812 stopped
      * thread #1, queue = 'com.apple.main-thread', stop reason = signal SIGABRT
        * frame #0: 0x000000018a0c25b0 libsystem_kernel.dylib`__pthread_kill + 8
          frame #1: 0x0000000189fffc60 libsystem_c.dylib`abort + 124
          frame #2: 0x0000000100c5c2f0 libggml-base.dylib`ggml_abort + 160
          frame #3: 0x0000000100c5c3f0 Deck`turn_page + 160

      """)
    expectEqual(found.reason, "GGML_ASSERT(cards) failed at ggml-page.cpp:62")
    expectEqual(found.frame?.function, "turn_page")
  }

  // MARK: AppKit's window

  @Test(
    arguments: [
      ("Nome eccezione: ", "Descrizione: ", "Informazioni utente: "),
      ("Nom de l’exception : ", "Description : ", "Infos utilisateur : "),
      ("例外名：", "説明：", "ユーザ情報："), ("**Ausnahmename:** ", "**Beschreibung:** ", "**Info:** "),
      ("Exception Name: ", "Description: ", "User Info: "),
    ])
  func windowsAboutExceptions(name: String, description: String, info: String) throws {
    let found = try crash(
      """
      \(name)NSGenericException
      \(description)no common ancestor: <Page:0x743e04900>
      \(info)(null)

      0   CoreFoundation   0x0000000184e4d1c0 __exceptionPreprocess + 176
      1   libobjc.A.dylib  0x00000001848d691c objc_exception_throw + 88
      2   AppKit           0x0000000189446194 -[NSTableRowData turn:] + 324

      """)
    expectEqual(found.reason, "NSGenericException: no common ancestor: <Page:0x743e04900>")
  }

  // MARK: Flutter

  /// Messages of several lines have the prefix once, and blanks of its width below.
  @Test(arguments: ["[        ] ", "           "])
  func logOfFlutter(below: String) throws {
    let text = """
      [+1405 ms] Process 812 stopped
      [   +1 ms] * thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=2, address=0x16dc1fff0)
      \(below)    frame #0: 0x000000011b2ae448 Deck`deck_turn + 4
      \(below)Deck`deck_turn:
      \(below)->  0x11b2ae448 <+4>:  stp    x26, x25, [sp, #0x10]
      \(below)    0x11b2ae44c <+8>:  stp    x24, x23, [sp, #0x20]
      \(below)Target 0: (Board) stopped.
      [   +2 ms] Debugger state set to detached.

      """
    let found = try crash(text)
    expectEqual(found.kind, "stackOverflow")
    expectEqual(found.frame?.function, "deck_turn")
    expectEqual(summary(text).first?.hasPrefix("Board"), true)
  }

  // MARK: Places in lists

  @Test(
    arguments: [
      ("- **File**: `Board.swift`\n- **Line**: `18`", "Board.swift:18"),
      ("File: Sources/Board/Board.swift:18", "Board.swift:18"),
      ("| Location | `Board.turn()` (Board.swift:12) |", "Board.swift:12 in Board.turn()"),
      ("Crash Location: Board binary, offset 0x3B2AC (242348)", "Board + 242348"),
      ("* Crash site: Board + 0x1c2", "Board + 450"),
      ("- File: `Board.m`\n- Line: 7\n- Function: `-[Board turn]`", "Board.m:7 in -[Board turn]"),
    ])
  func placesInLists(fields: String, place: String) {
    for text in [
      "\(fields)\n- **Message**: `Thread 1: EXC_BREAKPOINT (code=1, subcode=0x25821b18c)`\n",
      "  - Exception Type: EXC_BREAKPOINT / SIGTRAP\n\(fields)\n",
    ] {
      let head = summary(text).dropFirst().first
      expectEqual(head?.hasPrefix("\(place) — "), true)
      expectEqual(
        head?.hasSuffix("a failed check, or a crash on purpose"), !place.contains(".turn()"))
    }
  }

  @Test(arguments: [
    "File: none", "Line: 18", "Line: 99999999999999999999999", "Location: at home",
    "Location: Board +",
  ])
  func otherFields(fields: String) throws {
    let text = "\(fields)\nThread 1: EXC_BREAKPOINT (code=1, subcode=0x25821b18c)\n"
    expectEqual(try crash(text).frame?.function, nil)
    expectEqual(try crash(text).frame?.file, nil)
  }

  /// A signal behind the kind of the exception, and the function in code.
  @Test(arguments: [
    "EXC_BREAKPOINT/SIGTRAP", "EXC_BREAKPOINT, SIGTRAP", "EXC_BREAKPOINT (SIGTRAP)",
  ])
  func kindsInSentences(kind: String) throws {
    let report = try JsonFixture.report("\(kind) in `Board.turn()` at Board.swift:12\n", with: [])
    expectEqual(report.exception.type, "EXC_BREAKPOINT")
    expectEqual(report.exception.signal, "SIGTRAP")
    expectEqual(report.crash.frame?.function, "Board.turn()")
    expectEqual(report.crash.frame?.line, 12)
  }

  /// Xcode's words behind a label.
  @Test(arguments: [
    "Error: Thread 1: Fatal error: no cards", "- **Error**: `Thread 1: Fatal error: no cards`",
    "**Error:** Thread 1: Fatal error: no cards",
  ])
  func wordsBehindLabels(line: String) throws {
    expectEqual(try crash("\(line)\n").reason, "Fatal error: no cards")
  }

  // MARK: Pieces

  /// The text is cut in the exception, and says only that dyld ended the process.
  @Test func pieceWithDyldsError() throws {
    let text = """
        "procName" : "Board",
        "procPath" : "\\/Volumes\\/Board\\/Board.app\\/Contents\\/MacOS\\/Board",
        "fatalDyldError" : 1,
        "exception" : {"codes":"0x00000
      """
    let report = try JsonFixture.report(text, with: [])
    expectEqual(report.process.name, "Board")
    expectEqual(
      report.crash.reason,
      "DYLD, the dynamic linker ended it, for a reason that is not in this text")
    let other = text.replacing("\"fatalDyldError\" : 1", with: "\"fatalDyldError\" : 0")
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(other.utf8)) }
  }

  /// dyld quotes paths, and its number is that of the process. A library is in its app.
  @Test(
    arguments: [
      ("/private/var/Board.app/Frameworks/Kit.framework/Kit", "Board"),
      ("/Applications/Board.app/Contents/Frameworks/libkit.dylib", "Board"),
      ("/private/var/Board.app/PlugIns/Deck.appex/Frameworks/Kit.framework/Kit", "Deck"),
      ("/private/var/Board.app/PlugIns/Deck.appex/Page", "Page"),
      ("/Applications/Board.app/Contents/MacOS/Deck", "Deck"), ("/usr/local/bin/board", "board"),
    ])
  func processesOfDyldsMessages(path: String, process: String) throws {
    let facts = try CrashLogParser.parse(
      Array("dyld[812]: Symbol not found: _turn\n  Referenced from: '\(path)'\n".utf8))[0].facts
    expectEqual(facts.process.name, process)
    expectEqual(facts.process.identifier, 812)
  }

  // MARK: Signals around stacks that the process printed

  /// A shell says no more if the process left no core, and what SwiftNIO starts each thread with is
  /// no place.
  ///
  /// Source: strsignal(3) of glibc; apple/swift-nio, Sources/NIO/ThreadPosix.swift, as
  /// swift-server/swift-backtrace prints it.
  @Test(
    arguments: [
      ("Illegal instruction\n", "SIGILL"), ("Segmentation fault\n", "SIGSEGV"),
      ("Illegal instruction in the deck\n", nil), ("\n\nIllegal instruction\n", nil),
    ] as [(String, String?)])
  func shellsBelowTracesOfServers(line: String, signal: String?) throws {
    let root =
      "closure #1 (Swift.Int) -> Swift.Int in static NIO.ThreadOpsPosix.run(handle: Swift.Int) -> ()"
    let text = """
      0x55fa0009abeb, \(root) at /src/NIO/ThreadPosix.swift:105
      0x55fa0009ad88, @objc \(root) at /src/<compiler-generated>:0
      0x7f78800336da
      0x7f787e68d71e
      \(line)
      """
    let report = try JsonFixture.report(text, with: [])
    expectEqual(report.exception.signal, signal)
    expectNil(report.crash.frame)
    let whole = "0x55fa0009a100, App.Deck.deal() -> () at /src/App/Deck.swift:7\n\(text)"
    expectEqual(try crash(whole).frame?.function, "App.Deck.deal() -> ()")
  }

  /// Source: xournalpp/xournalpp, src/core/control/CrashHandler.cpp (`crashHandler`).
  @Test(arguments: [("with signal 11", "SIGSEGV"), ("with signal 6", "SIGABRT"), ("again", nil)])
  func handlersOfXournal(words: String, signal: String?) throws {
    let text = """
      [Crash Handler] Crashed 1 time(s) \(words)
      deck 1.2
      └──OS info: macOS

      Stack trace (most recent call first):
      #0  0x0000000104886bcb in Stacktrace::printStacktrace(std::ostream&) at /Applications/Deck.app/Contents/MacOS/deck
      #1  0x00000001047353bb in crashHandler at /Applications/Deck.app/Contents/MacOS/deck
      #2  0x0000000189893743 in _sigtramp at /usr/lib/system/libsystem_platform.dylib
      #3  0x0000000104ef42ef in deck_turn_page at /Applications/Deck.app/Contents/MacOS/deck

      """
    let report = try JsonFixture.report(text, with: [])
    expectEqual(report.exception.signal, signal)
    expectEqual(report.crash.frame?.function, "deck_turn_page")
  }

  /// The thread that Xcode names is part of what is known if the frames are not there.
  @Test(
    arguments: [
      ("DeckWorker (18): EXC_BAD_ACCESS (code=1, address=0x10)", "thread 18 (DeckWorker) crashed"),
      (
        "mov x19, x0 **\"This is where the DeckWorker (18): EXC_BAD_ACCESS (code=1, address=0x10)\"**",
        "thread 18 (DeckWorker) crashed"
      ),
      ("It fails in step (18): EXC_BAD_ACCESS (code=1, address=0x10)", "thread 18 (step) crashed"),
      ("Thread 18: EXC_BAD_ACCESS (code=1, address=0x10)", nil),
      ("(18): EXC_BAD_ACCESS (code=1, address=0x10)", nil),
      ("DeckWorker (99999999999999999999): EXC_BAD_ACCESS (code=1, address=0x10)", nil),
    ] as [(String, String?)])
  func threadsOfXcode(line: String, words: String?) throws {
    let headline = try require(summary("It stops.\n\n\(line)\n").dropFirst().first)
    expectTrue(headline.hasPrefix("access through a null pointer, at offset 0x10"))
    expectEqual(headline.contains("crashed"), words != nil)
    if let words { expectTrue(headline.contains(words)) }
  }
}
