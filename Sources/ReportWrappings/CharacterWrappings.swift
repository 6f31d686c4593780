import JsonReading
package import ReportModel
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

/// Text that a word processor, a mail program or a page improved: no-break spaces, and typographic
/// quotation marks around the name and reason of an exception, or in the place of those of JSON.
package struct TypographyWrapping: WrappingReader {
  package func unwrap(_ source: TextSource) -> UnwrappedText? {
    let isJson = source.bytes.contains(Ascii.openBrace)
    guard Self.isIn(source, source.textStart..<source.count, isJson: isJson) else { return nil }
    var text = UnwrappedText(of: source.bytes)
    text.reserve(source.count)
    var (copied, position) = (0, source.textStart)
    while position < source.count {
      guard let (byte, length) = Self.plain(source, at: position) else {
        position += 1
        continue
      }
      text.copy(copied..<position)
      text.put(byte, for: position..<position + length)
      position += length
      copied = position
    }
    text.copy(copied..<source.count)
    return text
  }

  /// Whether a part of a text has such quotation marks or spaces where a runtime prints others.
  /// Those of prose are none.
  ///
  /// - Parameters:
  ///   - isJson: whether strings of JSON may be between such marks.
  ///   - countsSpaces: whether all spaces count. Those between the columns of a report are known to
  ///     its reader, which writes its own lines with them. Those between two words always count.
  static func isIn(
    _ source: TextSource, _ range: Range<Int>, isJson: Bool = false, countsSpaces: Bool = true
  ) -> Bool {
    let bytes = source.bytes.span.extracting(0..<range.upperBound)
    for first: UInt8 in [0xC2, 0xE2, 0xE3] {
      var position = bytes.firstOffset(of: first, from: range.lowerBound)
      while position < bytes.count {
        if let (byte, length) = plain(source, at: position),
          isPrinted(source, at: position, isJson)
            || byte == Ascii.space
              && (countsSpaces || isBetweenLetters(position..<position + length, source))
        {
          return true
        }
        position = bytes.firstOffset(of: first, from: position + 1)
      }
    }
    return false
  }

  private static func isBetweenLetters(_ range: Range<Int>, _ source: TextSource) -> Bool {
    [source[range.lowerBound - 1], source[range.upperBound]].allSatisfy {
      Ascii.isLowercase($0) || Ascii.isUppercase($0)
    }
  }

  /// Whether a quotation mark begins what a runtime quotes, or a string of JSON.
  private static func isPrinted(_ source: TextSource, at offset: Int, _ isJson: Bool) -> Bool {
    let start = source.trimEnd(from: max(0, offset - 16), to: offset)
    if isJson, start > 0, "{[:,".utf8.contains(source[start - 1]) { return true }
    return ["exception", "reason:"].contains { word in
      start >= word.utf8.count && source.has(word, at: start - word.utf8.count, limit: start)
    }
  }

  /// `"` and `'` for typographic quotation marks, a space for a no-break space, or for one of the
  /// width of a figure or an ideograph.
  private static func plain(_ source: TextSource, at offset: Int) -> (byte: UInt8, length: Int)? {
    switch (source[offset], source[offset + 1], source[offset + 2]) {
    case (0xC2, 0xA0, _): (Ascii.space, 2)
    case (0xE2, 0x80, 0x9C...0x9F): (Ascii.quote, 3)
    case (0xE2, 0x80, 0x98...0x9B): (UInt8(ascii: "'"), 3)
    case (0xE2, 0x80, 0x80...0x8A), (0xE2, 0x80, 0xAF), (0xE3, 0x80, 0x80): (Ascii.space, 3)
    default: nil
    }
  }
}

/// Lines whose control characters a syslog daemon wrote as numbers: `#012` for a line end, `#011`
/// for a tab.
package struct SyslogWrapping: WrappingReader {
  /// How a line end is written.
  package static let lineEnd = "#012"
  private static let tab = "#011"

  package func unwrap(_ source: TextSource) -> UnwrappedText? {
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
