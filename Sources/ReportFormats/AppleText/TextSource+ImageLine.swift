import JsonReading
package import ReportModel
import SymbolicationModel

/// How a line among the binary images was read.
package enum ImageLineReading {
  case image(BinaryImage, hasReadableIdentity: Bool)
  /// It begins with an address, as an image does, but is not one.
  case damaged
  case other
}

extension TextSource {
  /// Reads `first - last [+]name [architecture] [(version)] [architecture] <identity> path`.
  package func imageLine(_ line: TextLine) -> ImageLineReading {
    let end = trimEnd(from: line.start, to: line.end)
    let start = skipSeparators(from: line.start, limit: end)
    guard let (first, firstEnd) = hexadecimal(at: start, limit: end) else { return .other }
    var position = skipSeparators(from: firstEnd, limit: end)
    guard position > firstEnd, position < end, self[position] == Ascii.minus else {
      return .damaged
    }
    position = skipSeparators(from: position + 1, limit: end)
    guard let (last, lastEnd) = hexadecimal(at: position, limit: end) else { return .damaged }
    position = skipSeparators(from: lastEnd, limit: end)
    guard position > lastEnd, position < end else { return .damaged }
    // Older writers mark images that are not part of the system.
    if self[position] == Ascii.plus { position = skipSeparators(from: position + 1, limit: end) }

    guard let brackets = identityBrackets(from: position, limit: end) else { return .damaged }
    var spans = BinaryImage.Spans()
    spans.line = ByteSpan(line.start, line.end)
    spans.identity = brackets.inside
    spans.path = ByteSpan(skipSeparators(from: brackets.close, limit: end), end)
    readDescription(from: position, to: trimEnd(from: position, to: brackets.open), into: &spans)
    let image = BinaryImage(
      kind: first == 0 && last >= 0xffff_ffff ? .absolute : .image,
      loadAddress: LoadAddress(first), lastAddress: LoadAddress(last), carrier: .line(self, spans))
    return .image(image, hasReadableIdentity: isReadableIdentity(brackets.inside))
  }

  /// The first angle brackets between separators that enclose an identity, also spelt `&lt;` and
  /// `&gt;`. Failing that, the first that enclose only word characters.
  private func identityBrackets(
    from start: Int, limit: Int
  ) -> (open: Int, inside: ByteSpan, close: Int)? {
    var other: (open: Int, inside: ByteSpan, close: Int)?
    var position = start
    while position < limit {
      let byte = self[position]
      let bracket =
        byte == Ascii.less
        ? 1 : byte == Ascii.ampersand && has("&lt;", at: position, limit: limit) ? 4 : 0
      guard bracket > 0,
        separatorLength(at: position - 1, limit: limit) > 0 || self[position - 1] == 0xA0
      else {
        position += 1
        continue
      }
      let inside = position + bracket
      var close = inside
      while close < limit, isIdentityCharacter(self[close]) { close += 1 }
      let closing = self[close] == Ascii.greater ? 1 : has("&gt;", at: close, limit: limit) ? 4 : 0
      let after = close + closing
      if closing > 0, after <= limit, after == limit || separatorLength(at: after, limit: limit) > 0
      {
        let brackets = (position, ByteSpan(inside, close), after)
        if isReadableIdentity(brackets.1) { return brackets }
        if other == nil { other = brackets }
      }
      position = inside
    }
    return other
  }

  /// What may be between the brackets: hexadecimal digits and dashes, `(null)`, or what someone put
  /// there to hide them.
  private func isIdentityCharacter(_ byte: UInt8) -> Bool {
    Ascii.isDigit(byte) || Ascii.isLowercase(byte) || Ascii.isUppercase(byte)
      || byte == Ascii.minus || byte == Ascii.openParenthesis || byte == Ascii.closeParenthesis
      || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "?")
  }

  private func isReadableIdentity(_ span: ByteSpan) -> Bool {
    let text = bytes[span.range]
    if text.isEmpty || has("(null)", at: span.lowerBound, limit: span.upperBound) { return true }
    var digits = 0
    for byte in text where byte != Ascii.minus {
      guard hexadecimalDigitValue(byte) != nil else { return false }
      digits += 1
    }
    return digits > 0 && digits.isMultiple(of: 2)
  }

  /// Reads name, version and architecture from the right, because the name may contain anything.
  private func readDescription(from start: Int, to end: Int, into spans: inout BinaryImage.Spans) {
    var rest = end
    if rest > start, self[rest - 1] == Ascii.closeParenthesis,
      let open = matchingParenthesis(before: rest - 1, from: start)
    {
      spans.version = ByteSpan(open + 1, rest - 1)
      rest = trimEnd(from: start, to: open)
    }
    var word = rest
    while word > start, self[word - 1] != Ascii.space, self[word - 1] != Ascii.tab,
      self[word - 1] != 0xA0
    {
      word -= 1
    }
    if word > start, isArchitecture(word..<rest) {
      spans.architecture = ByteSpan(word, rest)
      rest = trimEnd(from: start, to: word)
    }
    spans.name = ByteSpan(start, rest)
  }

  /// The parenthesis that the one at `close` closes, if a name and a separator precede it.
  private func matchingParenthesis(before close: Int, from start: Int) -> Int? {
    var depth = 1
    var position = close
    while position > start {
      position -= 1
      if self[position] == Ascii.closeParenthesis { depth += 1 }
      if self[position] == Ascii.openParenthesis { depth -= 1 }
      if depth == 0 {
        let nameEnd = trimEnd(from: start, to: position)
        return nameEnd > start && nameEnd < position ? position : nil
      }
    }
    return nil
  }

  private func isArchitecture(_ range: Range<Int>) -> Bool {
    let (start, end) = (range.lowerBound, range.upperBound)
    func isWhole(_ name: String) -> Bool {
      name.utf8.count == range.count && has(name, at: start, limit: end)
    }
    switch self[start] {
    case UInt8(ascii: "a"):
      return isWhole("arm64") || isWhole("arm64e") || isWhole("arm64_32") || isWhole("arm")
        || range.count <= 8 && has("armv", at: start, limit: end) && Ascii.isDigit(self[start + 4])
    case UInt8(ascii: "x"): return isWhole("x86_64") || isWhole("x86_64h")
    case UInt8(ascii: "i"): return isWhole("i386")
    case UInt8(ascii: "p"): return isWhole("ppc") || isWhole("ppc64")
    case UInt8(ascii: "u"): return isWhole("unknown-arch")
    default: return false
    }
  }
}
