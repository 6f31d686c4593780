import CrashLogParser
import CrashReading
import ReportSymbolication
import Wording

/// The headline of a summary, where and why it crashed:
/// `Board.swift:25 in Board.turnTile(at:) — Swift runtime failure: Index out of range`.
struct SummaryHeadline {
  /// The greatest length in characters.
  static let lengthLimit = 300

  /// Where and why, or what is known of the two; nil if neither is known.
  package let text: StyledText?
  /// Whether the reason appears in full.
  let isWhole: Bool

  /// - Parameter paint: how it looks.
  init(_ cause: CrashCause, _ facts: ReportFacts, _ paint: SummaryPaint) {
    // If a runtime stopped the program, its own frame says nothing more.
    let isSaid = cause.site?.place.library != nil && cause.reason?.finding.kind.namesRuntime == true
    let site = isSaid ? nil : cause.site.flatMap { Self.text(of: $0.place, paint) }
    let reason: String? =
      switch cause.reason?.source {
      // No other line would show the codes then.
      case .exceptionType where cause.reason?.isOnlyExceptionType == true:
        facts.exception.text(withCodes: true)
      case .termination: cause.reason.map { "terminated: \($0.text)" }
      default: cause.reason?.text
      }
    var whole = site ?? StyledText()
    if site != nil, reason != nil { whole.append(" — ") }
    whole.append(reason ?? "", .alarm)
    text = site == nil && reason == nil ? nil : whole.shortened(to: Self.lengthLimit)
    isWhole = text == whole
  }

  /// `Board.swift:25 in Board.turnTile(at:)`; `Board.turnTile(at:)` if no line is known; `Board +
  /// 1234` (image and bytes from its start) if there are no symbols; with the library if no frame
  /// is in the user's own code (`in Hermes, the JavaScript engine: hermes::vm::…`).
  private static func text(of place: CrashSite, _ paint: SummaryPaint) -> StyledText? {
    guard let text = text(of: place.frame, paint) else {
      return place.library.map { StyledText("in \($0)") }
    }
    guard let library = place.library else { return text }
    var whole = StyledText("in \(library): ")
    whole.append(text)
    return whole
  }

  private static func text(of frame: ShownFrame, _ paint: SummaryPaint) -> StyledText? {
    guard let function = frame.readableFunction else {
      return frame.imageOffset.map {
        StyledText("\(shortened(frame.imageName, to: 40)) + \($0)", .strong)
      }
    }
    let name = StyledText(shortened(function, to: 160), .strong)
    guard let file = frame.shortFile else { return name }
    switch frame.lineKnowledge {
    case .line:
      guard let line = frame.line else { return name }
      var text = StyledText("\(file):\(line)", .place, link: paint.link(to: frame))
      text.append(" in ")
      text.append(name)
      return text
    case .zero:
      var text = name
      text.append(" in ")
      text.append(file, .place, link: paint.link(to: frame))
      return text
    case .none, .unknown: return name
    }
  }
}
