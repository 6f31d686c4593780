internal import SymbolicationModel

/// Reads one JSON object whose members matter one by one: the header line of a report.
///
/// Nested objects and arrays are passed over with a counter, not by recursion.
struct JsonObjectReader {
  private let source: TextSource
  private let limit: Int
  private var place: Int

  init(source: TextSource, start: Int, limit: Int) {
    self.source = source
    self.place = start
    self.limit = limit
  }

  /// The object at the start, or nil where the text up to the limit is no complete object.
  mutating func readObject() -> JsonHeader? {
    skipSpace()
    let start = place
    guard take(Ascii.openBrace) else { return nil }
    var fields: [JsonHeader.Field] = []
    skipSpace()
    if !take(UInt8(ascii: "}")) {
      while true {
        skipSpace()
        guard let key = readString() else { return nil }
        skipSpace()
        guard take(Ascii.colon) else { return nil }
        skipSpace()
        let valueStart = place
        guard let value = readValue() else { return nil }
        fields.append(JsonHeader.Field(key: key, value: value, valueRange: valueStart..<place))
        skipSpace()
        if take(UInt8(ascii: ",")) { continue }
        guard take(UInt8(ascii: "}")) else { return nil }
        break
      }
    }
    return JsonHeader(fields: fields, byteRange: start..<place)
  }

  private var current: UInt8 { place < limit ? source[place] : 0 }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard place < limit, source[place] == byte else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while place < limit,
      [Ascii.space, Ascii.tab, Ascii.lineFeed, Ascii.carriageReturn].contains(source[place])
    {
      place += 1
    }
  }

  private mutating func readValue() -> JsonHeader.Value? {
    let start = place
    switch current {
    case Ascii.quote: return readString().map { .string($0) }
    case Ascii.openBrace, UInt8(ascii: "["):
      return skipNested() ? .nested(text(start)) : nil
    case UInt8(ascii: "t"): return takeWord("true") ? .boolean(true) : nil
    case UInt8(ascii: "f"): return takeWord("false") ? .boolean(false) : nil
    case UInt8(ascii: "n"): return takeWord("null") ? .null : nil
    default: return readNumber() ? .number(text(start)) : nil
    }
  }

  private func text(_ start: Int) -> String {
    String(decoding: source.bytes[start..<place], as: UTF8.self)
  }

  private mutating func takeWord(_ word: String) -> Bool {
    guard source.has(word, at: place, limit: limit) else { return false }
    place += word.utf8.count
    return true
  }

  /// Digits with signs, point and exponent: the spelling is kept, so its grammar is not checked further.
  private mutating func readNumber() -> Bool {
    guard Ascii.isDigit(current) || current == Ascii.minus else { return false }
    let start = place
    let others = [Ascii.minus, Ascii.plus, UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E")]
    while place < limit, Ascii.isDigit(source[place]) || others.contains(source[place]) {
      place += 1
    }
    return place > start
  }

  private mutating func skipNested() -> Bool {
    var depth = 0
    while place < limit {
      switch source[place] {
      case Ascii.quote:
        guard readString() != nil else { return false }
        continue
      case Ascii.openBrace, UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
      place += 1
      if depth == 0 { return true }
    }
    return false
  }

  private mutating func readString() -> String? {
    guard take(Ascii.quote) else { return nil }
    var decoded: [UInt8] = []
    while place < limit {
      let byte = source[place]
      place += 1
      switch byte {
      case Ascii.quote: return String(decoding: decoded, as: UTF8.self)
      case Ascii.backslash:
        guard let scalar = readEscape() else { return nil }
        decoded.append(contentsOf: String(Character(scalar)).utf8)
      default: decoded.append(byte)
      }
    }
    return nil
  }

  private mutating func readEscape() -> Unicode.Scalar? {
    let letter = current
    place += 1
    switch letter {
    case Ascii.quote: return "\""
    case Ascii.backslash: return "\\"
    case Ascii.slash: return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return readUnicodeEscape()
    default: return nil
    }
  }

  /// The scalar of `\uXXXX`, or of two of them that are a surrogate pair. Half a pair is U+FFFD.
  private mutating func readUnicodeEscape() -> Unicode.Scalar? {
    guard let high = readCodeUnit() else { return nil }
    guard (0xD800...0xDFFF).contains(high) else { return Unicode.Scalar(high) }
    let afterHigh = place
    if high < 0xDC00, take(Ascii.backslash), take(UInt8(ascii: "u")), let low = readCodeUnit(),
      (0xDC00...0xDFFF).contains(low)
    {
      return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10 | (low - 0xDC00)))
    }
    place = afterHigh
    return "\u{FFFD}"
  }

  private mutating func readCodeUnit() -> UInt32? {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let digit = hexadecimalDigitValue(current) else { return nil }
      value = value << 4 | UInt32(digit)
      place += 1
    }
    return value
  }
}
