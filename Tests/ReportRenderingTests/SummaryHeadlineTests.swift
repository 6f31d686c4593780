import ReportTestSupport
import TestSupport
import Testing

/// Headlines of texts that have only a part of what names the place.
struct SummaryHeadlineTests {
  /// Where the text ends within a name, the name is shown as far as it goes. Of two images without
  /// a process, nobody knows which one is the app.
  @Test func namesThatAreCut() {
    let lines = summary(
      """
      Thread 14 Crashed:
      0   libsystem_kernel.dylib        	0x0000000182865348 __pthread_kill + 8
      1   libobjc.A.dylib               	0x0000000181f9c810 _objc_terminate() + 124
      2   Board                         	0x0000000104263668 CPPExceptionTerminate() + 436
      3   libobjc.A.dylib               	0x0000000181f9c65c objc_exception_throw + 364
      4   Kit                           	0x0000000105f798f4 kit::Row<kit::Table> KitAccess

      """, with: [])
    expectEqual(
      lines[1],
      "kit::Row<kit::Table> KitAccess… in Kit — uncaught Objective-C exception, thrown in Kit")
    expectTrue(lines.contains("  4  Kit                     kit::Row<kit::Table> KitAccess…"))
  }

  /// A function that is the place is not named again.
  @Test func placesAreNamedOnce() {
    let lines = summary(
      """
      Exception Type:  EXC_CRASH (SIGABRT)
      Triggered by Thread:  3

      Last Exception Backtrace:
      0   CoreFoundation                	0x18b5915f0 __exceptionPreprocess + 224
      1   libobjc.A.dylib               	0x18b2b3bcc objc_exception_throw + 56
      2   CoreFoundation                	0x18b495ea8 -[NSObject(NSObject) doesNotRecognizeSelector:] + 140
      3   CoreFoundation                	0x18b595694 ___forwarding___ + 1316
      4   CoreFoundation                	0x18b5975bc _CF_forwarding_prep_0 + 92
      5   my-app                        	0x104f6451c -[BoardManager turn:] + 464

      """, with: [])
    expectEqual(lines[1], "-[BoardManager turn:] — unrecognized selector sent to an object")
  }

  /// A part of an `.ips` that begins within the registers names neither images nor the exception.
  @Test func partsOfThreads() {
    let lines = summary(
      """
      {"value":0}],"flavor":"ARM_THREAD_STATE64","esr":{"value":4060086273,"description":"(Breakpoint) brk 1"},"pc":{"value":4852185904,"matchesCrashFrame":1},"far":{"value":4852187136}},"frames":[{"imageOffset":6519600,"symbol":"deal_cards","symbolLocation":924,"imageIndex":12},{"imageOffset":6518812,"symbol":"shuffle_deck","symbolLocation":136,"imageIndex":12},{"imageOff
      """, with: [])
    expectEqual(
      lines[1], "deal_cards — stopped by a trap instruction: a failed check, or a crash on purpose")
  }

  /// The first function behind `from` called what is in the system.
  @Test func chainsInSentences() {
    let lines = summary(
      """
      Reports abort with "BUG IN CLIENT OF LIBPLATFORM: os_once_t is corrupt". The stack is `fork` → `_os_alloc_once`, from `Board::spawn` ← `Deck::start` ← `main_loop`.

      """, with: [])
    expectEqual(lines[1], "Board::spawn — BUG IN CLIENT OF LIBPLATFORM: os_once_t is corrupt")
  }

  /// A long reason gives way to what caused the exception.
  @Test func causesAreKept() {
    let long = String(repeating: "card ", count: 60)
    let lines = summary(
      """
      Uncaught Kotlin exception: app.DeckException: \(long)
          at 0   Deck    0x000000010b0c8dec kfun:kotlin.Throwable#<init>(kotlin.String?){} + 124
          at 1   Deck    0x000000010b0c9dec kfun:app.Deck#deal(){} + 124
      Caused by: app.CardException: no ace
          at 0   Deck    0x000000010b0cfedd kfun:kotlin.Throwable#<init>(kotlin.String?){} + 93

      """, with: [])
    expectEqual(lines[1].hasSuffix(", caused by app.CardException: no ace"), true)
  }

  /// The system could not take the stacks, so nobody cut them off.
  @Test(arguments: [
    (
      "Unknown", "Backtrace not available\n",
      " — the system does not know which thread crashed, and could take no backtrace"
    ),
    (
      "3  Dispatch queue: q", "Backtrace not available\n",
      " — thread 3 (q) crashed; the system could take no backtrace"
    ),
    ("Unknown", "", " — the system does not know which thread crashed"),
    ("3", "", " — thread 3 crashed; its frames are not in this text"),
  ])
  func backtracesThatCouldNotBeTaken(thread: String, note: String, end: String) {
    let lines = summary(
      """
      Process:               Deck [812]
      Path:                  /usr/local/bin/Deck
      Crashed Thread:        \(thread)

      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x0000000112345678

      \(note)
      """, with: [])
    expectEqual(lines[1], "access to 0x112345678, where no memory is mapped\(end)")
  }

  /// The place is in a library without lines, and the program's own code that called it has one.
  @Test(arguments: [
    ("libSDL2-2.0.0.dylib", "in SDL: turn_card, called by main (main.cpp:11)"),
    ("libdeck.dylib", "turn_card, called by main (main.cpp:11)"), ("Board", "turn_card"),
  ])
  func callersWithLines(library: String, place: String) {
    let lines = summary(
      """
      Process:               Board [812]
      Path:                  /Applications/Board.app/Contents/MacOS/Board
      Exception Type:        EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes:       KERN_INVALID_ADDRESS at 0x0000000112345678

      Thread 0 Crashed:
      0   \(library)      \t0x000000010ad0b230 turn_card + 424
      1   \(library)      \t0x000000010ad05d3f show_card + 594
      2   Board               \t0x00000001090678f3 main + 2851 (main.cpp:11)
      3   libdyld.dylib       \t0x00007fff6b755015 start + 1

      """, with: [])
    expectEqual(lines[1], "\(place) — access to 0x112345678, where no memory is mapped")
  }

  /// A distance that the text has keeps the bit that marks Thumb code.
  @Test func distancesInThumbCode() {
    let lines = summary(
      """
      Process:               Board [812]
      Code Type:             ARM (Native)

      Thread 0 Crashed:
      0   Board               \t0x0009a6fb 0x63000 + 227067

      Binary Images:
      0x63000 - 0x1a2fff Board armv7  <50d489f108813a0e9bd2e093de509fe6> /var/mobile/Board.app/Board

      """, with: [])
    expectTrue(lines.contains("  0  Board  0x63000 + 227067"))
  }
}
