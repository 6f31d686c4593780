/// One line of the conversation between `symbolicate` and `symbolicate-fetch`: fields separated by
/// one space each, and a newline.
///
/// In a field, every byte that is not a printable ASCII character, and `%`, is written as `%` and
/// two hexadecimal digits, so a field may hold any bytes. An empty field is written as `%`.
package enum FetchLine {
  /// A longer line is damage: no path and no address of this program has so many bytes.
  package static let maximumSize = 1 << 18

  package static func encoded(_ fields: [String]) -> [UInt8] {
    var line: [UInt8] = []
    for (index, field) in fields.enumerated() {
      if index > 0 { line.append(UInt8(ascii: " ")) }
      if field.isEmpty { line.append(UInt8(ascii: "%")) }
      for byte in field.utf8 {
        if isPlain(byte) {
          line.append(byte)
        } else {
          line += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
        }
      }
    }
    return line + [UInt8(ascii: "\n")]
  }

  /// The fields of `line`, which has no newline. Nil if a field is not encoded as above.
  package static func fields(of line: some Collection<UInt8>) -> [String]? {
    var fields: [String] = []
    for word in line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false) {
      guard let field = decoded(Array(word)) else { return nil }
      fields.append(field)
    }
    return fields
  }

  private static func decoded(_ word: [UInt8]) -> String? {
    if word == [UInt8(ascii: "%")] { return "" }
    guard !word.isEmpty else { return nil }
    var bytes: [UInt8] = []
    var index = 0
    while index < word.count {
      let byte = word[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < word.count, let high = value(of: word[index + 1]),
          let low = value(of: word[index + 2])
        else { return nil }
        bytes.append(high << 4 | low)
        index += 3
      } else {
        guard isPlain(byte) else { return nil }
        bytes.append(byte)
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "%")
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}

/// Cuts a stream of bytes into lines.
package struct FetchLineBuffer {
  private var pending: [UInt8] = []

  package init() {}

  /// Adds bytes as they came in, and returns the lines that are complete now, without newlines.
  /// Nil if a line is too long.
  package mutating func add(_ bytes: some Collection<UInt8>) -> [[UInt8]]? {
    var lines: [[UInt8]] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(pending)
        pending = []
      } else {
        guard pending.count < FetchLine.maximumSize else { return nil }
        pending.append(byte)
      }
    }
    return lines
  }
}
