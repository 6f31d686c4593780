// Crash reports: bytes in, `CrashReport` and `IpsReport` values out.
//
// Nothing is ever written back from the values: every frame keeps the byte ranges of its parts, so
// that a renderer replaces or inserts the part it resolved and leaves all other bytes as they were.
//
// The way through the module:
//   `ReportFormat.detect` names what a file holds;
//   `Text/` reads reports as text. The grammar is the one that Apple's writers share (ReportCrash,
//   OSAnalytics' translated reports, Xcode's Organizer, TestFlight) and that PLCrashReporter and
//   KSCrash imitate: `Key: value` lines, threads with one line a frame, registers, and a list of
//   binary images. `TextReportParser` walks the lines and finds where each report begins and ends,
//   `TextReportBuilder` keeps the section a line stands in and collects the parts of one report,
//   `TextSource+…Line` read one kind of line each, over bytes;
//   `Ips/` reads reports as JSON: `IpsFinder` finds them in the input, `IpsReportReader` makes a
//   report of what `Json/` read;
//   `SwiftBacktrace/` reads what Swift's runtime prints of a crash: `SwiftBacktraceParser` finds it among
//   other output, `SwiftBacktraceBuilder` collects the parts of one report, `PlainLine` is a line without
//   colours, `PlainLine+…` read one kind of line each; `SwiftBacktraceJsonFinder` finds it as JSON.
// A parser for another format joins `CrashLogParser.reports`.

/// Reads crash reports.
///
/// ```swift
/// let bytes = [UInt8](try Data(contentsOf: file))
/// for report in try CrashLogParser.parse(bytes) {
///   for frame in report.crashedThread?.frames ?? [] {
///     print(frame.index, frame.imageName, frame.content)
///   }
/// }
/// ```
public enum CrashLogParser {
  /// Reads the crash reports as text in `bytes`, in the order in which they stand there.
  ///
  /// A file may hold several reports, one after the other, with other text before, between and after
  /// them; that text belongs to no report. A report may lack its head or its end. Stack frames pasted
  /// without anything around them are read too, as a report of the format
  /// ``ReportFormat/frameFragment``.
  ///
  /// Text in which a report is found never makes this throw: what could not be read is in
  /// ``CrashReport/faults`` with its place.
  ///
  /// One pass over the bytes, which the reports go on sharing with the caller: no copy is made.
  ///
  /// - Parameter bytes: the whole file. Line ends may be LF or CRLF, a UTF-8 byte order mark is
  ///   passed over, bytes that are no UTF-8 are kept and shown as U+FFFD.
  /// - Returns: at least one report.
  /// - Throws: ``CrashLogParseError`` when there is nothing to read, or nothing that is a crash report
  ///   as text.
  public static func parse(_ bytes: [UInt8]) throws(CrashLogParseError) -> [CrashReport] {
    let source = try source(bytes)
    let format = ReportFormat.detect(source)
    guard format.isReadAsText else { throw .noReportFound(format) }
    var parser = TextReportParser(source: source)
    let reports = parser.parse()
    guard !reports.isEmpty else { throw .noReportFound(format) }
    return reports
  }

  /// Reads the crash reports in `bytes`, those as text, those as JSON and Swift's backtraces, in the order
  /// in which they stand there. Swift's backtraces are looked for where one is the first that the input
  /// holds.
  ///
  /// Console and the dialog that reports a crash to Apple put both into one file, the JSON below the
  /// text that was made of it: then these are two reports. JSON is found wherever it begins on a line,
  /// with or without the line above it that is its header, on one line or many.
  ///
  /// What could not be read of a report is in its faults, and never makes this throw.
  ///
  /// - Parameter bytes: as for ``parse(_:)``.
  /// - Returns: at least one report.
  /// - Throws: ``CrashLogParseError`` when there is nothing to read, or no crash report in any of
  ///   these formats.
  public static func reports(
    in bytes: [UInt8]
  ) throws(CrashLogParseError) -> [ParsedReport] {
    let source = try source(bytes)
    let format = ReportFormat.detect(source)
    guard !format.isBinary else { throw .noReportFound(format) }
    var finder = IpsFinder(source: source)
    let ipsReports = finder.find()
    var reports = ipsReports.map { ParsedReport.ips($0) }
    if format == .swiftBacktrace || format == .swiftBacktraceJson {
      reports += SwiftBacktraceJsonFinder.reports(in: source, passingOver: reports.byteRanges)
        .map { .swiftBacktrace($0) }
      var parser = SwiftBacktraceParser(source: source, passingOver: reports.byteRanges)
      reports += parser.parse().map { .swiftBacktrace($0) }
    }
    if format.isReadAsText || !reports.isEmpty {
      var parser = TextReportParser(source: source, passingOver: reports.byteRanges)
      reports += parser.parse().map { .text($0) }
    }
    guard !reports.isEmpty else { throw .noReportFound(format) }
    return reports.sorted { $0.byteRange.lowerBound < $1.byteRange.lowerBound }
  }

  private static func source(_ bytes: [UInt8]) throws(CrashLogParseError) -> TextSource {
    guard !bytes.isEmpty else { throw .emptyInput }
    guard bytes.count < Int(UInt32.max) else { throw .inputTooLarge(byteCount: bytes.count) }
    return TextSource(bytes: bytes)
  }
}

extension [ParsedReport] {
  /// In ascending order.
  fileprivate var byteRanges: [Range<Int>] {
    map(\.byteRange).sorted { $0.lowerBound < $1.lowerBound }
  }
}

extension ReportFormat {
  fileprivate var isReadAsText: Bool {
    switch self {
    case .crashText, .crashTextWithJsonHeader, .frameFragment, .propertyList, .unknown: true
    default: false
    }
  }

  fileprivate var isBinary: Bool {
    switch self {
    case .plCrashReporterBinary, .utf16Text, .archive, .picture, .objectFile: true
    default: false
    }
  }
}
