import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// What people copy from pages, consoles and notes: tables that lost what was between two cells,
/// columns of Console, reasons without names. The texts have the shapes of the sources that the
/// rules name.
struct CopiedPageTests {
  private func report(_ text: String) throws -> JsonReport {
    try JsonFixture.report(text, with: [])
  }

  // MARK: Tables

  /// Source: github.com/zhangao0086/DKImagePickerController, issue 565.
  @Test func joinedCells() throws {
    let found = try report(
      """
      Fatal Exception: NSRangeExceptionno tile 5: there are 3 of them. Raw Text
      --
      0 | CoreFoundation | __exceptionPreprocess
      9 | UIKitCore | -[UICollectionView performBatchUpdates:completion:]
      10 | Board | BoardList.swift line 62specialized BoardList.turn(_:)
      11 | Board | <compiler-generated> line 0@objc BoardList.turn(_:)
      12 | Board | main.m line 12main

      """)
    expectEqual(found.exception.name, "NSRangeException")
    expectEqual(found.exception.reason, "no tile 5: there are 3 of them. Raw Text")
    expectEqual(found.crash.frame?.function, "specialized BoardList.turn(_:)")
    expectEqual(found.crash.frame?.file, "BoardList.swift")
    expectEqual(found.crash.frame?.line, 62)
    let functions = found.backtraces.first?.frames.map(\.function) ?? []
    expectEqual(functions.suffix(2), ["@objc BoardList.turn(_:)", "main"])
  }

  /// Crashlytics' page as a table of Markdown, whose first row is that of the thread: the number,
  /// the exception and the place have lost the blanks between them. The shape is that of
  /// github.com/airbnb/lottie-ios, "Crash in LOTAnimatorNode".
  @Test(arguments: ["> #0Crashed", "#0Crashed", "> #3.Crashed"])
  func joinedHeads(head: String) throws {
    let page = """
      Seen once:
      \(head): com.apple.main-threadEXC_BAD_INSTRUCTION 0x0000000000000000
      --
      0 | Kit | KITDeck.m line 18-[KITDeck initWithCards:name:]
      1 | Kit | KITBoard.m line 120-[KITBoard deal:]

      """
    let found = try report(page)
    expectEqual(found.exception.type, "EXC_BAD_INSTRUCTION")
    expectEqual(found.crash.frame?.function, "-[KITDeck initWithCards:name:]")
    expectEqual(found.crash.frame?.file, "KITDeck.m")
    expectEqual(found.crash.frame?.line, 18)
    expectEqual(found.backtraces.first?.name, "com.apple.main-thread")
    expectEqual(found.backtraces.first?.crashed, true)
  }

