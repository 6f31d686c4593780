import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

extension TextSource {
  /// Reads a binary image of a spindump, which has columns of its own:
  ///
  /// ```text
  ///    0x7fff7e02d000 -     0x7fff7e4c6fff  com.apple.CoreFoundation 6.9 (1349.8) <UUID>  PATH
  ///   *0xffffff8000200000 - 0xffffff80009fffff  kernel (3789.60.24)  <UUID>  PATH
  ///            0x1033b0000 -                ???  ???                  <UUID>
  /// ```
  ///
  /// A star marks an image of the kernel, `???` an end that is not known.
  func spindumpImage(_ line: TextLine) -> ImageLineReading {
    let end = trimEnd(from: line.start, to: line.end)
    var position = skipSeparators(from: line.start, limit: end)
    if self[position] == UInt8(ascii: "*") { position += 1 }
    guard let (first, firstEnd) = hexadecimal(at: position, limit: end) else { return .other }
    position = skipSeparators(from: firstEnd, limit: end)
    guard position > firstEnd, self[position] == Ascii.minus else { return .damaged }
    position = skipSeparators(from: position + 1, limit: end)
    var last: UInt64?
    if has("???", at: position, limit: end) {
      position += 3
    } else if let (value, valueEnd) = hexadecimal(at: position, limit: end) {
      last = value
      position = valueEnd
    } else {
      return .damaged
    }
    let description = skipSeparators(from: position, limit: end)
    guard description > position, description < end else { return .damaged }
    var values = BinaryImage.Values(byteRange: line.start..<line.end)
    var descriptionEnd = end
    var hasReadableIdentity = true
    if let brackets = spindumpIdentity(from: description, limit: end) {
      descriptionEnd = trimEnd(from: description, to: brackets.lowerBound)
      values.identity = ImageIdentity(
        hexadecimal: bytes[brackets.lowerBound + 1..<brackets.upperBound - 1])
      hasReadableIdentity = values.identity != nil || isZero(brackets)
      let path = trimmed(brackets.upperBound..<end)
      values.path = path.isEmpty ? nil : string(path)
    }
    if descriptionEnd > description {
      values.name = string(spindumpImageName(description..<descriptionEnd)).known
    }
    // An end before the start means no addresses.
    let endAddress = last.map { $0 == .max ? $0 : $0 + 1 } ?? first
    return .image(
      BinaryImage(
        loadAddress: LoadAddress(first), endAddress: LoadAddress(endAddress), values),
      hasReadableIdentity: hasReadableIdentity)
  }

  /// The first angle brackets with a UUID between them.
  private func spindumpIdentity(from start: Int, limit: Int) -> Range<Int>? {
    var position = start
    while let open = find("<", from: position, limit: limit) {
      var close = open + 1
      while close < limit,
        self[close] == Ascii.minus || hexadecimalDigitValue(self[close]) != nil
      {
        close += 1
      }
      if close > open + 16, self[close] == Ascii.greater, close < limit { return open..<close + 1 }
      position = max(open + 1, close)
    }
    return nil
  }

  private func isZero(_ range: Range<Int>) -> Bool {
    bytes[range.lowerBound + 1..<range.upperBound - 1].allSatisfy {
      $0 == Ascii.zero || $0 == Ascii.minus
    }
  }

  /// The name without `6.9 (1349.8)`.
  private func spindumpImageName(_ range: Range<Int>) -> Range<Int> {
    let start = range.lowerBound
    var end = range.upperBound
    if self[end - 1] == Ascii.closeParenthesis,
      let open = openParenthesis(of: end - 1, from: start), open > start
    {
      end = trimEnd(from: start, to: open)
    }
    var word = end
    while word > start, self[word - 1] != Ascii.space { word -= 1 }
    if word > start, end < range.upperBound, Ascii.isDigit(self[word]) {
      end = trimEnd(from: start, to: word)
    }
    return start..<max(start, end)
  }
}
