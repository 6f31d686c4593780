import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Traces of runtimes and tools in the shapes that their writers have: Go's `traceback.go`, Rust's
/// `backtrace.rs`, Breakpad's `stackwalk_common.cc`, Node's `debug_utils.cc`, Mono's
/// `mini-exceptions.c`, Java's `vmError.cpp`, Python's `traceback.c`, Linux's `show_signal_msg`;
/// and frames that were copied without addresses.
struct RuntimeTraceTests {
  private func names(_ report: Report) -> [String] {
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
      names(report) == [
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
    #expect(names(report) == ["- main.main main.go:5"])
    #expect(report.facts.exception.subtype == "SEGV_MAPERR at 0xb01dfacedebac1e")
  }

  private static let javaHead = """
    # A fatal error has been detected by the Java Runtime Environment:
    #
    #  SIGSEGV (0xb) at pc=0x00007fff9c2dc4dd, pid=812, tid=1295
    #
    # JRE version: OpenJDK Runtime Environment (14.0+36) (build 14+36-1461)
    # Problematic frame:
    # C  [libgame.dylib+0x14dd]  Java_game_Board_turn+0x1d
    #
    """

  /// On the console, behind the level of a build's log, and at the top of `hs_err_pid812.log`.
  @Test(arguments: ["", "[INFO] "])
  func headOfJava(prefix: String) throws {
    let lines = Self.javaHead.split(separator: "\n").map { "\(prefix)\($0)\n" }
    let report = try ParsedText("Start.\n" + lines.joined() + "End.\n").report
    #expect(report.format == .javaFatalError)
    #expect(names(report) == ["libgame.dylib Java_game_Board_turn"])
    #expect(report.allFrames.map(\.imageOffset) == [0x14dd])
    #expect(report.allFrames.map(\.symbol?.offset) == [0x1d])
    #expect(report.facts.exception.signal == "SIGSEGV" && report.facts.process.identifier == 812)
  }

  @Test func framesOfJava() throws {
    let registers = (0..<40).map { "R\($0)=0x0000000000000000\n" }.joined()
    let report = try ParsedText(
      """
      \(Self.javaHead)
      ---------------  T H R E A D  ---------------

      Current thread (0x00007fd1aa809000):  JavaThread "main" [_thread_in_native, id=3843]

      siginfo: si_signo: 11 (SIGSEGV), si_code: 1 (SEGV_MAPERR), si_addr: 0x00007fd186f1f000

      Registers:
      \(registers)
      Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
      C  [libgame.dylib+0x14dd]  Java_game_Board_turn+0x1d
      j  game.Board.turn(I)V+12
      J 42 c1 game.Board.play()V (25 bytes) @ 0x0000000104a1c2f0 [0x0000000104a1c2c0+0x30]
      v  ~StubRoutines::call_stub
      V  [libjvm.dylib+0x2ea2b7]  JavaCalls::call(JavaValue*, Thread*)+0x41  (javaCalls.cpp:339)
      C  [libsystem_pthread.dylib+0x24d7]
      C  0x0000000150c670ad

      """
    ).report
    #expect(report.backtraces.map(\.isCrashed) == [true])
    #expect(report.backtraces.map(\.name) == ["main"])
    #expect(
      names(report) == [
        "libgame.dylib Java_game_Board_turn", "- game.Board.turn(I)V", "- game.Board.play()V",
        "- StubRoutines::call_stub",
        "libjvm.dylib JavaCalls::call(JavaValue*, Thread*) javaCalls.cpp:339",
        "libsystem_pthread.dylib ?", "- ?",
      ])
    #expect(report.facts.exception.subtype == "SEGV_MAPERR at 0x00007fd186f1f000")
  }

  /// With the thread that crashed, and without: then none is.
  @Test(arguments: [("Current thread 0x00007f12", [true, false]), ("Thread 0x00007f12", [false])])
  func python(heading: String, crashed: [Bool]) throws {
    let cStack = """
      Current thread's C stack trace (most recent call first):
        Binary file "/usr/lib/libgame.so", at turn+0x31 [0x7f5a4e54451f]

      """
    let report = try ParsedText(
      """
      In [5]: Fatal Python error: Segmentation fault

      \(heading) (most recent call first):
        File "/src/board.py", line 12 in turn
        File "/src/game.py", line 5 in <module>

      \(crashed.count > 1 ? cStack : "")
      """
    ).report
    #expect(report.format == .pythonFault)
    #expect(names(report).prefix(2) == ["- turn board.py:12", "- <module> game.py:5"])
    #expect(names(report).dropFirst(2).allSatisfy { $0 == "libgame.so turn" })
    #expect(report.backtraces.map(\.isCrashed) == crashed)
    expectEqual(
      report.facts.applicationInformation, ["Fatal Python error: Segmentation fault"])
  }

