import CrashLogParser
package import ReportRuns
import ReportSymbolication
import SymbolicationModel
import Wording

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
  package var problems: [String] = []
  /// Lines that this program did not write.
  package var damagedLines = DamagedLines()

  package init(by criterion: GroupCriterion) { table = GroupTable(by: criterion) }

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
      for report in reports.elements {
        table.add(ReportOutline(report, input: input, path: path))
      }
      return reports.kind == .array
    }
    guard root["format"] != nil else {
      // The record of an input without a report.
      guard root["error"] != nil else { return false }
      withoutReport += 1
      return true
    }
    table.add(ReportOutline(root, input: input, path: path))
    return true
  }
}

extension GroupTable {
  /// Adds a line of `symbolicate group --format ndjson`.
  package mutating func merge(partial line: [UInt8]) -> PartialGroup.Failure? {
    do throws(PartialGroup.Failure) {
      let group = try PartialGroup(line, by: criterion).group
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
    var grouped = GroupedReports(by: criterion)
    switch consume input {
    case .noReport(_, _, let problems):
      grouped.hasNoReport = true
      grouped.problems = problems.map(\.message)
    case .report(let input):
      let symbolicated = SymbolicatedInput(consume input, givenFiles: givenFiles, options)
      let outcome = symbolicated.outcome
      grouped.problems =
        outcome.symbolFileProblems.map(\.message) + outcome.searchProblems.map(\.message)
        + outcome.serverProblems.map(\.message)
      for report in symbolicated.shownReports {
        grouped.table.add(ReportOutline(report, path: shownPath, options))
        if report.missingImages.contains(where: { !$0.image.belongsToSystem }) {
          grouped.incompleteCount += 1
        }
      }
    }
    grouped.problems = grouped.problems.map(\.withoutControlCharacters)
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
