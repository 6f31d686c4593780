import JsonReading
import ReportModel
import SymbolicationModel

/// The frames of a stack as an array on one line, as `print(Thread.callStackSymbols)` shows them in
/// Swift:
///
/// ```text
/// ["0   App  0x0000000104a1c2f0 $s3App4PageV4loadyyF + 84", "1   App  0x0000000104a1c100 …"]
/// ```
struct FrameListWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    // What is between two elements is the end of a line, also of one that is added.
    var text = UnwrappedText(of: source.bytes) { text in
      text.flatMap { [Ascii.quote, Ascii.backslash].contains($0) ? [Ascii.backslash, $0] : [$0] }
    }
    var copied = source.textStart
    var position = source.textStart
    var isInList = false
    while position < source.count {
      let quote = source.bytes.span.firstOffset(of: Ascii.quote, from: position)
      guard quote < source.count else { break }
      position = quote + 1
      let isStart = source[quote - 1] == Ascii.openBracket && source.beginsNumbered(at: quote + 1)
      let next = source.has("\", \"", at: quote, limit: source.count)
      let isEnd = source[quote + 1] == Ascii.closeBracket
      guard isStart || isInList && (next && source.beginsNumbered(at: quote + 4) || isEnd) else {
        continue
      }
      text.copy(copied..<quote)
      copied = quote + (isInList && next ? 4 : 1)
      text.put([Ascii.lineFeed], for: quote..<copied)
      isInList = !isEnd || isStart
      position = copied
    }
    guard copied > source.textStart else { return nil }
    text.copy(copied..<source.count)
    return text
  }
}
