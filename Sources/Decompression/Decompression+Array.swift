import Platform
import SymbolicationModel

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
