import SymbolicationModel

/// Numbers as text in a buffer of bytes, without a `String` for each.
extension [UInt8] {
  package mutating func append(decimal number: UInt64) {
    // Digits come last one first; no number has more than 20.
    var digits = InlineArray<20, UInt8>(repeating: 0)
    var start = digits.count
    var rest = number
    repeat {
      let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
      start -= 1
      digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
      rest = quotient
    } while rest > 0
    append(addingCapacity: digits.count - start) { (output: inout OutputSpan<UInt8>) in
      for index in start..<digits.count { output.append(digits[index]) }
    }
  }

  package mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(decimal: UInt64(number.magnitude))
  }

  /// Appends lower-case digits, without `0x`.
  ///
  /// - Parameter digitCount: how many digits to write at least; shorter numbers get leading zeros.
  package mutating func append(hexadecimal number: UInt64, digitCount: Int = 1) {
    let significant = (64 - number.leadingZeroBitCount + 3) / 4
    let count = Swift.max(significant, Swift.min(digitCount, 16))
    append(addingCapacity: count) { (output: inout OutputSpan<UInt8>) in
      for place in (0..<count).reversed() {
        let digit = UInt8(truncatingIfNeeded: number >> UInt64(4 * place) & 0xf)
        output.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      }
    }
  }
}