  @Test(arguments: [
    "0 | Kit | KITDeck.m line 18-[KITDeck initWithCards:name:]\nand then words\n",
    "0 | Kit | notes.txt line 18 of 20\n1 | Kit | notes.txt line 19 of 20\n",
  ])
  func otherTables(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Sources: as above; the other names are those of programs.
  @Test(
    arguments: [
      ("NSRangeException", "no tile", "NSRangeException", "no tile"),
      ("NSRangeExceptionindex 5", "beyond", "NSRangeException", "index 5: beyond"),
      ("BoardRangeException", "no tile", "BoardRangeException", "no tile"),
    ])
  func namesOfExceptions(told: String, words: String, name: String, reason: String) throws {
    let found = try report(
      "Fatal Exception: \(told): \(words)\n0  CoreFoundation  0x1a4c1f2f0 __exceptionPreprocess\n"
        + "1  libobjc.A.dylib  0x1a4c1a2f0 objc_exception_throw\n2  Board  0x104a1c2f0 turn + 4\n")
    expectEqual(found.exception.name, name)
    expectEqual(found.exception.reason, reason)
  }

  // MARK: Exceptions

  /// The words alone stand above the frames.
  @Test(arguments: ["", "*** "])
  func reasonsAboveFrames(stars: String) throws {
    let found = try report(
      """
      \(stars)-[__NSArrayM objectAtIndex:]: index 0 beyond bounds for empty array
      0 CoreFoundation | ___exceptionPreprocess + 124
      -- | --
      1 libobjc.A.dylib | objc_exception_throw + 56
      2 CoreFoundation | -[__NSArrayM removeObjectAtIndex:]
      3 Board | -[Board turn:] + 5264
      4 libdispatch.dylib | __dispatch_client_callout + 16

      """)
    expectEqual(
      found.crash.reason,
      "\(stars)-[__NSArrayM objectAtIndex:]: index 0 beyond bounds for empty array")
    expectEqual(found.crash.frame?.function, "-[Board turn:]")
  }

  @Test func nameAboveReason() throws {
    let found = try report(
      "Fatal Exception: NSInvalidArgumentException\n"
        + "-[Board tile]: unrecognized selector sent to instance 0x2823cb880\n\nBoard.m - Line 1\n")
    expectEqual(found.exception.name, "NSInvalidArgumentException")
    expectEqual(
      found.crash.reason,
      "NSInvalidArgumentException: -[Board tile]: unrecognized selector sent to instance"
        + " 0x2823cb880")
  }

  /// Source: github.com/mono/mono, mcs/class/corlib/System.Diagnostics/StackTrace.cs;
  /// dotnet/macios, runtime/runtime.m.
  @Test func methodsOfMonoInReports() throws {
    let found = try report(
      """
      *** Terminating app due to uncaught exception 'System.FooException', reason: 'System.FooException: no card'

      Xamarin Exception Stack:
        at (wrapper managed-to-native) UIKit.UIApplication:UIApplicationMain (int,string[],intptr)
        at UIKit.UIApplication.Main (System.String[] args) <0x10051bee4 + 0x0009b> in <d9a64a30#3f81>:0
        at Board.Application.Main (System.String[] args) <0x10043b09c + 0x0001b> in <39f820e7#3f81>:0

      """)
    expectEqual(found.crash.reason, "System.FooException: no card")
    expectEqual(
      found.backtraces.first?.frames.last?.function,
      "Board.Application.Main (System.String[] args)")
    expectEqual(found.backtraces.first?.frames.count, 3)
    expectEqual(found.signature?.frames.contains { $0.contains("UIApplicationMain") }, false)
  }

  /// App Center names the signal in the place of the exception, whose own words are below. The
  /// second line of the message is that of `ArgumentException` in Mono.
  @Test(arguments: [
    ("SIGABRT", "System.ArgumentNullException: No card. Parameter name: deck"),
    ("System.FooException", "System.FooException: No card."),
  ])
  func signalsForNames(told: String, reason: String) throws {
    let head = """
      Incident Identifier: 7d74390f-34f9-4437-9ef6-f2523a4bc80f
      Process:         Board [812]
      Identifier:      org.example.board
      Exception Type:  SIGABRT
      Crashed Thread:  26

      Application Specific Information:
      *** Terminating app due to uncaught exception '\(told)', reason: 'No card.
      Parameter name: deck'

      Xamarin Exception Stack:
      System.ArgumentNullException: No card.
      Parameter name: deck
        at Board.Deck.Deal () <0x1017b90a8 + 0x0008c> in <4aba4693#df13>:0
        at Board.Deck.Turn (System.Boolean all) <0x1017b9358 + 0x0010f> in <4aba4693#df13>:0

      """
    expectEqual(try report(head).crash.reason, reason)
    // The frames of the thread make it a whole report.
    let whole = head + "\nThread 26 Crashed:\n0  Board  0x0000000101a1c2f0 turn + 84\n"
    expectEqual(
      try report(whole).exception.name, told == "SIGABRT" ? "System.ArgumentNullException" : told)
  }

  // MARK: Console

  /// Source: github.com/insidegui/PodcastMenu, issue 28; canonical/multipass, issue 5072.
  @Test(
    arguments: [
      "default\t16:21:55.589337 -0400\tLetter Board\t",
      "com.example.board\terror\t22:12:56.307878+0200\tLetter Board\t",
    ])
  func columnsOfConsole(head: String) throws {
    for words in [
      "*** Assertion failure in -[Board turn:], /src/Board.m:445",
      "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'no card'",
      "Fatal error: Unexpectedly found nil while unwrapping an Optional value",
    ] {
      expectEqual(try report("Here it is:\n\n\(head)\(words)\n").process.name, "Letter Board")
    }
    // Several lines are one message.
    let found = try report(
      "\(head)An uncaught exception was raised\n\(head)no cards\n\(head)(\n"
        + "\t0   CoreFoundation        0x00007fff8e203faa __exceptionPreprocess + 154\n"
        + "\t1   libobjc.A.dylib       0x00007fff8e203fab objc_exception_throw + 48\n"
        + "\t2   Board                 0x0000000104a1c2f0 turn + 84\n)\n")
    expectEqual(found.crash.reason, "uncaught exception: no cards")
    expectEqual(found.process.name, "Letter Board")
  }

  // MARK: The window server

  /// Source: github.com/Shufflepuck/cdef, issue 9, for what the function says.
  @Test func processesWithoutSession() throws {
    let found = try report(
      """
      Process:         Board [812]
      Exception Type:  EXC_CRASH (SIGABRT)
      Crashed Thread:  0

      Application Specific Information:
      abort() called

      Thread 0 Crashed:
      0   libSystem.B.dylib    0x00007fff86464d48 __kill + 12
      1   libSystem.B.dylib    0x00007fff86508808 abort + 116
      2   com.apple.HIServices 0x00007fff88638b74 _RegisterApplication + 5112
      3   com.apple.HIServices 0x00007fff88637734 GetCurrentProcess + 52
      4   com.apple.AppKit     0x00007fff85320154 -[NSApplication init] + 712
      5   org.example.board    0x000000010002b0cc -[Board init] + 56 (Board.mm:91)

      """)
    expectEqual(found.crash.kind, "failedCheck")
    expectEqual(found.crash.frame?.function, "-[Board init]")
  }

  // MARK: Notes

  /// Distances may be hexadecimal, or missing.
  @Test(
    arguments: [
      "0: objc_retain + 0x10\n1: -[NSMenuItem setTitle:] + 0x30\n2: -[Board fill:with:] + 0x21c\n",
      "0 objc_retain\n1 -[NSMenuItem setTitle:]\n2 -[Board fill:with:]\n",
    ])
  func numberedFunctions(frames: String) throws {
    let found = try report("Exception Type: EXC_BAD_ACCESS (SIGSEGV)\n\nStack:\n\(frames)")
    expectEqual(found.crash.frame?.function, "-[Board fill:with:]")
    expectEqual(found.backtraces.first?.frames.count, 3)
  }

  @Test(
    arguments: [
      "0 some_thing\n1 other_thing\n2 more_things\n", "0 libsystem_c.dylib\n1 libsystem_m.dylib\n",
      "0: first\n1: second\n", "0 -[Board x:] does this\n1 -[Board y:] does that\n",
    ])
  func numberedOtherThings(text: String) throws {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }
}
