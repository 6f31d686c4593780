import CrashLogParser
import ReportRuns
import SymbolicationModel
import TestSupport
import Testing
import Wording

@testable import ReportSymbolication

/// The lines at the end of a run over directories.
@Suite struct RunTallyMessageTests {
  private func tally(_ formats: [ReportFormat], resolved: Int = 0, named: Int = 0) -> InputTally {
    var tally = InputTally()
    tally.formats = formats
    tally.counts.resolved = resolved
    tally.counts.named = named
    tally.counts.unresolved = 2
    return tally
  }

  private func wanted(_ name: String, _ byte: UInt8, frames: Int, system: Bool = false)
    -> WantedSymbols
  {
    WantedSymbols(
      image: WantedSymbols.Image(
        name: name, identity: ImageIdentity(bytes: [UInt8](repeating: byte, count: 16)),
        architecture: .arm64, isOfSystem: system), frameCount: frames)
  }

  private func texts(_ run: RunTally) -> [String] { run.messages().map(\.text) }

  private func emptyTally() -> RunTally { RunTally(ReportInputs(InputPaths(["-"]))) }

  @Test func nothing() { expectEqual(texts(emptyTally()), ["no report was symbolicated"]) }

  @Test func countsKindsAndFrames() {
    var run = emptyTally()
    run.add(tally([.crashText], resolved: 3), of: "a")
    run.add(tally([.ipsCrash, .crashText], resolved: 1, named: 4), of: "b")
    expectEqual(
      texts(run),
      [
        "3 reports in 2 files: 2 crash text, 1 .ips",
        "8 of 12 frames resolved (4 already had names)",
      ])
  }

  @Test func namesTheFirstFiles() {
    var run = emptyTally()
    for number in 1...7 { run.addFileWithoutReport("\(number).txt") }
    run.addUnreadable("x.crash")
    run.add(.symbolFile)
    var damaged = tally([.crashText])
    damaged.isDamaged = true
    run.add(damaged, of: "cut.crash")
    run.add(tally([.crashText]), of: "text.crash", isConverted: false)
    expectEqual(
      texts(run).dropFirst(2),
      [
        "1 file damaged, cut or larger than a limit, so read in part: cut.crash",
        "1 file cannot be written in this format: text.crash",
        "7 files hold no report: 1.txt, 2.txt, 3.txt, 4.txt, 5.txt and 2 more",
        "1 file cannot be read: x.crash", "not read: 1 symbol file",
      ])
  }

  @Test func listsTheMostWantedSymbolsFirst() {
    var run = emptyTally()
    var first = tally([.crashText])
    first.missing = [wanted("Kit", 2, frames: 1), wanted("App", 1, frames: 5)]
    var second = tally([.crashText])
    second.missing = [wanted("App", 1, frames: 2), wanted("dyld", 9, frames: 3, system: true)]
    run.add(first, of: "a")
    run.add(second, of: "b")
    expectEqual(
      texts(run).dropFirst(2),
      [
        "no symbols for 2 images; give their dSYMs or ELF files with -d:",
        "  UUID 01010101-0101-0101-0101-010101010101 (arm64) App: 2 reports, 7 frames",
        "  UUID 02020202-0202-0202-0202-020202020202 (arm64) Kit: 1 report, 1 frame",
        "no symbols for 1 system library: this is normal, because an app's dSYMs do not have them",
      ])
  }

  @Test func listsTwentyImages() {
    var run = emptyTally()
    var input = tally([.crashText])
    input.missing = (1...25).map { wanted("App", $0, frames: 1) }
    run.add(input, of: "a")
    let messages = texts(run).dropFirst(2)
    expectEqual(messages.count, 22)
    expectEqual(messages.last, "  and 5 more")
  }

  @Test(arguments: [
    (0, 10, 1.0, "0 of 10 reports"),
    (50, 20_000, 0.5, "50 of 20000 reports, 100 a second, 4 min left"),
    (3, 5, 2.0, "3 of 5 reports, 1.5 a second, 2 s left"),
    (1, 10_000, 1.0, "1 of 10000 reports, 1.0 a second, 2 h 47 min left"),
    (5, 5, 1.0, "5 of 5 reports, 5.0 a second, 0 s left"),
  ])
  func progress(done: Int, total: Int, seconds: Double, text: String) {
    let progress = RunProgressText(
      done: done, total: total, nanoseconds: UInt64(seconds * 1_000_000_000))
    expectEqual(progress.text, text)
  }
}
