import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Exceptions and failed checks in titles, sentences and quotations, and what ended the process in
/// a library that the program did not choose.
struct ToldExceptionTests {
  private func read(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: Above frames

  private static let bareFrames = """
    0  CoreFoundation   ___exceptionPreprocess
    1  libobjc.A.dylib  _objc_exception_throw
    2  CoreFoundation   +[NSException raise:format:]
    3  UIKitCore        -[UIView(Internal) _addSubview:positioned:relativeTo:]

    """

  private static let framesWithOffsets = """
    0  CoreFoundation   __exceptionPreprocess + 220
    1  libobjc.A.dylib  objc_exception_throw + 56
    2  UIKitCore        -[UIView(Internal) _addSubview:positioned:relativeTo:] + 1600

    """

  /// Pages of crash SDKs have the name in the title, and not all names end alike.
  @Test(
    arguments: [
      (
        "BoardLayoutInconsistency: tile:<Tile: 0x12> has no board\n\n",
        "tile:<Tile: 0x12> has no board"
      ),
      ("**BoardLayoutInconsistency: no board**\n", "no board"),
      ("> BoardLayoutInconsistency · no board\n", "no board"),
      ("`BoardLayoutInconsistency - no board`\n", "no board"),
    ])
  func titles(title: String, reason: String) throws {
    for frames in [Self.bareFrames, Self.framesWithOffsets] {
      let report = try read("It stops:\n\n\(title)\(frames)")
      expectEqual(report.exception.name, "BoardLayoutInconsistency")
      expectEqual(report.crash.reason, "BoardLayoutInconsistency: \(reason)")
    }
  }

  /// A blank alone separates the name from the reason if nothing else ends so.
  @Test func titleWithBlank() throws {
    let words = "Tiles must not be turned from a background thread."
    try expectReason(
      "NSBoardConsistencyException \(words)\n\(Self.framesWithOffsets)",
      "NSBoardConsistencyException: \(words)")
  }

  /// Words above frames that are no exception.
  @Test(
    arguments: [
      "BoardLayoutInconsistency:\n", "StackTrace: of the main thread\n", "Reason: no board\n",
      "This is what the console shows: no board\n", "LetterGame: the thread that crashed:\n",
      "BoardLayoutInconsistency no board\n",
    ])
  func otherTitles(title: String) throws {
    let report = try read("It stops:\n\n\(title)\(Self.framesWithOffsets)")
    expectEqual(report.exception.name, nil)
  }

  /// The frames of another crash do not throw.
  @Test func titleAboveOtherFrames() throws {
    let report = try read(
      """
      BoardLayoutInconsistency: no board
      0  libsystem_kernel.dylib  __pthread_kill + 8
      1  libsystem_c.dylib       abort + 120
      2  Board                   -[Board turn] + 12

      """)
    expectEqual(report.exception.name, nil)
  }

  /// Crashlytics' text has the name alone; who opens the issue shows the reason further up.
  @Test(
    arguments: [
      "```\nFatal Exception: com.example.board.tiles\nRequired condition is false: IsTile(it)\n```",
      "Fatal Exception: com.example.board.tiles: Required condition is false: IsTile(it)",
    ])
  func reasonFurtherUp(above: String) throws {
    try expectReason(
      """
      It stops with:

      \(above)

      237 events.

      # Crashlytics - Stack trace
      # Platform: apple

      Fatal Exception: com.example.board.tiles
      0  CoreFoundation   0x827cc __exceptionPreprocess
      1  libobjc.A.dylib  0x172e4 objc_exception_throw
      2  AVFAudio         0x63124 BoardNode::CreateTile(unsigned long)
      3  Board            0x12a8 -[Board turn] + 12

      """, "com.example.board.tiles: Required condition is false: IsTile(it)", in: "-[Board turn]")
  }

  /// The codes behind each other, as people join them.
  @Test func joinedCodes() throws {
    let report = try read(
      """
      Crashed: board.tile1
      EXC_BAD_ACCESS / KERN_INVALID_ADDRESS / 0x0000000000000000

      0  CoreFoundation                 __CF_IS_OBJC + 410
      1  tiles                          tiles::Decoder::open() + 208 (Decoder.cpp:12)
      2  tiles                          tiles::Decoder::run() + 12 (Decoder.cpp:40)

      """)
    expectEqual(report.exception.type, "EXC_BAD_ACCESS")
    expectEqual(report.crash.reason, "access through a null pointer, in __CF_IS_OBJC")
    expectEqual(report.crash.frame?.function, "tiles::Decoder::open()")
  }

  // MARK: In sentences

  /// What an exception says, alone on a line, with what the sentences around it say.
  @Test func reasonInProse() throws {
    let report = try read(
      """
      BoardVM crashed with EXC_CRASH (SIGABRT) while it was running, on its second thread:

      -[__NSCFArray objectAtIndex:]: index (3) beyond bounds (0)

      This is an NSRangeException: the array was changed in between.

      """)
    expectEqual(report.process.name, "BoardVM")
    expectEqual(report.exception.type, "EXC_CRASH")
    expectEqual(report.exception.signal, "SIGABRT")
    expectEqual(
      report.crash.reason,
      "NSRangeException: -[__NSCFArray objectAtIndex:]: index (3) beyond bounds (0)")
    expectEqual(report.crash.kind, "uncaughtException")
  }

  /// The same from a log, quoted, or with the runtime's stars.
  @Test(
    arguments: [
      ("*** -[__NSArrayI objectAtIndex:]: index 1 beyond bounds [0 .. 0]", nil),
      ("> `-[NSString substringFromIndex:]: Index 9 out of bounds; string length 3`", nil),
      ("-[Board turn:]: unrecognized selector sent to instance 0x6000012", nil),
      ("+[Board tile]: unrecognized selector sent to class 0x1000012", nil),
      (
        "2013-05-01 10:00:00.123 Board[812:c07] -[Tile turn]: unrecognized selector sent to instance 0x60",
        "Board"
      ),
      (
        "*** -[__NSPlaceholderArray initWithObjects:count:]: attempt to insert nil object from objects[0]",
        nil
      ),
      ("*** -[__NSDictionaryM setObject:forKey:]: object cannot be nil (key: tile)", nil),
      ("-[__NSCFString appendString:]: mutating method sent to immutable object", nil),
    ] as [(String, String?)])
  func reasons(line: String, process: String?) throws {
    let report = try read("It stops:\n\n\(line)\n")
    let start = try #require(
      line.firstIndex { "-+".contains($0) && line.hasPrefix("2") == false }
        ?? line.lastIndex(of: "-"))
    let reason = line[start...].prefix { $0 != "`" }
    expectEqual(report.crash.reason, String(reason))
    expectEqual(report.process.name, process)
  }

