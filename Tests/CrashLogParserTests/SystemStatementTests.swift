import CrashLogParser
import TestSupport
import Testing

/// Facts of a crash in what the kernel and the services of the system log.
struct SystemStatementTests {
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
}
