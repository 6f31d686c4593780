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
