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
