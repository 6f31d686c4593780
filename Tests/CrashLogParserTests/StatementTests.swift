import CrashLogParser
import TestSupport
import Testing

/// Facts of a crash in texts without frames: what processes, runtimes and people say.
struct StatementTests {
  @Test(arguments: [
    (
      "2023-05-01 10:00:00.000000+0200 Game[812:56] Game/Board.swift:7: Fatal error: no cards\n",
      "Game/Board.swift:7: Fatal error: no cards"
    ),
    (
      "2020-05-01 10:00:00.0+0200 Game[812:56] Fatal error: no cards: file /src/Board.swift, line 7\n",
      "Fatal error: no cards: file /src/Board.swift, line 7"
    ),
    (
      "Game(812,0x16d9) malloc: *** error for object 0x10: pointer being freed was not allocated\n",
      "Game(812,0x16d9) malloc: *** error for object 0x10: pointer being freed was not allocated"
    ),
    (
      "Game[812,0x7fff997e13c0] malloc: *** error for object 0x10: incorrect checksum\n",
      "Game[812,0x7fff997e13c0] malloc: *** error for object 0x10: incorrect checksum"
    ),
    (
      "Game(812,0x16d9) malloc: *** error for object 0x10: pointer being\nfreed was not allocated\n",
      "Game(812,0x16d9) malloc: *** error for object 0x10: pointer being freed was not allocated"
    ),
  ])
  func wordsOfAProcess(line: String, words: String) throws {
    let facts = try ParsedText(line).report.facts
    expectEqual(facts.applicationInformation, [words])
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.process.identifier, 812)
  }

  /// A name may have blanks in it.
  @Test(arguments: [
    ("2023-05-01 10:00:00.000 Letter Game[812:56] ", "Letter Game"), ("Game[812:56] ", "Game"),
    ("[x y[812:56] ", "y"), ("[812:56] ", nil),
  ])
  func writersOfLogs(head: String, name: String?) throws {
    let facts = try ParsedText("\(head)Game/Board.swift:7: Fatal error: no cards\n").report.facts
    expectEqual(facts.process.name, name)
    expectEqual(facts.process.identifier, name == nil ? nil : 812)
  }

  @Test func privateDataWithoutWords() throws {
    let words =
      "This app has crashed because it attempted to access privacy-sensitive data without a usage description."
    let facts = try ParsedText(
      "2017-12-21 09:19:22.863408+0800 Game[812:51966] [access] \(words)\n"
    ).report.facts
    expectEqual(facts.termination.namespace, "TCC")
    expectEqual(facts.termination.details, [words])
    expectEqual(facts.process.identifier, 812)
  }

  @Test func wordsAboveFrames() throws {
    let report = try ParsedText(
      """
      Game/Board.swift:7: Fatal error: no cards
      Current stack trace:
      0    libswiftCore.so   0x00007f83289f0ea0 _swift_stdlib_reportFatalErrorInFile + 115
      1    Game              0x0000560f8239a4c0 <unavailable> + 3138752
      2    Game              0x0000560f82396204 main + 68

      """
    ).report
    expectEqual(
      report.facts.applicationInformation, ["Game/Board.swift:7: Fatal error: no cards"])
    expectNil(report.allFrames[1].symbol)
  }

  /// The words of Swift up to version 3, on the console and once more in the log.
  @Test(arguments: [
    "fatal error: Index out of range\n2017-05-15 15:38:51.8-1000 Game[812:56] fatal error: Index out of range\n",
    "Jun 15 15:38:51 host Game[812]: fatal error: Index out of range\n",
    "Game[812:56] Fatal error: Index out of range\n",
  ])
  func wordsInALogAboveFrames(words: String) throws {
    let text = """
      \(words)Current stack trace:
      0    libswiftCore.dylib   0x0000000100388130 swift_reportError + 129
      1    libswiftCore.dylib   0x00000001003a4b50 _swift_stdlib_reportFatalError + 60

      """
    let facts = try ParsedText(text).report.facts
    expectEqual(facts.applicationInformation, ["Fatal error: Index out of range"])
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.process.identifier, 812)
  }

  /// The standard library's own words need no stack.
  @Test(arguments: [
    ("fatal error: unexpectedly found nil while unwrapping an Optional value", true),
    ("2017-05-15 15:38:51.8 Game[812:56] fatal error: unexpectedly found nil while x", true),
    ("Game[812:56] Fatal error: Unexpectedly found nil while unwrapping an Optional value", true),
    ("fatal error: all goroutines are asleep - deadlock!", false),
    ("fatal error: 'Board.h' file not found", false),
    ("Game[812:56] Fatal error: no route", false),
  ])
  func bareWordsOfSwift(line: String, isSwift: Bool) {
    expectEqual((try? ParsedText("\(line)\n(lldb)\n").report) != nil, isSwift)
  }

  /// Heads of traces whose frames are not in the text.
  @Test(arguments: [
    (
      "/src/c++/v1/ostream:952:36: runtime error: member call on null\n0x1: note: x\n",
      "UndefinedBehaviorSanitizer", "member call on null at ostream:952"
    ),
    (
      "SUMMARY: AddressSanitizer: heap-use-after-free board.cc:12 in turn()\n", "AddressSanitizer",
      "heap-use-after-free board.cc:12 in turn()"
    ),
    (
      "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x7fff2064ec9e]\n", "SIGSEGV",
      "SEGV_MAPERR at 0x18"
    ),
    ("[signal 0xb code=0x1 addr=0x18 pc=0xbd5f5]\n", "SIGSEGV", "SEGV_MAPERR at 0x18"),
    ("#  SIGBUS (0xa) at pc=0x00007fff9c2dc4dd, pid=812, tid=1295\n", "SIGBUS", nil),
    ("It stops:\n> Thread 1: EXC_BREAKPOINT (code=1, subcode=0x18)\n", "EXC_BREAKPOINT", nil),
    ("Thread 1: signal SIGABRT\n", "SIGABRT", nil),
    (
      "F/libc (812): Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x18 in tid 9\n",
      "SIGSEGV", "SEGV_MAPERR at 0x18"
    ),
    ("F libc    : Fatal signal 6 (SIGABRT), code -6 in tid 9 (worker)\n", "SIGABRT", nil),
  ])
  func headsOfTraces(text: String, type: String, subtype: String?) throws {
    let exception = try ParsedText(text).report.facts.exception
    expectEqual(exception.type ?? exception.signal, type)
    expectEqual(exception.subtype, subtype)
  }

  @Test func bannersOfXcode() throws {
    let access = try ParsedText("Thread 1: EXC_BAD_ACCESS (code=1, address=0x10)\n").report
    expectEqual(access.facts.exception.codes, [1, 0x10])
    let failure = try ParsedText("Thread 1: Fatal error: Index out of range\n").report
    expectEqual(failure.facts.applicationInformation, ["Fatal error: Index out of range"])
    let words = try ParsedText("Fatal Python error: Bus error\n").report
    expectEqual(words.facts.applicationInformation, ["Fatal Python error: Bus error"])
  }

  /// People add the place to the words of Swift. PHP has other places and other words.
  @Test(arguments: [
    ("no cards\nat Game/Board.swift:7\n", "Game/Board.swift:7: Fatal error: no cards"),
    (
      "Unexpectedly found nil while unwrapping an Optional value\n",
      "Fatal error: Unexpectedly found nil while unwrapping an Optional value"
    ),
  ])
  func wordsOfSwiftAlone(text: String, words: String) throws {
    let facts = try ParsedText("It quits:\n```\nFatal error: \(text)```\n").report.facts
    expectEqual(facts.applicationInformation, [words])
  }

  /// The log of Android, cut above the frames, or below the first one.
  @Test(arguments: [0, 1])
  func headInTheLogOfAndroid(frameCount: Int) throws {
    let lines = [
      "pid: 812, tid: 819, name: worker  >>> com.example.game <<<",
      "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x50f04", "backtrace:",
      "    #00 pc 000000000001d2f4  /data/app/libgame.so (turn+52)",
    ]
    let text = lines.prefix(3 + frameCount).map { "04-06 22:49:58.552  16  16 F DEBUG   : \($0)\n" }
    let report = try ParsedText("--- beginning of crash\n" + text.joined()).report
    expectEqual(report.format, .androidTombstone)
    expectEqual(report.facts.exception.subtype, "SEGV_MAPERR at 0x50f04")
    expectEqual(report.facts.process.name, "com.example.game")
    expectEqual(report.allFrames.count, frameCount)
  }

  @Test(arguments: ["", "> "])
  func fields(quote: String) throws {
    let text = """
      It quits.

      Crashed Thread:        4  Dispatch queue: work
      ......
      Application Specific Information:
      *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'

      """
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let facts = try ParsedText(lines.map { "\(quote)\($0)\n" }.joined()).report.facts
    expectEqual(facts.exception.name, "NSRangeException")
    expectEqual(facts.exception.reason, "index 3")
    expectEqual(facts.statedCrashedThread, 4)
  }

  /// What logs and hooks put around the words of a panic, in old and new versions of Rust. The
  /// first of two panics counts.
  @Test(arguments: [
    (
      "10:26:55 [ERROR] thread 'main' panicked at 'no cards': src/deck.rs:7\n",
      "thread 'main' panicked at 'no cards': src/deck.rs:7"
    ),
    (
      "[2024-01-01T10:00:00Z ERROR panic] thread 'io' (42) panicked at 'no cards', src/deck.rs:7:5\n",
      "thread 'io' (42) panicked at 'no cards', src/deck.rs:7:5"
    ),
    (
      "Nov 26 10:00:09 host game[12]: thread '<unnamed>' panicked at src/deck.rs:7:5:\nNov 26 10:00:10 host game[12]: no cards\n",
      "thread '<unnamed>' panicked at src/deck.rs:7:5: no cards"
    ),
    (
      "The application panicked (crashed).\nMessage:  no cards\nLocation: src/deck.rs:7\n",
      "The application panicked at src/deck.rs:7: no cards"
    ),
  ])
  func panicsInLogs(text: String, words: String) throws {
    let facts = try ParsedText("It quits:\n\(text)").report.facts
    expectEqual(facts.applicationInformation, [words])
  }

  /// Markdown's backslashes, entities of a page, and lines that begin in the middle.
  @Test(arguments: [
    "10:00:00.1 Game[812:c07] **\\* Terminating app due to ", "\\*\\*\\* Terminating app due to ",
    "\\*** Terminating app due to ", "app due to ", "", "<p>&#42;** Terminating app due to ",
  ])
  func uncaughtExceptions(start: String) throws {
    let quote = start.hasPrefix("<") ? "&#39;" : "'"
    let facts = try ParsedText(
      "\(start)uncaught exception \(quote)NSRangeException\(quote), reason: \(quote)index 3\(quote)\n"
    ).report.facts
    expectEqual(facts.exception.name, "NSRangeException")
    expectEqual(facts.exception.reason, "index 3")
  }

  /// Fields that a page or a form put on one line.
  @Test(arguments: ["", "<p>"])
  func fieldsOnALine(start: String) throws {
    let facts = try ParsedText(
      "\(start)Exception Type: EXC_BAD_ACCESS (SIGSEGV) Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000010 Crashed Thread: 3\n"
    ).report.facts
    expectEqual(facts.exception.signal, "SIGSEGV")
    expectEqual(facts.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000010")
    expectEqual(facts.statedCrashedThread, 3)
  }

  /// Source code, prose, other programs' messages, and documents with several examples.
  @Test(arguments: [
    "  XCTAssertEqual(line, \"Game/Board.swift:7: Fatal error: no cards\")\n",
    "NSLog(@\"*** Terminating app due to uncaught exception '%@', reason: '%@'\", name, reason);\n",
    "Fatal error: Uncaught Error: Call to undefined function f() in /var/www/x.php:3\n",
    "Fatal error: no cards\nat /var/www/x.php:3\n",
    "Exception Type:  EXC_CRASH (SIGABRT)\nis one.\n\nException Type:  EXC_GUARD\nanother.\n",
    "The Exception Type: field says EXC_BAD_ACCESS.\n",
    "Event: conference\nDuration: 3 days\n", "0   Apples              red + 3\n",
    "\"termination\": {\"namespace\":\"kube\"}\n",
    "panic: runtime error: index out of range\n", "lua: a.lua:1: runtime error: x\n",
    "printf(\"SUMMARY: %s: %s\", tool, text);\n",
    "SUMMARY: AddressSanitizer: 12 byte(s) leaked in 1 allocation(s).\n",
    "If it says Thread 1: EXC_BAD_ACCESS (code=1, address=0x0), see below.\n",
    "Thread 1: waits\n", "The code calls `thread 'main' panicked at` in its documentation.\n",
    "Not emitting 0xdead10cc error for process [app<a>:1] suspended with locked system files because it is a Mac Catalyst app.\n",
    "My app was suspended with locked system files: what does that mean?\n",
    "Application Specific Information: is what an application says.\n",
    "It shows:\n\nApplication Specific Information:\nwhat an application says\n\nand more.\n",
    "Catch an uncaught exception 'NSRangeException', reason: 'x' like this.\n",
    "The Process: and the Exception Type: of a report are fields of its head, as people say it.\n",
    "-[Page load:done:]\n-[Page open]\n", "[INFO] NSRangeException\n[Page load]\n",
    "When it runs, thread 'main' has overflowed its stack and nobody knows why.\n",
    "If the log has `panic(cpu 2 caller 0xf0): no cards`, send it.\n",
    "It calls `panic(cpu 2 caller)` then, or `panic(cpu 2): no cards`.\n",
    "panic(...): it is called for every error of the deck.\n",
    "It ends the kernel panic \"no cards\" of the last version.\n",
    "I asked on Stack overflow. Nobody knows.\n", "This is a stack overflow.\n",
  ])
  func otherText(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }
}
