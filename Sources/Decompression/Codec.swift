import SymbolicationModel

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
