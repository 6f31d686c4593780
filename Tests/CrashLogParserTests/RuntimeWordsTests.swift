import CrashLogParser
import TestSupport
import Testing

/// What runtimes and their handlers of signals print, without frames or above them.
struct RuntimeWordsTests {
  /// The words are those of `swift_dynamicCastFailure` in Casting.cpp.
  @Test(arguments: ["", "2026-01-02 10:00:00.0 Game[812:56] "])
  func failedCasts(head: String) throws {
    let facts = try ParsedText(
      """
      \(head)Could not cast value of type 'NSTaggedString' (0x7ff84dbcb8a0) to 'Game.Card' (0x1150e1508).
      Stack dump:
      0.\tProgram arguments: /usr/bin/swift-frontend -frontend -interpret

      """
    ).report.facts
    expectEqual(
      facts.applicationInformation,
      ["Could not cast value of type 'NSTaggedString' to 'Game.Card'"])
    expectEqual(facts.process.name, head.isEmpty ? "swift-frontend" : "Game")
  }

  /// The order of the lines is that of the reports in OpenJ9's documentation.
  @Test(arguments: ["", "[2026-01-02T10:00:00.001Z] "])
  func signalsInOpenJ9(head: String) throws {
    let lines = [
      "...Unhandled exception", "Type=Segmentation error vmState=0x00040000",
      "J9Generic_Signal_Number=00000018 Signal_Number=0000000b Error_Value=00000000 Signal_Code=00000002",
      "Handler1=00007FF590C6E7D0 Handler2=00007FF590553670 InaccessibleAddress=0000000000000300",
      "RDI=00000000008C2500 RSI=000000000098FCC0", "Module=/opt/game/libcards.dylib",
      "Module_base_address=00007FF59100000",
    ]
    let facts = try ParsedText(lines.map { "\(head)\($0)\n" }.joined()).report.facts
    expectEqual(facts.exception.signal, "SIGSEGV")
    expectEqual(facts.exception.subtype, "Segmentation error at 0x300")
    expectEqual(facts.exception.message, "caught by the Java VM OpenJ9, in libcards.dylib")
  }

  /// The words are those of Bun's and Zig's handlers.
  @Test(arguments: [
    (
      "panic(main thread): Segmentation fault at address 0x8", "SIGSEGV",
      "Segmentation fault at 0x8"
    ),
    ("panic(thread 812): Bus error at address 0x1F0", "SIGBUS", "Bus error at 0x1f0"),
    ("Floating point error at address 0x104A10", "SIGFPE", "Floating point error at 0x104a10"),
  ])
  func signalsInZig(line: String, signal: String, words: String) throws {
    let facts = try ParsedText("Bun v1.2.3 (0123abcd) macOS Silicon\n\n\(line)\n").report.facts
    expectEqual(facts.exception.signal, signal)
    expectEqual(facts.exception.subtype, words)
    expectEqual(facts.process.name, "Bun")
    expectEqual(facts.process.version, "1.2.3")
    expectEqual(facts.system.name, "macOS")
  }

  @Test func panicsInBun() throws {
    let facts = try ParsedText(
      "Bun v1.2.3 (0123abcd) Linux x64\npanic(thread 812): reached unreachable code\n"
    ).report.facts
    expectEqual(facts.applicationInformation, ["panic(thread 812): reached unreachable code"])
  }

  /// The place is below the words, or behind them.
  @Test(arguments: [
    "assertion failed [block != nullptr]: no block for the pc. arm_pc=0x10537 range=[0x1,0x2)\n(Translator.cpp:12 translate)\n",
    "assertion failed [block != nullptr]: no block for the pc. (Translator.cpp:12 translate)\n",
  ])
  func assertionsOfRosetta(text: String) throws {
    let facts = try ParsedText(text).report.facts
    expectEqual(
      facts.applicationInformation,
      [
        "assertion failed in Rosetta, translate (Translator.cpp:12): block != nullptr: no block for the pc."
      ])
  }

