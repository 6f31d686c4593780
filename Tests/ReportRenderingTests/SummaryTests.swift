import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// `--summary`. Functions and lines are from `Fixtures/LetterShuffle/README.md`.
struct SummaryTests {
  private func summary(
    _ text: String, with symbols: [String] = [Fixtures.storyBundle],
    _ options: SymbolicationOptions = SymbolicationOptions(), keepsSignature: Bool = false
  ) -> [String] {
    let output = JsonFixture.output(text.utf8, as: .summary, with: symbols, options)
    expectSuffix(output, "\n")
    let lines = output.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map(String.init).filter { keepsSignature || !$0.hasPrefix("signature ") }
  }

  /// A file that may be the right one is named, and what is missing.
  @Test func joinThatWasRefused() {
    let file = Fixtures.path("Elf/shapes-pie.elf")
    let lines = summary(
      "* thread #1, stop reason = signal SIGSEGV\n"
        + "  * frame #0: 0x00005555555554f0 shapes-pie.elf`___lldb_unnamed_symbol1\n",
      with: [file])
    expectEqual(
      lines.suffix(2),
      [
        "not looked up: shapes-pie.elf: \(file) may be its symbol file; give -l 'shapes-pie.elf=0xADDRESS', where it was loaded",
        "0 of 1 frame resolved",
      ])
  }

  private static let story = """
    Letter Shuffle 6 (1.3), pid 57833, iPhone OS 12.4 (16G77), arm64, 2019-07-31 11:32:24.3585 -0700
    GameData.swift:18 in one-time initialization function for rounds — a failed check in Swift code (nil, index, overflow, cast or precondition)
    EXC_BREAKPOINT (SIGTRAP): codes 0x1 0x10024f19c
    xxx, incident DAB41DAD-9A48-42B0-9115-7AB25B8FC81F, 0.194 s after launch, Non UI, parent launchd [1]
    thread 0 crashed (com.apple.main-thread):
       0  Letter Shuffle      GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) (<compiler-generated>:0)
       1  Letter Shuffle      one-time initialization function for rounds (GameData.swift:18)
       2  libdispatch.dylib   0x1c646c000 + 395220
       3  libdispatch.dylib   0x1c646c000 + 16056
       4  libswiftCore.dylib  0x1f420d000 + 2780736
       5  Letter Shuffle      GameData.rounds.unsafeMutableAddressor (GameData.swift:14)
       6  Letter Shuffle      GameViewController.loadRound(_:) (GameViewController.swift:60)
       7  Letter Shuffle      GameViewController.startRound() (GameViewController.swift:51) [inlined]
       8  Letter Shuffle      GameViewController.viewDidLoad() (GameViewController.swift:37)
       9  Letter Shuffle      @objc GameViewController.viewDidLoad() (<compiler-generated>:0)
      10  UIKitCore           0x1f2810000 + 3224100
      11  UIKitCore           0x1f2810000 + 3225128
    signature 57732f7ac38603df: EXC_BREAKPOINT | GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) | one-time initialization function for rounds | GameData.rounds.unsafeMutableAddressor
    6 of 11 frames resolved; no symbols for 5 frames of system libraries
    """

  @Test func ofTheStory() throws {
    let text = String(decoding: try JsonFixture.story, as: UTF8.self)
    expectEqual(summary(text, keepsSignature: true).joined(separator: "\n"), Self.story)
    expectEqual(
      summary(JsonFixture.ips, keepsSignature: true).joined(separator: "\n"),
      Self.story.replacing("6 (1.3)", with: "1.3 (6)")
        // Only there do the libraries have UUIDs.
        .replacing(
          "\n6 of 11",
          with:
            "\nsymbols that would help most: libdispatch.dylib (UUID 11111111-1111-1111-1111-111111111111, arm64), 2 frames of the crash (a system library)\n6 of 11"
        ))
    expectEqual(
      summary(text, with: []).last,
      "0 of 11 frames resolved; no symbols for Letter Shuffle (UUID A4B1DE49-70B3-301D-A644-58D6BC22F513, arm64), 5 frames of system libraries"
    )
    var options = SymbolicationOptions()
    options.onlyUserCode = true
    let own = summary(text, with: [Fixtures.storyBundle], options)
    expectEqual(own.count, 13)
    expectEqual(own.last, "6 of 6 frames resolved")
  }

  @Test func severalReportsWithAnEmptyLineBetween() throws {
    let text = String(decoding: try JsonFixture.story, as: UTF8.self)
    let lines = summary(text + "\n" + text, keepsSignature: true)
    expectEqual(lines.joined(separator: "\n"), Self.story + "\n\n" + Self.story)
  }

