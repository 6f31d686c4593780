/// How bytes are compressed.
public enum CompressionMethod: Hashable, Sendable {
  /// RFC 1950, one stream.
  case zlib
  /// RFC 8878, one frame or several in a row; skippable frames are skipped.
  case zstd
  /// The .xz file format, one stream.
  case xz
  /// One stream or several in a row.
  case bzip2
}

/// Why compressed bytes could not be inflated. Sizes are in bytes.
///
/// It is declared here, and not where bytes are inflated, because ``SymbolFileProblem`` hands it to
/// the user unchanged.
public enum DecompressionError: Error, Hashable, Sendable {
  /// The stated size is larger than the caller allows.
  case tooLarge(promised: UInt64, limit: UInt64)
  /// The stated size is larger than `atMost`, the most that `compressed` bytes can expand to.
  case implausible(promised: UInt64, compressed: UInt64, atMost: UInt64)
  /// The input ends properly after `actual` bytes of output, fewer than promised.
  case outputTooShort(promised: UInt64, actual: UInt64)
  /// The input goes on after the promised output.
  case outputTooLong(promised: UInt64)
  /// The input ends before the compressed data does.
  case truncated
  /// `count` bytes follow the end of the compressed data.
  case trailingBytes(count: UInt64)
  /// The input was not written by `method`, or is damaged; `code` is the error number of zlib,
  /// zstd, liblzma or libbz2.
  case damaged(method: CompressionMethod, code: Int)
  /// There is no memory for `size` bytes or for the library's own tables, or those tables would be
  /// larger than is allowed.
  case outOfMemory(size: UInt64)
}
