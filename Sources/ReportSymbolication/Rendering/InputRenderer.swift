import CrashLogParser

extension SymbolicatedInput {
  /// The input with what was found out in its place: text stays text, and JSON stays JSON.
  package var splicedBytes: [UInt8] {
    var edits = ByteEdits()
    for report in reports {
      switch report.source {
      case .text: TextSplicer.splice(report, of: bytes, into: &edits)
      case .ips: IpsSplicer.splice(report, into: &edits)
      }
    }
    return edits.applied(to: bytes)
  }
}
