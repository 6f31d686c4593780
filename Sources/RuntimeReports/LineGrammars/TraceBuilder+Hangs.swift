import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// What crash SDKs say above the stack of an app that hung, which did not crash:
///
/// ```text
/// App Hang: The app's main thread failed to respond to an event within 2000 milliseconds
/// App Hanging: App hanging for at least 2000 ms.
/// ```
///
/// Source: github.com/bugsnag/bugsnag-cocoa, Bugsnag/Client/BugsnagClient.m;
/// getsentry/sentry-cocoa, Sources/Sentry/SentryANRTrackingIntegration.m (the types `App Hanging`,
/// `App Hang Fully Blocked`, `Fatal App Hang Fully Blocked`).
extension TraceBuilder {
  /// Takes such a line, if it is among the few that stand above the first frame.
  ///
  /// - Parameters:
  ///   - line: the first frame.
  ///   - floor: above it lines are of the head of the same report, or of another one.
  mutating func takeHang(above line: TextLine, _ floor: Int) {
    guard facts.exception.type == nil, facts.exception.signal == nil else { return }
    var current = line
    for _ in 0..<8 {
      guard let above = source.lineAbove(current), above.end - above.start < 512 else { return }
      current = above
      let range = source.trimmed(above.start..<above.end, leading: " \t>*#`", trailing: " \t*`")
      guard let message = hangMessage(range) else {
        // What stands there is of another report, or its head.
        if above.start < floor, !range.isEmpty { return }
        continue
      }
      facts.event = .hang
      facts.eventExtent = facts.eventExtent ?? extent(of: message)
      if !message.isEmpty {
        let text = source.string(message)
        facts.applicationInformation.removeAll { $0.hasSuffix(text) }
        facts.applicationInformation.append(text)
      }
      (facts.exception.name, facts.exception.reason) = (nil, nil)
      if above.start >= floor { start = min(start, above.start) }
      return
    }
  }

  /// What a line says about the hang, which may be nothing more than that; nil for other lines.
  private func hangMessage(_ range: Range<Int>) -> Range<Int>? {
    func begins(_ text: String) -> Bool {
      source.has(text, at: range.lowerBound, limit: range.upperBound)
    }
    if Self.messages.contains(where: begins) { return range }
    guard let title = Self.titles.first(where: begins) else { return nil }
    let end = range.lowerBound + title.utf8.count
    let rest = source.trimmed(end..<range.upperBound, leading: " \t:*`·-", trailing: " \t")
    // Not the words of a sentence, such as `App Hang is what I see`.
    let isMessage = Self.messages.contains {
      source.has($0, at: rest.lowerBound, limit: rest.upperBound)
    }
    return rest.isEmpty || isMessage ? rest : nil
  }

  /// `at least 2000 ms` of `… within 2000 milliseconds`.
  private func extent(of message: Range<Int>) -> String? {
    for unit in [" milliseconds", " ms"] {
      guard let end = source.find(unit, from: message.lowerBound, limit: message.upperBound) else {
        continue
      }
      var start = end
      while start > message.lowerBound, end - start < 8, Ascii.isDigit(source[start - 1]) {
        start -= 1
      }
      if start < end { return "at least \(source.string(start..<end)) ms" }
    }
    return nil
  }

  /// Longer ones first.
  private static let titles = [
    "Fatal App Hang Non Fully Blocked", "Fatal App Hang Fully Blocked",
    "App Hang Non Fully Blocked", "App Hang Fully Blocked", "App Hanging", "App Hang",
  ]
  private static let messages = [
    "The app was terminated while unresponsive", "The app's main thread failed to respond",
    "App hanging for at least ", "App hanging between ", "The user or the OS watchdog terminated",
  ]
}

extension TraceBuilder {
  /// How many lines in a row may be none of the trace: as many as are looked at for its first frame
  /// below the line that says that a thread crashed.
  var looseLimit: Int {
    let limit = grammar.traits.looseLimit
    guard grammar.format == .bareNames, let open, open.isCrashed, open.frames.isEmpty else {
      return limit
    }
    return limit + 8
  }

  /// Whether a debugger's stop says how the process ended: the first one that does, or a later one
  /// in a log with several. What is known of the others is forgotten: the process went on.
  ///
  /// ```text
  /// * thread #1, name = 'board', stop reason = signal SIGSTOP
  ///     frame #0: 0x0000560e1f2b1f80 board`main at main.swift:3 [opt]
  /// (lldb) c
  /// Process 812 stopped
  /// * thread #4, stop reason = signal SIGSEGV: invalid address (fault address: 0x8)
  /// ```
  ///
  /// A debugger that goes on from an exception gets its signal next, at the same place.
  ///
  /// Source: llvm-project, lldb: source/Target/UnixSignals.cpp (which signals stop a process);
  /// source/Commands/CommandObjectProcess.cpp (`Process 812 stopped`).
  mutating func isFirst(_ stop: String, _ line: Range<Int>) -> Bool {
    let exception = facts.exception
    guard grammar.format == .lldbBacktrace, exception.isKnown,
      stop.hasPrefix("EXC_") || stop.hasPrefix("signal ")
    else { return exception.type == nil }
    var next = ReportFacts.CrashException()
    next.take(stop: stop)
    let isLater =
      !next.isPassingSignal && next != exception
      && (exception.isPassingSignal
        || isBelowStop(line) && (exception.type == nil || next.type != nil))
    guard isLater else { return false }
    facts.exception = ReportFacts.CrashException()
    // One at most is.
    if let index = backtraces.firstIndex(where: \.isCrashed) {
      backtraces[index] = backtraces[index].mapping(isCrashed: false) { $0 }
    }
    return true
  }

  /// Whether the line above says that the process stopped, which it does once for each stop.
  private func isBelowStop(_ line: Range<Int>) -> Bool {
    guard let above = source.lineAbove(source.line(at: source.lineStart(of: line.lowerBound))),
      above.end - above.start < 128
    else { return false }
    return source.find("Process ", from: above.start, limit: above.end) != nil
      && source.find(" stopped", from: above.start, limit: above.end) != nil
  }
}

extension ReportFacts.CrashException {
  /// Whether it is nothing but a signal that ends no process, or with which a debugger attaches.
  fileprivate var isPassingSignal: Bool {
    guard type == nil, let signal else { return false }
    return [
      "SIGSTOP", "SIGTSTP", "SIGCONT", "SIGCHLD", "SIGINT", "SIGUSR1", "SIGUSR2", "SIGURG",
      "SIGWINCH", "SIGPIPE", "SIGALRM", "SIGPROF",
    ].contains(signal)
  }
}
