import FileSystem
import ReportSymbolication
import SymbolicationModel

/// Says what became of the reports of a run, one after the other, and collects the exit status.
struct ReportTally {
  private let places: SymbolPlaces
  private let isStrict: Bool
  private let reportCount: Int
  private var statuses: Set<ExitStatus> = []
  /// A problem is reported once, under the first report that meets it.
  private var printedProblems: Set<String> = []
  private var unfitFiles: [String: (note: ReportJob.UnfitNote, count: Int)] = [:]
  private var unfitOrder: [String] = []
  private var readCount = 0

  init(places: SymbolPlaces, isStrict: Bool, reportCount: Int) {
    self.places = places
    self.isStrict = isStrict
    self.reportCount = reportCount
  }

  /// A report that cannot be read.
  mutating func addUnreadable(_ message: String) {
    Diagnostics.print(message)
    statuses.insert(.unreadableInput)
  }

  /// - Parameters:
  ///   - path: `-` for standard input.
  ///   - shownPath: what to call it.
  ///   - writeError: why its result could not be written.
  mutating func add(
    _ result: ReportJob.Result, path: String, shownPath: String, writeError: FileWriteError?
  ) {
    readCount += 1
    if let writeError {
      Diagnostics.print(writeError)
      statuses.insert(ExitStatus(writeError))
    }
    if reportCount > 1 { Diagnostics.note("\(shownPath):") }
    for problem in result.problems where printedProblems.insert(problem).inserted {
      Diagnostics.print(problem)
    }
    for note in result.notes { Diagnostics.note(note) }
    if result.missesSymbols, path != "-" {
      Diagnostics.note(ReportDiagnosis.pointer(report: path, places: places))
    }
    for note in result.unfitFiles {
      if unfitFiles[note.path] == nil { unfitOrder.append(note.path) }
      let known = unfitFiles[note.path]
      let worse = known.map { $0.note.isOtherBuild ? $0.note : note } ?? note
      unfitFiles[note.path] = (worse, (known?.count ?? 0) + 1)
    }
    if result.hasUnreadableSymbolFile { statuses.insert(.unreadableInput) }
    if !result.hasReport { statuses.insert(.noReport) }
    if isStrict, !result.isComplete { statuses.insert(.unresolved) }
  }

  /// The exit status, after the messages about all reports together.
  mutating func end() -> ExitStatus {
    // A file that matches one of the reports is fine, so only files that match none are reported.
    for path in unfitOrder {
      guard let (note, count) = unfitFiles[path], count == readCount else { continue }
      Diagnostics.note(note.message)
      if note.isOtherBuild { statuses.insert(.unfitSymbolFile) }
    }
    return .combined(statuses)
  }
}
