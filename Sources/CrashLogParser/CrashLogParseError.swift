import JsonReading
import ReportFormats
import ReportModel
import RuntimeReports
import SampledReports
import SdkReports

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
