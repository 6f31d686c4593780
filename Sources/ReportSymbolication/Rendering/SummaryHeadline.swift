import CrashLogParser

/// The headline of a summary, where and why it crashed:
/// `Board.swift:25 in Board.turnTile(at:) — Swift runtime failure: Index out of range`.
struct SummaryHeadline {
  /// The greatest length in characters.
  static let lengthLimit = 300

  /// Where and why, or what is known of the two; nil if neither is known.
  let text: String?
  /// Whether the reason appears in full.
  let isWhole: Bool

  init(_ cause: CrashCause, _ facts: ReportFacts) {
    let site = cause.site.flatMap { Self.text(of: $0.frame) }
    let reason: String? =
      switch cause.reason?.source {
      // No other line would show the codes then.
      case .exceptionType: facts.exception.text(withCodes: true)
      case .termination: cause.reason.map { "terminated: \($0.text)" }
      default: cause.reason?.text
      }
    let parts = [site, reason].compactMap(\.self)
    let whole = parts.joined(separator: " — ")
    text = parts.isEmpty ? nil : shortened(whole, to: Self.lengthLimit)
    isWhole = text == whole
  }

  /// `Board.swift:25 in Board.turnTile(at:)`; `Board.turnTile(at:)` if no line is known;
  /// `Board + 1234` (image and bytes from its start) if there are no symbols.
  private static func text(of frame: ShownFrame) -> String? {
    guard let function = frame.function else {
      return frame.imageOffset.map { "\(shortened(frame.imageName, to: 40)) + \($0)" }
    }
    let name = shortened(function, to: 160)
    guard frame.lineKnowledge == .line, let file = frame.shortFile, let line = frame.line else {
      return name
    }
    return "\(file):\(line) in \(name)"
  }
}
