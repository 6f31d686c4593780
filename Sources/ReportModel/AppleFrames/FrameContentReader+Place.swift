import JsonReading
import SymbolicationModel

extension FrameContentReader {
  /// A place in source code behind a symbol.
  struct Place {
    /// Where its parenthesis opens.
    let open: Int
    /// May be empty.
    let file: ByteSpan
    /// May be -1. Nil for `(<compiler-generated>)`.
    let line: Int?
    var column: Int?
  }

  /// ` (file:line)` or ` (file:line:column)` at the end, or ` (<compiler-generated>)`.
  func fileAndLine(from start: Int, to end: Int) -> Place? {
    guard end - start >= 4, source[end - 1] == Ascii.closeParenthesis else { return nil }
    if let open = generatedCode(from: start, to: end) {
      return Place(open: open, file: ByteSpan(open + 1, end - 1), line: nil)
    }
    guard let place = fileAndLine(from: start, to: end, numberEnd: end - 1) else { return nil }
    guard let column = place.line, column >= 0 else { return place }
    let fileEnd = place.file.upperBound
    // `Board.swift:12:7`: what looks like a file ends with the line.
    guard fileEnd > place.file.lowerBound, Ascii.isDigit(source[fileEnd - 1]),
      var whole = fileAndLine(from: start, to: end, numberEnd: fileEnd), !whole.file.isEmpty,
      whole.line.map({ $0 >= 0 }) == true
    else { return place }
    whole.column = whole.line == 0 || column == 0 ? nil : column
    return whole
  }

  /// Where the parenthesis of ` (<compiler-generated>)` opens, which some tools write without a
  /// line.
  private func generatedCode(from start: Int, to end: Int) -> Int? {
    for mark in ["(<compiler-generated>)", "(/<compiler-generated>)"] {
      let open = end - mark.utf8.count
      if open > start, source.has(mark, at: open, limit: end) { return open }
    }
    return nil
  }

  /// - Parameter numberEnd: where the number of the line ends.
  private func fileAndLine(from start: Int, to end: Int, numberEnd: Int) -> Place? {
    var position = numberEnd
    while position > start, Ascii.isDigit(source[position - 1]) { position -= 1 }
    let digits = position
    guard digits < numberEnd, let (value, _) = source.number(at: digits, limit: numberEnd) else {
      return nil
    }
    var isNegative = false
    if position > start, source[position - 1] == Ascii.minus {
      isNegative = true
      position -= 1
    }
    guard position > start, source[position - 1] == Ascii.colon, let line = Int(exactly: value),
      let open = openParenthesis(ofFileEndingAt: position - 1, from: start)
    else { return nil }
    return Place(
      open: open, file: ByteSpan(open + 1, position - 1), line: isNegative ? -line : line)
  }

  /// Where the parenthesis around the file opens. A path may contain parentheses, closed or not, so
  /// this is the last one after ` + n`. Without ` + n` it is the last one, unless the file name
  /// would then contain a parenthesis: then it is the one that balances the parentheses of an
  /// absolute path.
  private func openParenthesis(ofFileEndingAt fileEnd: Int, from start: Int) -> Int? {
    var isSimple = true
    var depth = 0
    var evenOne: Int?
    var position = fileEnd
    while position > start {
      position -= 1
      if source[position] == Ascii.closeParenthesis {
        isSimple = false
        depth += 1
      } else if source[position] == Ascii.openParenthesis {
        if offsetAtEnd(from: start, to: source.trimEnd(from: start, to: position)) != nil {
          return position
        }
        if depth > 0 {
          depth -= 1
        } else if evenOne == nil, isSimple || source[position + 1] == UInt8(ascii: "/") {
          evenOne = position
        }
      }
    }
    return evenOne
  }
}
