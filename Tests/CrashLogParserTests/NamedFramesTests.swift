import CrashLogParser
import TestSupport
import Testing

/// Stacks that people write as names alone, and what they look like.
struct NamedFramesTests {
  private func names(_ backtrace: Backtrace?) -> [String] {
    (backtrace?.frames ?? []).map { frame in
      "\(frame.imageName ?? "-") \(frame.symbol?.name ?? "?")"
    }
  }

  private static let sentence = "The app ended with `EXC_CRASH (SIGABRT)` on the book page."

  /// Below a heading, in a block of code, a paragraph or a list; the image in front of the name, or
  /// not.
  @Test(
    arguments: [
      (
        "Crashing thread:\n\n```\nKit      -[Store perform:]\nSwiftLib   ?\nBoard    Deck.deal(to:)\nBoard    closure #1 in Table.body.getter\n```\n",
        [
          "Kit -[Store perform:]", "SwiftLib ?", "Board Deck.deal(to:)",
          "Board closure #1 in Table.body.getter",
        ]
      ),
      (
        "faulting frames:\n  __stack_chk_fail\n  board::Deck::Deck(std::string const&)\n  main\n",
        ["- __stack_chk_fail", "- board::Deck::Deck(std::string const&)", "- main"]
      ),
      (
        "### Stack Trace:\n- `-[Board turn] + 12`\n- `main`\n",
        ["- -[Board turn]", "- main"]
      ),
    ] as [(String, [String])])
  func belowAHeading(text: String, expected: [String]) throws {
    let report = try ParsedText("\(Self.sentence)\n\n\(text)\nThat is all.\n").report
    expectEqual(report.facts.exception.type, "EXC_CRASH")
    expectEqual(names(report.crashedThread), expected)
  }

  /// Godot prints what `backtrace_symbols` says about functions that it does not find, and names
  /// others; people retell an `.ips` with the offsets in brackets.
  @Test(
    arguments: [
      (
        "handle_crash: Program crashed with signal 11\nDumping the backtrace. Please report it.\n  [1] board::handle(int, bool)\n  [2] 2   libsystem_platform.dylib            0x00000001836a9a24 _sigtramp + 56\n  [3] Card* Deck::deal<board::Card>()\n  [4] 4   ???                                 0x0000000281051a00 0x0 + 10754529792\n  [5] Board::turn() (in Board) (board.cpp:12)\n-- END --\n",
        [
          "- board::handle(int, bool)", "libsystem_platform.dylib _sigtramp",
          "- Card* Deck::deal<board::Card>()", "??? ?", "Board Board::turn()",
        ]
      ),
      (
        "It has EXC_CRASH (SIGABRT).\n\nFaulting thread: 5 (*/cards)\n  0: abort (offset 497744)\n  1: deck_deal (offset [5539848](tel:5539848))\n  2: thread_start\n",
        ["- abort", "- deck_deal", "- thread_start"]
      ),
    ] as [(String, [String])])
  func numberedListsOfPrograms(text: String, expected: [String]) throws {
    let report = try ParsedText(text).report
    expectEqual(names(report.crashedThread), expected)
    expectEqual(report.crashedThread?.frames.map(\.index), Array(expected.indices))
  }

  /// Footnotes, and what is announced as something else.
  @Test(arguments: [
    "Notes:\n[1] the deck\n[2] the cards\n", "Faulting thread: 5\n  0: abort (offset 4)\n",
    "Steps:\n0: deal (offset 1)\n1: draw (offset 2)\n",
  ])
  func otherNumberedLists(text: String) throws {
    let report = try? ParsedText("\(Self.sentence)\n\n\(text)").report
    expectEqual(report?.crashedThread?.frames.count ?? 0, 0)
  }

  /// Below the fields of a head, names behind images need no heading.
  @Test func belowFields() throws {
    let report = try ParsedText(
      """
      The trace, trimmed to what fails:

      Exception Type: EXC_BREAKPOINT (SIGTRAP)
      Triggered by Thread: Worker

      Metal      -[_MTLEncoder dealloc]
      libBoard   Encoder::encode
      GPUDriver1
      board      deck::Thread::run
      abort()

      It happens each time.
      """
    ).report
    expectEqual(
      names(report.crashedThread),
      [
        "Metal -[_MTLEncoder dealloc]", "libBoard Encoder::encode", "GPUDriver1 ?",
        "board deck::Thread::run", "- abort()",
      ])
  }

