import ReportTestSupport
import TestSupport
import Testing

/// Summaries of samples, spindumps and their pieces: what a process was doing.
struct SampleSummaryTests {
  /// A piece of a spindump has no thread, and who asked for the lock is in a library.
  @Test func heaviestStackOfAHang() {
    let lines = summary(
      """
      Heaviest stack for the main thread of the target process:
        10  start + 1 (libdyld.dylib + 21045) [0x7fff9adec235]
        10  draw + 35 (Game + 100) [0x100000064]
        10  load + 7 (ImageIO + 100) [0x7fff4a8ea816]
        10  __psynch_mutexwait + 10 (libsystem_kernel.dylib + 15990) [0x7fff750b3e76]

      """)
    expectEqual(
      Array(lines.prefix(3)),
      [
        "process with Game", "hang", "the main thread was waiting for a lock (load), in draw",
      ])
  }

  /// Functions that start the app are no place of a hang. If no other is the app's own, those of
  /// the system say what it did; the thread may be cut off below its heaviest stack.
  @Test(arguments: [
    ("-[NSView _layoutSubtreeWithOldSize:]", "laying out views"),
    ("NSDisplayCycleFlush", "drawing views"),
  ])
  func drawingWithoutTheApp(function: String, activity: String) {
    let start = [
      "start + 462 (dyld + 21806)", "Cards_main + 9 (App.swift in Cards + 1746)",
      "static CardsApp.$main() + 35 (App.swift:31,1 in Cards + 1746)",
      "static App.main() + 63 (SwiftUI + 6122591)", "NSApplicationMain + 817 (AppKit + 14234)",
      "-[NSApplication run] + 586 (AppKit + 194584)",
    ]
    let inner = [
      "\(function) + 695 (AppKit + 610913)", "bzero + 3 (libsystem_platform.dylib + 14)",
    ]
    let digest = (start + inner).map { "  49  \($0) [0x10772db33]\n" }.joined()
    let thread = start.enumerated().map { index, frame in
      "\(String(repeating: "  ", count: index + 1))49  \(frame) [0x10772db33] 1-49\n"
    }.joined()
    let lines = summary(
      """
      Date/Time:        2025-12-17 19:00:41.615 -0500
      OS Version:       macOS 12.7.6 (Build 21H1320)
      Data Source:      Stackshots
      Command:          Cards
      Event:            hang
      Duration:         7.23s

      Heaviest stack for the main thread of the target process:
      \(digest)

      Process:          Cards [27952]
      Path:             /Applications/Cards.app/Contents/MacOS/Cards

        Thread 0x2ca9e    DispatchQueue "com.apple.main-thread"(1)    49 samples (1-49)    priority 47
      \(thread)
      """)
    expectEqual(
      Array(lines[1..<3]), ["hang of 7.23s", "the main thread was \(activity) (\(function))"])
  }

  /// A piece of a spindump may begin at a thread that is not the main one.
  @Test func threadOfASpindumpAlone() {
    let lines = summary(
      """
        Thread 0x80abd0           48 samples (1-48)         priority 31 (base 31)
        <process frontmost, thread QoS default, IO tier 0>
        48  thread_start + 13 (libsystem_pthread.dylib + 12429) [0x7fffc398f08d] 1-48
          48  draw + 35 (Game + 100) [0x100000064] 1-48
            48  __psynch_cvwait + 10 (libsystem_kernel.dylib + 105458) [0x7fffc38a4bf2] 1-48
             *48  psynch_cvcontinue + 0 (pthread + 38973) [0xffffff7f811b683d] 1-48

      """)
    expectEqual(
      Array(lines[1..<3]),
      ["sample", "thread 0x80abd0 was waiting for a semaphore or a condition"])
  }

  /// Whoever samples a process wants to know what its main thread does.
  @Test(
    arguments: [
      ("kevent  (in libsystem_kernel.dylib) + 8", "waiting for events (kevent)"),
      ("__select  (in libsystem_kernel.dylib) + 8", "waiting for events (select)"),
      // A function of the program.
      ("poll  (in Game) + 8", "in poll"),
      ("runtime.mach_semaphore_wait  (in Game) + 11", "waiting for a semaphore or a condition"),
      ("__semwait_signal  (in libsystem_kernel.dylib) + 8", "sleeping"),
      ("mach_msg2_trap  (in libsystem_kernel.dylib) + 8", "waiting for a Mach message"),
      (
        "_dispatch_sema4_wait  (in libdispatch.dylib) + 16",
        "waiting for a semaphore or a condition"
      ),
      ("draw  (in Game) + 8", "in draw"),
    ])
  func sampleOfAProcess(leaf: String, activity: String) {
    let lines = summary(
      """
      Sampling process 42 for 3 seconds with 1 millisecond of run time between samples
      Analysis of sampling Game (pid 42) every 1 millisecond
      Process:         Game [42]
      Path:            /Applications/Game.app/Contents/MacOS/Game
      Code Type:       X86-64

      Call graph:
          2787 Thread_1   DispatchQueue_1: com.apple.main-thread  (serial)
          + 2787 start  (in libdyld.dylib) + 1  [0x7fff9adec235]
          +   2787 turn  (in Game) + 229  [0x100000e64]
          +     2787 \(leaf)  [0x100001f64]

      """)
    expectEqual(Array(lines[1..<3]), ["sample of 3 seconds", "the main thread was \(activity)"])
  }

