import Platform
package import SymbolicationModel

/// Inflates compressed bytes whose size is stated beforehand, as it is in the headers of compressed
/// ELF sections.
///
/// The stated size is not trusted. Before any memory is allocated it is compared with the caller's
/// limit and with the most that the input can expand to, and output of any other size is an error.
/// Memory is touched only as output is written.
///
/// What all methods share is here: the checks of sizes, and the step from spans to the pointers
/// that C libraries take. Each method is a ``Codec`` with nothing but its calls into its library.
package enum Decompression {
  /// The method by which bytes are compressed.
  package typealias Method = CompressionMethod

  /// Checks the stated size of the output and returns it as the size of a buffer.
  ///
  /// Throws `tooLarge` and `implausible`. zstd frames usually state their own size, so for zstd it
  /// also throws `outputTooShort` and `outputTooLong`, and `truncated`, `trailingBytes` and
  /// `damaged` if the frames do not fit the input. Cost: constant for zlib and xz, one step for
  /// each block of 128 KiB for zstd.
  ///
  /// - Parameters:
  ///   - promised: the stated size in bytes.
  ///   - limit: the largest size that the caller accepts, in bytes.
  package static func checkedSize(
    of input: RawSpan, method: Method, promised: UInt64, limit: UInt64
  ) throws(DecompressionError) -> Int {
    guard promised <= limit, let size = Int(exactly: promised) else {
      throw .tooLarge(promised: promised, limit: min(limit, UInt64(Int.max)))
    }
    let codec = method.codec
    let compressed = UInt64(input.byteCount)
    let (chunk, expanded) = codec.largestExpansion
    let (product, overflow) = (compressed / chunk).multipliedReportingOverflow(by: expanded)
    let atMost = overflow ? .max : product
    guard promised <= atMost else {
      throw .implausible(promised: promised, compressed: compressed, atMost: atMost)
    }
    try unsafe input.withUnsafeBytes { (bytes) throws(DecompressionError) in
      try unsafe codec.checkStatedSize(of: bytes, promised: promised)
    }
    return size
  }

  /// Inflates `input` into `room`, which the result must fill exactly: as many bytes as
  /// `checkedSize` returned for the same input.
  ///
  /// Throws every error but `tooLarge` and `implausible`; what `room` has then does not count.
  ///
  /// Soundness: the library is given pointers and counts of the input's span, within the closure
  /// that lends them, and of `room`, and reads and writes no further than the counts. (Swift 6.2
  /// takes no function with both a span and an `inout` output span.)
  package static func inflate(
    _ input: RawSpan, method: Method, into room: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) {
    let (written, taken) = try unsafe input.withUnsafeBytes { (bytes) throws(DecompressionError) in
      try unsafe method.codec.inflate(bytes, into: room)
    }
    guard written == room.count else {
      throw .outputTooShort(promised: UInt64(room.count), actual: UInt64(written))
    }
    guard taken == input.byteCount else {
      throw .trailingBytes(count: UInt64(input.byteCount - taken))
    }
  }

  /// Inflates `input` to exactly `expectedSize` bytes.
  ///
  /// Throws if that is more than `limit`, or if anything else comes out.
  package static func inflate(
    _ input: RawSpan, method: Method, expectedSize: UInt64, limit: UInt64
  ) throws(DecompressionError) -> [UInt8] {
    let size = try checkedSize(of: input, method: method, promised: expectedSize, limit: limit)
    return try inflatedArray(input, method: method, size: size)
  }

  /// The size of the output of `input`, an xz file, as the index at its end states it.
  ///
  /// Pass it to ``checkedSize(of:method:promised:limit:)``: it is no more to be trusted than any
  /// other. Throws `truncated`, `damaged` and `outOfMemory`. Cost: one step for each block.
  package static func statedXzSize(of input: RawSpan) throws(DecompressionError) -> UInt64 {
    try unsafe input.withUnsafeBytes { (bytes) throws(DecompressionError) in
      try unsafe XzCodec.statedSize(of: bytes)
    }
  }
}

extension CompressionMethod {
  fileprivate var codec: any Codec.Type {
    switch self {
    case .zlib: ZlibCodec.self
    case .zstd: ZstdCodec.self
    case .xz: XzCodec.self
    case .bzip2: BzipCodec.self
    }
  }
}

/// The calls into the C library of one compression method. ``Decompression`` makes the pointers and
/// checks the sizes.
protocol Codec {
  /// The most that the format can expand: `compressed` bytes, whole, to at most `expanded` bytes.
  static var largestExpansion: (compressed: UInt64, expanded: UInt64) { get }

  /// Checks that the sizes in the compressed data, if it states any, add up to `promised`.
  static func checkStatedSize(
    of input: UnsafeRawBufferPointer, promised: UInt64
  ) throws(DecompressionError)

  /// Inflates `input` into `output`: how many bytes were written, and how many of `input` were
  /// taken up to the end of the compressed data.
  ///
  /// Throws `outputTooLong` if `output` has no room for all, and `truncated`, `damaged` and
  /// `outOfMemory`.
  static func inflate(
    _ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (written: Int, taken: Int)
}

extension Codec {
  static func checkStatedSize(
    of input: UnsafeRawBufferPointer, promised: UInt64
  ) throws(DecompressionError) {}
}

extension Decompression {
  /// The `size` bytes that `input` inflates to. Throws as `inflate(_:method:into:)` does, and
  /// `outOfMemory`.
  ///
  /// Soundness: the array's storage is written only through the span, and the initialized count is
  /// the one that the span returns.
  static func inflatedArray(
    _ input: RawSpan, method: Method, size: Int
  ) throws(DecompressionError) -> [UInt8] {
    // An array that gets no memory ends the program, so memory is requested first in a way that may
    // fail.
    guard let room = unsafe malloc(max(size, 1)) else { throw .outOfMemory(size: UInt64(size)) }
    unsafe free(room)
    var failure: DecompressionError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
      let room = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<size])
      do throws(DecompressionError) {
        try unsafe inflate(input, method: method, into: room)
        initializedCount = size
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
