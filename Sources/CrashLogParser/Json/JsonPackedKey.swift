/// A key of up to 15 bytes without escapes in one number, so that one comparison tells two of them
/// apart: a 1, then the bytes from the first to the last.
struct JsonPackedKey: Hashable, Sendable {
  static let greatestByteCount = 15

  private let number: UInt128

  /// Nil for a key that is too long.
  init?(_ key: String) {
    guard key.utf8.count <= Self.greatestByteCount else { return nil }
    number = key.utf8.reduce(1) { $0 << 8 | UInt128($1) }
  }

  /// The key whose opening quote is at `start`. Nil for one that is too long or has an escape in
  /// it: its text has to be compared.
  @inline(__always)
  init?(in bytes: Span<UInt8>, at start: Int) {
    var number: UInt128 = 1
    var place = start + 1
    let limit = min(place + Self.greatestByteCount + 1, bytes.count)
    while place < limit {
      let byte = bytes[place]
      if byte == Ascii.quote {
        self.number = number
        return
      }
      if byte == Ascii.backslash { return nil }
      number = number << 8 | UInt128(byte)
      place += 1
    }
    return nil
  }
}
