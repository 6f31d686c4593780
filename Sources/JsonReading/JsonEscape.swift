import SymbolicationModel

/// Escapes in the strings of JSON (RFC 8259, section 7).
package enum JsonEscape {
  /// The number in the escape `\uXXXX` at `offset`; nil if there is none.
  package static func codeUnit(_ bytes: Span<UInt8>, at offset: Int, end: Int) -> UInt32? {
    guard offset + 6 <= end, bytes[offset] == Ascii.backslash,
      bytes[offset + 1] == UInt8(ascii: "u")
    else { return nil }
    var value: UInt32 = 0
    for place in (offset + 2)..<(offset + 6) {
      guard let digit = hexadecimalDigitValue(bytes[place]) else { return nil }
      value = value << 4 | UInt32(digit)
    }
    return value
  }
}
