import ReportFormats
import ReportModel
import SymbolicationModel

extension StatementReading {
  /// A message of Swift 5.3 and earlier, which has its place at the end, with the lines down to it:
  ///
  /// ```text
  /// Fatal error: No observable object of type Deck.Type found.
  /// A View.environmentObject(_:) for Deck.Type may be missing …: file …/Board.swift, line 161
  /// ```
  ///
  /// Nil if there is no place in the lines below.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core/AssertCommon.swift, and
  /// stdlib/public/stubs/Assert.cpp before and after version 5.3.
  mutating func ofSeveralLines(_ words: String, _ line: TextLine) -> String? {
    var text = words
    var next = line.next
    for _ in 0..<6 where next < source.count {
      let below = source.line(at: next)
      let range = source.trimmed(below.start..<below.end)
      guard below.end - below.start < 4096, source.logHeadEnd(range) == nil,
        !source.has("Fatal error: ", at: range.lowerBound, limit: range.upperBound)
      else { return nil }
      text += " \(source.string(range))"
      next = below.next
      guard source.find(".swift, line ", from: range.lowerBound, limit: range.upperBound) != nil
      else { continue }
      skipEnd = max(skipEnd, next)
      return text
    }
    return nil
  }
}
