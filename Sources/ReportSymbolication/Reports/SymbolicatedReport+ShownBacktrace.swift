extension SymbolicatedReport {
  /// What tells most of the crash: where the exception was thrown, else the crashed thread, else the
  /// first backtrace there is. Of those with frames to show.
  func shownBacktrace(_ options: SymbolicationOptions) -> SymbolicatedBacktrace? {
    let candidates = backtraces.filter { backtrace in
      backtrace.isSelected && backtrace.frames.contains { $0.isShown(options) }
    }
    return candidates.first(where: \.isOfException)
      ?? candidates.first { heading(of: $0).isCrashed } ?? candidates.first
  }

  /// Where in the JSON's `backtraces` the one is in which the crash happened, and it: the one that
  /// `shownBacktrace` prefers, if it is known to be of the crash. A single one is.
  func crashBacktrace() -> (place: Int, backtrace: SymbolicatedBacktrace)? {
    let selected = backtraces.filter(\.isSelected)
    let filled = selected.enumerated().filter { !$0.element.frames.isEmpty }
    let found =
      filled.first { $0.element.isOfException }
      ?? filled.first { heading(of: $0.element).isCrashed }
      ?? (backtraces.count == 1 ? filled.first : nil)
    return found.map { (place: $0.offset, backtrace: $0.element) }
  }
}

extension SymbolicatedBacktrace {
  /// Whether it is where an exception was thrown that nobody caught.
  fileprivate var isOfException: Bool { kind == .lastException || kind == .applicationSpecific(0) }
}
