import TestSupport
import Testing

/// What the sentences around a report mention, if the report itself says little. The expected words
/// are those of the text.
struct MentionedCrashTests {
  private static let head = """
    Process:             Tiles [812]
    OS Version:          macOS 26.2 (25C56)

    Exception Type:        EXC_CRASH (SIGABRT)
    Exception Codes:       0x0000000000000000, 0x0000000000000000

    Triggered by Thread:  0

    """

  private func headline(_ text: String) async throws -> String {
    let result = try await Program.symbolicate(["-", "--summary"], input: Array(text.utf8))
    let lines = result.outputText.split(separator: "\n")
    return lines.count > 1 ? String(lines[1]) : ""
  }

  @Test(arguments: [
    (
      "It says it panicked in deal_cards there\n",
      "EXC_CRASH (SIGABRT); the text mentions: panicked in deal_cards there"
    ),
    // The report has frames somewhere, so a function may be the place.
    (
      "The title is heap corruption found\nIt begins in -[Deck deal:] then\n",
      "EXC_CRASH (SIGABRT); the text mentions: heap corruption found, and names -[Deck deal:]"
    ),
    // The end is known already.
    ("It has SIGABRT\nin -[Deck deal:]\n", "EXC_CRASH (SIGABRT); the text names -[Deck deal:]"),
    ("There is no heap corruption\n", "EXC_CRASH (SIGABRT)"),
    ("A letter to nobody\n", "EXC_CRASH (SIGABRT)"),
  ])
  func aroundAReport(words: String, expected: String) async throws {
    let hint = " — thread 0 crashed; its frames are not in this text"
    try await expectEqual(headline(words + "\n" + Self.head), expected + hint)
    try await expectEqual(headline(Self.head + "\n" + words), expected + hint)
    // In Markdown, the report is read without its fences.
    try await expectEqual(
      headline(words + "\n```\n" + Self.head + "```\n"), expected + hint)
  }

  /// A report that says why is not completed.
  @Test func ofAReportThatSaysWhy() async throws {
    let head = Self.head + "Application Specific Information:\nabort() called\nthe deck is empty\n"
    let alone = try await headline(head)
    expectContains(alone, "the deck is empty")
    try await expectEqual(headline("Is it heap corruption here?\n\n" + head), alone)
  }

  /// The title of an issue has what the piece of a report below does not say.
  @Test func titles() async throws {
    let stack = """
         at System.Threading.ThreadPoolWorkQueue.Dispatch()
         at System.Threading.PortableThreadPool+WorkerThread.WorkerThreadStart()
         at System.Threading.Thread.StartCallback()

      """
    try await expectEqual(
      headline("# System.AccessViolationException on macOS while dealing\n\n\(stack)"),
      "a .NET exception; the text mentions: System.AccessViolationException on macOS while dealing")
    try await expectEqual(headline(stack), "a .NET exception, whose name is not in this text")
    let piece = """
      ```
      6   com.apple.audio.CoreAudio   0x00007fff7ca8be92 HALB_IOThread::Entry(void*) + 75
      7   libsystem_pthread.dylib     0x00007fff92c1182a _pthread_body + 180

      Thread 16:
      0   libsystem_kernel.dylib      0x00007fff927d6e34 __semwait_signal + 10
      1   libsystem_c.dylib           0x00007fff9275da60 nanosleep + 199

      Thread 14 crashed with X86 Thread State (64-bit):
        rax: 0x0000000000000000  rbx: 0x000060000013b390  rcx: 0x0000000000000008

      """
    let unknown = "thread 14 crashed; its frames are not in this text"
    try await expectEqual(
      headline("# EXC_BAD_ACCESS in Tiles when adding cards\n\n\(piece)"),
      "the text mentions: EXC_BAD_ACCESS in Tiles when adding cards — \(unknown)")
    try await expectEqual(headline("# Crash in Tiles\n\n\(piece)"), unknown)
  }

  /// libdispatch's sentence before a trap, in the title of an issue whose report is cut.
  @Test func titleOfATrap() async throws {
    let head = Self.head.replacing("EXC_CRASH (SIGABRT)", with: "EXC_BREAKPOINT (SIGTRAP)")
      .replacing("0x0000000000000000,", with: "0x0000000000000001,")
    let hint = " — thread 0 crashed; its frames are not in this text"
    let words = "dispatch_sync called on queue already owned by current thread"
    try await expectEqual(
      headline("# Tiles crashes (\(words))\n\n\(head)"),
      "stopped by a trap instruction on thread 0; the text mentions: \(words)\(hint)")
    try await expectEqual(
      headline("# Tiles crashes\n\n\(head)"),
      "stopped by a trap instruction on thread 0: a failed check, or a crash on purpose\(hint)")
  }

  /// What somebody concludes says less than a frame.
  @Test func guesses() async throws {
    func text(_ verb: String) -> String {
      """
      - Exception Type: EXC_BREAKPOINT / SIGTRAP
      - Crash Location: Tiles binary, offset 0x3B2AC (242348)

      The SIGTRAP there \(verb) a nil optional in its code.

      """
    }
    let place = "Tiles + 242348 — stopped by a trap instruction"
    try await expectEqual(
      headline(text("comes from")),
      "\(place); the text mentions: The SIGTRAP there comes from a nil optional in its code")
    for verb in ["strongly suggests", "is probably"] {
      try await expectEqual(
        headline(text(verb)), "\(place): a failed check, or a crash on purpose")
    }
  }

  /// The signature is one of the report, whatever is written around it.
  @Test func signature() async throws {
    func signature(_ text: String) async throws -> String? {
      let result = try await Program.symbolicate(
        ["-", "--format", "json"], input: Array(text.utf8))
      return result.outputText.split(separator: "\n").first { $0.contains("\"hash\"") }
        .map(String.init)
    }
    try await expectEqual(signature("It has heap corruption\n\n" + Self.head), signature(Self.head))
  }
}
