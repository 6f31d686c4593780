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
    let end =
      (frame.isInlined && frame.readableFunction != nil ? " [inlined]" : "")
      + (times > 1 ? " × \(times)" : "")
    guard let function = frame.readableFunction, !frame.isFarFromNamedFunction else {
      return StyledText(frame.placeInImage + end, nameStyle)
    }
    var name = columns == nil ? FittedText.function(function, columns: 160) : function
    let location = frame.location
    var place = frame.shortFile.map { file in "\(file)\(location.line.map { ":\($0)" } ?? "")" }
    if let columns {
      let rest = columns - look.columns(of: end)
      // Code that the compiler generated has no place that anyone could look at.
      if frame.lineKnowledge == .none, let whole = place,
        look.columns(of: name + whole) + 3 > rest
      {
        place = nil
      }
      // The place says more than the types in front of a name and its arguments.
      let placeWidth = place.map { look.columns(of: $0) + 3 } ?? 0
      let narrow = max(Self.leastNameWidth, rest - placeWidth)
      var short = FittedText.function(name, columns: narrow, betweenWords: false)
      if short.hasSuffix("…"), short != name {
        // The name would end in its middle: rather the place begins later.
        let least = min(placeWidth, Self.leastPlaceWidth + 3)
        let longer = FittedText.function(
          name, columns: max(Self.leastNameWidth, rest - least), betweenWords: false)
        short = longer.hasSuffix("…") ? FittedText.function(name, columns: narrow) : longer
      }
      let room = rest - look.columns(of: short) - 3
      if room >= min(placeWidth - 3, Self.leastPlaceWidth) {
        name = short
        place = place.map { FittedText.end(ofPath: $0, columns: max(1, room)) }
      } else {
        name = FittedText.function(name, columns: max(1, rest))
        place = nil
      }
    }
    var text = StyledText(name, nameStyle)
    if let place {
      text.append(" (", otherStyle)
      let isPlace = owner != .system && frame.lineKnowledge != .none
      text.append(place, isPlace ? .place : .faint, link: link(to: frame))
      text.append(")", otherStyle)
    }
    text.append(end, times > 1 ? nameStyle : otherStyle)
    return text
  }

  /// The columns that a name may take beside a long path.
  private static let leastNameWidth = 12
  /// The columns of the end of a place that says something: `…t:18`.
  private static let leastPlaceWidth = 5
}
