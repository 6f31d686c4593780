import ReportSymbolication

/// How far a run over directories is, on a terminal.
struct RunProgress {
  private let line: ProgressLine?
  private let total: Int
  private let start = ProgressLine.nanoseconds
  private var done = 0

  /// - Parameter isShown: whether there may be enough to do that somebody waits.
  init(total: Int, isShown: Bool) {
    self.total = total
    line = isShown ? ProgressLine(title: "") : nil
  }

  /// One more input is done. Most calls write nothing.
  mutating func advance() {
    done += 1
    guard let line else { return }
    let progress = RunProgressText(
      done: done, total: total, nanoseconds: ProgressLine.nanoseconds &- start)
    line.showInTime { progress.text }
  }

  func clear() { line?.clear() }
}
