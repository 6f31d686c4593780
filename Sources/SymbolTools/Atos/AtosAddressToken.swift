import SymbolicationModel

/// The syntax of addresses in the arguments and the input of `atos`.
package enum AtosAddressToken {
  /// The value of `token`: hexadecimal digits, with or without `0x` in front. Nil for anything
  /// else, and for more than 64 bits.
  ///
  /// Decimal digits alone are hexadecimal too, because that is how Apple's `atos` reads `-l`.
  package static func value(of token: Substring) -> UInt64? { value(of: token.utf8.span) }

  /// The value of a token in UTF-8.
  static func value(of token: Span<UInt8>) -> UInt64? {
    var value: UInt64 = 0
    var digitCount = 0
    var isPastPrefix = false
    for index in token.indices {
      let byte = token[index]
      // The `x` of `0x`.
      if digitCount == 1, value == 0, !isPastPrefix, byte | 0x20 == UInt8(ascii: "x") {
        isPastPrefix = true
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
