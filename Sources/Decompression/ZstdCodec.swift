import CZstd
import SymbolicationModel

/// zstd frames (RFC 8878) through the system's zstd.
enum ZstdCodec: Codec {
  /// A block holds at most 128 KiB and takes at least 4 bytes: its header, and the one byte that it
  /// repeats (RFC 8878, section 3.1.1.2).
  static let largestExpansion = (compressed: 4 as UInt64, expanded: 128 << 10 as UInt64)

  /// Checks that the input consists of whole frames. If all of them state their sizes, the sum must
  /// be `promised`.
  static func checkStatedSize(
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
        // Too few bytes for the shortest header: what they begin is not known.
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
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (written: Int, taken: Int) {
    let result = unsafe ZSTD_decompress(
      output.baseAddress, output.count, input.baseAddress, input.count)
    guard ZSTD_isError(result) != 0 else { return (result, input.count) }
    switch errorCode(result) {
    case ErrorCode.destinationTooSmall: throw .outputTooLong(promised: UInt64(output.count))
    case ErrorCode.wrongSourceSize: throw .truncated
    case ErrorCode.noMemory: throw .outOfMemory(size: UInt64(output.count))
    case let code: throw .damaged(method: .zstd, code: code)
    }
  }

  /// The numbers of `ZSTD_ErrorCode` in zstd_errors.h, which are fixed since zstd 1.3.1.
  private enum ErrorCode {
    static let unknownPrefix = 10
    static let noMemory = 64
    static let destinationTooSmall = 70
    static let wrongSourceSize = 72
  }

  /// zstd returns an error as the negated error number.
  private static func errorCode(_ result: Int) -> Int { -result }
}
