import SymbolicationModel
import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// The lines above the frames of a thread.
struct ThreadLineTests {
  struct Heading: Sendable {
    let lines: String
    let number: Int?
    var name: String?
    var queue: String?
    var isCrashed = false
  }

  static let headings = [
    Heading(lines: "Thread 0:", number: 0),
    Heading(lines: "Thread 3 Crashed:", number: 3, isCrashed: true),
    Heading(lines: "Thread 3 Highlighted:", number: 3, isCrashed: true),
    Heading(lines: "Thread 6 [Crashed]:", number: 6, isCrashed: true),
    // As people write headings and lists in Markdown, or retype them: github.github.com/gfm.
    Heading(lines: "### Thread 3 Crashed:", number: 3, isCrashed: true),
    Heading(
      lines: "### Thread 0 Crashed:: Dispatch queue: com.apple.main-thread", number: 0,
      queue: "com.apple.main-thread", isCrashed: true),
    Heading(lines: "- **Thread 3 Crashed**: cards", number: 3, name: "cards", isCrashed: true),
    Heading(lines: "* **Thread 4**:", number: 4),
    Heading(lines: "> Thread 2:", number: 2),
    Heading(lines: "Thread 3 Crashed", number: 3, isCrashed: true),
    Heading(lines: "Thread #3 - Crashed", number: 3, isCrashed: true),
    Heading(lines: "thread 3 crashed：", number: 3, isCrashed: true),
    Heading(lines: "thread 3:", number: 3),
    Heading(
      lines: "Thread 0 Crashed  Dispatch queue: com.apple.main-thread", number: 0,
      queue: "com.apple.main-thread", isCrashed: true),
    // Old pages of Crashlytics.
    Heading(
      lines: "Thread 6: Crashed: com.example.store", number: 6, name: "com.example.store",
      isCrashed: true),
    // As in github.com/flutter/flutter, issue 48237; other words are a name.
    Heading(lines: "Thread 6: Crashed", number: 6, isCrashed: true),
    Heading(lines: "Thread 6: Crashed cards", number: 6, name: "Crashed cards"),
    // `EXC_RESOURCE` of iOS 8.
    Heading(lines: "Thread 2 Attributed:", number: 2, isCrashed: true),
    // iOS
    Heading(
      lines: "Thread 0 name:  Dispatch queue: com.apple.main-thread\nThread 0 Crashed:", number: 0,
      queue: "com.apple.main-thread", isCrashed: true),
    Heading(
      lines: "Thread 0 name:   Dispatch queue: com.apple.main-thread\nThread 0:", number: 0,
      queue: "com.apple.main-thread"),
    Heading(
      lines: "Thread 5 name:  tid_303  Dispatch queue: q\nThread 5:", number: 5, name: "tid_303",
      queue: "q"),
    Heading(lines: "Thread 2 name:  WebThread\nThread 2:", number: 2, name: "WebThread"),
    // TestFlight writes a label for each thread, even an empty one.
    Heading(lines: "Thread 0 name:\nThread 0 Crashed:", number: 0, isCrashed: true),
    Heading(lines: "Thread 0 name:  Dispatch queue:\nThread 0:", number: 0),
    // macOS
    Heading(
      lines: "Thread 0 Crashed:: Dispatch queue: com.apple.main-thread", number: 0,
      queue: "com.apple.main-thread", isCrashed: true),
    Heading(
      lines: "Thread 0 Crashed::  Dispatch queue: com.apple.main-thread", number: 0,
      queue: "com.apple.main-thread", isCrashed: true),
    Heading(
      lines: "Thread 0:: CrBrowserMain Dispatch queue: com.apple.main-thread", number: 0,
      name: "CrBrowserMain", queue: "com.apple.main-thread"),
    Heading(
      lines: "Thread 7:: caulk.messenger.shared:17 ", number: 7, name: "caulk.messenger.shared:17"),
    Heading(
      lines: "Thread 7:: A, Dispatch Queue: b", number: 7, name: "A", queue: "b"),
    // A queue's label may contain anything.
    Heading(
      lines: "Thread 7:: Dispatch queue: Context 0x80098010: __31-[P l]_block_invoke", number: 7,
      queue: "Context 0x80098010: __31-[P l]_block_invoke"),
    // PLCrashReporter
    Heading(
      lines: "Thread 1 Crashed: Test Thread Name", number: 1, name: "Test Thread Name",
      isCrashed: true),
    Heading(lines: "Thread 99999999999999999999:", number: nil),
    Heading(lines: "Thread 1:\u{a0} A", number: 1, name: "A"),
  ]

