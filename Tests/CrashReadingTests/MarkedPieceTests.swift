import CrashLogParser
import ReportTestSupport
import TestSupport
import Testing

/// Pieces of reports in spans of Markdown and in the cells of pages, and what they still say when
/// their heads are missing.
///
/// The shapes are those of public reports; what the words and functions mean is from Apple's
/// documentation and the sources that the rules name.
struct MarkedPieceTests {
  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: Spans

  private static let frames = """
    Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
    0   org.example.board   0x000000010a3d1e42 draw_cards + 12
    1   org.example.board   0x000000010a3d1f00 main + 80
    """

  /// Markdown lets emphasis and code begin before the first word of a paragraph, and end behind its
  /// last one.
  @Test(arguments: ["*", "**", "***", "_", "__", "`", "``", "` ", "\"", "“"])
  func spans(mark: String) throws {
    let end = mark == "“" ? "”" : mark
    let report = try read(
      """
      It ends at once.

      \(mark)Process:         Board [2368]
      Path:            /Applications/Board.app/Contents/MacOS/Board
      Identifier:      org.example.board\(end)

      \(mark)Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000010\(end)

      \(mark)\(Self.frames)\(end)

      """)
    expectEqual(report.process.name, "Board")
    expectEqual(report.crash.reason, "access through a null pointer, at offset 0x10")
    expectEqual(report.crash.frame?.function, "draw_cards")
    expectEqual(report.backtraces.first?.frames.map(\.function), ["draw_cards", "main"])
    expectEqual(report.backtraces.first?.number, 0)
  }

  /// Stacks of other tools, and frames alone, in code that begins on their first line.
  @Test(
    arguments: [
      (
        """
        0   Board   0x000000010a3d1e42 draw_cards + 12
        1   Board   0x000000010a3d1e52 play + 9
        """, nil
      ),
      (
        """
        * thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x10)
          * frame #0: 0x000000010a3d1e42 Board`draw_cards + 12
            frame #1: 0x000000010a3d1e52 Board`play + 9
        """, "access through a null pointer, at offset 0x10"
      ),
      (
        """
        Crashed: com.apple.main-thread
        0  Board                 0x9cb8 draw_cards + 33 (Board.m:33)
        1  Board                 0x183d8 play + 39 (Board.m:39)
        """, nil
      ),
    ] as [(String, String?)])
  func stacksInCode(stack: String, reason: String?) throws {
    let report = try read("It ends:\n\n`\(stack)`\n\nAgain and again.\n")
    expectEqual(report.backtraces.first?.frames.map(\.function), ["draw_cards", "play"])
    expectEqual(report.crash.reason, reason)
  }

  /// dyld stops with a trap, which says nothing.
  @Test func linkerMessageInEmphasis() throws {
    let report = try read(
      """
      *Process:         Board [2368]
      Path:            /Applications/Board.app/Contents/MacOS/Board*

      *Crashed Thread:  3

      Exception Type:  EXC_BREAKPOINT (SIGTRAP)
      Exception Codes: 0x0000000000000002, 0x0000000000000000*

      *Dyld Error Message:
        Symbol not found: _draw_cards
        Referenced from: /opt/deck/libdeck.dylib
        Expected in: /Applications/Board.app/Contents/MacOS/libcards.3.dylib*
      %-----
      """)
    expectEqual(report.process.name, "Board")
    expectEqual(
      report.crash.reason,
      "DYLD, Symbol not found: _draw_cards, referenced from libdeck.dylib, expected in libcards.3.dylib"
    )
  }

  /// Whole spans on one line, and bold keys, stay as they were.
  @Test func keysInSpans() throws {
    let report = try read(
      """
      **Process:** Board [2368]
      **Exception Type:** EXC_BAD_ACCESS (SIGSEGV)
      **Exception Codes:** KERN_INVALID_ADDRESS at 0x0000000000000010

      *Thread 0 Crashed:*
      0   org.example.board   0x000000010a3d1e42 draw_cards + 12

      """)
    expectEqual(report.process.name, "Board")
    expectEqual(report.crash.reason, "access through a null pointer, at offset 0x10")
  }

  // MARK: Cells

  /// Bugsnag's page: functions of C have no number, and an SDK that threw is no handler.
  @Test(arguments: ["\t", "  "])
  func cellsOfC(blank: String) throws {
    let rows = [
      ("CoreFoundation", "__exceptionPreprocess"), ("libobjc.A.dylib", "objc_exception_throw"),
      ("CoreFoundation", "__NSFastEnumerationMutationHandler"),
      ("Bugsnag", "-[BugsnagDeck holdsCard:]"), ("AppKit", "NSApplicationMain"),
      ("libdyld.dylib", "start"),
    ]
    let report = try read(
      "NSGenericException · *** Collection <__NSSetM: 0x6000> was mutated while being enumerated.\n\n"
        + rows.enumerated().map { "\($0)\(blank)\($1.0)\n\($1.1)\n" }.joined())
    expectEqual(report.backtraces.first?.frames.map(\.function), rows.map(\.1))
    expectEqual(report.crash.library, "Bugsnag")
    expectEqual(
      report.crash.reason,
      "NSGenericException: *** Collection <__NSSetM: 0x6000> was mutated while being enumerated.")
  }

