import JsonReading
import ReportModel

/// Where the JSON of a stream ends: its brackets are counted, line by line.
struct JsonExtent: Sendable {
  /// How many brackets are open.
  private(set) var depth = 0
  /// Whether there is a member that the header of an `.ips` has.
  private(set) var isHeader = false
  /// Whether there is a list of threads, so the header and the body are one.
  private(set) var hasThreads = false

  var isReport: Bool { isHeader || hasThreads }

  /// Takes the rest of a line. No text of JSON goes on on the next line.
  mutating func take(_ source: TextSource, _ range: Range<Int>) {
    var isInString = false
    var position = range.lowerBound
    while position < range.upperBound {
      let byte = source[position]
      if isInString {
        if byte == Ascii.backslash { position += 1 }
        if byte == Ascii.quote { isInString = false }
      } else if byte == Ascii.quote {
        isInString = true
      } else if byte == Ascii.openBrace || byte == Ascii.openBracket {
        depth += 1
      } else if byte == Ascii.closeBrace || byte == Ascii.closeBracket {
        depth -= 1
      } else if let end = source.colourEnd(at: position) {
        // The bracket in it opens nothing.
        position = end
        continue
      }
      position += 1
    }
    func has(_ text: String) -> Bool {
      source.find(text, from: range.lowerBound, limit: range.upperBound) != nil
    }
    isHeader = isHeader || has("\"bug_type\"")
    hasThreads = hasThreads || has("\"threads\"")
  }

  /// Whether a line of JSON may begin so.
  static func mayContinue(with byte: UInt8) -> Bool {
    switch byte {
    case Ascii.quote, Ascii.openBrace, Ascii.closeBrace, Ascii.openBracket, Ascii.closeBracket,
      Ascii.comma, Ascii.colon, Ascii.minus, UInt8(ascii: "t"), UInt8(ascii: "f"),
      UInt8(ascii: "n"):
      true
    default: Ascii.isDigit(byte)
    }
  }
}