  /// All frames of the app stay, but only the first of the system's.
  @Test func longBacktracesAreCut() throws {
    let system =
      "0x180000000 - 0x18000ffff libSystem arm64  <00112233445566778899aabbccddeeff> /usr/lib/libSystem"
    let frames = (0..<100).map { index in
      [50, 99].contains(index)
        ? ReportFixture.frame(index, 0x1_0024_5798)
        : ReportFixture.line(index, 0x1_8000_1000, image: "libSystem", "f\(index) + 1")
    }
    let lines = summary(
      ReportFixture.report(frames: frames, images: [ReportFixture.storyLine, system]),
      keepsSignature: true)
    // One line each for the process, the place, the incident, the thread, the two gaps, the
    // signature and the symbols.
    expectEqual(lines.count, 25)
    expectEqual(lines[1], "GameData.swift:14 in GameData.rounds.unsafeMutableAddressor")
    expectEqual(lines[2], "incident 1")
    expectEqual(lines[4], "   0  libSystem       f0")
    expectEqual(lines[18], "  14  libSystem       f14")
    expectEqual(lines[19], "  … 35 frames …")
    expectEqual(
      lines[20], "  50  Letter Shuffle  GameData.rounds.unsafeMutableAddressor (GameData.swift:14)")
    expectEqual(lines[21], "  … 48 frames …")
    expectPrefix(lines[22], "  99  Letter Shuffle")

    let deep = (0..<5000).map {
      ReportFixture.line($0, 0x1_8000_1000, image: "libSystem", "f\($0 % 9) + 1")
    }
    let cut = summary(
      ReportFixture.report(frames: deep, images: [system]), keepsSignature: true)
    expectTrue(cut.count == 25 && cut[22] == "  … 4982 frames …")
    // Nothing but its innermost function is known of the crash.
    expectEqual(cut[1], "f0 in libSystem")
    expectPrefix(cut[4], "   0  libSystem  f0")
  }

  /// A gap of one frame would take as much room as the frame.
  @Test func gapsHaveSeveralFrames() {
    let system =
      "0x180000000 - 0x18000ffff libSystem arm64  <00112233445566778899aabbccddeeff> /usr/lib/libSystem"
    // Frames of the app and of the system in turn, then many of the system.
    let frames = (0..<60).map { index in
      index % 2 == 1 && index < 17
        ? ReportFixture.line(index, 0x1_0024_5798, "a\(index) + 1")
        : ReportFixture.line(index, 0x1_8000_1000, image: "libSystem", "f\(index) + 1")
    }
    let lines = summary(
      ReportFixture.report(frames: frames, images: [ReportFixture.storyLine, system]), with: [])
    expectFalse(lines.contains { $0.contains("… 1 frame …") })
    expectTrue(lines.contains { $0.hasSuffix("a15") })
    let omitted = lines.compactMap { line -> Int? in
      line.hasPrefix("  … ") ? Int(line.split(separator: " ")[1]) : nil
    }
    expectEqual(omitted.reduce(0, +) + lines.count { $0.contains("lib") || $0.contains("  a") }, 60)
  }

  /// Three or more frames in a row with the same function and line are one line.
  @Test func recursionIsFolded() {
    let frames = (0..<5000).map { ReportFixture.frame($0, 0x1_0024_5798) }
    let lines = summary(ReportFixture.report(frames: frames))
    let name = "Letter Shuffle  GameData.rounds.unsafeMutableAddressor"
    expectEqual(
      lines.dropFirst(4),
      [
        "  0  \(name) (GameData.swift:0)", "  1  \(name) (GameData.swift:14) × 4999",
        "5000 of 5000 frames resolved",
      ])
  }

  /// Functions that call each other are shown once, with how often they follow again.
  @Test func mutualRecursionIsFolded() {
    let frames = (0..<100).map { ReportFixture.line($0, 0x1_0024_5798, "f\($0 % 3) + 1") }
    let last = [ReportFixture.line(100, 0x1_0024_5798, "main + 1")]
    let lines = summary(ReportFixture.report(frames: frames + last), with: [])
    // 33 rounds are 99 frames; frame 99 begins another.
    expectEqual(
      lines.dropFirst(4).dropLast(),
      [
        "    0  Letter Shuffle  f0", "    1  Letter Shuffle  f1", "    2  Letter Shuffle  f2",
        "  … these 3 frames repeat 32 times …", "   99  Letter Shuffle  f0",
        "  100  Letter Shuffle  main",
      ])
  }