  @Test(arguments: headings)
  func heading(_ expected: Heading) throws {
    let text = try ParsedText(
      "Process: App [1]\nPath: /App\n\n\(expected.lines)\n0   App 0x10 f + 1\n\nThread 98:\n")
    let threads = try text.report.threads
    expectEqual(threads.count, 2)
    let thread = try require(threads.first)
    expectEqual(thread.number, expected.number)
    expectEqual(thread.name, expected.name)
    expectEqual(thread.dispatchQueue, expected.queue)
    expectEqual(thread.isCrashed, expected.isCrashed)
    expectEqual(thread.frames.count, 1)
    expectEqual(text[thread.byteRange], "\(expected.lines)\n0   App 0x10 f + 1")
    try expectEqual(
      text.report.faults.map(\.kind), expected.number == nil ? [.unreadableNumber] : [])
  }

  /// Without a frame below it, such a line is a sentence.
  @Test(arguments: [
    "### Thread 3 Crashed:", "- Thread 3:", "Thread 3 Crashed", "*Thread 3*", "thread 3:",
  ])
  func wordsAboutAThread(line: String) throws {
    let report = try ParsedText(
      "Process: App [1]\nPath: /App\n\n\(line)\nas before\n\nThread 98:\n0   App 0x10 f + 1\n"
    ).report
    expectEqual(report.threads.map(\.number), [98])
    expectNil(report.crashedThread)
  }

  /// Nor is a line with other words above a frame.
  @Test(arguments: ["- Thread 3 is idle, see", "thread 3 has", "Thread 3 Crashed when we saw"])
  func otherWordsAboveAFrame(line: String) throws {
    let report = try ParsedText(
      "Process: App [1]\nPath: /App\n\nThread 2:\n0   App 0x10 f + 1\n\n\(line)\n0   App 0x10 f + 1\n"
    ).report
    expectEqual(report.threads.map(\.number), [2])
  }

  /// Somebody left the numbers of frames out, as Markdown does with those of a list.
  @Test func framesWithoutNumbers() throws {
    let report = try ParsedText(
      """
      Thread 3 Crashed:
      Board Kit      \t0x0000000104b4c000 Deck.deal() + 176
      - not a frame
      Board          \t0x0000000104b4d000 0x104b40000 + 53248

      Thread 4:
      0   Board 0x0000000104b4e000 main + 8

      """
    ).report
    expectEqual(report.threads.map(\.number), [3, 4])
    expectEqual(report.crashedThread?.frames.map(\.imageName), ["Board Kit", "Board"])
    expectEqual(
      report.crashedThread?.frames.map(\.address?.value), [0x1_04b4_c000, 0x1_04b4_d000])
    expectEqual(
      report.crashedThread?.frames.first?.symbol, FrameSymbol(name: "Deck.deal()", offset: 176))
    expectEqual(report.crashedThread?.frames.last?.imageRelativeAddress?.offset, 53248)
  }

  /// The frames above all other threads are those of the thread that crashed, if its number is the
  /// missing one and they begin with the innermost.
  @Test(
    arguments: [(1, 0, 1), (0, 0, 1), (40, 0, nil), (1, 4, nil)] as [(Int, Int, Int?)])
  func framesWithoutAHeading(next: Int, first: Int, expected: Int?) throws {
    let frames = (first..<first + 2).map { "\($0)   App   0x1000\($0) 0x10000 + \($0)\n" }.joined()
    let report = try ParsedText(
      "Process: App [1]\nPath: /App\nCrashed Thread: 1\n\nCode Type: ARM-64\n\n\(frames)\n"
        + "Thread \(next == 1 ? 2 : next):\n0   App 0x10 f + 1\n"
    ).report
    expectEqual(report.crashedThread?.number, expected)
    if expected != nil { expectEqual(report.crashedThread?.frames.count, 2) }
  }

  @Test func aThreadMayHaveNoFrames() throws {
    let report = try ParsedText(
      "Process: App [1]\nPath: /App\n\nThread 9 name:\nThread 9:\n\nThread 11:\n0   A 0x1 f + 1\n"
    ).report
    expectEqual(report.threads.map(\.number), [9, 11])
    expectEqual(report.threads.map(\.frames.count), [0, 1])
  }

