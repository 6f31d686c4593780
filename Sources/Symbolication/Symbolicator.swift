public import CrashLogParser
import ReportRuns
internal import ReportSymbolication
public import SymbolicationModel

// The front door of the library. Three calls: make a `Symbolicator`, give it the bytes of a report,
// use the `SymbolicatedInput` that comes back. `ImageResolver` of `AddressResolver` answers single
// addresses. The two libraries underneath are `CrashLogParser` (reports) and `AddressResolver`
// (symbol files).

/// Symbolicates crash reports: finds out functions, files and lines for the addresses in them.
///
/// ```swift
/// var symbolicator = Symbolicator(symbolPaths: ["App.dSYM"])
/// let input = try symbolicator.symbolicate(bytes)
/// for frame in input.reports.first?.crashedThread?.frames ?? [] {
///   print(frame.function ?? "?", frame.file ?? "?", frame.line ?? 0)
/// }
/// ```
///
/// What is decoded of the symbol files for one report serves the next, so keep one symbolicator for
/// many reports. It may be moved to another thread, but not used from two at a time.
public struct Symbolicator {
  private var job: ReportJob

  /// - Parameters:
  ///   - symbolPaths: dSYM bundles, Mach-O, ELF, GSYM and Breakpad files, and directories that are
  ///     searched for them; the most wanted first. Files are matched to the images of a report by
  ///     UUID or build-id. A path that cannot be used does no harm: ``SymbolicatedInput/problems``
  ///     reports it.
  ///   - options: what to look up and how to write it.
  public init(symbolPaths: [String], options: SymbolicatorOptions = SymbolicatorOptions()) {
    job = ReportJob(
      places: SymbolPlaces(
        paths: symbolPaths, searchDirectories: options.searchDirectories),
      options: options.symbolicationOptions,
      form: options.outputFormat.form)
  }

  /// Looks up the frames in `bytes` that show no function, or a function without a line.
  ///
  /// - Parameters:
  ///   - bytes: a file or any other text with one or more reports in it; see
  ///     ``CrashLogParser/CrashLogParser/parse(_:)``.
  ///   - name: what to call the input in messages and in JSON.
  /// - Returns: the reports with what was found out. Missing symbols are not an error.
  /// - Throws: `CrashLogParseError` if `bytes` hold no report.
  /// - Complexity: the time is proportional to the size of the input, and to the parts of the
  ///   symbol files that its addresses lie in.
  public mutating func symbolicate(
    _ bytes: [UInt8], name: String = "report"
  ) throws(CrashLogParseError) -> SymbolicatedInput {
    SymbolicatedInput(try job.symbolicatedResult(of: bytes, shownPath: name))
  }
}

/// What a ``Symbolicator`` looks up, and how it writes the result.
public struct SymbolicatorOptions: Hashable, Sendable {
  /// How the reports are written to ``SymbolicatedInput/bytes``.
  public var outputFormat = OutputFormat.sameAsInput
  /// Whether inlined calls are shown, as frames of their own before the function that they are
  /// inlined into.
  public var showsInlinedCalls = true
  /// Whether frames that already show a function and a line are looked up too, and what they show
  /// is replaced.
  public var resymbolicates = false
  /// Which threads to symbolicate.
  public var threads = Threads.all
  /// The processes to symbolicate in reports about several, such as spindumps: each by its name or
  /// its number. Empty for all.
  public var processes: Set<String> = []
  /// Whether libraries of the operating system are left alone.
  public var onlyUserCode = false
  /// How names are shown. Names that the report itself shows stay as they are.
  public var demangling = DemanglingStyle.simplified
  /// Whether text shows the whole path of a source file instead of its name.
  public var showsFullPaths = false
  /// Folders of source files to replace: the first mapping that a path begins with is applied. A
  /// mapping with an empty `old` is ignored; any other implies ``showsFullPaths``.
  public var pathMappings: [PathMapping] = []
  /// Whether each unresolved frame says why (``SymbolicatedFrame/problem``).
  public var explains = true
  /// Directories that are searched with all their subfolders for what no symbol path has. One that
  /// does not exist is ignored. Links to directories are followed, each directory once.
  public var searchDirectories: [String] = []
  /// The greatest number of threads that work at a time.
  public var jobs = ParallelWork.processorCount

  /// How much is read of reports and symbol files. They may come from strangers.
  public var limits = ResourceLimits()

  /// The defaults: all threads, inlined calls shown, output in the format of the input.
  public init() {}

  /// The formats that reports can be written in.
  public enum OutputFormat: Hashable, Sendable {
    /// The input with the resolved frames filled in; all other bytes are unchanged.
    case sameAsInput
    /// Apple's text. An `.ips` is translated as Apple's own tools do it.
    case appleText
    /// Apple's JSON (`.ips`), for reports that are that.
    case appleJson
    /// One JSON document in this project's own schema, `docs/report.schema.json`.
    case json
    /// One line of JSON for each report, in the same schema.
    case jsonLines
    /// At most 25 lines of text for each report.
    case summary
    /// A page for browsers, in one file that loads nothing.
    case html
    /// Markdown for an issue, at most 60,000 characters. What the report says is code in it, so
    /// nothing of it becomes a mention, a link or HTML.
    case markdown

    var form: OutputForm {
      switch self {
      case .sameAsInput: .auto
      case .appleText: .crash
      case .appleJson: .ips
      case .json: .json
      case .jsonLines: .ndjson
      case .summary: .summary
      case .html: .html
      case .markdown: .markdown
      }
    }
  }

  /// Which threads to symbolicate. Backtraces that belong to no thread, such as the last
  /// exception's, go with the crashed one.
  public enum Threads: Hashable, Sendable {
    /// Every thread.
    case all
    /// Only the thread that crashed.
    case crashed
    /// The threads with these numbers, which count from 0 as in the report.
    case numbered(Set<Int>)
  }

  /// A replacement for the folders at the start of a source path: `old` becomes `new`. Whole path
  /// components are compared: `/a/b` fits `/a/b/c.swift` and not `/a/bc.swift`.
  public struct PathMapping: Hashable, Sendable {
    /// The folders or the whole path to replace. The mapping is ignored if this is empty.
    public var old: String
    /// What replaces ``old``. The path becomes relative if this is empty.
    public var new: String

    /// Makes a mapping that replaces `old` with `new`.
    public init(from old: String, to new: String) {
      self.old = old
      self.new = new
    }
  }
}

extension SymbolicatorOptions {
  var symbolicationOptions: SymbolicationOptions {
    var options = SymbolicationOptions()
    options.showsInlinedFrames = showsInlinedCalls
    options.resymbolicates = resymbolicates
    options.threads =
      switch threads {
      case .all: .all
      case .crashed: .crashed
      case .numbered(let numbers): .numbered(numbers)
      }
    options.processes = processes
    options.onlyUserCode = onlyUserCode
    options.demangling = demangling
    options.sourcePaths = SourcePathRules(
      showsFullPath: showsFullPaths,
      mappings: pathMappings.compactMap {
        ReportSymbolication.PathMapping(from: $0.old, to: $0.new)
      })
    options.explains = explains
    options.writesExplanations = false
    options.jobs = jobs
    options.limits = limits
    options.limits.usage = RunUsage()
    return options
  }
}
