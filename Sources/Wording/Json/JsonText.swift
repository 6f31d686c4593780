import SymbolicationModel

/// Spells JSON strings.
package enum JsonText {
  /// The string in quotes.
  package static func quoted(_ text: String, escapesSlashes: Bool = true) -> [UInt8] {
    var bytes: [UInt8] = []
    append(text, to: &bytes, escapesSlashes: escapesSlashes)
    return bytes
  }

  /// Appends the string in quotes. `"`, `\` and control characters are escaped, including DEL and
  /// U+0080 to U+009F: JSON allows these unescaped, but a terminal would act on them. `/` is
  /// escaped too, as Apple's writer does (RFC 8259, section 7, allows both).
  package static func append(_ text: String, to bytes: inout [UInt8], escapesSlashes: Bool = true) {
    append(text.utf8, to: &bytes, escapesSlashes)
  }

  @inline(never)
  private static func append(
    _ text: String.UTF8View, to bytes: inout [UInt8], _ escapesSlashes: Bool
  ) {
    text.withBytes { span in
      // Most texts need no escapes.
      if mayNeedEscapes(span, escapesSlashes) {
        append(span, to: &bytes, escapesSlashes)
      } else {
        bytes.append(addingCapacity: span.count + 2) { output in
          output.append(UInt8(ascii: "\""))
          output.append(copying: span)
          output.append(UInt8(ascii: "\""))
        }
      }
    }
  }

  /// Appends a long text in quotes, with U+FFFD for what is not UTF-8. `/` is not escaped.
  package static func append(utf8 text: [UInt8], to bytes: inout [UInt8]) {
    guard (try? UTF8Span(validating: text.span)) != nil else {
      return append(String(decoding: text, as: UTF8.self), to: &bytes, escapesSlashes: false)
    }
    append(text.span, to: &bytes, false)
  }

  /// Appends UTF-8 in quotes: up to the next byte to escape 16 bytes at a time. A report has a line
  /// end or a quote every few bytes.
  private static func append(
    _ text: Span<UInt8>, to bytes: inout [UInt8], _ escapesSlashes: Bool
  ) {
    // Of most reports, one byte in twelve is escaped. More room is made if that is not enough.
    let expected = bytes.count + text.count + text.count / 8 + 6 * pieceSize
    if text.count > pieceSize, bytes.capacity < expected {
      bytes.reserveCapacity(max(expected, 2 * bytes.count))
    }
    bytes.append(UInt8(ascii: "\""))
    var offset = 0
    while offset < text.count {
      let end = min(offset + pieceSize, text.count)
      // An escape takes 6 bytes at most. The last block may go beyond the end, and all 16 bytes of
      // a block are written.
      bytes.append(addingCapacity: 6 * (end - offset) + 32) { (output: inout OutputSpan<UInt8>) in
        while offset < end {
          unsafe output.withUnsafeMutableBufferPointer { buffer, initializedCount in
            let room = UnsafeMutableRawBufferPointer(buffer)
            // Both have 16 bytes at the place, each time that a block is read or stored.
            while offset < end, text.count - offset >= 16, room.count - initializedCount >= 32 {
              let block = text.block(at: offset)
              let found = escapes(in: block, escapesSlashes)
              unsafe room.storeBytes(
                of: block, toByteOffset: initializedCount, as: SIMD16<UInt8>.self)
              let clean = found.firstLane
              offset += clean
              initializedCount += clean
              if clean == 16 { continue }
              // The escapes that almost all texts have alone.
              guard let letter = letter(ofCommonEscape: text[offset]) else { return }
              let escape = UInt16(UInt8(ascii: "\\")) | UInt16(letter) << 8
              unsafe room.storeBytes(
                of: escape.littleEndian, toByteOffset: initializedCount, as: UInt16.self)
              offset += 1
              initializedCount += 2
            }
          }
          guard offset < end else { break }
          let next = offset + 1 < text.count ? text[offset + 1] : nil
          offset += append(text[offset], before: next, escapesSlashes, to: &output)
        }
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// How much text is escaped before it is seen to that there is room for more.
  private static let pieceSize = 4096

  /// Appends a byte as it may stand in a string.
  ///
  /// - Returns: how many bytes of the text that were: 2 for a control character of two bytes.
  @inline(__always)
  private static func append(
    _ byte: UInt8, before next: UInt8?, _ escapesSlashes: Bool,
    to output: inout OutputSpan<UInt8>
  ) -> Int {
    if byte == 0xc2, let next, next < 0xa0 {
      // Two bytes, C2 80 to C2 9F, are U+0080 to U+009F.
      appendEscape(of: next, to: &output)
      return 2
    }
    if byte < 0x20 || byte == 0x7f || letter(ofCommonEscape: byte) != nil
      || byte == UInt8(ascii: "/") && escapesSlashes
    {
      appendEscape(of: byte, to: &output)
    } else {
      output.append(byte)
    }
    return 1
  }

  @inline(__always)
  private static func letter(ofCommonEscape byte: UInt8) -> UInt8? {
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return byte }
    return byte == UInt8(ascii: "\n") ? UInt8(ascii: "n") : nil
  }

  private static func appendEscape(of byte: UInt8, to output: inout OutputSpan<UInt8>) {
    output.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): output.append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): output.append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): output.append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): output.append(byte)
    default:
      output.append(UInt8(ascii: "u"))
      output.append(UInt8(ascii: "0"))
      output.append(UInt8(ascii: "0"))
      for digit in [byte >> 4, byte & 0xf] {
        output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      }
    }
  }

  private static func mayNeedEscapes(_ text: Span<UInt8>, _ escapesSlashes: Bool) -> Bool {
    guard text.count >= 8 else {
      // Zeros would need escapes, so the rest is filled up with something else.
      var word = UInt64.everyByte &* UInt64(UInt8(ascii: " "))
      for index in text.indices { word = word << 8 | UInt64(text[index]) }
      return escapes(in: word, escapesSlashes) != 0
    }
    guard text.count >= 16 else {
      // The last 8 bytes may overlap the first.
      return escapes(in: text.word(at: 0), escapesSlashes) != 0
        || escapes(in: text.word(at: text.count - 8), escapesSlashes) != 0
    }
    var offset = 0
    while text.count - offset > 16 {
      if escapes(in: text.block(at: offset), escapesSlashes).hasLanes {
        return true
      }
      offset += 16
    }
    return escapes(in: text.block(at: text.count - 16), escapesSlashes).hasLanes
  }

  @inline(__always)
  private static func escapes(
    in block: SIMD16<UInt8>, _ escapesSlashes: Bool
  ) -> SIMDMask<SIMD16<Int8>> {
    let found = block.jsonTextStops .| block.controlsBeyondAscii
    guard escapesSlashes else { return found }
    let slash = SIMD16<UInt8>(repeating: UInt8(ascii: "/"))
    return found .| (block .== slash)
  }

  /// The highest bit of each byte that may need an escape. Bits above the lowest of these may be
  /// set wrongly.
  @inline(__always)
  private static func escapes(in word: UInt64, _ escapesSlashes: Bool) -> UInt64 {
    let found = word.jsonTextStops | word.controlsBeyondAscii
    return escapesSlashes ? found | word.bytes(equal: UInt8(ascii: "/")) : found
  }
}