  /// dyld has not come to the code of the program.
  @Test func sampleOfALaunch() {
    let lines = summary(
      """
      Call graph:
          817 Thread_1   DispatchQueue_1: com.apple.main-thread  (serial)
          + 817 start  (in dyld) + 6596  [0x18925be24]
          +   817 dyld4::prepare(dyld4::APIs&)  (in dyld) + 1428  [0x18925d034]
          +     817 __open  (in dyld) + 8  [0x1892300a8]

      """)
    expectEqual(
      lines[2],
      "the main thread was in dyld, which loads the libraries before the program begins (open)")
  }

  /// A piece without the heading of its thread, or with that of another one.
  @Test(
    arguments: [
      ("", "a thread"), ("    27 Thread_4: cards\n", "thread 4"),
      ("    27 Thread_4   DispatchQueue_7: cards  (serial)\n", "thread 4"),
      ("    27 Thread_1   DispatchQueue_1: com.apple.main-thread  (serial)\n", "the main thread"),
    ])
  func pieceOfASample(heading: String, thread: String) {
    let lines = summary(
      """
      \(heading)    + 27 turn  (in Game) + 229  [0x100000e64]
          +   27 kevent  (in libsystem_kernel.dylib) + 8  [0x7fff90dabae5]

      """)
    expectEqual(Array(lines[1..<3]), ["sample", "\(thread) was waiting for events (kevent)"])
  }

  /// The watchdog of services says why it took the stacks; the kernel waits for the GPU.
  @Test func spindumpOfAWatchdog() {
    let lines = summary(
      """
      Date/Time:        2024-03-18 08:12:21 +1100
      OS Version:       Mac OS X 10.15.7 (Build 19H2026)
      Data Source:      Stackshots
      Reason:           (1 monitored services unresponsive): cardsd, 40 seconds
      Command:          cardsd
      PID:              176
      Event:            service process watchdog
      Duration:         5.51s
      Steps:            12

      Process:          cardsd [176]
      Path:             /usr/libexec/cardsd

        Thread 0x3e2    12 samples (1-12)    priority 92 (base 79)
        12  start + 1 (libdyld.dylib + 109769) [0x7fff738dacc9] 1-12
          12  CDShutdown(int) + 799 (CoreDisplay + 923670) [0x7fff39b80816] 1-12
            12  IOConnectCallMethod + 186 (IOKit + 13218) [0x7fff3c9d03a2] 1-12
             *12  Cards::finishAllStamps() + 52 (Cards + 192212) [0xffffff7f84f38ed4] 1-12
               *12  Cards::waitForStamp(int, unsigned int) + 264 (Cards + 74470) [0xffffff7f84f1c2e6] 1-12
                 *12  thread_block_reason + 175 (kernel + 1293359) [0xffffff800033bc2f] 1-12

      Process:          other [177]
      Path:             /usr/libexec/other

        Thread 0x3e3    12 samples (1-12)    priority 92 (base 79)
        12  start + 1 (libdyld.dylib + 109769) [0x7fff738dacc9] 1-12

      """)
    expectEqual(
      Array(lines[1..<4]),
      [
        "service process watchdog of 5.51s",
        "the main thread was waiting for the GPU (Cards::waitForStamp), called by CDShutdown",
        "    (1 monitored services unresponsive): cardsd, 40 seconds",
      ])
    expectEqual(lines.filter { $0.contains("(1 monitored") }.count, 1)
  }

  /// What the thread did when the process was ended for being late is no accusation.
  @Test(
    arguments: [
      (["f + 1"], "the main thread was in f"),
      (["__psynch_mutexwait + 8", "f + 1"], "the main thread was waiting for a lock, in f"),
      (
        ["mach_msg + 8", "__CFRunLoopServiceMachPort + 8"],
        "the main thread was waiting in a run loop"
      ),
      (
        ["mach_msg2_trap + 8", "xpc_connection_send_message_with_reply_sync + 8"],
        "the main thread was waiting for an answer of another process"
      ),
      (["__open + 8", "-[NSData init] + 8"], "the main thread was in -[NSData init]"),
    ])
  func activityOfALateProcess(functions: [String], activity: String) {
    let frames = functions.enumerated().map { index, name in
      let image =
        name == "f + 1" ? "Game" : name.hasPrefix("_") ? "libsystem_kernel.dylib" : "Foundation"
      let address = name == "f + 1" ? "0x0000000104a1c2f0" : "0x00000001856c0e90"
      return "\(index)   \(image)   \(address) \(name)"
    }
    let lines = summary(
      """
      Exception Type:  EXC_CRASH (SIGKILL)
      Exception Codes: 0x0, 0x0
      Termination Reason: FRONTBOARD 2343432205
      <RBSTerminateContext| domain:10 code:0x8BADF00D explanation:[app<com.example.Game>:2853] failed to terminate gracefully after 5.0s
      ProcessVisibility: Unknown

      Thread 0 Crashed:
      \(frames.joined(separator: "\n"))

      """, with: [])
    expectEqual(
      Array(lines.prefix(2)),
      [
        "com.example.Game, pid 2853",
        "\(activity) — terminated: FRONTBOARD 0x8badf00d, watchdog: ending took more than 5.0 s of real time",
      ])
  }
}
