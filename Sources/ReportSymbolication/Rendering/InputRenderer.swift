import CrashLogParser

extension SymbolicatedInput {
  /// What comes out of an input.
  struct Rendering {
    var bytes: [UInt8]
    /// Why the form asked for is not to be had; the bytes are the input then.
    var problem: String?
  }

  /// - Parameter shownPath: what to call the input in messages.
  func rendered(as form: OutputForm, shownPath: String) -> Rendering {
    switch form {
    case .auto:
      return Rendering(bytes: splicedBytes)
    case .ips:
      guard let documents = ipsDocuments else {
        return Rendering(
          bytes: bytes,
          problem:
            "\(shownPath) is a report as text, which cannot be turned into an .ips; --format json gives JSON of any report"
        )
      }
      return Rendering(bytes: documents)
    case .crash:
      guard !shownReports.contains(where: \.isSwiftBacktrace) else {
        return Rendering(
          bytes: bytes,
          problem:
            "\(shownPath) is a backtrace of Swift's runtime, which cannot be turned into a report of Apple's; --format json gives JSON of any report"
        )
      }
      return Rendering(bytes: crashText)
    case .json:
      return Rendering(bytes: JsonRenderer(self, inputName: shownPath).document)
    case .ndjson:
      return Rendering(bytes: JsonRenderer(self, inputName: shownPath).lines)
    case .summary:
      return Rendering(bytes: Array(SummaryRenderer(self).text.utf8))
    }
  }

  /// The input with what was found out in its place: text stays text, and JSON stays JSON.
  var splicedBytes: [UInt8] {
    var edits = ByteEdits()
    for report in reports { splice(report, into: &edits) }
    return edits.applied(to: bytes)
  }

  func splice(_ report: SymbolicatedReport, into edits: inout ByteEdits) {
    switch report.source {
    case .text: TextSplicer.splice(report, of: bytes, into: &edits)
    case .ips: IpsSplicer.splice(report, of: bytes, into: &edits)
    case .swiftBacktrace: SwiftBacktraceSplicer.splice(report, of: bytes, into: &edits)
    }
  }
}

extension SymbolicatedReport {
  fileprivate var isSwiftBacktrace: Bool {
    if case .swiftBacktrace = source { true } else { false }
  }

  var isJson: Bool {
    if case .ips = source { true } else { false }
  }
}
