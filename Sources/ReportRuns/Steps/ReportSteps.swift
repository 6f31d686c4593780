package import CrashLogParser
import ReportRendering
package import ReportSymbolication
package import SymbolStore
package import SymbolicationModel
package import Wording

/// What happens to an input before and after its frames are looked up. It follows from the input
/// and from these values alone, so several inputs may be at it at the same time.
package struct ReportSteps: Sendable {
  package let options: SymbolicationOptions
  let form: OutputForm
  /// The symbol files that the user named.
  package let givenFiles: [GivenSymbolFile]
  /// The places that were given, for the command that a page names.
  package let places: SymbolPlaces
  /// Whether an output that can be made in pieces is made only when it is written. It then takes
  /// less memory, but the time is the writer's.
  package var defersOutput = false
  /// Whether a message says how many stack traces an input has.
  package var countsTraces = true
  /// Whether results replace their inputs.
  package var replacesInputs = false
  /// Whether who reads the messages reads the output, too, which has a summary's tally.
  package var showsOutputBesideMessages = false
  /// What the output is made for.
  package var look = TerminalLook.plain

  /// An input whose frames are to be looked up.
  package enum Prepared: Sendable {
    case report(PreparedInput)
    case noReport([UInt8], CrashLogParseError)
  }

  /// An input whose frames were looked up.
  package enum Resolved: Sendable {
    case report(ResolvedInput)
    case noReport([UInt8], CrashLogParseError, symbolFileProblems: [SymbolFileProblem])
  }

  /// - Parameter countsMentions: whether the input was given as a report of a crash, so that what
  ///   a text without one mentions is shown, unless the output is the text itself.
  package func prepared(_ input: [UInt8], countsMentions: Bool = false) -> Prepared {
    let countsMentions = countsMentions && !form.isReport
    do {
      return .report(try PreparedInput(input, options, countsMentions: countsMentions))
    } catch {
      if countsMentions, case .noReportFound(let format) = error,
        [.unknown, .json, .webPage].contains(format) || format == .crashText && isList(input),
        let mentioned = PreparedInput(mentionedIn: input, options)
      {
        return .report(mentioned)
      }
      return .noReport(input, error)
    }
  }

  /// Whether an input that looks like the head of a report may be a list of facts in somebody's
  /// text (`- Code type: ARM-64`): a report, even a damaged one, has the kind of the exception.
  private func isList(_ input: [UInt8]) -> Bool {
    TextSource(bytes: input).find("Exception Type:", from: 0, limit: input.count) == nil
  }

  package func prepared(_ input: ReportBytes, countsMentions: Bool = false) -> Prepared {
    let prepared = prepared(input.bytes, countsMentions: countsMentions)
    guard input.wasCompressed, case .report(var report) = prepared else { return prepared }
    report.wasCompressed = true
    return .report(report)
  }

  /// - Parameters:
  ///   - shownPath: what to call the input in messages.
  ///   - path: the path of the input for JSON; `-` for standard input. Nil if it is `shownPath`.
  ///   - isFile: whether the path is that of a file, which other commands can read.
  /// - Returns: for an input without a report, a problem, and the input itself if the form is a
  ///   report. JSON gets an `ErrorRecord`.
  package func result(
    of input: consuming Resolved, shownPath: String, path: String? = nil, isFile: Bool = true
  ) -> ReportJob.Result {
    switch consume input {
    case .report(let input):
      return result(of: consume input, shownPath: shownPath, isFile: isFile)
    case .noReport(let bytes, let error, let problems):
      let record = ErrorRecord(error, path: path ?? shownPath, shownPath: shownPath, bytes)
      // A filter passes on what is not for it. Whoever names a file has it already.
      let isNamedFile = path.map { $0 != "-" } ?? false
      let isUnreadable = form.isReport && !isNamedFile && withholds(bytes)
      // Nothing is no output, so a file of `-o` stays as it is: it may be the report.
      let isPassedOn = form.isReport && !isNamedFile && !isUnreadable && !bytes.isEmpty
      let message = record.message + (isUnreadable ? OutputFormMessages.binaryOnTerminal : "")
      let content = isPassedOn ? bytes : form.isReport ? [] : contentWithoutReport(record)
      var result = ReportJob.Result(
        content: .bytes(content),
        outputKind: isPassedOn ? .input : content.isEmpty ? .none : .errorRecord)
      result.problemMessages = problems.map(\.shownMessage) + [.error(message)]
      result.inputProblem = message
      if let hint = LogFieldHint(bytes) {
        result.problemMessages.append(.note("\(shownPath): \(hint.message)"))
      }
      result.hasUnreadableSymbolFile = problems.contains { $0.makesUnreadable }
      return result
    }
  }

  /// What an output that is no report says instead.
  private func contentWithoutReport(_ record: ErrorRecord) -> [UInt8] {
    form == .html
      ? HtmlRenderer.pageWithoutReport(problems: [record.message]) : record.output(as: form)
  }

  func result(
    of input: consuming ResolvedInput, shownPath: String, isFile: Bool = true
  ) -> ReportJob.Result {
    let wasCompressed = input.wasCompressed
    var symbolicated = SymbolicatedInput(consume input, givenFiles: givenFiles, options)
    let form =
      look.isTerminal && self.form == .auto && symbolicated.isReadAsText ? .crash : self.form
    let sourceLines = options.sourceContext.map { symbolicated.addSourceLines($0, for: form) }
    let outcome = symbolicated.outcome
    let searched = outcome.missesSymbols ? places.searchedPaths : []
    let isBinary = symbolicated.wrapping?.isTranslation == true
    var rendering =
      replacesInputs && (wasCompressed || isBinary)
      ? SymbolicatedInput.Rendering(
        bytes: symbolicated.input, problem: wasCompressed ? .compressedInput : .binaryInput)
      : symbolicated.rendered(
        as: form, shownPath: shownPath, look: look,
        notices: HtmlNotices(
          about: outcome, searched: searched, sourceLines: sourceLines?.messages ?? [],
          command: outcome.missesSymbols && isFile && shownPath != "standard input"
            ? ShellText.doctorCommand(report: shownPath, places: places) : nil))
    var problem = rendering.problem?.message(path: shownPath)
    let isWithheld = rendering.problem != nil && withholds(symbolicated.input)
    if isWithheld {
      rendering.content = .bytes([])
      problem? += OutputFormMessages.binaryOnTerminal
    }
    let formatWithoutStacks = symbolicated.reports.map(\.source).formatWithoutStacks
    var result = ReportJob.Result(
      content: defersOutput ? rendering.content : rendering.content.whole,
      outputKind: rendering.problem == nil
        ? .result : isWithheld && formatWithoutStacks == nil ? .none : .input)
    result.holdsReport = true
    result.tally = InputTally(symbolicated)
    result.explanations = symbolicated.explanations.map { .plain($0) }
    result.isPainted = rendering.isPainted
    result.sourceFiles = sourceLines?.files ?? []
    if formatWithoutStacks != nil, !form.isReport {
      // The facts of the reports are all that was asked for.
      result.hasReport = true
      result.isComplete = true
      result.isCompleteOutsideSystem = true
    } else if let formatWithoutStacks {
      let problem = CrashLogParseError.noReportFound(formatWithoutStacks).message(path: shownPath)
        .withoutControlCharacters
      result.problemMessages = [.error(problem)]
      result.inputProblem = problem
    } else {
      result.hasReport = rendering.problem == nil
      result.problemMessages =
        outcome.symbolFileProblems.map(\.shownMessage)
        + outcome.searchProblems.map { $0.searchMessage(named: places.paths) }
        + outcome.serverProblems.map { .warning($0.message) }
        + [problem].compactMap { $0.map { .error($0) } }
      result.inputProblem = problem?.withoutControlCharacters
      result.explanations += symbolicated.imageLines
      result.outcomeMessages =
        outcome.messages(
          searched: searched, isBesideSummary: form == .summary && showsOutputBesideMessages)
        + (sourceLines?.messages ?? []).map { .warning($0) }
      if countsTraces, let text = symbolicated.traceText {
        result.outcomeMessages.insert(.plain(text), at: 0)
      }
      result.unfitFiles = outcome.unfitFiles.map { ReportJob.UnfitNote($0) }
      result.hasUnreadableSymbolFile = outcome.symbolFileProblems.contains { $0.makesUnreadable }
      result.isComplete = outcome.isComplete
      result.isCompleteOutsideSystem = outcome.isCompleteOutsideSystem
      result.missesSymbols = outcome.missesSymbols
    }
    result.symbolicated = consume symbolicated
    return result
  }

  /// Whether an input that would pass as it is does not: a terminal would act on it, and nobody
  /// could read it.
  private func withholds(_ input: [UInt8]) -> Bool {
    look.isTerminal && BinaryContent.isBinary(input)
  }
}

extension SymbolicatedInput {
  /// `3 stack traces, 2 completely resolved`: of those of a log, and of those without a report. Nil
  /// if there are none.
  fileprivate var traceText: String? {
    let isOfRecords = wrapping?.isOfRecords == true
    let traces = reports.filter {
      isOfRecords || $0.source.format.family == ReportFormat.callStack.family
    }
    guard !traces.isEmpty else { return nil }
    let resolved = traces.count { FrameCounts($0, options).isCompleteOutsideSystem }
    let place = isOfRecords ? " in the records of the log" : ""
    if traces.count == 1 {
      return "1 stack trace\(place), \(resolved == 1 ? "" : "not ")completely resolved"
    }
    let share = resolved == traces.count ? "all" : resolved == 0 ? "none" : "\(resolved)"
    return "\(traces.count) stack traces\(place), \(share) completely resolved"
  }
}

extension ReportSteps {
  /// The steps of a run that only wants to know what would be looked up.
  package init(limits: ResourceLimits) {
    var options = SymbolicationOptions()
    options.limits = limits
    self.init(options: options, form: .auto, givenFiles: [], places: SymbolPlaces())
  }
}
