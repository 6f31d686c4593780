import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Headlines that name a function of the system, or of a library, if the program has no frame, or
/// if that function says why the process ended.
struct SystemPlaceTests {
  // MARK: Throwers

  private static let update = "-[UITableView _endCellAnimationsWithContext:]"

  /// The frames of an exception, as Crashlytics' pages have them.
  private func thrown(_ reason: String, _ frames: (String, String)...) -> String {
    let throwing = [
      ("CoreFoundation", "__exceptionPreprocess"), ("libobjc.A.dylib", "objc_exception_throw"),
    ]
    let lines = (throwing + frames).enumerated().map { index, frame in
      "\(index)  \(frame.0)   0x\(frame.0 == "Board" ? "1051f8868" : "18697700\(index)") \(frame.1)\n"
    }
    return "Fatal Exception: NSInternalInconsistencyException\n\(reason)\n\n"
      + "Fatal Exception: NSInternalInconsistencyException\n" + lines.joined()
  }

  /// Who threw an exception is the place if the program has no frame.
  @Test func throwers() {
    let assertion = (
      "Foundation",
      "-[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:]"
    )
    let words = "attempt to delete row 3 from section 0"
    expectEqual(
      JsonFixture.headline(thrown(words, assertion, ("UIKit", Self.update))),
      "\(Self.update) in UIKit — NSInternalInconsistencyException: \(words)")
    // The program's own frame says more.
    expectEqual(
      JsonFixture.headline(
        thrown(words, assertion, ("UIKit", Self.update), ("Board", "-[Deck deal]"))),
      "-[Deck deal] — NSInternalInconsistencyException: \(words)")
    // Without offsets, Foundation's functions have the names of their neighbours.
    expectEqual(
      JsonFixture.headline(thrown(words, ("Foundation", "-[NSCalendarDate initWithCoder:]"))),
      "NSInternalInconsistencyException: \(words)")
    // A headline has no room for both.
    let long = String(repeating: "no card ", count: 30)
    expectEqual(
      JsonFixture.headline(thrown(long, assertion, ("UIKit", Self.update))).hasPrefix("NSInternal"),
      true)
    // A frame without a name of its own says nothing.
    expectEqual(
      JsonFixture.headline(thrown(words, assertion, ("UIKit", "<redacted>"))),
      "NSInternalInconsistencyException: \(words)")
  }

  /// The words have the name of the method that was called: who called it is not in them.
  @Test func callersOfNamedMethods() {
    let words = "-[__NSCFString substringToIndex:]: Index 7 out of bounds; string length 3"
    expectEqual(
      JsonFixture.headline(
        thrown(
          words, ("CoreFoundation", "-[__NSCFString substringToIndex:]"), ("UIKit", Self.update))),
      "\(Self.update) in UIKit — NSInternalInconsistencyException: \(words)")
  }

  /// AppKit keeps the stack of an exception that nobody caught. Who shortens it leaves out the
  /// frames that throw.
  ///
  /// Source: developer.apple.com/documentation/xcode/addressing-language-exception-crashes.
  @Test(
    arguments: [
      ("EXC_BAD_INSTRUCTION (SIGILL)", 3, true), ("EXC_CRASH (SIGABRT)", 2, true),
      // Frames of what called the program may be left out, too.
      ("EXC_CRASH (SIGABRT)", 9, false), ("EXC_BAD_ACCESS (SIGSEGV)", 3, false),
    ])
  func stackOfAppKit(type: String, first: Int, isThrow: Bool) {
    let text = """
      - **Trace:**
        ```text
        Exception Type:    \(type)
        Application Specific Backtrace 0:
        \(first)   CardKit    _ZNK4Deck13CK_CheckCardsEv + 298
        \(first + 1)   CardKit    -[CKDeck deal] + 43
        \(first + 2)   board      Board.turn() + 145
        ```

      """
    // Who threw is the place.
    let reason = "Deck::CK_CheckCards() const — uncaught Objective-C exception"
    expectEqual(JsonFixture.headline(text).contains(reason), isThrow)
    expectTrue(
      JsonFixture.output(text.utf8, as: .summary, with: []).contains(type),
      "\(JsonFixture.headline(text))")
  }

