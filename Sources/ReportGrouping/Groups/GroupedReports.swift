import CrashLogParser
package import ReportRuns
import ReportSymbolication
package import SymbolicationModel
package import Wording

/// What one input adds to the groups, and what is to be said about it.
package struct GroupedReports: Sendable {
  package var table: GroupTable
  /// Whether it holds no report.
  package var hasNoReport = false
  /// How many inputs of an earlier run held none.
  package private(set) var withoutReport = 0
  /// How many reports have frames of the app without symbols.
  package var incompleteCount = 0
  /// What is wrong with symbol files, a sentence each.
  package var problems: [Message] = []
  /// Lines that this program did not write.
  package var damagedLines = DamagedLines()

  /// How many reports have a signature that was made by other rules.
  package private(set) var otherSignatureCount = 0

  package init(by criterion: GroupCriterion, _ version: SignatureVersion = .current) {
    table = GroupTable(by: criterion, version)
  }

  /// Adds a line of `--format ndjson` or of a worker, or a document of `--format json`, that this
  /// program wrote earlier.
  ///
  /// - Parameter path: what to call the input that the line is from.
  /// - Returns: false if it is neither.
  package mutating func add(written line: [UInt8], path: String) -> Bool {
    guard let root = JsonDocument.root(ofWholeLine: line) else { return false }
    if root["ok"]?.boolean == false, root["error"] != nil {
      withoutReport += 1
      return true
    }
    guard root["schema"]?.string?.hasPrefix("symbolicate-") == true
    else { return false }
    // A worker knows the input by the identifier of its record alone.
    let input = (root["ok"] == nil ? nil : root["id"]?.string) ?? root["input"]?.string
    if let reports = root["reports"] {
      for report in reports.elements { add(report, input: input, path: path) }
      return reports.kind == .array
    }
    guard root["format"] != nil else {
      // The record of an input without a report.
      guard root["error"] != nil else { return false }
      withoutReport += 1
      return true
    }
    add(root, input: input, path: path)
    return true
  }

  private mutating func add(_ report: JsonValue, input: String?, path: String) {
    let outline = ReportOutline(report, input: input, path: path, table.signatureVersion)
    if outline.hasOtherSignature, table.criterion == .signature { otherSignatureCount += 1 }
    table.add(outline)
  }
}

extension GroupTable {
  /// Adds a line of `symbolicate group --format ndjson`.
  package mutating func merge(partial line: [UInt8]) -> PartialGroup.Failure? {
    do throws(PartialGroup.Failure) {
      let group = try PartialGroup(line, for: self).group
      guard reportCount.saturatingSum(group.count) <= PartialGroup.largestCount else {
        return .tooManyReports
      }
      merge(group)
      return nil
    } catch {
      return error
    }
  }
}

extension ReportSteps {
  /// What an input adds to the groups.
  package func grouped(
    _ input: consuming Resolved, by criterion: GroupCriterion, shownPath: String
  ) -> GroupedReports {
    var grouped = GroupedReports(by: criterion, options.signatureVersion)
    switch consume input {
    case .noReport(_, _, let problems):
      grouped.hasNoReport = true
      grouped.problems = problems.map { .error($0.message) }
    case .report(let input):
      let symbolicated = SymbolicatedInput(consume input, givenFiles: givenFiles, options)
      let outcome = symbolicated.outcome
      grouped.problems =
        (outcome.symbolFileProblems + outcome.searchProblems).map {
          $0.searchMessage(named: places.paths)
        }
        + outcome.serverProblems.map { .warning($0.message) }
      for report in symbolicated.shownReports {
        grouped.table.add(ReportOutline(report, path: shownPath, options))
        if report.missingImages.contains(where: { !$0.image.belongsToSystem }) {
          grouped.incompleteCount += 1
        }
      }
    }
    return grouped
  }
}

extension GroupedReports {
  /// How inputs begin that this program wrote: lines of reports, or of groups.
  package enum Written {
    case reports
    case reportDocument
    case groups

    /// How many bytes are looked at.
    package static let startSize = 1024

    /// - Parameter start: the first bytes of an input; nil if another program wrote it.
    package init?(start: [UInt8]) {
      let text = start.prefix(Self.startSize)
      if text.starts(with: #"{"schema":"symbolicate-group""#.utf8) {
        self = .groups
      } else if text.starts(with: #"{"schema":"symbolicate-"#.utf8) {
        self = .reports
      } else if text.starts(with: "{\n  \"schema\": \"symbolicate-report\"".utf8) {
        self = .reportDocument
      } else if text.starts(with: #"{"id":"#.utf8), Self.hasWorkerMember(text) {
        self = .reports
      } else {
        return nil
      }
    }

    /// Whether an answer of a worker says that there is a result or an error.
    private static func hasWorkerMember(_ text: ArraySlice<UInt8>) -> Bool {
      let line = String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
      return line.contains(#","ok":true,"schema":"symbolicate-"#)
        || line.contains(#","ok":false,"error":{"#)
    }
  }
}

/// The lines of an input that cannot be read: a sentence each for the first of them, and how many
/// there are. All sentences would fill the memory and the screen if a large file is not NDJSON.
package struct DamagedLines: Sendable {
  package private(set) var sentences: [String] = []
  package private(set) var count = 0

  private static let limit = 10

  package init() {}

  package mutating func note(_ sentence: String) {
    count += 1
    if sentences.count < Self.limit { sentences.append(sentence) }
  }

  /// Whether there are lines without a sentence.
  package var hasMore: Bool { count > sentences.count }
}

/// What `symbolicate group` says: a sentence each.
package enum GroupMessages {
  /// `8 reports in 3 groups; 2 files hold no report`
  package static func tally(reports: Int, groups: Int, withoutReport: Int) -> String {
    let rest =
      switch withoutReport {
      case 0: ""
      case 1: "; 1 file holds no report"
      default: "; \(withoutReport) files hold no report"
      }
    return "\(counted(reports, "report")) in \(counted(groups, "group"))\(rest)"
  }

  package static func incomplete(_ count: Int) -> String {
    let subject = count == 1 ? "1 report has" : "\(count) reports have"
    return
      "\(subject) frames of the app without symbols: offsets in a signature differ between builds; give their symbols with -d or -s"
  }

  /// Reports whose signatures were made by other rules.
  package static func otherSignatures(_ count: Int, _ version: SignatureVersion) -> String {
    let subject = count == 1 ? "1 report has a signature" : "\(count) reports have signatures"
    return
      "\(subject) of another version than \(version.rawValue), and count as reports without one; symbolicate the reports again, or use --signature-version"
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
    case .otherVersion(let other):
      "\(path):\(line): this group has a signature of version \(other.rawValue), and those before it of another one; merge groups made with the same --signature-version"
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
