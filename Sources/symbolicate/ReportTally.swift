import FileSystem
import ReportSymbolication
import SymbolicationModel

/// Says what became of the reports of a run, one after the other, and collects the exit status. Of
/// directories only what went wrong is said at once, and the rest in a summary at the end.
struct ReportTally {
  private let places: SymbolPlaces
  private let isStrict: Bool
  private let inputCount: Int
  private let directories: [String]
  private let explains: Bool
  private var progress: RunProgress
  private var statuses: Set<ExitStatus> = []
  /// A problem is reported once, under the first report that meets it.
  private var printedProblems: Set<String> = []
  private var unfitFiles: [String: (note: ReportJob.UnfitNote, count: Int)] = [:]
  private var unfitOrder: [String] = []
  private var readCount = 0
  private var summary: RunTally

  /// - Parameters:
  ///   - remainingCount: the inputs that are read.
  ///   - explains: whether each report's frames are explained.
  init(
    places: SymbolPlaces, isStrict: Bool, reports: ReportInputs, remainingCount: Int,
    explains: Bool
  ) {
    self.places = places
    self.isStrict = isStrict
    self.inputCount = reports.inputs.count
    self.directories = reports.directories
    self.explains = explains
    summary = RunTally(reports, skippedCount: reports.inputs.count - remainingCount)
    progress = RunProgress(total: remainingCount, isShown: reports.isWalk)
    for problem in reports.problems {
      Diagnostics.print(InputMessages.unlistedFolder(problem))
      statuses.insert(.unreadableInput)
    }
  }

  /// A report that cannot be read.
  mutating func addUnreadable(
    _ message: String, input: ReportInput, writeError: FileWriteError?
  ) {
    note(writeError)
    if input.isWalked {
      summary.addUnreadable(input.path)
    } else {
      print(message)
    }
    statuses.insert(.unreadableInput)
    progress.advance()
  }

  /// A symbol file in a directory of reports.
  mutating func addSymbolFile() {
    summary.addSymbolFile()
    progress.advance()
  }

  /// - Parameter writeError: why its result could not be written.
  mutating func add(
    _ result: ReportJob.Result, input: ReportInput, writeError: FileWriteError?
  ) {
    readCount += 1
    note(writeError)
    input.isWalked ? addWalked(result, input) : addNamed(result, input)
    for note in result.unfitFiles {
      if unfitFiles[note.path] == nil { unfitOrder.append(note.path) }
      let known = unfitFiles[note.path]
      let worse = known.map { $0.note.isOtherBuild ? $0.note : note } ?? note
      unfitFiles[note.path] = (worse, (known?.count ?? 0) + 1)
    }
    if result.hasUnreadableSymbolFile { statuses.insert(.unreadableInput) }
    progress.advance()
  }

  private mutating func addNamed(_ result: ReportJob.Result, _ input: ReportInput) {
    let isSilent = result.problems.isEmpty && result.notes.isEmpty
    if inputCount > 1, !isSilent { Diagnostics.note("\(input.shownPath):") }
    for problem in result.problems where printedProblems.insert(problem).inserted {
      Diagnostics.print(problem)
    }
    for note in result.notes { Diagnostics.note(note) }
    if result.missesSymbols, !input.isStandardInput {
      Diagnostics.note(ReportDiagnosis.pointer(report: input.path, places: places))
    }
    if !result.hasReport { statuses.insert(.noReport) }
    if isStrict, !result.isComplete { statuses.insert(.unresolved) }
  }

  private mutating func addWalked(_ result: ReportJob.Result, _ input: ReportInput) {
    // What is wrong with an input is said by the summary.
    for problem in result.problems
    where problem != result.inputProblem && printedProblems.insert(problem).inserted {
      print(problem)
    }
    guard result.holdsReport else { return summary.addFileWithoutReport(input.path) }
    if explains {
      progress.clear()
      Diagnostics.note("\(input.shownPath):")
      for note in result.notes { Diagnostics.note(note) }
    }
    summary.add(result.tally, of: input.path, isConverted: result.outputKind == .result)
    // Nothing is wrong with a report that has no stacks, such as one of memory use.
    if result.outputKind != .result { statuses.insert(.noReport) }
    if isStrict, result.hasReport, !result.isComplete { statuses.insert(.unresolved) }
  }

  /// The exit status, after the messages about all reports together.
  mutating func end() -> ExitStatus {
    progress.clear()
    // A file that matches one of the reports is fine, so only files that match none are reported.
    for path in unfitOrder {
      guard let (note, count) = unfitFiles[path], count == readCount else { continue }
      Diagnostics.note(note.message)
      if note.isOtherBuild { statuses.insert(.unfitSymbolFile) }
    }
    if !directories.isEmpty {
      for message in summary.messages { Diagnostics.note(message) }
      if !summary.hasReports {
        Diagnostics.print(InputMessages.noReports(in: directories))
        statuses.insert(.noReport)
      }
    }
    return .combined(statuses)
  }

  private mutating func note(_ writeError: FileWriteError?) {
    guard let writeError else { return }
    progress.clear()
    Diagnostics.print(writeError)
    statuses.insert(ExitStatus(writeError))
  }

  private func print(_ message: String) {
    progress.clear()
    Diagnostics.print(message)
  }
}
