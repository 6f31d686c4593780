import Foundation
import TestSupport
import Testing

@testable import CrashLogParser

/// When a stream's lines and reports are handed on.
struct ReportCutterTests {
  private static let report = """
    Incident Identifier: DAB41DAD-3A9E-4C4F-8D5F-8E8F1F6B0F6B
    Process:             Game [7]
    Code Type:           ARM-64

    Exception Type:  EXC_CRASH (SIGABRT)

    Thread 0 Crashed:
    0   Game   0x0000000100001000 0x100000000 + 4096

    Binary Images:
    0x100000000 - 0x10000ffff Game arm64  <0123456789abcdef0123456789abcdef> /Game

    """
  private static let header = #"{"app_name":"Game","bug_type":"309"}"#
  private static let body = """
    {
      "threads" : [{"frames":[{"imageOffset":1,"imageIndex":0}]}],
      "usedImages" : [{"base":4294967296,"name":"Game","note":"} {"}]
    }
    """

  private func cut(
    _ text: String, limit: Int = 1 << 20
  ) -> (now: [ReportCutter.Piece], later: [ReportCutter.Piece], ReportCutter) {
    var cutter = ReportCutter(limit: limit)
    let now = cutter.take(Array(text.utf8))
    var rest = cutter
    return (now.merged, rest.end().merged, cutter)
  }

  private func text(_ text: String) -> ReportCutter.Piece { .text(Array(text.utf8)) }
  private func candidate(_ text: String) -> ReportCutter.Piece { .candidate(Array(text.utf8)) }

  @Test(arguments: [
    "GET / 200\n", "2026-11-23 05:00:00 [7] started\n", #"{"level":"info","message":"{x}"}"# + "\n",
    "func main() -> {3}\n", "0 failed\n", "\n", "Thread pool started\n", "[12:30:00] tick\n",
    "> quoted\n", "0x1000 mapped\n", "Version: 7\n",
  ])
  func otherLinesAreHandedOnAtOnce(line: String) {
    let (now, later, cutter) = cut("first line\n" + line)
    expectEqual(now, [text("first line\n" + line)])
    expectEmpty(later)
    expectEqual(cutter.patience, .none)
  }

  /// An event that was cut on its only line, as by a log that limits its lines, is handed on once a
  /// line follows that is not JSON.
  @Test func cutLine() {
    let event = #"{"event_id":"1","exception":{"values":[{"stacktrace":{"frames":[{"instruction_ad"#
    let (now, later, cutter) = cut("a line\n" + event + "\nINFO next\nINFO more\n")
    expectEqual(now, [text("a line\n"), candidate(event + "\n"), text("INFO next\nINFO more\n")])
    expectEmpty(later)
    expectEqual(cutter.patience, .none)
    // An object of another kind is handed on as it is.
    let (other, _, _) = cut("{\"level\":\"info\",\"message\":\"cu\nINFO next\n")
    expectTrue(other.allSatisfy { if case .text = $0 { true } else { false } })
  }

  /// A stream is looked at as far below a termination as a file: memory regions may be above the
  /// threads.
  @Test func terminationAboveRegions() {
    let region = "    __TEXT   100000000-100001000  [    4K] r-x/r-x SM=COW  /Game\n"
    let report =
      "Termination Reason:    Namespace CODESIGNING, Code 0x2\n\nVM Regions Near 0x100001000:\n"
      + String(repeating: region, count: 12)
      + "\nThread 0 Crashed:\n0   Game   \t0x0000000100001000 0x100000000 + 4096\n"
    let (now, later, _) = cut("a line\n" + report)
    expectEqual(now, [text("a line\n")])
    expectEqual(later, [candidate(report)])
  }

  /// Two reports without an empty line between them.
  @Test func reportsThatTouch() {
    let (now, later, _) = cut(Self.report + Self.report)
    expectTrue(now == [candidate(Self.report)] && later == [candidate(Self.report)])
  }

