import ReportSymbolication
import SymbolicationModel

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
