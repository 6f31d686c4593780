import JsonReading
import ReportModel

/// How the strings of a record are spelt, where JSON leaves a choice.
struct JsonSpelling {
  /// `\/`
  private var escapesSlash: Bool
  /// `\u003c`, as Go writes `<` for pages of the web.
  private var escapesMarkup: Bool
  /// Characters beyond ASCII as numbers.
  private var isAscii: Bool

  /// What a whole log shows.
  init(_ source: TextSource) {
    let all = 0..<source.count
    escapesSlash = source.has("\\/", in: all)
    // Docker escapes markup, even if nothing shows it.
    escapesMarkup =
      Self.escapesMarkup(source, all) ?? source.has("{\"log\":\"", at: 0, limit: source.count)
    isAscii = source.bytes.allSatisfy { $0 < 0x80 }
  }

  /// The spelling of one record: what it shows itself counts more than what others do.
  func of(_ source: TextSource, _ record: Range<Int>) -> JsonSpelling {
    var spelling = self
    // Text that begins with a slash is everywhere, so a plain one shows nothing.
    if source.has("\\/", in: record) { spelling.escapesSlash = true }
    spelling.escapesMarkup = Self.escapesMarkup(source, record) ?? escapesMarkup
    if source.bytes[record].contains(where: { $0 >= 0x80 }) { spelling.isAscii = false }
    return spelling
  }

  private static func escapesMarkup(_ source: TextSource, _ range: Range<Int>) -> Bool? {
    if ["\\u003c", "\\u003e", "\\u003C", "\\u003E", "\\u0026"].contains(where: {
      source.has($0, in: range)
    }) {
      return true
    }
    return ["<", ">", "&"].contains { source.has($0, in: range) } ? false : nil
  }

  /// Text as it stands in a string. Bytes that are not UTF-8 stay as they are, unless the record is
  /// ASCII alone.
  func encoded(_ text: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(text.count)
    var beyondAscii: [UInt8] = []
    func finish() {
      for unit in String(decoding: beyondAscii, as: UTF8.self).utf16 {
        Self.append(unit, to: &result)
      }
      beyondAscii = []
    }
    for byte in text {
      if byte >= 0x80, isAscii {
        beyondAscii.append(byte)
        continue
      }
      if !beyondAscii.isEmpty { finish() }
      switch byte {
      case Ascii.lineFeed: result += "\\n".utf8
      case Ascii.carriageReturn: result += "\\r".utf8
      case Ascii.tab: result += "\\t".utf8
      case Ascii.quote: result += "\\\"".utf8
      case Ascii.backslash: result += "\\\\".utf8
      case Ascii.slash where escapesSlash: result += "\\/".utf8
      case Ascii.less where escapesMarkup, Ascii.greater where escapesMarkup,
        Ascii.ampersand where escapesMarkup, 0..<Ascii.space:
        Self.append(UInt16(byte), to: &result)
      default: result.append(byte)
      }
    }
    if !beyondAscii.isEmpty { finish() }
    return result
  }

  /// `\u00a0`.
  private static func append(_ unit: UInt16, to bytes: inout [UInt8]) {
    let digits = String(unit, radix: 16)
    bytes += "\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8
  }
}

extension TextSource {
  fileprivate func has(_ text: String, in range: Range<Int>) -> Bool {
    find(text, from: range.lowerBound, limit: range.upperBound) != nil
  }
}
