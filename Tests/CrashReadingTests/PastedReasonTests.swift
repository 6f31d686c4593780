import CrashLogParser
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reasons and places in what people paste of a report: the stack of an exception, registers alone,
/// a piece of an `.ips`, a debugger's words.
struct PastedReasonTests {
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

  /// What Markdown leaves of a line, or a converter puts before it.
  @Test(
    arguments: [
      (
        "Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'\n"
          + "*** First throw call stack:\n(0x182d2659c 0x1934780e4)\n"
          + "libc++abi.dylib: terminating with uncaught exception of type NSException\n",
        "NSRangeException: beyond"
      ),
      (
        "Application Specific Information:\n**\\* Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'\n\n"
          + "Thread 0 Crashed:\n0  libsystem_kernel.dylib  0x00000001a1b2c34c __pthread_kill + 8\n",
        "NSRangeException: beyond"
      ),
      // The nearest name is 500 kB away, and so that of another function.
      (
        "Exception Type:  EXC_CRASH (SIGABRT)\n\nLast Exception Backtrace:\n"
          + "0  CoreFoundation  0x1ad039c30 __exceptionPreprocess + 224\n"
          + "1  libobjc.A.dylib  0x1acd540c8 objc_exception_throw + 59\n"
          + "2  Foundation  0x1ad377960 -[NSAssertionHandler handleFailureInMethod:object:file:lineNumber:description:] + 131\n"
          + "3  Game  0x1052382d0 plcrash::next(int) + 539679\n",
        "failed assertion (NSAssert) in Game"
      ),
      // iOS 14.
      (
        "Exception Type:  EXC_CRASH (SIGABRT)\nTermination Reason: DYLD; [1]\n"
          + "dyld: Using shared cache: 7E549C44-E1FA-3857-8557-930654B7D002\n"
          + "dependent dylib '@rpath/libA.dylib' not found for '/usr/bin/hello', tried but didn't find: '/a'\n\n"
          + "Highlighted by Thread:  0\n\nBacktrace not available\n",
        "DYLD 0x1, dependent dylib '@rpath/libA.dylib' not found for '/usr/bin/hello'"
      ),
      (
        "`Fatal Exception: NSRangeException: beyond\n0  CoreFoundation  0x1a92d698c __exceptionPreprocess\n"
          + "1  Board  0x1051f8868 -[Board draw] + 4\n", "NSRangeException: beyond"
      ),
      (
        "#0. Crashed: com.apple.main-thread\n0  libobjc.A.dylib  0x1a5746e4 objc_release + 3\n"
          + "1  Board  0x51f8868 -[Board draw] + 4\n",
        "an object was used that was freed or overwritten before (objc_release)"
      ),
      (
        "Operating system: Mac OS X\nCPU: amd64\n\nCrash reason:  EXC_BAD_ACCESS / 0x0000000d\n"
          + "Crash address: 0x0\n\nThread 0 (crashed)\n 0  Board + 0x14dd4\n"
          + "    Found by: given as instruction pointer in context\n 1  Board + 0x15\n",
        "general protection fault: most often a pointer that was overwritten or freed (a non-canonical address)"
      ),
    ])
  func linesWithMarks(text: String, reason: String) throws {
    try expectEqual(JsonFixture.report(text, with: []).crash.reason, reason)
  }

  /// Stacks without fields, whose line ends a form dropped.
  @Test(
    arguments: [
      (
        "It hangs. ``` Crashed: com.apple.main-thread 0  libsystem_platform.dylib       0x8e4c _os_unfair_lock_recursive_abort + 36 1  libsystem_platform.dylib       0x17e4 _os_unfair_lock_lock_slow + 324 2  Board   0x38d154 -[Board power] + 632 (Board.m:632) 3  Board   0x38d154 -[Board start] + 63 (Board.m:63) 4  CoreFoundation  0x28c5c __CFN",
        "the thread took an os_unfair_lock that it already holds (a deadlock with itself)",
        "-[Board power]"
      ),
      (
        "why? * thread #1, queue = 'com.apple.main-thread', stop reason = EXC_BAD_ACCESS (code=1, address=0x0) * frame #0: 0x0000000100003f50 Board`-[Board draw](self=0x1) at Board.m:5:3 frame #1: 0x0000000100003f60 Board`-[Board turn] at Board.m:9:3 frame #2: 0x0000000100003f70 Board`main at main.m:9:3 frame #3: 0x000000018ac9b154 dyld`start + 2476\n",
        "access through a null pointer", "-[Board draw]"
      ),
      (
        "Thread 0 Crashed: 0   libsystem_platform.dylib   0x00000001a1b2c34c _os_unfair_lock_recursive_abort + 36 1   Board   0x0000000104a1c2f0 -[Board power] + 632 2   Board   0x0000000104a1c2f8 -[Board turn] + 6 3   Board   0x0000000104a1c3f8 main + 6\n",
        "the thread took an os_unfair_lock that it already holds (a deadlock with itself)",
        "-[Board power]"
      ),
    ])
  func stacksOnALine(text: String, reason: String, function: String) throws {
    try expectReason(text, reason, in: function)
  }

