import JsonReading
package import ReportModel

// The first look at JSON in a text.

extension TextSource {
  /// Whether a list begins at `offset`, and not a time in brackets, as in a log: `[12:34:56] `.
  package func beginsList(at offset: Int, limit: Int) -> Bool {
    guard self[offset] == Ascii.openBracket else { return false }
    var position = skipSeparators(from: offset + 1, limit: limit)
    guard position < limit else { return true }
    switch self[position] {
    case Ascii.openBrace, Ascii.openBracket, Ascii.quote, Ascii.closeBracket: return true
    default:
      while Ascii.isDigit(self[position]) { position += 1 }
      if self[position] == Ascii.comma { return true }
      return self[position] == Ascii.closeBracket
        && trimEnd(from: position, to: limit) == position + 1
    }
  }

  /// Whether an object, or a list of objects, begins at `offset`.
  package func beginsObject(at offset: Int, limit: Int) -> Bool {
    if self[offset] == Ascii.openBrace { return true }
    return self[offset] == Ascii.openBracket
      && self[skipSeparators(from: offset + 1, limit: limit)] == Ascii.openBrace
  }

  /// Whether an object begins with this line, or a list of objects.
  func beginsDocument(_ line: TextLine) -> Bool {
    let next = skipSeparators(from: line.start + 1, limit: line.end)
    switch self[line.start] {
    case Ascii.openBrace: return next == line.end || self[next] == Ascii.quote
    case Ascii.openBracket: return next == line.end || self[next] == Ascii.openBrace
    default: return false
    }
  }

  /// The value of the first `"bug_type"`. It is searched for as text, because some reports were
  /// edited and are no longer valid JSON.
  package func bugType(_ range: Range<Int>) -> String {
    let limit = range.upperBound
    guard let key = find("\"bug_type\"", from: range.lowerBound, limit: limit) else { return "" }
    var position = skipSeparators(from: key + 10, limit: limit)
    guard position < limit, self[position] == Ascii.colon else { return "" }
    position = skipSeparators(from: position + 1, limit: limit)
    if self[position] == Ascii.quote { position += 1 }
    var end = position
    while end < limit, ![Ascii.quote, UInt8(ascii: ","), UInt8(ascii: "}")].contains(self[end]) {
      end += 1
    }
    return string(position..<end)
  }

  func firstTextLine(after line: TextLine) -> TextLine? {
    var next = line.next
    while next < count {
      let line = self.line(at: next)
      if !isBlank(line) { return line }
      next = line.next
    }
    return nil
  }
}
