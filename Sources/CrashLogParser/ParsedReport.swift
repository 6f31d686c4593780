/// A crash report of either format.
public enum ParsedReport: Sendable {
  /// A report as text.
  case text(CrashReport)
  /// A report as JSON.
  case ips(IpsReport)

  /// From the first byte of the report to its last: a half-open range of offsets in the input.
  public var byteRange: Range<Int> {
    switch self {
    case .text(let report): report.byteRange
    case .ips(let report): report.byteRange
    }
  }
}
