public import CrashLogParser
import ReportRuns
internal import ReportSymbolication
public import SymbolicationModel
import Wording

/// The result for one input.
public struct SymbolicatedInput: Sendable {
  /// The reports in the order of the input. A text report is left out if the input also holds the
  /// JSON of the same incident.
  public let reports: [SymbolicatedReport]
  /// The reports in the output format of the options. The input itself if they cannot be written in
  /// that format; ``problems`` then says why.
  public let bytes: [UInt8]
  /// What is wrong with the symbol files or the input, one sentence each.
  public let problems: [String]
  /// How many frames were resolved, and what is missing, one sentence each.
  public let notes: [String]
  /// Whether every frame has a function.
  public let isComplete: Bool

  init(_ result: ReportJob.Result) {
    reports =
      result.symbolicated.map { input in
        input.shownReports.map { SymbolicatedReport($0, input.options) }
      } ?? []
    bytes = result.output
    problems = result.problems
    notes = result.notes
    isComplete = result.isComplete
  }
}

/// A report with what was found out about its frames.
public struct SymbolicatedReport: Sendable {
  /// The report as it was read: facts, images, header, faults.
  public let report: Report
  /// The backtraces that the options ask for: the last exception's, the application's, then the
  /// threads'.
  public let backtraces: [SymbolicatedBacktrace]
  /// Images with frames to resolve but without a symbol file, in the order of the report.
  public let missingImages: [MissingImage]

  /// The thread that crashed; nil if the report does not say which.
  public var crashedThread: SymbolicatedBacktrace? { backtraces.first(where: \.isCrashed) }

  init(_ report: ReportSymbolication.SymbolicatedReport, _ options: SymbolicationOptions) {
    self.report = report.source
    backtraces = report.backtraces.filter(\.isSelected).map {
      SymbolicatedBacktrace($0, options)
    }
    missingImages = report.missingImages.map {
      MissingImage(
        name: $0.image.name, identity: $0.image.identity, architecture: $0.image.architecture,
        frameCount: $0.frameCount, message: $0.message())
    }
  }

  /// An image for which no symbol file was found.
  public struct MissingImage: Hashable, Sendable {
    /// The name of the image, as the report writes it; `???` if it is unknown.
    public let name: String
    /// The UUID or build-id that its symbol file must have; nil if the report does not state it.
    public let identity: ImageIdentity?
    /// The architecture of the image, or else of the process; nil if the report states neither.
    public let architecture: Architecture?
    /// The number of frames that have no function because of it.
    public let frameCount: Int
    /// One sentence: what is missing, and what to do.
    public let message: String
  }
}

/// A backtrace with what was found out about its frames.
public struct SymbolicatedBacktrace: Sendable {
  /// Whether it is a thread's, the last exception's, or one that the application added.
  public let kind: Backtrace.Kind
  /// The number of the thread, or of the application's backtrace; both count from 0. Nil if the
  /// report states none.
  public let number: Int?
  /// The name of the thread.
  public let name: String?
  /// Whether this is the thread that crashed.
  public let isCrashed: Bool
  /// Innermost first. An inlined call is a frame of its own, before the function that it is inlined
  /// into.
  public let frames: [SymbolicatedFrame]

  init(
    _ backtrace: ReportSymbolication.SymbolicatedBacktrace, _ options: SymbolicationOptions
  ) {
    kind = backtrace.source.kind
    number = backtrace.source.number
    name = backtrace.source.name
    isCrashed = backtrace.source.isCrashed
    frames = backtrace.shownFrames(options).map { SymbolicatedFrame($0) }
  }
}

extension SymbolFileProblem {
  /// One sentence: which file, what was found, what was expected, what to try.
  public var sentence: String { message.withoutControlCharacters }
}

extension CrashLogParseError {
  /// One sentence: what was found where a crash report was expected, and what to do about it.
  ///
  /// - Parameter path: what to call the input.
  public func sentence(path: String) -> String { message(path: path).withoutControlCharacters }
}
