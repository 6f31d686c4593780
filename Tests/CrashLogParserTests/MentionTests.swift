import CrashLogParser
import TestSupport
import Testing

/// What somebody's own sentences mention about a crash, in which no report is found. The expected
/// words are those of the text.
struct MentionTests {
  private static func mention(_ text: String) -> ReportFacts.Mention? {
    CrashLogParser.mention(in: Array(text.utf8))?.facts.mention
  }

  private static let wide = String(repeating: "/home", count: 20)

  @Test(
    arguments: [
      (
        "Since 2.1 it ends in EXC_BAD_ACCESS KERN_INVALID_ADDRESS, often.\nSee Deck.m.\n",
        "EXC_BAD_ACCESS KERN_INVALID_ADDRESS, often", []
      ),
      (
        "The log has `EXC_CRASH (SIGABRT)`: an exception raised inside Core Data. It is new.\n",
        "EXC_CRASH (SIGABRT): an exception raised inside Core Data", []
      ),
      // What was thrown says more than how it ended, wherever it stands.
      (
        "SIGABRT again, by a\n**DeckException**\n**\\*** 7 is beyond bounds\nof -[Board deal:]_block_invoke\n",
        "DeckException: 7 is beyond bounds", ["-[Board deal:]_block_invoke"]
      ),
      (
        #"{"notes":["heap corruption found in the deck"],"n":1}, it says"# + "\n",
        "heap corruption found in the deck", []
      ),
      (
        "Since 2.1 it crashes in line 34 of deck/DeckDecoder with a nil optional\n",
        "Since 2.1 it crashes in line 34 of deck/DeckDecoder with a nil optional", []
      ),
      (
        "I saw that WatchdogTermination: the OS ended it. No idea.\n",
        "WatchdogTermination: the OS ended it", []
      ),
      // The one with a message, not the first.
      (
        "an assertion failure.\nwe got Assertion failure in deal_cards (line 12): deck != NULL\n",
        "Assertion failure in deal_cards (line 12): deck != NULL", []
      ),
      // What ended it says more than a code that somebody thinks of.
      (
        "It is no watchdog (as 0x8badf00d is).\n`EXC_BREAKPOINT`: `Deck.deal()` → `swift_task_checkIsolated` → trap\n",
        "swift_task_checkIsolated → trap", ["Deck.deal()"]
      ),
      // A message that ends in a colon goes on in the next line, as dyld's does (dyld2.cpp).
      (
        "Uncaught Exception:\nError: dlopen(/tmp/cards/deck.node, 1): no suitable image found.  Did find:\n/tmp/cards/deck.node: code signature not valid for use in process\nat load (board.js)\n",
        "Uncaught Exception: Error: dlopen(deck.node, 1): no suitable image found.  Did find: deck.node: code signature not valid for use in process",
        []
      ),
      (
        "We got Fatal Exception: DeckError in the following:\nat load (board.js)\n",
        "Fatal Exception: DeckError in the following", []
      ),
      // Names behind the words come first; paths are files; calls need a type.
      (
        "Our src/board/deck.cpp:12 and print(x) are called.\nBoom: heap corruption found here\nby board::deal(int) and https://example.com/a.html:80/x::y\nin Deck.turn(to:)\n",
        "heap corruption found here", ["board::deal(int)", "Deck.turn(to:)"]
      ),
      // What other threads did is no place.
      (
        "- It is EXC_BAD_ACCESS.\n- We see other threads running:\n  - `deck::Queue::run`\n",
        "EXC_BAD_ACCESS", []
      ),
      (
        "- It is EXC_BAD_ACCESS.\n- We see this thread running:\n  - `deck::Queue::run`\n",
        "EXC_BAD_ACCESS", ["deck::Queue::run"]
      ),
      // The place of what a title has in brackets, in which no reason begins; nor is what others
      // might think of.
      (
        "# It crashes in deck_turn (SIGILL) when dealing\nSo it is `SIGILL` from a check, not memory.\n",
        "SIGILL from a check", ["deck_turn"]
      ),
      ("It dies (SIGBUS) when dealing, and board::deal() is new.\n", "SIGBUS", ["board::deal()"]),
      // Arguments of templates are no functions.
      (
        "EXC_GUARD again\nin board::turn<deck::Card>() and deck::deal()\n", "EXC_GUARD again",
        ["board::turn", "deck::deal()"]
      ),
      // Where every signal passes is no place.
      ("EXC_GUARD again\n_sigtramp + 56\n_deck_turn + 12\n", "EXC_GUARD again", ["_deck_turn"]),
      // Every thread begins there.
      (
        "It is EXC_BAD_ACCESS.\n\n_pthread_start + 132\nthread_start + 8\n", "EXC_BAD_ACCESS", []
      ),
      // A colon makes a reason of a clause.
      (
        "It ends when -[Deck draw] throws an NSRangeException: index 5 beyond bounds\n",
        "NSRangeException: index 5 beyond bounds", ["-[Deck draw]"]
      ),
      // Of libdispatch (apple-oss-distributions/libdispatch, src/inline_internal.h).
      (
        "It ends (dispatch_sync called on queue already owned by current thread)\n",
        "dispatch_sync called on queue already owned by current thread", []
      ),
      // Mail breaks lines at spaces, and a terminal, which is wider, anywhere, also in a quotation.
      (
        "It boots.\nFatal error: Kit.Server.LaunchFailure(message: \"9:Bad file\ndescriptor in Net.swift bind(port:) 273\", port: 8181)\n",
        "Fatal error: Kit.Server.LaunchFailure(message: \"9:Bad file descriptor in Net.swift bind(port:) 273\"",
        []
      ),
      (
        "Fatal error: Kit.Server.LaunchFailure(message: \"\(Self.wide)/Deck.git-12\n34/Net.swift 273\", port: 8181)\n",
        "Fatal error: Kit.Server.LaunchFailure(message: \"\(Self.wide)/Deck.git-1234/Net.swift 273\"",
        []
      ),
      (
        "Fatal error: the \"deck is empty\nand nobody saw board::deal()\n",
        "Fatal error: the \"deck is empty", ["board::deal()"]
      ),
      // What somebody denies, or only thinks of, is no statement: what ended it says more.
      ("Not an out of memory crash.\nIt got SIGSEGV, again\n", "SIGSEGV, again", []),
      ("I think we are out of memory, or so.\nIt got SIGSEGV, again\n", "SIGSEGV, again", []),
      ("Perhaps a stack overflow?\nIt got SIGSEGV, again\n", "SIGSEGV, again", []),
      ("A stack overflow? No idea.\nIt got SIGSEGV, again\n", "SIGSEGV, again", []),
      ("I think so. It is a stack overflow\nIt got SIGSEGV\n", "stack overflow", []),
      // All that the text has.
      ("I think we are out of memory\n", "out of memory", []),
      (
        "fatal error: no cards\nat src/board/deck.cpp:12\n", "fatal error: no cards",
        ["deck.cpp:12"]
      ),
    ] as [(String, String, [String])])
  func wordsAndNames(text: String, words: String, names: [String]) throws {
    let mention = try #require(Self.mention(text))
    expectEqual(mention.words, words)
    expectEqual(mention.names, names)
    // Else it would not be asked for.
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  @Test(arguments: [
    "a letter to nobody\n",
    "It is slow, but there is no EXC_BAD_ACCESS any more.\n",
    "If you see SIGABRT, call us.\n",
    "When a deck throws an NSRangeException, the game catches it.\n",
    "Without a segmentation fault, at last.\n",
    "no EXC_GUARD\n",
    "Not an out of memory crash.\n",
    "  fatalError(\"no cards\");\n",
    "// SIGSEGV is caught here\n",
    "Exceptions are explained there.\n",
    "There was an Exception\n",
    "I made an Error: see below.\n",
    "raise(SIGABRT);\n",
    "The company got in no panic.\n",
    "",
  ])
  func noMention(text: String) { #expect(Self.mention(text) == nil) }

  /// Whatever is cut off or damaged, the range is one of the text.
  @Test func damaged() {
    let text = Array(
      "\"NSRangeException\n**\\*** -[Deck deal:]_block_invoke: x::y(a) b.swift:1 _c + 1)\n\n".utf8)
    var damaged = text.indices.flatMap { [Array(text[..<$0]), Array(text[$0...])] }
    for byte: UInt8 in [0, 10, 0x28, 0x5d, 0xff] {
      damaged += text.indices.map { index in
        var copy = text
        copy[index] = byte
        return copy
      }
    }
    for bytes in damaged {
      guard let report = CrashLogParser.mention(in: bytes) else { continue }
      #expect(report.byteRange.lowerBound >= 0 && report.byteRange.upperBound <= bytes.count)
      #expect(report.facts.mention?.words.isEmpty == false)
    }
  }

  /// A page of the web, whose marks are no words.
  @Test func inAPage() throws {
    let page = "<html><body><p>It ends: <b>EXC_GUARD</b> &amp; more</p></body></html>\n"
    let report = try #require(CrashLogParser.mention(in: Array(page.utf8)))
    expectEqual(report.facts.mention?.words, "EXC_GUARD & more")
    #expect(report.wrapping != nil)
  }

  /// Logs are larger than what people write.
  @Test func onlyOfSmallTexts() {
    let words = "It was EXC_GUARD this time.\n"
    let filler = String(repeating: "words about nothing\n", count: 13_107)
    #expect(Self.mention(words + filler.prefix(262_000)) != nil)
    #expect(Self.mention(words + filler + words) == nil)
  }
}
