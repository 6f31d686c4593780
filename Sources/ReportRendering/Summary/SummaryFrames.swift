import ReportSymbolication
import SymbolicationModel
import Wording

/// A shortened backtrace with one line for each frame, for a run of frames that repeat, or for
/// those that are left out.
struct SummaryFrames {
  private let rows: [SummaryRows.Row]
  /// The index in `rows` of the frame with source lines below it.
  private let explainedIndex: Int?
  /// The index in `rows` of the frame of the headline.
  private let siteIndex: Int?
  /// Whether the frames are those of a call tree. Their counts are then in place of their numbers.
  private let areOutermostFirst: Bool

  /// - Parameters:
  ///   - areOutermostFirst: whether the frames are a stack of a call tree.
  ///   - hasOmissions: whether the report leaves frames out.
  ///   - lineLimit: the greatest number of lines, not counting source lines.
  ///   - crashSite: the frame that says most about the crash.
  init(
    _ frames: [ShownFrame], areOutermostFirst: Bool = false, hasOmissions: Bool = false,
    lineLimit: Int, crashSite: ShownFrame?
  ) {
    self.areOutermostFirst = areOutermostFirst
    let rows =
      SummaryRows(
        frames, areOutermostFirst: areOutermostFirst, hasOmissions: hasOmissions, limit: lineLimit
      ).rows
    self.rows = rows
    let withSource = rows.indices.filter { index in
      guard let frame = rows[index].frame else { return false }
      return frame.source != nil && frame.image?.belongsToSystem != true
    }
    func isAtSite(_ index: Int) -> Bool {
      rows[index].frame?.index == crashSite?.index
        && rows[index].frame?.address == crashSite?.address
    }
    explainedIndex = withSource.first(where: isAtSite) ?? withSource.first
    siteIndex = crashSite.flatMap { site in
      rows.indices.first { isAtSite($0) && rows[$0].frame?.isInlined == site.isInlined }
    }
  }

  /// `  0  Letter Shuffle  GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)`, with
  /// source lines below the frame that says most about the crash, or else below the first of the
  /// app's own frames that has any.
  ///
  /// - Parameter paint: how the lines look.
  func lines(_ paint: SummaryPaint) -> [StyledLine] {
    let look = paint.look
    let frames = rows.compactMap(\.frame)
    let indexWidth = frames.map { number(of: $0).count }.max() ?? 0
    let limit = look.width.map { $0 < 60 ? 12 : $0 < 100 ? 20 : 30 } ?? 40
    let images = frames.map { name(ofImage: $0.imageName, limit, look) }
    let imageWidth = min(30, images.map { look.columns(of: $0) }.max() ?? 0)
    return rows.enumerated().flatMap { index, row -> [StyledLine] in
      switch row {
      case .gap(let count):
        return [StyledLine("  … \(count) \(count == 1 ? "frame" : "frames") …", .faint)]
      case .repetition(let period, let times):
        return [
          StyledLine("  … these \(period) frames repeat \(times) times …", .strong)
        ]
      case .frame(let frame, let times):
        let image = name(ofImage: frame.imageName, limit, look)
        let number = number(of: frame)
        let indent = String(repeating: " ", count: indexWidth - number.count)
        let padding = String(repeating: " ", count: max(0, imageWidth - look.columns(of: image)))
        let start = "\(indent)\(number)  \(image)\(padding)  "
        // Output that is not for a terminal has the same bytes as ever.
        let isMarked = index == siteIndex && look.isTerminal
        let style: TextStyle = paint.isFaint(frame) ? .faint : .plain
        var line = StyledText(isMarked ? "> " : "  ", isMarked ? .alarm : style)
        line.append(start, style)
        let room = look.width.map { max(0, $0 - look.columns(of: start) - 2) }
        line.append(paint.content(of: frame, times: times, columns: room))
        let source = index == explainedIndex ? frame.source?.shownLines ?? [] : []
        return [StyledLine(line, .cut)]
          + source.map { text in
            StyledLine(StyledText(text, text.hasPrefix("      > ") ? .strong : .faint), .cut)
          }
      }
    }
  }

  private func name(ofImage name: String, _ limit: Int, _ look: TerminalLook) -> String {
    look.width == nil ? shortened(name, to: 40) : FittedText.start(name, columns: limit)
  }

  private func number(of frame: ShownFrame) -> String {
    String(areOutermostFirst ? frame.sampleCount ?? frame.index : frame.index)
  }
}

extension ShownFrame {
  /// What stands for the function of a frame without one: `0x1c646c000 + 395220`, or the address if
  /// the image is not known.
  var placeInImage: String {
    guard let address else { return imageOffset.map { "+ \($0)" } ?? "address unknown" }
    guard let image, let imageOffset else { return address.value.hexadecimal }
    return "\(image.loadAddress.value.hexadecimal) + \(imageOffset)"
  }

  /// What text shows of the file, cut if it is too long for a line. A path may be long, because its
  /// end says most.
  var shortFile: String? { shownFile.map { shortened($0, to: $0 == file ? 80 : 1000) } }
}
