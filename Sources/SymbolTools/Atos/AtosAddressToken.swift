import SymbolicationModel

/// The syntax of addresses in the arguments and the input of `atos`.
package enum AtosAddressToken {
  /// The value of `token`: hexadecimal digits, with or without `0x` in front. Nil for anything
  /// else, and for more than 64 bits.
  ///
  /// Decimal digits alone are hexadecimal too, because that is how Apple's `atos` reads `-l`.
  package static func value(of token: Substring) -> UInt64? { value(of: token.utf8.span) }

  /// The value of a token in UTF-8.
  static func value(of token: Span<UInt8>) -> UInt64? { UInt64(hexadecimal: token) }
}
