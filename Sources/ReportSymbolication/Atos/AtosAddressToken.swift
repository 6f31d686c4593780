import SymbolicationModel

/// One address as a user of `atos` types it.
package enum AtosAddressToken {
  /// The value of `token`: hexadecimal digits, with or without `0x` in front. Nil for anything
  /// else, and for more than 64 bits.
  ///
  /// Digits alone are hexadecimal too: that is how `atos` reads `-l`, and what addresses are.
  package static func value(of token: Substring) -> UInt64? {
    var value: UInt64 = 0
    var digitCount = 0
    var isBehindPrefix = false
    for byte in token.utf8 {
      // The `x` of `0x`.
      if digitCount == 1, value == 0, !isBehindPrefix, byte | 0x20 == UInt8(ascii: "x") {
        isBehindPrefix = true
        digitCount = 0
        continue
      }
      guard let digit = hexadecimalDigitValue(byte), value >> 60 == 0 else { return nil }
      value = value << 4 | UInt64(digit)
      digitCount += 1
    }
    guard digitCount > 0 else { return nil }
    return value
  }
}
