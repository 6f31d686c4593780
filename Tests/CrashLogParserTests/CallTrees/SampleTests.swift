import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// What `sample` prints. The lines have the forms of real samples.
struct SampleTests {
  static let text = """
    Sampling process 8339 for 3 seconds with 1 millisecond of run time between samples
    Sampling completed, processing symbols...
    Analysis of sampling App (pid 8339) every 1 millisecond
    Process:         App [8339]
    Path:            /Users/USER/Desktop/*/App
    Load Address:    0x10226d000
    Identifier:      com.example.App
    Version:         1.0 (5)
    Code Type:       X86-64
    Parent Process:  bash [8333]

    Date/Time:       2021-04-03 11:42:36.732 +0900
    OS Version:      Mac OS X 10.15.7 (19H114)
    Report Version:  7
    ----

    Call graph:
        2705 Thread_359069: Main Thread   DispatchQueue_1: com.apple.main-thread  (serial)
        + 2705 start  (in libdyld.dylib) + 1  [0x7fff6fbfecc9]
        +   2705 ???  (in My App (Beta))  load address 0x10226d000 + 0x3e30  [0x102270e30]
        +     ! 2000 -[X run (in a) for:]  (in My App (Beta)) + 20,24,...  [0x102270d9a,0x102270d9e,...]  X.m:27
        +     ! : 2000 __psynch_mutexwait  (in libsystem_kernel.dylib) + 10  [0x7fff6fd42062]
        +     705 main (in My App (Beta)) (main.m:39) [0x102270e34]
        +       705 ???  (in <unknown binary>)  [0x4800047383]
        1593 Thread_13460
          153 0x1009a1611
            153 __memcpy

    Total number in stack (recursive counted multiple, when >=5):
            31       ???  (in My App (Beta))  load address 0x10226d000 + 0x3e30  [0x102270e30]
            17       __psynch_mutexwait  (in libsystem_kernel.dylib) + 10  [0x7fff6fd42062]

    Sort by top of stack, same collapsed (when >= 5):
            __psynch_mutexwait  (in libsystem_kernel.dylib)        36490
            ???  (in My App (Beta))  load address 0x10226d000 + 0x3e38  [0x102270e38]        12

    Binary Images:
           0x10226d000 -        0x102270fff +com.example.App (1.0) <146A1AEF-6EBA-327B-8FB5-654F2309B6A8> /Users/*/My App (Beta)
        0x7fff6fd41000 -     0x7fff6fd6dfff  libsystem_kernel.dylib (6153) <A576A1CF-7726-3146-B04B-A26E1CDB9757> /usr/lib/system/libsystem_kernel.dylib
    Sample analysis of process 8339 written to file /dev/stdout

    Bye
    """

  @Test func everyPart() throws {
    let parsed = try ParsedText(Self.text)
    let report = try parsed.report
    expectEqual(report.format, .sample)
    expectEqual(report.facts.event, .sample)
    expectEqual(report.facts.eventExtent, "3 seconds")
    expectEqual(report.facts.process.name, "App")
    expectEqual(report.facts.process.identifier, 8339)
    expectEqual(report.facts.architecture, .x86_64)
    expectEqual(report.facts.system.version, "10.15.7")
    expectEqual(report.images.map(\.byteCount), [0x4000, 0x2d000])
    expectEmpty(report.faults)
    expectSuffix(parsed[report.byteRange], "written to file /dev/stdout")
    expectNesting(report, "sample")
    let all = report.backtraces
    expectEqual(all.map(\.kind), [.thread, .thread, .digest, .digest])
    expectEqual(all.map(\.number), [359069, 13460, nil, nil])
    expectEqual(
      all.map(\.name),
      [
        "Main Thread", nil, "Total number in stack (recursive counted multiple, when >=5)",
        "Sort by top of stack, same collapsed (when >= 5)",
      ])
    expectEqual(all.map(\.dispatchQueue), ["com.apple.main-thread", nil, nil, nil])
    expectEqual(all.map(\.sampleCount), [2705, 1593, nil, nil])
    expectEqual(all.map(\.isCallTree), [true, true, true, true])
  }

