import CBzip2
import SymbolicationModel

/// bzip2 files of one stream or several in a row, through the system's libbz2.
enum BzipCodec: Codec {
  /// A block has at most 900,000 bytes, in which 5 may stand for 259, and takes at least 32.
  static let largestExpansion = (compressed: 32 as UInt64, expanded: 48 << 20 as UInt64)

  static func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (written: Int, taken: Int) {
    var stream = try unsafe BzipStream(input)
    defer { stream.end() }
    let (count, isEnd) = try unsafe stream.next(into: output)
    guard !isEnd else { return (count, input.count) }
    // The end of the data may follow the last byte of the output.
    var rest: UInt8 = 0
    let more = try unsafe withUnsafeMutableBytes(of: &rest) { (buffer) throws(DecompressionError) in
      try unsafe stream.next(into: buffer)
    }
    guard more.count == 0 else { throw .outputTooLong(promised: UInt64(output.count)) }
    return (count, input.count)
  }
}

/// A file that was compressed with bzip2.
@safe struct BzipStream: InflatingStream {
  private var stream: UnsafeMutablePointer<bz_stream>
  /// How many bytes of the input libbz2 has not been given yet: its counts have 32 bits.
  private var rest: Int

  private static let magic: [UInt8] = [0x42, 0x5a, 0x68]
  /// What libbz2 needs for a block of the largest size.
  private static let memory: UInt64 = 3_700_000

  init(_ input: UnsafeRawBufferPointer) throws(DecompressionError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: bz_stream())
    // libbz2 does not write to its input, although its interface says so.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: CChar.self))
    rest = input.count
    guard unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else {
      unsafe stream.deallocate()
      throw .outOfMemory(size: Self.memory)
    }
  }

  mutating func next(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (count: Int, isEnd: Bool) {
    unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
    unsafe stream.pointee.avail_out = UInt32(clamping: buffer.count)
    while true {
      if unsafe stream.pointee.avail_in == 0 {
        let chunk = min(rest, 1 << 30)
        unsafe stream.pointee.avail_in = UInt32(chunk)
        rest -= chunk
      }
      let before = unsafe (stream.pointee.avail_in, stream.pointee.avail_out)
      let status = unsafe BZ2_bzDecompress(stream)
      let free = unsafe Int(stream.pointee.avail_out)
      let left = unsafe Int(stream.pointee.avail_in) + rest
      switch status {
      case BZ_STREAM_END:
        guard left > 0 else { return (buffer.count - free, true) }
        try beginAnother(left)
      case BZ_OK:
        if free == 0 { return (buffer.count, false) }
        let hasProgress =
          unsafe before != (stream.pointee.avail_in, stream.pointee.avail_out)
        guard left > 0 || hasProgress else { throw .truncated }
      case BZ_MEM_ERROR: throw .outOfMemory(size: Self.memory)
      default: throw .damaged(method: .bzip2, code: Int(status))
      }
    }
  }

  /// Begins with the stream behind one that ended; its magic number lies in the input, which is
  /// contiguous.
  private mutating func beginAnother(_ left: Int) throws(DecompressionError) {
    guard left >= Self.magic.count, let next = unsafe stream.pointee.next_in,
      Self.magic.indices.allSatisfy({
        unsafe UInt8(bitPattern: next[$0]) == Self.magic[$0]
      })
    else { throw .trailingBytes(count: UInt64(left)) }
    unsafe BZ2_bzDecompressEnd(stream)
    guard unsafe BZ2_bzDecompressInit(stream, 0, 0) == BZ_OK else {
      throw .outOfMemory(size: Self.memory)
    }
  }

  mutating func end() {
    unsafe BZ2_bzDecompressEnd(stream)
    unsafe stream.deallocate()
  }
}
