import ReportRuns
import ReportTestSupport
import TestSupport
import Testing

/// What standard error says about parts of a report that cannot be read.
struct ReportDamageTests {
  private func notes(of text: String, with symbols: [String] = []) -> [String] {
    ReportFixture.symbolicate(text, with: symbols).notes
  }

  @Test func namesTheLineOfAnUnreadableFrame() {
    let report = ReportFixture.report(frames: [
      ReportFixture.frame(0, 0x1_0024_F19C), "1   Letter Shuffle", "2   Letter Shuffle",
    ])
    expectTrue(
      notes(of: report).contains(
        "the report is damaged in line 8: a frame has no address or image name that can be read; 1 more part cannot be read either"
      ))
  }

  @Test func namesTheLineOfAWrappedReport() {
    let report = ReportFixture.report(frames: [
      ReportFixture.frame(0, 0x1_0024_F19C), "1   Letter Shuffle",
    ])
    let quoted = "Hello\n" + report.split(separator: "\n").map { "> \($0)\n" }.joined()
    expectTrue(
      notes(of: quoted).contains(
        "the report is damaged in line 8: a frame has no address or image name that can be read"))
  }

  @Test func saysNothingOfASoundReport() throws {
    let story = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    expectFalse(notes(of: story).contains { $0.contains("damaged") || $0.contains("wrapped") })
  }

  /// Frames whose names hide where they were broken.
  @Test func countsFramesThatStayBroken() {
    let name = String(repeating: "n", count: 50)
    let lines = (0..<3).map { ReportFixture.line($0, 0x1_0024_F19C, "\(name) + 12 (File.swift") }
    let broken = lines.map { "\($0.prefix(80))\n\($0.dropFirst(80)) and more:12" }
    let notes = notes(of: ReportFixture.report(frames: broken, images: []))
    expectTrue(
      notes.contains(
        "the lines of the report were wrapped at 80 columns: 3 frames are cut; get the report as a file"
      ))
    expectFalse(notes.contains { $0.contains("bad jump") })
  }

  /// The text was cut behind the number of the next frame.
  @Test func numberAtTheEndBreaksNothing() {
    let lines = (0..<3).map {
      ReportFixture.line($0, 0x1_0024_F19C, "-[Board turnTheTileThatIsLast] + \(12 + $0)")
    }
    let report = ReportFixture.report(frames: lines + ["3"], images: [])
    let cut = String(report[..<(report.firstRange(of: "\n3\n")?.upperBound ?? report.endIndex)])
    expectFalse(notes(of: cut).contains { $0.contains("wrapped") })
  }

  @Test func rtfStaysAsItIsIfAnAnswerWouldBreakIt() {
    let report = ReportFixture.report(frames: [ReportFixture.frame(0, 0x1_0024_F19C)])
    let plain =
      "{\\rtf1\\ansi{\\fonttbl\\f0 Menlo;}\\f0 "
      + report.replacing("\n", with: "\\\n") + "}"
    let result = ReportFixture.symbolicate(plain)
    expectTrue(result.hasReport)
    expectTrue(
      String(decoding: result.output, as: UTF8.self).contains(
        " GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) + 164 (<compiler-generated>:0)\\\n"
      ))
    for formatted in ["{\\b + }", "\\b  + "] {
      let bold = plain.replacing(" + 160156", with: formatted + "160156")
      let unchanged = ReportFixture.symbolicate(bold)
      expectEqual(unchanged.output, Array(bold.utf8))
      expectEqual(
        unchanged.problems,
        [
          "report has formatting inside the lines to complete, so it stays as it is; use --format crash, which writes the report as plain text"
        ])
    }
  }
}
