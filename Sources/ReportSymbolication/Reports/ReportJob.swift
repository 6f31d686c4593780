package import CrashLogParser
import SymbolStore
package import SymbolicationModel

/// Symbolicates inputs, one after the other, and reports on each in sentences. The decoded symbol
/// files of one input are reused for the next.
package struct ReportJob {
  private let store: SymbolStore
  private var symbolicator: ReportSymbolicator
  private let form: OutputForm
  private let sourceContext: SourceContext?
  /// Whether an output that can be made in pieces is made only when it is written. It then takes
  /// less memory, but the time is the writer's.
  package var defersOutput = false

  /// A job that looks at these paths and in none of the system's directories, so that the result is
  /// the same on every machine.
  package init(
    symbolPaths: [String], options: SymbolicationOptions = SymbolicationOptions(),
    form: OutputForm = .auto
  ) {
    self.init(
      places: SymbolPlaces(paths: symbolPaths, debugDirectories: []), options: options, form: form)
  }

  /// - Parameters:
  ///   - progress: called from any thread while directories are searched, with the number of files
  ///     looked at so far, and with nil when a search has ended.
  ///   - downloadProgress: called from time to time while servers are asked.
  package init(
    places: SymbolPlaces, options: SymbolicationOptions = SymbolicationOptions(),
    form: OutputForm = .auto, progress: (@Sendable (Int?) -> Void)? = nil,
    downloadProgress: (@Sendable (DownloadProgress) -> Void)? = nil
  ) {
    self.store = SymbolStore(
      forUser: places, jobs: options.jobs, progress: progress, downloadProgress: downloadProgress)
    var options = options
    if form.showsColumns { options.indexUse = .never }
    if form == .ips { options.sourceContext = nil }
    self.sourceContext = options.sourceContext
    self.symbolicator = ReportSymbolicator(store: store, options: options)
    self.form = form
  }

  /// - Parameter shownPath: what to call the input in messages.
  /// - Returns: for an input without a report, the input itself and a problem.
  package mutating func symbolicate(_ input: [UInt8], shownPath: String) -> Result {
    do {
      return try symbolicatedResult(of: input, shownPath: shownPath)
    } catch {
      let problems = store.problems
      return Result(
        symbolicated: nil, content: .bytes(input), hasReport: false,
        problems: (problems.map(\.message) + [error.message(path: shownPath)])
          .map(\.withoutControlCharacters),
        notes: [], unfitFiles: [],
        hasUnreadableSymbolFile: problems.contains { $0.makesUnreadable }, isComplete: false)
    }
  }

  /// - Throws: `CrashLogParseError` if the input holds no report.
  package mutating func symbolicatedResult(
    of input: [UInt8], shownPath: String
  ) throws(CrashLogParseError) -> Result {
    var symbolicated = try symbolicator.symbolicate(input)
    let sourceLines = sourceContext.map { symbolicated.addSourceLines($0, for: form) }
    let outcome = symbolicated.outcome
    let rendering = symbolicated.rendered(as: form, shownPath: shownPath)
    return Result(
      symbolicated: symbolicated,
      content: defersOutput ? rendering.content : rendering.content.whole,
      hasReport: rendering.problem == nil,
      problems: (outcome.symbolFileProblems.map(\.message) + outcome.searchProblems.map(\.message)
        + outcome.serverProblems.map(\.message)
        + [rendering.problem].compactMap { $0?.message(path: shownPath) })
        .map(\.withoutControlCharacters),
      notes: (symbolicated.explanations + outcome.messages + (sourceLines?.messages ?? [])).map(
        \.withoutControlCharacters),
      unfitFiles: outcome.unfitFiles.map { UnfitNote($0) },
      hasUnreadableSymbolFile: outcome.symbolFileProblems.contains { $0.makesUnreadable },
      isComplete: outcome.isComplete)
  }

  package struct Result {
    /// Nil if the input holds no report.
    package let symbolicated: SymbolicatedInput?
    /// The input in the output form, as far as it could be resolved. The input itself if it holds
    /// no report, or cannot be written in that form.
    package var output: [UInt8] { content.bytes }
    let content: SymbolicatedInput.Rendering.Content
    package let hasReport: Bool
    /// What went wrong, a sentence each.
    package let problems: [String]
    /// How far the report was resolved and what is missing, a sentence each.
    package let notes: [String]
    /// Symbol files given by name that are for no image of the input.
    package let unfitFiles: [UnfitNote]
    package let hasUnreadableSymbolFile: Bool
    /// Every frame has a name.
    package let isComplete: Bool

    /// Writes the output in pieces, which are made one after the other if it is deferred.
    ///
    /// - Throws: what `write` throws; it is then not called again.
    package func writeOutput<Failure: Error>(
      _ write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
      switch content {
      case .bytes(let bytes): try write(bytes)
      case .json(let renderer): try renderer.write(to: write)
      }
    }

    /// An image that is not the operating system's has no symbol file: `symbolicate doctor` has
    /// more to say about it.
    package var missesSymbols: Bool {
      guard let outcome = symbolicated?.outcome else { return false }
      return outcome.missingImages.contains { !$0.image.belongsToSystem }
    }

    /// A symbol file given by name is for no image, while an image of its name stayed unresolved.
    package var hasUnfitSymbolFile: Bool { unfitFiles.contains { $0.isOtherBuild } }
  }

  /// A symbol file that was given by name and is for no image of an input.
  package struct UnfitNote: Hashable, Sendable {
    /// As given.
    package let path: String
    package let message: String
    /// An image of its name stayed unresolved: it is most likely another build of that.
    package let isOtherBuild: Bool

    init(_ file: UnfitFile) {
      self.path = file.path
      self.message = file.message.withoutControlCharacters
      self.isOtherBuild = file.imageOfSameName != nil
    }
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
