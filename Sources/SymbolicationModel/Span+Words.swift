extension Span<UInt8> {
  /// The 8 bytes from `offset` as one number, the first one lowest: one load, after one check. Only
  /// for an offset with 8 bytes left.
  @inlinable @inline(__always)
  package func word(at offset: Int) -> UInt64 {
    let bytes = unsafe extracting(offset..<offset + 8).bytes
    // These are 8 bytes, and every bit pattern is a number.
    return unsafe UInt64(littleEndian: bytes.unsafeLoadUnaligned(as: UInt64.self))
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

  @inlinable
  package func holds(_ byte: UInt8) -> Bool { firstOffset(of: byte, from: 0) < count }
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

  /// The highest bit of each byte that is `byte`. Bits above the lowest of these may be set
  /// wrongly.
  @inlinable @inline(__always)
  package func bytes(equal byte: UInt8) -> UInt64 {
    (self ^ (UInt64(byte) &* Self.everyByte)).zeroBytes
  }
}