  /// Prose mentions such words, and numbers, too.
  @Test(arguments: [
    "Crashed: the app ended in 0 of 1 cases, 1 of 2 and 2 of 3, at 0x1000 and 0x2000 and 0x3000\n",
    "We saw Fatal Exception: NSRangeException 3 times and 4 times with 0x1000\n",
  ])
  func noStacksOnALine(text: String) {
    expectEmpty((try? CrashLogParser.parse(Array(text.utf8)).flatMap(\.backtraces)) ?? [])
  }

  /// Two lines of a head that somebody joined, or broke within a name.
  @Test(arguments: [
    "Exception Type: EXC_BREAKPOINT (SIGTRAP) Exception Codes: 0x0000000000000001,\n0x0000000186ca2588\n\nTermination Reason: Namespace SIGNAL, Code 5 Trace/BPT trap: 5 Terminating\nProcess: exc handler [75905]\n",
    "Exception Type: EXC_BREAKPOINT (SIGTRAP) Exception Codes: 0x0000000000000001, 0x0000000186ca2588\nTermination Reason: Namespace SIGNAL, Code 5 Trace/BPT trap: 5 Terminating Process: exc handler [75905]\n",
    "Exception Type: EXC_BREAKPOINT (SIGTRAP) Exception\nCodes: 0x0000000000000001, 0x0000000186ca2588\nTermination Reason: Namespace SIGNAL, Code 5 Trace/BPT trap: 5\nTerminating Process: exc handler [75905]\n",
  ])
  func joinedFields(head: String) throws {
    let text =
      "Crashed Thread: 6\n\n\(head)\nThread 6 Crashed:\n"
      + "0   libdispatch.dylib   0x186ca2588 _dispatch_assert_queue_fail + 120\n"
      + "1   libdispatch.dylib   0x186ca250c dispatch_assert_queue + 108\n"
      + "2   HIToolbox           0x1929ef90c TSMGetInputSourceProperty + 160\n"
      + "3   Board               0x104d46338 -[Board type] + 108 (Board.m:95)\n"
    try expectReason(
      text, "dispatch_assert_queue: code ran on another queue than its own", in: "-[Board type]")
    let facts = try require(CrashLogParser.parse(Array(text.utf8)).first).facts
    expectEqual(facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(facts.exception.signal, "SIGTRAP")
    expectEqual(facts.exception.codes, [1, 0x1_86ca_2588])
    expectEqual(facts.termination.namespace, "SIGNAL")
    expectEqual(facts.termination.process.name, "exc handler")
  }

  /// Five rounds, and a fault below the main thread's stack of 8 MB.
  @Test(arguments: [
    ("code=2, address=0x7fff5f3ffff8", "stack overflow: -[Board text] calls itself (× 5)"),
    ("code=2, address=0x7ffee5c01ff8", "stack overflow: -[Board text] calls itself (× 5)"),
    ("code=2, address=0x10f3ffff8", "access that the memory's protection forbids"),
    ("code=2, address=0x7fff5fb00000", "access that the memory's protection forbids"),
  ])
  func fewRounds(stop: String, reason: String) throws {
    let frames = (0..<5).map {
      "    frame #\($0): 0x00007fff8952815a CoreFoundation`-[Board text] + 154\n"
    }
    let crash = try JsonFixture.report(
      "* thread #1: tid = 0x43eca, 0x00007fff8952815a CoreFoundation`-[Board text] + 154, queue = 'com.apple.main-thread, stop reason = EXC_BAD_ACCESS (\(stop))\n"
        + frames.joined(), with: []
    ).crash
    expectEqual(crash.reason, reason)
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

  /// The outermost frame of another report, above the whole one.
  @Test func remainsOfAnotherReport() throws {
    let remains = "18  libdyld.dylib                       0x0000000180d768b8 0x180d74000 + 10424\n"
    let text = Self.report
    expectEqual(try CrashLogParser.parse(Array((remains + "\n" + text).utf8)).count, 1)
    expectEqual(try CrashLogParser.parse(Array(remains.utf8)).count, 1)
    let other = "18  Board                       0x0000000180d768b8 0x180d74000 + 10424\n"
    expectEqual(try CrashLogParser.parse(Array((other + "\n" + text).utf8)).count, 2)
  }

  private static let report =
    "Incident Identifier: 1\nProcess:  Board [696]\nCode Type:  ARM-64\n\n"
    + "Exception Type:  SIGTRAP\nException Codes: #0 at 0x100139e80\n\nThread 0 Crashed:\n"
    + "0   Board     0x0000000100139e80 -[Board draw] + 1304\n"

  /// The image of the innermost frame says more than a name further out; this one is none.
  @Test func outlinedCode() throws {
    let text =
      "Crashed: com.apple.main-thread\n0  SwiftUI   0x817208 OUTLINED_FUNCTION_2 + 620\n"
      + "1  UIKitCore   0x1b7c84 -[UIViewController removeChildViewController:] + 128\n"
      + "2  UIKitCore   0x1b7d84 -[UIViewController remove] + 128\n"
    let lines = JsonFixture.output(text.utf8, as: .summary, with: []).split(separator: "\n")
    expectEqual(lines[1], "OUTLINED_FUNCTION_2 in SwiftUI")
  }

  /// All lines in bold; a list of frames in JSON; Swift's words up to version 3.
  @Test(
    arguments: [
      (
        """
        *** Terminating app due to uncaught exception 'NSRangeException', reason: 'beyond'**
        ***** First throw call stack:**
        **(**
        ** 0   CoreFoundation   0x000000011479f34b __exceptionPreprocess + 171**
        ** 1   libobjc.A.dylib  0x00000001164a321e objc_exception_throw + 48**
        ** 2   Board            0x000000010dd4c2b5 -[Board draw] + 77**
        ** 3   Board            0x000000010dd4c377 -[Board turn] + 45**
        ** 4   Board            0x000000010dd4c348 -[Board play] + 19**
        ** 5   UIKit            0x00000001180ef980 UIApplicationMain + 12**
        ** 6   Board            0x000000010d51d7ae main + 190**
        **)**

        """, "NSRangeException: beyond", "-[Board draw]"
      ),
      (
        """
        Diagnostic:
        {
          "exception" : "com.example.audio",
          "frames" : [
            "0   CoreFoundation   0x000000018acc11c0 __exceptionPreprocess + 176",
            "1   libobjc.A.dylib  0x000000018a74a91c objc_exception_throw + 88",
            "2   Board            0x000000010dd4c2b5 -[Board draw] + 7"
          ]
        }

        """, "com.example.audio, thrown by -[Board draw]", "-[Board draw]"
      ),
      (
        """
        (lldb) run
        Process 812 launched: '/src/Board' (x86_64)
        fatal error: Index out of range
        Current stack trace:
        0   libswiftCore.dylib   0x00000001004b5631 swift_reportError + 145
        1   Board                0x00000001004cef7b -[Board draw] + 59

        """, "Fatal error: Index out of range", "-[Board draw]"
      ),
      (
        """
        EXC_BREAKPOINT
        Swift runtime failure: Index out of range + 0

        ```
        specialized Array.subscript.getter + 4 (Board.swift:59)
        specialized Board.draw(_:) + 260 (Board.swift:60)
        Board.show() + 8 (Board.swift:0)
        ```

        """, "Swift runtime failure: Index out of range", "specialized Board.draw(_:)"
      ),
    ])
  func linesAboveFrames(text: String, reason: String, function: String) throws {
    try expectReason(text, reason, in: function)
  }

  /// Without images, the names of graphics drivers, of dyld and of Objective-C's runtime say whose
  /// they are.
  @Test func framesOfTheSystemWithoutImages() throws {
    let driver = """
      Crashed: com.apple.main-thread
      0  AGXMetalA14   0x346da4 (Missing UUID 29ca259d129738428d852c9dccc3be53)
      1  GLEngine      0x346bec (Missing UUID 29ca259d129738428d852c9dccc3be53)
      2  GLKit         0x31a770 -[GLKView snapshot]
      3  Board         0x3c0f10 -[Board draw]

      """
    expectEqual(try JsonFixture.report(driver, with: []).crash.frame?.function, "-[Board draw]")
    try expectReason(
      """
      #0\t0x00000001006282e8 in __abort_with_payload ()
      #1\t0x0000000100627958 in abort_with_payload ()
      #2\t0x00000001005e88f4 in dyld::halt(char const*) ()
      #3\t0x00000001005e8a10 in dyld::fastBindLazySymbol(ImageLoader**, unsigned long) ()
      #4\t0x0000000221004bd0 in dyld_stub_binder ()
      #5\t0x0000000103b4bee8 in board_draw ()

      """, "a symbol that is missing was called for the first time (lazy binding)",
      in: "board_draw")
  }

  /// A column of a terminal broke the lines of gdb in front of the brackets.
  @Test func brokenLinesOfGdb() throws {
    let report = try JsonFixture.report(
      """
      Program received signal SIGABRT, Aborted.
      (gdb) bt
      #0  0x00007fff8c535a7a in abort ()
      #1  0x00007fff8c59484c in free ()
      #2  0x00007fff91ce1d53 in object_dispose ()
      #3  0x00007fff911e39d2 in -[Board drawAllOfTheCards:withColour:]
      ()
      #4  0x00007fff8fe1c78a in board_turn ()

      """, with: [])
    expectEqual(report.backtraces.count, 1)
    expectEqual(report.backtraces.first?.frames.count, 5)
    expectEqual(report.crash.frame?.function, "-[Board drawAllOfTheCards:withColour:]")
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

  @Test func framesWithTheImageBehind() throws {
    try expectReason(
      """
      0   0x100429637 in NSExceptionHandlerExceptionRaiser (in ExceptionHandling) + 174
      1   0x7fff98f983f0 in objc_exception_throw (in libobjc.A.dylib) + 43
      2   0x7fff8d92e6ea in -[NSObject(NSObject) doesNotRecognizeSelector:](in CoreFoundation) + 186
      3   0x7fff8d8863b8 in _CF_forwarding_prep_0 (in CoreFoundation) + 232
      4   0x1000bc0a7 in -[Board draw](in Board Game) + 295

      """, "unrecognized selector sent to an object by -[Board draw]", in: "-[Board draw]")
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

  /// A frame that somebody put in front of those above it, and one with a remark behind a heading.
  @Test func framesThatPeopleChose() throws {
    try expectReason(
      """
      Exception Type:  EXC_CRASH (SIGABRT)
      6   Board     0x102f9a58c Board.start() + 636 (Board.swift:63)
      ...
      2   AVFAudio  0x1b93cd124 AVAudioIONodeImpl::Set(unsigned long) + 1220
      3   AVFAudio  0x1b93cd224 -[AVAudioNode installTapOnBus:] + 564

      """, "EXC_CRASH (SIGABRT)", in: "Board.start()")
    try expectReason(
      """
      Process:               board [62]
      Exception Type:        EXC_CRASH (SIGABRT)
      Application Specific Information: abort() called

      Thread 0 Crashed:: main

      12  board  tokio::runtime::scheduler::Handle::current  + 72   ← HERE
      13  board  board::turn                                 + 12

      """, "Rust panic: code that needs Tokio's runtime ran outside it",
      in: "board::turn")
  }

  /// gdb says where it stopped; a frame without a name or a library near another one is the
  /// program's.
  @Test func framesOfGdb() throws {
    try expectReason(
      "(gdb) run\nStarting program: /src/board \n[New Thread 0x7f (LWP 7)]\n\n"
        + "Program received signal SIGSEGV, Segmentation fault.\n"
        + "0x000000000068c039 in turn (n=3) at board.cpp:23\n23\t  *p = 0;\n",
      "SIGSEGV", in: "turn")
    let report = try JsonFixture.report(
      """
      Core was generated by `/usr/lib/board/board-mount'.
      Program terminated with signal SIGSEGV, Segmentation fault.
      #0  0x0000562dc6a2d430 in ?? ()
      #1  0x00007f774e98fa28 in ?? () from /usr/lib/libglib-2.0.so.0
      #2  0x0000562dc6a2c947 in ?? ()
      #3  0x0000000041414141 in ?? ()

      """, with: [])
    expectEqual(report.process.name, "board-mount")
    expectEqual(
      report.backtraces.first?.frames.map(\.imageName),
      ["board-mount", "libglib-2.0.so.0", "board-mount", nil])
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

  // MARK: Memory

  /// What failed is below the handler: a call of address 0.
  @Test func callsThroughNullBelowAHandler() throws {
    try expectReason(
      """
      Exception Type:  EXC_BAD_ACCESS (SIGSEGV)
      Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000000

      Thread 0 Crashed:
      0   libsystem_kernel.dylib    0x00007fff8ea55866 __kill + 10
      1   Board                     0x000000010805c84a handler + 12
      2   libsystem_platform.dylib  0x00007fff8c2b35aa _sigtramp + 26
      3   ???                       0x0000000000000000 0 + 0
      4   Board                     0x0000000108048f20 -[Board draw] + 7

      """, "call through a null pointer", in: "-[Board draw]")
  }

  @Test(arguments: ["objc_msgSend_vtable15", "objc_release_x20", "_Block_release"])
  func oldDebugger(function: String) throws {
    try expectReason(
      """
      > Program received signal EXC_BAD_ACCESS, Could not access memory.
      > Reason: KERN_INVALID_ADDRESS at address: 0x00000000770496f8
      > (gdb) bt
      > # 0  0x00007fff8b3d13d4 in \(function) ()
      > # 1  0x00007fff911b9c0f in -[NSData(NSData) subdataWithRange:] ()
      > # 2  0x00007fff89a9c87a in -[Board draw] ()

      """, "an object was used that was freed or overwritten before (\(function))",
      in: "-[Board draw]")
  }

  /// Intel's error code 7: a write of a user's to a page that is there. `brk 1` is a failed check.
  @Test(
    arguments: [
      (
        "  rax: 0x1  cr2: 0x00007ff84c630be8\n\nLogical CPU:     2\nError Code:      0x00000007\n"
          + "Trap Number:     14",
        "write to memory that can only be read (0x7ff84c630be8)"
      ),
      (
        "  rax: 0x1  cr2: 0x00007ff84c630be8\n\nError Code:      0x00000000\nTrap Number:     6",
        "stopped by a trap instruction: a failed check, or a crash on purpose"
      ),
      (
        "   far: 0x0000000000000000  esr: 0xf2000001 (Breakpoint) brk 1",
        "stopped by a trap instruction: a failed check, or a crash on purpose"
      ),
      (
        "   far: 0x0000000000000010  esr: 0x92000006 (Data Abort) byte read Translation fault",
        "read through a null pointer, at offset 0x10"
      ),
    ])
  func registersAlone(lines: String, reason: String) throws {
    try expectReason("Thread 3 crashed with X86 Thread State (64-bit):\n\(lines)\n", reason)
  }

  /// `Board + 505797` is the distance in the image, as images begin at pages.
  @Test func imageAndDistance() throws {
    let report = try JsonFixture.report(
      """
      Application Specific Information:
      Crashing on exception: -[NSError length]: unrecognized selector sent to instance 0x60

      Application Specific Backtrace 1:
      0   CoreFoundation    0x00007fff461e0fcb __exceptionPreprocess + 171
      1   libobjc.A.dylib   0x00007fff6cdcac76 objc_exception_throw + 48
      2   Board             0x000000010e4697c5 Board + 505797

      """, with: [])
    expectEqual(report.signature?.text.hasSuffix("| Board+0x7b7c5"), true)
  }

  // MARK: Debuggers

  @Test(
    arguments: [
      (
        "EXC_RESOURCE (RESOURCE_TYPE_MEMORY: high watermark memory limit exceeded) (limit=15 MB)",
        "exceeded its limit of memory: limit 15 MB"
      ),
      ("Fatal error: Index out of range", "Fatal error: Index out of range"),
    ])
  func stopReasons(stop: String, reason: String) throws {
    let frame = "0x0000000104a1c2f0 App`Board.draw(self=0x0000600000e7692c) + 20 at Board.swift:7"
    try expectReason(
      "* thread #1, queue = 'main', stop reason = \(stop)\n  * frame #0: \(frame)\n", reason,
      in: "Board.draw()")
    try expectReason(
      "> Thread 1: \(stop)\n\n#0\t0x507c8864 in Board.draw() at /src/Board.swift:7\n"
        + "#1\t0x507c8900 in main ()\n", reason, in: "Board.draw()")
  }

  /// Values of arguments are no part of a name; the innermost of two is the one that was inlined.
  @Test func valuesOfArguments() throws {
    let report = try JsonFixture.report(
      """
      * thread #1, stop reason = EXC_BAD_ACCESS (code=1, address=0x78)
        * frame #0: 0x0000000104a1c2f0 App`Board::turn(int) [inlined] std::__1::vector<int>::size(this=0x0000000000000070 size=1) const at vector:632
          frame #1: 0x0000000104a1c2f0 App`Board::turn(this=0x0000000000000000, n=0) const at board.cpp:7
          frame #2: 0x0000000104a1c400 App`main(argc=1) at main.cpp:3

      """, with: [])
    expectEqual(report.signature?.text, "EXC_BAD_ACCESS | Board::turn")
    expectEqual(report.crash.frame?.function, "Board::turn")
  }
}
