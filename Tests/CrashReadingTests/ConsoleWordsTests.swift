import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Words that people paste around frames, and names of frames that are those of their neighbours.
struct ConsoleWordsTests {
  // MARK: Words around frames

  /// Crashlytics' pages have no words; who pastes one puts the console's above it.
  @Test func wordsAboveCrashlytics() throws {
    try expectReason(
      """
      Swift/ContiguousArrayBuffer.swift:580: Fatal error: Index out of range

      Crashed: com.apple.main-thread
      0  libswiftCore.dylib    0x3b1a8 _assertionFailure(_:_:file:line:flags:) + 300
      1  Board                 0x87728 Deck.draw(_:) + 295 (Deck.swift:295)
      2  UIKitCore             0x17258c -[UIWindow sendEvent:] + 980

      """, "Swift/ContiguousArrayBuffer.swift:580: Fatal error: Index out of range",
      in: "Deck.draw(_:)")
  }

  /// What a debugger shows, and below it what the console says.
  @Test func wordsBelowAFrame() throws {
    try expectReason(
      """
      #1  0x000000010000a38b in Deck.draw() at /src/Deck.swift:136

      Output:

      fatal error: unexpectedly found nil while unwrapping an Optional value
      (lldb)

      """, "Fatal error: unexpectedly found nil while unwrapping an Optional value",
      in: "Deck.draw()")
  }

  /// Words between two stacks are those of the second.
  @Test func wordsBetweenFrames() throws {
    let frame = "#0  0x000000010000a38b in Deck.draw() at /src/Deck.swift:136\n"
    let words = "fatal error: unexpectedly found nil while unwrapping an Optional value\n"
    let lldb =
      "* thread #1, stop reason = breakpoint 1.1\n"
      + "  * frame #0: 0x000000010000a38b Board`Deck.turn() at Deck.swift:7\n"
    let reports = try JsonFixture.document("\(frame)\n\(words)\n\(lldb)".utf8, with: []).reports
    expectEqual(
      reports.map { $0.crash.reason },
      [nil, "Fatal error: unexpectedly found nil while unwrapping an Optional value"])
  }

  /// Markdown escapes one of the stars, and the lines above the frames may be its only ones.
  @Test func escapedStarsAboveFrames() throws {
    try expectReason(
      """
      2026-01-02 20:07:58.969 Board[12:34] **\\* Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'
      **\\* First throw call stack:
      (
          0   CoreFoundation   0x000000010e20b34b exceptionPreprocess + 171
          1   libobjc.A.dylib  0x000000010dc6c21e objc_exception_throw + 48
          2   Board            0x000000010d3d959e -[Board draw] + 846
      )

      """, "NSRangeException: beyond", in: "-[Board draw]")
  }

  /// The first of several panics is the cause. Rust's runtime panics again while a thread ends, and
  /// much may be between that and the report.
  ///
  /// Source: github.com/rust-lang/rust, library/std/src/thread/local.rs.
  @Test(arguments: [2, 28])
  func panicsThatFollowAnother(lines: Int) throws {
    try expectReason(
      """
      thread 'main' panicked at 'no cards', src/deck.rs:12:5
      note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace
      thread '<unnamed>' panicked at 'cannot access a Thread Local Storage value during or after destruction: AccessError', library/std/src/thread/local.rs:248:26
      \(Array(repeating: "More about it.", count: lines).joined(separator: "\n"))
      Thread 0 Crashed:
      0   libsystem_kernel.dylib  0x00000001b4f4c930 __pthread_kill + 8
      1   libsystem_c.dylib       0x00000001b4f4c940 abort + 100
      2   deck                    0x00000001049b0858 deck_turn + 392

      """, "thread 'main' panicked at 'no cards', src/deck.rs:12:5", in: "deck_turn")
  }

  /// SourceKitten prints the message and place of a failure without `Fatal error: ` before it calls
  /// `abort()`; the shell says that the process ended by a signal.
  @Test(arguments: [
    ("./build.sh: line 7: 4711 Abort trap: 6           deck", true), ("make: 1 file made", false),
  ])
  func messageWithPlaceAlone(ending: String, isReason: Bool) throws {
    let message = "No cards in it.: file Deck+Draw.swift, line 12"
    try expectReason(
      """
      Drawing cards
      \(message)
      \(ending)

      Thread 1 Crashed:
      0   libsystem_kernel.dylib  0x00000001b4f4c930 __pthread_kill + 8
      1   libsystem_c.dylib       0x00000001b4f4c940 abort + 100
      2   Board                   0x00000001049b0858 Deck.draw() + 392

      """, isReason ? message : "abort() was called", in: "Deck.draw()")
  }

