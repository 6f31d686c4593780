internal import ReportSymbolication
public import CrashLogParser
import ReportRuns
internal import SymbolicationModel

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
