import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Traces of runtimes and tools in the shapes that their writers have: Go's `traceback.go`, Rust's
/// `backtrace.rs`, Breakpad's `stackwalk_common.cc`, Node's `debug_utils.cc`, Mono's
/// `mini-exceptions.c`, Linux's `show_signal_msg`; and frames that were copied without addresses.
struct RuntimeTraceTests {
  static func names(_ report: Report) -> [String] {
    report.allFrames.map { frame in
      let symbol = frame.symbol
      let place = symbol?.file.map {
        " \($0.split(separator: "/").last ?? ""):\(symbol?.line ?? 0)"
      }
      return "\(frame.imageName ?? "-") \(symbol?.name ?? "?")\(place ?? "")"
    }
  }

  @Test func go() throws {
    let report = try ParsedText(
      """
      panic: runtime error: invalid memory address or nil pointer dereference
      [signal SIGSEGV: segmentation violation code=0x1 addr=0x8 pc=0x10005ade0]

      goroutine 7 [running]:
      panic({0x10041eb60, 0x1})
      \t/usr/local/go/src/runtime/panic.go:884 +0x20
      example.com/game.(*Board).turn(0xc000012120?)
      \t/src/board.go:12 +0x3c
      created by main.main in goroutine 1
      \t/src/main.go:7 +0x85

      """
    ).report
    #expect(report.format == .goTrace && report.facts.crashedThread == 7)
    #expect(
      Self.names(report) == [
        "- runtime.gopanic panic.go:884", "- example.com/game.(*Board).turn board.go:12",
      ])
    #expect(report.facts.exception.signal == "SIGSEGV")
    #expect(report.facts.exception.subtype == "SEGV_MAPERR at 0x8")
    #expect(report.facts.applicationInformation.first?.hasPrefix("Go panic: runtime") == true)
  }

  /// Below a stack that it could not follow, Go shows the memory of the stack.
  @Test func memoryOfGo() throws {
    let report = try ParsedText(
      """
      fatal error: unexpected signal during runtime execution
      [signal SIGSEGV: segmentation violation code=0x1 addr=0xb01dfacedebac1e pc=0x7fff2064ec9e]

      runtime stack:
      runtime: unexpected return pc for runtime.sigpanic called from 0x7fff2064ec9e
      stack: frame={sp:0x7ffeefbfe758, fp:0x7ffeefbfe7a8} stack=[0x7ffeefb7f7f8,0x7ffeefbfe860)
      0x00007ffeefbfe658:  0x01007ffeefbfe678  0x0000000000000004
      0x00007ffeefbfe668:  0x000000000000001f  0x00007fff2064ec9e
      0x00007ffeefbfe678:  0x0b01dfacedebac1e  0x0000000000000001
      0x00007ffeefbfe688:  0x0000000004038b91 <runtime.throw+0x71>  0x00007ffeefbfe728
      0x00007ffeefbfe698:  0x000000000469bbb4  0x00007ffeefbfe6e0

      goroutine 1 [running]:
      main.main()
      \t/src/main.go:5 +0x10

      """
    ).report
    #expect(Self.names(report) == ["- main.main main.go:5"])
    #expect(report.facts.exception.subtype == "SEGV_MAPERR at 0xb01dfacedebac1e")
  }

  /// Old versions print the number of the signal.
  @Test func numbersOfSignals() throws {
    let report = try ParsedText(
      """
      [signal 0xa code=0x2 addr=0xcb1e0f5520 pc=0x4004794]
      runtime stack:
      runtime.throw(0x459f9e0, 0x2a)
      \t/usr/local/go/src/runtime/panic.go:527 +0x90

      goroutine 67 [syscall, locked to thread]:
      runtime.cgocall(0x4002d30, 0xc8202b1700)
      \t/usr/local/go/src/runtime/cgocall.go:120 +0x11b fp=0xc8202b16b8 sp=0xc8202b1688

      """
    ).report
    #expect(report.facts.exception.signal == "SIGBUS")
    #expect(report.facts.crashedThread == 67)
  }

  @Test(arguments: [
    """
       0: rust_begin_unwind
                 at /rustc/9fc6b431/library/std/src/panicking.rs:697:5
       1: game::Board::turn
                 at ./src/board.rs:12:9
    """,
    """
       0:     0x55d1f0a31139 - rust_begin_unwind
                                at /rustc/9fc6b431/library/std/src/panicking.rs:697:5
       1:     0x55d1f0a31250 - game::Board::turn
                                at ./src/board.rs:12:9
    """,
  ])
  func rust(stack: String) throws {
    let report = try ParsedText(
      "thread 'main' (42) panicked at src/board.rs:12:9:\nno cards\nstack backtrace:\n\(stack)\nnote: Some details are omitted.\n"
    ).report
    #expect(report.format == .rustBacktrace)
    #expect(
      Self.names(report) == [
        "- rust_begin_unwind panicking.rs:697", "- game::Board::turn board.rs:12",
      ])
    #expect(
      report.facts.applicationInformation == [
        "thread 'main' (42) panicked at src/board.rs:12:9: no cards"
      ])
  }

  /// A stack that somebody shortened, below what the panic says.
  @Test(arguments: [
    "10:26:55 [ERROR] thread 'main' panicked at 'no cards': src/board.rs:12\n",
    "thread 'main' panicked at src/board.rs:12:9:\nno cards\n",
  ])
  func rustBelowAPanic(words: String) throws {
    let report = try ParsedText(
      "\(words)   10: game::Board::turn\n   11: game::main\n\nIt quits.\n"
    ).report
    expectEqual(report.format, .rustBacktrace)
    expectEqual(Self.names(report), ["- game::Board::turn", "- game::main"])
    expectEqual(report.facts.applicationInformation.count, 1)
  }

  /// The second panic only ends the process.
  @Test func firstPanic() throws {
    let first = "thread 'main' panicked at src/board.rs:12:9:\nno cards\nnote: run with\n\n"
    let second =
      "thread 'main' panicked at library/core/src/panicking.rs:218:5:\npanic in a function that cannot unwind\n"
    let stack = "stack backtrace:\n   0: rust_begin_unwind\n   1: game::draw\n"
    for (text, words) in [
      (first + second + stack, "src/board.rs:12:9: no cards"),
      (
        second + stack,
        "library/core/src/panicking.rs:218:5: panic in a function that cannot unwind"
      ),
    ] {
      expectEqual(
        try ParsedText(text).report.facts.applicationInformation,
        ["thread 'main' panicked at \(words)"])
    }
  }

  /// Markdown took the number signs of Java's head away.
  @Test func javaWithoutSigns() throws {
    let report = try ParsedText(
      """
      A fatal error has been detected by the Java Runtime Environment:

       SIGBUS (0xa) at pc=0x000000010c99b435, pid=812, tid=0x0000000000016d4f

      JRE version: Java(TM) SE Runtime Environment (8.0_351-b10)
      Problematic frame:
      J 4142 C2 app.Page.load(Lapp/Board;)V (42 bytes) @ 0x000000010c99b435 [0x000000010c99b3a0+0x95]

      """
    ).report
    expectEqual(report.format, .javaFatalError)
    expectEqual(report.facts.exception.signal, "SIGBUS")
    expectEqual(report.facts.process.identifier, 812)
    expectEqual(report.allFrames.first?.symbol?.name, "app.Page.load(Lapp/Board;)V")
  }

  /// Maven's Surefire puts its own words before some lines.
  @Test func javaInTestsOfMaven() throws {
    let report = try ParsedText(
      """
      Running app.PageTest
      #
      # A fatal error has been detected by the Java Runtime Environment:
      #
      SUREFIRE-859: #  SIGSEGV (0xb) at pc=0x000000010d8fbedb, pid=812, tid=4867
      #
      # JRE version: Java(TM) SE Runtime Environment (7.0_45-b18) (build 1.7.0_45-b18)
      SUREFIRE-859: # Problematic frame:
      SUREFIRE-859: # V  [libjvm.dylib+0x2fbedb]  jni_GetObjectClass+0x83
      #

      """
    ).report
    expectEqual(report.format, .javaFatalError)
    expectEqual(report.facts.exception.signal, "SIGSEGV")
    expectEqual(report.facts.process.identifier, 812)
    expectEqual(report.allFrames.first?.symbol?.name, "jni_GetObjectClass")
  }

  /// What a program prints in its own handler of a signal.
  @Test func rustInAHandler() throws {
    let report = try ParsedText(
      """
      Received signal: SIGSEGV
         0: backtrace::backtrace::trace
         1: game::handler
         2: __sigtramp
         3: __ZN5Board4turnEv

      """
    ).report
    #expect(report.format == .rustBacktrace)
    expectEqual(report.facts.exception.signal, "SIGSEGV")
    expectEqual(report.allFrames.count, 4)
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("   0: board::turn\n   1: board::main\n".utf8))
    }
  }

  @Test func minidump() throws {
    let report = try ParsedText(
      """
      Crash reason:  EXC_BAD_ACCESS / KERN_INVALID_ADDRESS
      Crash address: 0x8
      Process uptime: 12 seconds

      Thread 0 (crashed)
       0  game!Board::turn() [board.cc : 12 + 0x5]
          rip = 0x0000000101149cb3   rsp = 0x00007ffee3b71bd8
          Found by: given as instruction pointer in context
       1  libdyld.dylib!start + 0x1
          Found by: previous frame's frame pointer
       2  game + 0x5014

      """
    ).report
    #expect(report.format == .minidumpStackwalk && report.facts.crashedThread == 0)
    #expect(
      Self.names(report) == ["game Board::turn() board.cc:12", "libdyld.dylib start", "game ?"])
    #expect(report.facts.exception.type == "EXC_BAD_ACCESS")
    #expect(report.facts.exception.subtype == "KERN_INVALID_ADDRESS")
  }

  @Test func node() throws {
    let report = try ParsedText(
      """
      FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory
      ----- Native stack trace -----

       1: 0x100ae18ac node::OOMErrorHandler(char const*, v8::OOMDetails const&) [/usr/bin/node]
       2: 0x100c1036c v8::Utils::ReportOOMFailure(v8::internal::Isolate*) [/usr/bin/node]

      """
    ).report
    #expect(report.format == .nodeBacktrace)
    #expect(
      Self.names(report) == [
        "node node::OOMErrorHandler(char const*, v8::OOMDetails const&)",
        "node v8::Utils::ReportOOMFailure(v8::internal::Isolate*)",
      ])
    #expect(report.facts.applicationInformation.first?.contains("Reached heap limit") == true)
  }

  @Test func mono() throws {
    let report = try ParsedText(
      """
      \tNative stacktrace:
      =====
      \t0x10e120a85 - /Game.app/libmonosgen-2.0.dylib : mono_dump_native_crash_info
      \t0x4e2e74666f736f72 - Unknown
      \t0x11f6576b7 - /usr/lib/system/libsystem_c.dylib : abort

      """
    ).report
    #expect(report.format == .monoBacktrace)
    #expect(
      Self.names(report) == [
        "libmonosgen-2.0.dylib mono_dump_native_crash_info", "- ?", "libsystem_c.dylib abort",
      ])
  }

  /// Of .NET, Mono and Unity.
  @Test(arguments: [
    "at Board.Game.Turn(Int32 page) in /src/Game.cs:line 12",
    "at Board.Game.Turn (System.Int32 page) [0x00007] in /src/Game.cs:12",
  ])
  func dotNet(frame: String) throws {
    let report = try ParsedText(
      """
      System.AggregateException: One error ---> System.FormatException: no number
        \(frame)
         --- End of inner exception stack trace ---
        at Board.Game.<Play>b__0 () [0x00000] in <filename unknown>:0
        at (wrapper managed-to-native) UIKit.UIApplication.Main (int,string[])
      2026-01-02 10:00:00.000 Board[42:617] Unhandled managed exception: no (System.FormatException)
        at Board.Game.Play()

      """
    ).report
    #expect(report.format == .dotNetTrace)
    #expect(report.facts.exception.name == "System.AggregateException")
    #expect(report.facts.process.name == "Board" && report.facts.process.identifier == 42)
    #expect(report.backtraces.map(\.kind) == [.lastException, .thread])
    #expect(report.backtraces.map(\.frames.count) == [3, 1])
    let first = try #require(report.allFrames.first?.symbol)
    #expect(first.name.hasPrefix("Board.Game.Turn"))
    #expect(first.file?.hasSuffix("Game.cs") == true && first.line == 12)
  }

  /// As Xamarin prints them, with the message in front of the name.
  @Test(arguments: [
    "2026-01-02 10:00:00.000 Board.iOS[42:617] Unhandled managed exception:\n",
    "2026-01-02 10:00:00.000 Board.iOS[42:617] Unhandled managed exception: ",
    "2026-01-02 10:00:00.000 Board.iOS[42:617] Unhandled managed exceptions:\n", "",
  ])
  func dotNetNameBehindMessage(head: String) throws {
    let report = try ParsedText(
      """
      \(head)The card is not there (yet) (System.InvalidOperationException)
        at Board.Game.<.ctor>b__5_1 () [0x00001] in /src/Game.cs:12
        at Board.Game.Play () [0x00000] in D:\\src\\Game.cs:7
       --- inner exception ---
      No page (System.ArgumentException)
        at Board.Page.Turn () [0x00000] in /src/Page.cs:3
        at Board.Page.Load () [0x00000] in /src/Page.cs:4

      """
    ).report
    #expect(report.format == .dotNetTrace)
    #expect(report.facts.exception.name == "System.InvalidOperationException")
    #expect(report.facts.exception.reason == "The card is not there (yet)")
    #expect(report.facts.process.name == (head.isEmpty ? nil : "Board.iOS"))
    #expect(report.backtraces.map(\.kind) == [.lastException, .thread])
    #expect(report.backtraces.map(\.frames.count) == [2, 2])
  }

  /// Name and reason of an exception of Objective-C on lines of their own, as `ObjCException` of
  /// .NET for Apple's systems prints them.
  @Test func objectiveCExceptionInDotNet() throws {
    let report = try ParsedText(
      """
      ObjCRuntime.ObjCException: Objective-C exception thrown.
      Name: com.example.audio
      Reason: [[cards first] turn:&error]: returned false,
      error Code=-12 "(null)"

      at AVFoundation.AVAudioEngine.Connect(AVAudioNode source, AVAudioNode target)
      at Board.Player.Play(Byte[] data) in Player.cs:line 12

      """
    ).report
    expectEqual(report.facts.exception.name, "com.example.audio")
    expectEqual(
      report.facts.exception.reason,
      "[[cards first] turn:&error]: returned false, error Code=-12 \"(null)\"")
    expectEqual(report.allFrames.count, 2)
  }

  /// Java and JavaScript write theirs in a similar way.
  @Test(arguments: [
    "  at a.b.C.d(Native Method)\n  at a.b.C.e(Unknown Source)\n",
    "Error: x\n    at Board.turn (/src/board.js:1:2)\n    at new Promise (<anonymous>)\n",
    "We met at a.b (the house)\nand at c.d, e\n",
  ])
  func stacksOfOtherLanguages(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Lists that people copy, and tables of web pages.
  @Test(arguments: [
    "0  libsystem_c.dylib  abort + 180\n1  Game  Board.turn() + 45 (Board.swift:45)\n",
    "0 libsystem_c.dylib | abort + 180\n1 Game | Board.turn() + 45 (Board.swift:45)\n",
    "0 | libsystem_c.dylib | abort + 180\n1 | Game | Board.turn() + 45 (Board.swift:45)\n",
  ])
  func namesWithoutAddresses(text: String) throws {
    let report = try ParsedText(text).report
    #expect(report.format == .bareNames)
    #expect(Self.names(report) == ["libsystem_c.dylib abort", "Game Board.turn() Board.swift:45"])
    #expect(report.allFrames.allSatisfy { $0.address == nil })
  }

  /// Bugsnag's page, and the issue that it opens.
  @Test(arguments: [
    """
    ```
    EXC_BAD_ACCESS Attempted to dereference null pointer.
        Frameworks/DeckKit.framework/DeckKit -[Deck draw:]
        /usr/lib/libobjc.A.dylib _objc_retain
        game board::turn(int)
    ```

    """,
    """
    ## Error in Game

    **EXC_BAD_ACCESS** in **DeckKit**
    Attempted to dereference null pointer.

    [View on Bugsnag](https://app.example.com/x)

    ## Stacktrace

        Frameworks/DeckKit.framework/DeckKit:0 - -[Deck draw:]
        /usr/lib/libobjc.A.dylib:0 - _objc_retain
        Pods/game/board.mm:7 - board::turn(int)

    """,
  ])
  func namesWithPaths(text: String) throws {
    let report = try ParsedText(text).report
    #expect(report.format == .bareNames)
    #expect(
      report.allFrames.map { $0.symbol?.name } == [
        "-[Deck draw:]", "objc_retain", "board::turn(int)",
      ])
    #expect(report.allFrames.prefix(2).map(\.imageName) == ["DeckKit", "libobjc.A.dylib"])
    #expect(report.allFrames.last?.symbol?.line == (text.contains("board.mm") ? 7 : nil))
    #expect(report.facts.exception.type == "EXC_BAD_ACCESS")
    #expect(report.facts.exception.codes == [1, 0])
    #expect(report.crashedThread != nil)
  }

  @Test func namesBelowASignal() throws {
    let report = try ParsedText(
      """
      SIGSEGV Attempted to dereference garbage pointer 0x18.
          /usr/lib/system/libsystem_c.dylib strlen
          game -[Deck draw:]
          game draws (a card)

      """
    ).report
    #expect(report.facts.exception.signal == "SIGSEGV")
    #expect(report.facts.exception.codes == [1, 0x18])
    #expect(report.allFrames.map { $0.symbol?.name } == ["strlen", "-[Deck draw:]"])
  }

  /// Numbered lists of other things.
  @Test(arguments: [
    "0 apples\n1 pears\n2 plums\n", "0 libgame.dylib is old\nText.\n",
    "Attempted to dereference null pointer.\nThe game stops.\n",
  ])
  func otherLists(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Below the heading of a thread any image will do.
  @Test func threadWithoutAddresses() throws {
    let report = try ParsedText(
      """
      Process:  Game [7]
      Exception Type:  EXC_BREAKPOINT (SIGTRAP)

      Thread 0 Crashed:
      0   libswiftCore.dylib   _assertionFailure(_:_:file:line:flags:) + 172
      1   My Game              Board.turn() + 45 (Board.swift:45)

      """
    ).report
    #expect(report.format == .crashText && report.faults.isEmpty)
    #expect(
      Self.names(report) == [
        "libswiftCore.dylib _assertionFailure(_:_:file:line:flags:)",
        "My Game Board.turn() Board.swift:45",
      ])
  }

  @Test(arguments: [
    (
      "[12.5] game[812]: segfault at 8 ip 0000561c0a31139 sp 00007ffd4f0 error 6 in game[561c0a31000+5000]",
      "SIGSEGV", "SEGV_MAPERR at 0x0000000000000008", "game"
    ),
    (
      "game[812]: segfault at 0 ip 000027ab1ae sp 0000760a error 5\n             in libgame.so[25aa1ae,9b1000+1e29000]",
      "SIGSEGV", "SEGV_ACCERR at 0x0000000000000000", "libgame.so"
    ),
    (
      "kernel: traps: game[812] trap invalid opcode ip:561c0a31139 sp:7ffd4f0 error:0 in game[561c0a31000+5000]",
      "SIGILL", nil, "game"
    ),
  ])
  func faultsInTheLogOfLinux(text: String, signal: String, subtype: String?, image: String) throws {
    let report = try ParsedText("A line.\n\(text)\nAnother.\n").report
    #expect(report.format == .kernelFault)
    #expect(report.facts.process.name == "game" && report.facts.process.identifier == 812)
    #expect(report.facts.exception.signal == signal && report.facts.exception.subtype == subtype)
    #expect(report.allFrames.map(\.imageName) == [image])
  }

  /// gdb shows the innermost frame when it stops, and again when it is asked for all.
  @Test func argumentsOfGdb() throws {
    let report = try ParsedText(
      """
      Program terminated with signal SIGSEGV, Segmentation fault.
      #0  turn (board=0x0, count=0x3) at board.c:7
      (gdb) bt
      #0  turn (board=0x0, count=0x3) at board.c:7
      #1  0x000000000042cfd0 in main () at main.c:3

      """
    ).report
    #expect(report.allFrames.count == 2)
    #expect(report.facts.nullArgument == "board")
  }

  /// Xcode has no addresses of a thread that is gone. Markdown takes backticks away and makes
  /// links.
  @Test(arguments: [
    (
      "Thread 1#0\t(null) in turn ()\n#1\t(null) in main ()\n#2\t(null) in start ()\n",
      ["- turn", "- main", "- start"]
    ),
    (
      "* thread #1, stop reason = signal SIGSEGV\n    frame #0: 0x00000001000112df game turn + 12 at /src/board.c:7\n",
      ["game turn board.c:7"]
    ),
    (
      "* thread #1, stop reason = signal SIGSEGV\n    frame #0: 0x000000000040239f [game.com](http://game.com/)\n",
      ["game.com ?"]
    ),
  ])
  func debuggers(text: String, expected: [String]) throws {
    try expectEqual(Self.names(ParsedText(text).report), expected)
  }

  /// Crashlytics puts the start of the image in the place of an address, and addresses in the place
  /// of lines.
  @Test func falseNumbersOfCrashlytics() throws {
    let report = try ParsedText(
      """
      Crashed: com.apple.main-thread
      0  Game   0x102000000 other(void*) (.cold.1) + 656 (other.cpp:656)
      1  Game   0xfaabb4 turn() + 4373346804 (<stdin>:4373346804)
      2  Game   0xfcaeb4 main + 3

      """
    ).report
    #expect(Self.names(report) == ["- ?", "Game turn()", "Game main"])
  }
}