  /// The line of the thread, the code where it stopped, and what `bt` shows are one crash.
  @Test func stopOfLldb() throws {
    let report = try ParsedText(
      """
      Process 812 stopped
      * thread #1: tid = 0x5b10fd, 0x000000019b44dd88 game`turn + 92, queue = 'main', stop reason = EXC_BAD_ACCESS (code=1, address=0x9000000000000010)
          frame #0: 0x000000019b44dd88 game`turn + 92
      game`turn:
      ->  0x19b44dd88 <+92>:  ldr    w9, [x8, #16]!
          0x19b44dd8c <+96>:  tbz    w9, #24, 0x19b44de30      ; <+260>
          0x19b44dd90 <+100>: ldr    w9, [x8]
          0x19b44dd94 <+104>: and    w9, w9, #0xfffe
          0x19b44dd98 <+108>: ret
      Target 0: (game) stopped.
      ,* thread #1: tid = 0x5b10fd, 0x000000019b44dd88 game`turn + 92, queue = 'main', stop reason = EXC_BAD_ACCESS (code=1, address=0x9000000000000010)
        * frame #0: 0x000000019b44dd88 game`turn + 92
          frame #1: 0x000000019b44d8e8 game`main + 156

      """
    ).report
    #expect(report.facts.exception.codes == [1, 0x9000_0000_0000_0010])
    #expect(report.facts.process.name == "game")
    #expect(report.crashedThread?.frames.count == 2)
  }

  /// The reason on a line of its own, in words; frames without addresses and images.
  @Test(arguments: [
    (
      "stop reason = EXC_ARITHMETIC (code=EXC_I386_DIV, subcode=0x0)\n  * frame #0: game`turn + 60\n    frame #1: game`main + 64\n",
      ["game turn", "game main"], "EXC_ARITHMETIC", [1, 0]
    ),
    (
      "frame #0:   game`turn + 60\nframe #1:   app::Board::play(...)          at board.cc:206\n",
      ["game turn", "- app::Board::play(...) board.cc:206"], nil, []
    ),
  ] as [(String, [String], String?, [UInt64])])
  func shortFramesOfLldb(
    text: String, expected: [String], type: String?, codes: [UInt64]
  ) throws {
    let report = try ParsedText(text).report
    #expect(names(report) == expected)
    #expect(report.allFrames.first?.symbol?.offset == 60)
    #expect(report.facts.exception.type == type && report.facts.exception.codes == codes)
  }

  /// The image, how far the call is in its function or which line it is, the function.
  @Test func imagesFirst() throws {
    let report = try ParsedText(
      """
      libsystem_kernel\t8\t___pthread_kill (in libsystem_kernel.dylib)
      libsystem_c\t140\t_abort (in libsystem_c.dylib)
      libobjc.A\t124\t_objc_terminate() (in libobjc.A.dylib)
      Game\t29896\tmissing (in Game)
      Game\tBoard.swift:45\tBoard.turn() (in Game)

      """
    ).report
    #expect(
      names(report) == [
        "libsystem_kernel.dylib __pthread_kill", "libsystem_c.dylib abort",
        "libobjc.A.dylib _objc_terminate()", "Game ?", "Game Board.turn() Board.swift:45",
      ])
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
      names(report) == [
        "- rust_begin_unwind panicking.rs:697", "- game::Board::turn board.rs:12",
      ])
    #expect(
      report.facts.applicationInformation == [
        "thread 'main' (42) panicked at src/board.rs:12:9: no cards"
      ])
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
      names(report) == ["game Board::turn() board.cc:12", "libdyld.dylib start", "game ?"])
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
      names(report) == [
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
      names(report) == [
        "libmonosgen-2.0.dylib mono_dump_native_crash_info", "- ?", "libsystem_c.dylib abort",
      ])
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
    #expect(names(report) == ["libsystem_c.dylib abort", "Game Board.turn() Board.swift:45"])
    #expect(report.allFrames.allSatisfy { $0.address == nil })
  }

  /// Numbered lists of other things.
  @Test(arguments: ["0 apples\n1 pears\n2 plums\n", "0 libgame.dylib is old\nText.\n"])
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
      names(report) == [
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
    try expectEqual(names(ParsedText(text).report), expected)
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
    #expect(names(report) == ["- ?", "Game turn()", "Game main"])
  }
}
