import CZlib

/// The CRC-32 of ISO 3309 and RFC 1952: the checksum in `.gnu_debuglink`.
package enum Crc32 {
  /// The checksum of all of `bytes`, computed by zlib. Cost: every byte is read.
  ///
  /// Soundness: zlib is given a pointer and a count within the closure that lends them, and only
  /// reads.
  package static func checksum(of bytes: RawSpan) -> UInt32 {
    unsafe bytes.withUnsafeBytes { buffer in
      var checksum = crc32(0, nil, 0)
      var taken = 0
      // zlib counts in 32 bits.
      while taken < buffer.count {
        let count = min(buffer.count - taken, 1 << 30)
        unsafe checksum = crc32(
          checksum, buffer.baseAddress?.advanced(by: taken).assumingMemoryBound(to: UInt8.self),
          UInt32(count))
        taken += count
      }
      return UInt32(truncatingIfNeeded: checksum)
    }
  }
}