  /// Without names, frames at one address are the same.
  @Test func recursionWithoutSymbolsIsFolded() {
    let frames = (0..<300).map { ReportFixture.frame($0, 0x1_0024_5798) }
    let lines = summary(ReportFixture.report(frames: frames), with: [])
    expectContains(lines, "  0  Letter Shuffle  0x100228000 + 120728 × 300")
    // Two frames are no recursion.
    let two = summary(ReportFixture.report(frames: Array(frames.prefix(2))), with: [])
    expectContains(two, "  1  Letter Shuffle  0x100228000 + 120728")
  }

  @Test func whatHappened() {
    let text = """
      Process: App [1]
      Version: ???
      Code Type: ARM-64
      Exception Type: EXC_CRASH (SIGABRT)
      Exception Codes: 0x0000000000000000, 0x0000000000000000
      Report Version: 104

      Application Specific Information:
      dyld3 mode
      Fatal error: Index out of range

      Last Exception Backtrace:
      0   Letter Shuffle   0x0000000100245798 0x100228000 + 120728

      Thread 0 Crashed:
      0   libsystem   0x0000000180001000 __pthread_kill + 8

      Binary Images:
      \(ReportFixture.storyLine)

      """
    expectEqual(
      summary(text),
      [
        "App, pid 1, arm64",
        "GameData.rounds.unsafeMutableAddressor in GameData.swift — Fatal error: Index out of range",
        "EXC_CRASH (SIGABRT)", "last exception:",
        // Frame 0 is not a return address: its line is that of the instruction there.
        "  0  Letter Shuffle  GameData.rounds.unsafeMutableAddressor (GameData.swift:0)",
        "2 of 2 frames resolved",
      ])
    let thrown = text.replacing(
      "Fatal error: Index out of range",
      with: "*** Terminating app due to uncaught exception 'NSRangeException', reason: 'no'")
    expectEqual(
      summary(thrown)[1],
      "GameData.rounds.unsafeMutableAddressor in GameData.swift — NSRangeException: no")
    // The selected thread, if there is one.
    var options = SymbolicationOptions()
    options.threads = .numbered([0])
    expectEqual(
      summary(text, with: [], options).suffix(3),
      [
        "thread 0 crashed:", "  0  libsystem  __pthread_kill", "1 frame, already symbolicated",
      ])
  }

  // MARK: Facts

  /// A report of a Mac with these lines in its head, and below it.
  private static func mac(_ lines: String..., body: String = "") -> String {
    """
    Process: App [41]
    Identifier: com.example.App
    Date/Time: 2026-05-01 11:00:00.7819 -0400
    Launch Time: 2026-05-01 10:59:44.0241 -0400
    Exception Type: EXC_BAD_ACCESS (SIGSEGV)
    \(lines.joined(separator: "\n"))

    \(body)
    Thread 0 Crashed:
    0   App   0x0000000100001000 main + 8

    """
  }

  /// Each fact once, in the order of docs/cli.md.
  @Test func circumstances() {
    let text = Self.mac(
      "Code Type: X86-64 (Translated)", "Hardware Model: Mac16,12",
      "Incident Identifier: D45B85C7-5FB9-456A-99C4-372C53C6B026", "Role: Background",
      "Parent Process: launchd [1]", "Responsible: Terminal [82]", "Beta Identifier: 1F",
      "Time Awake Since Boot: 14000 seconds",
      "Termination Reason: SIGNAL 11 Segmentation fault: 11",
      "Terminating Process: exc handler [41]",
      body: """
        VM Region Info: 0x10 is not in any region.  Bytes before following region: 4343201776
              REGION TYPE                 START - END      [ VSIZE] PRT/MAX SHRMOD  REGION DETAIL
              UNUSED SPACE AT START
        --->
              __TEXT                 102e00000-102e04000   [   16K] r-x/r-x SM=COW  /App

        Kernel Triage:
        VM - pmap_enter failed with resource shortage
        VM - pmap_enter failed with resource shortage

        Application Specific Information:
        abort() called
        CoreSimulator 1010 - Device: iPhone
        the app was asked to stop

        """)
    let lines = summary(text)
    expectEqual(lines[0], "App, pid 41, x86_64, 2026-05-01 11:00:00.7819 -0400")
    expectEqual(
      lines.filter { $0 != lines[1] }.dropFirst().prefix { !$0.hasPrefix("thread") },
      [
        "EXC_BAD_ACCESS (SIGSEGV)", "memory region: 0x10 is not in any region",
        "kernel triage: VM - pmap_enter failed with resource shortage",
        "Mac16,12, incident D45B85C7-5FB9-456A-99C4-372C53C6B026, 16.757 s after launch, system awake for 14000 s, Background, parent launchd [1], responsible Terminal [82], translated (Rosetta), TestFlight",
      ])
    expectSuffix(lines[1], "the app was asked to stop")
  }

