import CodeOwnership
import CrashLogParser
import CrashReading
import ReportSymbolication
import Wording

/// How the frames and the headline of a summary look: the app's own functions stand out, those of
/// the operating system do not.
struct SummaryPaint {
  let look: TerminalLook
  private let owners: CodeOwners?
  private let links: SourceLinks?

  init(_ report: SymbolicatedReport, _ options: SymbolicationOptions, _ look: TerminalLook) {
    self.look = look
    // Whose code it is costs time, and plain text does not show it.
    owners = look.hasColors ? CodeOwners(of: report, options.codePatterns) : nil
    links = SourceLinks(look)
  }

  func isFaint(_ frame: ShownFrame) -> Bool { owners?.owner(of: frame) == .system }

  func link(to frame: ShownFrame) -> String? {
    // Putting a place together takes longer than asking whether it is wanted.
    links.flatMap { $0.link(to: frame.path ?? frame.file) }
  }

  /// `GameData.rounds.unsafeMutableAddressor (GameData.swift:14)`
  ///
  /// - Parameters:
  ///   - times: how many frames the line stands for.
  ///   - columns: the room; nil if nobody counts.
  package func content(of frame: ShownFrame, times: Int, columns: Int?) -> StyledText {
    let owner = owners?.owner(of: frame)
    let nameStyle: TextStyle = owner == .user ? .strong : owner == .system ? .faint : .plain
    let otherStyle: TextStyle = owner == .system ? .faint : .plain
    let readable = frame.readableFunction
    let end =
      (frame.isInlined && readable != nil ? " [inlined]" : "") + (times > 1 ? " × \(times)" : "")
    guard let function = readable, !frame.isFarFromNamedFunction else {
      return StyledText(frame.placeInImage + end, nameStyle)
    }
    var name = columns == nil ? FittedText.function(function, columns: 160) : function
    let location = frame.location
    var place = location.shortFile.map { file in
      location.line.map { "\(file):\($0)" } ?? file
    }
    // Code that the compiler generated has no place that anyone could look at.
    let isGenerated = location.lineKnowledge == .none
    if let columns {
      let rest = columns - look.columns(of: end)
      if isGenerated, let whole = place, look.columns(of: name + whole) + 3 > rest { place = nil }
      (name, place) = FittedText.frame(name, place, columns: rest)
    }
    var text = StyledText(name, nameStyle)
    if let place {
      text.append(" (", otherStyle)
      text.append(place, owner != .system && !isGenerated ? .place : .faint, link: link(to: frame))
      text.append(")", otherStyle)
    }
    text.append(end, times > 1 ? nameStyle : otherStyle)
    return text
  }
}
