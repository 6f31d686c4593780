import JsonReading
import ReportModel
import SymbolicationModel

/// A part of a mail as it is sent: quoted-printable (`=3D`, lines that end with `=`) or base64.
struct EncodedMailWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard let encoding = Self.encoding(source, line) else { continue }
      let body = Self.body(source, after: line)
      switch encoding {
      case .quotedPrintable:
        return QuotedPrintable.decode(source, body)
      case .base64:
        if let text = Base64Part(source, body)?.text() { return text }
      }
      next = max(next, body.upperBound)
    }
    return QuotedPrintable.isLikely(source)
      ? QuotedPrintable.decode(source, source.textStart..<source.count) : nil
  }

  private enum Encoding {
    case quotedPrintable, base64
  }

  private static func encoding(_ source: TextSource, _ line: TextLine) -> Encoding? {
    let name = "content-transfer-encoding:"
    guard line.end - line.start < 200, line.end - line.start > name.utf8.count,
      source[line.start] | 0x20 == UInt8(ascii: "c")
    else { return nil }
    let text = source.string(line.start..<line.end).lowercased()
    guard text.hasPrefix(name) else { return nil }
    if text.contains("quoted-printable") { return .quotedPrintable }
    return text.contains("base64") ? .base64 : nil
  }

  /// From the first empty line to the next boundary (`--…`), or to the end.
  private static func body(_ source: TextSource, after header: TextLine) -> Range<Int> {
    var next = header.next
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      if source.isBlank(line) { break }
    }
    let start = next
    while next < source.count {
      let line = source.line(at: next)
      let isBoundary =
        source.has("--", at: line.start, limit: line.end) && line.end - line.start > 8
        && source.trimEnd(from: line.start, to: line.end) == line.end
        && source.find(" ", from: line.start, limit: line.end) == nil
      if isBoundary, source[line.start + 2] != Ascii.minus || source[line.end - 1] != Ascii.minus {
        break
      }
      next = line.next
    }
    return min(start, source.count)..<min(max(start, next), source.count)
  }
}

/// The encoding in which `=` begins the number of a byte, and a line that ends with `=` goes on.
enum QuotedPrintable {
  /// Whether a text without the headers of a mail is encoded: every `=` begins the number of a
  /// byte or ends a line, one ends a line, and another one shows that this is no chance.
  ///
  /// The line below a heading (`=====`) has others, and links (`?page=20`) end no line with it.
  static func isLikely(_ source: TextSource) -> Bool {
    let span = source.bytes.span
    var (lineEnds, equalSigns) = (0, 0)
    var position = 0
    while true {
      position = span.firstOffset(of: UInt8(ascii: "="), from: position)
      guard position < source.count else { return lineEnds > 0 && lineEnds + equalSigns > 1 }
      var end = source.skipSeparators(from: position + 1, limit: source.count)
      while source[end] == Ascii.carriageReturn { end += 1 }
      if source[end] == Ascii.lineFeed || end == source.count {
        lineEnds += 1
      } else if source.has("=3D", at: position, limit: source.count) {
        equalSigns += 1
      } else if hexadecimalDigitValue(source[position + 1]) == nil
        || hexadecimalDigitValue(source[position + 2]) == nil
      {
        return false
      }
      position = end
    }
  }

  static func decode(_ source: TextSource, _ range: Range<Int>) -> UnwrappedText? {
    let lineEnd = Array(
      source.find("\r\n", from: range.lowerBound, limit: range.upperBound) == nil
        ? "=\n".utf8 : "=\r\n".utf8)
    var text = UnwrappedText(of: source.bytes) { encode($0, softBreak: lineEnd) }
    text.reserve(range.count)
    var (copied, position) = (range.lowerBound, range.lowerBound)
    while position < range.upperBound {
      position = min(
        source.bytes.span.firstOffset(of: UInt8(ascii: "="), from: position), range.upperBound)
      guard position < range.upperBound else { break }
      if let high = hexadecimalDigitValue(source[position + 1]),
        let low = hexadecimalDigitValue(source[position + 2]), position + 3 <= range.upperBound
      {
        text.copy(copied..<position)
        text.put(high << 4 | low, for: position..<position + 3)
        position += 3
        copied = position
        continue
      }
      var end = source.skipSeparators(from: position + 1, limit: range.upperBound)
      while source[end] == Ascii.carriageReturn { end += 1 }
      if source[end] == Ascii.lineFeed {
        text.copy(copied..<position)
        position = min(end + 1, range.upperBound)
        copied = position
      } else {
        position += 1
      }
    }
    text.copy(min(copied, range.upperBound)..<range.upperBound)
    return text.text.isEmpty ? nil : text
  }

  /// Lines of a mail have at most 76 characters, so longer text begins on a line of its own.
  private static func encode(_ text: ArraySlice<UInt8>, softBreak: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var column = 0
    if text.count > 16 { result += softBreak }
    for byte in text {
      let isPlain = byte == Ascii.tab || (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "=")
      if column + 3 > 75 {
        result += softBreak
        column = 0
      }
      if isPlain {
        result.append(byte)
        column += 1
      } else {
        result += "=".utf8
        result += [hexadecimalDigit(byte >> 4), hexadecimalDigit(byte & 15)]
        column += 3
      }
    }
    return result
  }

  private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? Ascii.zero + value : UInt8(ascii: "A") + value - 10
  }
}
