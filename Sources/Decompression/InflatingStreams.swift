import CLzma
import CZlib
import CZstd
import SymbolicationModel

/// gzip through zlib.
@safe struct GzipStream: InflatingStream {
  private var stream: UnsafeMutablePointer<z_stream>

  /// How many bytes of the input zlib has not been given yet: its counts have 32 bits.
  private var rest: Int

  private static let magic: [UInt8] = [0x1f, 0x8b]

  init(_ input: UnsafeRawBufferPointer) throws(DecompressionError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: z_stream())
    // zlib does not write to its input, although its interface says so.
    unsafe stream.pointee.next_in = UnsafeMutablePointer(
      mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
    rest = input.count
    // 16: a gzip header is expected.
    let status = unsafe inflateInit2_(
      stream, MAX_WBITS + 16, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size))
    guard status == Z_OK else {
      unsafe stream.deallocate()
      throw .outOfMemory(size: 1 << 15)
    }
  }

  mutating func next(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (count: Int, isEnd: Bool) {
    unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = uInt(clamping: buffer.count)
    while true {
      if unsafe stream.pointee.avail_in == 0 {
        let chunk = min(rest, 1 << 30)
        unsafe stream.pointee.avail_in = uInt(chunk)
        rest -= chunk
      }
      let status = unsafe CZlib.inflate(stream, Z_NO_FLUSH)
      let free = unsafe Int(stream.pointee.avail_out)
      let left = unsafe Int(stream.pointee.avail_in) + rest
      switch status {
      case Z_STREAM_END:
        guard left > 0 else { return (buffer.count - free, true) }
        // Another member; its magic number lies in the input, which is contiguous.
        guard left >= 2, let next = unsafe stream.pointee.next_in,
          unsafe [next[0], next[1]] == Self.magic
        else { throw .trailingBytes(count: UInt64(left)) }
        guard unsafe inflateReset(stream) == Z_OK else { throw .damaged(method: .zlib, code: 0) }
      case Z_OK, Z_BUF_ERROR:
        if free == 0 { return (buffer.count, false) }
        guard left > 0 else { throw .truncated }
      case Z_MEM_ERROR: throw .outOfMemory(size: 1 << 15)
      case Z_DATA_ERROR where isWrongCheck: throw .wrongChecksum
      default: throw .damaged(method: .zlib, code: Int(status))
      }
    }
  }

  /// Whether zlib read everything, and compared in vain. It tells this from other damage in words
  /// alone (`inflate.c`).
  private var isWrongCheck: Bool {
    guard let text = unsafe stream.pointee.msg else { return false }
    return unsafe ["incorrect data check", "incorrect length check"].contains(
      String(cString: text))
  }

  mutating func end() {
    unsafe inflateEnd(stream)
    unsafe stream.deallocate()
  }
}

/// zstd frames, with or without a stated size.
@safe struct ZstdStream: InflatingStream {
  private let context: OpaquePointer
  private var input: ZSTD_inBuffer
  /// What the last call returned: 0 at the end of a frame.
  private var hint = 1

  init(_ bytes: UnsafeRawBufferPointer) throws(DecompressionError) {
    guard let context = unsafe ZSTD_createDStream() else { throw .outOfMemory(size: 1 << 17) }
    unsafe self.context = context
    unsafe input = ZSTD_inBuffer(src: bytes.baseAddress, size: bytes.count, pos: 0)
  }

  mutating func next(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (count: Int, isEnd: Bool) {
    var output = unsafe ZSTD_outBuffer(dst: buffer.baseAddress, size: buffer.count, pos: 0)
    while unsafe output.pos < output.size {
      let (before, written) = unsafe (input.pos, output.pos)
      if unsafe hint == 0 && input.pos == input.size { return (unsafe output.pos, true) }
      hint = unsafe ZSTD_decompressStream(context, &output, &input)
      guard ZSTD_isError(hint) == 0 else {
        throw .damaged(method: .zstd, code: 0 &- hint)
      }
      if unsafe hint != 0 && input.pos == before && output.pos == written { throw .truncated }
    }
    return (unsafe output.pos, false)
  }

  mutating func end() { unsafe ZSTD_freeDStream(context) }
}

/// xz files.
@safe struct XzStream: InflatingStream {
  private var stream: UnsafeMutablePointer<lzma_stream>

  /// How much memory liblzma may use itself, in bytes: as for `XzCodec`.
  private static let memoryLimit: UInt64 = 256 << 20

  init(_ input: UnsafeRawBufferPointer) throws(DecompressionError) {
    unsafe stream = .allocate(capacity: 1)
    unsafe stream.initialize(to: lzma_stream())
    let status = unsafe lzma_stream_decoder(stream, Self.memoryLimit, 0)
    guard status == LZMA_OK else {
      unsafe stream.deallocate()
      throw .outOfMemory(size: Self.memoryLimit)
    }
    unsafe stream.pointee.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_in = input.count
  }

  mutating func next(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (count: Int, isEnd: Bool) {
    unsafe stream.pointee.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    unsafe stream.pointee.avail_out = buffer.count
    while unsafe stream.pointee.avail_out > 0 {
      // All input is there, so the decoder may finish.
      switch unsafe lzma_code(stream, LZMA_FINISH) {
      case LZMA_OK: continue
      case LZMA_STREAM_END:
        guard try beginAnother() else {
          return unsafe (buffer.count - stream.pointee.avail_out, true)
        }
      case LZMA_BUF_ERROR: throw .truncated
      case LZMA_MEM_ERROR, LZMA_MEMLIMIT_ERROR: throw .outOfMemory(size: Self.memoryLimit)
      case let other: throw .damaged(method: .xz, code: Int(other.rawValue))
      }
    }
    return (buffer.count, false)
  }

  /// Begins with the stream behind one that ended. Between them, and at the end, there may be
  /// zeros, four at a time ("The .xz File Format", 2.2).
  ///
  /// liblzma would do so itself, but takes other bytes there for a stream that is cut short.
  ///
  /// - Returns: false if there is none.
  private mutating func beginAnother() throws(DecompressionError) -> Bool {
    let left = unsafe UnsafeRawBufferPointer(
      start: stream.pointee.next_in, count: stream.pointee.avail_in)
    let padding = unsafe left.prefix { $0 == 0 }.count
    let next = unsafe left.dropFirst(padding)
    guard padding % 4 == 0, unsafe next.isEmpty || next.starts(with: XzCodec.magic) else {
      throw .trailingBytes(count: UInt64(left.count))
    }
    if unsafe next.isEmpty { return false }
    guard unsafe lzma_stream_decoder(stream, Self.memoryLimit, 0) == LZMA_OK else {
      throw .outOfMemory(size: Self.memoryLimit)
    }
    unsafe stream.pointee.next_in += padding
    unsafe stream.pointee.avail_in -= padding
    return true
  }

  mutating func end() {
    unsafe lzma_end(stream)
    unsafe stream.deallocate()
  }
}