  @Test func framesOfATree() throws {
    let frames = try ParsedText(Self.text).report.backtraces[0].frames
    expectEqual(frames.map(\.depth), [0, 1, 2, 3, 2, 3])
    expectEqual(frames.map(\.sampleCount), [2705, 2705, 2000, 2000, 705, 705])
    expectEqual(
      frames.map(\.address?.value),
      [
        0x7fff_6fbf_ecc9, 0x1_0227_0e30, 0x1_0227_0d9a, 0x7fff_6fd4_2062, 0x1_0227_0e34,
        0x48_0004_7383,
      ])
    expectEqual(
      frames.map(\.addressKind),
      [
        .returnAddress, .returnAddress, .returnAddress, .programCounter, .returnAddress,
        .programCounter,
      ])
    expectEqual(
      frames.map(\.imageName),
      [
        "libdyld.dylib", "My App (Beta)", "My App (Beta)", "libsystem_kernel.dylib",
        "My App (Beta)", "<unknown binary>",
      ])
    expectEqual(
      frames.map(\.symbol),
      [
        FrameSymbol(name: "start", offset: 1), nil,
        FrameSymbol(name: "-[X run (in a) for:]", offset: 20, file: "X.m", line: 27),
        FrameSymbol(name: "__psynch_mutexwait", offset: 10),
        FrameSymbol(name: "main", file: "main.m", line: 39), nil,
      ])
    expectEqual(
      frames[1].imageRelativeAddress,
      ImageRelativeAddress(base: LoadAddress(0x1_0226_d000), offset: 0x3e30))
  }

  /// Pieces of the tree: from the heading of a thread on, from a frame on, moved to the left, and
  /// quoted.
  @Test(
    arguments: [
      """
          270 Thread_359: cards
            270 wait  (in Kit) + 40  [0x7fff672da35e]
              270 semaphore_wait_trap  (in libsystem_kernel.dylib) + 10  [0x7fff90dabae5]
      """,
      """
          +     270 wait  (in Kit) + 40  [0x7fff672da35e]
          +       270 semaphore_wait_trap  (in libsystem_kernel.dylib) + 10  [0x7fff90dabae5]
          +
      """,
      """
      270 Thread_359: cards
      + 270 wait  (in Kit) + 40
      +   270 semaphore_wait_trap  (in libsystem_kernel.dylib) + 10
      """,
      """
      > +   270 wait (in Kit) + 40
      > +     270 semaphore_wait_trap (in libsystem_kernel.dylib) + 10
      """,
    ])
  func piecesOfTheTree(text: String) throws {
    let report = try ParsedText("It hangs:\n\n\(text)\n\nWhy?\n").report
    expectEqual(report.format, .sample)
    let thread = try #require(report.backtraces.first)
    let isHeaded = text.firstRange(of: "Thread_359") != nil
    expectEqual(thread.number, isHeaded ? 359 : nil)
    expectEqual(thread.name, isHeaded ? "cards" : nil)
    expectEqual(thread.sampleCount, 270)
    expectEqual(thread.frames.map { $0.symbol?.name }, ["wait", "semaphore_wait_trap"])
    expectEqual(thread.frames.map(\.depth), [0, 1])
    expectEqual(thread.frames.map(\.sampleCount), [270, 270])
  }

