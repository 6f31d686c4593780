import JsonReading
public import ReportModel

extension ReportFormat {
  /// A crash report as text, from Apple's ReportCrash and its successors, Xcode's Organizer,
  /// TestFlight, PLCrashReporter or KSCrash.
  public static let crashText = ReportFormat(
    .appleText("crashText", "crash text", noThreads))
  /// A crash report as text below one line of JSON: `.ips` files of iOS 9 to 14.
  public static let crashTextWithJsonHeader = ReportFormat(
    .appleText("crashTextWithJsonHeader", "crash text", noThreads))
  /// What `leaks` prints: the stacks on which memory was allocated that is in use no more. Its
  /// frames are written with the outermost first.
  public static let leaks = ReportFormat(
    .appleText("leaks", "leaks", "looks like a report of leaks, but has no stack that can be read"))
  /// Only frame lines, with `LOAD + offset`.
  public static let frameFragment = ReportFormat(
    .appleText(
      "frameFragment", "frame lines",
      "has lines that look like stack frames, but none of them can be read"))

  private static let noThreads =
    "looks like a crash report, but has no thread and no binary image that can be read"
}

extension FormatTraits {
  fileprivate static func appleText(
    _ name: String, _ shortName: String, _ sentence: String
  ) -> FormatTraits {
    FormatTraits(
      schemaName: name, shortName: shortName, unreadable: { _ in sentence }, family: "crashText",
      [.isReport, .hasStacks, .mayHoldText, .mayBeWrapped, .hasPlaceForSourceLines],
      appleText: .original, frames: .appleText)
  }
}

// Reports in Apple's text format. Apple's writers share its grammar (ReportCrash, OSAnalytics'
// translated reports, Xcode's Organizer, TestFlight), and PLCrashReporter and KSCrash imitate it:
// `Key: value` lines, threads with one line for each frame, registers, and a list of binary images.
//
// `AppleTextReader` walks the lines and finds where each report begins and ends.
// `TextReportBuilder` keeps track of the section and collects the parts of one report.
// `TextSource+…Line` each read one kind of line.

/// Reads reports in Apple's text format.
package struct AppleTextReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] {
    [.crashText, .crashTextWithJsonHeader, .leaks, .frameFragment]
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat.mayHoldText || !input.claimedRanges.isEmpty else { return [] }
    var walk = TextReportWalk(
      source: input.source, claimedRanges: input.claimedRanges, signs: input.signs,
      allowance: input.allowance)
    return walk.reports()
  }
}

/// Walks the lines of an input and cuts them into reports.
private struct TextReportWalk {
  let source: TextSource
  let signs: FormatSigns
  let allowance: ReportAllowance
  var claimedRanges: ArraySlice<Range<Int>>
  private var found: [Report] = []
  private var builder: TextReportBuilder?
  private var fragments: FragmentFinder

  init(
    source: TextSource, claimedRanges: [Range<Int>], signs: FormatSigns, allowance: ReportAllowance
  ) {
    self.source = source
    self.signs = signs
    fragments = FragmentFinder(signs)
    self.allowance = allowance
    self.claimedRanges = claimedRanges[...]
  }

  mutating func reports() -> [Report] {
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      if let first = claimedRanges.first, line.next > first.lowerBound {
        finishReport()
        // A line of JSON may hold any number of reports; its end is looked for once.
        while let range = claimedRanges.first, line.next > range.lowerBound {
          claimedRanges.removeFirst()
          next = max(next, range.upperBound)
        }
        continue
      }
      if builder != nil, builder?.isFollowedByReport(at: line) == true { finishReport() }
      if builder == nil {
        guard let start = source.reportStart(line, fragments: &fragments) else {
          next = line.next
          continue
        }
        builder = TextReportBuilder(
          source: source, start: line, kind: start, signs: signs, allowance: allowance)
      }
      next = builder?.consume(line) ?? line.next
      if builder?.isClosed == true { finishReport() }
    }
    finishReport(limit: source.count)
    return withoutRemains()
  }

  /// The reports without what is left of one above them that was cut: frames that start the program
  /// say nothing, and would be taken for the crash.
  private func withoutRemains() -> [Report] {
    guard found.count > 1, let first = found.first, first.format == .frameFragment,
      found[1].backtraces.contains(where: { !$0.frames.isEmpty }),
      first.backtraces.allSatisfy({ backtrace in
        backtrace.frames.count <= 2
          && backtrace.frames.allSatisfy { frame in
            frame.index ?? 0 > 1
              && ["libdyld.dylib", "dyld"].contains(frame.imageName)
          }
      })
    else { return found }
    return Array(found.dropFirst())
  }

  /// - Parameter limit: where the text below the report ends; nil if another report follows.
  private mutating func finishReport(limit: Int? = nil) {
    defer { builder = nil }
    guard let builder, found.last.map({ builder.isQuoted(from: $0) }) != true,
      let report = builder.finish(limit: limit ?? builder.end)
    else { return }
    found.append(report)
  }
}
