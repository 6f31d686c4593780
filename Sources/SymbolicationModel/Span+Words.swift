extension Span<UInt8> {
  /// The 8 bytes from `offset` as one number, the first one lowest: one load, after one check. Only
  /// for an offset with 8 bytes left.
  @inlinable @inline(__always)
  package func word(at offset: Int) -> UInt64 {
    let bytes = extracting(offset..<offset + 8)
    // A sum of all eight is more than the type checker of Swift 6.2 takes on.
    var word = UInt64(bytes[0])
    word |= UInt64(bytes[1]) << 8
    word |= UInt64(bytes[2]) << 16
    word |= UInt64(bytes[3]) << 24
    word |= UInt64(bytes[4]) << 32
    word |= UInt64(bytes[5]) << 40
    word |= UInt64(bytes[6]) << 48
    word |= UInt64(bytes[7]) << 56
    return word
  }

  /// The offset of the first `byte` at or after `start`; the count if there is none. Compares 8
  /// bytes at a time.
  @inlinable
  package func firstOffset(of byte: UInt8, from start: Int) -> Int {
    let pattern = UInt64(byte) &* UInt64.everyByte
    var offset = start
    while count - offset >= 8 {
      let found = (word(at: offset) ^ pattern).zeroBytes
      if found != 0 { return offset + found.trailingZeroBitCount / 8 }
      offset += 8
    }
    while offset < count, self[offset] != byte { offset += 1 }
    return offset
  }
}

extension UInt64 {
  /// A 1 in each byte.
  @inlinable @inline(__always)
  package static var everyByte: UInt64 { 0x0101_0101_0101_0101 }

  /// The highest bit of each byte that is 0. Bits above the lowest of these may be set wrongly.
  @inlinable @inline(__always)
  package var zeroBytes: UInt64 {
    (self &- Self.everyByte) & ~self & (Self.everyByte &* 0x80)
  }
}
