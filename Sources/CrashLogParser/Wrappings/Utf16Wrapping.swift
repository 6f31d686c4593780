import ReportModel

/// Text in UTF-16 with a byte order mark, as some editors and terminals of Windows save it.
struct Utf16Wrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    let isLittleEndian = bytes.starts(with: [0xFF, 0xFE])
    guard bytes.count >= 4, isLittleEndian || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
    var text = UnwrappedText(of: bytes, width: 2) { Self.encode($0, isLittleEndian) }
    text.reserve(bytes.count / 2)
    func unit(at offset: Int) -> UInt16 {
      let (first, second) = (UInt16(source[offset]), UInt16(source[offset + 1]))
      return isLittleEndian ? second << 8 | first : first << 8 | second
    }
    var position = 2
    while position + 1 < bytes.count {
      let first = unit(at: position)
      if first < 0x80 {
        text.put(UInt8(truncatingIfNeeded: first), for: position..<position + 2)
        position += 2
        continue
      }
      var scalar = Unicode.Scalar(first)
      var length = 2
      if UTF16.isLeadSurrogate(first), position + 3 < bytes.count {
        let second = unit(at: position + 2)
        if UTF16.isTrailSurrogate(second) {
          scalar = Unicode.Scalar(
            0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
          length = 4
        }
      }
      text.put(Array(String(scalar ?? "\u{FFFD}").utf8), for: position..<position + length)
      position += length
    }
    return text
  }

  private static func encode(_ text: ArraySlice<UInt8>, _ isLittleEndian: Bool) -> [UInt8] {
    String(decoding: text, as: UTF8.self).utf16.flatMap { unit in
      let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
      return isLittleEndian ? [low, high] : [high, low]
    }
  }
}
