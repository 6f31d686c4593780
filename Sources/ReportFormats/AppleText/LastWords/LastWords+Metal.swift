import JsonReading
import ReportModel
import SymbolicationModel

extension LastWords {
  /// What Metal's checks of the API say, in code of Markdown or in a sentence, where people write
  /// other quotation marks:
  ///
  /// ```text
  /// -[MTLDebugRenderCommandEncoder setViewport:]:12: failed assertion `no viewport'
  /// It stops with `validateBoard:34: failed assertion 'no tile (2)'` now.
  /// ```
  ///
  /// Source: as people show them: github.com/google/filament, issue 5061; gfx-rs/wgpu, issue 2077;
  /// KhronosGroup/MoltenVK, issue 573; twilio/video-quickstart-ios, issue 141.
  static func metalAssertion(_ line: WordsLine) -> LastWords? {
    let source = line.source
    let sign = ": failed assertion "
    let limit = line.range.upperBound
    guard let found = line.find(sign), found + sign.utf8.count + 1 < limit else { return nil }
    let message = found + sign.utf8.count + 1
    let mark = source[message - 1]
    guard "`'\"".utf8.contains(mark) else { return nil }
    var number = found
    while number > line.start, Ascii.isDigit(source[number - 1]) { number -= 1 }
    guard number < found, number > line.start + 1, source[number - 1] == Ascii.colon,
      let start = functionStart(line, before: number - 1)
    else { return nil }
    // The mark that ends it is one that no letter follows, as in `doesn't`.
    let closing = mark == UInt8(ascii: "\"") ? mark : UInt8(ascii: "'")
    let end = (message..<limit).first { offset in
      source[offset] == closing && (offset + 1 == limit || !Ascii.isWord(source[offset + 1]))
    }
    let words = source.string(source.trimmed(message..<(end ?? limit)))
    guard !words.isEmpty else { return nil }
    return line.words(
      at: start, "\(source.string(start..<found)): failed assertion `\(words)'")
  }

  /// Where the name of a function begins that ends at an offset: a method in brackets, or one word.
  private static func functionStart(_ line: WordsLine, before end: Int) -> Int? {
    let source = line.source
    let limit = max(line.start, end - 512)
    var start = end
    if source[end - 1] == Ascii.closeBracket {
      guard let open = source.bytes[limit..<end].lastIndex(of: Ascii.openBracket), open > limit,
        "-+".utf8.contains(source[open - 1])
      else { return nil }
      start = open - 1
    } else {
      while start > limit, Ascii.isWord(source[start - 1]) || source[start - 1] == UInt8(ascii: "_")
      {
        start -= 1
      }
    }
    guard start < end, start == line.start || " `'\"(:>*".utf8.contains(source[start - 1]) else {
      return nil
    }
    return start
  }
}