  /// What is only like it, and sentences that say too little.
  @Test(
    arguments: [
      "The index (3) is beyond bounds (0) of -[Board tiles].",
      "NSLog(@\"-[Board turn]: index %d beyond bounds\", index);",
      "BoardVM crashed with EXC_CRASH (SIGABRT) while it was running.",
      "Tiles cannot be nil", "[Board turn]: a tile cannot be nil",
      "-[Board turn]: a tile was drawn",
    ])
  func otherLines(line: String) { expectNoReport("It stops:\n\n\(line)\n") }

  /// Who crashed: no pronoun, and no word for any program.
  @Test(arguments: ["It crashed", "The app crashed", "iOS crashes", "This dies", "the board quits"])
  func unnamedProgram(words: String) throws {
    let report = try read(
      "\(words) with EXC_CRASH (SIGABRT):\n\n-[Board turn]: unrecognized selector sent to instance 0x6\n"
    )
    expectEqual(report.process.name, nil)
    expectEqual(report.exception.signal, "SIGABRT")
  }

  /// Two names are no name.
  @Test func ambiguousName() throws {
    let report = try read(
      """
      Mostly NSRangeException, at times
      NSGenericException:

      -[__NSArrayI objectAtIndex:]: index 1 beyond bounds [0 .. 0]

      """)
    #expect(report.exception.name != "NSRangeException")
  }

  // MARK: Failed checks

  /// Metal's words in code of Markdown and in sentences, where quotation marks change.
  @Test(
    arguments: [
      "`validateBoard:34: failed assertion 'no tile (2)'`",
      "validateBoard:34: failed assertion `no tile (2)'",
      "It stops with validateBoard:34: failed assertion \"no tile (2)\" now.",
      "Then `validateBoard:34: failed assertion 'no tile (2)'` follows, and it's over.",
    ])
  func metalAssertion(line: String) throws {
    try expectReason(
      "It stops:\n\n\(line)\n", "validateBoard:34: failed assertion `no tile (2)'")
  }

  @Test func metalAssertionOfMethod() throws {
    try expectReason(
      "Got **-[MTLDebugBoard turn:tile:]:12: failed assertion 'it doesn't fit'**\n",
      "-[MTLDebugBoard turn:tile:]:12: failed assertion `it doesn't fit'")
  }

  /// What was checked is the title of what was found.
  @Test func metalValidation() throws {
    try expectReason(
      """
      Process:             Board [812]
      Exception Type:  EXC_CRASH (SIGABRT)

      Application Specific Information:
      -[MTLDebugBoard turn:]:12: failed assertion `Turn Errors Validation
      Tile Function(main0): no buffer at index 3.

      Thread 0 Crashed:
      0   libsystem_kernel.dylib  0x00000001a1b2c34c __pthread_kill + 8

      """,
      "-[MTLDebugBoard turn:]:12: failed assertion `Turn Errors Validation Tile Function(main0): no buffer at index 3."
    )
  }

  @Test(
    arguments: [
      "a failed assertion 'no tile'", "board: failed assertion 'no tile'",
      "12: failed assertion 'no tile'",
    ])
  func otherAssertions(line: String) { expectNoReport("It stops:\n\n\(line)\n") }

