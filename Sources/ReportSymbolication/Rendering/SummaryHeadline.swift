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
    // If a runtime stopped the program, its own frame says nothing more.
    let isSaid = cause.site?.place.library != nil && cause.reason?.finding.kind.namesRuntime == true
    let site = isSaid ? nil : cause.site.flatMap { Self.text(of: $0.place) }
    let reason: String? =
      switch cause.reason?.source {
      // No other line would show the codes then.
      case .exceptionType where cause.reason?.isOnlyExceptionType == true:
        facts.exception.text(withCodes: true)
      case .termination: cause.reason.map { "terminated: \($0.text)" }
      default: cause.reason?.text
      }
    let parts = [site, reason].compactMap(\.self)
    let whole = parts.joined(separator: " — ")
    text = parts.isEmpty ? nil : shortened(whole, to: Self.lengthLimit)
    isWhole = text == whole
  }

  /// `Board.swift:25 in Board.turnTile(at:)`; `Board.turnTile(at:)` if no line is known; `Board +
  /// 1234` (image and bytes from its start) if there are no symbols; with the library if no frame
  /// is in the user's own code (`in Hermes, the JavaScript engine: hermes::vm::…`).
  private static func text(of place: CrashSite) -> String? {
    guard let text = text(of: place.frame) else { return place.library.map { "in \($0)" } }
    return place.library.map { "in \($0): \(text)" } ?? text
  }

  private static func text(of frame: ShownFrame) -> String? {
    guard let function = frame.readableFunction else {
      return frame.imageOffset.map { "\(shortened(frame.imageName, to: 40)) + \($0)" }
    }
    let name = shortened(function, to: 160)
    switch frame.lineKnowledge {
    case .line:
      guard let file = frame.shortFile, let line = frame.line else { return name }
      return "\(file):\(line) in \(name)"
    case .zero: return frame.shortFile.map { "\(name) in \($0)" } ?? name
    case .none, .unknown: return name
    }
  }
}
