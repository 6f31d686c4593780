import SymbolicationModel

/// The rows of a shortened backtrace: frames, runs of frames that repeat, and gaps.
struct SummaryRows {
  enum Row {
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

  /// Joins frames that repeat at least three times in a row: one with the same function, file and
  /// line, or up to eight that follow each other in the same order.
  private static func folded(_ frames: ArraySlice<ShownFrame>) -> [Row] {
    let kinds = kinds(of: frames)
    var rows: [Row] = []
    var start = 0
    while start < kinds.count {
      let (period, rounds) = repetition(kinds, from: start) ?? (1, 1)
      let first = frames.startIndex + start
      if period == 1 {
        rows.append(.frame(frames[first], times: rounds))
      } else {
        rows += frames[first..<first + period].map { .frame($0, times: 1) }
        rows.append(.repetition(period: period, times: rounds - 1))
      }
      start += period * rounds
    }
    return rows
  }

  /// Folds each run of consecutive frame numbers by itself. Missing numbers become gaps.
  private static func foldedBetweenOmissions(_ frames: [ShownFrame]) -> [Row] {
    var rows: [Row] = []
    var start = 0
    for index in frames.indices.dropFirst() {
      // Numbers come from the report.
      let (missing, overflow) = frames[index].index.subtractingReportingOverflow(
        frames[index - 1].index)
      guard !overflow, missing > 1 else { continue }
      rows += folded(frames[start..<index]) + [.gap(missing - 1)]
      start = index
    }
    return rows + folded(frames[start...])
  }

  private static let fewestRounds = 3
  private static let longestPeriod = 8

  /// The shortest period that repeats from `start` on, and how often.
  private static func repetition(_ kinds: [Kind], from start: Int) -> (period: Int, rounds: Int)? {
    let longest = min(longestPeriod, (kinds.count - start) / fewestRounds)
    guard longest > 0 else { return nil }
    for period in 1...longest {
      var end = start + period
      while end < kinds.count, kinds[end] == kinds[end - period] { end += 1 }
      let rounds = (end - start) / period
      if rounds >= fewestRounds { return (period, rounds) }
    }
    return nil
  }

  /// What a frame shows.
  private struct Kind: Equatable {
    let line: Int?
    let isInlined: Bool
    let function: String?
    let file: String?
    /// Of a frame without a function: where it is. Nothing says whether frames without an address
    /// are the same, so they have numbers of their own.
    let place: UInt64?
  }

  private static func kinds(of frames: ArraySlice<ShownFrame>) -> [Kind] {
    frames.indices.map { index in
      let frame = frames[index]
      let function = frame.function
      let location = frame.location
      return Kind(
        line: location.line, isInlined: frame.isInlined, function: function, file: location.file,
        place: function == nil ? frame.address?.value ?? UInt64(index) : nil)
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
