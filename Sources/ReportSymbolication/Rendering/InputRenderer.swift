extension SymbolicatedInput {
  /// An input in an output form.
  struct Rendering {
    var bytes: [UInt8]
    /// Why the output form is not possible; the bytes are then the input.
    var problem: OutputFormProblem?
  }

  /// - Parameter shownPath: what to call the input in JSON.
  func rendered(as form: OutputForm, shownPath: String) -> Rendering {
    switch form {
    case .auto: Rendering(bytes: splicedBytes)
    case .ips:
      ipsDocuments.map { Rendering(bytes: $0) } ?? Rendering(bytes: bytes, problem: .notIps)
    case .crash:
      appleText.map { Rendering(bytes: $0) } ?? Rendering(bytes: bytes, problem: .noAppleText)
    case .json: Rendering(bytes: JsonRenderer(self, inputName: shownPath).document)
    case .ndjson: Rendering(bytes: JsonRenderer(self, inputName: shownPath).lines)
    case .summary: Rendering(bytes: Array(SummaryRenderer(self).text.utf8))
    }
  }

  /// The input with the answers in place: text stays text, and JSON stays JSON.
  var splicedBytes: [UInt8] {
    var edits = ByteEdits()
    for report in reports { report.splicer.splice(report, of: bytes, into: &edits) }
    return edits.applied(to: bytes)
  }
}

/// Why an input cannot be written in an output form.
enum OutputFormProblem: Hashable {
  /// A report is not Apple's JSON, and cannot be turned into it.
  case notIps
  /// A report has no counterpart in Apple's text format.
  case noAppleText
}
