import JsonReading
import ReportFormats
import ReportModel

/// The line that Swift's standard library prints before it stops the program, a few lines above the
/// backtrace: `Game/Board.swift:12: Fatal error: Index out of range`.
enum FatalErrorLine {
  /// The nearest such line above the line that starts at `offset`, without colours and white space
  /// at its ends.
  ///
  /// Other threads may print in between, so a few other lines may follow it. It is not looked for
  /// above an earlier backtrace.
  ///
  /// - Parameter prefixWidth: the number of bytes that a log puts before each line.
  /// - Complexity: reads at most a few lines of 4 KB.
  static func nearest(_ source: TextSource, above offset: Int, prefixWidth: Int = 0) -> String? {
    var end = offset
    var remaining = 4
    for _ in 0..<16 where end > source.textStart && remaining > 0 {
      // The line end before this line.
      end -= 1
      var start = end
      while start > source.textStart, source[start - 1] != Ascii.lineFeed {
        start -= 1
        if end - start > longestLine { return nil }
      }
      let line = source.line(at: start)
      end = start
      let plain = PlainLine(source, line, prefixWidth: prefixWidth)
      guard plain.start < plain.end else { continue }
      func has(_ words: String) -> Bool {
        plain.text.find(words, from: plain.start, limit: plain.end) != nil
      }
      if has("Backtrace took ") { return nil }
      if failures.contains(where: has) {
        let text = plain.text.string(plain.text.trimmed(plain.start..<plain.end))
        let error = text.hasSuffix(":") ? source.indentedError(below: line, prefixWidth) : nil
        return error.map { "\(text) \($0)" } ?? text
      }
      // The runtime's own remarks about threads, and what goes on from the line above.
      let isIndented = [Ascii.space, Ascii.tab].contains(plain.text[plain.start])
      if !isIndented, !has("swift-runtime: ") { remaining -= 1 }
    }
    return nil
  }

  private static let longestLine = 4096

  /// Source: github.com/swiftlang/swift, stdlib/public/core/Assert.swift.
  private static let failures = ["Fatal error", "Precondition failed", "Assertion failed"]
}
