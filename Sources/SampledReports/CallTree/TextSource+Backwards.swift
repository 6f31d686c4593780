import JsonReading
import ReportModel

extension TextSource {
  /// The offset of the last `text` that starts at or after `start` and ends at or before `limit`.
  func findLast(_ text: String, from start: Int, limit: Int) -> Int? {
    guard let first = text.utf8.first else { return nil }
    var position = limit - text.utf8.count
    while position >= start {
      if self[position] == first, has(text, at: position, limit: limit) { return position }
      position -= 1
    }
    return nil
  }

  /// The parenthesis that the one at `close` closes; nil if there is none at or after `start`.
  package func openParenthesis(of close: Int, from start: Int) -> Int? {
    var depth = 0
    var position = close
    while position >= start {
      switch self[position] {
      case Ascii.closeParenthesis: depth += 1
      case Ascii.openParenthesis:
        depth -= 1
        if depth == 0 { return position }
      default: break
      }
      position -= 1
    }
    return nil
  }

  /// Splits `NAME + N` at the last plus; nil if no number follows it.
  func nameAndOffset(_ range: Range<Int>) -> (name: Range<Int>, offset: UInt64)? {
    guard let plus = findLast(" + ", from: range.lowerBound, limit: range.upperBound),
      let (offset, end) = number(at: plus + 3, limit: range.upperBound), end == range.upperBound
    else { return nil }
    return (range.lowerBound..<plus, offset)
  }

  /// Splits `FILE:LINE` or `FILE:LINE,COLUMN`. The line and the column are nil if there are none.
  func fileAndLine(_ range: Range<Int>) -> (file: Range<Int>, line: Int?, column: Int?) {
    guard let colon = findLast(":", from: range.lowerBound, limit: range.upperBound),
      colon > range.lowerBound, let (line, end) = number(at: colon + 1, limit: range.upperBound)
    else { return (range, nil, nil) }
    let file = range.lowerBound..<colon
    if end == range.upperBound { return (file, Int(exactly: line), nil) }
    guard self[end] == Ascii.comma,
      let (column, last) = number(at: end + 1, limit: range.upperBound), last == range.upperBound
    else { return (range, nil, nil) }
    return (file, Int(exactly: line), Int(exactly: column))
  }
}
