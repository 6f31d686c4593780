import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Exceptions in what people paste of a report: who threw them, and what they say.
struct PastedExceptionTests {
  private static func exception(_ name: String, _ frames: [(String, String)]) -> String {
    let lines = frames.enumerated().map { index, frame in
      "\(index + 2)  \(frame.0)   0x18697700\(index) \(frame.1)\n"
    }
    return "Fatal Exception: \(name)\n0  CoreFoundation   0x186a7186c __exceptionPreprocess\n"
      + "1  libobjc.A.dylib   0x19ba8dc50 objc_exception_throw\n" + lines.joined()
      + "9  Board   0x1051f8868 -[Board draw]\n"
  }

  // MARK: Exceptions

  /// Without offsets, functions without symbols have the names of their neighbours.
  @Test(
    arguments: [
      (
        "NSInternalInconsistencyException",
        [
          ("CoreFoundation", "-[CFPrefsSource addSource:]"),
          ("Foundation", "-[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:]"),
        ], "NSInternalInconsistencyException: failed assertion (NSAssert) in -[Board draw]"
      ),
      (
        "NSInternalInconsistencyException",
        [
          ("Foundation", "-[NSMutableDictionary initWithContentsOfFile:]"),
          ("UIKitCore", "_UIGraphicsBeginImageContextWithOptions"),
        ],
        "NSInternalInconsistencyException, thrown by _UIGraphicsBeginImageContextWithOptions"
      ),
      (
        "NSRangeException",
        [
          ("CoreFoundation", "-[__NSCFString characterAtIndex:].cold.1"),
          ("CoreFoundation", "-[__NSDictionaryI objectForKeyedSubscript:]"),
        ], "NSRangeException"
      ),
      (
        "NSRangeException", [("CoreFoundation", "-[__NSArrayM objectAtIndex:]")],
        "NSRangeException: index or range out of bounds: thrown by -[__NSArrayM objectAtIndex:]"
      ),
      (
        "NSInvalidArgumentException",
        [
          ("CoreFoundation", "-[__NSSingleObjectEnumerator nextObject]"),
          ("CoreFoundation", "_CFPrefsValidateValueForKey"),
        ], "NSInvalidArgumentException, thrown by _CFPrefsValidateValueForKey"
      ),
      (
        "com.apple.coreaudio.avfaudio",
        [
          ("libAVFAudio.dylib", "AVAE_RaiseException(NSString*, ...)"),
          ("libAVFAudio.dylib", "-[AVAudioEngine startAndReturnError:]"),
        ],
        "com.apple.coreaudio.avfaudio, thrown by -[AVAudioEngine startAndReturnError:]"
      ),
    ])
  func throwers(name: String, frames: [(String, String)], reason: String) throws {
    try expectReason(Self.exception(name, frames), reason, in: "-[Board draw]")
  }

  /// Below the stack of .NET, the name of the exception is missing.
  @Test(
    arguments: [
      (
        "Board.Game.Turn () [0x0000f] in /src/Game.cs:11",
        "a .NET exception, whose name is not in this text"
      ),
      ("System.Environment.get_StackTrace () [0x0000f] in <0>:0", nil),
      ("(wrapper managed-to-native) Board.Native:draw (int)", nil),
      ("(wrapper managed-to-native) Board.Native.Draw (int,string[]) <0x00007>", nil),
    ] as [(String, String?)])
  func unnamedManagedException(first: String, reason: String?) throws {
    let crash = try JsonFixture.report(
      "page.xaml.cs:9\n  at \(first)\n  at Board.Game.Start () [0x0000f] in /src/Game.cs:12\n"
        + "  at Board.Game.Main (System.String[] args) [0x00001] in /src/Main.cs:17\n", with: []
    ).crash
    expectEqual(crash.reason, reason)
  }

  /// A piece that begins at a key names no images: classes that are not Apple's are the user's.
  @Test func exceptionOfAPiece() throws {
    let frames = [
      "__exceptionPreprocess", "objc_exception_throw",
      "-[NSPopover showRelativeToRect:ofView:preferredEdge:]", "-[Board draw]",
    ]
    let objects = frames.enumerated().map { index, name in
      #"{"imageOffset":1\#(index),"symbol":"\#(name)","symbolLocation":22,"imageIndex":7}"#
    }
    try expectReason(
      "```\n  \"lastExceptionBacktrace\" : [\(objects.joined(separator: ","))],\n",
      "uncaught Objective-C exception thrown by -[NSPopover showRelativeToRect:ofView:preferredEdge:]",
      in: "-[Board draw]")
  }

  @Test func typeOfAnException() throws {
    try expectReason(
      """
      Exception Type: EXC_CRASH (SIGABRT)
      Crashed Thread: 0

      Application Specific Information:
      N5board4RuleE

      """, "uncaught C++ exception of type board::Rule")
  }

  @Test(arguments: [
    "[Card release]: message sent to deallocated instance 0x101055800",
    "2026-01-02 10:00:00.000 App[12:34] *** Assertion failure in -[Board draw], /src/Board.m:7",
  ])
  func wordsAboveFrames(line: String) throws {
    let words = line.firstRange(of: "*** ").map { String(line[$0.lowerBound...]) } ?? line
    try expectReason(
      """
      \(line)

      (lldb) bt
      * thread #1, stop reason = EXC_BREAKPOINT (code=1, subcode=0x0)
        * frame #0: 0x0000000104a1c2f0 App`-[Board draw] + 20

      """, words, in: "-[Board draw]")
  }

