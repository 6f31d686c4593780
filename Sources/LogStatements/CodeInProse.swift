import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

extension TextSource {
  /// The function that a sentence goes on to name as the place of an exception, in Markdown's marks
  /// of code, with the file and the line behind it:
  ///
  /// ```text
  /// … `EXC_BREAKPOINT (SIGTRAP) brk 1`, a Swift trap, inside `Board.turn(to:)` at `Board.swift:12`
  /// ```
  ///
  /// Nil if the sentence ends before, or the word in front of the mark says something else, such as
  /// `when calling`.
  ///
  /// Source: CommonMark 0.31.2, section 6.1 (code spans); how people write it:
  /// github.com/margelo/react-native-vision-camera, issue 3916.
  ///
  /// - Parameter start: where the kind of the exception ends.
  func functionInCode(from start: Int, _ limit: Int) -> FrameSymbol? {
    var position = start
    let sentenceEnd = min(limit, start + 240)
    while let mark = find("`", from: position, limit: sentenceEnd) {
      if find(". ", from: position, limit: mark) != nil { return nil }
      position = mark + 1
      guard isPlaceWord(before: mark, from: start),
        let close = find("`", from: mark + 1, limit: min(limit, mark + 512)),
        let name = functionInSentence(mark + 1..<close)
      else { continue }
      let place = placeInCode(from: close + 1, limit)
      return FrameSymbol(name: name, file: place?.file, line: place?.line)
    }
    return nil
  }

  /// Whether `in`, `inside`, `within` or `at` and a blank are before an offset.
  private func isPlaceWord(before mark: Int, from start: Int) -> Bool {
    Self.placeWords.contains { word in
      mark - word.utf8.count >= start && has(word, at: mark - word.utf8.count, limit: mark)
    }
  }

  private static let placeWords = [" in ", " inside ", " within ", " at "]

  /// `Board.swift` and 12 of `` at [`Board.swift:12`](https://…)``, which is a few signs behind an
  /// offset.
  private func placeInCode(from start: Int, _ limit: Int) -> (file: String, line: Int)? {
    guard let mark = find("`", from: start, limit: min(limit, start + 24)),
      find(". ", from: start, limit: mark) == nil,
      let close = find("`", from: mark + 1, limit: min(limit, mark + 256)),
      let colon = bytes[mark..<close].lastIndex(of: Ascii.colon),
      let (value, end) = decimal(at: colon + 1, limit: close), end == close,
      let number = value.flatMap({ Int(exactly: $0) }), number > 0
    else { return nil }
    let file = string(mark + 1..<colon)
    return file.contains(".") && !file.contains(" ") ? (file, number) : nil
  }
}
