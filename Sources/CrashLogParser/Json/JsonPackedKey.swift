/// A key of up to 15 bytes without escapes, packed into one integer so that keys compare in one
/// step: a 1, then the bytes in order.
struct JsonPackedKey: Hashable, Sendable {
  static let greatestByteCount = 15

  private let number: UInt128

  /// Nil for a key that is too long.
  init?(_ key: String) {
    guard key.utf8.count <= Self.greatestByteCount else { return nil }
    number = key.utf8.reduce(1) { $0 << 8 | UInt128($1) }
  }

  /// The key whose opening quote is at `start`. Nil if it is too long or has an escape; compare its
  /// text then.
  @inline(__always)
  init?(in bytes: Span<UInt8>, at start: Int) {
    var number: UInt128 = 1
    var offset = start + 1
    let limit = min(offset + Self.greatestByteCount + 1, bytes.count)
    while offset < limit {
      let byte = bytes[offset]
      if byte == Ascii.quote {
        self.number = number
        return
      }
      if byte == Ascii.backslash { return nil }
      number = number << 8 | UInt128(byte)
      offset += 1
    }
    return nil
  }
}
