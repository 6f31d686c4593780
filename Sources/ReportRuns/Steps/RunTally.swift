import CrashLogParser
import ReportRendering
package import ReportSymbolication
import SymbolicationModel
package import Wording

/// What became of the inputs of a run over several reports or directories, counted.
///
/// Memory: a few names, and an entry for each image without symbols; nothing for each input.
package struct RunTally {
  /// How many names are listed of files that hold no report or cannot be read.
  static let namesShown = 5

  /// Inputs that something is to be said about.
  package struct Files {
    package private(set) var count = 0
    /// The first of them.
    private(set) var names: [String] = []

    mutating func add(_ name: String) {
      count += 1
      if names.count < RunTally.namesShown { names.append(name) }
    }
  }

  private(set) var inputCount = 0
  private(set) var reportCount = 0
  /// How many reports each format has.
  private(set) var formats: [ReportFormat: Int] = [:]
  private(set) var counts = FrameCounts()
  private(set) var missing = WantedSymbolsCount()
  private(set) var withoutReport = Files()
  private(set) var unreadable = Files()
  /// Reports that are cut, damaged or larger than a limit, and so were symbolicated in part.
  private(set) var damaged = Files()
  /// Reports that cannot be written in the output form.
  private(set) var unconverted = Files()
  private(set) var symbolFileCount = 0
  private(set) var archiveCount = 0
  private(set) var skippedCount = 0
  private(set) var bundleCount = 0
  private(set) var specialFileCount = 0

  /// - Parameters:
  ///   - inputs: what the run reads.
  ///   - skippedCount: how many inputs are not read because their results exist.
  package init(_ inputs: ReportInputs, skippedCount: Int = 0) {
    bundleCount = inputs.bundleCount
    specialFileCount = inputs.specialFileCount
    symbolFileCount = inputs.symbolFileCount
    self.skippedCount = skippedCount
  }

  /// An input with reports.
  ///
  /// - Parameter isConverted: whether it could be written in the output form.
  package mutating func add(_ tally: InputTally, of name: String, isConverted: Bool = true) {
    if tally.isDamaged { damaged.add(name) }
    if !isConverted { unconverted.add(name) }
    count(tally)
  }

  /// An input with reports, whose damage was reported already.
  package mutating func count(_ tally: InputTally) {
    inputCount += 1
    reportCount += tally.formats.count
    for format in tally.formats { formats[format.kind, default: 0] += 1 }
    counts += tally.counts
    missing.add(tally.missing)
  }

  package mutating func addFileWithoutReport(_ name: String) { withoutReport.add(name) }
  package mutating func addUnreadable(_ name: String) { unreadable.add(name) }
  package mutating func add(_ other: ReportInput.Other) {
    switch other {
    case .symbolFile: symbolFileCount += 1
    case .archive: archiveCount += 1
    }
  }

  /// Whether an image that is not the operating system's has no symbol file.
  package var missesSymbols: Bool { missing.hasImages(ofSystem: false) }

  /// Whether there was a report, or the result of one.
  package var hasReports: Bool { inputCount + skippedCount > 0 }
}

extension ReportFormat {
  /// The format without its details.
  fileprivate var kind: ReportFormat {
    self == .crashTextWithJsonHeader ? .crashText : withoutDetail
  }
}

extension RunTally {
  /// The lines at the end of a run over several reports or directories.
  ///
  /// - Parameter searched: the directories and archives that were searched for symbols.
  package func messages(searched: [String] = []) -> [Message] {
    [reportText, frameText].compactMap { $0.map { .plain($0) } } + fileMessages
      + missing.messages(
        remedy: searched.isEmpty
          ? "give their dSYMs or ELF files with -d"
          : "not found in \(searched.shownDirectories)")
  }

  private var reportText: String? {
    guard reportCount > 0 else { return "no report was symbolicated" }
    let kinds = formats.map { (name: $0.shortName, count: $1) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
      .map { "\($0.count) \($0.name)" }.joined(separator: ", ")
    let files = reportCount == inputCount ? "" : " in \(counted(inputCount, "file"))"
    return "\(counted(reportCount, "report"))\(files): \(kinds)"
  }

  private var frameText: String? {
    guard reportCount > 0 else { return nil }
    return counts.frames == 0
      ? "no stack frames to resolve" : counts.text
  }

  private var fileMessages: [Message] {
    var messages: [Message] = []
    if skippedCount > 0 {
      messages.append(
        .plain("\(counted(skippedCount, "report")) skipped, because the results exist"))
    }
    let verb = withoutReport.count == 1 ? "holds" : "hold"
    messages += [
      damaged.text("damaged, cut or larger than a limit, so read in part").map { .warning($0) },
      unconverted.text("cannot be written in this format").map { .error($0) },
      withoutReport.text("\(verb) no report").map { .note($0) },
      unreadable.text("cannot be read").map { .error($0) },
    ].compactMap(\.self)
    let left = [
      symbolFileCount > 0 ? counted(symbolFileCount, "symbol file") : nil,
      archiveCount > 0
        ? "\(counted(archiveCount, "archive")) (give \(archiveCount == 1 ? "its name" : "their names") to read reports in \(archiveCount == 1 ? "it" : "them"))"
        : nil,
      bundleCount > 0 ? counted(bundleCount, "bundle") : nil,
      specialFileCount > 0
        ? (specialFileCount == 1 ? "1 pipe or device" : "\(specialFileCount) pipes and devices")
        : nil,
    ].compactMap(\.self)
    if !left.isEmpty { messages.append(.note("not read: \(left.joined(separator: ", "))")) }
    return messages
  }
}

extension RunTally.Files {
  /// `5 files cannot be read: a.txt, b/c.log and 3 more`; nil if there are none.
  fileprivate func text(_ predicate: String) -> String? {
    guard count > 0 else { return nil }
    let rest = count - names.count
    let shown = names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    return "\(counted(count, "file")) \(predicate): \(shown)"
  }
}

/// How far a run over many reports is, in words: `1234 of 20000 reports, 350 a second, 54 s left`.
package struct RunProgressText: Hashable, Sendable {
  let done: Int
  let total: Int
  let nanoseconds: UInt64

  /// - Parameter nanoseconds: since the run began.
  package init(done: Int, total: Int, nanoseconds: UInt64) {
    self.done = done
    self.total = total
    self.nanoseconds = nanoseconds
  }

  package var text: String {
    let counts = "\(done) of \(total) reports"
    let seconds = Double(nanoseconds) / 1e9
    guard done > 0, seconds > 0 else { return counts }
    let rate = Double(done) / seconds
    let left = Double(max(total - done, 0)) / rate
    return "\(counts), \(Self.shown(rate: rate)) a second, \(Self.shown(seconds: left)) left"
  }

  /// Slow runs have tenths.
  private static func shown(rate: Double) -> String {
    guard rate < 10 else { return String(Int(rate.rounded())) }
    let tenths = Int((rate * 10).rounded())
    return "\(tenths / 10).\(tenths % 10)"
  }

  /// `54 s`, `3 min`, `2 h 5 min`.
  private static func shown(seconds: Double) -> String {
    let seconds = seconds < 1e9 ? Int(seconds.rounded(.up)) : 1_000_000_000
    if seconds < 100 { return "\(seconds) s" }
    let minutes = (seconds + 59) / 60
    return minutes < 60 ? "\(minutes) min" : "\(minutes / 60) h \(minutes % 60) min"
  }
}
