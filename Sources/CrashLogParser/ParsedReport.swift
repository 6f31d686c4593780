/// A crash report of any format that is read.
public enum ParsedReport: Sendable {
  /// A report as text.
  case text(CrashReport)
  /// A report as JSON.
  case ips(IpsReport)
  /// What Swift's runtime prints of a crash.
  case swiftBacktrace(SwiftBacktraceReport)

  /// From the first byte of the report to its last: a half-open range of offsets in the input.
  public var byteRange: Range<Int> {
    switch self {
    case .text(let report): report.byteRange
    case .ips(let report): report.byteRange
    case .swiftBacktrace(let report): report.byteRange
    }
  }
}
