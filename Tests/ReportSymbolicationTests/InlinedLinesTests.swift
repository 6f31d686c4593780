import ReportRuns
import ReportSymbolication
import TestSupport
import Testing

/// Lines of inlined calls in text reports, address lists, and frames that stay unchanged. Answers
/// are from Fixtures/LetterShuffle/README.md; 0x1002453f4 is the return address in an inlined body.
struct InlinedLinesTests {
  private static let line =
    "0x100228000 - 0x10026bfff Letter Shuffle arm64  <a4b1de4970b3301da64458d6bc22f513> /x/Letter Shuffle.app/Letter Shuffle"
  private static let inlined =
    "GameViewController.startRound() + 16 (GameViewController.swift:51) [inlined]"
  private static let function =
    "GameViewController.viewDidLoad() + 40 (GameViewController.swift:37)"

  private func symbolicate(
    _ text: String, _ change: (inout SymbolicationOptions) -> Void = { _ in }
  ) -> String {
    var options = SymbolicationOptions()
    change(&options)
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options)
    return String(
      decoding: job.symbolicate(Array(text.utf8), shownPath: "report").output, as: UTF8.self)
  }

  /// A thread whose frames are given as `INDEX NAME ADDRESS CONTENT`, columns and all.
  private func report(_ lines: [String], lineEnd: String = "\n", second: [String]? = nil) -> String
  {
    var all = ["Process:         Letter Shuffle [1]", "", "Thread 0 Crashed:"] + lines + [""]
    if let second { all += ["Thread 1:"] + second + [""] }
    return (all + ["Binary Images:", Self.line, ""]).joined(separator: lineEnd)
  }

  @Test(arguments: ["\n", "\r\n"])
  func moveLaterIndexes(lineEnd: String) {
    let before = (0...11).map { index in
      let column = "\(index)".padding(4)
      return index == 8
        ? "\(column)Letter Shuffle  \t0x00000001002453f4 0x100228000 + 119796"
        : "\(column)libX.dylib      \t0x00000001f2b23224 0x1f2810000 + 3224100"
    }
    var after = Array(before[..<8])
    after.append("8   Letter Shuffle  \t0x00000001002453f4 \(Self.inlined)")
    after.append("9   Letter Shuffle  \t0x00000001002453f4 \(Self.function)")
    for index in 10...12 {
      after.append("\(index)  libX.dylib      \t0x00000001f2b23224 0x1f2810000 + 3224100")
    }
    let text = report(before, lineEnd: lineEnd)
    expectEqual(symbolicate(text), report(after, lineEnd: lineEnd))
    expectEqual(symbolicate(report(after, lineEnd: lineEnd)), report(after, lineEnd: lineEnd))
  }

  /// If the last line of a file has no line end, the inserted line gets one and the last line still
  /// has none.
  @Test func keepAMissingLineEnd() {
    let text =
      "0   libX.dylib 0x00000001f2b23224 0x1f2810000 + 3224100\n1   Letter Shuffle 0x00000001002453f4 0x100228000 + 119796"
    expectEqual(
      symbolicate(text),
      "0   libX.dylib 0x00000001f2b23224 0x1f2810000 + 3224100\n1   Letter Shuffle 0x00000001002453f4 \(Self.inlined)\n2   Letter Shuffle 0x00000001002453f4 \(Self.function)"
    )
  }

  @Test func moveIndexesOfTheirOwnThreadOnly() {
    let frames = [
      "0   libX.dylib  0x00000001f2b23224 0x1f2810000 + 3224100",
      "1   Letter Shuffle  0x00000001002453f4 0x100228000 + 119796",
    ]
    let resolved = [
      frames[0], "1   Letter Shuffle  0x00000001002453f4 \(Self.inlined)",
      "2   Letter Shuffle  0x00000001002453f4 \(Self.function)",
    ]
    expectEqual(symbolicate(report(frames, second: frames)), report(resolved, second: resolved))
    expectEqual(
      symbolicate(report(frames, second: frames)) { $0.threads = .crashed },
      report(resolved, second: frames))
    expectEqual(
      symbolicate(report(frames, second: frames)) { $0.threads = .numbered([1]) },
      report(frames, second: resolved))
  }

  @Test func areReplacedWhenEverythingIsLookedUpAgain() {
    let before = report([
      "0   libX.dylib  0x00000001f2b23224 0x1f2810000 + 3224100",
      "1   Letter Shuffle  0x00000001002453f4 a + 1 (a.c:1) [inlined]",
      "2   Letter Shuffle  0x00000001002453f4 b + 1 (a.c:2) [inlined]",
      "3   Letter Shuffle  0x00000001002453f4 c + 1 (a.c:3)",
      "4   libX.dylib  0x00000001f2b23224 0x1f2810000 + 3224100",
    ])
    expectEqual(symbolicate(before), before)
    expectEqual(
      symbolicate(before) { $0.resymbolicates = true },
      report([
        "0   libX.dylib  0x00000001f2b23224 0x1f2810000 + 3224100",
        "1   Letter Shuffle  0x00000001002453f4 \(Self.inlined)",
        "2   Letter Shuffle  0x00000001002453f4 \(Self.function)",
        "3   libX.dylib  0x00000001f2b23224 0x1f2810000 + 3224100",
      ]))
  }

  /// An index that cannot grow is unchanged.
  @Test func survivesTheLargestIndex() {
    let lines = { (content: [String]) in
      content.map { "\(Int.max)   Letter Shuffle  0x00000001002453f4 \($0)" }
    }
    let before = lines(["0x100228000 + 119796", "0x100228000 + 119796"])
    expectEqual(
      symbolicate(report(before)),
      report(lines([Self.inlined, Self.function, Self.inlined, Self.function])))
  }

  /// Columns as Apple's tool writes them: `%-3d %-30s`, a tab, the address.
  @Test func expandListsOfAddresses() {
    let list = { (lines: String) in
      "Process:         Letter Shuffle [1]\n\nLast Exception Backtrace:\n\(lines)\n\nThread 0:\n\nBinary Images:\n\(Self.line)\n"
    }
    expectEqual(
      symbolicate(list("(0x1002474e0 0x1001 0x1002453f4)")),
      list(
        """
        0   Letter Shuffle                	0x00000001002474e0 one-time initialization function for rounds + 72 (GameData.swift:18)
        1   ???                           	0x0000000000001001 0 + 4097
        2   Letter Shuffle                	0x00000001002453f4 \(Self.inlined)
        3   Letter Shuffle                	0x00000001002453f4 \(Self.function)
        """))
    // If none of them has an answer, it stays a list.
    expectEqual(symbolicate(list("(0x1001 0x1002)")), list("(0x1001 0x1002)"))
  }

  @Test func backtraceSymbolsKnowsOnlyTheImage() {
    let before = report(["0   Letter Shuffle  0x000000010024f19c Letter Shuffle + 160156"])
    expectEqual(
      symbolicate(before),
      report([
        "0   Letter Shuffle  0x000000010024f19c GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) + 164 (<compiler-generated>:0)"
      ]))
  }

  @Test func onlyUserCodeSkipsSystemFrames() {
    let system = Self.line.replacing("/x/Letter Shuffle.app/", with: "/usr/lib/")
    let text = report(["0   Letter Shuffle  0x000000010024f19c 0x100228000 + 160156"])
    expectEqual(symbolicate(text) { $0.onlyUserCode = true }, symbolicate(text))
    let inSystem = text.replacing(Self.line, with: system)
    expectEqual(symbolicate(inSystem) { $0.onlyUserCode = true }, inSystem)
    expectNotEqual(symbolicate(inSystem), inSystem)
  }
}

extension String {
  fileprivate func padding(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
