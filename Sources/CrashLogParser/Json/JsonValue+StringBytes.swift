internal import SymbolicationModel

/// Strings as bytes, for readers that refuse what `JsonValue.string` repairs.
extension JsonValue {
  /// The UTF-8 bytes of a string with its escapes decoded; nil for other values. Unescaped bytes
  /// are copied as they are.
  ///
  /// Cost: one pass, and one allocation of the size of the rest of the document.
  ///
  /// - Throws: `halfSurrogate` for an escaped surrogate without its other half, which stands for no
  ///   character.
  package func stringBytes() throws(JsonError) -> [UInt8]? {
    guard kind == .string else { return nil }
    let bytes = content.bytes
    let start = content.offset(at: position) + 1
    var error: JsonError?
    var result: [UInt8] = []
    // With room for the 8 bytes that are stored at once.
    result.append(addingCapacity: max(content.end - start, 0) + 8) {
      (output: inout OutputSpan<UInt8>) in
      error = JsonStringBytes.decode(bytes, from: start, end: content.end, into: &output)
    }
    if let error { throw error }
    return result
  }
}

/// Decodes one string that has been parsed, so its escapes are well formed.
private enum JsonStringBytes {
  static func decode(
    _ array: [UInt8], from start: Int, end: Int, into output: inout OutputSpan<UInt8>
  ) -> JsonError? {
    let bytes = array.span
    var offset = start
    let end = min(end, bytes.count)
    while offset < end {
      if end - offset >= 8 {
        let word = bytes.word(at: offset)
        let found = word.bytes(equal: Ascii.quote) | word.bytes(equal: Ascii.backslash)
        let count = found.trailingZeroBitCount / 8
        word.appendBytes(count, to: &output)
        offset += count
        if found == 0 { continue }
      }
      let byte = bytes[offset]
      if byte == Ascii.quote { return nil }
      if byte != Ascii.backslash {
        output.append(byte)
        offset += 1
        continue
      }
      guard offset + 1 < end else { return nil }
      let letter = bytes[offset + 1]
      if letter == Ascii.quote {
        output.append(letter)
        offset += 2
        continue
      }
      if letter == UInt8(ascii: "u") {
        guard let (scalar, length) = scalar(bytes, at: offset, end: end) else {
          return JsonError(kind: .halfSurrogate, offset: offset)
        }
        // The escape has at least as many bytes as the character.
        for byte in Character(scalar).utf8 { output.append(byte) }
        offset += length
      } else {
        output.append(character(letter))
        offset += 2
      }
    }
    return nil
  }

  private static func character(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): Ascii.lineFeed
    case UInt8(ascii: "r"): Ascii.carriageReturn
    case UInt8(ascii: "t"): Ascii.tab
    default: letter
    }
  }

  /// The character of the escape at `offset`, and the number of bytes it takes; nil for half a
  /// surrogate pair.
  private static func scalar(
    _ bytes: Span<UInt8>, at offset: Int, end: Int
  ) -> (Unicode.Scalar, length: Int)? {
    guard let first = JsonEscape.codeUnit(bytes, at: offset, end: end) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
    guard first < 0xDC00, let second = JsonEscape.codeUnit(bytes, at: offset + 6, end: end),
      (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00)))
    else { return nil }
    return (scalar, 12)
  }
}