  @Test func framesMayBeCutOutAnywhere() throws {
    let report = try ParsedText(
      """
      Process: App [1]
      Path: /App

      Thread 0:

      0   A 0x10 f + 1

      <snip>

      7   A 0x20 g + 1
      ...
      9   A 0x30 h + 1
      """
    ).report
    expectEqual(report.threads.map { $0.frames.map(\.index) }, [[0, 7, 9]])
    expectEmpty(report.faults)
  }

  @Test func framesWithoutAHeadingDoNotBelongToTheThreadBefore() throws {
    let report = try ParsedText(
      """
      Process: App [1]
      Path: /App

      Thread 0:
      0   A 0x110 f + 1
      1   A 0x120 f + 1

      0   A 0x130 g + 1

      0   A 0x140 0x100 + 64
      1   A 0x150 g + 1
      """
    ).report
    expectEqual(report.threads.map(\.number), [0, nil])
    expectEqual(
      report.threads.map { $0.frames.map(\.address?.value) }, [[0x110, 0x120], [0x140, 0x150]])
    expectEqual(report.faults.map(\.kind), [.frameOutsideBacktrace])
  }

  @Test func theHeadMayNameTheCrashedThread() throws {
    let threads = "\nThread 0:\n0   A 0x10 f + 1\n\nThread 4:\n0   A 0x10 f + 1\n"
    for field in [
      "Triggered by Thread:  4", "Crashed Thread:        4  Dispatch queue: q",
      "Highlighted Thread:  4", "Triggered by Thread: 4  name, Dispatch Queue: q",
    ] {
      let report = try ParsedText("Process: A [1]\nPath: /A\n\(field)\n" + threads).report
      expectEqual(report.crashedThread?.number, 4)
      expectEqual(report.threads.map(\.isCrashed), [false, true])
      expectEqual(report.facts.crashedThread, 4)
    }
    let unknown = try ParsedText("Process: A [1]\nCrashed Thread: Unknown\n" + threads).report
    expectNil(unknown.crashedThread)
    expectNil(unknown.facts.crashedThread)
  }

  /// A report that only highlights a thread does not say that it crashed.
  @Test(arguments: [
    ("Highlighted Thread:  4", "Thread 4:", "", nil),
    ("Code Type: ARM-64", "Thread 4 Highlighted:", "", nil),
    ("Highlighted Thread:  4", "Thread 4 Crashed:", "", 4),
    (
      "Highlighted Thread:  4", "Thread 4:",
      "\nThread 4 crashed with ARM Thread State:\n  r0: 0x1\n", 4
    ),
    ("Crashed Thread:  4", "Thread 4 Highlighted:", "", 4),
  ])
  func highlightedThreads(field: String, heading: String, state: String, number: Int?) throws {
    let report = try ParsedText(
      "Process: A [1]\nPath: /A\n\(field)\n\nThread 0:\n0   A 0x10 f + 1\n\n"
        + "\(heading)\n0   A 0x10 f + 1\n\(state)"
    ).report
    expectEqual(report.facts.namedCrashedThread, number)
    expectEqual(report.facts.statedCrashedThread, 4)
  }

  /// `Crashed` in a heading counts more than the head of the report, and that more than
  /// `Highlighted`.
  @Test(arguments: [
    ("Crashed Thread: 4", "Thread 0 Crashed:", 0),
    ("Crashed Thread: 4", "Thread 0 Highlighted:", 4),
    ("Crashed Thread: 7", "Thread 0 Highlighted:", 0), ("Crashed Thread: 7", "Thread 0:", nil),
    ("Code Type: ARM-64", "Thread 0 Highlighted:", 0),
  ])
  func theCrashedThread(field: String, heading: String, number: Int?) throws {
    let report = try ParsedText(
      "Process: A [1]\nPath: /A\n\(field)\n\n\(heading)\n0   A 0x10 f + 1\n\n"
        + "Thread 4:\n0   A 0x10 f + 1\n"
    ).report
    expectEqual(report.crashedThread?.number, number)
    expectEqual(report.facts.crashedThread, number)
    expectEqual(report.threads.filter(\.isCrashed).map(\.number), number.map { [$0] } ?? [])
  }
}
