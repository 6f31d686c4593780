import JsonReading
package import ReportModel
import SymbolicationModel

/// A report in a string of JSON, or of a programming language: its line ends are `\n`, its quotes
/// are `\"`. Every string that may hold a report is taken out, and what is around them is not.
struct JsonStringWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let bytes = source.bytes
    var text = UnwrappedText(of: bytes, encode: JsonStringEscapes.encoder(like: source))
    var position = source.textStart
    while position < bytes.count {
      let quote = bytes.span.firstOffset(of: Ascii.quote, from: position)
      guard quote < bytes.count else { break }
      let string = string(source, from: quote + 1)
      if string.escapeCount >= 3 || string.escapeCount > 0 && source.beginsNumbered(at: quote + 1) {
        if !text.text.isEmpty { text.put([Ascii.lineFeed, Ascii.lineFeed], for: quote..<quote) }
        JsonStringEscapes.decode(source, quote + 1..<string.end, into: &text)
      }
      position = string.end + 1
    }
    return text.text.isEmpty ? nil : text
  }

  /// The end of the string that begins at `start`, and how many line ends and quotes it escapes.
  private func string(_ source: TextSource, from start: Int) -> (end: Int, escapeCount: Int) {
    var position = start
    var count = 0
    while position < source.count, source[position] != Ascii.quote {
      if source[position] == Ascii.backslash {
        let next = source[position + 1]
        if next == UInt8(ascii: "n") || next == Ascii.quote || next == Ascii.backslash {
          count += 1
        }
        position += 2
      } else {
        position += 1
      }
    }
    return (min(position, source.count), count)
  }
}

extension TextSource {
  /// Whether the text at an offset begins like a frame: with a number, maybe behind `#`, and a
  /// space.
  func beginsNumbered(at offset: Int) -> Bool {
    var start = offset
    while self[start] == Ascii.space || self[start] == UInt8(ascii: "#") { start += 1 }
    var position = start
    while Ascii.isDigit(self[position]) { position += 1 }
    return position > start && position - start < 4 && self[position] == Ascii.space
  }
}

/// What a string of JSON writes in the place of line ends, quotes and other characters.
package enum JsonStringEscapes {
  /// Adds the characters between the quotes of a string.
  ///
  /// - Parameter range: the string without its quotes.
  package static func decode(
    _ source: TextSource, _ range: Range<Int>, into text: inout UnwrappedText
  ) {
    var (copied, position) = (range.lowerBound, range.lowerBound)
    while position < range.upperBound {
      guard source[position] == Ascii.backslash,
        let (bytes, length) = escape(source, at: position, limit: range.upperBound)
      else {
        position += 1
        continue
      }
      text.copy(copied..<position)
      text.put(bytes, for: position..<position + length)
      position += length
      copied = position
    }
    text.copy(copied..<range.upperBound)
  }

  /// What the escape at `offset` stands for, and its length.
  private static func escape(
    _ source: TextSource, at offset: Int, limit: Int
  ) -> (bytes: [UInt8], length: Int)? {
    switch source[offset + 1] {
    case UInt8(ascii: "n"): return ([Ascii.lineFeed], 2)
    case UInt8(ascii: "r"): return ([Ascii.carriageReturn], 2)
    case UInt8(ascii: "t"): return ([Ascii.tab], 2)
    case UInt8(ascii: "b"): return ([0x08], 2)
    case UInt8(ascii: "f"): return ([0x0C], 2)
    case Ascii.quote, Ascii.backslash, Ascii.slash: return ([source[offset + 1]], 2)
    case UInt8(ascii: "u"):
      guard let first = unit(source, at: offset, limit) else { return nil }
      if UTF16.isLeadSurrogate(first), let second = unit(source, at: offset + 6, limit),
        UTF16.isTrailSurrogate(second)
      {
        let scalar = Unicode.Scalar(
          0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
        return scalar.map { (Array(String($0).utf8), 12) }
      }
      return Unicode.Scalar(first).map { (Array(String($0).utf8), 6) }
    default: return nil
    }
  }

  private static func unit(_ source: TextSource, at offset: Int, _ limit: Int) -> UInt16? {
    JsonEscape.codeUnit(source.bytes.span, at: offset, end: limit).map {
      UInt16(truncatingIfNeeded: $0)
    }
  }

  /// Writes text as the strings of `source` are written: with or without `\\/` and `\\u00a0`.
  static func encoder(
    like source: TextSource
  ) -> @Sendable (ArraySlice<UInt8>) -> [UInt8] {
    let escapesSlash = source.find("\\/", from: 0, limit: source.count) != nil
    let isAscii = source.bytes.allSatisfy { $0 < 0x80 }
    return { encode($0, escapesSlash: escapesSlash, isAscii: isAscii) }
  }

  /// - Parameter isAscii: whether other characters are written as numbers.
  private static func encode(
    _ text: ArraySlice<UInt8>, escapesSlash: Bool, isAscii: Bool
  ) -> [UInt8] {
    var result: [UInt8] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\n": result += "\\n".utf8
      case "\r": result += "\\r".utf8
      case "\t": result += "\\t".utf8
      case "\"": result += "\\\"".utf8
      case "\\": result += "\\\\".utf8
      case "/" where escapesSlash: result += "\\/".utf8
      default:
        if scalar.value < 0x20 || isAscii && scalar.value >= 0x80 {
          for unit in String(scalar).utf16 { result += numbered(unit) }
        } else {
          result += String(scalar).utf8
        }
      }
    }
    return result
  }

  /// `\u00a0`.
  private static func numbered(_ unit: UInt16) -> [UInt8] {
    let digits = String(unit, radix: 16)
    return Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
  }
}

