import CZlib
import SymbolicationModel

/// zlib streams (RFC 1950) through the system's zlib.
enum ZlibCodec: Codec {
  /// Deflate writes at most 258 bytes for a length symbol and a distance symbol, which take at
  /// least one bit each (RFC 1951, section 3.2.5).
  static let largestExpansion = (compressed: 1 as UInt64, expanded: 1032 as UInt64)

  static func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (written: Int, taken: Int) {
    var stream = unsafe z_stream()
    let status = unsafe inflateInit_(
      &stream, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw error(status, size: output.count) }
    defer { unsafe inflateEnd(&stream) }

    // zlib counts in 32 bits, so input and output are handed over in parts. Once the output is
    // full, a spare byte takes its place: the end of the stream may still be ahead, and a byte
    // written there means that the output is longer than promised.
    var spare: UInt8 = 0
    var taken = 0
    var written = 0
    while true {
      let inputPart = min(input.count - taken, Int(UInt32.max))
      let outputPart = min(output.count - written, Int(UInt32.max))
      unsafe stream.next_in = UnsafeMutablePointer(
        mutating: input.baseAddress?.advanced(by: taken).assumingMemoryBound(to: UInt8.self))
      unsafe stream.avail_in = UInt32(inputPart)
      let isFull = outputPart == 0
      let status: Int32
      if isFull {
        status = unsafe withUnsafeMutablePointer(to: &spare) { spare in
          unsafe stream.next_out = spare
          unsafe stream.avail_out = 1
          return unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
        }
        guard unsafe stream.avail_out == 1 else {
          throw .outputTooLong(promised: UInt64(output.count))
        }
      } else {
        unsafe stream.next_out = output.baseAddress?.advanced(by: written)
          .assumingMemoryBound(to: UInt8.self)
        unsafe stream.avail_out = UInt32(outputPart)
        status = unsafe CZlib.inflate(&stream, Z_NO_FLUSH)
        written += unsafe outputPart - Int(stream.avail_out)
      }
      let consumed = unsafe inputPart - Int(stream.avail_in)
      taken += consumed

      switch status {
      case Z_STREAM_END: return (written, taken)
      case Z_OK where consumed > 0 || !isFull:
        continue
      case Z_OK, Z_BUF_ERROR:
        // No progress is possible: the input is used up before the stream has ended.
        throw .truncated
      default:
        throw error(status, size: output.count)
      }
    }
  }

  private static func error(_ status: Int32, size: Int) -> DecompressionError {
    status == Z_MEM_ERROR
      ? .outOfMemory(size: UInt64(size)) : .damaged(method: .zlib, code: Int(status))
  }
}

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