  @Test func whoEndedIt() {
    func termination(_ lines: String...) -> String? {
      summary(Self.mac(lines.joined(separator: "\n"))).first { $0.hasPrefix("terminated") }
    }
    expectNil(termination("Termination Reason: SIGNAL 11 Segmentation fault: 11"))
    expectNil(termination("Termination Signal: Segmentation fault: 11"))
    expectNil(
      termination("Termination Reason: SIGNAL 11 x", "Terminating Process: exc handler [41]"))
    expectNil(termination("Termination Reason: SIGNAL 11 x", "Terminating Process: App [41]"))
    expectEqual(
      termination("Termination Reason: SIGNAL 9 Killed: 9", "Terminating Process: kill [7]"),
      "terminated by kill [7]")
  }

  @Test func memoryRegions() {
    for (body, expected) in [
      (
        "VM Region Info: 0x16f0ac000 is in 0x16b8a8000-0x16f0ac000;  bytes after start: 1\n      REGION TYPE\n--->  STACK GUARD              16b8a8000-16f0ac000   [ 56.0M] ---/rwx SM=NUL  stack guard for thread 0\n",
        "memory region: STACK GUARD 16b8a8000-16f0ac000 [ 56.0M] ---/rwx SM=NUL stack guard for thread 0"
      ),
      (
        "VM Regions Near 0x7fc148e8fb8:\n    VM_ALLOCATE   1b0563000-1bd1fb000 [204.6M] rw-/rwx SM=PRV\n-->\n    JS JIT   59d9c0c00000-59d9c8c00000 [128.0M] rwx/rwx SM=COW\n",
        "memory region: 0x7fc148e8fb8 is not in any region"
      ),
      (
        "VM Region Info: 0x33bb40320 is not in any region.  Bytes after previous region: 261\n      REGION TYPE\n--->  GAP OF 0xd20000000 BYTES\n",
        "memory region: 0x33bb40320 is not in any region"
      ),
    ] {
      expectContains(summary(Self.mac(body: body)), expected)
    }
  }

  /// A report whose head is cut off may still have the name of its process.
  @Test func namesOfProcesses() {
    let crashed = "Exception Type: EXC_BAD_ACCESS (SIGSEGV)\nCrashed Thread: 0\n"
    let path = "Path: /Applications/Board.app/Contents/MacOS/Board\n"
    let frames = """

      Thread 0 Crashed:
      0   libBoard.dylib   0x0000000100245798 f + 8
      1   org.example.board   0x0000000100245798 main + 483
      2   libdyld.dylib   0x00007fff70169cc9 start + 1

      """
    expectEqual(
      summary(crashed + "Terminating Process: exc handler [363]\n" + frames, with: [])[0],
      "org.example.board, pid 363")
    expectEqual(summary(crashed + path + frames, with: [])[0], "Board")
    expectEqual(
      summary(crashed + frames + "\nBinary Images:\n\(ReportFixture.storyLine)\n", with: [])[0],
      "Letter Shuffle")
  }

  /// Of the images without symbols, the one with the most frames of the crash, then the nearest.
  @Test func symbolsThatHelpMost() {
    let system =
      "0x180000000 - 0x18000ffff libSystem arm64  <00112233445566778899aabbccddeeff> /usr/lib/libSystem"
    let images = (1...3).map {
      "0x\($0)00000000 - 0x\($0)0000ffff A\($0) arm64  <0000000000000000000000000000000\($0)> /private/var/A\($0)"
    }
    func wanted(_ order: [Int]) -> String? {
      let frames = order.enumerated().map { index, image in
        image == 0
          ? ReportFixture.frame(index, 0x1_8000_1000, image: "libSystem", base: 0x1_8000_0000)
          : ReportFixture.frame(
            index, UInt64(image) << 32 | UInt64(0x1000 + index), image: "A\(image)",
            base: UInt64(image) << 32)
      }
      return summary(ReportFixture.report(frames: frames, images: images + [system]), with: [])
        .first { $0.hasPrefix("symbols") }
    }
    let start = "symbols that would help most: "
    expectEqual(
      wanted([0, 0, 0, 1, 2, 2, 3]),
      start + "A2 (UUID 00000000-0000-0000-0000-000000000002, arm64), 2 frames of the crash")
    expectEqual(
      wanted([3, 1, 2]),
      start + "A3 (UUID 00000000-0000-0000-0000-000000000003, arm64), 1 frame of the crash")
    // The last line names it.
    expectNil(wanted([0, 1]))
    expectEqual(
      wanted([0, 0]),
      start
        + "libSystem (UUID 00112233-4455-6677-8899-AABBCCDDEEFF, arm64), 2 frames of the crash (a system library)"
    )
  }

