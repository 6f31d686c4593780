import CrashLogParser
import CrashReading
package import ReportSymbolication

extension SymbolicatedInput {
  /// The lines of `--explain`: for each report its backtraces, and one line for each frame.
  package var explanations: [String] {
    guard options.explains, options.writesExplanations else { return [] }
    var lines: [String] = []
    for report in shownReports {
      lines += report.cause(options).explanation
      lines += report.signatureExplanation(options)
      for backtrace in report.backtraces where backtrace.isSelected {
        let frames = backtrace.shownFrames(options)
        guard !frames.isEmpty else { continue }
        lines.append("\(backtrace.source.title):")
        lines += frames.compactMap(\.explanationLine)
      }
    }
    return lines
  }
}

extension CrashCause {
  /// `reason (nullPointer, likely): …`, and below it what that rests on.
  fileprivate var explanation: [String] {
    guard let finding = reason?.finding else { return [] }
    let heading =
      "reason (\(finding.kind.rawValue), \(finding.confidence.rawValue)): \(finding.text)"
    return [heading] + finding.evidence.map { "  because of \($0.description)" }
      + (reason?.contradicts ?? []).map { "  against it: \($0.description)" }
  }
}

extension CauseEvidence {
  var description: String { "\(sourceText): \(text)" }

  var sourceText: String {
    switch source {
    case .field(let name): name
    case .frame(let index): "frame \(index)"
    case .register(let name): "register \(name)"
    case .information: "what the app or a library wrote"
    case .sourceLine: "the source line"
    }
  }
}

extension Backtrace {
  fileprivate var title: String {
    switch kind {
    case .lastException: "last exception"
    case .applicationSpecific: "application specific backtrace\(number.map { " \($0)" } ?? "")"
    case .digest: name ?? "digest"
    case .thread: number.map { "thread \($0)" } ?? "frames"
    }
  }
}