/// A report in the parts of a JSON document: header and body as two elements of an array, or as two
/// members of an object; or each line as an element. A part may be an object or a string.
struct JsonPartsWrapping: WrappingReader {
  func unwrap(_ source: TextSource) -> UnwrappedText? {
    let start = Self.start(source)
    guard Self.mayBegin(source, at: start),
      let document = try? JsonDocument(source.bytes, in: start..<source.count)
    else { return nil }
    let parts = Self.parts(of: document.root)
    guard parts.count > 1, let last = parts.last else { return nil }
    // Answers go into the body, which is the last part.
    var text =
      last.kind == .string
      ? UnwrappedText(of: source.bytes, encode: JsonStringEscapes.encoder(like: source))
      : UnwrappedText(of: source.bytes)
    text.reserve(document.byteRange.count)
    var end: Int?
    for part in parts {
      let range = part.byteRange
      let isString = part.kind == .string
      let content = isString ? range.lowerBound + 1..<range.upperBound - 1 : range
      guard content.lowerBound <= content.upperBound else { continue }
      // A new line gets what is between two parts: `",` and `"`.
      if let end { text.put(Ascii.lineFeed, for: end..<content.lowerBound) }
      end = content.upperBound
      if isString {
        JsonStringEscapes.decode(source, content, into: &text)
      } else {
        text.copy(content)
      }
    }
    return text.text.isEmpty ? nil : text
  }

  /// Whether a body without its header may be a part of an array.
  static func isSign(_ source: TextSource) -> Bool {
    source[start(source)] == Ascii.openBracket
  }

  private static func start(_ source: TextSource) -> Int {
    var start = source.textStart
    while source[start] == Ascii.lineFeed || source[start] == Ascii.carriageReturn
      || source[start] == Ascii.space || source[start] == Ascii.tab
    {
      start += 1
    }
    return start
  }

  private static func mayBegin(_ source: TextSource, at start: Int) -> Bool {
    source[start] == Ascii.openBracket || source[start] == Ascii.openBrace
  }

  private static func parts(of root: JsonValue) -> [JsonValue] {
    let isPart = { (value: JsonValue) in value.kind == .object || value.kind == .string }
    if root.kind == .array { return root.elements.filter(isPart) }
    let values = root.members.map(\.value).filter(isPart)
    // Other objects have no parts that belong together.
    guard values.contains(where: { $0.kind == .object && $0["bug_type"] != nil }) else { return [] }
    return values.filter { $0.kind == .object || $0.byteRange.count > 1000 }
  }
}
