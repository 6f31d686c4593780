import JsonReading
import ReportModel
import SymbolicationModel

// What checkers print that a program runs under.
extension LastWords {
  /// Of the checker of the main thread, and of Metal, behind the head of a log and the category of
  /// the message: `2026-01-01 10:00:00.000+0100 Board[812:4] [reports] Main Thread Checker: UI API
  /// called on a background thread: -[UIView setNeedsLayout]`.
  ///
  /// Source: developer.apple.com/documentation/xcode/diagnosing-memory-thread-and-crash-issues-early;
  /// the category as people show it (github.com/MessageKit/MessageKit, issue 1466).
  static func checkerInLog(_ line: WordsLine) -> LastWords? {
    let source = line.source
    guard var start = source.logHeadEnd(line.range), start < line.range.upperBound else {
      return nil
    }
    if source[start] == Ascii.openBracket,
      let close = source.find("] ", from: start, limit: min(line.range.upperBound, start + 64))
    {
      start = source.skipSeparators(from: close + 2, limit: line.range.upperBound)
    }
    return start < line.range.upperBound ? failedAssertion(line.from(start)) : nil
  }
}
