/// Numbers as text in a buffer of bytes, without a `String` for each.
extension [UInt8] {
  mutating func append(decimal number: UInt64) {
    let start = count
    var rest = number
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit))
      rest = quotient
    } while rest > 0
    self[start...].reverse()
  }

  mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: UInt64(number.magnitude))
  }

  /// Appends lower-case digits, without `0x`.
  ///
  /// - Parameter digitCount: how many digits to write at least; shorter numbers get leading zeros.
  mutating func append(hexadecimal number: UInt64, digitCount: Int = 1) {
    let significant = (64 - number.leadingZeroBitCount + 3) / 4
    var shift = 4 * Swift.max(significant, Swift.min(digitCount, 16))
    while shift > 0 {
      shift -= 4
      let digit = UInt8(truncatingIfNeeded: number >> UInt64(shift) & 0xf)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
    }
  }
}
