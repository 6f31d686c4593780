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
}
