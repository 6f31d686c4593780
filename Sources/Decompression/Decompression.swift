/// Inflates compressed bytes whose size is promised beforehand, as the headers of compressed ELF
/// sections do.
///
/// The promise is not believed: it is compared with the caller's limit and with what the input can
/// expand to at all before memory is set aside, and output of any other size is an error. Memory is
/// touched only as output is written.
package enum Decompression {
  package enum Method: Hashable, Sendable {
    /// RFC 1950, one stream.
    case zlib
    /// RFC 8878, one frame or several in a row; skippable frames are passed over.
    case zstd
    /// The .xz file format, one stream.
    case xz
  }

  /// The size of what `input`, an xz file, inflates to, as the index at its end states it.
  ///
  /// It is a promise like any other. Throws `truncated`, `damaged` and `outOfMemory`. Cost: a step for
  /// each block.
  package static func statedXzSize(of input: RawSpan) throws(DecompressionError) -> UInt64 {
    try XzInflation.statedSize(of: input)
  }

  /// The promised size as the size of a buffer, once it is known to be allowed and possible.
  ///
  /// Throws `tooLarge` and `implausible`; for zstd, whose frames usually state their size, also
  /// `outputTooShort`, `outputTooLong`, and `truncated`, `trailingBytes` and `damaged` for frames
  /// that do not fit the input. Cost: constant for zlib and xz, a step per block of 128 KiB for zstd.
  package static func checkedSize(
    of input: RawSpan, method: Method, promised: UInt64, limit: UInt64
  ) throws(DecompressionError) -> Int {
    guard promised <= limit, let size = Int(exactly: promised) else {
      throw .tooLarge(promised: promised, limit: min(limit, UInt64(Int.max)))
    }
    let compressed = UInt64(input.byteCount)
    let atMost =
      switch method {
      case .zlib: ZlibInflation.largestOutput(of: compressed)
      case .zstd: ZstdInflation.largestOutput(of: compressed)
      case .xz: XzInflation.largestOutput(of: compressed)
      }
    guard promised <= atMost else {
      throw .implausible(promised: promised, compressed: compressed, atMost: atMost)
    }
    if method == .zstd { try ZstdInflation.checkFrames(of: input, promised: promised) }
    return size
  }

  /// Inflates `input` into the free bytes of `output`, which it must fill exactly: as many as
  /// `checkedSize` returned for the same input.
  ///
  /// Throws every error but `tooLarge` and `implausible`. What was written before an error is not
  /// counted as part of `output`.
  package static func inflate(
    _ input: RawSpan, method: Method, into output: inout OutputRawSpan
  ) throws(DecompressionError) {
    switch method {
    case .zlib: try ZlibInflation.inflate(input, into: &output)
    case .zstd: try ZstdInflation.inflate(input, into: &output)
    case .xz: try XzInflation.inflate(input, into: &output)
    }
  }

  /// The `expectedSize` bytes that `input` inflates to. Throws where they are more than `limit`, or
  /// where anything else comes out.
  package static func inflate(
    _ input: RawSpan, method: Method, expectedSize: UInt64, limit: UInt64
  ) throws(DecompressionError) -> [UInt8] {
    let size = try checkedSize(of: input, method: method, promised: expectedSize, limit: limit)
    return try inflatedArray(input, method: method, size: size)
  }
}
