import ReportTestSupport
import TestSupport
import Testing

@testable import CrashReading

/// Weaker evidence never displaces stronger.
struct EvidenceRankTests {
  private typealias Report = TrapReportFixture

  @Test func rulesAreOrderedByRank() {
    let ranks = CauseRules.all.map(\.rank.rawValue)
    expectEqual(ranks, ranks.sorted())
    expectEqual(Set(ranks).count, EvidenceRank.allCases.count)
  }

  /// Evidence of each rank, as lines of a report.
  private enum Evidence: Int, CaseIterable {
    case statement, ending, frames, exception

    var head: String {
      switch self {
      case .statement: "Application Specific Information:\nFatal error: no letters left\n"
      case .ending: "Termination Reason: Namespace FRONTBOARD, Code 0x8badf00d"
      case .frames: ""
      case .exception: "Exception Subtype: KERN_INVALID_ADDRESS at 0x8"
      }
    }

    var kind: String {
      switch self {
      case .statement: "applicationMessage"
      case .ending: "watchdog"
      case .frames: "heapDamage"
      case .exception: "exceptionType"
      }
    }
  }

  /// Every pair of ranks: the stronger one is the reason.
  @Test(
    arguments: Evidence.allCases.flatMap { one in
      Evidence.allCases.filter { $0.rawValue > one.rawValue }.map { (one, $0) }
    })
  private func pairs(stronger: Evidence, weaker: Evidence) throws {
    let both = [stronger, weaker]
    let end = both.contains(.frames) ? ["abort", "malloc_report", "free"] : ["mach_msg"]
    let lines = end.enumerated().map { Report.system($0.offset, "\($0.element) + 8") }
    let head = ["Exception Type:  EXC_CRASH (SIGABRT)"] + both.map(\.head).filter { !$0.isEmpty }
    // What the app wrote ends at an empty line.
    let ordered =
      head.filter { !$0.hasPrefix("Application") } + head.filter { $0.hasPrefix("Application") }
    let found = try JsonFixture.report(
      Report.report(
        lines + [Report.stated(end.count, 0x1_0000_1000, "-[Board draw] + 12 (Board.m:7)")],
        head: ordered.joined(separator: "\n")), with: []
    ).crash
    expectEqual(found.kind, stronger.kind)
    expectEqual(found.confidence, "certain")
  }

  /// The exception, its address and registers prove nothing.
  @Test(
    arguments: [
      ("EXC_BAD_ACCESS (SIGSEGV)", "KERN_INVALID_ADDRESS at 0x5000000000"),
      ("EXC_BAD_ACCESS (SIGBUS)", "KERN_PROTECTION_FAILURE at 0x104f24000"),
      ("EXC_ARITHMETIC (SIGFPE)", "EXC_I386_DIV"), ("EXC_CRASH (SIGPIPE)", ""),
    ])
  func exceptionsAreNeverCertain(type: String, subtype: String) throws {
    let found = try JsonFixture.report(
      Report.report(
        [Report.stated(0, 0x1_0000_1000, "-[Board draw] + 12 (Board.m:7)")],
        head: "Exception Type:  \(type)\nException Subtype: \(subtype)"), with: []
    ).crash
    expectTrue(found.confidence == "likely" || found.confidence == "possible")
  }

  /// The system guesses from the address; a process for arm64 signs no pointers.
  @Test func contradictionsAreNamed() throws {
    let words =
      "KERN_INVALID_ADDRESS at 0x0070006d00690040 -> 0x0000006d00690040 (possible pointer authentication failure)"
    let found = try JsonFixture.report(
      Report.report(
        [Report.stated(0, 0x1_0000_1000, "-[Board draw] + 12 (Board.m:7)")],
        head:
          "Exception Type:  EXC_BAD_ACCESS (SIGSEGV)\nException Subtype: \(words)\nException Codes: 0x1, 0x0070006d00690040"
      ),
      with: []
    ).crash
    expectEqual(found.kind, "pointerIsText")
    expectEqual(found.reason?.contains("“@imp”"), true)
    expectEqual(found.contradicts.map(\.text), [words])
  }
}
