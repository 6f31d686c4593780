/// Why compressed bytes could not be inflated. Sizes are in bytes.
package enum DecompressionError: Error, Hashable, Sendable {
  /// More is promised than the caller allows.
  case tooLarge(promised: UInt64, limit: UInt64)
  /// More is promised than `compressed` bytes of this format can expand to, `atMost`.
  case implausible(promised: UInt64, compressed: UInt64, atMost: UInt64)
  /// The input ends properly after `actual` bytes of output, fewer than promised.
  case outputTooShort(promised: UInt64, actual: UInt64)
  /// The input goes on after the promised output.
  case outputTooLong(promised: UInt64)
  /// The input ends before the compressed data does.
  case truncated
  /// `count` bytes follow the end of the compressed data.
  case trailingBytes(count: UInt64)
  /// The input is not what the method writes; `code` is the error number of zlib, zstd or
  /// liblzma.
  case damaged(method: Decompression.Method, code: Int)
  /// There is no memory for `size` bytes, or for the library's own tables, or these would be larger than
  /// they may be.
  case outOfMemory(size: UInt64)
}
