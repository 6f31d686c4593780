import FileSystem
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import SymbolTools
import Wording

/// Says what became of the reports of a run, one after the other, and collects the exit status. Of
/// several reports, only what is particular to one is said at once, and the rest in one tally at
/// the end.
struct ReportTally {
  private let places: SymbolPlaces
  private let strictness: Strictness
  private let directories: [String]
  private let archives: [String]
  /// Whether a directory or an archive cannot be read.
  private let hasProblems: Bool
  /// Whether the tally is at the end, and not below each report.
  private let isOfSeveral: Bool
  private var progress: RunProgress
  private var statuses: Set<ExitStatus> = []
  /// A problem is reported once, under the first report that meets it.
  private var printedProblems: Set<Message> = []
  private var unfitFiles: [String: (note: ReportJob.UnfitNote, count: Int)] = [:]
  private var unfitOrder: [String] = []
  private var readCount = 0
  private var summary: RunTally
  /// The first report whose symbols are missing.
  private var incompleteReport: String?
  /// What makes the run fail with `--strict`: frames, and the reports that they are in.
  private var violation = (frames: 0, reports: 0)

  /// - Parameter remainingCount: the inputs that are read.
  init(
    places: SymbolPlaces, strictness: Strictness, reports: ReportInputs, remainingCount: Int
  ) {
    self.places = places
    self.strictness = strictness
    self.directories = reports.directories
    self.archives = reports.archives
    isOfSeveral = reports.isWalk || reports.inputs.count > 1
    summary = RunTally(reports, skippedCount: reports.inputs.count - remainingCount)
    progress = RunProgress(total: remainingCount, isShown: reports.isWalk)
    hasProblems = !reports.problems.isEmpty
    for problem in reports.problems {
      Diagnostics.error(problem)
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

  /// A symbol file or an archive in a directory of reports.
  mutating func add(_ other: ReportInput.Other) {
    summary.add(other)
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
    for problem in result.problemMessages where printedProblems.insert(problem).inserted {
      Diagnostics.show(problem)
    }
    showExplanations(result, input)
    if isOfSeveral {
      for message in result.outcomeMessages where !message.isInTally {
        Diagnostics.show(message.about(input.shownPath))
      }
      showTallyWarnings(result)
      if result.holdsReport { summary.count(result.tally) }
    } else {
      for message in result.outcomeMessages { Diagnostics.show(message) }
    }
    if result.missesSymbols, !input.isStandardInput, incompleteReport == nil {
      incompleteReport = input.path
    }
    if !result.hasReport { statuses.insert(.noReport) }
    addViolation(by: result)
  }

  /// With `--quiet`, the tally of several reports is not written, so its warnings are.
  private mutating func showTallyWarnings(_ result: ReportJob.Result) {
    guard Diagnostics.isQuiet else { return }
    for message in result.outcomeMessages
    where message.isSaidWhenQuiet && printedProblems.insert(message).inserted {
      Diagnostics.show(message)
    }
  }

  private mutating func addWalked(_ result: ReportJob.Result, _ input: ReportInput) {
    // What is wrong with an input is said by the summary.
    for problem in result.problemMessages
    where problem.text != result.inputProblem && printedProblems.insert(problem).inserted {
      progress.clear()
      Diagnostics.show(problem)
    }
    guard result.holdsReport else { return summary.addFileWithoutReport(input.path) }
    showExplanations(result, input)
    showTallyWarnings(result)
    summary.add(result.tally, of: input.path, isConverted: result.outputKind == .result)
    // Nothing is wrong with a report that has no stacks, such as one of memory use.
    if result.outputKind != .result { statuses.insert(.noReport) }
    if result.hasReport { addViolation(by: result) }
  }

  private mutating func addViolation(by result: ReportJob.Result) {
    guard strictness.isViolated(by: result) else { return }
    statuses.insert(.unresolved)
    // An input without a report is an error of its own.
    guard result.hasReport else { return }
    violation.frames += strictness.unresolvedCount(in: result.tally)
    violation.reports += 1
  }

  /// A result that was not written, because it would replace an input.
  mutating func add(refusal: String) {
    print(refusal)
    statuses.insert(.cannotCreateOutput)
  }

  /// What `--explain` and `--verbose` say about a report.
  private func showExplanations(_ result: ReportJob.Result, _ input: ReportInput) {
    guard !result.explanations.isEmpty else { return }
    progress.clear()
    // What --explain says was asked for, so --quiet does not silence it.
    if isOfSeveral { Diagnostics.answer("\(input.shownPath):") }
    for message in result.explanations {
      message.severity == .plain ? Diagnostics.answer(message.text) : Diagnostics.show(message)
    }
  }

  /// The exit status, after the messages about all reports together.
  mutating func end() -> ExitStatus {
    progress.clear()
    // A file that matches one of the reports is fine, so only files that match none are reported.
    for path in unfitOrder {
      guard let (note, count) = unfitFiles[path], count == readCount else { continue }
      Diagnostics.show(
        note.isOtherBuild ? .error(note.message) : Message.warning(note.message).whenQuiet)
      if note.isOtherBuild { statuses.insert(.unfitSymbolFile) }
    }
    let isWalk = !directories.isEmpty || !archives.isEmpty
    if isOfSeveral, isWalk || summary.hasReports {
      let searched = summary.missesSymbols ? places.searchedPaths : []
      for message in summary.messages(searched: searched) { Diagnostics.show(message) }
    }
    if isWalk, !summary.hasReports {
      // What could not be read may hold reports.
      if !hasProblems { Diagnostics.error(InputMessages.noReports(in: directories, archives)) }
      statuses.insert(.noReport)
    }
    if violation.reports > 0 {
      Diagnostics.error(
        strictness.violation(frames: violation.frames, reports: violation.reports))
    }
    if let incompleteReport {
      Diagnostics.note(ReportDiagnosis.pointer(report: incompleteReport, places: places))
    }
    return .combined(statuses)
  }

  private mutating func note(_ writeError: FileWriteError?) {
    guard let writeError else { return }
    progress.clear()
    Diagnostics.error(writeError)
    statuses.insert(ExitStatus(writeError))
  }

  private func print(_ message: String) {
    progress.clear()
    Diagnostics.error(message)
  }
}