  @Test func frameLinesAlone() {
    expectEqual(
      summary("3   Letter Shuffle 0x0000000100245798 0x100228000 + 120728\n"),
      [
        "process with Letter Shuffle",
        "GameData.swift:14 in GameData.rounds.unsafeMutableAddressor",
        "frames:",
        "  3  Letter Shuffle  GameData.rounds.unsafeMutableAddressor (GameData.swift:14)",
        "1 of 1 frame resolved",
      ])
  }

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
        "(1 monitored services unresponsive): cardsd, 40 seconds",
      ])
    expectEqual(lines.filter { $0.hasPrefix("(1 monitored") }.count, 1)
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

  /// KSCrash keeps the class of the last object that was freed at an address.
  @Test func notesOfKsCrash() {
    let lines = summary(
      #"{"report":{"version":"3.3"},"process":{},"system":{"process_name":"Game"},"binary_images":[{"image_addr":6442450944,"image_size":65536,"name":"/usr/lib/libobjc.A.dylib","uuid":"A4B1DE49-70B3-301D-A644-58D6BC22F513"}],"crash":{"diagnosis":"Possible zombie\nin call","error":{"type":"mach","address":16,"mach":{"exception":1,"exception_name":"EXC_BAD_ACCESS","code":1,"subcode":16},"signal":{"name":"SIGSEGV","signal":11}},"threads":[{"index":0,"crashed":true,"registers":{"basic":{"pc":6442451000}},"notable_addresses":{"x0":{"address":1,"type":"unknown","last_deallocated_obj":"__NSArrayI"},"x1":{"address":2,"type":"string","value":"count"}},"backtrace":{"contents":[{"instruction_addr":6442451000,"object_addr":6442450944,"object_name":"libobjc.A.dylib","symbol_addr":6442450980,"symbol_name":"objc_msgSend"}]}}]}}"#,
      with: [])
    expectEqual(
      lines[1],
      "an object was used that was freed or overwritten before (objc_msgSend, selector count), where an object of the class __NSArrayI was freed"
    )
    expectTrue(lines.contains("KSCrash's diagnosis: Possible zombie; in call"))
  }

  @Test func crashedThreadsWithoutANumber() {
    let lines = summary(
      "Crashed: com.apple.main-thread\n0  Game  0x246e35c Page.load() + 45 (Page.swift:45)\n",
      with: [])
    expectEqual(lines[0], "process with Game")
    expectTrue(lines.contains("crashed thread (com.apple.main-thread):"))
  }

  @Test func reportsWithoutFrames() {
    expectEqual(
      summary("Process: A [1]\nIdentifier: b\nVersion: 2\nReport Version: 104\n"),
      ["A 2, pid 1", "no stack frames"])
  }

  /// Untrusted names: no escape sequence reaches the terminal, and lines are limited in length.
  @Test func hostileNames() {
    let name = String(repeating: "n", count: 5000)
    let body =
      #"{"procName":"A\u001b[2J\n\#(name)","threads":[{"triggered":true,"name":"\u009bt","frames":[{"imageOffset":0,"imageIndex":0,"symbol":"\u001b]\#(name)","symbolLocation":0,"sourceFile":"\#(name)","sourceLine":1}]}],"usedImages":[{"base":4096,"size":16,"name":"\#(name)"}]}"#
    let lines = summary(body, keepsSignature: true)
    expectEqual(lines.count, 6)
    expectTrue(lines.allSatisfy { $0.count < 320 })
    expectTrue(
      lines.joined().unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    expectPrefix(lines[0], "A\u{fffd}[2J\u{fffd}nnn")
  }

  @Test func manyImagesWithoutSymbols() {
    let images = (1...5).map {
      "0x\($0)00000000 - 0x\($0)0000ffff A\($0) arm64  <0000000000000000000000000000000\($0)> /private/var/A\($0)"
    }
    let frames = (1...5).map {
      ReportFixture.frame(
        $0 - 1, UInt64($0) << 32 | 0x1000, image: "A\($0)", base: UInt64($0) << 32)
    }
    expectEqual(
      summary(ReportFixture.report(frames: frames, images: images), with: []).last,
      "0 of 5 frames resolved; no symbols for A1 (UUID 00000000-0000-0000-0000-000000000001, arm64), A2 (UUID 00000000-0000-0000-0000-000000000002, arm64), 3 more images"
    )
  }
}
