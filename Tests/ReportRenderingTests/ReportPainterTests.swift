import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing
import Wording

/// Reports as text on a terminal with colours.
struct ReportPainterTests {
  private func painted(
    _ text: some Sequence<UInt8>, form: OutputForm = .auto,
    with symbols: [String] = [Fixtures.storyBundle], hasLinks: Bool = false,
    change: (inout SymbolicationOptions) -> Void = { _ in }
  ) -> [UInt8] {
    var options = SymbolicationOptions()
    change(&options)
    var job = ReportJob(symbolPaths: symbols, options: options, form: form)
    job.steps.look.isTerminal = true
    job.steps.look.hasColors = true
    job.steps.look.hasLinks = hasLinks
    let result = job.symbolicate(Array(text), shownPath: "report")
    expectTrue(result.isPainted)
    return result.output
  }

  private func texts(_ style: String, in bytes: [UInt8]) -> [String] {
    PaintedText.parts(bytes).filter { $0.style == style }.map(\.text)
  }

  /// The frames of the example: which are the app's is in its list of images.
  @Test func story() throws {
    let output = painted(try JsonFixture.story)
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle])
    expectEqual(
      PaintedText.plain(output), job.symbolicate(try JsonFixture.story, shownPath: "report").output)
    // The headline names GameData.swift:18.
    let marked = texts("1;31", in: output).suffix(2)
    expectEqual(marked.first, "Thread 0 Crashed:")
    expectPrefix(try require(marked.last), "1 ")
    expectContains(try require(marked.last), "0x00000001002474e0")
    let bold = texts("1", in: output)
    expectEqual(
      Array(bold.prefix(3)),
      [
        "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
        "one-time initialization function for rounds", "GameData.rounds.unsafeMutableAddressor",
      ])
    expectEqual(bold.count, 7)
    expectContains(texts("35", in: output), "GameViewController.swift:51")
    expectContains(texts("35", in: output), "GameData.swift:18")
    let faint = texts("2", in: output)
    #expect(faint.count { $0.contains("libdispatch.dylib") || $0.contains("UIKitCore") } >= 4)
    expectFalse(faint.contains { $0.contains("Letter Shuffle") })
  }

  /// JSON is shown as Apple's text, whose frames are the same.
  @Test func json() {
    let output = painted(JsonFixture.ips.utf8)
    let text = PaintedText.plain(String(decoding: output, as: UTF8.self))
    expectContains(text, "Thread 0 Crashed:")
    expectFalse(text.contains("\"threads\""))
    expectEqual(texts("1", in: output).count, 7)
    expectEqual(texts("1;31", in: output).count { $0.contains("0x1002474e0") }, 1)
    // Whoever asks for JSON gets it.
    var job = ReportJob(symbolPaths: [], form: .ips)
    job.steps.look.isTerminal = true
    job.steps.look.hasColors = true
    let asked = job.symbolicate(Array(JsonFixture.ips.utf8), shownPath: "report")
    expectEqual(asked.output, Array(JsonFixture.ips.utf8))
    expectFalse(asked.isPainted)
  }

  /// Sequences of the report itself do not act, wherever they are.
  @Test func hostileReports() {
    let evil = "\u{1b}[2J\u{1b}]8;;http://x\u{1b}\\\u{9b}1A"
    let frames = [
      ReportFixture.line(0, 0x1_0024_5798, "f\(evil) + 1 (a\(evil).swift:3)"),
      ReportFixture.line(1, 0x1_8000_1000, image: "lib\(evil)", "g + 1"),
    ]
    let report = ReportFixture.report(frames: frames) + evil
    let output = painted(report.utf8, with: [], hasLinks: true)
    let rest = PaintedText.plain(String(decoding: output, as: UTF8.self))
    expectFalse(rest.unicodeScalars.contains { $0.value == 0x1b || $0.value == 0x9b })
    expectContains(rest, "\u{fffd}[2J\u{fffd}]8;;http://x\u{fffd}\\\u{fffd}1A")
    expectEmpty(PaintedText.links(output))
  }

  /// A recursion comes through the place of the crash many times, and other threads may be there
  /// too: only the innermost frame of the crashed thread is marked.
  @Test func onlyOneFrameIsAccused() {
    let stack = (0..<3).map { ReportFixture.line($0, 0x1_0024_5798, "f + 1 (a.swift:3)") }
    let report = ReportFixture.report(frames: stack + ["", "Thread 1:"] + stack)
    let output = painted(report.utf8, with: [])
    expectEqual(
      texts("1;31", in: output).filter { $0.contains("0x0000000100245798") }.count, 1)
  }

  /// However many places a report states for one address, each frame costs a bounded search.
  @Test func manyPlacesAtOneAddress() {
    let frames = (0..<3000).map {
      ReportFixture.line($0, 0x1_0024_5798, "f\($0) + 1 (a\($0).swift:\($0 + 1))")
    }
    let output = painted(ReportFixture.report(frames: frames).utf8, with: [])
    expectEqual(texts("35", in: output).count, 3000)
    expectEqual(texts("1", in: output).count, 3000)
  }

  /// A place is a link if the file is on this machine, with the path from the symbol file.
  @Test func links() throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array("// source\n".utf8), to: "GameData.swift")
    let output = painted(try JsonFixture.story, hasLinks: true) { options in
      options.sourcePaths = SourcePathRules(
        mappings: [PathMapping("/Users/builder/Letter Shuffle=\(directory.path)")]
          .compactMap(\.self))
    }
    let links = PaintedText.links(output)
    expectTrue(Set(links.map(\.text)).allSatisfy { $0.contains("GameData.swift:") })
    expectEqual(links.count, 2)
    expectTrue(links.allSatisfy { $0.address.hasSuffix("\(directory.path)/GameData.swift") })
  }

  /// Text in UTF-16 would be unreadable.
  @Test func utf16() throws {
    let text = String(decoding: try JsonFixture.story, as: UTF8.self)
    var bytes: [UInt8] = [0xff, 0xfe]
    for unit in text.utf16 { bytes += [UInt8(unit & 0xff), UInt8(unit >> 8)] }
    let output = painted(bytes)
    expectEqual(texts("1", in: output).count, 7)
    expectFalse(output.contains(0))
  }

  @Test func binaryInputIsWithheld() {
    var job = ReportJob(symbolPaths: [])
    job.steps.look.isTerminal = true
    let bytes: [UInt8] = [0xca, 0xfe, 0xd0, 0x0d, 0, 1, 2, 3]
    let result = job.symbolicate(bytes, shownPath: "core")
    expectEmpty(result.output)
    expectFalse(result.holdsReport)
    expectEqual(
      result.problems,
      [
        "core has no crash report: expected 'Thread N:' with frames, or 'Binary Images:'; it is binary, so it is not copied to the terminal: give -o FILE, or a pipe"
      ])
    // Text is passed through, and a pipe gets everything.
    expectEqual(
      job.symbolicate(Array("hello\n".utf8), shownPath: "x").output, Array("hello\n".utf8))
    job.steps.look = .plain
    expectEqual(job.symbolicate(bytes, shownPath: "core").output, bytes)
  }
}
