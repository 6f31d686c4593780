import SymbolicationModel

/// Spells JSON values.
enum JsonText {
  /// The string in quotes. `"`, `\` and control characters are escaped, including DEL and U+0080 to
  /// U+009F: JSON allows these unescaped, but a terminal would act on them. `/` is escaped too, as
  /// Apple's writer does (RFC 8259, section 7, allows both).
  static func quoted(_ text: String, escapesSlashes: Bool = true) -> String {
    // Most texts need no escapes. 0xc2 begins the two bytes of U+0080 to U+009F.
    let hasEscapes = text.utf8.contains { byte in
      switch byte {
      case 0..<0x20, 0x7f, 0xc2, UInt8(ascii: "\""), UInt8(ascii: "\\"): true
      case UInt8(ascii: "/"): escapesSlashes
      default: false
      }
    }
    guard hasEscapes else { return "\"\(text)\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "/": result += escapesSlashes ? "\\/" : "/"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case "\u{0}"..."\u{1f}", "\u{7f}"..."\u{9f}":
        result += "\\u" + scalar.value.hexadecimalDigits(count: 4)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
