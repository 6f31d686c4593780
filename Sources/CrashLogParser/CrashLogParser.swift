public import SymbolicationModel

// Crash reports: bytes in, `Report` values out.
//
//   `Report/`   the model that every format is read into;
//   `Formats/`  a folder for each format with its reader; `ReportReader.swift` has the protocol and
//   the list;
//   `Wrappings/` what an input may have around its reports, such as a prefix on every line;
//   `Input/`    the bytes of an input, and the readings that all text formats share;
//   `Json/`     JSON as values that know where their bytes are.
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
  /// - Returns: at least one report.
  /// - Throws: ``CrashLogParseError`` if there is nothing to read, or no report of a supported
  ///   format.
  /// - Complexity: O(n) in the size of the input.
  public static func parse(
    _ bytes: [UInt8], limits: ResourceLimits = ResourceLimits()
  ) throws(CrashLogParseError) -> [Report] {
    try parse(bytes, with: readers, limits: limits)
  }

  /// Reads the reports in `bytes` with the given readers, in that order.
  package static func parse(
    _ bytes: [UInt8], with readers: [any ReportReader], limits: ResourceLimits = ResourceLimits()
  ) throws(CrashLogParseError) -> [Report] {
    guard !bytes.isEmpty else { throw .emptyInput }
    // Offsets are kept in 32 bits.
    guard bytes.count < Int(UInt32.max) else { throw .inputTooLarge(byteCount: bytes.count) }
    var search = ReportSearch(readers: readers, limits: limits)
    let found = search.search(bytes)
    guard !found.reports.isEmpty else { throw .noReportFound(found.format.named(in: bytes)) }
    return found.reports
  }
}
