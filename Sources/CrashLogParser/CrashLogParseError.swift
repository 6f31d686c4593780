/// Why no report could be read from the input.
public enum CrashLogParseError: Error, Hashable, Sendable {
  /// The input has no bytes.
  case emptyInput
  /// The input has 4 GiB or more; places in it are kept as 32-bit numbers.
  case inputTooLarge(byteCount: Int)
  /// The input holds no crash report as text. The format is what it looks like instead: a format that
  /// this parser does not read, or one that it reads where nothing of it could be found
  /// (``ReportFormat/unknown`` when nothing was recognised).
  case noReportFound(ReportFormat)
}
