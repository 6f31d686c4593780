import CrashLogParser

/// The line that says of a crash what one wants to know first:
/// `Board.swift:25 in Board.turnTile(at:) — Swift runtime failure: Index out of range`.
struct SummaryHeadline {
  /// How many characters it has at most.
  static let lengthLimit = 300

  /// Where and why, or what is known of the two; nil for nothing.
  let text: String?
  /// Whether the reason stands there as a whole.
  let isWhole: Bool

  init(_ cause: CrashCause, _ facts: ReportFacts) {
    let place = cause.place.flatMap { Self.text(of: $0.frame) }
    let reason: String? =
      switch cause.reason?.source {
      // The numbers have no other line then.
      case .exceptionType: facts.exception.text(withCodes: true)
      case .termination: cause.reason.map { "terminated: \($0.text)" }
      default: cause.reason?.text
      }
    let parts = [place, reason].compactMap(\.self)
    let whole = parts.joined(separator: " — ")
    text = parts.isEmpty ? nil : shortened(whole, to: Self.lengthLimit)
    isWhole = text == whole
  }

  /// `Board.swift:25 in Board.turnTile(at:)`; `Board.turnTile(at:)` where no line is known, `Board
  /// + 1234` (image, and bytes from its start) where there are no symbols.
  private static func text(of frame: ShownFrame) -> String? {
    guard let function = frame.function else {
      return frame.imageOffset.map { "\(shortened(frame.imageName, to: 40)) + \($0)" }
    }
    let name = shortened(function, to: 160)
    guard frame.sourcePlace == .line, let file = frame.shortFile, let line = frame.line else {
      return name
    }
    return "\(file):\(line) in \(name)"
  }
}