  /// Counts that rise or stand in one column, lines that were joined, and other lists.
  @Test(
    arguments: [
      "  3 wait  (in Kit) + 40\n    4 turn  (in Kit) + 10\n",
      "  3 wait  (in Kit) + 40\n  3 turn  (in Kit) + 10\n",
      "  3 wait  (in Kit) + 40      3 turn  (in Kit) + 10\n    3 f  (in Kit) + 1\n",
      "  3 wait (in the kitchen)\n    3 turn (in the hall)\n", "  3 eggs\n    2 cups\n",
    ])
  func listsThatAreNoTree(text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  /// Who copies a sample may leave its first lines out, and `Call graph:` too.
  @Test(arguments: ["Call graph:\n", ""])
  func headWithoutItsFirstLines(heading: String) throws {
    let report = try ParsedText(
      """
      Process:         Board [8339]
      Path:            /Applications/Board.app/Contents/MacOS/Board
      Identifier:      com.example.board
      Parent Process:  launchd [1]

      Date/Time:       2021-04-03 11:42:36.732 +0900
      OS Version:      Mac OS X 10.15.7 (19H114)
      ----

      \(heading)    270 start  (in libdyld.dylib) + 1  [0x7fff6fbfecc9]
            270 main  (in Board) + 30  [0x102270e30]

      """.replacing("    270 start", with: heading.isEmpty ? "    270 start" : Self.threadAndStart)
    ).report
    expectEqual(report.format, .sample)
    expectEqual(report.facts.event, .sample)
    expectEqual(report.facts.process.identifier, 8339)
    expectEqual(report.facts.system.version, "10.15.7")
    expectEqual(report.backtraces.first?.frames.count, 2)
  }

  private static let threadAndStart =
    "    270 Thread_1   DispatchQueue_1: com.apple.main-thread  (serial)\n    270 start"

  /// Mac OS X 10.6 shows addresses or names alone.
  @Test func framesWithoutImages() throws {
    let frames = try ParsedText(Self.text).report.backtraces[1].frames
    expectEqual(frames.map(\.address), [LoadAddress(0x1_009a_1611), nil])
    expectEqual(frames.map(\.symbol), [nil, FrameSymbol(name: "__memcpy")])
    expectEqual(frames.map(\.depth), [0, 1])
  }

  /// A list has no callers; but in the graph above it, the first address called another function.
  @Test func lists() throws {
    let lists = try ParsedText(Self.text).report.backtraces[2...]
    expectEqual(lists.map { $0.frames.map(\.sampleCount) }, [[31, 17], [12]])
    expectEqual(lists.map { $0.frames.map(\.depth) }, [[0, 0], [0]])
    expectEqual(
      lists.map { $0.frames.map(\.addressKind) },
      [[.returnAddress, .programCounter], [.programCounter]])
  }

  @Test func severalSamplesAndACrashBelow() throws {
    let crash = """

      Incident Identifier: I
      Process:             App [1]

      Thread 0 Crashed:
      0   App   0x1010 0x1000 + 16
      """
    let second = Self.text.split(separator: "\n", maxSplits: 2)[2]
    let parsed = try ParsedText(Self.text + "\n" + second + crash)
    expectEqual(parsed.reports.map(\.format), [.sample, .sample, .crashText])
    expectEqual(parsed.reports.map(\.backtraces.count), [4, 4, 1])
    for report in parsed.reports { expectNesting(report, "several") }
  }

  @Test(arguments: [
    ("Sampling process is fun", ReportFormat.unknown),
    ("Analysis of sampling methods", .unknown),
    ("Sampling process 12 for 3 seconds\nNothing else", .sample),
  ])
  func noSample(text: String, format: ReportFormat) {
    #expect(throws: CrashLogParseError.noReportFound(format)) { try ParsedText(text) }
  }

  @Test func damageIsKept() throws {
    let text = Self.text.replacing("+   2705 ???", with: "+   x705 ???")
      .replacing("0x10226d000 -        0x102270fff", with: "0x10226d000 -        102270fff")
    let report = try ParsedText(text).report
    expectEqual(report.faults.map(\.kind), [.unreadableFrame, .unreadableImage])
    expectEqual(report.backtraces[0].frames.count, 5)
  }

  /// Cut at every byte, and with every byte changed.
  @Test func damageEverywhere() {
    let bytes = Array(Self.text.utf8)
    for end in 0...bytes.count { expectSoundTrees(Array(bytes[..<end]), "cut at \(end)") }
    for place in bytes.indices {
      var changed = bytes
      changed[place] = [0x20, 0x0a, 0x5b, 0x29][place % 4]
      expectSoundTrees(changed, "changed at \(place)")
    }
  }
}

/// Expects that reports can be read, that their ranges nest, and that depths are those of a tree.
func expectSoundTrees(_ bytes: [UInt8], _ comment: String) {
  guard let reports = try? CrashLogParser.parse(bytes) else { return }
  var end = 0
  for report in reports {
    expectNesting(report, comment)
    if report.byteRange.lowerBound < end { Issue.record("\(comment): reports overlap") }
    end = report.byteRange.upperBound
    for backtrace in report.backtraces where backtrace.isCallTree {
      var greatest = 0
      for frame in backtrace.frames {
        let depth = frame.depth ?? -1
        if depth < 0 || depth > greatest { Issue.record("\(comment): depth \(depth)") }
        greatest = depth + 1
      }
    }
  }
}
