import CrashLogParser
import SymbolicationModel

/// Tells of each report in a few lines: whose it is, what happened, where, and which symbols are missing.
struct SummaryRenderer {
  /// How many lines a report gets at most.
  static let lineLimit = 25

  private let input: SymbolicatedInput

  init(_ input: SymbolicatedInput) { self.input = input }

  /// A block for each report, an empty line between two.
  var text: String {
    input.shownReports.map { report in
      lines(of: report).map { $0 + "\n" }.joined()
    }.joined(separator: "\n")
  }

  private func lines(of report: SymbolicatedReport) -> [String] {
    let facts = ReportFacts(report.source, in: input.bytes)
    var lines = head(report, facts)
    let missing = missingSymbols(report)
    if let backtrace = report.shownBacktrace(input.options) {
      lines.append(heading(report, backtrace))
      let frames = SummaryFrames(
        backtrace.shownFrames(input.options), lineLimit: Self.lineLimit - lines.count - 1)
      lines += frames.lines
    }
    return (lines + [missing]).map(\.withoutControlCharacters)
  }

  // MARK: Before the frames

  private func head(_ report: SymbolicatedReport, _ facts: ReportFacts) -> [String] {
    let lines: [String?] = [
      process(report, facts), exception(facts.exception), thrown(facts.exception),
      termination(facts.termination), information(facts),
    ]
    return lines.compactMap(\.self).map { shortened($0, to: 300) }
  }

  /// `Letter Shuffle 6 (1.3), pid 57833, iPhone OS 12.4 (16G77), arm64, 2019-07-31 11:32:24.3585 -0700`
  private func process(_ report: SymbolicatedReport, _ facts: ReportFacts) -> String {
    let system = [
      facts.system.name, facts.system.version, facts.system.build.map { "(\($0))" },
    ].compactMap(\.self)
    let parts = [
      facts.process.name ?? facts.process.bundleIdentifier ?? "unknown process",
      facts.process.version,
    ].compactMap(\.self)
    return [
      parts.joined(separator: " "), facts.process.identifier.map { "pid \($0)" },
      system.isEmpty ? nil : system.joined(separator: " "),
      report.source.architecture?.name, facts.date,
    ].compactMap(\.self).joined(separator: ", ")
  }

  /// `EXC_BAD_ACCESS (SIGSEGV): KERN_INVALID_ADDRESS at 0x1, codes 0x1 0x1`
  private func exception(_ exception: ReportFacts.CrashException) -> String? {
    let numbers = exception.codes.allSatisfy { $0 == 0 } ? [] : exception.codes
    let codes = numbers.map { "0x" + String($0, radix: 16) }.joined(separator: " ")
    let details = [
      exception.subtype, exception.message, codes.isEmpty ? nil : "codes \(codes)",
    ].compactMap(\.self)
    let kinds =
      if let type = exception.type, let signal = exception.signal { "\(type) (\(signal))" } else {
        exception.type ?? exception.signal
      }
    let parts = [kinds, details.isEmpty ? nil : details.joined(separator: ", ")]
    let text = parts.compactMap(\.self).joined(separator: ": ")
    return text.isEmpty ? nil : text
  }

  private func thrown(_ exception: ReportFacts.CrashException) -> String? {
    let parts = [exception.name, exception.reason].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ": ")
  }

  /// The first line of what the application wrote: a failed assertion, most often.
  private func information(_ facts: ReportFacts) -> String? {
    guard facts.exception.name == nil else { return nil }
    // Up to macOS 11 dyld notes there how it works.
    return facts.applicationInformation.first { $0 != "dyld2 mode" && $0 != "dyld3 mode" }
  }

  /// `terminated: SIGNAL 0x5, Trace/BPT trap: 5`
  private func termination(_ termination: ReportFacts.Termination) -> String? {
    let reason = [
      termination.namespace, termination.code.map { "0x" + String($0, radix: 16) },
    ].compactMap(\.self).joined(separator: " ")
    let parts = [reason, termination.indicator ?? "", termination.details.first ?? ""]
    let text = parts.filter { !$0.isEmpty }.joined(separator: ", ")
    return text.isEmpty ? nil : "terminated: \(text)"
  }

  private func heading(_ report: SymbolicatedReport, _ backtrace: SymbolicatedBacktrace) -> String {
    let heading = report.heading(of: backtrace)
    switch backtrace.kind {
    case .lastException: return "last exception:"
    case .applicationSpecific:
      return "application specific backtrace\(heading.number.map { " \($0)" } ?? ""):"
    case .thread:
      guard let number = heading.number else { return "frames:" }
      let names = [heading.name, heading.queue].compactMap(\.self).joined(separator: ", ")
      let note = names.isEmpty ? "" : " (\(shortened(names, to: 160)))"
      return "thread \(number)\(heading.isCrashed ? " crashed" : "")\(note):"
    }
  }

  // MARK: After the frames

  /// `6 of 11 frames resolved; no symbols for Letter Shuffle (UUID …, arm64), 5 frames of system libraries`
  private func missingSymbols(_ report: SymbolicatedReport) -> String {
    let counts = FrameCounts(report, input.options)
    var names: [String] = []
    var systemFrames = 0
    for missing in report.missingImages {
      if missing.image.belongsToSystem {
        systemFrames += missing.frameCount
      } else {
        names.append(missing.image.shownIdentity)
      }
    }
    names = names.withoutRepetitions
    let count = names.count
    if count > 3 { names = names.prefix(2) + ["\(count - 2) more images"] }
    if systemFrames > 0 {
      names.append("\(systemFrames) \(systemFrames == 1 ? "frame" : "frames") of system libraries")
    }
    let total = "\(counts.frames - counts.unresolved) of \(counts.frames) frames resolved"
    return names.isEmpty ? total : "\(total); no symbols for \(names.joined(separator: ", "))"
  }
}

extension SymbolicatedReport {
  /// What tells most of the crash: where the exception was thrown, else the crashed thread, else the
  /// first backtrace there is.
  fileprivate func shownBacktrace(_ options: SymbolicationOptions) -> SymbolicatedBacktrace? {
    let candidates = backtraces.filter { backtrace in
      backtrace.isSelected && backtrace.frames.contains { $0.isShown(options) }
    }
    return candidates.first { $0.kind == .lastException || $0.kind == .applicationSpecific(0) }
      ?? candidates.first { heading(of: $0).isCrashed } ?? candidates.first
  }
}

/// The text, or its beginning and `…` where it is longer than a number of characters.
func shortened(_ text: String, to limit: Int) -> String {
  guard let end = text.index(text.startIndex, offsetBy: limit, limitedBy: text.endIndex),
    end != text.endIndex
  else { return text }
  return text[..<end] + "…"
}
