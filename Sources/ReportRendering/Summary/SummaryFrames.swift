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
    let limit = look.width.map { $0 < 60 ? 12 : $0 < 100 ? 20 : 30 } ?? 40
    let labels = rows.map { $0.frame.map { label(of: $0, limit, look) } }
    let numberWidth = labels.lazy.map { $0?.number.utf8.count ?? 0 }.max() ?? 0
    let imageWidth = min(30, labels.lazy.map { $0?.imageColumns ?? 0 }.max() ?? 0)
    return rows.enumerated().flatMap { index, row -> [StyledLine] in
      switch row {
      case .gap(let count):
        return [StyledLine("  … \(count) \(count == 1 ? "frame" : "frames") …", .faint)]
      case .repetition(let period, let times):
        return [
          StyledLine("  … these \(period) frames repeat \(times) times …", .strong)
        ]
      case .frame(let frame, let times):
        // Output that is not for a terminal has the same bytes as ever.
        let isMarked = index == siteIndex && look.isTerminal
        let style: TextStyle = paint.isFaint(frame) ? .faint : .plain
        let start = labels[index]?.text(numberWidth, imageWidth) ?? ""
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

  /// What stands before the content of a frame.
  private struct Label {
    /// Digits.
    let number: String
    let image: String
    let imageColumns: Int

    /// Aligned: the number to the right, the image to the left.
    func text(_ numberWidth: Int, _ imageWidth: Int) -> String {
      var text = ""
      text.reserveCapacity(numberWidth + image.utf8.count + imageWidth + 4)
      text += String(repeating: " ", count: numberWidth - number.utf8.count)
      text += number
      text += "  "
      text += image
      text += String(repeating: " ", count: max(0, imageWidth - imageColumns) + 2)
      return text
    }
  }

  private func label(of frame: ShownFrame, _ limit: Int, _ look: TerminalLook) -> Label {
    let number = areOutermostFirst ? frame.sampleCount ?? frame.index : frame.index
    let name = frame.imageName
    let image =
      look.width == nil ? shortened(name, to: 40) : FittedText.start(name, columns: limit)
    return Label(number: String(number), image: image, imageColumns: look.columns(of: image))
  }
}

extension ShownFrame {
  /// What stands for the function of a frame without one: the name as far as the text has it, or
  /// `0x1c646c000 + 395220`, or the address if the image is not known.
  var placeInImage: String {
    if let cutName { return cutName }
    guard let address else { return imageOffset.map { "+ \($0)" } ?? "address unknown" }
    guard let image, let offset = shownImageOffset else { return address.value.hexadecimal }
    return "\(image.loadAddress.value.hexadecimal) + \(offset)"
  }
}

extension ShownFrame.Location {
  /// What text shows of the file, cut if it is too long for a line. A path may be long, because its
  /// end says most.
  var shortFile: String? { shownFile.map { shortened($0, to: $0 == file ? 80 : 1000) } }
}

/// The rows of a shortened backtrace: frames, runs of frames that repeat, and gaps.
struct SummaryRows {
  package enum Row {
    /// A frame, and how many frames with the same function and line follow each other there.
    case frame(ShownFrame, times: Int)
    /// The frames of the rows before, so many, come that many times more: functions that call each
    /// other.
    case repetition(period: Int, times: Int)
    /// So many frames are left out here.
    case gap(Int)

    var frame: ShownFrame? { if case .frame(let frame, _) = self { frame } else { nil } }

    fileprivate var frameCount: Int {
      switch self {
      case .frame(_, let times): times
      case .repetition(let period, let times): period * times
      case .gap(let count): count
      }
    }
  }

  let rows: [Row]

  /// If there are too many rows, keeps the most useful: the first one with the calls inlined there,
  /// then those in the app's own images, then the first of the others. What is left out between
  /// them is a row, too.
  ///
  /// - Parameters:
  ///   - areOutermostFirst: whether the frames are a stack of a call tree. Of such a stack, the
  ///     innermost frames say most.
  ///   - hasOmissions: whether the report itself leaves frames out, which their numbers show.
  init(_ frames: [ShownFrame], areOutermostFirst: Bool, hasOmissions: Bool, limit: Int) {
    let all = hasOmissions ? Self.foldedBetweenOmissions(frames) : Self.folded(frames[...])
    rows = all.count <= limit ? all : Self.selected(all, areOutermostFirst, limit: max(2, limit))
  }

  // MARK: Repetitions

  private static func folded(_ frames: ArraySlice<ShownFrame>) -> [Row] {
    var rows: [Row] = []
    var next = frames.startIndex
    for run in FrameRepetitions(frames).runs {
      rows += frames[next..<run.start].map { .frame($0, times: 1) }
      if run.period == 1 {
        rows.append(.frame(frames[run.start], times: run.rounds))
      } else {
        rows += frames[run.start..<run.start + run.period].map { .frame($0, times: 1) }
        rows.append(.repetition(period: run.period, times: run.rounds - 1))
      }
      next = run.end
    }
    return rows + frames[next...].map { .frame($0, times: 1) }
  }

  /// Folds each run of consecutive frame numbers by itself. Missing numbers become gaps.
  private static func foldedBetweenOmissions(_ frames: [ShownFrame]) -> [Row] {
    frames.partsBetweenOmissions.flatMap { part in
      (part.missing > 0 ? [.gap(part.missing)] : []) + folded(part.frames)
    }
  }

  // MARK: Selection

  private static func selected(_ all: [Row], _ areOutermostFirst: Bool, limit: Int) -> [Row] {
    /// How many rows are further inside.
    func distance(_ index: Int) -> Int { areOutermostFirst ? all.count - 1 - index : index }
    let ranks = all.indices.map { rank(of: all[$0], at: distance($0)) }
    let order = all.indices.sorted { (ranks[$0], distance($0)) < (ranks[$1], distance($1)) }
    var isKept = [Bool](repeating: false, count: all.count)
    // Everything is one gap at first.
    var lineCount = 1
    func keep(_ index: Int) {
      let neighbours = [index - 1, index + 1].filter { all.indices.contains($0) && !isKept[$0] }
      // The row divides a gap, shortens it, or is all that it had.
      let change = neighbours.count
      guard lineCount + change <= limit else { return }
      isKept[index] = true
      lineCount += change
    }
    for index in order { keep(index) }
    // A gap of one row takes as much room as the row.
    for index in all.indices where !isKept[index] { keep(index) }
    var rows: [Row] = []
    var omitted = 0
    for index in all.indices {
      // A gap of the report joins its neighbours.
      if case .gap = all[index] { isKept[index] = false }
      guard isKept[index] else {
        omitted = omitted.addingReportingOverflow(all[index].frameCount).partialValue
        continue
      }
      if omitted > 0 { rows.append(.gap(omitted)) }
      omitted = 0
      rows.append(all[index])
    }
    return omitted > 0 ? rows + [.gap(omitted)] : rows
  }

  private static func rank(of row: Row, at distance: Int) -> Int {
    if distance == 0 { return 0 }
    guard let frame = row.frame else { return 1 }
    guard let image = frame.image else { return 2 }
    return image.belongsToSystem ? 2 : 1
  }
}
