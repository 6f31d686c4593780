import CLzma
import SymbolicationModel

/// xz files ("The .xz File Format", version 1.2.1) of one stream through the system's liblzma.
enum XzCodec: Codec {
  /// How much memory liblzma may use itself, in bytes: decoding what `xz -9` writes needs 65 MiB.
  private static let memoryLimit: UInt64 = 256 << 20

  static let magic: [UInt8] = [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]

  /// An LZMA2 chunk holds at most 2 MiB and takes at least 6 bytes: its header of 5 or 6, and data.
  static let largestExpansion = (compressed: 6 as UInt64, expanded: 2 << 20 as UInt64)

  /// The size of the output as the index at the end of the stream states it.
  static func statedSize(
    of input: UnsafeRawBufferPointer
  ) throws(DecompressionError) -> UInt64 {
    let headerSize = Int(LZMA_STREAM_HEADER_SIZE)
    guard unsafe input.prefix(magic.count).elementsEqual(magic) else {
      throw .damaged(method: .xz, code: Int(LZMA_FORMAT_ERROR.rawValue))
    }
    guard input.count >= 2 * headerSize, let base = input.baseAddress else {
      throw .truncated
    }
    let bytes = unsafe base.assumingMemoryBound(to: UInt8.self)
    var flags = lzma_stream_flags()
    let footer = unsafe lzma_stream_footer_decode(&flags, bytes + (input.count - headerSize))
    // The end of the file has a magic number of its own.
    if footer == LZMA_FORMAT_ERROR { throw .truncated }
    try check(footer)
    let indexSize = flags.backward_size
    guard indexSize <= UInt64(input.count - 2 * headerSize) else { throw .truncated }

    var index: OpaquePointer?
    var limit = memoryLimit
    var position = input.count - headerSize - Int(indexSize)
    try check(
      unsafe lzma_index_buffer_decode(
        &index, &limit, nil, bytes, &position, input.count - headerSize),
      memory: limit)
    defer { unsafe lzma_index_end(index, nil) }
    return unsafe lzma_index_uncompressed_size(index)
  }

  static func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (written: Int, taken: Int) {
    var limit = memoryLimit
    var taken = 0
    var written = 0
    let status = unsafe lzma_stream_buffer_decode(
      &limit, 0, nil, input.baseAddress?.assumingMemoryBound(to: UInt8.self), &taken, input.count,
      output.baseAddress?.assumingMemoryBound(to: UInt8.self), &written, output.count)
    if status == LZMA_BUF_ERROR { throw .outputTooLong(promised: UInt64(output.count)) }
    try check(status, memory: limit)
    return (written, taken)
  }

  /// - Parameter memory: how many bytes liblzma wanted, if that was more than it may use.
  private static func check(_ status: lzma_ret, memory: UInt64 = 0) throws(DecompressionError) {
    switch status {
    case LZMA_OK: return
    case LZMA_MEM_ERROR, LZMA_MEMLIMIT_ERROR: throw .outOfMemory(size: memory)
    case let other: throw .damaged(method: .xz, code: Int(other.rawValue))
    }
  }
}