  /// Who copies Crashlytics' page puts the reason above the heading.
  @Test(arguments: [
    ("*** -[Deck draw]: no card in it", true), ("It says -[Deck draw]: no card in it", false),
  ])
  func reasonAboveHeading(line: String, isReason: Bool) throws {
    let crash = try JsonFixture.report(
      """
      It ends at once.

      \(line)
                Fatal Exception: NSGenericException
      0  CoreFoundation   0x83f20 __exceptionPreprocess
      1  libobjc.A.dylib  0x172b8 objc_exception_throw
      2  Board            0x10e2730 -[Deck draw]
      3  Board            0x10e1990 -[Deck deal]

      """, with: []
    ).crash
    expectEqual(crash.reason?.contains(line), isReason)
    expectEqual(crash.frame?.function, "-[Deck draw]")
  }

  /// A log that ends within the last words, which stand above as a whole.
  @Test func wordsThatAreCutOff() throws {
    try expectReason(
      """
      It stops with an error:
      app.deck.NoSuchCardException: No card of the name 'Ace' is here.

      The log:
      Uncaught Kotlin exception: app.deck.NoSuchCardException: No card of
      """,
      "Uncaught Kotlin exception: app.deck.NoSuchCardException: No card of the name 'Ace' is here.")
  }

  /// AppKit's words about an exception, in the prose above a report that only shows the trap.
  @Test(arguments: ["", "It ends with `", "2026-01-02 10:00:00.0 Board[12:34] [General] "])
  func wordsOfAppKit(head: String) throws {
    let words = "Crashing on exception: no nib of that name"
    try expectReason(
      """
      \(head)\(words)\(head.hasSuffix("`") ? "`, I think." : "")

      Process:               Board [9176]
      Path:                  /Applications/Board.app/Contents/MacOS/Board
      Identifier:            com.example.Board
      Version:               1.0 (1)
      OS Version:            macOS 11.7.10 (20G1427)
      Crashed Thread:        0

      Exception Type:        EXC_BAD_INSTRUCTION (SIGILL)
      Exception Codes:       0x0000000000000001, 0x0000000000000000

      """, words)
  }

  // MARK: Names of neighbours

  private static func steps(_ offsets: [Int]) -> String {
    let frames = offsets.enumerated().map { index, offset in
      "\(index + 4)   Board   0x0000000\(String(0x1_0761_0000 + offset, radix: 16)) deckVersion + \(offset)\n"
    }
    return """
      *** Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'
      *** First throw call stack:
      (
      0   CoreFoundation   0x000000010999df45 __exceptionPreprocess + 165
      1   libobjc.A.dylib  0x0000000109349deb objc_exception_throw + 48
      2   CoreFoundation   0x000000010999de7d +[NSException raise:format:] + 205
      3   Foundation       0x0000000108ef890a -[NSString stringByAppendingString:] + 96
      \(frames.joined()))

      """
  }

  /// Functions without names that call each other have the name of the last exported one.
  @Test(arguments: [
    ([35744, 35330], true), ([0x5000, 0x6000, 0x5100], true),
    // A function of that length may be; so may one that calls itself at one place, or often.
    ([35744], false), ([35744, 35744], false), ([300, 200], false),
    (Array(stride(from: 0x4100, to: 0x4a00, by: 0x100)), false),
  ])
  func distantNames(offsets: [Int], isFar: Bool) throws {
    let summary = JsonFixture.output(Self.steps(offsets).utf8, as: .summary, with: [])
    expectEqual(
      summary.contains("\n\(isFar ? "" : "deckVersion — ")NSRangeException: beyond\n"), true)
  }

  /// Rust names the function without a prefix since 2025. If nothing is below the hook, the place
  /// is not in the text.
  @Test func hookOfNewerRust() throws {
    let crash = try JsonFixture.report(
      """
      thread 'main' panicked at src/deck.rs:12:5:
      no cards
      stack backtrace:
         0: std::backtrace::Backtrace::create
         1: game::install_hook::{{closure}}
                   at ./src/main.rs:50:20
         2: std::panicking::panic_with_hook

      """, with: []
    ).crash
    expectEqual(crash.reason, "thread 'main' panicked at src/deck.rs:12:5: no cards")
    expectEqual(crash.frame?.function, nil)
  }

  // MARK: Frames that say why

  /// Swift's runtime calls what the class of an object names. Crashlytics shows an address in no
  /// image so, and the names that a build with bitcode hid.
  @Test(arguments: [("0x4ffff36a8 (Missing)", true), ("0x4ffff36a8 draw + 12", false)])
  func callThroughDeadObject(top: String, isObject: Bool) throws {
    let crash = try JsonFixture.report(
      """
      Crashed: com.apple.main-thread
      0  ???                            \(top)
      1  libswiftCore.dylib             0x1bdf5a320 _swift_release_dealloc + 28
      2  Cards                          0x1053dcf70 _hidden#58_ + 4312321904 (__hidden#79_:4312321904)
      3  Cards                          0x1053dc7e4 Deck.draw(_:) + 168 (__hidden#59_:168)
      4  UIKitCore                      0x1b40f9694 -[UICollectionView layoutSubviews] + 156

      """, with: []
    ).crash
    expectEqual(crash.kind == "freedObject", isObject)
    if isObject { expectEqual(crash.frame?.function, "Deck.draw(_:)") }
  }

