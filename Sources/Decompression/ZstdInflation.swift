import CZstd

/// zstd frames (RFC 8878) through the system's zstd.
///
/// Soundness: zstd is given pointers and counts of the input's span and of the output's free part
/// within the closures that lend them, and reads and writes no further than the counts.
enum ZstdInflation {
  /// A bound on the output of `compressed` bytes. A block holds at most 128 KiB and takes at least
  /// 4 bytes: its header and the one byte that it repeats (RFC 8878, section 3.1.1.2).
  static func largestOutput(of compressed: UInt64) -> UInt64 {
    let (product, overflow) = (compressed / 4).multipliedReportingOverflow(by: 128 << 10)
    return overflow ? .max : product
  }

  /// Checks that the input is whole frames, and that these, where they state their sizes, state
  /// `promised` together.
  static func checkFrames(of input: RawSpan, promised: UInt64) throws(DecompressionError) {
    try unsafe input.withUnsafeBytes { (bytes) throws(DecompressionError) in
      try unsafe checkFrames(of: bytes, promised: promised)
    }
  }

  private static func checkFrames(
    of input: UnsafeRawBufferPointer, promised: UInt64
  ) throws(DecompressionError) {
    var offset = 0
    var stated: UInt64? = 0
    repeat {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: input[offset...])
      let frameSize = unsafe ZSTD_findFrameCompressedSize(rest.baseAddress, rest.count)
      if ZSTD_isError(frameSize) != 0 {
        switch (errorCode(frameSize), offset) {
        case (ErrorCode.unknownPrefix, 1...):
          throw .trailingBytes(count: UInt64(rest.count))
        // Fewer bytes than the shortest header has: what they begin is not known.
        case (ErrorCode.wrongSourceSize, 1...) where rest.count < 5:
          throw .trailingBytes(count: UInt64(rest.count))
        case (ErrorCode.wrongSourceSize, _):
          throw .truncated
        case (let code, _):
          throw .damaged(method: .zstd, code: code)
        }
      }
      let contentSize = unsafe ZSTD_getFrameContentSize(rest.baseAddress, rest.count)
      switch contentSize {
      case .max:  // ZSTD_CONTENTSIZE_UNKNOWN
        stated = nil
      case .max - 1:  // ZSTD_CONTENTSIZE_ERROR
        throw .damaged(method: .zstd, code: ErrorCode.unknownPrefix)
      default:
        if let sum = stated {
          let (total, overflow) = sum.addingReportingOverflow(contentSize)
          guard !overflow, total <= promised else { throw .outputTooLong(promised: promised) }
          stated = total
        }
      }
      offset += Int(frameSize)
    } while offset < input.count
    if let stated, stated != promised {
      throw .outputTooShort(promised: promised, actual: stated)
    }
  }

  static func inflate(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(DecompressionError) {
    try unsafe output.withUnsafeMutableBytes {
      (buffer, initializedCount) throws(DecompressionError) in
      let start = initializedCount
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      let result = unsafe input.withUnsafeBytes { bytes in
        unsafe ZSTD_decompress(free.baseAddress, free.count, bytes.baseAddress, bytes.count)
      }
      if ZSTD_isError(result) != 0 {
        switch errorCode(result) {
        case ErrorCode.destinationTooSmall:
          throw .outputTooLong(promised: UInt64(free.count))
        case ErrorCode.wrongSourceSize:
          throw .truncated
        case ErrorCode.noMemory:
          throw .outOfMemory(size: UInt64(free.count))
        case let code:
          throw .damaged(method: .zstd, code: code)
        }
      }
      guard result == free.count else {
        throw .outputTooShort(promised: UInt64(free.count), actual: UInt64(result))
      }
      initializedCount = start + result
    }
  }

  /// The numbers of `ZSTD_ErrorCode` in zstd_errors.h, which are fixed since zstd 1.3.1.
  private enum ErrorCode {
    static let unknownPrefix = 10
    static let noMemory = 64
    static let destinationTooSmall = 70
    static let wrongSourceSize = 72
  }

  /// A result that is an error is the error's number, negated.
  private static func errorCode(_ result: Int) -> Int { -result }
}
