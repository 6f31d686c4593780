import CrashLogParser
package import ReportSymbolication

/// What became of the inputs of a run over several reports or directories, counted.
/// `RunTallyMessages` puts it into words.
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
  private(set) var skippedCount = 0
  private(set) var bundleCount = 0
  private(set) var specialFileCount = 0

  /// - Parameters:
  ///   - inputs: what the run reads.
  ///   - skippedCount: how many inputs are not read because their results exist.
  package init(_ inputs: ReportInputs, skippedCount: Int = 0) {
    bundleCount = inputs.bundleCount
    specialFileCount = inputs.specialFileCount
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
  package mutating func addSymbolFile() { symbolFileCount += 1 }

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
