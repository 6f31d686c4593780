import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Traces of virtual machines and debuggers in the shapes that their writers have: Java's
/// `vmError.cpp`, Python's `traceback.c`, lldb's `CommandObjectThread.cpp`.
struct MachineTraceTests {
  private func names(_ report: Report) -> [String] { RuntimeTraceTests.names(report) }

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

  /// As people shorten what faulthandler prints, with the heading of the thread behind the error.
  @Test(arguments: ["—", "-"]) func shortenedPython(dash: String) throws {
    let report = try ParsedText(
      """
      Fatal Python error: Segmentation fault \(dash) Current thread (worker):
        src/board.py:12   __init__          # loads the deck
        src/game.py:5     <module>

      See notes.py:3 for more.
      """
    ).report
    expectEqual(report.format, .pythonFault)
    expectEqual(names(report), ["- __init__ board.py:12", "- <module> game.py:5"])
    expectEqual(
      report.facts.applicationInformation, ["Fatal Python error: Segmentation fault"])
    expectEqual(report.crashedThread?.frames.count, 2)
  }

  /// Without the banner of the virtual machine, the number signs, and the process; the function on
  /// a line of its own.
  @Test func shortenedJava() throws {
    let report = try ParsedText(
      """
      SIGSEGV (0xb) at pc=0x00000001328c85f4
      Problematic frame:
      C  [libgame.dylib+0x5f4]
         Java_game_Board_turn+0x254

      """
    ).report
    expectEqual(report.format, .javaFatalError)
    expectEqual(report.facts.exception.signal, "SIGSEGV")
    expectEqual(names(report), ["libgame.dylib Java_game_Board_turn"])
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
  @Test(
    arguments: [
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

  /// One frame whose line somebody broke, without its address and image.
  @Test func brokenFrameOfLldb() throws {
    let report = try ParsedText(
      """
      thread #4, stop reason = EXC_BAD_ACCESS (code=1, address=0x10)
        frame #0: deck::Dealer::next(deck::Buffer&, bool)
          [inlined] deck::Buffer<char>::operator=
                   (this=<unavailable>, o=<unavailable>)
          at buffer.h:62:3 [opt]

         61   Buffer& operator=(const Buffer& o) {
      -> 62       copy(o.start);

      """
    ).report
    expectEqual(report.format, .lldbBacktrace)
    expectEqual(names(report), ["- deck::Buffer<char>::operator= buffer.h:62"])
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("frame #0: the first one\nframe #1: another\n".utf8))
    }
  }
}
