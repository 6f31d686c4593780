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

extension UInt32 {
  /// The 8 hexadecimal digits of the number in ASCII, the first one lowest.
  @inlinable @inline(__always)
  package func hexadecimalWord(isUppercase: Bool) -> UInt64 {
    // Each digit moves into a byte of its own.
    var digits = UInt64(self)
    digits = (digits | digits << 16) & 0x0000_ffff_0000_ffff
    digits = (digits | digits << 8) & 0x00ff_00ff_00ff_00ff
    digits = (digits | digits << 4) & (UInt64.everyByte &* 0xf)
    let letters = ((digits &+ UInt64.everyByte &* 6) >> 4) & UInt64.everyByte
    let distance = UInt64((isUppercase ? UInt8(ascii: "A") : UInt8(ascii: "a")) - 0x3a)
    return (digits &+ UInt64.everyByte &* UInt64(UInt8(ascii: "0")) &+ letters &* distance)
      .byteSwapped
  }

  /// The number of 8 hexadecimal digits in ASCII, of either case, the first one lowest. Nil if one
  /// of them is anything else.
  @inlinable @inline(__always)
  package init?(hexadecimalWord word: UInt64) {
    // The digits of letters follow 9, and only letters have this bit.
    let letters = (word >> 6) & UInt64.everyByte
    var digits = ((word & (UInt64.everyByte &* 0xf)) &+ letters &* 9).byteSwapped
    digits = (digits | digits >> 4) & 0x00ff_00ff_00ff_00ff
    digits = (digits | digits >> 8) & 0x0000_ffff_0000_ffff
    self = UInt32(truncatingIfNeeded: digits | digits >> 16)
    // The bytes must be the digits again, in lower case, and none may be a control character.
    let lowercase = UInt64.everyByte &* 0x20
    guard (word | word >> 1) & lowercase == lowercase,
      hexadecimalWord(isUppercase: false) == word | lowercase
    else { return nil }
  }
}

extension UInt128 {
  /// The number of a UUID as it is nearly always written: 32 hexadecimal digits of either case in
  /// five groups with dashes between them. Nil for anything else.
  package init?(uuid text: Span<UInt8>) {
    let dash = UInt8(ascii: "-")
    guard text.count == 36, text[8] == dash, text[13] == dash, text[18] == dash, text[23] == dash
    else { return nil }
    func joined(_ first: Int, _ second: Int) -> UInt64 {
      text.word(at: first) & 0xffff_ffff | text.word(at: second) << 32
    }
    guard let first = UInt32(hexadecimalWord: text.word(at: 0)),
      let second = UInt32(hexadecimalWord: joined(9, 14)),
      let third = UInt32(hexadecimalWord: joined(19, 24)),
      let fourth = UInt32(hexadecimalWord: text.word(at: 28))
    else { return nil }
    self = UInt128(first) << 96 | UInt128(second) << 64 | UInt128(third) << 32 | UInt128(fourth)
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
