import JsonReading
import ReportModel
import SymbolicationModel

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

/// Text with the codes by which terminals colour it (`ESC [ 31 m`).
struct ColourWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    guard bytes.contains(TextSource.escape) else { return nil }
    var text = UnwrappedText(of: bytes, dress: .repeated)
    text.reserve(bytes.count)
    var copied = 0
    var position = bytes.span.firstOffset(of: TextSource.escape, from: 0)
    while position < bytes.count {
      if let end = source.colourEnd(at: position) {
        text.copy(copied..<position)
        copied = end
        position = end
      } else {
        position += 1
      }
      position = bytes.span.firstOffset(of: TextSource.escape, from: position)
    }
    text.copy(copied..<bytes.count)
    return text
  }
}

/// JSON that a word processor or a mail program improved: typographic quotes in the place of `"`,
/// and no-break spaces.
struct TypographyWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard let brace = source.bytes.firstIndex(of: Ascii.openBrace),
      source.bytes.contains(where: { $0 == 0xE2 || $0 == 0xC2 })
    else { return nil }
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count)
    var (copied, position) = (0, brace)
    var isFound = false
    while position < source.count {
      guard let (byte, length) = Self.plain(source, at: position) else {
        position += 1
        continue
      }
      isFound = true
      text.copy(copied..<position)
      text.put(byte, for: position..<position + length)
      position += length
      copied = position
    }
    text.copy(copied..<source.count)
    return isFound ? text : nil
  }

  /// `"` for a typographic double quote, a space for a no-break space.
  private static func plain(_ source: TextSource, at offset: Int) -> (byte: UInt8, length: Int)? {
    if source[offset] == 0xC2, source[offset + 1] == 0xA0 { return (Ascii.space, 2) }
    guard source[offset] == 0xE2, source[offset + 1] == 0x80 else { return nil }
    switch source[offset + 2] {
    case 0x9C, 0x9D, 0x9E, 0x9F: return (Ascii.quote, 3)
    case 0xAF: return (Ascii.space, 3)
    default: return nil
    }
  }
}

/// Lines whose control characters a syslog daemon wrote as numbers: `#012` for a line end, `#011`
/// for a tab.
struct SyslogWrapping: WrappingReader {
  static let lineEnd = "#012"
  private static let tab = "#011"

  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var text = UnwrappedText(of: source.bytes)
    var (copied, position) = (0, 0)
    var isFound = false
    while true {
      position = source.bytes.span.firstOffset(of: UInt8(ascii: "#"), from: position)
      guard position < source.count else { break }
      let byte: UInt8? =
        source.has(Self.lineEnd, at: position, limit: source.count)
        ? Ascii.lineFeed : source.has(Self.tab, at: position, limit: source.count) ? Ascii.tab : nil
      guard let byte else {
        position += 1
        continue
      }
      text.copy(copied..<position)
      text.put(byte, for: position..<position + Self.lineEnd.utf8.count)
      if byte == Ascii.lineFeed { isFound = true }
      position += Self.lineEnd.utf8.count
      copied = position
    }
    guard isFound else { return nil }
    text.copy(copied..<source.count)
    return text
  }
}

/// Text in which a backslash is before each sign that means something in Markdown: `\_`, `\*`.
struct MarkdownWrapping: WrappingReader {
  private static let signs = Set("`*_#[]()<>{}+-.!|~&".utf8)

  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    var escaped: Set<UInt8> = []
    forEachEscape(bytes) { escaped.insert(bytes[$0 + 1]) }
    // Others are in regular expressions. Of the three stars of a message, one may be escaped.
    let hasStars = ["*\\* ", "\\*** "].contains {
      source.find($0, from: 0, limit: source.count) != nil
    }
    guard hasStars || !escaped.isDisjoint(with: "#`_".utf8) else { return nil }
    let written = escaped
    var text = UnwrappedText(of: bytes) { text in
      text.flatMap { written.contains($0) ? [Ascii.backslash, $0] : [$0] }
    }
    text.reserve(bytes.count)
    var copied = 0
    forEachEscape(bytes) { position in
      text.copy(copied..<position)
      text.put(bytes[position + 1], for: position..<position + 2)
      copied = position + 2
    }
    text.copy(copied..<bytes.count)
    return text
  }

  private func forEachEscape(_ bytes: [UInt8], _ body: (Int) -> Void) {
    var position = bytes.span.firstOffset(of: Ascii.backslash, from: 0)
    while position + 1 < bytes.count {
      let isEscape = Self.signs.contains(bytes[position + 1])
      if isEscape { body(position) }
      position = bytes.span.firstOffset(
        of: Ascii.backslash,
        from: position + (isEscape || bytes[position + 1] == Ascii.backslash ? 2 : 1))
    }
  }
}
