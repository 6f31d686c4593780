/// Why bytes could not be read. Offsets and counts are in bytes, from the start of the region that
/// was read.
package enum ByteReadError: Error, Hashable, Sendable {
  /// `count` bytes were wanted at `offset`, in a region of `available` bytes.
  case outOfBounds(offset: UInt64, count: UInt64, available: UInt64)
  /// The LEB128 number at `offset` does not fit in 64 bits.
  case oversizedLeb128(offset: UInt64)
  /// No zero byte ends the string at `offset`.
  case unterminatedString(offset: UInt64)
  /// A number of `size` bytes was wanted at `offset`; only sizes of 1 to 8 are supported.
  case unsupportedNumberSize(size: Int, offset: UInt64)
}