  /// Frames of managed code have no addresses; Crashlytics writes 0.
  @Test(
    arguments: [
      (
        "**Unhandled Exception:**\n```\nSystem.FormatException: no number\n"
          + "   at System.Number.Parse(String s)\n   at Board.Game.Turn(Int32 n) in C:\\a\\Game.cs:line 7\n"
          + "   at Board.Program.Main(String[] args) in C:\\a\\Program.cs:line 3\n```\n",
        "System.FormatException: no number", "Board.Game.Turn(Int32 n)"
      ),
      (
        "fatal Exception: System.FormatException\n"
          + "0  ???   0x0 System.Number.Parse(String s) (<unknown>)\n"
          + "1  ???   0x0 Board.Game.Turn(Int32 n) (<unknown>)\n",
        "System.FormatException", "Board.Game.Turn(Int32 n)"
      ),
    ])
  func managedFrames(text: String, reason: String, function: String) throws {
    let report = try JsonFixture.report(text, with: [])
    expectEqual(report.crash.reason, reason)
    expectEqual(report.crash.frame?.function, function)
    expectEqual(report.signature?.text.hasPrefix("crash | System.FormatException | Board."), true)
  }

  /// AppKit caught the exception in what called it.
  @Test func exceptionsThatAppKitCaught() throws {
    let text = """
      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   com.apple.AppKit          0x00007fff314c6828 -[NSApplication _crashOnException:] + 109
      1   com.apple.AppKit          0x00007fff31a7b46c -[NSView updateConstraintsForSubtreeIfNeeded] + 849
      2   com.apple.CoreFoundation  0x00007fff33c59ebe __CFRunLoopDoObservers + 452
      3   com.apple.AppKit          0x00007fff31195917 NSApplicationMain + 782
      4   libdyld.dylib             0x00007fff60a8f3ed start + 1

      """
    let lines = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    expectEqual(lines.first, "unknown process")
    expectEqual(
      lines.dropFirst().first,
      "-[NSView updateConstraintsForSubtreeIfNeeded] in AppKit — uncaught exception, which the report does not name"
    )
  }

  /// A native function threw, and Mono shows the managed code that called it. Without its heading a
  /// line alone is none.
  ///
  /// Source: github.com/mono/mono, mono/mini/mini-exceptions.c (`mono_handle_native_crash`).
  @Test func nativeFunctionsThatThrow() throws {
    let frame = "at (wrapper managed-to-native) Deck.Native.Draw (Deck.Native/Done) <0xffffffff>\n"
    let words = "libc++abi.dylib: terminating with uncaught exception of type NSException\n"
    let report = try JsonFixture.report("\(words)Stacktrace:\n\n\(frame)\nThanks\n", with: [])
    expectEqual(
      report.crash.reason, "terminating with uncaught exception of type NSException")
    expectEqual(report.crash.frame?.function?.contains("Deck.Native.Draw"), true)
    let other = try JsonFixture.report("\(words)We call\n\n\(frame)", with: [])
    expectEqual(other.crash.frame?.function, nil)
  }

  /// Node prints why it gives up right above its stack. An error further up may be one that the
  /// program caught.
  ///
  /// Source: github.com/nodejs/node, src/env.cc (`FailWithCorruptedAsyncStack`),
  /// src/node_errors.cc (`Assert`).
  @Test(
    arguments: [
      ("Error: the hook stack is broken (1)\n", "Error: the hook stack is broken (1)"),
      ("Error: no page\nLoading cards\n", nil),
      (
        "board: ../src/deck.cc:12:void deck::Deal(): Assertion `cards > 0' failed.\n",
        "failed assertion: cards > 0"
      ),
    ] as [(String, String?)])
  func lastWordsOfNode(words: String, reason: String?) throws {
    let report = try JsonFixture.report(
      "It ends:\n\(words) 1: 0x104a1c725 node::Scope::Close() [/usr/local/bin/node]\n"
        + " 2: 0x104a1c5d9 node::Deal(int) [/usr/local/bin/node]\n", with: [])
    expectEqual(report.crash.reason, reason)
  }

  // MARK: Free Pascal

  /// Source: Free Pascal, rtl/objpas/sysutils/sysutils.inc and rtl/unix/lnfodwrf.pp; Lazarus,
  /// lcl/forms.pp.
  @Test(
    arguments: [
      (
        "[FORMS.PP] ExceptionOccurred \n  Sender=EAccessViolation\n  Exception=Access violation\n"
          + "  Stack trace:\n  $0000000102A10440 in /Applications/Board.app/Contents/MacOS/Board\n"
          + "  $0000000102C31208 line 52, column 3 of deck/deal.pp in /Applications/Board.app/Contents/MacOS/Board\n"
          + "  $0000000102D41330 line 7 of board.pas\n",
        "EAccessViolation: Access violation", "deal.pp", 52
      ),
      (
        "An unhandled exception occurred at $0000000100012A4C:\nEDivByZero: Division by zero\n"
          + "  $0000000100012A4C  DEAL,  line 52 of deck.pas\n  $0000000100013010\n",
        "EDivByZero: Division by zero", "deck.pas", 52
      ),
      (
        "Runtime error 216 at $0000000000401234\n  $0000000000401234\n"
          + "  $0000000000401300 line 7 of deck.pas\n",
        "Runtime error 216 at $0000000000401234", "deck.pas", 7
      ),
    ])
  func exceptionsOfPascal(text: String, reason: String, file: String, line: Int) throws {
    let found = try JsonFixture.report("It does not start.\n\n\(text)", with: []).crash
    expectEqual(found.reason, reason)
    expectEqual(found.frame?.file, file)
    expectEqual(found.frame?.line, line)
  }

  @Test(
    arguments: [
      "An unhandled exception occurred at $0000000100012A4C:\n",
      "The handler prints [FORMS.PP] ExceptionOccurred and goes on.\n  Sender=EDivByZero\n",
    ])
  func wordsOfPascalElsewhere(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }
}
