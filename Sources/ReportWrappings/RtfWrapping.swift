import JsonReading
package import ReportModel

/// Text that an editor saved with its fonts (RTF). Answers are put back unless there is formatting
/// inside the text that they replace.
package struct RtfWrapping: WrappingReader {
  package init() {}

  package static func isCertain(_ source: TextSource) -> Bool {
    source.has("{\\rtf", at: source.textStart, limit: source.count)
  }

  package func unwrap(_ source: TextSource) -> UnwrappedText? {
    guard Self.isCertain(source) else { return nil }
    var reader = RtfReader(source)
    return reader.text()
  }
}

/// Takes the text out of RTF. Groups of fonts, colours and the like hold no text.
private struct RtfReader {
  private let source: TextSource
  private var result: UnwrappedText
  private var position = 0
  private var depth = 0
  /// The depth of the group whose text does not count.
  private var skippedDepth: Int?
  /// How many characters stand in for a character of `\u`.
  private var substituteCount = 1

  private static let skippedGroups: Set<String> = [
    "fonttbl", "colortbl", "stylesheet", "info", "pict", "header", "footer", "listtable",
    "listoverridetable", "generator",
  ]

  init(_ source: TextSource) {
    self.source = source
    // Text right behind a control word would be read as a part of it: `\\par` and `1   App`.
    let needsDelimiter = ["\\par\\", "\\line\\", "\\par{", "\\par}", "\\line{"].contains {
      source.find($0, from: 0, limit: source.count) != nil
    }
    self.result = UnwrappedText(of: source.bytes, isIndivisible: true) {
      (needsDelimiter ? [Ascii.openBrace, Ascii.closeBrace] : []) + Self.encode($0)
    }
  }

  mutating func text() -> UnwrappedText? {
    while position < source.count {
      switch source[position] {
      case Ascii.openBrace:
        depth += 1
        position += 1
      case Ascii.closeBrace:
        if skippedDepth == depth { skippedDepth = nil }
        depth -= 1
        position += 1
      case Ascii.backslash: readControl()
      case Ascii.lineFeed, Ascii.carriageReturn: position += 1
      default: put([source[position]], length: 1)
      }
    }
    return result.text.isEmpty ? nil : result
  }

  /// Adds what the next bytes stand for, and goes on after them.
  private mutating func put(_ bytes: [UInt8], length: Int) {
    let end = min(position + length, source.count)
    if skippedDepth == nil { result.put(bytes, for: position..<end) }
    position = end
  }

  private mutating func readControl() {
    let next = source[position + 1]
    if Ascii.isLowercase(next) || Ascii.isUppercase(next) { return readWord() }
    switch next {
    case Ascii.backslash, Ascii.openBrace, Ascii.closeBrace: put([next], length: 2)
    case Ascii.lineFeed: put([Ascii.lineFeed], length: 2)
    case Ascii.carriageReturn:
      put([Ascii.lineFeed], length: source[position + 2] == Ascii.lineFeed ? 3 : 2)
    case UInt8(ascii: "~"): put([0xC2, 0xA0], length: 2)
    case UInt8(ascii: "'"):
      let digits = String(
        decoding: source.bytes[min(position + 2, source.count)..<min(position + 4, source.count)],
        as: UTF8.self)
      let scalar = UInt8(digits, radix: 16).map { Unicode.Scalar($0) } ?? "\u{FFFD}"
      put(Array(String(scalar).utf8), length: 4)
    case UInt8(ascii: "*"):
      if skippedDepth == nil { skippedDepth = depth }
      position += 2
    default: position += 2
    }
  }

  /// Reads `\par`, `\u8211?` and other words with the number and the space after them.
  private mutating func readWord() {
    let start = position
    var end = position + 1
    while end - start < 32, Ascii.isLowercase(source[end]) || Ascii.isUppercase(source[end]) {
      end += 1
    }
    let word = String(decoding: source.bytes[start + 1..<min(end, source.count)], as: UTF8.self)
    let numberStart = end
    if source[end] == Ascii.minus { end += 1 }
    while end - numberStart < 12, Ascii.isDigit(source[end]) { end += 1 }
    let number = Int(
      String(decoding: source.bytes[numberStart..<min(end, source.count)], as: UTF8.self))
    if source[end] == Ascii.space { end += 1 }
    let length = end - start
    switch word {
    case "par", "line":
      while source[end] == Ascii.lineFeed || source[end] == Ascii.carriageReturn { end += 1 }
      put([Ascii.lineFeed], length: end - start)
    case "tab": put([Ascii.tab], length: length)
    case "uc":
      substituteCount = max(0, min(number ?? 1, 8))
      position = end
    case "u":
      let unit = UInt32(truncatingIfNeeded: (number ?? 0) & 0xFFFF)
      put(
        Array(String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8), length: length + substituteCount)
    default:
      if Self.skippedGroups.contains(word), skippedDepth == nil { skippedDepth = depth }
      position = end
    }
  }

  private static func encode(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    for scalar in String(decoding: text, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\\", "{", "}": bytes += [Ascii.backslash] + Array(String(scalar).utf8)
      case "\n": bytes += [Ascii.backslash, Ascii.lineFeed]
      case "\t": bytes += "\\tab ".utf8
      default:
        guard scalar.value >= 0x80 else {
          bytes += String(scalar).utf8
          continue
        }
        for unit in String(scalar).utf16 { bytes += "\\u\(Int16(bitPattern: unit))?".utf8 }
      }
    }
    return bytes
  }
}