  /// What Foundation threw ends its function, so the frame below names the caller, also in a piece
  /// of JSON whose list of images is cut off.
  @Test func throwerWithoutImages() throws {
    func frame(_ symbol: String, _ offset: Int) -> String {
      #"{"imageOffset":1858,"symbol":"\#(symbol)","symbolLocation":\#(offset),"imageIndex":3}"#
    }
    let crash = try JsonFixture.report(
      """
      "exception" : {"codes":"0x0, 0x0","rawCodes":[0,0],"type":"EXC_CRASH","signal":"SIGABRT"},
        "asi" : {"libsystem_c.dylib":["abort() called"]},
        "lastExceptionBacktrace" : [\(frame("__exceptionPreprocess", 164)),\(frame("objc_exception_throw", 88)),\(frame("_dealCards", 0)),\(frame("_writeCards", 388))
      """, with: []
    ).crash
    expectEqual(
      crash.reason,
      "uncaught Objective-C exception, which the report does not name, thrown in or below"
        + " _writeCards")
  }

  /// A note with several crashes of Crashlytics: what is below the first heading is the first. The
  /// thread that gave up is that of the exception.
  @Test(arguments: [
    ("objc_object::release()", "-[Board draw]"), ("abort", "-[Deck deal]"),
  ])
  func severalCrashes(function: String, place: String) throws {
    let crash = try JsonFixture.report(
      """
      Crashed: com.apple.main-thread
      0  libobjc.A.dylib                0x1df736b00 \(function) + 16
      1  libsystem_blocks.dylib         0x1dffe2a44 _Block_release + 152
      2  Board                          0x100b111a4 -[Board draw] + 20

      Fatal Exception: NSGenericException
      0  CoreFoundation                 0x22efb0ec4 __exceptionPreprocess
      1  libobjc.A.dylib                0x22e181a50 objc_exception_throw
      2  Board                          0x10407367c -[Deck deal]

      #0
      Crashed: com.apple.main-thread
      EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x00000b0a09080700
      Crashed: com.apple.main-thread
      0  libobjc.A.dylib                0x183251990 lookUpImpOrForward + 92
      1  Board                          0x1017c3eac -[Card turn] + 20

      """, with: []
    ).crash
    expectEqual(crash.kind == "freedObject", function != "abort")
    expectEqual(crash.frame?.function, place)
  }

  /// Unity's frames, in a page of Crashlytics, have no numbers and no images; behind names that are
  /// not theirs, the distance is that from the start of the memory.
  ///
  /// Source: github.com/AppsFlyerSDK/appsflyer-unity-plugin, issue 71.
  @Test func framesOfUnity() throws {
    let report = try JsonFixture.report(
      """
      It is an `EXC_BAD_ACCESS KERN_INVALID_ADDRESS` on some devices:

      ```
      0x10320b7d4 Cards::Deck::Deal(Cards::Player&) + 935 (Deck.h:935)
       0x10320aec4 Cards::Deck::Turn(std::basic_string<char> const&, int) + 324 (Deck.cpp:324)
      0x1057486f4 -[CardEvent sign].cold.1 + 4415653620
      0x102ebdca8 RuntimeInvoker(void (*)(), int) + 12 (Runtime.cpp:12)
      ```

      """, with: [])
    expectEqual(report.backtraces.first?.frames.count, 4)
    expectEqual(report.crash.frame?.function, "Cards::Deck::Deal(Cards::Player&)")
  }

  /// Other lists of addresses have no places.
  @Test(arguments: ["0x100003f50 deck_turn + 12", "0x100003f50 deck_turn + 12 (read only)"])
  func listsOfAddresses(line: String) {
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("Symbols:\n\(line)\n\(line)\n".utf8))
    }
  }

  /// What a hook for panics calls stands above the frames of the panic.
  @Test(arguments: [true, false])
  func hooksOfRust(isCut: Bool) throws {
    let below = """
         5:  0x105ce8db9 - rust_begin_unwind
         6:  0x105ce8dc9 - core::panicking::panic_fmt::h0a1b2c3d4e5f6076
         7:  0x105ce8dd9 - game::deck::draw::h0a1b2c3d4e5f6077

      """
    let text = """
      thread 'main' panicked at src/deck.rs:12:5:
      no cards
      stack backtrace:
         0:  0x105251a27 - backtrace::capture::Backtrace::new::h0a1b2c3d4e5f6071
         1:  0x10532d16b - human_panic::report::Report::new::h0a1b2c3d4e5f6072
         2:  0x10549b623 - game::hooks::install::{{closure}}::h0a1b2c3d4e5f6073
         3:  0x105cb03bc - std::panicking::rust_panic_with_hook::h0a1b2c3d4e5f6074
         4:  0x105ce8e25 - std::panicking::begin_panic_handler::{{closure}}::h0a1b2c3d4e5f6075

      """
    let crash = try JsonFixture.report(text + (isCut ? "" : below), with: []).crash
    expectEqual(crash.reason, "thread 'main' panicked at src/deck.rs:12:5: no cards")
    expectEqual(crash.frame?.index, isCut ? nil : 7)
  }
}
