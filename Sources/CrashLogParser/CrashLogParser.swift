// Crash reports as text: bytes in, `CrashReport` values out.
//
// The grammar is the one that Apple's writers share (ReportCrash, OSAnalytics' translated reports,
// Xcode's Organizer, TestFlight) and that PLCrashReporter and KSCrash imitate: `Key: value` lines,
// threads with one line a frame, registers, and a list of binary images. Nothing is ever written
// back from the values: every frame keeps the byte ranges of its parts, so that a renderer replaces
// the part it resolved and leaves all other bytes as they were.
//
// The way through the module:
//   `ReportFormat.detect` names what a file holds;
//   `TextReportParser` walks the lines and finds where each report begins and ends;
//   `TextReportBuilder` keeps the section a line stands in and collects the parts of one report;
//   `TextSource+…Line` read one kind of line each, over bytes.
// A parser for another format joins the switch in `CrashLogParser.parse`.

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
  /// Reads the crash reports in `bytes`, in the order in which they stand there.
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
    guard !bytes.isEmpty else { throw .emptyInput }
    guard bytes.count < Int(UInt32.max) else { throw .inputTooLarge(byteCount: bytes.count) }
    let source = TextSource(bytes: bytes)
    let format = ReportFormat.detect(source)
    switch format {
    case .crashText, .crashTextWithJsonHeader, .frameFragment, .propertyList, .unknown:
      var parser = TextReportParser(source: source)
      let reports = parser.parse()
      guard !reports.isEmpty else { throw .noReportFound(format) }
      return reports
    default:
      throw .noReportFound(format)
    }
  }
}