  /// In bold text above a report that was cut.
  @Test func assertionsOfRosettaAboveAReport() throws {
    let facts = try ParsedText(
      """
      Before the crash, this is in the console:
      **assertion failed [*index + 2 == count]: the last but one
      (Recovery.cpp:32 check_flow)**

      Process:               Board [812]
      Identifier:            com.example.Board
      Version:               1.0 (7)
      Code Type:             X86-64 (Translated)
      OS Version:            macOS 12.2 (21D49)

      """
    ).report.facts
    expectEqual(
      facts.applicationInformation,
      [
        "assertion failed in Rosetta, check_flow (Recovery.cpp:32): *index + 2 == count: the last but one"
      ])
    expectEqual(facts.process.name, "Board")
  }

  /// Messages have line ends of their own, as libc++abi (cxa_default_handlers.cpp) and
  /// Kotlin/Native (Exceptions.cpp) print them, and people break long lines.
  @Test(
    arguments: [
      (
        "libc++abi: terminating due to uncaught exception of type board::DeckError:\n  no cards: dealt twice [code 21]\n\nMore.\n",
        "libc++abi: terminating due to uncaught exception of type board::DeckError: no cards: dealt twice [code 21]"
      ),
      (
        "libc++abi: terminating due to uncaught exception of type std::runtime_error: \n[GPU] out of memory (00000008)\n```\nmore\n",
        "libc++abi: terminating due to uncaught exception of type std::runtime_error: [GPU] out of memory (00000008)"
      ),
      (
        "Uncaught Kotlin exception: kotlin.IllegalStateException: Error: the `Deck.plist` lacks\na valid entry, or has it set to `false`.\nthe app is gone\n",
        "Uncaught Kotlin exception: kotlin.IllegalStateException: Error: the `Deck.plist` lacks a valid entry, or has it set to `false`."
      ),
      (
        "Uncaught Kotlin exception: kotlin.native.internal.IrLinkageError: \nFunction 'deal' can not be called: No function found for symbol \n'com.example.board/deal|deal(kotlin.Int){}[0]'\n\nAny idea?\n",
        "Uncaught Kotlin exception: kotlin.native.internal.IrLinkageError: Function 'deal' can not be called: No function found for symbol 'com.example.board/deal|deal(kotlin.Int){}[0]'"
      ),
    ])
  func sentencesThatGoOn(text: String, words: String) throws {
    try expectEqual(ParsedText("It says:\n\n\(text)").report.facts.applicationInformation, [words])
  }

  /// What others write below the last words is no part of them.
  @Test(arguments: [
    "\n\nNothing more.\n", "\n```\n", "\nzsh: abort      ./board\n", "\nAbort trap: 6\n",
    "\n    at 0   Board\n", "\n* thread #1\n", "\nProcess 812 stopped\n",
    "\n[1]    812 abort      ./board\n", "\n12:00:01 next\n",
  ])
  func sentencesThatEnd(below: String) throws {
    let words = "libc++abi: terminating due to uncaught exception of type board::DeckError:"
    try expectEqual(
      ParsedText("\(words)\(below)").report.facts.applicationInformation, [words])
  }

  /// assert.c of Libc prints the first, gtestutils.c of GLib the others.
  @Test(arguments: [
    "Assertion failed: ((count != 0 && count < 52) && \"no cards\"), function deal, file deck.c, line 9.",
    "Assertion failed: (count > 0), function deal at deck.cpp:9.",
    "Deck-App:ERROR:../src/deck.c:9:deal: assertion failed: (count > 0)",
    "Deck:ERROR:deck.c:9:deal: assertion failed (count == 52): (51 == 52)",
    "Deck:ERROR:deck.c:9:deal: code should not be reached",
  ])
  func failedAsserts(words: String) throws {
    try expectEqual(
      ParsedText("It says:\n\(words)\nAbort trap: 6\n").report.facts.applicationInformation, [words]
    )
    let report = try ParsedText(
      """
      \(words)

      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   libsystem_kernel.dylib  0x00007fff632752c2 __pthread_kill + 10
      1   libsystem_c.dylib       0x00007fff631df6a6 abort + 127
      2   Board                   0x000000010e0f26a6 deal + 127

      """
    ).report
    expectEqual(report.facts.applicationInformation, [words])
  }

