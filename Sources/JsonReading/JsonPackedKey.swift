import SymbolicationModel

/// A key of up to 15 bytes without escapes, packed into one integer so that keys compare in one
/// step: the bytes in order, the first one lowest, and their count in the highest byte.
package struct JsonPackedKey: Hashable, Sendable {
  static let greatestByteCount = 15

  private let number: UInt128

  /// Nil for a key that is too long.
  package init?(_ key: String) {
    guard key.utf8.count <= Self.greatestByteCount else { return nil }
    number =
      key.utf8.reversed().reduce(0) { $0 << 8 | UInt128($1) } | UInt128(key.utf8.count) << 120
  }

  /// The key whose opening quote is at `start`. Nil if it is too long or has an escape; compare its
  /// text then.
  @inline(__always)
  package init?(in bytes: Span<UInt8>, at start: Int) {
    guard bytes.count - start > 16 else {
      guard let number = Self.number(nearEndOf: bytes, at: start) else { return nil }
      self.number = number
      return
    }
    let low = bytes.word(at: start + 1)
    let lowEnd = low.bytes(equal: Ascii.quote) | low.bytes(equal: Ascii.backslash)
    if lowEnd != 0 {
      let bits = lowEnd.trailingZeroBitCount & ~7
      guard low >> bits & 0xff == UInt64(Ascii.quote) else { return nil }
      number = UInt128(low & ~(UInt64.max << bits)) | UInt128(bits / 8) << 120
      return
    }
    let high = bytes.word(at: start + 9)
    let highEnd = high.bytes(equal: Ascii.quote) | high.bytes(equal: Ascii.backslash)
    guard highEnd != 0 else { return nil }
    let bits = highEnd.trailingZeroBitCount & ~7
    guard high >> bits & 0xff == UInt64(Ascii.quote) else { return nil }
    number =
      UInt128(low) | UInt128(high & ~(UInt64.max << bits)) << 64 | UInt128(8 + bits / 8) << 120
  }

  /// The same for the last bytes of an input, one at a time.
  @inline(never)
  private static func number(nearEndOf bytes: Span<UInt8>, at start: Int) -> UInt128? {
    var number: UInt128 = 0
    var count = 0
    while count <= greatestByteCount, start + 1 + count < bytes.count {
      let byte = bytes[start + 1 + count]
      if byte == Ascii.quote { return number | UInt128(count) << 120 }
      if byte == Ascii.backslash { return nil }
      number |= UInt128(byte) << (8 * count)
      count += 1
    }
    return nil
  }
}