  /// The size of a block, and a block or the end of the stream: 0x314159265359, 0x177245385090.
  @Test(
    arguments: 1...9,
    [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]])
  func bzip2(size: Int, magic: [UInt8]) {
    var cutter = ReportCutter(limit: 1 << 20)
    expectEmpty(cutter.take(Array("BZh\(size)".utf8) + magic + Array("x\ny\n".utf8)))
    expectEqual(cutter.patience, .endless)
  }

  /// What only resembles a report is held back for a few lines.
  @Test func fieldsOfOtherThings() {
    let lines = "Process: done\n" + String(repeating: "line\n", count: 8)
    let (now, later, _) = cut("a line\n" + lines)
    expectEqual(now, [text("a line\n" + lines)])
    expectEmpty(later)
    let (early, rest, cutter) = cut("a line\nProcess: done\nline\n")
    expectEqual(early, [text("a line\n")])
    expectEqual(rest, [candidate("Process: done\nline\n")])
    expectEqual(cutter.patience, .short)
  }

  @Test func aTextReportEndsBehindItsImages() {
    let (now, later, cutter) = cut("before\n" + Self.report)
    expectEqual(now, [text("before\n")])
    expectEqual(later, [candidate(Self.report)])
    expectEqual(cutter.patience, .short)
    let (all, none, _) = cut("before\n" + Self.report + "\nafter\nmore\n")
    expectEqual(all, [text("before\n"), candidate(Self.report + "\n"), text("after\nmore\n")])
    expectEmpty(none)
    expectEqual(
      cut("x\n" + Self.report + "EOF\ny\n").now,
      [
        text("x\n"), candidate(Self.report + "EOF\n"), text("y\n"),
      ])
  }

  @Test func reportsWithPrefixes() {
    let quoted = Self.report.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      .map { "2026-11-23 05:00:00.123 app[7]: \($0)\n" }.joined()
    let after = "2026-11-23 05:00:01.000 app[7]: GET /\n"
    let blank = "2026-11-23 05:00:01.000 app[7]: \n"
    expectEqual(
      cut(after + quoted + blank + after).now,
      [
        text(after), candidate(quoted + blank), text(after),
      ])
  }

  /// Words of any log begin with the same letters.
  @Test(arguments: [
    "libsystem_c\t140\t_abort (in libsystem_c.dylib)\nApp\t8\t-[Page load] (in App)\n",
    "Native frames: (J=compiled Java code, C=native code)\nC  [libpage.dylib+0x14dd]  load+0x1d\n",
  ])
  func tracesThatBeginLikeWords(trace: String) {
    let (now, later, _) = cut("loading\nNo cache\n" + trace)
    expectEqual(now, [text("loading\nNo cache\n")])
    expectEqual(later, [candidate(trace)])
  }

  /// Traces with the prefix of a log, as each family has them, and one that a syslog daemon made
  /// one line of.
  @Test(arguments: [
    "0   App   0x0000000104a1c2f0 load + 84\n1   App   0x0000000104a1c100 main + 20\n",
    "#0  0x00005555555551a9 in load ()\n#1  0x00005555555551c9 in main ()\n",
    "    frame #0: 0x0000000100003f50 App`load + 8\n    frame #1: 0x0000000100003f80 App`main + 32\n",
    "      #00 pc 0001d2f4  /data/libapp.so (load+52)\n      #01 pc 0001d300  /data/libapp.so\n",
    "    at 0   App    0x1045a1b34   kfun:a#b(){} + 9\n    at 1   App    0x1045a1c10   kfun:c#d(){} + 1\n",
    "* thread #1, stop reason = signal SIGSEGV\n  * frame #0: 0x0000000100003f50 App`load + 8\n    frame #1: 0x0000000100003f80 App`main + 32\n",
    "Crashed: com.apple.main-thread\n0  App  0x246e35c load + 45\n1  App  0x637a8 main + 24\n",
    "Received signal 11 SEGV_MAPERR 0\n#0 0x55c05fef4c29 (/opt/app+0x1d2f4)\n#1 0x55c05fef4d00 (/opt/app+0x1d300)\n",
    "Stack trace of thread 812:\n#0  0x00007f3a9c23cc75 raise (libc.so.6 + 0x3cc75)\n",
    "./app(load+0x12) [0x55d1f0a3]\n/lib/libc.so.6(+0x3c05)[0x7f1a2b3c]\n",
    "======= Backtrace: =========\n./app[0x55d1f0a3]\n/lib/libc.so.6(+0x3c05)[0x7f1a2b3c]\n",
    // The build of the image is above the stack.
    "Process 812 (a) of user 1 dumped core.\nModule a with build-id 8f01\nStack trace of thread 812:\n#0  0x00007f3a9c23cc75 n/a (a + 0x3cc75)\n",
    "==7==ERROR: AddressSanitizer: SEGV on address 0x8\n    #0 0x55d1f0a3 in f a.c:1:2\nfreed by thread T0 here:\n    #0 0x55d1f0b3 in g a.c:3:4\nSUMMARY: AddressSanitizer: SEGV\n",
    "\tat libil2cpp.0x8bc230(Native Method)\n\tat libunity.0x2186cc(Native Method)\n",
    "Process 812 (a) dumped core.#012#012Stack trace of thread 812:#012#0  0x7f3a raise (c.so + 0x3cc75)\n",
  ])
  func tracesWithPrefixes(trace: String) {
    let log = trace.split(separator: "\n").map { "2026-11-23 05:00:00.123 app[7]: \($0)\n" }
      .joined()
    let other = "2026-11-23 05:00:01.000 app[7]: GET /\n"
    let pieces = cut(other + log).later
    let held = cut(other + log).now + pieces
    #expect(
      held.contains {
        if case .candidate(let bytes) = $0 { bytes.starts(with: log.utf8) } else { false }
      })
    #expect(held.first == text(other))
  }

  @Test func jsonEndsWithItsLastBracket() {
    let ips = "\(Self.header)\n\(Self.body)\n"
    expectEqual(cut("a\n" + ips).now, [text("a\n"), candidate(ips)])
    expectEqual(cut("a\n\(Self.header)\n").now, [text("a\n")])
    expectEqual(cut("long line\n{\n").2.patience, .long)
    let oneLine = Self.header + Self.body.split(separator: "\n").joined() + "\n"
    expectEqual(cut("a\n" + oneLine + "b\n").now, [text("a\n"), candidate(oneLine), text("b\n")])
    // A bracket that opens nothing.
    expectEqual(cut("if x {\n  run()\n}\n").now, [text("if x {\n  run()\n}\n")])
  }

  /// A log that a terminal colours has codes around its lines, and around the words of its JSON.
  @Test func coloursDoNotHoldLinesBack() {
    let lines =
      "\u{1B}[32mINFO\u{1B}[0m start\n" + "\u{1B}[32m{\"level\":\"info\"}\u{1B}[0m\n"
      + "\u{1B}[1;39m{\u{1B}[0m\u{1B}[34;1m\"level\"\u{1B}[0m:\u{1B}[32m1\u{1B}[1;39m}\u{1B}[0m\n"
      + "\u{1B}[32m{\"a\":\u{1B}[33m[1]\u{1B}[0m}\u{1B}[K\n"
    expectEqual(cut(lines).now, [text(lines)])
  }

  @Test func aColouredReportEndsBehindItsImages() {
    func coloured(_ text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        .map { "\u{1B}[31m\($0)\u{1B}[0m\n" }.joined()
    }
    let report = coloured(Self.report + "\n")
    let after = coloured("after\nmore\n")
    expectEqual(
      cut("before\n" + report + after).now, [text("before\n"), candidate(report), text(after)])
    let ips = coloured("\(Self.header)\n\(Self.body)\n")
    expectEqual(cut(after + ips + after).now, [text(after), candidate(ips), text(after)])
  }

  /// A line of JSON that was cut, in a log that goes on: a few lines are held back, not all.
  @Test(arguments: ["{\"level\":\"info\"}\n", "2026-11-23 05:00:00 GET /\n", "0 failed\n"])
  func anObjectThatWasCutHoldsFewLinesBack(line: String) {
    let first = "{\"level\":\"info\",\"message\":\"this line was\n"
    let (now, later, cutter) = cut(first + String(repeating: line, count: 40))
    expectEqual((now + later).bytes, Array((first + String(repeating: line, count: 40)).utf8))
    expectEmpty(later)
    expectEqual(cutter.patience, .none)
    // Half a report is held back longer, in case that it goes on.
    let half = "\(Self.header)\n{\n  \"threads\" : [{\"frames\":[\n"
    expectEmpty(cut(half + String(repeating: line, count: 200)).now)
    let (released, rest, _) = cut(half + String(repeating: line, count: 400))
    expectEmpty(rest)
    expectEqual(released.count, 2)
  }

  /// Numbers and objects on lines of their own, as long lists in reports have them.
  @Test func listsWithoutIndentationAreKept() {
    let lists =
      "\(Self.header)\n{\n\"addresses\":[\n" + String(repeating: "4096,\n", count: 40)
      + "4096\n],\n"
      + "\"threads\":[\n" + String(repeating: "{\"frames\":[]},\n", count: 400)
      + "{\"frames\":[]}\n]\n}\n"
    expectEqual(cut("a\n" + lists).now, [text("a\n"), candidate(lists)])
  }

  @Test func aSwiftBacktraceEndsWithItsDuration() throws {
    let log = try Fixtures.bytes(of: Fixtures.path("SwiftBacktrace/Reports/bank-fast.log"))
    var cutter = ReportCutter(limit: 1 << 20)
    let pieces = (cutter.take(log + Array("after\n".utf8)) + cutter.end()).merged
    let text = String(decoding: log, as: UTF8.self)
    let duration = try require(text.range(of: "Backtrace took"))
    let behind = text[duration.upperBound...].drop { $0 != "\n" }.dropFirst()
    expectEqual(pieces.last, self.text(behind + "after\n"))
    expectEqual(pieces.count { if case .candidate = $0 { true } else { false } }, 1)
  }

  private static func docker(_ text: String, _ stream: String = "stderr") -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map {
      #"{"log":"\#($0.replacingOccurrences(of: "\"", with: "\\\""))\n","stream":"\#(stream)"}"#
        + "\n"
    }.joined()
  }

  /// Nothing in a record looks like a report, whatever else it holds.
  @Test(arguments: [
    #"{"log":"GET / 200\n","stream":"stdout","time":"2026-01-01T10:00:00Z"}"#,
    #"{"log":"Thread pool: 0x104a1c2f0\n","stream":"stdout"}"#,
    #"{"_PID":"7","MESSAGE":"[7] started","PRIORITY":"6"}"#,
    #"{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"body":{"stringValue":"x"}}]}]}]}"#,
    "2026-01-01T10:00:00.123456789Z stdout F 200 OK", "2026-01-01T10:00:00.1Z stderr F ",
    #"{"level":"info","msg":"0x104a1c2f0","a":[1,{"b":2}]}"#, "{}", "{ }",
  ])
  func recordsAreHandedOnAtOnce(record: String) {
    let (now, later, cutter) = cut("x\n\(record)\n\(record)\n")
    expectEqual(now, [text("x\n\(record)\n\(record)\n")])
    expectEmpty(later)
    expectEqual(cutter.patience, .none)
  }

  /// A trace is held back with what is between its records, and no longer than it would be alone.
  @Test func tracesInRecords() {
    let other = Self.docker("GET /\n", "stdout")
    let report = Self.docker(Self.report).split(separator: "\n").map { $0 + "\n\(other)" }.joined()
    let (end, after) = (Self.docker("\n"), Self.docker("done\n"))
    let (now, later, cutter) = cut(other + report + end + other + after + other)
    expectEqual(now, [text(other), candidate(report + end), text(other + after + other)])
    expectEmpty(later)
    expectEqual(cutter.patience, .none)
    let (early, rest, open) = cut(other + report)
    expectEqual(early, [text(other)])
    expectEqual(rest, [candidate(report)])
    expectEqual(open.patience, .short)
    // What resembles a report is let go after as many lines as in a text.
    let lines = Self.docker("Process: done\n" + String(repeating: "line\n", count: 8))
    expectEqual(cut(lines).now, [text(lines)])
    // Frames end with the last of them, although more records were held back.
    let frames = Self.docker("0   Game   0x0000000100001000 0x100000000 + 4096\n")
    let rest100 = Self.docker(String(repeating: "line\n", count: 120))
    expectEqual(cut(frames + rest100).now, [candidate(frames), text(rest100)])
  }

  /// A writer whose trace was cut does not hold back those of others for ever.
  @Test func quietWriters() {
    let frames = Self.docker("Thread 0:\n0   Game   0x0000000100001000 0x100000000 + 4096\n")
    let others = Self.docker(String(repeating: "GET /\n", count: 1500), "stdout")
    let (now, later, _) = cut(frames + others)
    expectEqual(now.bytes, Array((frames + others).utf8))
    expectEmpty(later)
  }

  /// The quick look at lines lets none pass that begins a report.
  @Test func theSieveMissesNothing() throws {
    var paths: [String] = []
    for folder in ["LetterShuffle", "SwiftBacktrace/Reports", "MetricKit", "Shapes", "Signals"] {
      let names = FileManager.default.subpaths(atPath: Fixtures.path(folder)) ?? []
      paths += names.map { Fixtures.path("\(folder)/\($0)") }.filter {
        ["log", "crash", "ips", "txt", "json"].contains(URL(fileURLWithPath: $0).pathExtension)
      }
    }
    expectTrue(paths.count > 10)
    var sieve = LineSieve(CrashLogParser.signs, LogRecordReader())
    var begins = 0
    for path in paths {
      for part in try Fixtures.bytes(of: path).split(separator: 0x0A).prefix(400) {
        for prefix in ["", "  ", "> ", "2026-11-23 05:00:00.123 app[7]: ", "[12:00] I/x: "] {
          let source = TextSource(bytes: Array(prefix.utf8) + part + [0x0A])
          let isCandidate = sieve.firstLine(in: source, from: 0, to: source.count) == 0
          sieve.move(by: -source.count)
          guard OpenReport.begin(source.line(at: 0), of: source) != nil else { continue }
          begins += 1
          expectTrue(isCandidate, prefix + String(decoding: part, as: UTF8.self))
        }
      }
    }
    expectTrue(begins > 100)
  }

  @Test func textsAreFoundWhereverTheyAre() {
    let signs = TextSigns(["abcdefg", "bcdefghi", "xyxyxyxz"])
    for length in 0..<24 {
      for text in ["abcdefg", "bcdefghi", "xyxyxyxz"] {
        let bytes = Array((String(repeating: "x", count: length) + text).utf8)
        for tail in 0..<12 {
          let input = bytes + [UInt8](repeating: 0x61, count: tail)
          expectEqual(signs.firstOffset(in: input.span, from: 0, to: input.count), length)
          expectEqual(
            signs.firstOffset(in: input.span, from: length + 1, to: input.count), input.count)
          expectEqual(
            signs.firstOffset(in: input.span, from: 0, to: bytes.count - 1), bytes.count - 1)
        }
      }
    }
  }

  @Test func pausesHandEverythingOn() {
    var cutter = ReportCutter(limit: 1 << 20)
    expectEmpty(cutter.take(Array("no line end yet".utf8)))
    expectEqual(cutter.patience, .short)
    expectEqual(cutter.pause(), [text("no line end yet")])
    // The rest of the line begins no report.
    expectEqual(cutter.take(Array("Process: x\nThread 0:\n".utf8)), [text("Process: x\n")])
    expectEqual(cutter.pause(), [candidate("Thread 0:\n")])
    expectEmpty(cutter.pause())
  }

  @Test func whatIsTooLargePassesThrough() {
    let frames = (0..<1000).map { "\($0)   Game   0x0000000100001000 0x100000000 + 4096\n" }
    let (now, later, _) = cut("Thread 0:\n" + frames.joined(), limit: 4096)
    expectEqual(now, [.tooLarge(Array(("Thread 0:\n" + frames.joined()).utf8))])
    expectEmpty(later)
    let long = String(repeating: "x", count: 5000)
    expectEqual(cut(long, limit: 4096).now, [text(long)])
  }

  /// Each line would be looked at again for each bracket before it, were they not counted.
  @Test func manyOpenBracketsAreLinear() {
    let lines = String(repeating: "{\n", count: 200_000)
    let (now, later, _) = cut(lines + "no JSON\n", limit: 1 << 22)
    expectEqual((now + later).bytes, Array((lines + "no JSON\n").utf8))
  }

  @Test func documentsAreKeptWhole() {
    let document = [0xFF, 0xFE] + [UInt8](repeating: 0x0A, count: 100)
    var cutter = ReportCutter(limit: 1 << 20)
    expectEmpty(cutter.take(document))
    expectEqual(cutter.patience, .endless)
    expectEmpty(cutter.pause())
    expectEqual(cutter.end(), [.candidate(document)])
  }

  /// Whatever comes in whatever pieces, with pauses anywhere: nothing is lost or moved.
  @Test func allBytesComeOutInOrder() throws {
    var random = SeededGenerator(seed: 18)
    let parts = [
      Array(Self.report.utf8), Array((Self.header + "\n" + Self.body + "\n").utf8),
      try Fixtures.bytes(of: Fixtures.storyReport), Array("{\n\"a\": [\n".utf8),
      Array("plain\nlines\r\n\r\n".utf8), [0, 0xFF, 0x0A, 0x7B, 0x0A],
    ]
    for _ in 0..<300 {
      let input = (0..<Int.random(in: 1...6, using: &random)).flatMap { _ in
        parts.randomElement(using: &random) ?? []
      }
      var cutter = ReportCutter(limit: Int.random(in: 16...8192, using: &random))
      var output: [UInt8] = []
      var rest = input[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...200, using: &random)
        output += cutter.take(Array(rest.prefix(count))).bytes
        rest = rest.dropFirst(count)
        if Int.random(in: 0..<8, using: &random) == 0 { output += cutter.pause().bytes }
      }
      output += cutter.end().bytes
      expectEqual(output, input)
    }
  }
}

extension [ReportCutter.Piece] {
  fileprivate var bytes: [UInt8] {
    flatMap { piece in
      switch piece {
      case .text(let bytes), .candidate(let bytes), .tooLarge(let bytes): bytes
      }
    }
  }

  /// With texts that follow each other as one.
  fileprivate var merged: Self {
    reduce(into: []) { merged, piece in
      if case .text(let bytes) = piece, case .text(let before) = merged.last {
        merged[merged.count - 1] = .text(before + bytes)
      } else {
        merged.append(piece)
      }
    }
  }
}
