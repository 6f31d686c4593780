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
  ///
  /// A report has a line end or a quote every few bytes, so the text is measured first, and then
  /// written byte by byte into the room that it needs.
  static func append(utf8 text: [UInt8], to bytes: inout [UInt8]) {
    guard (try? UTF8Span(validating: text.span)) != nil else {
      return append(String(decoding: text, as: UTF8.self), to: &bytes, escapesSlashes: false)
    }
    let span = text.span
    var size = 2
    for offset in span.indices {
      let byte = span[offset]
      size += 1
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { size += 1 }
      // The longest escape has six bytes.
      if byte < 0x20 || byte == 0x7f || byte == 0xc2 { size += 5 }
    }
    bytes.append(addingCapacity: size) { (output: inout OutputSpan<UInt8>) in
      output.append(UInt8(ascii: "\""))
      var offset = 0
      while offset < span.count {
        let byte = span[offset]
        offset += 1
        if byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte < 0x7f {
          output.append(byte)
        } else if byte == 0xc2, offset < span.count, span[offset] < 0xa0 {
          // Two bytes, C2 80 to C2 9F, are U+0080 to U+009F.
          appendEscape(of: span[offset], to: &output)
          offset += 1
        } else if byte >= 0x80 {
          output.append(byte)
        } else {
          appendEscape(of: byte, to: &output)
        }
      }
      output.append(UInt8(ascii: "\""))
    }
  }

  private static func appendEscape(of byte: UInt8, to output: inout OutputSpan<UInt8>) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): output.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): output.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): output.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(byte)
    default:
      output.append(UInt8(ascii: "u"))
      output.append(UInt8(ascii: "0"))
      output.append(UInt8(ascii: "0"))
      for digit in [byte >> 4, byte & 0xf] {
        output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      }
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
