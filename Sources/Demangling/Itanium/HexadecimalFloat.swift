/// The formats of floating-point literals.
enum FloatFormat {
  case single
  case double
  /// The 80 bits of x86's `long double`.
  case extended

  /// How many hexadecimal digits state the bits.
  var digitCount: Int {
    switch self {
    case .single: 8
    case .double: 16
    case .extended: 20
    }
  }
}

/// Writes numbers as C's `%a` does, and with the suffix of their type.
enum HexadecimalFloat {
  /// The number whose bits are the hexadecimal `digits`; nil if there are too many or too few.
  static func text(_ format: FloatFormat, digits: ArraySlice<UInt8>) -> String? {
    guard digits.count == format.digitCount else { return nil }
    let high = String(decoding: digits.dropLast(16), as: UTF8.self)
    let low = String(decoding: digits.suffix(16), as: UTF8.self)
    guard let bits = UInt64(low, radix: 16) else { return nil }
    switch format {
    case .single: return text(Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits)))) + "f"
    case .double: return text(Double(bitPattern: bits))
    case .extended:
      guard let sign = UInt64(high, radix: 16) else { return nil }
      return extended(exponent: Int(sign & 0x7fff), isNegative: sign >> 15 == 1, bits) + "L"
    }
  }

  private static func text(_ number: Double) -> String {
    let sign = number.sign == .minus ? "-" : ""
    if number.isNaN { return sign + "nan" }
    if number.isInfinite { return sign + "inf" }
    if number.isZero { return sign + "0x0p+0" }
    let isNormal = number.isNormal
    let exponent = isNormal ? Int(number.exponent) : -1022
    return sign + (isNormal ? "0x1" : "0x0")
      + fraction(number.significandBitPattern, digitCount: 13) + power(exponent)
  }

  /// The integer bit is stated, and the first digit has four bits.
  private static func extended(exponent: Int, isNegative: Bool, _ bits: UInt64) -> String {
    let sign = isNegative ? "-" : ""
    // Only the smallest numbers have no integer bit. The C library writes others without as this.
    if exponent > 0, bits >> 63 == 0 { return sign + "nan" }
    if exponent == 0x7fff { return sign + (bits << 1 == 0 ? "inf" : "nan") }
    if bits == 0 && exponent == 0 { return sign + "0x0p+0" }
    let first = String(bits >> 60, radix: 16)
    let rest = fraction(bits & (1 << 60 - 1), digitCount: 15)
    return sign + "0x" + first + rest + power(max(exponent, 1) - 16383 - 3)
  }

  /// The hexadecimal digits behind the point without trailing zeros.
  private static func fraction(_ bits: UInt64, digitCount: Int) -> String {
    guard bits != 0 else { return "" }
    let digits = String(bits, radix: 16)
    let zeros = String(repeating: "0", count: digitCount - digits.utf8.count)
    var text = zeros + digits
    while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
    return "." + text
  }

  private static func power(_ exponent: Int) -> String {
    exponent < 0 ? "p\(exponent)" : "p+\(exponent)"
  }
}