  // MARK: Words about an address

  /// What KSCrash and Sentry say about the address of a bad access says less than the rules. Alone,
  /// it is the reason.
  ///
  /// Source: github.com/kstenerud/KSCrash, KSCrashDoctor.m.
  @Test func wordsAboutAnAddress() {
    func text(_ type: String, _ codes: String) -> String {
      """
      OS Version: iOS 14.7.1 (18G82)
      Report Version: 104

      Exception Type: \(type)
      Exception Codes: \(codes)
      Crashed Thread: 9

      Application Specific Information:
      turnPage: > cards >
      Attempted to dereference garbage pointer 0x4a836300000000.

      Thread 9 Crashed:
      0   CoreFoundation                  0x319c1b5dc         CFArrayGetCount
      1   CFNetwork                       0x31abe835c         CFDeckSetLimit

      """
    }
    expectEqual(
      JsonFixture.headline(text("EXC_BAD_ACCESS (SIGBUS)", "BUS_NOOP at 0x004a836300000000")),
      "CFArrayGetCount in CoreFoundation — a pointer that was overwritten: 0x4a836300000000 is no"
        + " address of a process")
    expectEqual(
      JsonFixture.headline(text("EXC_CRASH (SIGABRT)", "0x0, 0x0")),
      "Attempted to dereference garbage pointer 0x4a836300000000.")
  }

  // MARK: Runtimes

  /// Mono prints the managed stack, and says below the native one which signal it was: people make
  /// a title of that.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-exceptions.c (`mono_handle_native_crash`).
  @Test(
    arguments: [
      (
        "# Got a SIGSEGV while executing native code", "(wrapper managed-to-native) Deck.Pile.Draw",
        "SIGSEGV in native code below Deck.Pile.Draw, which Mono's crash handler reported"
      ),
      ("# It ends at once", "(wrapper managed-to-native) Deck.Pile.Draw", nil as String?),
      // Mono makes exceptions of signals in managed code.
      ("# Got a SIGSEGV while executing native code", "Deck.Pile.Draw", "SIGSEGV"),
    ])
  func nativeCodeBelowMono(title: String, first: String, reason: String?) throws {
    let text = """
      \(title)

      ```
      Stacktrace:

        at <unknown> <0xffffffff>
        at \(first) (intptr,intptr) <0x00007>
        at Board.Game.Turn (string[]) [0x00005] in /src/Board/Game.cs:79
        at Board.Game.Main (string[]) [0x00002] in /src/Board/Game.cs:19

      """
    expectEqual(try JsonFixture.report(text, with: []).crash.reason, reason)
  }

  /// Who called qFatal() in Qt, above the program's own frame.
  ///
  /// Source: github.com/qt/qtbase, src/corelib/thread/qthread.cpp.
  @Test(
    arguments: [
      (
        "QThread::~QThread()",
        " by QThread::~QThread(): the object was destroyed while its thread was running"
      ),
      ("QDeckPlugin::load()", " by QDeckPlugin::load()"), ("???", ""),
    ])
  func callersOfQFatal(name: String, words: String) {
    func stack(_ own: String) -> String {
      """
      * thread #1, queue = 'com.apple.main-thread', stop reason = signal SIGABRT
        * frame #0: 0x00007fff2060f92e libsystem_kernel.dylib`__pthread_kill + 10
          frame #1: 0x00007fff20593406 libsystem_c.dylib`abort + 125
          frame #2: 0x0000000101a28608 QtCore`QMessageLogger::fatal(char const*, ...) const + 196
          frame #3: 0x0000000101a28abe QtCore`___lldb_unnamed_symbol4042$$QtCore + 46
          frame #4: 0x00000001017015a8 QtCore`\(name) + 152
      \(own)
      """
    }
    expectEqual(
      JsonFixture.headline(stack("    frame #5: 0x000000010006fcfe board`Deck::~Deck() + 20\n")),
      "Deck::~Deck() — qFatal() was called (Qt)\(words)")
    if name == "QDeckPlugin::load()" {
      expectEqual(JsonFixture.headline(stack("")), "in Qt: \(name) — qFatal() was called (Qt)")
    }
  }