  /// A log of errors is none of a failed assertion.
  @Test(arguments: [
    "deck:ERROR:no cards", "2026-01-01 10:00:00:ERROR:deck.c:9:deal: no cards",
    "see https://a.example/x:ERROR:b: assertion failed", "Assertion failed: (x) in my test",
  ])
  func wordsOfNoAssert(line: String) {
    expectNil(try? ParsedText("\(line)\n").report)
  }

  /// logging.cc of Chromium writes a place with a colon, before with parentheses; the first number
  /// is that of the process.
  @Test(arguments: [
    "[812:259:0704/101112.345678:FATAL:board/deck.cc:9] Check failed: count > 0.",
    "[812:0704/101112.345678:FATAL:deck.cc(9)] Check failed: count > 0.",
    "[0704/101112.345:FATAL:../../board/deck.cc(9)] Check failed: count > 0.",
    "It says [812:259:0704/101112:FATAL:deck.cc(9)] Check failed: count > 0.",
  ])
  func fatalWordsOfChromium(line: String) throws {
    let words = "FATAL: Check failed: count > 0. (deck.cc:9)"
    try expectEqual(ParsedText("\(line)\n").report.facts.applicationInformation, [words])
    let above = "[812:259:0704/101112:ERROR:hand.cc:7] no hand\n\(line)\nzsh: trace trap  ./board\n"
    for (process, isOther) in [("Process: Board [812]\n", false), ("Process: Board [7]\n", true)] {
      let report = try ParsedText(
        """
        \(above)
        \(process)Exception Type: EXC_BREAKPOINT (SIGTRAP)

        Thread 0 Crashed:
        0   Board    0x000000010e0f26a6 deal + 127

        """
      ).report
      let isOfOther = isOther && line.contains("812:")
      expectEqual(report.facts.applicationInformation, isOfOther ? [] : [words])
    }
  }

  /// Other levels, and source code, which has no numbers.
  @Test(arguments: [
    "[812:259:0704/101112.345678:ERROR:board/deck.cc:9] Check failed: count > 0.",
    "[%d:%d:%s:FATAL:%s(%d)] %s", "[main:FATAL:deck.cc:9] no cards", "a:FATAL:deck.cc:9] no cards",
    "[812:259:0704/101112:FATAL:deck.cc] no cards", "[812:259:0704/101112:FATAL:deck.cc:9]",
  ])
  func noFatalWordsOfChromium(line: String) {
    expectNil(try? ParsedText("\(line)\n").report)
  }

  /// A form has the same text in several places, and the last one may be cut.
  @Test(arguments: ["", "\n\n### Steps\n\nTermination Reason: Names"])
  func sameFieldsTwice(below: String) throws {
    let text = """
      Termination Reason: Namespace DYLD, Code 1 Library missing
      Library not loaded: '/System/Library/Frameworks/Deck.framework/Versions/A/Deck'
      Referenced from: '/Applications/Board.app/Contents/MacOS/Board'
      """
    let facts = try ParsedText(
      "### Version\n\n\(text)\n\n### What happened\n\n\(text)\n\(below)"
    ).report.facts
    expectEqual(facts.termination.namespace, "DYLD")
    expectEqual(facts.termination.code, 1)
    expectNil(
      try? ParsedText(
        "\(text)\n\nor\n\n\(text.replacing("Code 1 Library", with: "Code 4 Symbol"))\n"
      ).report)
  }

  /// `nanov2_guard_corruption_detected` of libmalloc, with and without the process, and with an
  /// address that somebody left out.
  @Test(arguments: [
    (
      "malloc: Heap corruption detected, free list is damaged at 0x...\n*** Incorrect guard value: ...\n",
      "malloc: Heap corruption detected, free list is damaged at 0x..."
    ),
    (
      "> Heap corruption detected, free list is damaged at 0x600001\n",
      "Heap corruption detected, free list is damaged at 0x600001"
    ),
    (
      "Board(812,0x16d9) malloc: Heap corruption detected, free list is damaged at 0x600001\n",
      "Board(812,0x16d9) malloc: Heap corruption detected, free list is damaged at 0x600001"
    ),
  ])
  func damagedFreeLists(text: String, words: String) throws {
    try expectEqual(ParsedText(text).report.facts.applicationInformation, [words])
    let report = try ParsedText(
      """
      ```
      \(text)```

      Caught with a debugger, in a loop:

      ```
      * thread #1, stop reason = signal SIGABRT
          frame #0: libsystem_kernel.dylib`__pthread_kill
          frame #1: libsystem_c.dylib`abort
      ```

      """
    ).report
    expectEqual(report.facts.applicationInformation, [words])
  }