  /// Crashlytics' page of 2013, with the dots that unfold it.
  @Test func cellsWithPlaces() throws {
    let report = try read(
      """
      Fatal Exception: NSRangeException
      *** -[__NSArrayI objectAtIndex:]: index 7 beyond bounds for empty array
      0 ...    CoreFoundation  __exceptionPreprocess + 162
      1    libobjc.A.dylib     objc_exception_throw + 30
      2    CoreFoundation  -[__NSArrayI objectAtIndex:] + 164
      3    Board Reader
      BoardController.m line 93
      -[BoardController takeCardAtIndex:]
      4    UIKit   -[UITableView _select:] + 876
      5    Board Reader
      main.m line 16
      main

      """)
    expectEqual(report.crash.frame?.function, "-[BoardController takeCardAtIndex:]")
    expectEqual(report.crash.frame?.file, "BoardController.m")
    expectEqual(report.crash.frame?.line, 93)
    expectEqual(report.backtraces.first?.frames.map(\.imageName).first, "CoreFoundation")
    expectEqual(report.backtraces.first?.frames.count, 6)
  }

  // MARK: Without an exception

  /// Below the address are the regions around it.
  @Test(
    arguments: [
      ("VM Regions Near 0x21:\n--> \n", "access through a null pointer, at offset 0x21"),
      (
        "VM Region Info: 0x18 is not in any region.  Bytes before following region: 4367196136\n",
        "access through a null pointer, at offset 0x18"
      ),
      (
        """
        VM Regions Near 0x7fff5bc00ff8:
        --> STACK GUARD        00007fff58400000-00007fff5bc00000 [ 56.0M] ---/rwx SM=NUL
            Stack              00007fff5bc00000-00007fff5c400000 [ 8192K] rw-/rwx SM=COW

        """, "stack overflow"
      ),
      // The register has it from an earlier fault.
      ("VM Regions Near 0 (cr2):\n--> \n", nil),
      // It can be read and written.
      ("VM Regions Near 0x6000:\n--> MALLOC_TINY  5000-7000 [ 8K] rw-/rwx SM=PRV\n", nil),
      ("", nil),
    ] as [(String, String?)])
  func regionsAlone(regions: String, reason: String?) throws {
    let report = try read("\(regions)\n\(Self.frames)\n")
    expectEqual(report.crash.reason, reason)
    expectEqual(report.crash.frame?.function, "draw_cards")
  }

  /// Regions above the frames of another report are that one's.
  @Test func regionsOfAnother() throws {
    let report = try read(
      "VM Regions Near 0x21:\n--> \n\n0x1000 -  0x2000  Board (1.0) <0123> /Board\n\n\(Self.frames)\n"
    )
    expectEqual(report.crash.reason, nil)
  }

  private func rounds(_ last: String, _ place: (Int) -> String) -> String {
    "Thread 0 Crashed:\n0   libobjc.A.dylib  \(place(0))objc_msgSend\n"
      + (1...5).map {
        "\($0)   Board            \(place($0 % 2))"
          + ($0 % 2 == 1 ? "swizzled_draw (Swizzler.m:92)\n" : "-[Board draw:] (Board.m:12)\n")
      }.joined() + last
  }

  /// The last name is cut, or the frames have no addresses.
  @Test func recursions() throws {
    let reason =
      "an endless recursion, possibly, as far as the text goes: swizzled_draw and -[Board draw:] call each other (× 2)"
    let cut = rounds("6   Board            0x0000000104feb7c0 -[Boa") {
      "0x0000000104feb7\($0 == 0 ? "c0" : "d8") "
    }
    expectEqual(try read(cut).crash.reason, reason)
    expectEqual(try read(rounds("") { _ in "" }).crash.reason, reason)
    let other = rounds("6   Board            0x0000000104feb7f0 main + 8\n") {
      "0x0000000104feb7\($0 == 0 ? "c0" : "d8") "
    }
    expectEqual(try read(other).crash.kind, "freedObject")
  }

  @Test(arguments: [(4, nil), (10, "-[Board setCard:] calls itself (× 10)")] as [(Int, String?)])
  func callsOfItself(count: Int, words: String?) throws {
    let report = try read(
      "Thread 0 Crashed:\n0   libobjc.A.dylib  0x000000020786ffd4 0x20786e000 + 8148\n"
        + (1...count).map {
          "\($0)   Board            0x0000000104feb7d8 -[Board setCard:] + 128\n"
        }.joined())
    expectEqual(
      report.crash.reason,
      words.map { "an endless recursion, possibly, as far as the text goes: \($0)" })
  }

  // MARK: Developer tools

  private func tool(_ words: String) throws -> JsonReport.Crash {
    try read(
      """
      Process:         lldb-rpc-server [77]
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000008

      Application Specific Information:
      \(words)

      Thread 3 Crashed:
      0   com.apple.LLDB.framework   0x000000011296758b swift::Deck::findCard(int) + 443
      1   com.apple.LLDB.framework   0x000000011297a99b lldb_private::Board::Draw() + 1739

      """
    ).crash
  }

  /// What somebody typed is no reason, and no place.
  @Test(arguments: [
    "ProductBuildVersion: 7A192o\nHandleCommand(command = \"po card\")",
    "Stack dump:\n0.\tHandleCommand(command = \"po card\")",
  ])
  func commandsOfDebuggers(words: String) throws {
    let found = try tool(words)
    expectEqual(
      found.reason, "access through a null pointer, at offset 0x8")
  }

  @Test(
    arguments: [
      (
        "3.\tWhile type-checking 'draw()' (at /src/Board.swift:12:3)",
        "type-checking 'draw()' (at Board.swift:12:3)"
      ),
      (
        "1.\tboard.cpp:12:3: current parser token 'card'",
        "parsing 'card' (at board.cpp:12:3)"
      ),
      (
        "2.\t/src/board.cpp:10:1: parsing function body 'draw'",
        "parsing function body 'draw' (at board.cpp:10:1)"
      ),
    ])
  func dumpsOfCompilers(step: String, words: String) throws {
    let found = try tool("Stack dump:\n0.\tProgram arguments: /usr/bin/clang -c board\n\(step)")
    expectEqual(found.reason, "the compiler crashed while \(words)")
  }
}
