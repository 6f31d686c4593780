import Glibc

extension Decompression {
  /// Soundness: the array's storage is written only through the span, and the count given back is
  /// the one that the span vouches for.
  static func inflatedArray(
    _ input: RawSpan, method: Method, size: Int
  ) throws(DecompressionError) -> [UInt8] {
    // An array that finds no memory ends the program. Memory is asked for in a way that can fail first.
    guard let room = unsafe malloc(max(size, 1)) else { throw .outOfMemory(size: UInt64(size)) }
    unsafe free(room)
    var failure: DecompressionError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
      let room = unsafe UnsafeMutableRawBufferPointer(
        rebasing: UnsafeMutableRawBufferPointer(buffer)[..<size])
      var output = unsafe OutputRawSpan(buffer: room, initializedCount: 0)
      do throws(DecompressionError) {
        try inflate(input, method: method, into: &output)
      } catch {
        failure = error
      }
      initializedCount = unsafe output.finalize(for: room)
    }
    if let failure { throw failure }
    return bytes
  }
}