  private static func assertion(signature: String, _ frames: String) -> String {
    """
    Application Specific Information:
    abort() called
    com.apple.main-thread

    Application Specific Signatures:
    \(signature)

    Thread 0 Crashed::  Dispatch queue: com.apple.main-thread
    0   libsystem_kernel.dylib        \t       0x1898c1388 __pthread_kill + 8
    1   libsystem_pthread.dylib       \t       0x1898fa88c pthread_kill + 296
    2   libsystem_c.dylib             \t       0x189803c60 abort + 124
    \(frames)

    """
  }

  /// The label of a queue is no reason; the condition is, below the handler of assertions.
  @Test func conditionOfAssertion() throws {
    let report = try read(
      Self.assertion(
        signature: "(_tile) != nil",
        """
        3   IDEKit                        \t       0x106bb7098 +[IDEAssertionHandler _handleAssertionWithLogString:assertionSignature:assertionReason:extraBacktrace:] + 964
        4   DVTFoundation                 \t       0x1015083ec _DVTAssertionHandler + 412
        5   DVTFoundation                 \t       0x101508550 _DVTAssertionFailureHandler + 196
        6   IDEFoundation                 \t       0x10c171508 -[IDEBoard turn] + 120
        """))
    expectEqual(report.crash.kind, "assertion")
    expectEqual(report.crash.reason, "failed assertion in -[IDEBoard turn]: (_tile) != nil")
  }

  /// Signatures of others are numbers, about which their frames say more.
  @Test func otherSignature() throws {
    try expectReason(
      Self.assertion(
        signature: "Graphics kernel error: 0xfffffffb",
        "3   libGPUSupport.dylib           \t       0x106bb7098 gpusGenerateCrashLog + 158"),
      "the graphics driver stopped the process after an error of the GPU")
  }

  // MARK: Other runtimes

  /// A quotation in Markdown, below lines that are not quoted.
  @Test(arguments: ["> ", ">", "| ", "// "])
  func quotedManagedFrames(mark: String) throws {
    let lines = [
      "Unhandled exception. System.NullReferenceException: Object reference not set.",
      "   at Game.Board.Turn(Size* size) in /src/Board.cs:line 12",
      "   at Game.Program.Main(String[] args) in /src/Program.cs:line 7",
    ]
    let quoted = lines.map { "\(mark)\($0)\n" }.joined()
    let report = try read("I run it and get:\n\n\(quoted)")
    expectEqual(report.crash.reason, "System.NullReferenceException: Object reference not set.")
    expectEqual(report.crash.frame?.function, "Game.Board.Turn(Size* size)")
    expectEqual(report.crash.frame?.line, 12)
  }

  /// gdb says that it changes the thread between the signal and where it was.
  @Test func signalOnOtherThread() throws {
    let report = try read(
      """
      (gdb) r
      Thread 4 "Tiles" received signal SIGFPE, Arithmetic exception.
      [Switching to Thread 0x7fffed0d2700 (LWP 23304)]
      0x00005555556696fa in Tiles::Board::turn (this=0x555557824790) at /src/Board.cpp:254
      254             sum += count % size;
      (gdb) p size
      $1 = 0

      """)
    expectEqual(report.exception.signal, "SIGFPE")
    expectEqual(
      report.crash.reason, "integer division by zero, or a quotient that does not fit")
    expectEqual(report.crash.frame?.function, "Tiles::Board::turn")
    expectEqual(report.crash.frame?.line, 254)
  }

  /// The last library that sets the new-handler has it for the whole process.
  @Test(
    arguments: [
      (
        ["llvm::report_bad_alloc_error(char const*, bool)", "out_of_memory_new_handler()"],
        "operator new got no memory, or was asked for too much, and the new-handler (LLVM's) ended the process"
      ),
      (
        ["mozalloc_abort(char const*)", "mozalloc_handle_oom(unsigned long)"],
        "memory could not be allocated, or too much was asked for"
      ),
      (
        ["base::TerminateBecauseOutOfMemory(unsigned long)"],
        "memory could not be allocated, or too much was asked for"
      ),
    ])
  func newHandlers(functions: [String], reason: String) throws {
    let handler = functions.enumerated().map { index, function in
      "\(index + 2)   com.example.driver  \t0x00007fff28c59d5\(index) \(function) + 64\n"
    }
    let start = functions.count + 2
    try expectReason(
      """
      Process:             Board [812]
      Exception Type:  EXC_CRASH (SIGABRT)
      Crashed Thread:  0

      Thread 0 Crashed:
      0   libsystem_kernel.dylib  \t0x00007fff6a60d33a __pthread_kill + 10
      1   libsystem_c.dylib  \t0x00007fff6a594808 abort + 120
      \(handler.joined())\(start)   libc++abi.dylib  \t0x00007fff677f5dfb operator new(unsigned long) + 43
      \(start + 1)   Board  \t0x000000010d066524 tiles::turn(Board const&) + 164

      """, reason, in: "tiles::turn(Board const&)")
  }
}
