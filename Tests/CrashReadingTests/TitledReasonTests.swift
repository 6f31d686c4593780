import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons in titles of pages and in the arguments that debuggers show, frames that only pass
/// something on, and stops of a debugger.
struct TitledReasonTests {
  private func read(_ text: String) throws -> JsonReport { try JsonFixture.report(text, with: []) }
  private func crash(_ text: String) throws -> JsonReport.Crash { try read(text).crash }

  // MARK: Arguments in a debugger

  private func stack(_ helper: String, stop: String = "signal SIGABRT") -> String {
    """
    * thread #1, queue = 'com.apple.main-thread', stop reason = \(stop)
        frame #0: 0x000000018a0c25b0 libsystem_kernel.dylib`__pthread_kill + 8
        frame #1: 0x0000000189fffc60 libsystem_c.dylib`abort + 124
      * frame #2: 0x0000000100c5c2f0 Board`\(helper) at end.cpp:50:5
        frame #3: 0x0000000100c5c3f0 Board`deck::Pile::turn(this=0x000000016f3fccd8, n=3) at pile.hpp:88:5

    """
  }

  /// lldb shows the arguments of functions that it has debug information of, with the namespace of
  /// those that are in none (`::`).
  @Test(
    arguments: [
      (#"deck::terminate(message="Check failed: cards", line=88)"#, "Check failed: cards"),
      (#"::deck_abort(file="pile.hpp", message="no \"top\" card")"#, #"no \"top\" card"#),
      (#"deck_assert_fail(expr="n > 0", line=88)"#, "Assertion failed: (n > 0)"),
    ])
  func argumentsOfHelpers(helper: String, reason: String) throws {
    let found = try crash(stack(helper))
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.function, "deck::Pile::turn")
  }

  /// Functions that may do anything else, texts that are not shown, and bad accesses.
  @Test(
    arguments: [
      (#"deck::log(message="no cards")"#, "signal SIGABRT"),
      ("deck::terminate(message=<unavailable>)", "signal SIGABRT"),
      (#"deck::terminate(message="")"#, "signal SIGABRT"),
      (#"deck::terminate(message="no cards)"#, "EXC_BAD_ACCESS (code=1, address=0x8)"),
    ])
  func otherArguments(helper: String, stop: String) throws {
    let reason = try crash(stack(helper, stop: stop)).reason
    expectEqual(reason?.contains("cards") ?? false, false)
  }

  /// gdb writes the address in front of a text.
  @Test func argumentsInGdb() throws {
    let found = try crash(
      """
      Program received signal SIGABRT, Aborted.
      #0  0x00007ffff7a5b000 in raise () from /lib/libc.so.6
      #1  0x00007ffff7a5c000 in abort () from /lib/libc.so.6
      #2  0x00007ffff7a5d000 in __assert_fail (assertion=0x5604 "cards > 0", line=62) at assert.c:101
      #3  0x0000555555555000 in turn_page (n=3) at page.c:62

      """)
    expectEqual(found.reason, "Assertion failed: (cards > 0)")
    expectEqual(found.frame?.function, "turn_page")
  }

  /// Realm's core ends the process in a function of no namespace (realm-core,
  /// src/realm/util/terminate.cpp).
  @Test func helperOfNoNamespace() throws {
    let found = try crash(
      """
      * thread #1, stop reason = signal SIGABRT
          frame #0: 0x000000018a0c25b0 libsystem_kernel.dylib`__pthread_kill + 8
          frame #1: 0x0000000189fffc60 libsystem_c.dylib`abort + 124
          frame #2: 0x0000000100c5c2f0 Board`::please_report_this_issue_in_github_realm_realm_core_v_1_2_3() at terminate.cpp:50:5
          frame #3: 0x0000000100c5c3f0 Board`Deck.shuffle() at Deck.swift:7:5

      """)
    expectEqual(found.reason, "a failed check in Realm's core (realm::util::terminate)")
    expectEqual(found.frame?.function, "Deck.shuffle()")
  }

  // MARK: Stops of a debugger

  private static let launch = """
    Process 812 stopped
    * thread #1, stop reason = signal SIGSTOP
        frame #0: 0x0000000100dee810 dyld`_dyld_start
    Target 0: (board) stopped.

    """

  /// lldb stops a program before its first instruction: the report beside it is the crash.
  @Test func launchBesideAReport() throws {
    let text = """
      Process:             board [812]
      Exception Type:  EXC_CRASH (SIGABRT)
      Triggered by Thread:  0

      Thread 0 Crashed:
      0   libsystem_c.dylib   0x000000018a0c25b0 abort + 8
      1   board               0x0000000100001000 turn + 4

      """
    let reports = try CrashLogParser.parse(Array("\(Self.launch)\n\(text)".utf8))
    expectEqual(reports.first?.facts.exception.type, "EXC_CRASH")
    expectEqual(reports.contains { $0.facts.exception.signal == "SIGSTOP" }, false)
    expectEqual(
      try crash(Self.launch).reason,
      "stopped by a debugger before it began to run (SIGSTOP): no crash")
  }

  // MARK: Titles

  /// Swift 5.3 and earlier print the place behind a message (AssertCommon.swift).
  @Test(arguments: ["", "I get ", "> "])
  func messageWithPlaceBehind(head: String) throws {
    let words = "Division by zero: file Deck/Deck.swift, line 61"
    expectEqual(try crash("The deck ends.\n\(head)\(words)\n").reason, "Fatal error: \(words)")
  }

  @Test(arguments: [
    "Division by zero: file Deck/Deck.c, line 61", "Divided by zero: file Deck/Deck.swift, line 61",
    "Division by zero: file Deck/Deck.swift, line x", "Division by zero in Deck.swift, line 61",
  ])
  func otherMessagesWithPlace(line: String) { expectNoReport("The deck ends.\n\(line)\n") }

  private static let page = """
    Fatal Exception: NSGenericException
    0  CoreFoundation  0x9e88 __exceptionPreprocess
    1  libobjc.A.dylib 0x178d8 objc_exception_throw
    2  CoreFoundation  0x176794 -[NSException init]
    3  Cards           0x3752c (Missing UUID 4c0f09bbd3c63549b2fae27fe4252224)
    4  Cards           0x36314 (Missing UUID 4c0f09bbd3c63549b2fae27fe4252224)
    5  Board           0xbe8ca0 -[Deck deal] + 190 (Deck.m:190)

    """

  /// People make a title of what Crashlytics' page shows. Its exception has no plain `init` on the
  /// way, and a library without symbols is none of the program.
  @Test func titleOfPage() throws {
    let report = try read(
      "# Fatal Exception NSGenericException \"No card is left\"\n\n\(Self.page)")
    expectEqual(report.crash.reason, "NSGenericException: No card is left")
    expectEqual(report.crash.frame?.function, "-[Deck deal]")
    let plain = try crash(Self.page)
    expectEqual(plain.reason?.contains("init") ?? false, false)
  }

  /// The program's own code without symbols stays the place if its caller has none either.
  @Test func programWithoutSymbols() throws {
    let text = Self.page.replacing(" -[Deck deal] + 190 (Deck.m:190)", with: " -[Deck deal]")
    expectEqual(try crash(text).frame?.function, nil)
  }

  /// The page has the function that it blames in its title.
  @Test(arguments: [("-[Deck deal:]", "-[Deck deal:]"), ("The deck", nil)])
  func blamedFunction(title: String, function: String?) throws {
    let found = try crash(
      """
      \(title)
      NSGenericException - No card is left

      Fatal Exception: NSGenericException
      0  CoreFoundation  0x11b298 __exceptionPreprocess

      """)
    expectEqual(found.reason, "NSGenericException: No card is left")
    expectEqual(found.frame?.function, function)
  }

  private static let killed = """
    Process:         Board [812]
    Identifier:      com.example.Board
    Exception Type:  EXC_CRASH (SIGKILL)
    Exception Codes: 0x0000000000000000, 0x0000000000000000

    """

  /// A report that was cut has the code in the title only.
  @Test(
    arguments: [
      (
        "# Watch app ends, Code 0xdead10cc",
        "0xdead10cc (held a file or database lock while suspended)"
      ),
      ("# 0xdead10cc or 0x8badf00d?", "SIGKILL: it was ended"),
      ("Others see 0xdead10cc", "SIGKILL: it was ended"), ("# At 0x12345", "SIGKILL: it was ended"),
    ])
  func codesInTitles(title: String, reason: String) throws {
    expectEqual(try crash("\(title)\n\n\(Self.killed)").reason, reason)
  }

  private static let names = """
    0 CoreFoundation ___CFCheckCFInfoPACSignature + 4
    1 CoreFoundation _CFRunLoopSourceSignal + 28
    2 Board Deck::turn() + 12

    """

  /// The names of signals' codes (POSIX, `<signal.h>`) mean nothing else.
  @Test(
    arguments: [
      ("SIGSEGV:SEGV_ACCERR", "SIGSEGV"), ("# 有一个 SEGV_ACCERR 的问题\n", "SIGSEGV"),
      ("落ちます（BUS_ADRALN）。\n", "SIGBUS"),
    ])
  func codesOfSignals(title: String, signal: String) throws {
    let report = try read("\(title)\n\(Self.names)")
    expectEqual(report.exception.signal, signal)
    expectEqual(report.crash.frame?.function, "Deck::turn()")
  }

  @Test(arguments: ["Not a signal such as SEGV_ACCERR.", "See MY_SEGV_ACCERR.", "SEGV_ACCERRX"])
  func otherCodes(title: String) throws {
    expectEqual(try read("\(title)\n\n\(Self.names)").exception.signal, nil)
  }

  /// A table of Markdown needs a header, so that the first frame is one (GitHub Flavored Markdown
  /// Spec, 4.10).
  @Test(arguments: [("WebCore | cards::Deck::turn() + 20", 3), ("Library | Function", 2)])
  func headerOfTable(header: String, count: Int) throws {
    let text = """
      \(header)
      -- | --
      3 WebCore | cards::Deck::deal() + 92
      4 WebKit | cards::Board::draw() + 12

      """
    let frames = try require(try CrashLogParser.parse(Array(text.utf8)).first)
      .backtraces[0].frames
    expectEqual(frames.map(\.index), [2, 3, 4].suffix(count))
  }

  /// atos(1) prints image and place behind a name, and who looked one up shows the line alone.
  @Test(
    arguments: [
      ("-[Deck deal] (in Board) (Deck.m:12)", "-[Deck deal]"),
      ("`Deck.deal(_:) (in Board) (Deck.swift:12)`", "Deck.deal(_:)"),
      ("See the deck (in Board) (Deck.m:12)", nil), ("-[Deck deal] (in Board)", nil),
    ])
  func decodedFrame(line: String, function: String?) throws {
    let text = """
      Decoded, it is
      \(line)

      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Subtype: KERN_INVALID_ADDRESS at 0x0000000000000010

      """
    let found = try crash(text)
    expectEqual(found.reason, "access through a null pointer, at offset 0x10")
    expectEqual(found.frame?.function, function)
  }

  // MARK: Jumps

  private func killedForPage(_ subtype: String, _ codes: String, frame: String) -> String {
    """
    Process:         Board [812]
    Exception Type:  EXC_BAD_ACCESS (SIGKILL)
    Exception Subtype: \(subtype)
    Exception Codes: \(codes)
    VM Region Info: 0 is not in any region.  Bytes before following region: 4296638464
    Termination Reason: CODESIGNING 2 Invalid Page
    Triggered by Thread:  0

    Thread 0 Crashed:
    0   \(frame)
    1   Board      0x00000001024f30f4 Deck.deal(_:) + 22976 (Deck.swift:12)

    """
  }

  /// A monitor of code ends a process with `Invalid Page` for any instruction that it could not
  /// fetch (XNU, osfmk/arm64/sleh.c): nothing is wrong with the signature if nothing is mapped.
  @Test func invalidPageOfNull() throws {
    let found = try crash(
      killedForPage(
        "KERN_INVALID_ADDRESS at 0x0000000000000000", "0x0000000000000001, 0x0000000000000000",
        frame: "???        0x0000000000000000 0x0 + 0"))
    expectEqual(found.reason, "call through a null pointer")
    expectEqual(found.frame?.function, "Deck.deal(_:)")
  }

  /// A page that was found, and an access to data.
  @Test(arguments: [
    ("KERN_CODESIGN_ERROR at 0x0000000102500000", "0x0000000000000032, 0x0000000102500000"),
    ("KERN_INVALID_ADDRESS at 0x0000000000000010", "0x0000000000000001, 0x0000000000000010"),
  ])
  func otherInvalidPages(subtype: String, codes: String) throws {
    let found = try crash(
      killedForPage(
        subtype, codes, frame: "Board      0x00000001024f4000 Deck.turn() + 4 (Deck.swift:7)"))
    expectEqual(found.reason?.hasPrefix("CODESIGNING 0x2 (a page of code does not match"), true)
  }

  // MARK: Addresses that people looked up

  private func looked(_ words: String, frames: Int = 2) throws -> JsonReport {
    let lines = [
      "0   Board      0x0000000100a51234 0x100a40000 + 70196",
      "1   Board      0x0000000100a51268 0x100a40000 + 70248",
      "2   AppKit     0x00007ff80c1d0120 0x7ff80c1a6000 + 172320",
    ]
    return try read(
      "Thread 0 Crashed:\n\(lines.prefix(frames).joined(separator: "\n"))\n\n\(words)\n")
  }

  /// An answer of atos(1) is that of the address in the command; without one, answers are those of
  /// the image's frames if there are as many. What else may be in such a line counts as prose.
  @Test(
    arguments: [
      (
        "$ atos -o Board -l 0x100a40000 0x100a51268\nDeck.deal() (in Board) (Deck.swift:41)",
        [nil, "Deck.deal()"]
      ),
      (
        "$ atos -l 0x100a40000 0x100a51234 0x100a51268\nDeck.deal() (in Board) (Deck.swift:41)\n"
          + "@objc Deck.deal() (in Board) (<compiler-generated>:0)",
        ["Deck.deal()", "@objc Deck.deal()"]
      ),
      ("Deck.deal() (in Board) (Deck.swift:41)", [nil, nil]),
      (
        "-[Deck deal] (in Board) (Deck.m:41)\n__12-[Deck turn]_block_invoke (in Board) (Deck.m:0)",
        ["-[Deck deal]", "__12-[Deck turn]_block_invoke"]
      ),
      (
        "-[Deck deal] (in Chess) (Deck.m:41)\n-[Deck turn] (in Chess) (Deck.m:4)", [nil, nil]
      ),
      ("see the deck (in Board) (Deck.m:41)\nand turn it (in Board) (Deck.m:4)", [nil, nil]),
      (
        "$ atos -l 0x100a40000 0x100a512ff\nDeck.deal() (in Board) (Deck.swift:41)", [nil, nil]
      ),
    ] as [(String, [String?])])
  func answersOfAtos(words: String, functions: [String?]) throws {
    let report = try looked(words)
    expectEqual(report.backtraces[0].frames.map(\.function), functions)
    let first = functions.firstIndex { $0 != nil }
    if let first { expectEqual(report.backtraces[0].frames[first].line, 41) }
  }

  /// The report comes out as it went in: its frames were not looked up by this program.
  @Test func answersOfAtosStayWhereTheyAre() {
    let text =
      "Thread 0 Crashed:\n0   Board      0x0000000100a51234 0x100a40000 + 70196\n\n"
      + "-[Deck deal] (in Board) (Deck.m:41)\n"
    expectEqual(JsonFixture.output(text.utf8, as: .auto, with: []), text)
  }

  /// A symbol file knows more than what somebody looked up.
  @Test func symbolFilesBesideAnswersOfAtos() {
    let report = ReportFixture.report(frames: [ReportFixture.frame(0, 0x1_0024_f19c)])
    let words =
      "\n$ atos -l 0x100228000 0x10024f19c\nDeck.deal() (in Letter Shuffle) (Deck.swift:41)\n"
    let alone = JsonFixture.output(report.utf8, as: .auto)
    expectTrue(alone != report)
    expectEqual(JsonFixture.output((report + words).utf8, as: .auto), alone + words)
  }

  /// Somebody shows the innermost frames of an exception, at whose end the text is cut, below those
  /// of the program. A stack whose numbers are smaller is another one.
  @Test(arguments: [(12, "Board"), (1, nil)])
  func outerFramesAboveAnException(first: Int, place: String?) throws {
    let report = try read(
      """
      \(first)  Board            0x0000000101458120 0x100d40000 + 7438624
      \(first + 1)  Board            0x0000000101457c40 0x100d40000 + 7437376

      Last Exception Backtrace:
      0   CoreFoundation   0x00000001a3841230 __exceptionPreprocess + 220
      1   libobjc.A.dylib  0x00000001bc4a1230 objc_exception_throw + 60
      2   Foundation       0x00000001a50c1230 -[NSPla
      """)
    expectEqual(report.backtraces.count, 2)
    expectEqual(report.crash.frame?.imageName, place)
  }
}