  /// Prose says more on the line, and other assertions have no such place.
  @Test(arguments: [
    "It says Segmentation fault at address 0x8\n", "Look at address 0x8\n",
    "assertion failed [cards]: none\nMore words.\n", "assertion failed [", "assertion failed [a]:",
    "assertion failed [a]: b (", "assertion failed [a]: b\n(c.cpp:)\n",
    "NSRangeException - when a card is turned\n",
    "Execution of the command buffer was aborted due to an error during execution. Ignored (for causing prior/excessive GPU errors) (00000004:kIOGPUCommandBufferCallbackErrorSubmissionsIgnored)\n",
    "[mvk-error] VK_ERROR_FEATURE_NOT_PRESENT: vkCreateDevice(): not available.\n",
    "InaccessibleAddress=0000000000000300\n", "Bun v1.2.3 (0123abcd) macOS Silicon\n",
    "name = \"game\"\ncause = \"no cards\"\n",
    "It once said Heap corruption detected, free list is damaged at 0x1, I think.\n",
  ])
  func otherWords(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// The keys are those of `Report` in human-panic's report.rs.
  @Test(arguments: [
    "explanation = \"\"\"\nPanic occurred in file 'src/deck.rs' at line 12\n\"\"\"\ncause = \"no \\\"cards\\\"\"\n",
    "explanation = \"Panic occurred in file 'src/deck.rs' at line 12\\n\"\ncause = 'no \"cards\"'\n",
    "explanation = '''\nPanic occurred in file 'src/deck.rs' at line 12\n'''\ncause = '''\nno \"cards\" left\n'''\n",
  ])
  func filesOfHumanPanic(text: String) throws {
    let report = try ParsedText("```\nname = \"game\"\n\(text)method = \"Panic\"\n").report
    let isLong = text.hasSuffix("left\n'''\n")
    expectEqual(
      report.facts.applicationInformation,
      ["The application panicked at src/deck.rs:12: no \"cards\(isLong ? "\" left" : "\"")"])
  }

  @Test func stackOfHumanPanic() throws {
    let report = try ParsedText(
      """
      name = "game"
      operating_system = "Mac OS 13.6.4 [64-bit]"
      crate_version = "0.3.4"
      explanation = \"\"\"
      Panic occurred in file 'src/deck.rs' at line 12
      \"\"\"
      cause = "no cards"
      method = "Panic"
      backtrace = \"\"\"
         0:        0x105251a27 - backtrace::capture::Backtrace::new::h0a1b2c3d4e5f6071
         1:        0x10532d16b - human_panic::report::Report::new::h0a1b2c3d4e5f6072
         2:        0x10549b623 - game::deck::draw::h0a1b2c3d4e5f6073
      \"\"\"

      """
    ).report
    expectEqual(report.format, .rustBacktrace)
    expectEqual(report.allFrames.count, 3)
    expectEqual(report.facts.process.name, "game")
    expectEqual(report.facts.process.version, "0.3.4")
    expectEqual(
      report.facts.applicationInformation, ["The application panicked at src/deck.rs:12: no cards"])
  }

  /// The crate `backtrace` had no name, and older versions wrote the address behind that.
  @Test func framesWithoutInfo() throws {
    let report = try ParsedText(
      """
      name = "game"
      crate_version = "0.3.4"
      explanation = \"\"\"
      Panic occurred in file 'src/deck.rs' at line 12
      \"\"\"
      method = "Panic"
      backtrace = \"\"\"
      stack backtrace:
         0: <no info> (0x10b18ef3d)
         1: game::deck::draw
      \"\"\"

      """
    ).report
    expectEqual(report.allFrames.map(\.symbol?.name), [nil, "game::deck::draw"])
  }
}
