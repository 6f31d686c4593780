import Wording

/// What `symbolicate group` says: a sentence each.
package enum GroupMessages {
  /// `8 reports in 3 groups; 2 files hold no report`
  package static func tally(reports: Int, groups: Int, withoutReport: Int) -> String {
    let reportText = reports == 1 ? "1 report" : "\(reports) reports"
    let groupText = groups == 1 ? "1 group" : "\(groups) groups"
    let rest =
      switch withoutReport {
      case 0: ""
      case 1: "; 1 file holds no report"
      default: "; \(withoutReport) files hold no report"
      }
    return "\(reportText) in \(groupText)\(rest)"
  }

  package static func incomplete(_ count: Int) -> String {
    let subject = count == 1 ? "1 report has" : "\(count) reports have"
    return
      "\(subject) frames of the app without symbols: offsets in a signature differ between builds; give their symbols with -d or -s"
  }

  /// Groups whose sample report has no page.
  package static func withoutPage(_ count: Int) -> String {
    let subject = count == 1 ? "1 group has" : "\(count) groups have"
    return
      "\(subject) no page of a report: the report that stands for the group is no file that can be read from here"
  }

  /// Nothing at all was counted.
  package static let noReports = "no report found; give crash reports, or directories of them"

  package static func noReport(_ path: String) -> String { "no report found in \(path)" }

  package static func notAReportLine(_ path: String, line: Int, _ text: [UInt8]) -> String {
    "\(path):\(line): expected a line of 'symbolicate --format ndjson', found '\(start(text))'"
  }

  package static func moreDamagedLines(_ path: String, count: Int) -> String {
    "\(path): \(count) lines in all are not lines of 'symbolicate --format ndjson'"
  }

  package static func moreUnmergedLines(_ path: String, count: Int) -> String {
    "\(path): \(count) lines in all cannot be merged"
  }

  package static func notAGroupLine(
    _ path: String, line: Int, _ text: [UInt8], _ failure: PartialGroup.Failure,
    criterion: GroupCriterion
  ) -> String {
    switch failure {
    case .notAGroup:
      "\(path):\(line): expected a line of 'symbolicate group --format ndjson', found '\(start(text))'"
    case .otherCriterion(let other):
      "\(path):\(line): this group is made by \(other.rawValue), and those before it by \(criterion.rawValue); merge groups made with the same --by"
    case .tooManyReports:
      "\(path):\(line): with this group there would be more than \(PartialGroup.largestCount) reports, so a count is wrong; the group is left out"
    }
  }

  package static func partialResult(_ path: String) -> String {
    "\(path) has groups, not reports; merge it with 'symbolicate group --merge'"
  }

  private static func start(_ text: [UInt8]) -> String {
    shortened(String(decoding: text.prefix(200), as: UTF8.self), to: 60)
  }
}
