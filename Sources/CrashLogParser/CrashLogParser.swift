@_exported public import JsonReading
@_exported public import KernelReports
@_exported public import LogStatements
@_exported public import ReportFormats
@_exported public import ReportModel
@_exported public import RuntimeReports
@_exported public import SampledReports
@_exported public import SdkReports
@_exported public import SwiftBacktraces
import ReportWrappings
public import SymbolicationModel

// The front door of the parser: bytes in, `Report` values out.
//
//   `Search/`  finds the reports in an input, as they stand there or in a wrapping;
//   `Records/` takes the text out of the records of a log, such as those of Docker;
//   `Stream/`  cuts a stream into reports and what is between them.
//
// The formats are in the modules below, one folder for each: `ReportFormats` (Apple's own, and what
// all formats share), `KernelReports`, `SampledReports`, `SwiftBacktraces`, `RuntimeReports`,
// `LogStatements` and `SdkReports`. They read into the values of `ReportModel`. What an input may
// have around its reports, such as a prefix on every line, is in `ReportWrappings`.
//
// Nothing is ever written back from the values. Every frame knows where its bytes are, so that a
// renderer can replace the part that was resolved and leave all other bytes as they were.

/// Reads crash reports of every supported format.
///
/// ```swift
/// for report in try CrashLogParser.parse(bytes) {
///   print(report.facts.process.name ?? "unknown process")
///   for frame in report.crashedThread?.frames ?? [] {
///     print(frame.imageName ?? "?", frame.symbol?.name ?? "?")
///   }
/// }
/// ```
public enum CrashLogParser {
  /// Reads the reports in `bytes`, in the order of the input.
  ///
  /// An input may hold several reports, with other text before, between and after them; that text
  /// belongs to no report. Console and the dialog that sends a crash to Apple put the JSON of a
  /// report below the text that was made from it: these are two reports. A report may be cut at
  /// either end. Stack frames that were pasted without anything around them are read too
  /// (``ReportFormat/frameFragment``).
  ///
  /// Damage never makes this throw once a report is found: what could not be read is in
  /// ``Report/faults``.
  ///
  /// The reports share the bytes with the caller; no copy is made.
  ///
  /// A report may be wrapped: quoted with a prefix on every line, in a web page, in UTF-16 and so
  /// on. ``Report/wrapping`` then holds the text that all ranges refer to.
  ///
  /// - Parameters:
  ///   - bytes: the whole input. Lines may end with LF or CRLF. A UTF-8 byte order mark is skipped.
  ///     Bytes that are not UTF-8 are kept, and are U+FFFD in texts.
  ///   - limits: how many threads, frames and images are read. The others are left out, with a
  ///     fault.
  ///   - logField: the field that holds the text in records of JSON, one on each line; several keys
  ///     with dots between them for one in an object. The fields of Docker, the journal of systemd
  ///     and OpenTelemetry are known.
  /// - Returns: at least one report.
  /// - Throws: ``CrashLogParseError`` if there is nothing to read, or no report of a supported
  ///   format.
  /// - Complexity: O(n) in the size of the input.
  public static func parse(
    _ bytes: [UInt8], limits: ResourceLimits = ResourceLimits(), logField: String? = nil
  ) throws(CrashLogParseError) -> [Report] {
    try parse(bytes, with: readers, limits: limits, logField: logField)
  }

  /// Reads the reports in `bytes` with the given readers, in that order.
  package static func parse(
    _ bytes: [UInt8], with readers: [any ReportReader], limits: ResourceLimits = ResourceLimits(),
    logField: String? = nil
  ) throws(CrashLogParseError) -> [Report] {
    guard !bytes.isEmpty else { throw .emptyInput }
    // Offsets are kept in 32 bits.
    guard bytes.count < Int(UInt32.max) else { throw .inputTooLarge(byteCount: bytes.count) }
    var search = ReportSearch(
      readers: readers, limits: limits, records: LogRecordReader(field: logField))
    let found = search.search(bytes)
    guard !found.reports.isEmpty else { throw .noReportFound(found.format.named(in: bytes)) }
    return found.reports
  }

  /// What a text mentions about a crash in which ``parse(_:limits:logField:)`` finds no report: a
  /// report that has nothing but ``ReportFacts/mention``.
  ///
  /// Somebody's own sentences have no shape that would prove that they are about a crash, so this
  /// is only for what was given as the report of one.
  ///
  /// - Returns: nil if the text mentions no crash, or is larger than 256 KB.
  /// - Complexity: O(n).
  public static func mention(in bytes: [UInt8]) -> Report? {
    let source = TextSource(bytes: bytes)
    guard let page = HtmlWrapping().unwrap(source) else {
      return CrashMentions.report(in: source)
    }
    var report = CrashMentions.report(in: TextSource(bytes: page.text))
    report?.wrapping = ReportWrapping([page])
    return report
  }

  /// Adds to the only report of a text what the text around it mentions about the crash
  /// (``ReportFacts/mention``).
  ///
  /// - Complexity: O(n) in the size of the input, which must not be larger than 256 KB.
  package static func addMention(to reports: inout [Report], of bytes: [UInt8]) {
    guard reports.count == 1 else { return }
    reports[0].facts.mention = CrashMentions.mention(
      around: reports[0], in: TextSource(bytes: bytes))
  }
}

extension CrashLogParser {
  /// The formats that are read, in the order in which they are asked.
  ///
  /// JSON comes first: its extent is certain, while a text format would take part of a JSON
  /// document for its own.
  package static let readers: [any ReportReader] = [
    IpsReader(),
    StackshotReader(),
    SwiftBacktraceJsonReader(),
    MetricKitReader(),
    SdkJsonReader(),
    PlCrashReader(),
    SwiftBacktraceReader(),
    SanitizerReader(),
    TraceReader(),
    KernelFaultReader(),
    JetsamReader(),
    PanicReader(),
    SampleReader(),
    SpindumpReader(),
    AppleTextReader(),
  ]

  /// What the formats that are read are recognised by.
  package static let signs = FormatSigns(readers)

  static let wrappings = Wrappings(signs)
}

/// Why no report could be read from an input.
public enum CrashLogParseError: Error, Hashable, Sendable {
  /// The input has no bytes.
  case emptyInput
  /// The input has 4 GiB or more; the parser keeps offsets in 32 bits.
  case inputTooLarge(byteCount: Int)
  /// The input holds no report of a supported format. The payload says what it looks like instead:
  /// ``ReportFormat/unknown`` if nothing was recognised, or a supported format if nothing of the
  /// report could be read.
  case noReportFound(ReportFormat)
}
