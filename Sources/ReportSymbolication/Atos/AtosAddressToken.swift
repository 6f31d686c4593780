import SymbolicationModel

/// One address as a user of `atos` types it.
package enum AtosAddressToken {
  /// The value of `token`: hexadecimal digits, with or without `0x` in front. Nil for anything else,
  /// and for more than 64 bits.
  ///
  /// Digits alone are hexadecimal too: that is how `atos` reads `-l`, and what addresses are.
  package static func value(of token: some StringProtocol) -> UInt64? {
    let digits = token.hasPrefix("0x") || token.hasPrefix("0X") ? token.dropFirst(2) : token[...]
    guard digits.utf8.allSatisfy({ hexadecimalDigitValue($0) != nil }) else { return nil }
    return UInt64(digits, radix: 16)
  }
}
