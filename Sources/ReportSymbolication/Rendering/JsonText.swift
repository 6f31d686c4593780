import SymbolicationModel

/// Spells JSON strings.
enum JsonText {
  /// The string in quotes.
  static func quoted(_ text: String, escapesSlashes: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = []
    append(text, to: &bytes, escapesSlashes: escapesSlashes)
    return bytes
  }

  /// Appends the string in quotes. `"`, `\` and control characters are escaped, including DEL and
  /// U+0080 to U+009F: JSON allows these unescaped, but a terminal would act on them. `/` is
  /// escaped too, as Apple's writer does (RFC 8259, section 7, allows both).
  static func append(_ text: String, to bytes: inout [UInt8], escapesSlashes: Bool = true) {
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    // Most texts need no escapes.
    if mayNeedEscapes(bytes, from: start, escapesSlashes) {
      bytes.removeLast(bytes.count - start)
      appendEscaped(text, to: &bytes, escapesSlashes)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Appends a long text in quotes, with U+FFFD for what is not UTF-8. `/` is not escaped.
  static func append(utf8 text: [UInt8], to bytes: inout [UInt8]) {
    guard (try? UTF8Span(validating: text.span)) != nil else {
      return append(String(decoding: text, as: UTF8.self), to: &bytes, escapesSlashes: false)
    }
    bytes.append(UInt8(ascii: "\""))
    let span = text.span
    // A text as long as a report has line ends and quotes. What lies between is copied as a whole.
    var start = 0
    var offset = 0
    while offset < span.count {
      if span.count - offset >= 8, !mayNeedEscapes(span.word(at: offset), false) {
        offset += 8
        continue
      }
      let byte = span[offset]
      let isControl = byte < 0x20 || byte == 0x7f
      // Two bytes, C2 80 to C2 9F, are U+0080 to U+009F.
      let isPair = byte == 0xc2 && offset + 1 < span.count && span[offset + 1] < 0xa0
      if isControl || isPair || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        let end = isPair ? offset + 2 : offset + 1
        bytes += text[start..<offset]
        appendEscape(of: isPair ? span[end - 1] : byte, to: &bytes)
        start = end
        offset = end
      } else {
        offset += 1
      }
    }
    bytes += text[start...]
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    switch byte {
    case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
    case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
    case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    default: appendCode(byte, to: &bytes)
    }
  }

  private static func mayNeedEscapes(
    _ bytes: [UInt8], from start: Int, _ escapesSlashes: Bool
  ) -> Bool {
    let span = bytes.span
    var offset = start
    while span.count - offset >= 8 {
      if mayNeedEscapes(span.word(at: offset), escapesSlashes) { return true }
      offset += 8
    }
    // Zeros would need escapes, so the last bytes are filled up with something else.
    var rest = UInt64.everyByte &* UInt64(UInt8(ascii: " "))
    while offset < span.count {
      rest = rest << 8 | UInt64(span[offset])
      offset += 1
    }
    return mayNeedEscapes(rest, escapesSlashes)
  }

  @inline(__always)
  private static func mayNeedEscapes(_ word: UInt64, _ escapesSlashes: Bool) -> Bool {
    func has(_ byte: UInt8) -> UInt64 { (word ^ (UInt64(byte) &* UInt64.everyByte)).zeroBytes }
    // The upper three bits of control characters are 0. 0xc2 begins the two bytes of U+0080 to
    // U+009F.
    return (word & (UInt64.everyByte &* 0xe0)).zeroBytes | has(UInt8(ascii: "\""))
      | has(UInt8(ascii: "\\")) | has(0x7f) | has(0xc2)
      | (escapesSlashes ? has(UInt8(ascii: "/")) : 0) != 0
  }

  private static func appendEscaped(
    _ text: String, to bytes: inout [UInt8], _ escapesSlashes: Bool
  ) {
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case UInt8(ascii: "/"):
        if escapesSlashes { bytes.append(UInt8(ascii: "\\")) }
        bytes.append(byte)
      case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
      case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
      case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
      case 0..<0x20, 0x7f: appendCode(byte, to: &bytes)
      case 0x80...0x9f where previous == 0xc2:
        // Two bytes, C2 80 to C2 9F, are U+0080 to U+009F.
        bytes.removeLast()
        appendCode(byte, to: &bytes)
      default: bytes.append(byte)
      }
      previous = byte
    }
  }

  /// `\u001b`
  private static func appendCode(_ code: UInt8, to bytes: inout [UInt8]) {
    bytes.append(contentsOf: #"\u00"#.utf8)
    bytes.append(hexadecimal: UInt64(code), digitCount: 2)
  }
}
