import CrashLogParser
import TestSupport
import Testing

/// Lines of logs and consoles that say how a process ended, in texts without frames.
struct ProcessEndingTests {
  private static func facts(_ text: String) throws -> ReportFacts {
    try ParsedText("It quits:\n```\n\(text)\n```\n").report.facts
  }

  /// What launchd logs in all its versions, and others beside it.
  @Test(arguments: [
    (
      "May 25 18:23:50 host com.apple.xpc.launchd[1] (com.example.Game.27728[812]): Service exited due to SIGILL | sent by exc handler[812]",
      "com.example.Game", "SIGILL"
    ),
    (
      "May 25 18:23:50 host com.apple.xpc.launchd[1] (com.example.game[812]): Service exited due to signal: Trace/BPT trap: 5 sent by exc handler[0]",
      "com.example.game", "SIGTRAP"
    ),
    (
      "F7.launchd_sim[4] (UIKitApplication:com.example.game[0x6f85][812]): Service exited due to signal: Segmentation fault: 11",
      "com.example.game", "SIGSEGV"
    ),
    (
      "com.apple.xpc.launchd[1] (com.example.game[812]) <Notice>: Service exited due to signal: Killed: 9",
      "com.example.game", "SIGKILL"
    ),
    (
      "2024-03-13 19:24:24.320332 (user/89/com.example.game [812]) <Notice>: exited due to SIGKILL | sent by mds[116]",
      "com.example.game", "SIGKILL"
    ),
    (
      "launchd: [gui/501/application.com.example.game.8.9 [812]:] exited due to SIGABRT | sent by Game[812], ran for 1351ms",
      "com.example.game", "SIGABRT"
    ),
    (
      "com.apple.launchd.peruser.501[218] ([0x0-0xfd0fd].com.example.game[812]): Job appears to have crashed: Segmentation fault: 11",
      "com.example.game", "SIGSEGV"
    ),
    (
      "com.apple.launchd[1] (com.example.game[812]): Exited abnormally: Bus error",
      "com.example.game", "SIGBUS"
    ),
    (
      "com.apple.launchd[1] <Notice>: (UIKitApplication:com.example.game[0x12][812]) Exited: Killed: 9",
      "com.example.game", "SIGKILL"
    ),
    (
      "runningboardd [app<com.example.game(4F1B)>:812] Process exited: <RBSProcessExitContext| specific, status:<RBSProcessExitStatus| domain:signal(2) code:SIGFPE(8)>>.",
      "com.example.game", "SIGFPE"
    ),
    (
      "runningboardd [app<com.example.game(4F1B)>:812] termination reported by launchd (2, 11, 11)",
      "com.example.game", "SIGSEGV"
    ),
    ("[1]  + 812 abort      LEVEL=3 ./build/game --new", "game", "SIGABRT"),
    ("[1]+  812 Segmentation fault: 11  ./game", "game", "SIGSEGV"),
    ("/src/run.sh: line 11: 812 Abort trap: 6           game /src/cards.txt", "game", "SIGABRT"),
  ])
  func signals(line: String, name: String, signal: String) throws {
    let facts = try Self.facts(line)
    expectEqual(facts.process.name, name)
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.exception.signal, signal)
    expectNil(facts.termination.namespace)
  }

  /// Lines that do not say which process it was, or not its number.
  @Test(
    arguments: [
      ("zsh: segmentation fault  ./game --new", "game", "SIGSEGV"),
      ("zsh: illegal hardware instruction  game", "game", "SIGILL"),
      ("zsh: abort (core dumped)  ./game", "game", "SIGABRT"),
      (
        "fish: Job 1, './game' terminated by signal SIGBUS (Misaligned address error)", "game",
        "SIGBUS"
      ),
      ("make: *** [run] Segmentation fault: 11", nil, "SIGSEGV"), ("Killed: 9", nil, "SIGKILL"),
      ("Segmentation fault (core dumped)", nil, "SIGSEGV"),
      (
        "error: process didn't exit successfully: `target/debug/game` (signal: 6, SIGABRT: process abort signal)",
        "game", "SIGABRT"
      ),
      ("npm ERR! signal SIGSEGV", nil, "SIGSEGV"),
      (
        "SpringBoard[16] <Warning>: Application 'UIKitApplication:com.example.game[0x3d5c]' exited abnormally with signal 9: Killed: 9",
        "com.example.game", "SIGKILL"
      ),
      (
        "host systemd[1]: game.service: Main process exited, code=dumped, status=11/SEGV",
        "game.service", "SIGSEGV"
      ),
      ("Message from debugger: Terminated due to signal 9", nil, "SIGKILL"),
    ] as [(String, String?, String)])
  func signalsOfShells(line: String, name: String?, signal: String) throws {
    let facts = try Self.facts(line)
    expectEqual(facts.process.name, name)
    expectEqual(facts.exception.signal, signal)
  }

  /// A log has lines about helpers that were killed as they should; the process that crashed
  /// counts.
  @Test func crashAmongKills() throws {
    let facts = try Self.facts(
      """
      launchd[1] (com.example.worker[7]): Service exited due to SIGKILL | sent by mds[116]
      launchd[1] (com.example.game[812]): Service exited due to SIGTRAP | sent by exc handler[812]
      launchd[1] (com.example.other[9]): Service exited due to SIGTERM | sent by launchd[1]
      ReportCrash[813]: Saved crash report for Letter Game[812] version 1.2 (3) to /x/y.crash
      """)
    expectEqual(facts.process.name, "Letter Game")
    expectEqual(facts.process.bundleIdentifier, "com.example.game")
    expectEqual(facts.process.version, "1.2 (3)")
    expectEqual(facts.exception.signal, "SIGTRAP")
    expectNil(facts.exception.message)
  }

  @Test func senderOfAKill() throws {
    let facts = try Self.facts(
      "launchd[1] (com.example.game[812]): Service exited due to SIGKILL | sent by nanny[116]")
    expectEqual(facts.termination.process.name, "nanny")
  }

  @Test func savedReportAlone() throws {
    let facts = try Self.facts(
      "host ReportCrash[813]: Saved crash report for Game[812] version ??? to /x/Game_2014.crash")
    expectEqual(facts.process.name, "Game")
    expectNil(facts.process.version)
    expectEqual(
      facts.exception.message, "it crashed; its crash report, Game_2014.crash, says why")
  }

  /// What is far before the words is of the log.
  @Test func longLine() throws {
    let facts = try Self.facts(
      String(repeating: "(a [b ", count: 1000)
        + "launchd[1] (com.example.game[812]): Service exited due to SIGILL")
    expectEqual(facts.process.name, "com.example.game")
    expectEqual(facts.exception.signal, "SIGILL")
  }

  // MARK: Reasons

  @Test(
    arguments: [
      (
        "kernel: CODE SIGNING: cs_invalid_page(0x104cc): p=812[game] final status 0x23020200, denying page sending SIGKILL\nkernel: CODE SIGNING: process 812[game]: rejecting invalid page at address 0x104cc from offset 0x3 in file \"/src/game\" (cs_mtime:16",
        "game", "CODESIGNING", UInt64(2), "page at 0x104cc of game"
      ),
      (
        "kernel\tAMFI: hook..execve() killing pid 812: Attempt to execute unsigned code.\nkernel\tASP: Security policy would not allow process: 812, /src/game",
        "game", "CODESIGNING", nil, "Attempt to execute unsigned code."
      ),
      (
        "AMFI: Launch Constraint Violation (enforcing), error info: c[8]p[1], (Constraint not matched) launching proc[vc: 4 pid: 812]: /src/game, launch type 1, failure proc [vc: 4 pid: 812]: /x",
        "game", "CODESIGNING", 4, nil
      ),
      (
        "kernel: proc 812: load code signature error 2 for file \"game\"", "game", "CODESIGNING",
        nil,
        "load code signature error 2"
      ),
      (
        "taskgated[9]: killed game[pid 812] because its use of the com.example.x entitlement is not allowed",
        "game", "CODESIGNING", nil, "use of the com.example.x entitlement is not allowed"
      ),
      (
        "Sandbox: hook..execve() killing game[pid=812, uid=501]: (err=2) failed", "game", "SANDBOX",
        nil, "(err=2) failed"
      ),
      (
        "1.003 memorystatus: killing_specific_process pid 812 [game] (per-process-limit 10 0s rf:- type:x) 51201KB - memorystatus_available_pages: 7",
        "game", "JETSAM", nil, "per-process-limit, 51201KB"
      ),
      (
        "low swap: killing largest compressed process with pid 812 (game) and size 12345 MB",
        "game",
        "JETSAM", nil, "12345 MB"
      ),
      (
        "kernel: killing_specific_process pid 812 [game] (per-process-limit 10) 6144KB", "game",
        "JETSAM", nil, "per-process-limit, 6144KB"
      ),
      (
        "10:00:00.2  kernel: killing_specific_process pid 812 [game] ... 51200KB", "game",
        "JETSAM", nil, "51200KB"
      ),
      (
        "kernel: game [812] exceeded mem limit: InactiveHard 6 MB (fatal)", "game", "JETSAM", nil,
        "exceeded mem limit: InactiveHard 6 MB"
      ),
      (
        "ReportSystemMemory: Process game [812] killed by jetsam reason per-process-limit", "game",
        "JETSAM", nil, "per-process-limit"
      ),
      (
        "launchd: [gui/501/com.example.game [812]:] exited with exit reason (namespace: 15 code: 0xbaddd15c) - OS_REASON_RUNNINGBOARD | <RBSTerminateContext| explanation:Caches reportType:None>",
        "com.example.game", "RUNNINGBOARD", 0xbadd_d15c, "Caches"
      ),
      (
        "launchd: [gui/501/com.example.game [812]:] exited with exit reason (namespace: 3 code: 0x4) - OS_REASON_CODESIGNING | Launch Constraint Violation, ran for 29ms",
        "com.example.game", "CODESIGNING", 4, "Launch Constraint Violation"
      ),
    ] as [(String, String, String, UInt64?, String?)])
  func reasons(
    lines: String, name: String, namespace: String, code: UInt64?, detail: String?
  ) throws {
    let facts = try Self.facts(lines)
    expectEqual(facts.process.name, name)
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.termination.namespace, namespace)
    expectEqual(facts.termination.code, code)
    expectEqual(facts.termination.details.first, detail)
  }

  /// Why RunningBoard ended a process, which people copy without the field that it stands in.
  @Test func contextAlone() throws {
    let words =
      "scene-create watchdog transgression: app<com.example.game>:812 exhausted CPU time allowance of 4.94 seconds"
    let termination = try Self.facts(
      "The backtraces say nothing:\n<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:\(words)\n"
    ).termination
    expectEqual(termination.namespace, "FRONTBOARD")
    expectEqual(termination.code, 0x8bad_f00d)
    expectEqual(termination.details, [words])
  }

  /// The kernel and symptomsd say the same; the limit may be one that ends the process.
  @Test(arguments: [
    (
      "kernel\tprocess game[812] caught waking the CPU 45005 times over ~3 seconds, averaging 14497 wakes / second and violating a limit of 45000 wakes over 300 seconds.\nsymptomsd\tReceived CPU wakes trigger:\n  game[812] () woke the CPU 45005 times over 3.10 seconds",
      "WAKEUPS"
    ),
    (
      "  game[812] (/x/game) woke the CPU 45005 times over 3.10 seconds (average 14497/sec), violating a CPU wakes limit of 45000 over 300 seconds.",
      "WAKEUPS"
    ),
    (
      "process game[812] caught waking the CPU 9 times over ~3 seconds, averaging 3 wakes / second and violating a FATAL limit of 8 wakes over 300 seconds.",
      "WAKEUPS FATAL"
    ),
    (
      "symptomsd\tReceived (FATAL) CPU usage trigger: \n  game[812] () used 144.00s of CPU over 145.64 seconds (averaging 98%), violating a CPU usage limit of 144.00s over 180 seconds.",
      "CPU FATAL"
    ),
    (
      "process [812] game caught causing excessive I/O (flavor: 1). Task I/O: 1024 MB. [Limit : 1024 MB per 86400 secs]",
      "IO"
    ),
  ])
  func limits(lines: String, subtype: String) throws {
    let facts = try Self.facts(lines)
    expectEqual(facts.process.name, "game")
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.exception.type, "EXC_RESOURCE")
    expectEqual(facts.exception.subtype, subtype)
  }

  // MARK: Xcode and tests

  @Test(arguments: [
    "Failure Reason: Message from debugger: Terminated due to memory issue",
    "Failure Reason: Debug session ended with code 9: Terminated due to memory issue.",
  ])
  func detailsOfXcode(reason: String) throws {
    let facts = try Self.facts(
      """
      The app “Game” on My iPhone quit unexpectedly.
      Domain: IDEDebugSessionErrorDomain
      Code: 11
      \(reason)
      User Info: {
          IDERunOperationFailingWorker = DBGLLDBLauncher;
      }
      --
      Analytics Event: com.apple.dt.IDERunOperationWorkerFinished : {
          "device_model" = "iPhone14,5";
          "device_osBuild" = "16.4.1 (20E252)";
      }
      """)
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.termination.namespace, "JETSAM")
    expectEqual(facts.termination.details, ["terminated due to memory issue"])
    expectEqual(facts.hardwareModel, "iPhone14,5")
    expectEqual(facts.system.build, "20E252")
  }

  @Test func memoryInWordsOfXcode() throws {
    let facts = try Self.facts(
      "The app “Game” has been killed by the operating system because it is using too much memory.")
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.termination.namespace, "JETSAM")
  }

  /// The test that runs when its process ends.
  @Test(arguments: ["`", ""])
  func testThatAborts(mark: String) throws {
    let lines = [
      "Test Case '-[BoardTests.BoardTests testTurn]' started.",
      "Test Case '-[BoardTests.BoardTests testTurn]' passed (0.001 seconds).",
      "Test Case '-[BoardTests.BoardTests testDraw]' started.", "libc++abi: terminating",
      "error: Exited with unexpected signal code 6",
    ]
    let facts = try ParsedText(lines.map { "\(mark)\($0)\(mark)\n" }.joined()).report.facts
    expectEqual(facts.applicationInformation, ["libc++abi: terminating"])
    expectEqual(facts.exception.signal, "SIGABRT")
    expectEqual(facts.exception.message, "in -[BoardTests.BoardTests testDraw]")
  }

  @Test(
    arguments: [
      ("error: Exited with signal code 4", "SIGILL", nil),
      ("error: Process '/src/game.xctest' exited with unexpected signal code 11", "SIGSEGV", nil),
      (
        "7: error: Process '/Xcode/usr/bin/xctest -XCTest DeckTests.DealTests/testDeal /src/Deck.xctest' exited with unexpected signal code 6",
        "SIGABRT", "in DeckTests.DealTests/testDeal"
      ),
      (
        "error: Process '/usr/bin/helper --test-bundle-path /src/Deck --filter DealTests/deal' exited with unexpected signal code 5",
        "SIGTRAP", "in DealTests/deal"
      ),
      (
        "Two suites die with `error: Exited with unexpected signal code 11` on the runner, so:\n\n- `DeckTests`\n- `DealTests`\n\nand",
        "SIGSEGV", "in DeckTests, DealTests"
      ),
      (
        "`DeckTests.testDeal` ends in `error: Exited with unexpected signal code 11`.",
        "SIGSEGV", "in DeckTests.testDeal"
      ),
      (
        "It is `error: Exited with unexpected signal code 11`, but `DeckTests` is well:\n\n- `DealTests`",
        "SIGSEGV", nil
      ),
      (
        "It is `error: Exited with unexpected signal code 11` under `XCTest`:\n\n- `Deck.swift`",
        "SIGSEGV", nil
      ),
      ("Test crashed with signal segv.", "SIGSEGV", nil),
      // Xcode's lines, in spans of code.
      (
        "5 `signal abrt` and\n`Crash: xctest at Deck.deal(...)` in `DeckTests`, 1 more.", "SIGABRT",
        "in Deck.deal(...)"
      ),
      (
        "xctest (812) encountered an error (Early unexpected exit (Underlying Error: Test crashed with signal abrt before starting test execution.))",
        "SIGABRT", nil
      ),
      (
        "Restarting after unexpected exit, crash, or test timeout in BoardTests.testTurn(); summary will include totals from previous launches.",
        nil, "the process ended in BoardTests.testTurn()"
      ),
    ] as [(String, String?, String?)])
  func endsOfTests(line: String, signal: String?, message: String?) throws {
    let exception = try Self.facts(line).exception
    expectEqual(exception.signal, signal)
    expectEqual(exception.message, message)
  }

  // MARK: Last words

  @Test(arguments: ["", "app-1  | "])
  func rosetta(prefix: String) throws {
    let facts = try Self.facts(
      "\(prefix)rosetta error: unexpectedly need to EmulateForward\n[1]    812 abort      ./game")
    expectEqual(
      facts.applicationInformation, ["rosetta error: unexpectedly need to EmulateForward"])
    expectEqual(facts.process.name, "game")
    expectEqual(facts.process.identifier, 812)
  }

  @Test(arguments: [
    "libc++abi: terminating due to uncaught foreign exception",
    "libc++abi.dylib: terminating with uncaught exception of type NSException",
    "libc++abi: Pure virtual function called!",
    "Out of memory: Killed process 812 (game) total-vm:123kB",
    // message_receiver.rs and verify.rs of objc2, in older versions without quotation marks.
    "invalid message send to -[Deck_$ deal:by:]: expected return to have type code 'q', but found 'Q'",
    "invalid message send to +[Deck new:]: expected argument at index 0 to have type code I, but found :",
    "invalid message send to -[Deck deal:]: expected 2 arguments, but 3 were given",
    "invalid message send to +[Deck shuffle]: method not found", "messsaging shuffle to nil",
  ])
  func lastWords(line: String) throws {
    expectEqual(try Self.facts(line).applicationInformation, [line])
  }

  /// Without a stack.
  @Test func headOfDart() throws {
    let facts = try Self.facts(
      """
      ===== CRASH =====
      si_signo=Segmentation fault: 11(11), si_code=2, si_addr=0x10
      version=2.18.0-edge (be) (Tue Jun 28 16:02:53 2022 +0000) on "macos_arm64"
      pid=812, thread=20999, isolate_group=main(0x12700c400), isolate=main(0x12701bc00)
      Stack dump aborted because InitialRegisterCheck failed.
      run.sh: line 11:   812 Abort trap: 6           dart game.dart
      """)
    expectEqual(facts.exception.signal, "SIGSEGV")
    expectEqual(facts.exception.subtype, "SEGV_ACCERR at 0x10")
    expectEqual(facts.exception.message, "in the Dart VM 2.18.0-edge")
    expectEqual(facts.process.name, "dart")
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.system.name, "macOS")
  }

  /// What people leave out of the kernel's message. The next one names the process.
  @Test(
    arguments: [
      ("memorystatus: game exceeded mem limit: ActiveHard 50 MB (fatal)", "game"),
      ("kernel: memorystatus: exceeded mem limit: ActiveHard 50 MB (fatal)", nil),
    ] as [(String, String?)])
  func limitWithoutItsProcess(line: String, name: String?) throws {
    let alone = try Self.facts(line)
    expectEqual(alone.process.name, name)
    expectEqual(alone.termination.namespace, "JETSAM")
    expectEqual(alone.termination.details, ["exceeded mem limit: ActiveHard 50 MB"])
    let facts = try Self.facts("\(line)\nkilling_specific_process pid 812 [game] ... 51200KB")
    expectEqual(facts.process.name, "game")
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.termination.details.first, "exceeded mem limit: ActiveHard 50 MB")
  }

  /// The number is that of Linux, where 7 is SIGBUS. Source: qemu, linux-user/signal.c
  /// (`dump_core_and_abort`).
  @Test(
    arguments: [
      ("4 (Illegal instruction)", "SIGILL"), ("7 (Bus error)", "SIGBUS"),
      ("11 (Segmentation fault)", "SIGSEGV"),
    ])
  func programsInQemu(words: String, signal: String) throws {
    for head in ["", "35.06 ", "#12 35.06 "] {
      let facts = try Self.facts("\(head)qemu: uncaught target signal \(words) - core dumped")
      expectEqual(facts.exception.signal, signal)
      expectEqual(facts.process.name, "qemu")
    }
  }

  /// A program that a build runs prints its words right behind those of the driver. Its shell says
  /// which signal it was.
  @Test func wordsBehindABracket() throws {
    let facts = try Self.facts(
      """
      error: emit command failed due to signal 9 (use -v to see it)Deck/shuffle.swift:55: Fatal error: no cards
      [1]    812 illegal hardware instruction (core dumped)  deck deal
      """)
    expectEqual(facts.applicationInformation, ["Deck/shuffle.swift:55: Fatal error: no cards"])
    expectEqual(facts.process.name, "deck")
  }

  /// Prose, code, and ends as they should be.
  @Test(arguments: [
    "If you see rosetta error: failed to open elf, rebuild it.",
    "launchd[1] (com.example.game[812]): Service exited due to SIGTERM | sent by launchd[1]",
    "launchd[1]: [gui/501/com.example.game [812]:] exited due to exit(3), ran for 1351ms",
    "[app<com.example.game(4F1B)>:812] termination reported by launchd (0, 0, 0)",
    "[1] killed it", "zsh: killed by boredom", "Killed by the user", "make: *** [run] Error 1",
    "Test Case '-[BoardTests testTurn]' started.", "error: Exited with code 1",
    "The app “Game” on My iPhone quit unexpectedly.", "Lost connection: Terminated due to boredom",
    "kernel: CODE SIGNING: cs_invalid_page(0x104cc): p=812[game] final status 0x2, allowing (remove VALID) page",
    "memorystatus: com.example.game exceeded mem limit: ActiveSoft 1536 MB (non-fatal)",
    "version=2.18.0 (be) (Tue) on \"macos_arm64\"",
    "memorystatus: exceeded mem limit: ActiveSoft 1536 MB (non-fatal)",
    "The app was killed by jetsam reason unknown to us", "killing_process is a function",
    "The script sets a `signal trap` there.",
    "qemu: uncaught target signal handlers are listed (here) - see below",
  ])
  func otherText(text: String) {
    #expect(throws: CrashLogParseError.self) {
      try CrashLogParser.parse(Array("It says:\n\(text)\n".utf8))
    }
  }
}
