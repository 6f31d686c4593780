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
      let place = placeInSentence(from: close + 1, limit)
      return FrameSymbol(name: name, file: place?.file, line: place?.line)
    }
    return nil
  }

  /// Whether `in`, `inside`, `within` or `at` and a blank are before an offset, with the signs of
  /// bold text or of a link between.
  private func isPlaceWord(before mark: Int, from start: Int) -> Bool {
    var end = mark
    while end > start, mark - end < 3, "*[".utf8.contains(self[end - 1]) { end -= 1 }
    return Self.placeWords.contains { word in
      end - word.utf8.count >= start && has(word, at: end - word.utf8.count, limit: end)
    }
  }

  private static let placeWords = [" in ", " inside ", " within ", " at "]

  /// `Board.swift` and 12 of `` at [`Board.swift:12`](https://…)`` or ` (Board.swift:12)`, which is
  /// a few signs behind an offset.
  func placeInSentence(from start: Int, _ limit: Int) -> (file: String, line: Int)? {
    var position = start
    // Signs and the word `at` only.
    while position < min(limit, start + 12), " `*[(,)".utf8.contains(self[position]) {
      position += 1
    }
    if has("at ", at: position, limit: limit) {
      position += 3
      while position < min(limit, start + 16), "`*[(".utf8.contains(self[position]) {
        position += 1
      }
    }
    let file = bytes[position..<min(limit, position + 256)].prefix { byte in
      byte > Ascii.space && byte != Ascii.colon && byte != UInt8(ascii: "`")
    }
    guard file.count > 2, file.contains(UInt8(ascii: ".")),
      has(":", at: file.endIndex, limit: limit),
      let value = decimal(at: file.endIndex + 1, limit: limit)?.value,
      let line = Int(exactly: value), line > 0
    else { return nil }
    return (string(position..<file.endIndex), line)
  }
}
