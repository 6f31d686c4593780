import SymbolicationModel

/// One address as a user of `atos` types it.
package enum AtosAddressToken {
  /// The value of `token`: hexadecimal digits, with or without `0x` in front. Nil for anything else,
  /// and for more than 64 bits.
  ///
  /// Digits alone are hexadecimal too: that is how `atos` reads `-l`, and what addresses are.
  package static func value(of token: some StringProtocol) -> UInt64? {
    var digits = token.utf8[...]
    if digits.starts(with: "0x".utf8) || digits.starts(with: "0X".utf8) {
      digits = digits.dropFirst(2)
    }
    guard !digits.isEmpty else { return nil }
    var value: UInt64 = 0
    for byte in digits {
      guard let digit = hexadecimalDigitValue(byte), value >> 60 == 0 else { return nil }
      value = value << 4 | UInt64(digit)
    }
    return value
  }
}
