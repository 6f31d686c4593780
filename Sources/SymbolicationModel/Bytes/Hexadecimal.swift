extension BinaryInteger {
  /// The number as addresses are written: `0x` and lower-case digits, without leading zeros
  /// (`0x1f`).
  package var hexadecimal: String { "0x" + hexadecimalDigits() }

  /// The number in hexadecimal, without `0x`.
  ///
  /// - Parameters:
  ///   - count: how many digits to write at least; shorter numbers get leading zeros.
  ///   - uppercase: whether to write `A` to `F` instead of `a` to `f`.
  package func hexadecimalDigits(count: Int = 1, uppercase: Bool = false) -> String {
    let digits = String(self, radix: 16, uppercase: uppercase)
    let missing = count - digits.utf8.count
    return missing > 0 ? String(repeating: "0", count: missing) + digits : digits
  }
}

extension Sequence<UInt8> {
  /// Two lower-case hexadecimal digits for each byte, without `0x` or separators.
  package var hexadecimalDigits: String { Array(self).hexadecimalDigits }
}

extension [UInt8] {
  /// Two lower-case hexadecimal digits for each byte, without `0x` or separators.
  ///
  /// It is not generic: generic code for one name of a file would be a tenth of the time that one
  /// address takes.
  package var hexadecimalDigits: String {
    func digit(_ value: UInt8) -> UInt8 {
      value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
    }
    var digits: [UInt8] = []
    digits.reserveCapacity(2 * count)
    for byte in self {
      digits.append(digit(byte >> 4))
      digits.append(digit(byte & 0xf))
    }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension UInt64 {
  /// The value of hexadecimal digits, with or without `0x` in front. Nil for anything else, and for
  /// more than 64 bits.
  package init?(hexadecimal text: Span<UInt8>) {
    let hasPrefix =
      text.count > 1 && text[0] == UInt8(ascii: "0") && text[1] | 0x20 == UInt8(ascii: "x")
    let start = hasPrefix ? 2 : 0
    guard start < text.count else { return nil }
    self = 0
    for index in start..<text.count {
      guard let digit = hexadecimalDigitValue(text[index]), self >> 60 == 0 else { return nil }
      self = self << 4 | UInt64(digit)
    }
  }
}

extension UInt8 {
  /// Whether it is a digit in ASCII.
  @inlinable @inline(__always)
  package var isDecimalDigit: Bool { self >= UInt8(ascii: "0") && self <= UInt8(ascii: "9") }

  /// Whether it is one of `0` to `9` and `a` to `f`.
  @inlinable @inline(__always)
  package var isLowercaseHexadecimalDigit: Bool {
    isDecimalDigit || self >= UInt8(ascii: "a") && self <= UInt8(ascii: "f")
  }
}

/// The value of one hexadecimal digit in ASCII, upper or lower case; nil for any other character.
@inlinable public func hexadecimalDigitValue(_ character: UInt8) -> UInt8? {
  switch character {
  case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
  case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
  case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
  default: nil
  }
}
