package import CrashLogParser
package import FileSystem
import ReportRendering
package import ReportSymbolication
import SymbolStore
package import SymbolicationModel
package import Wording

/// Symbolicates inputs, and reports on each in sentences. The decoded symbol files of one input are
/// reused for the next.
///
/// An input goes through three steps. The first and the last are `ReportSteps`, which may happen on
/// any thread. `resolve` lies between them, and takes one input after the other: what symbol files
/// it opens, and which problems it meets first, depends on the inputs before.
package struct ReportJob {
  private let store: SymbolStore
  private var symbolicator: ReportSymbolicator
  /// The first step and the last.
  package var steps: ReportSteps

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
    var places = places
    places.limits = options.limits
    self.store = SymbolStore(
      forUser: places, jobs: options.jobs, progress: progress, downloadProgress: downloadProgress)
    var options = options
    if form.showsColumns { options.indexUse = .never }
    if form == .ips { options.sourceContext = nil }
    self.symbolicator = ReportSymbolicator(store: store, options: options)
    self.steps = ReportSteps(
      options: options, form: form, givenFiles: store.givenFiles, places: places)
  }

  /// - Parameter shownPath: what to call the input in messages.
  /// - Returns: for an input without a report, the input itself and a problem.
  package mutating func symbolicate(_ input: [UInt8], shownPath: String) -> Result {
    steps.result(of: resolve(steps.prepared(input)), shownPath: shownPath)
  }

  /// - Throws: `CrashLogParseError` if the input holds no report.
  package mutating func symbolicatedResult(
    of input: [UInt8], shownPath: String
  ) throws(CrashLogParseError) -> Result {
    steps.result(
      of: symbolicator.resolve(try PreparedInput(input, steps.options)), shownPath: shownPath)
  }

  /// Looks up what `input` asks.
  package mutating func resolve(_ input: consuming ReportSteps.Prepared) -> ReportSteps.Resolved {
    switch consume input {
    case .report(let input): .report(symbolicator.resolve(consume input))
    case .noReport(let bytes, let error):
      .noReport(bytes, error, symbolFileProblems: store.problems)
    }
  }

  package struct Result: Sendable {
    /// Nil if the input holds no report. Large: nothing else in the result needs it.
    package var symbolicated: SymbolicatedInput?
    /// The input in the output form, as far as it could be resolved. The input itself if it cannot
    /// be written in that form, or holds no report and the form is a report. See `outputKind`.
    package var output: [UInt8] { content.bytes }
    var content: SymbolicatedInput.Rendering.Content
    /// What the output is.
    package let outputKind: OutputKind
    package internal(set) var hasReport = false
    /// Whether the input holds a report, perhaps one without stacks, or one that cannot be written
    /// in the output form.
    package internal(set) var holdsReport = false
    /// What a run counts of the input.
    package internal(set) var tally = InputTally()
    /// What went wrong.
    package internal(set) var problemMessages: [Message] = []
    package var problems: [String] { problemMessages.map(\.text) }
    /// The one of them that is about the input itself: why there is no result.
    package var inputProblem: String?
    /// What is said about each frame (`--explain`) and each image (`--verbose`).
    package internal(set) var explanations: [Message] = []
    /// How far the report was resolved and what is missing.
    package internal(set) var outcomeMessages: [Message] = []
    package var notes: [String] { (explanations + outcomeMessages).map(\.text) }
    /// Symbol files given by name that are for no image of the input.
    package internal(set) var unfitFiles: [UnfitNote] = []
    package internal(set) var hasUnreadableSymbolFile = false
    /// The source files whose lines are shown.
    package internal(set) var sourceFiles: Set<FileIdentity> = []
    /// Every frame has a name.
    package internal(set) var isComplete = false
    /// Every frame has a name, other than those in libraries of the operating system.
    package internal(set) var isCompleteOutsideSystem = false
    /// An image that is not the operating system's has no symbol file: `symbolicate doctor` has
    /// more to say about it.
    package internal(set) var missesSymbols = false
    /// Whether the output has the control sequences of this program and no others, so that a
    /// terminal gets it as it is.
    package var isPainted = false

    /// A symbol file given by name is for no image, while an image of its name stayed unresolved.
    package var hasUnfitSymbolFile: Bool { unfitFiles.contains { $0.isOtherBuild } }

    package enum OutputKind: Hashable, Sendable {
      /// The input in the output form.
      case result
      /// The input as it is.
      case input
      /// A record that there is no report.
      case errorRecord
      /// Nothing: there is no report to show.
      case none
    }

    /// Whether the output belongs among those of other inputs in one stream. Files of directories
    /// that are no reports do not, except as records in JSON.
    ///
    /// - Parameter isWalked: whether the input was found in a directory.
    package func belongsIntoStream(isWalked: Bool) -> Bool {
      switch outputKind {
      case .result, .errorRecord: true
      case .input: holdsReport || !isWalked
      case .none: false
      }
    }

    /// Writes the output in pieces, which are made one after the other if it is deferred.
    ///
    /// - Throws: what `write` throws; it is then not called again.
    package func writeOutput<Failure: Error>(
      _ write: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
      switch content {
      case .bytes(let bytes): try write(bytes)
      case .json(let renderer): try renderer.write(to: write)
      case .page(let renderer): try renderer.write(to: write)
      }
    }

    /// Frees the memory that the output takes.
    package mutating func dropOutput() { content = .bytes([]) }
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
