import CZlib

/// zlib streams (RFC 1950) through the system's zlib.
///
/// Soundness: zlib is given pointers and counts of the input's span and of the output's free part
/// within the closures that lend them, and reads and writes no further than the counts.
enum ZlibInflation {
  /// A bound on the output of `compressed` bytes. Deflate writes at most 258 bytes for one symbol of
  /// length and one of distance, at least a bit each (RFC 1951, section 3.2.5): 1032 for a byte.
  static func largestOutput(of compressed: UInt64) -> UInt64 {
    let (product, overflow) = compressed.multipliedReportingOverflow(by: 1032)
    return overflow ? .max : product
  }

  static func inflate(
    _ input: RawSpan, into output: inout OutputRawSpan
  ) throws(DecompressionError) {
    try unsafe output.withUnsafeMutableBytes {
      (buffer, initializedCount) throws(DecompressionError) in
      let start = initializedCount
      let free = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
      try unsafe input.withUnsafeBytes { (bytes) throws(DecompressionError) in
        try unsafe inflate(bytes, into: free)
      }
      initializedCount = start + free.count
    }
  }

  private static func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) {
    var stream = unsafe z_stream()
    let status = unsafe inflateInit_(
      &stream, zlibVersion(), Int32(MemoryLayout<z_stream>.size))
    guard status == Z_OK else { throw error(status, size: output.count) }
    defer { unsafe inflateEnd(&stream) }

    // zlib counts in 32 bits, so both sides are handed over in parts. One byte that nobody wants
    // takes the output's place when it is full: the end of the stream may still be ahead, and output
    // that goes on is told from output that ends.
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
      case Z_STREAM_END:
        guard written == output.count else {
          throw .outputTooShort(promised: UInt64(output.count), actual: UInt64(written))
        }
        guard taken == input.count else {
          throw .trailingBytes(count: UInt64(input.count - taken))
        }
        return
      case Z_OK where consumed > 0 || !isFull:
        continue
      case Z_OK, Z_BUF_ERROR:
        // No progress is possible: all input is used, and its end has not come.
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
