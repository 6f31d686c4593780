package import CrashLogParser
import SymbolStore
package import SymbolicationModel

/// What happens to an input before and after its frames are looked up. It follows from the input
/// and from these values alone, so several inputs may be at it at the same time.
package struct ReportSteps: Sendable {
  let options: SymbolicationOptions
  let form: OutputForm
  /// The symbol files that the user named.
  let givenFiles: [GivenSymbolFile]
  /// The places that were given, for the command that a page names.
  let places: SymbolPlaces
  /// Whether an output that can be made in pieces is made only when it is written. It then takes
  /// less memory, but the time is the writer's.
  package var defersOutput = false
  /// Whether results replace their inputs.
  package var replacesInputs = false

  init(
    options: SymbolicationOptions, form: OutputForm, givenFiles: [GivenSymbolFile],
    places: SymbolPlaces
  ) {
    self.options = options
    self.form = form
    self.givenFiles = givenFiles
    self.places = places
  }

  /// The steps of a run that only wants to know what would be looked up.
  package init(limits: ResourceLimits) {
    var options = SymbolicationOptions()
    options.limits = limits
    self.init(options: options, form: .auto, givenFiles: [], places: SymbolPlaces())
  }

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

  package func prepared(_ input: [UInt8]) -> Prepared {
    do {
      return .report(try PreparedInput(input, options))
    } catch {
      return .noReport(input, error)
    }
  }

  package func prepared(_ input: ReportBytes) -> Prepared {
    let prepared = prepared(input.bytes)
    guard input.wasCompressed, case .report(var report) = prepared else { return prepared }
    report.wasCompressed = true
    return .report(report)
  }

  /// - Parameters:
  ///   - shownPath: what to call the input in messages.
  ///   - path: the path of the input for JSON; `-` for standard input. Nil if it is `shownPath`.
  /// - Returns: for an input without a report, a problem, and the input itself if the form is a
  ///   report. JSON gets an `ErrorRecord`.
  package func result(
    of input: consuming Resolved, shownPath: String, path: String? = nil
  ) -> ReportJob.Result {
    switch consume input {
    case .report(let input): return result(of: consume input, shownPath: shownPath)
    case .noReport(let bytes, let error, let problems):
      let record = ErrorRecord(error, path: path ?? shownPath, shownPath: shownPath)
      let content =
        form.isReport
        ? bytes
        : form == .html
          ? HtmlRenderer.pageWithoutReport(problems: [record.message]) : record.output(as: form)
      return ReportJob.Result(
        symbolicated: nil, content: .bytes(content), hasReport: false,
        outputKind: form.isReport ? .input : content.isEmpty ? .none : .errorRecord,
        holdsReport: false, tally: InputTally(),
        problems: problems.map(\.message.withoutControlCharacters) + [record.message],
        inputProblem: record.message, notes: [], unfitFiles: [],
        hasUnreadableSymbolFile: problems.contains { $0.makesUnreadable }, isComplete: false,
        missesSymbols: false)
    }
  }

  func result(of input: consuming ResolvedInput, shownPath: String) -> ReportJob.Result {
    let wasCompressed = input.wasCompressed
    var symbolicated = SymbolicatedInput(consume input, givenFiles: givenFiles, options)
    let sourceLines = options.sourceContext.map { symbolicated.addSourceLines($0, for: form) }
    symbolicated.shareCauses()
    let outcome = symbolicated.outcome
    let isBinary = symbolicated.wrapping?.isTranslation == true
    let rendering =
      replacesInputs && (wasCompressed || isBinary)
      ? SymbolicatedInput.Rendering(
        bytes: symbolicated.input, problem: wasCompressed ? .compressedInput : .binaryInput)
      : symbolicated.rendered(
        as: form, shownPath: shownPath,
        notices: HtmlNotices(
          about: outcome, sourceLines: sourceLines?.messages ?? [],
          command: outcome.missesSymbols && shownPath != "standard input"
            ? ReportDiagnosis.command(report: shownPath, places: places) : nil))
    if let format = symbolicated.reports.map(\.source).formatWithoutStacks {
      return resultWithoutStacks(symbolicated, format, rendering, shownPath: shownPath)
    }
    return ReportJob.Result(
      symbolicated: symbolicated,
      content: defersOutput ? rendering.content : rendering.content.whole,
      hasReport: rendering.problem == nil,
      outputKind: rendering.problem == nil ? .result : .input, holdsReport: true,
      tally: InputTally(symbolicated),
      problems: (outcome.symbolFileProblems.map(\.message) + outcome.searchProblems.map(\.message)
        + outcome.serverProblems.map(\.message)
        + [rendering.problem].compactMap { $0?.message(path: shownPath) })
        .map(\.withoutControlCharacters),
      inputProblem: rendering.problem?.message(path: shownPath).withoutControlCharacters,
      notes: (symbolicated.explanations + outcome.messages + (sourceLines?.messages ?? [])).map(
        \.withoutControlCharacters),
      unfitFiles: outcome.unfitFiles.map { ReportJob.UnfitNote($0) },
      hasUnreadableSymbolFile: outcome.symbolFileProblems.contains { $0.makesUnreadable },
      isComplete: outcome.isComplete,
      missesSymbols: outcome.missesSymbols)
  }
}

extension ReportSteps {
  /// The reports have nothing to symbolicate. Their facts are shown; all else is as if there were
  /// no report.
  private func resultWithoutStacks(
    _ symbolicated: SymbolicatedInput, _ format: ReportFormat,
    _ rendering: SymbolicatedInput.Rendering, shownPath: String
  ) -> ReportJob.Result {
    let problem = CrashLogParseError.noReportFound(format).message(path: shownPath)
      .withoutControlCharacters
    return ReportJob.Result(
      symbolicated: symbolicated,
      content: defersOutput ? rendering.content : rendering.content.whole, hasReport: false,
      outputKind: rendering.problem == nil ? .result : .input, holdsReport: true,
      tally: InputTally(symbolicated), problems: [problem], inputProblem: problem,
      notes: symbolicated.explanations.map(\.withoutControlCharacters), unfitFiles: [],
      hasUnreadableSymbolFile: false, isComplete: false, missesSymbols: false)
  }
}

extension [Report] {
  /// The format of the first report if none has stacks; nil otherwise.
  var formatWithoutStacks: ReportFormat? {
    contains { $0.format.hasStacks } ? nil : first?.format
  }
}

extension SymbolFileProblem {
  /// Whether the user's input could not be read: no file, not a symbol file, or a damaged one. The
  /// other problems leave the file usable, or are not damage.
  var makesUnreadable: Bool {
    switch severity {
    case .partial, .noSymbols: false
    case .notASymbolFile, .unusable: true
    }
  }
}
