import CrashLogParser
import TestSupport
import Testing

/// Facts of a crash in texts without frames, and parts of reports that begin anywhere.
struct StatementTests {
  @Test(arguments: [
    (
      "2023-05-01 10:00:00.000000+0200 Game[812:56] Game/Board.swift:7: Fatal error: no cards\n",
      "Game/Board.swift:7: Fatal error: no cards"
    ),
    (
      "2020-05-01 10:00:00.0+0200 Game[812:56] Fatal error: no cards: file /src/Board.swift, line 7\n",
      "Fatal error: no cards: file /src/Board.swift, line 7"
    ),
    (
      "Game(812,0x16d9) malloc: *** error for object 0x10: pointer being freed was not allocated\n",
      "Game(812,0x16d9) malloc: *** error for object 0x10: pointer being freed was not allocated"
    ),
    (
      "Game[812,0x7fff997e13c0] malloc: *** error for object 0x10: incorrect checksum\n",
      "Game[812,0x7fff997e13c0] malloc: *** error for object 0x10: incorrect checksum"
    ),
    (
      "Game(812,0x16d9) malloc: *** error for object 0x10: pointer being\nfreed was not allocated\n",
      "Game(812,0x16d9) malloc: *** error for object 0x10: pointer being freed was not allocated"
    ),
  ])
  func wordsOfAProcess(line: String, words: String) throws {
    let facts = try ParsedText(line).report.facts
    expectEqual(facts.applicationInformation, [words])
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.process.identifier, 812)
  }

  /// A name may have blanks in it.
  @Test(arguments: [
    ("2023-05-01 10:00:00.000 Letter Game[812:56] ", "Letter Game"), ("Game[812:56] ", "Game"),
    ("[x y[812:56] ", "y"), ("[812:56] ", nil),
  ])
  func writersOfLogs(head: String, name: String?) throws {
    let facts = try ParsedText("\(head)Game/Board.swift:7: Fatal error: no cards\n").report.facts
    expectEqual(facts.process.name, name)
    expectEqual(facts.process.identifier, name == nil ? nil : 812)
  }

  @Test func privateDataWithoutWords() throws {
    let words =
      "This app has crashed because it attempted to access privacy-sensitive data without a usage description."
    let facts = try ParsedText(
      "2017-12-21 09:19:22.863408+0800 Game[812:51966] [access] \(words)\n"
    ).report.facts
    expectEqual(facts.termination.namespace, "TCC")
    expectEqual(facts.termination.details, [words])
    expectEqual(facts.process.identifier, 812)
  }

  @Test func wordsAboveFrames() throws {
    let report = try ParsedText(
      """
      Game/Board.swift:7: Fatal error: no cards
      Current stack trace:
      0    libswiftCore.so   0x00007f83289f0ea0 _swift_stdlib_reportFatalErrorInFile + 115
      1    Game              0x0000560f8239a4c0 <unavailable> + 3138752
      2    Game              0x0000560f82396204 main + 68

      """
    ).report
    expectEqual(
      report.facts.applicationInformation, ["Game/Board.swift:7: Fatal error: no cards"])
    expectNil(report.allFrames[1].symbol)
  }

  @Test(arguments: [
    ("kernel[0]: process Game[812] caught causing excessive wakeups. Observed 306;", "WAKEUPS"),
    ("process Game[812] thread 9 caught burning CPU! It used more than 50% CPU", "CPU"),
  ])
  func wordsOfTheKernel(line: String, subtype: String) throws {
    let facts = try ParsedText("\(line)\n").report.facts
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.exception.type, "EXC_RESOURCE")
    expectEqual(facts.exception.subtype, subtype)
  }

  /// symptomsd's words, whose measures are those of its `ArbitratorExpertSystemHandler`.
  @Test(arguments: [
    (
      "Fatal ",
      "90000541916 nanoseconds of CPU usage over 53.00s seconds, violating limit of"
        + " 90000000000 nanoseconds of CPU usage over 60.00s seconds", "CPU FATAL"
    ),
    (
      "",
      "45001 CPU wakes over 174.00s seconds, violating limit of 45000 CPU wakes over 300.00s"
        + " seconds", "WAKEUPS"
    ),
    (
      "",
      "1073741824 dirty bytes written, violating limit of 1073741824 dirty bytes written over"
        + " 86400.00s seconds", "IO"
    ),
    (
      "Fatal ",
      "9000 Port Space Exhaustion, violating limit of 9000 Port Space Exhaustion over"
        + " 0.00s seconds", "PORTS FATAL"
    ),
  ])
  func wordsOfTheWatcherOfSymptoms(start: String, message: String, subtype: String) throws {
    for head in ["", "symptomsd(SymptomEvaluator)[129] <Notice>: ", "Mar  7 10:00:00 phone x: "] {
      let line = "\(head)\(start)RESOURCE_NOTIFY trigger for Letter Game [812] (\(message))\n"
      let facts = try ParsedText("It ends:\n\n\(line)\nWhy?\n").report.facts
      expectEqual(facts.process.name, "Letter Game")
      expectEqual(facts.process.identifier, 812)
      expectEqual(facts.exception.type, "EXC_RESOURCE")
      expectEqual(facts.exception.subtype, subtype)
      expectEqual(facts.exception.message, message)
    }
  }

  @Test func triggersOfNoLimit() {
    for line in [
      "Processing RESOURCE_NOTIFY trigger: EXC_CPU_USAGE",
      "Fatal RESOURCE_NOTIFY trigger for Game [812] (7 eggs, violating limit of 6 eggs)",
      "Fatal RESOURCE_NOTIFY trigger for Game",
    ] {
      #expect((try? ParsedText("\(line)\n").report) == nil)
    }
  }

  /// The words of Swift up to version 3, on the console and once more in the log.
  @Test(arguments: [
    "fatal error: Index out of range\n2017-05-15 15:38:51.8-1000 Game[812:56] fatal error: Index out of range\n",
    "Jun 15 15:38:51 host Game[812]: fatal error: Index out of range\n",
    "Game[812:56] Fatal error: Index out of range\n",
  ])
  func wordsInALogAboveFrames(words: String) throws {
    let text = """
      \(words)Current stack trace:
      0    libswiftCore.dylib   0x0000000100388130 swift_reportError + 129
      1    libswiftCore.dylib   0x00000001003a4b50 _swift_stdlib_reportFatalError + 60

      """
    let facts = try ParsedText(text).report.facts
    expectEqual(facts.applicationInformation, ["Fatal error: Index out of range"])
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.process.identifier, 812)
  }

  /// The standard library's own words need no stack.
  @Test(arguments: [
    ("fatal error: unexpectedly found nil while unwrapping an Optional value", true),
    ("2017-05-15 15:38:51.8 Game[812:56] fatal error: unexpectedly found nil while x", true),
    ("Game[812:56] Fatal error: Unexpectedly found nil while unwrapping an Optional value", true),
    ("fatal error: all goroutines are asleep - deadlock!", false),
    ("fatal error: 'Board.h' file not found", false),
    ("Game[812:56] Fatal error: no route", false),
  ])
  func bareWordsOfSwift(line: String, isSwift: Bool) {
    expectEqual((try? ParsedText("\(line)\n(lldb)\n").report) != nil, isSwift)
  }

  /// Heads of traces whose frames are not in the text.
  @Test(arguments: [
    (
      "/src/c++/v1/ostream:952:36: runtime error: member call on null\n0x1: note: x\n",
      "UndefinedBehaviorSanitizer", "member call on null at ostream:952"
    ),
    (
      "SUMMARY: AddressSanitizer: heap-use-after-free board.cc:12 in turn()\n", "AddressSanitizer",
      "heap-use-after-free board.cc:12 in turn()"
    ),
    (
      "[signal SIGSEGV: segmentation violation code=0x1 addr=0x18 pc=0x7fff2064ec9e]\n", "SIGSEGV",
      "SEGV_MAPERR at 0x18"
    ),
    ("[signal 0xb code=0x1 addr=0x18 pc=0xbd5f5]\n", "SIGSEGV", "SEGV_MAPERR at 0x18"),
    ("#  SIGBUS (0xa) at pc=0x00007fff9c2dc4dd, pid=812, tid=1295\n", "SIGBUS", nil),
    ("It stops:\n> Thread 1: EXC_BREAKPOINT (code=1, subcode=0x18)\n", "EXC_BREAKPOINT", nil),
    ("Thread 1: signal SIGABRT\n", "SIGABRT", nil),
    (
      "F/libc (812): Fatal signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x18 in tid 9\n",
      "SIGSEGV", "SEGV_MAPERR at 0x18"
    ),
    ("F libc    : Fatal signal 6 (SIGABRT), code -6 in tid 9 (worker)\n", "SIGABRT", nil),
  ])
  func headsOfTraces(text: String, type: String, subtype: String?) throws {
    let exception = try ParsedText(text).report.facts.exception
    expectEqual(exception.type ?? exception.signal, type)
    expectEqual(exception.subtype, subtype)
  }

  @Test func bannersOfXcode() throws {
    let access = try ParsedText("Thread 1: EXC_BAD_ACCESS (code=1, address=0x10)\n").report
    expectEqual(access.facts.exception.codes, [1, 0x10])
    let failure = try ParsedText("Thread 1: Fatal error: Index out of range\n").report
    expectEqual(failure.facts.applicationInformation, ["Fatal error: Index out of range"])
    let words = try ParsedText("Fatal Python error: Bus error\n").report
    expectEqual(words.facts.applicationInformation, ["Fatal Python error: Bus error"])
  }

  /// People add the place to the words of Swift. PHP has other places and other words.
  @Test(arguments: [
    ("no cards\nat Game/Board.swift:7\n", "Game/Board.swift:7: Fatal error: no cards"),
    (
      "Unexpectedly found nil while unwrapping an Optional value\n",
      "Fatal error: Unexpectedly found nil while unwrapping an Optional value"
    ),
  ])
  func wordsOfSwiftAlone(text: String, words: String) throws {
    let facts = try ParsedText("It quits:\n```\nFatal error: \(text)```\n").report.facts
    expectEqual(facts.applicationInformation, [words])
  }

  /// The log of Android, cut above the frames, or below the first one.
  @Test(arguments: [0, 1])
  func headInTheLogOfAndroid(frameCount: Int) throws {
    let lines = [
      "pid: 812, tid: 819, name: worker  >>> com.example.game <<<",
      "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x50f04", "backtrace:",
      "    #00 pc 000000000001d2f4  /data/app/libgame.so (turn+52)",
    ]
    let text = lines.prefix(3 + frameCount).map { "04-06 22:49:58.552  16  16 F DEBUG   : \($0)\n" }
    let report = try ParsedText("--- beginning of crash\n" + text.joined()).report
    expectEqual(report.format, .androidTombstone)
    expectEqual(report.facts.exception.subtype, "SEGV_MAPERR at 0x50f04")
    expectEqual(report.facts.process.name, "com.example.game")
    expectEqual(report.allFrames.count, frameCount)
  }

  @Test(arguments: ["", "> "])
  func fields(quote: String) throws {
    let text = """
      It quits.

      Crashed Thread:        4  Dispatch queue: work
      ......
      Application Specific Information:
      *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'

      """
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let facts = try ParsedText(lines.map { "\(quote)\($0)\n" }.joined()).report.facts
    expectEqual(facts.exception.name, "NSRangeException")
    expectEqual(facts.exception.reason, "index 3")
    expectEqual(facts.statedCrashedThread, 4)
  }

  /// What logs and hooks put around the words of a panic, in old and new versions of Rust. The
  /// first of two panics counts.
  @Test(arguments: [
    (
      "10:26:55 [ERROR] thread 'main' panicked at 'no cards': src/deck.rs:7\n",
      "thread 'main' panicked at 'no cards': src/deck.rs:7"
    ),
    (
      "[2024-01-01T10:00:00Z ERROR panic] thread 'io' (42) panicked at 'no cards', src/deck.rs:7:5\n",
      "thread 'io' (42) panicked at 'no cards', src/deck.rs:7:5"
    ),
    (
      "Nov 26 10:00:09 host game[12]: thread '<unnamed>' panicked at src/deck.rs:7:5:\nNov 26 10:00:10 host game[12]: no cards\n",
      "thread '<unnamed>' panicked at src/deck.rs:7:5: no cards"
    ),
    (
      "The application panicked (crashed).\nMessage:  no cards\nLocation: src/deck.rs:7\n",
      "The application panicked at src/deck.rs:7: no cards"
    ),
  ])
  func panicsInLogs(text: String, words: String) throws {
    let facts = try ParsedText("It quits:\n\(text)").report.facts
    expectEqual(facts.applicationInformation, [words])
  }

  /// The first line of a panic in a sentence, and without the processor. Source: XNU,
  /// osfmk/kern/debug.c; bsd/kern/kern_exit.c for launchd's end.
  @Test(
    arguments: [
      (
        "It restarts. The report begins `panic(cpu 2 caller 0xfffffe0014220000): \"no cards\"`\nand more.\n",
        "no cards", nil
      ),
      ("Its first line: panic(cpu 2 caller 0xfffffe0014220000): no cards\n", "no cards", nil),
      (
        "Four times:\n\n```text\npanic(...): initproc exited -- exit reason namespace 2 subcode 0xa\nPanicked task ... pid 1: launchd\n```\n",
        "initproc exited -- exit reason namespace 2 subcode 0xa", "launchd"
      ),
      ("> panic(…): no cards\n> Panicked task …: pid 7: deckd\n", "no cards", "deckd"),
      ("# macOS kernel panic \"no cards\" on each deal\n\nIt began in May.\n", "no cards", nil),
    ] as [(String, String, String?)])
  func quotedPanics(text: String, words: String, process: String?) throws {
    let facts = try ParsedText(text).report.facts
    expectEqual(facts.event, .panic)
    expectEqual(facts.panic?.message, words)
    expectEqual(facts.process.name, process)
  }

  /// Markdown's backslashes, entities of a page, and lines that begin in the middle.
  @Test(arguments: [
    "10:00:00.1 Game[812:c07] **\\* Terminating app due to ", "\\*\\*\\* Terminating app due to ",
    "\\*** Terminating app due to ", "app due to ", "", "<p>&#42;** Terminating app due to ",
  ])
  func uncaughtExceptions(start: String) throws {
    let quote = start.hasPrefix("<") ? "&#39;" : "'"
    let facts = try ParsedText(
      "\(start)uncaught exception \(quote)NSRangeException\(quote), reason: \(quote)index 3\(quote)\n"
    ).report.facts
    expectEqual(facts.exception.name, "NSRangeException")
    expectEqual(facts.exception.reason, "index 3")
  }

  /// What RunningBoard, SpringBoard and others log when they end a suspended process.
  @Test(arguments: [
    (
      "error 10:32:02 runningboardd [application<com.example.game>:812] suspended with locked system files:",
      "com.example.game", ""
    ),
    (
      "RunningBoard terminated [app<com.example.game(4F1B)>:812] because it was suspended while holding a shared file lock:",
      "com.example.game", ""
    ),
    (
      "Forcing crash report of <FBApplicationProcess: 0x1394b57d0; Game; pid: 812> (reason: 4, description: <FBApplicationProcess: 0x1394b57d0; Game; pid: 812> was suspended with locked system files:",
      "Game", ")"
    ),
    ("> Game[812] was suspended with locked system files:", "Game", ""),
    (
      "<BKNewProcess: 0x16d390c0; com.example.game; pid: 812; hostpid: 101> was suspended with locked system files:",
      "com.example.game", ""
    ),
  ])
  func lockedFiles(line: String, name: String, end: String) throws {
    let quote = line.hasPrefix(">") ? "> " : ""
    let facts = try ParsedText(
      "\(line)\n\(quote)/var/mobile/X/cards.sqlite\(end)\nerror: not in allowed directories\n"
    ).report.facts
    expectEqual(facts.process.name, name)
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.termination.namespace, "RUNNINGBOARD")
    expectEqual(facts.termination.code, 0xdead_10cc)
    expectEqual(facts.termination.details, ["locked file: /var/mobile/X/cards.sqlite"])
  }

  /// Words of somebody's own for the process, with the path below or behind them.
  @Test(arguments: ["\n", " "])
  func lockedFilesOfSomebody(separator: String) throws {
    let facts = try ParsedText(
      "<OwlProcess #7> was suspended with locked system files:\(separator)/var/mobile/X/cards.sqlite\n"
    ).report.facts
    expectNil(facts.process.name)
    expectNil(facts.process.path)
    expectEqual(facts.termination.code, 0xdead_10cc)
    expectEqual(facts.termination.details, ["locked file: /var/mobile/X/cards.sqlite"])
  }

  /// The rates of wake-ups that the kernel logs, in one line or several.
  @Test(arguments: [" ", "\n"])
  func ratesOfWakeups(separator: String) throws {
    let parts = [
      "process Game[812] caught causing excessive wakeups.",
      "Observed wakeups rate (per sec): 306;", "Maximum permitted wakeups rate (per sec): 150;",
      "Observation period: 300 seconds;", "Task lifetime number of wakeups: 2070251",
    ]
    let facts = try ParsedText("\(parts.joined(separator: separator))\n").report.facts
    expectEqual(facts.exception.message, "306 per second, 150 permitted, within 300 seconds")
    let other = try ParsedText("\(parts[0])\n\(parts[4])\n").report.facts
    expectNil(other.exception.message)
  }

  /// Fields that a page or a form put on one line.
  @Test(arguments: ["", "<p>"])
  func fieldsOnALine(start: String) throws {
    let facts = try ParsedText(
      "\(start)Exception Type: EXC_BAD_ACCESS (SIGSEGV) Exception Codes: KERN_INVALID_ADDRESS at 0x0000000000000010 Crashed Thread: 3\n"
    ).report.facts
    expectEqual(facts.exception.signal, "SIGSEGV")
    expectEqual(facts.exception.subtype, "KERN_INVALID_ADDRESS at 0x0000000000000010")
    expectEqual(facts.statedCrashedThread, 3)
  }

  /// Source code, prose, other programs' messages, and documents with several examples.
  @Test(arguments: [
    "  XCTAssertEqual(line, \"Game/Board.swift:7: Fatal error: no cards\")\n",
    "NSLog(@\"*** Terminating app due to uncaught exception '%@', reason: '%@'\", name, reason);\n",
    "Fatal error: Uncaught Error: Call to undefined function f() in /var/www/x.php:3\n",
    "Fatal error: no cards\nat /var/www/x.php:3\n",
    "Exception Type:  EXC_CRASH (SIGABRT)\nis one.\n\nException Type:  EXC_GUARD\nanother.\n",
    "The Exception Type: field says EXC_BAD_ACCESS.\n",
    "Event: conference\nDuration: 3 days\n", "0   Apples              red + 3\n",
    "\"termination\": {\"namespace\":\"kube\"}\n",
    "panic: runtime error: index out of range\n", "lua: a.lua:1: runtime error: x\n",
    "printf(\"SUMMARY: %s: %s\", tool, text);\n",
    "SUMMARY: AddressSanitizer: 12 byte(s) leaked in 1 allocation(s).\n",
    "If it says Thread 1: EXC_BAD_ACCESS (code=1, address=0x0), see below.\n",
    "Thread 1: waits\n", "The code calls `thread 'main' panicked at` in its documentation.\n",
    "Not emitting 0xdead10cc error for process [app<a>:1] suspended with locked system files because it is a Mac Catalyst app.\n",
    "My app was suspended with locked system files: what does that mean?\n",
    "Application Specific Information: is what an application says.\n",
    "It shows:\n\nApplication Specific Information:\nwhat an application says\n\nand more.\n",
    "Catch an uncaught exception 'NSRangeException', reason: 'x' like this.\n",
    "The Process: and the Exception Type: of a report are fields of its head, as people say it.\n",
    "-[Page load:done:]\n-[Page open]\n", "[INFO] NSRangeException\n[Page load]\n",
    "When it runs, thread 'main' has overflowed its stack and nobody knows why.\n",
    "If the log has `panic(cpu 2 caller 0xf0): no cards`, send it.\n",
    "It calls `panic(cpu 2 caller)` then, or `panic(cpu 2): no cards`.\n",
    "panic(...): it is called for every error of the deck.\n",
    "It ends the kernel panic \"no cards\" of the last version.\n",
    "I asked on Stack overflow. Nobody knows.\n", "This is a stack overflow.\n",
  ])
  func otherText(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  // MARK: Parts of reports

  /// Prose and line ends between the members, and no commas.
  @Test func membersOfABody() throws {
    let report = try ParsedText(
      """
      It says:
      "termination": {"namespace":"GUARD","code":2305843037130981377}
      and below that
      "exception": {
        "type": "EXC_GUARD",
        "subtype": "GUARD_TYPE_MACH_PORT"
      }

      """
    ).report
    expectEqual(report.format, .ipsCrash)
    expectEqual(report.facts.exception.type, "EXC_GUARD")
    expectEqual(report.facts.termination.namespace, "GUARD")
    expectEmpty(report.faults)
  }

  /// A list of frames that begins within a thread, or within a frame.
  @Test(arguments: [
    #"1"},"pc":{"value":1,"matchesCrashFrame":1}},"frames":["#, #"set":12,"imageIndex":0},"#,
  ])
  func framesFromAnywhere(start: String) throws {
    let report = try ParsedText(
      start
        + #"{"imageOffset":1,"symbol":"turn","symbolLocation":3,"imageIndex":0},{"imageOffset":2,"imageIndex":1},{"imag"#
    ).report
    expectEqual(report.format, .ipsCrash)
    expectEqual(report.allFrames.map { $0.symbol?.name }, ["turn", nil])
    expectEqual(report.crashedThread != nil, start.contains("matchesCrashFrame"))
  }

  @Test func panicOfABody() throws {
    let report = try ParsedText(
      #"  "panicString" : "panic(cpu 1 caller 0xfffffff025aab984): watchdog\nOS version: 15P6059\nPanicked"#
    ).report
    expectEqual(report.facts.event, .panic)
  }

  @Test func headOfAnotherKind() {
    let text = "  \"bug_type\" : \"385\",\n  \"procName\" : \"Game\",\n"
    #expect(throws: CrashLogParseError.noReportFound(.ips(bugType: "385"))) {
      try CrashLogParser.parse(Array(text.utf8))
    }
  }

  @Test(arguments: ["Process:         Game [812]\n", ""])
  func threadOfASpindump(head: String) throws {
    let report = try ParsedText(
      """
      \(head)  Thread 0x6207a2           DispatchQueue 1           10 samples (1-10)
        10  start + 1 (libdyld.dylib + 21045) [0x7fff9adec235]
          10  main + 35 (Game + 100) [0x100000064]

      """
    ).report
    expectEqual(report.format, .spindump)
    expectEqual(report.allFrames.map { $0.symbol?.name }, ["start", "main"])
    expectEqual(report.facts.process.name, head.isEmpty ? nil : "Game")
  }

  /// Its heading says that the main thread hung.
  @Test(arguments: ["Event:            hang\nDuration:         7.23s\n\n", ""])
  func heaviestStackAlone(head: String) throws {
    let report = try ParsedText(
      """
      \(head)Heaviest stack for the main thread of the target process:
      10  start + 1 (libdyld.dylib + 21045) [0x7fff9adec235]
      10  main + 35 (Game + 100) [0x100000064]

      """
    ).report
    expectEqual(report.facts.event, .hang)
    expectEqual(report.allFrames.count, 2)
  }

  // MARK: Heads and frames

  /// macOS 26 has the reason among the fields, and the name elsewhere.
  @Test func exceptionReason() throws {
    let facts = try ParsedText(
      """
      Process:             Game [812]
      Exception Type:    EXC_CRASH (SIGABRT)
      Exception Reason:  -[Board turn]: unrecognized selector sent to instance 0x10

      Application Specific Information:
      *** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: 'x'

      Thread 0 Crashed:
      0   Game   0x000000010d9e02d7 main + 1

      """
    ).report.facts
    expectEqual(
      facts.exception.reason, "-[Board turn]: unrecognized selector sent to instance 0x10")
    expectEqual(facts.exception.name, "NSInvalidArgumentException")
  }

  @Test func remarksBehindValues() throws {
    let facts = try ParsedText(
      """
      Process:             Game [812] // name and number
      Identifier:          com.example.game // from Info.plist
      OS Version:          iPhone OS 14.4 (18D52) # the system
      Exception Type:      EXC_CRASH (SIGKILL) // Mach

      Thread 0 Crashed:
      0   Game   0x000000010d9e02d7 main + 1

      """
    ).report.facts
    expectEqual(facts.process.name, "Game")
    expectEqual(facts.process.identifier, 812)
    expectEqual(facts.process.bundleIdentifier, "com.example.game")
    expectEqual(facts.system.build, "18D52")
    expectEqual(facts.exception.signal, "SIGKILL")
  }

  /// The marks are no part of the names.
  @Test func marksOfImages() throws {
    let report = try ParsedText(
      """
      Last Exception Backtrace:
      0       CoreFoundation          0x1ad168300 0x1ad036000 + 0x132300
      1     + libkit.dylib            0x100947768 0x100928000 + 0x1f768
      2     + Game                    0x102608ce4 0x1025f8000 + 0x10ce4

      """
    ).report
    expectEqual(report.allFrames.map(\.imageName), ["CoreFoundation", "libkit.dylib", "Game"])
  }

  /// What Xcode copies: the thread stands in front of its first frame.
  @Test func framesWithNull() throws {
    let report = try ParsedText(
      """
      Thread 1#0\t(null) in -[Board total] ()
      #1\t(null) in -[Board turn] ()
      #2\t0x00000001028f04b4 in main at /src/main.m:13
      #3\t(null) in start ()

      """
    ).report
    expectEqual(
      report.allFrames.map { $0.symbol?.name },
      ["-[Board total]", "-[Board turn]", "main", "start"])
    expectEqual(report.backtraces.first?.number, 1)
  }
}
