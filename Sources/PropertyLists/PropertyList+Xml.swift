import SymbolicationModel

extension PropertyList {
  /// The property list as XML, with a line feed at the end, spelt as Apple's tools spell it: tabs,
  /// and keys in the order of their bytes.
  ///
  /// Characters that XML cannot hold are replaced by U+FFFD.
  package var xml: String {
    var text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">

      """
    append(to: &text, indentation: "")
    return text + "</plist>\n"
  }

  private func append(to text: inout String, indentation: String) {
    text += indentation
    switch self {
    case .dictionary(let members) where members.isEmpty: text += "<dict/>"
    case .dictionary(let members):
      text += "<dict>\n"
      // Keys with characters that XML cannot have may be written alike: the first one stays.
      let keys = members.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
      let written = Dictionary(keys.map { (Self.escaped($0), $0) }) { first, _ in first }
      for key in written.keys.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
        text += "\(indentation)\t<key>\(key)</key>\n"
        written[key].flatMap { members[$0] }?
          .append(to: &text, indentation: indentation + "\t")
      }
      text += indentation + "</dict>"
    case .array(let elements) where elements.isEmpty: text += "<array/>"
    case .array(let elements):
      text += "<array>\n"
      for element in elements { element.append(to: &text, indentation: indentation + "\t") }
      text += indentation + "</array>"
    case .string(let string): text += "<string>\(Self.escaped(string))</string>"
    case .integer(let number): text += "<integer>\(number)</integer>"
    case .real(let number): text += "<real>\(number)</real>"
    case .boolean(let value): text += value ? "<true/>" : "<false/>"
    case .data(let bytes): text += "<data>\(Base64.text(of: bytes))</data>"
    case .date(let seconds):
      text += "<date>\(PropertyListDate.text(secondsSince1970: seconds))</date>"
    }
    text += "\n"
  }

  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
      case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
      case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
      case "\t", "\n": escaped.append(scalar)
      // Readers turn a carriage return into a line feed.
      case "\r": escaped.append(contentsOf: "&#13;".unicodeScalars)
      case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": escaped.append("\u{FFFD}")
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

/// Points in time as XML property lists spell them: `2001-01-01T00:00:00Z`.
enum PropertyListDate {
  /// The seconds since 1970 of the years 0 to 9999, which can be spelt.
  static let range: Range<Int64> = -62_167_219_200..<253_402_300_800

  /// Nil if `text` is spelt differently, or names no day or second that exists.
  static func secondsSince1970(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    let pattern = Array("0000-00-00T00:00:00Z".utf8)
    guard bytes.count == pattern.count else { return nil }
    var fields: [Int64] = []
    var number: Int64 = 0
    for (byte, wanted) in zip(bytes, pattern) {
      if wanted == UInt8(ascii: "0") {
        guard case UInt8(ascii: "0")...UInt8(ascii: "9") = byte else { return nil }
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
      } else {
        guard byte == wanted else { return nil }
        fields.append(number)
        number = 0
      }
    }
    guard fields[3] < 24, fields[4] < 60, fields[5] < 60,
      let days = CivilTime.daysSince1970(year: fields[0], month: fields[1], day: fields[2])
    else { return nil }
    return days * 86_400 + fields[3] * 3600 + fields[4] * 60 + fields[5]
  }

  static func text(secondsSince1970 seconds: Int64) -> String {
    let time = CivilTime(secondsSince1970: seconds)
    return "\(time.dateText)T\(time.timeText)Z"
  }
}

/// Base64 (RFC 4648) as XML property lists spell data.
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  private static func value(_ character: UInt8) -> UInt32? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// The bytes that `text` spells; space is skipped. Nil for any other character, and if digits are
  /// missing at the end.
  static func bytes(of text: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    var group: UInt32 = 0
    var digitCount = 0
    var paddingCount = 0
    for character in text where ![0x20, 0x09, 0x0a, 0x0d].contains(character) {
      if character == UInt8(ascii: "=") {
        paddingCount += 1
        group <<= 6
      } else {
        guard paddingCount == 0, let value = value(character) else { return nil }
        group = group << 6 | value
      }
      digitCount += 1
      guard digitCount == 4 else { continue }
      guard paddingCount <= 2 else { return nil }
      for shift in [16, 8, 0].dropLast(paddingCount) {
        bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(shift)))
      }
      (group, digitCount) = (0, 0)
      if paddingCount > 0 { paddingCount = 3 }
    }
    return digitCount == 0 ? bytes : nil
  }

  static func text(of bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start...].prefix(3)
      var bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      bits <<= 8 * UInt32(3 - group.count)
      for digit in 0..<4 {
        text.append(
          digit <= group.count
            ? alphabet[Int(bits >> UInt32(18 - 6 * digit)) & 0x3f] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