  // MARK: Titles

  /// Titles of Xcode's Organizer in the heading of an issue: the image, and its function.
  @Test(
    arguments: [
      ("# Crash in AppKit: -[NSView drawDeck] + 12", "-[NSView drawDeck] in AppKit"),
      ("# App crashes on launch: Board: Deck.deal(to:) + 148", "Deck.deal(to:)"),
      ("# Crash: libdeck.dylib: deal + 32", "deal"),
      ("# Crashed in Board.framework: deck::Card::draw(int) + 20", "deck::Card::draw(int)"),
    ])
  func titlesOfTheOrganizer(title: String, place: String) {
    expectEqual(JsonFixture.headline("\(title)\n\nIt happens now and then.\n"), place)
  }

  /// Other titles with such words.
  @Test(
    arguments: [
      "# Crash when opening file: it fails, see deal + 2", "# Crash course C++: operator + 2",
      "# Crash log: Total: 4 + 4", "# Crash report Notes: see Page + 3",
      "# Crash Course: Score: lives + 3", "Crash in AppKit: -[NSView drawDeck] + 12",
    ])
  func otherTitles(title: String) {
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("\(title)\n\nIt happens now and then.\n".utf8))
    }
  }

  // MARK: Names of neighbours

  /// Crashlytics' pages name the nearest exported function: a function of C in CoreFoundation right
  /// below the throw is `+[NSException raise:format:]`, and who called that threw.
  @Test(arguments: ["__CFDictionaryCreateGeneric", "_CFXNotificationPost"])
  func functionsOfCBelowTheThrow(function: String) {
    let text = """
      Fatal Exception: NSInternalInconsistencyException
      0  CoreFoundation                 0x99d78 __exceptionPreprocess
      1  libobjc.A.dylib                0x16734 objc_exception_throw
      2  CoreFoundation                 0xf1024 \(function)
      3  CoreAutoLayout                 0x187180 _NSDeckTurn
      4  CoreAutoLayout                 0x27cfb8 _NSDeckDeal

      """
    expectEqual(
      JsonFixture.headline(text),
      "_NSDeckTurn in CoreAutoLayout — NSInternalInconsistencyException")
  }

  /// WebKit's check of a completion handler that a delegate has to call once.
  ///
  /// Source: WebKit/WebKit, Source/WebKit/Shared/Cocoa/CompletionHandlerCallChecker.mm.
  @Test(arguments: [
    ("~CompletionHandlerCallChecker()", "did not call the completion handler"),
    ("didCallCompletionHandler()", "called a completion handler of WebKit's more than once"),
  ])
  func completionHandlersOfWebKit(function: String, words: String) throws {
    let found = try JsonFixture.report(
      """
      Fatal Exception: NSInternalInconsistencyException
      0  CoreFoundation                 0x99d78 __exceptionPreprocess
      1  libobjc.A.dylib                0x16734 objc_exception_throw
      2  CoreFoundation                 0xf1024 __CFDictionaryCreateGeneric
      3  WebKit                         0x187180 WebKit::CompletionHandlerCallChecker::\(function)
      4  WebKit                         0x27cfb8 WTF::Deck::turn()

      """, with: []
    ).crash
    expectContains(found.reason ?? "", words)
    expectEqual(found.reason?.contains("CFDictionary"), false)
  }

  /// A loop of events that throws itself runs nothing, so who called it is the place.
  @Test(
    arguments: [
      (["-[NSApplication run] + 732"], "deck_run"),
      (["-[NSWindow sendEvent:] + 732", "-[NSApplication run] + 732"], nil),
    ] as [([String], String?)])
  func loopsThatThrow(methods: [String], function: String?) throws {
    let frames = methods.enumerated().map { index, method in
      "\t\(index + 3)   AppKit               0x0000000188629e50 \(method)"
    }
    let found = try JsonFixture.report(
      """
      *** Terminating app due to uncaught exception 'NSInternalInconsistencyException', reason: 'no cards'
      *** First throw call stack:
      (
      \t0   CoreFoundation       0x0000000184ed0570 __exceptionPreprocess + 176
      \t1   libobjc.A.dylib      0x00000001849c1eb4 objc_exception_throw + 60
      \t2   Foundation           0x000000018601843c -[NSCalendarDate initWithCoder:] + 0
      \(frames.joined(separator: "\n"))
      \t6   libBoard.dylib       0x0000000127e45d7c deck_run + 484
      )

      """, with: []
    ).crash
    expectEqual(found.frame?.function, function)
  }

  // MARK: Whose files

  /// Since version 26, reports of Apple's systems have source files of the system's functions, too:
  /// a file does not make a frame the program's.
  @Test(arguments: [" (NSException.m:249)", ""])
  func filesOfTheSystem(file: String) throws {
    let found = try JsonFixture.report(
      """
      Last Exception Backtrace:
      0   CoreFoundation      0x18c52c964 __exceptionPreprocess + 164\(file)
      1   libobjc.A.dylib     0x189409814 objc_exception_throw + 88
      2   DeckTasks           0x1b62680cc -[DTDeck turn] + 224 (DTDeck.m:335)
      3   Board               0x100533348 -[Board deal] + 148

      """, with: []
    ).crash
    expectEqual(found.frame?.function, file.isEmpty ? "-[DTDeck turn]" : "-[Board deal]")
  }

  /// A runtime without names at the top is said, if nothing else is known.
  @Test(arguments: [
    ("libswiftCore.dylib", "Board + 4096 — crashed in libswiftCore.dylib"),
    ("libobjc.A.dylib", "Board + 4096 — crashed in libobjc.A.dylib"),
    ("CoreFoundation", "Board + 4096"),
  ])
  func runtimesWithoutNames(image: String, headline: String) {
    let text = """
      Thread 0 name:  Dispatch queue: com.apple.main-thread
      Thread 0 Crashed:
      0   \(image)            \t0x00000001a5e88148 0x1a5aca000 + 3924296
      1   Board                         \t0x0000000104d05000 0x104d04000 + 4096
      2   UIKitCore                     \t0x00000001a48ed498 0x1a3d72000 + 12039320

      """
    expectEqual(JsonFixture.headline(text), headline)
  }

  /// Tk is no part of Apple's systems but for an old copy, whose path a stack does not state.
  @Test func toolkitsThatProgramsBring() throws {
    let found = try JsonFixture.report(
      """
      *** Terminating app due to uncaught exception 'NSInternalInconsistencyException', reason: 'no cards'
      *** First throw call stack:
      (
          0   CoreFoundation       0x000000018f84f19c __exceptionPreprocess + 176
          1   libobjc.A.dylib      0x000000018f36e4d4 objc_exception_throw + 60
          2   AppKit               0x0000000192a16c14 -[NSWindow _deal] + 320
          3   Tk                   0x00000002c23d6634 TkMacOSXMakeRealWindowExist + 524
      )

      """, with: []
    ).crash
    expectEqual(found.library, "Tk")
  }

  /// The class of an object that may be nil: Swift calls this with what it was given.
  @Test(arguments: [("swift_getObjectType", nil as String?), ("swift_retain", "freedObject")])
  func objectsThatMayBeNil(function: String, kind: String?) throws {
    let found = try JsonFixture.report(
      """
      0   libswiftCore.dylib              0x329453cd4         \(function)
      1   Board                           0x1065fb554         Board.turn()
      2   UIKitCore                       0x339b77c50         -[UIApplication run]

      """, with: []
    ).crash
    expectEqual(found.kind, kind)
  }
}
