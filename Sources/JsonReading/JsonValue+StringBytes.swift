import SymbolicationModel

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
    let start = content.offset(at: position)
    return try JsonStringBytes(in: content.bytes, at: start, limit: content.end).bytes
  }
}

/// A string, read where it stands. It need not have been parsed.
package struct JsonStringBytes {
  /// What the string stands for: UTF-8 with its escapes decoded. Unescaped bytes are copied as they
  /// are, control characters too.
  package private(set) var bytes: [UInt8] = []
  /// The offset after the closing quote.
  package private(set) var end: Int
  /// Whether the string is certain to be spelt as most writers do it: only quotes, backslashes,
  /// line ends and tabs are escaped, with a letter each, and it has no other control characters.
  package private(set) var isPlainlySpelt = true

  /// Cost: one pass, and one allocation of the size of the rest of the input.
  ///
  /// - Parameters:
  ///   - start: the offset of the opening quote.
  ///   - limit: where reading ends.
  /// - Throws: what is no string, as `JsonDocument` does, and half surrogates.
  package init(in input: [UInt8], at start: Int, limit: Int) throws(JsonError) {
    let limit = min(limit, input.count)
    end = start
    var error: JsonError?
    // With room for the 16 bytes that are stored at once.
    bytes.append(addingCapacity: max(limit - start, 0) + 16) {
      (output: inout OutputSpan<UInt8>) in
      do throws(JsonError) {
        end = try Self.decode(
          input, from: start + 1, to: limit, into: &output, &isPlainlySpelt)
      } catch let failure {
        error = failure
      }
    }
    if let error { throw error }
  }

  /// - Returns: the offset after the closing quote.
  private static func decode(
    _ array: [UInt8], from start: Int, to limit: Int, into output: inout OutputSpan<UInt8>,
    _ isPlainlySpelt: inout Bool
  ) throws(JsonError) -> Int {
    let bytes = array.span.extracting(0..<limit)
    var offset = start
    while offset < bytes.count {
      offset = copyBlocks(array, from: offset, to: limit, into: &output, &isPlainlySpelt)
      guard offset < bytes.count else { break }
      let byte = bytes[offset]
      if byte == Ascii.quote { return offset + 1 }
      if byte == Ascii.backslash {
        offset = try decodeEscape(
          array, at: offset, limit, into: &output, &isPlainlySpelt)
      } else if byte == Ascii.lineFeed || byte == Ascii.carriageReturn {
        throw JsonError(kind: .lineEndInString, offset: offset)
      } else {
        if byte < Ascii.space || byte == 0x7F || byte == 0xC2 { isPlainlySpelt = false }
        output.append(byte)
        offset += 1
      }
    }
    throw JsonError(kind: .unexpectedEnd, offset: bytes.count)
  }

  /// Copies text 16 bytes at a time, with the escapes that almost all strings have alone.
  ///
  /// - Returns: the offset of the first byte that was not copied: the closing quote, another
  ///   escape, a control character, or one of the last bytes.
  private static func copyBlocks(
    _ array: [UInt8], from start: Int, to limit: Int, into output: inout OutputSpan<UInt8>,
    _ isPlainlySpelt: inout Bool
  ) -> Int {
    let bytes = array.span.extracting(0..<limit)
    var offset = start
    // Whether there was a control character beyond ASCII, or the escape of a number.
    var isUnusual = false
    var unusual = SIMDMask<SIMD16<Int8>>(repeating: false)
    unsafe output.withUnsafeMutableBufferPointer { buffer, initializedCount in
      let room = UnsafeMutableRawBufferPointer(buffer)
      // Both have 16 bytes at the place, each time that a block is read or stored.
      while bytes.count - offset >= 16, room.count - initializedCount >= 16 {
        let block = bytes.block(at: offset)
        unusual = unusual .| block.controlsBeyondAscii
        let stops = block.jsonTextStops
        unsafe room.storeBytes(of: block, toByteOffset: initializedCount, as: SIMD16<UInt8>.self)
        guard stops.hasLanes else {
          offset += 16
          initializedCount += 16
          continue
        }
        let count = stops.firstLane
        offset += count
        initializedCount += count
        // The second byte of an escape may be in the next block.
        if count == 15 { continue }
        guard bytes[offset] == Ascii.backslash else { return }
        let letter = bytes[offset + 1]
        // What is stored below has room where the block was.
        if letter == UInt8(ascii: "u") {
          guard bytes.count - offset >= 8, let code = latin(ofEscape: bytes.word(at: offset)) else {
            return
          }
          let pair = UInt16(0xC0 | code >> 6) | UInt16(0x80 | code & 0x3F) << 8
          unsafe room.storeBytes(
            of: pair.littleEndian, toByteOffset: initializedCount, as: UInt16.self)
          isUnusual = true
          offset += 6
          initializedCount += 2
          continue
        }
        guard let character = character(ofCommonEscape: letter) else { return }
        unsafe room.storeBytes(of: character, toByteOffset: initializedCount, as: UInt8.self)
        offset += 2
        initializedCount += 1
      }
    }
    if isUnusual || unusual.hasLanes { isPlainlySpelt = false }
    return offset
  }

  /// The number of an escape from `\u0080` to `\u00ff` at the start of a word; nil for others.
  /// Almost all numbers are those of no-break spaces, in reports that were copied from web pages.
  @inline(__always)
  private static func latin(ofEscape word: UInt64) -> UInt8? {
    guard UInt32(truncatingIfNeeded: word) == 0x3030_755C,
      let high = hexadecimalDigitValue(UInt8(truncatingIfNeeded: word >> 32)), high >= 8,
      let low = hexadecimalDigitValue(UInt8(truncatingIfNeeded: word >> 40))
    else { return nil }
    return UInt8(high << 4 | low)
  }

  @inline(__always)
  private static func character(ofCommonEscape letter: UInt8) -> UInt8? {
    if letter == Ascii.quote || letter == Ascii.backslash { return letter }
    return letter == UInt8(ascii: "n") ? Ascii.lineFeed : nil
  }

  /// - Returns: the offset after the escape.
  @inline(__always)
  private static func decodeEscape(
    _ array: [UInt8], at offset: Int, _ limit: Int, into output: inout OutputSpan<UInt8>,
    _ isPlainlySpelt: inout Bool
  ) throws(JsonError) -> Int {
    let bytes = array.span.extracting(0..<limit)
    guard offset + 1 < bytes.count else {
      throw JsonError(kind: .unexpectedEnd, offset: bytes.count)
    }
    let letter = bytes[offset + 1]
    if letter == Ascii.quote || letter == Ascii.backslash {
      output.append(letter)
      return offset + 2
    }
    if letter == UInt8(ascii: "n") {
      output.append(Ascii.lineFeed)
      return offset + 2
    }
    if letter != UInt8(ascii: "r"), letter != UInt8(ascii: "t") { isPlainlySpelt = false }
    if letter == UInt8(ascii: "u") {
      guard let unit = JsonEscape.codeUnit(bytes, at: offset, end: bytes.count) else {
        throw notANumber(bytes, at: offset)
      }
      if (0x80..<0x800).contains(unit) {
        output.append(UInt8(truncatingIfNeeded: 0xC0 | unit >> 6))
        output.append(UInt8(truncatingIfNeeded: 0x80 | unit & 0x3F))
        return offset + 6
      }
      guard let (scalar, length) = scalar(bytes, at: offset) else {
        throw JsonError(kind: .halfSurrogate, offset: offset)
      }
      // The escape has at least as many bytes as the character.
      for byte in Character(scalar).utf8 { output.append(byte) }
      return offset + length
    }
    guard let character = character(letter) else {
      throw JsonError(kind: .invalidEscape, offset: offset)
    }
    output.append(character)
    return offset + 2
  }

  /// What is wrong with an escape `\u` that four digits do not follow.
  private static func notANumber(_ bytes: Span<UInt8>, at offset: Int) -> JsonError {
    for digit in offset + 2..<offset + 6 {
      guard digit < bytes.count else {
        return JsonError(kind: .unexpectedEnd, offset: bytes.count)
      }
      if hexadecimalDigitValue(bytes[digit]) == nil { break }
    }
    return JsonError(kind: .invalidEscape, offset: offset)
  }

  private static func character(_ letter: UInt8) -> UInt8? {
    switch letter {
    case Ascii.slash: letter
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "r"): Ascii.carriageReturn
    case UInt8(ascii: "t"): Ascii.tab
    default: nil
    }
  }

  /// The character of the escape at `offset`, and the number of bytes it takes; nil for half a
  /// surrogate pair.
  private static func scalar(
    _ bytes: Span<UInt8>, at offset: Int
  ) -> (Unicode.Scalar, length: Int)? {
    guard let first = JsonEscape.codeUnit(bytes, at: offset, end: bytes.count) else { return nil }
    if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
    guard first < 0xDC00, let second = JsonEscape.codeUnit(bytes, at: offset + 6, end: bytes.count),
      (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10 | (second - 0xDC00)))
    else { return nil }
    return (scalar, 12)
  }
}

/// Escapes in the strings of JSON (RFC 8259, section 7).
package enum JsonEscape {
  /// The number in the escape `\uXXXX` at `offset`; nil if there is none.
  package static func codeUnit(_ bytes: Span<UInt8>, at offset: Int, end: Int) -> UInt32? {
    guard offset + 6 <= end, bytes[offset] == Ascii.backslash,
      bytes[offset + 1] == UInt8(ascii: "u")
    else { return nil }
    var value: UInt32 = 0
    for place in (offset + 2)..<(offset + 6) {
      guard let digit = hexadecimalDigitValue(bytes[place]) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
