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
