import CrashLogParser

extension SymbolicatedReport {
  /// The backtrace that says most about the crash, among those with frames to show: where the
  /// exception was thrown, else the crashed thread, else the one that was seen in the most samples;
  /// the first of several.
  package func shownBacktrace(_ options: SymbolicationOptions) -> SymbolicatedBacktrace? {
    let candidates = backtraces.indices.filter { index in
      backtraces[index].isSelected && backtraces[index].frames.contains { $0.isShown(options) }
    }
    let shown = candidates.first { isOfException($0) } ?? candidates.first { isCrashed($0) }
    return (shown ?? mostSampled(candidates)).map { backtraces[$0] }
  }

  /// The backtrace in which the crash happened: its index among all backtraces, and among the
  /// selected ones. It is the one that `shownBacktrace` prefers, if it is known to belong to the
  /// crash. A report's only backtrace does.
  package func crashBacktrace() -> (index: Int, selectedIndex: Int)? {
    let selected = backtraces.indices.filter { backtraces[$0].isSelected }
    let filled = selected.enumerated().filter { !backtraces[$0.element].frames.isEmpty }
    let found =
      filled.first { isOfException($0.element) } ?? filled.first { isCrashed($0.element) }
      ?? (backtraces.count == 1 ? filled.first : nil)
    return found.map { (index: $0.element, selectedIndex: $0.offset) }
  }

  /// The index of the backtrace that a signature is made from, whether or not the options ask for
  /// it: of a crash the one in which it happened, of other events the one with the most samples.
  /// Nil if the report does not say which it is.
  package func signatureBacktrace() -> Int? {
    let filled = backtraces.indices.filter { !backtraces[$0].frames.isEmpty }
    let found = filled.first { isOfException($0) } ?? filled.first { isCrashed($0) }
    if found != nil || filled.count == 1 { return found ?? filled.first }
    let isCrash = source.facts.event == .crash
    return mostSampled(filled.filter { !isCrash || backtraces[$0].source.isCallTree })
  }

  /// The index, among the selected ones, of the backtrace that was seen in the most samples.
  package func mostSampledIndex(_ options: SymbolicationOptions) -> Int? {
    let selected = backtraces.indices.filter { backtraces[$0].isSelected }
    let found = mostSampled(
      selected.filter { index in backtraces[index].frames.contains { $0.isShown(options) } })
    return found.flatMap { selected.firstIndex(of: $0) }
  }

  private func mostSampled(_ candidates: [Int]) -> Int? {
    var most = candidates.first
    for index in candidates.dropFirst() {
      let count = backtraces[index].source.sampleCount ?? 0
      if let soFar = most, count > backtraces[soFar].source.sampleCount ?? 0 { most = index }
    }
    return most
  }

  private func isCrashed(_ index: Int) -> Bool { backtraces[index].source.isCrashed }

  /// Whether an uncaught exception was thrown there: the last exception, or the first backtrace
  /// that the application added.
  private func isOfException(_ index: Int) -> Bool {
    switch backtraces[index].source.kind {
    case .lastException: true
    case .applicationSpecific:
      index == backtraces.firstIndex { $0.source.kind == .applicationSpecific }
    case .thread, .digest: false
    }
  }
}
