import Decompression
import SymbolicationModel
import TestSupport
import Testing

/// The sample comes from `xz`. The expectations for changed samples follow from "The .xz File
/// Format" 1.2.1: 12 bytes of header, the block, the index, 12 bytes of footer, the last two of
/// them `YZ`.
@Suite struct XzTests {
  private let size = UInt64(Sample.text.count)

  private func statedSize(_ bytes: [UInt8]) throws(DecompressionError) -> UInt64 {
    try unsafe Decompression.statedXzSize(of: bytes.span.bytes)
  }

  private func inflate(
    _ bytes: [UInt8], size: UInt64, limit: UInt64 = 1 << 20
  ) throws(DecompressionError) -> [UInt8] {
    try unsafe Decompression.inflate(
      bytes.span.bytes, method: .xz, expectedSize: size, limit: limit)
  }

  @Test func inflates() throws {
    try expectEqual(statedSize(Sample.xz), size)
    try expectEqual(inflate(Sample.xz, size: size), Sample.text)
    try expectEqual(statedSize(Sample.xzOfNothing), 0)
    try expectEqual(inflate(Sample.xzOfNothing, size: 0), [])
  }

  @Test func refusesOtherSizesThanPromised() throws {
    #expect(throws: DecompressionError.tooLarge(promised: size, limit: size - 1)) {
      try inflate(Sample.xz, size: size, limit: size - 1)
    }
    #expect(throws: DecompressionError.outputTooLong(promised: size - 1)) {
      try inflate(Sample.xz, size: size - 1)
    }
    #expect(throws: DecompressionError.outputTooShort(promised: size + 1, actual: size)) {
      try inflate(Sample.xz, size: size + 1)
    }
    // 2 MiB for each 6 bytes.
    let compressed = UInt64(Sample.xz.count)
    #expect(
      throws: DecompressionError.implausible(
        promised: 1 << 60, compressed: compressed, atMost: compressed / 6 * (2 << 20))
    ) {
      try inflate(Sample.xz, size: 1 << 60, limit: .max)
    }
  }

  @Test func cutInput() throws {
    for count in 0..<Sample.xz.count {
      let cut = Array(Sample.xz.prefix(count))
      #expect(throws: DecompressionError.self) { try statedSize(cut) }
      #expect(throws: DecompressionError.self) { try inflate(cut, size: size) }
    }
    #expect(throws: DecompressionError.truncated) { try statedSize(Array(Sample.xz.dropLast())) }
    #expect(throws: DecompressionError.trailingBytes(count: 4)) {
      try inflate(Sample.xz + [0, 0, 0, 0], size: size)
    }
  }

  /// Checksums cover each part of the format, so no change goes unnoticed.
  @Test func changedInput() throws {
    for index in Sample.xz.indices {
      var changed = Sample.xz
      changed[index] ^= 0x10
      #expect(throws: DecompressionError.self, "byte \(index)") {
        try inflate(changed, size: size)
      }
    }
    // LZMA_FORMAT_ERROR is 7.
    #expect(throws: DecompressionError.damaged(method: .xz, code: 7)) {
      try statedSize([0] + Sample.xz.dropFirst())
    }
  }
}
