import CrashLogParser

/// What a report says of a backtrace beside its frames.
struct BacktraceHeading {
  /// The thread's number, or that of an application's backtrace; nil where the report has none.
  var number: Int?
  /// The thread's name.
  var name: String?
  /// The label of the dispatch queue that the thread worked for.
  var queue: String?
  /// Whether it is the thread that crashed.
  var isCrashed = false
}

extension SymbolicatedReport {
  func heading(of backtrace: SymbolicatedBacktrace) -> BacktraceHeading {
    switch (backtrace.kind, source) {
    case (.lastException, _): return BacktraceHeading()
    case (.applicationSpecific(let place), .text(let report)):
      let backtraces = report.applicationSpecificBacktraces
      guard backtraces.indices.contains(place) else { return BacktraceHeading() }
      return BacktraceHeading(number: backtraces[place].number)
    case (_, .swiftBacktrace(let report)): return BacktraceHeading(backtrace.kind, of: report)
    case (.applicationSpecific(let place), .ips): return BacktraceHeading(number: place)
    case (.thread(let place), .text(let report)):
      guard report.threads.indices.contains(place) else { return BacktraceHeading() }
      let thread = report.threads[place]
      return BacktraceHeading(
        number: thread.number, name: thread.name, queue: thread.dispatchQueue,
        isCrashed: report.crashedThread?.byteRange == thread.byteRange)
    case (.thread(let place), .ips(let report)):
      guard report.threads.indices.contains(place) else { return BacktraceHeading() }
      let thread = report.threads[place]
      return BacktraceHeading(
        number: thread.index, name: thread.name, queue: thread.dispatchQueue,
        isCrashed: report.crashedThread?.index == thread.index)
    }
  }
}