  /// A sentence with arrows, in any language; broken behind an arrow.
  @Test(
    arguments: [
      "- Causa: `EXC_CRASH / SIGABRT`, hilo 0\n- Traza: `RB::check` ← `RBBegin` ←\n  `Table.body` (un `Canvas`)\n",
      "Error: EXC_CRASH (SIGABRT)\nTrace: `RB::check ← RBBegin ← Table.body` in the log\n",
      "Exception Type: EXC_CRASH (SIGABRT)\nTop frames: RB::check -> RBBegin -> Table.body\n",
      "Exception Type: EXC_CRASH (SIGABRT)\nTrace: RB::check <- RBBegin <- Table.body\n",
    ])
  func arrows(text: String) throws {
    let report = try ParsedText(text).report
    expectEqual(report.facts.exception.signal, "SIGABRT")
    expectEqual(names(report.crashedThread), ["- RB::check", "- RBBegin", "- Table.body"])
  }

  /// Code in a sentence that names the exception, in any language, with arrows to who was called.
  @Test(
    arguments: [
      "- **事实**：两份日志同栈：`CFRelease ← deal (deck.c:12) ← -[Table turn:]`，`EXC_BREAKPOINT`；`a ← b`\n",
      "Both stop with EXC_BREAKPOINT: `CFRelease` <- `deal (deck.c:12)` <- `-[Table turn:]`, and `b <- a`.\n",
    ])
  func arrowsInCode(text: String) throws {
    let report = try ParsedText(text).report
    expectEqual(report.facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(names(report.crashedThread), ["- CFRelease", "- deal", "- -[Table turn:]"])
    expectEqual(report.crashedThread?.frames[1].symbol?.file, "deck.c")
    expectEqual(report.crashedThread?.frames[1].symbol?.line, 12)
  }

  /// In a head with a process, frames of the app are that process's, and no information of it.
  @Test func arrowsInAHead() throws {
    let report = try ParsedText(
      """
      Process: Card Game [812]
      Path: /Applications/Card Game.app/Contents/MacOS/Card Game
      Identifier: com.example.cards
      Exception Type: EXC_CRASH (SIGABRT)
      Application Specific Information: stack buffer overflow
      Top app frames: draw_card -> deal -> -[Table turn:]

      """
    ).report
    expectEqual(
      names(report.crashedThread),
      ["Card Game draw_card", "Card Game deal", "Card Game -[Table turn:]"])
    expectEqual(report.facts.applicationInformation, ["stack buffer overflow"])
  }

  /// Who threw an exception, in a block of its own. If it breaks off, the other block goes on.
  @Test(arguments: [true, false]) func exceptions(isCut: Bool) throws {
    let report = try ParsedText(
      """
      \(Self.sentence)

      Crashing thread:
      Board   Deck.deal(to:)
      Board   main

      The exception itself:

      objc_exception_throw
      _PFFaultHandlerLookupRow
      \(isCut ? "…\n" : "")Deck.encode(to:)

      """
    ).report
    let thrower = ["- objc_exception_throw", "- _PFFaultHandlerLookupRow", "- Deck.encode(to:)"]
    let thread = ["Board Deck.deal(to:)", "Board main"]
    expectEqual(names(report.crashedThread), isCut ? thrower + thread : thread)
    expectEqual(names(report.lastExceptionBacktrace), isCut ? [] : thrower)
  }

  /// Members of an `.ips`, below which somebody wrote the names of the frames.
  @Test func belowMembersOfABody() throws {
    let report = try ParsedText(
      """
      "asi" : {"libsystem_c.dylib":["stack buffer overflow"]},
      "exception" : {"type":"EXC_CRASH","signal":"SIGABRT"},
      faulting frames:
        __stack_chk_fail
        board::Deck::Deck(std::string const&)

      """
    ).report
    expectEqual(report.format, .ipsCrash)
    expectEqual(
      report.crashedThread?.frames.map { $0.symbol?.name },
      ["__stack_chk_fail", "board::Deck::Deck(std::string const&)"])
    expectEmpty(report.faults)
  }

  /// Prose, code, lists and chains of other things beside an exception are no stacks.
  @Test(arguments: [
    "Stack trace:\nThe stack is below_this line.\n", "Stack trace:\nfoo_bar\nand so on\n",
    "Relevant frames:\nmain\n", "Top frames: a -> b\n", "Call chain: app_start -> deal -> abort\n",
    "Pages: Deck_View -> Table -> Card\n", "Files:\n\ndeck_view.swift\ntable.swift\n",
    "Backtrace:\n\n\n\n\nfoo_bar\nbar_foo\n",
    "Stack trace:\nint deck_size = 3;\nreturn deal_all();\n",
    "Exception:\nfoo_bar\nbar_foo\n", "Trace: we go back ← and back ← to the start_page\n",
    "Board   Deck.deal(to:)\nBoard   main\n",
    "Exception Type: EXC_CRASH (SIGABRT)\n\nDevice   my_phone\nBuild    my_build\n",
  ])
  func noStacks(text: String) throws {
    let head = text.hasPrefix("Exception Type") ? "" : "Crash: EXC_CRASH (SIGABRT)\n\n"
    let report = try ParsedText(head + text).report
    expectEmpty(report.allFrames)
  }

  /// A numbered list in a text about a crash, whose end aborts, from either end.
  @Test(
    arguments: [
      "**Thread 0 (main), bottom→top:**\n\n```\n1. deck_call_observers (DeckKit)\n2. __BOARD_CALLS_OUT__\n3. board::window::theme_changed\n4. core::panicking::panic_cannot_unwind\n5. abort() → SIGABRT\n```\n",
      "The stack:\n\n1. `abort() → SIGABRT`\n2. `core::panicking::panic_cannot_unwind`\n3. `board::window::theme_changed + 12`\n4. `__BOARD_CALLS_OUT__`\n5. `deck_call_observers`\n",
    ])
  func numberedLists(text: String) throws {
    let report = try ParsedText("The app crashed at night.\n\n\(text)\n**Trigger:** the theme\n")
      .report
    expectEqual(report.facts.exception.signal, "SIGABRT")
    expectEqual(
      names(report.crashedThread),
      [
        "- abort()", "- core::panicking::panic_cannot_unwind", "- board::window::theme_changed",
        "- __BOARD_CALLS_OUT__", "- deck_call_observers",
      ])
  }

  /// What happens in any panic, steps, and lists without an end.
  @Test(arguments: [
    "## How the stack unwinds\n\n1. rust_panic\n2. unwind_all_frames\n3. start_of_thread\n",
    "The app crashed.\n\nThread 0:\n\n1. deck_turn\n2. deck_deal\n3. board_main\n",
    "The app crashed.\n\nThreads:\n\n1. deck_turn\n3. deck_deal\n4. abort\n",
    "The app crashed.\n\nBefore the stack:\n\n1. deck_turn\n2. Call deck_deal twice\n3. abort\n",
    "The app crashed.\n\n1. deck_turn\n2. deck_deal\n3. abort\n",
  ])
  func otherLists(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Names alone, without an exception, say nothing.
  @Test(arguments: [
    "Crashing thread:\n\nBoard   Deck.deal(to:)\nBoard   main\n",
    "Top frames: RB::check -> RBBegin -> Table.body\n",
    // Nor do they in code, or beside one that might have been.
    "The order is `CFRelease ← deal_all ← -[Table turn:]` then.\n",
    "If it were `CFRelease ← deal_all ← -[Table turn:]`, `EXC_BREAKPOINT` would follow.\n",
    "With `cards <- deal_all(deck)` it is no longer `EXC_BREAKPOINT`.\n",
    "`cards <- deal_all(deck)` stops with `EXC_BREAKPOINT`.\n",
    "`-[Table turn:] → deal_all → CFRelease` and `EXC_BREAKPOINT`\n",
    "CFRelease ← deal_all ← -[Table turn:] and EXC_BREAKPOINT\n",
  ])
  func withoutAnException(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }
}
