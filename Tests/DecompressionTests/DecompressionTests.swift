import Decompression
import SymbolicationModel
import TestSupport
import Testing

/// The samples come from other programs. The expectations for changed samples follow from RFC 1950
/// and RFC 8878.
@Suite struct DecompressionTests {
  private let size = UInt64(Sample.text.count)

  private func inflate(
    _ bytes: [UInt8], _ method: Decompression.Method, size: UInt64, limit: UInt64 = 1 << 20
  ) throws(DecompressionError) -> [UInt8] {
    try unsafe Decompression.inflate(
      bytes.span.bytes, method: method, expectedSize: size, limit: limit)
  }

  @Test func inflatesZlib() throws {
    try expectEqual(inflate(Sample.zlib, .zlib, size: size), Sample.text)
    try expectEqual(inflate(Sample.zlibOfNothing, .zlib, size: 0), [])
  }

  @Test func inflatesZstd() throws {
    try expectEqual(inflate(Sample.zstd, .zstd, size: size), Sample.text)
    try expectEqual(inflate(Sample.zstdOfUnknownSize, .zstd, size: size), Sample.text)
    try expectEqual(
      inflate(Sample.zstdOfZeros, .zstd, size: 1 << 20),
      [UInt8](
        repeating: 0, count: 1 << 20))
  }

  /// RFC 8878, section 3.1: frames follow one another, skippable ones (magic 0x184D2A5?, a size,
  /// that many bytes) hold no data.
  @Test func inflatesSeveralZstdFrames() throws {
    let skippable: [UInt8] = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]
    let bytes = Sample.zstd + skippable + Sample.zstdOfUnknownSize
    try expectEqual(inflate(bytes, .zstd, size: 2 * size), Sample.text + Sample.text)
  }

  @Test(arguments: [(Sample.zlib, Decompression.Method.zlib), (Sample.zstd, .zstd)])
  func refusesMoreThanTheLimit(bytes: [UInt8], method: Decompression.Method) throws {
    #expect(throws: DecompressionError.tooLarge(promised: size, limit: size - 1)) {
      try inflate(bytes, method, size: size, limit: size - 1)
    }
    try expectEqual(inflate(bytes, method, size: size, limit: size), Sample.text)
  }

  /// The largest ratios of the two formats are 1032 and 32768.
  @Test func refusesPromisesThatTheInputCannotKeep() {
    let zlib = UInt64(Sample.zlib.count)
    #expect(
      throws: DecompressionError.implausible(
        promised: zlib * 1032 + 1, compressed: zlib, atMost: zlib * 1032)
    ) {
      try inflate(Sample.zlib, .zlib, size: zlib * 1032 + 1, limit: .max)
    }
    let zstd = UInt64(Sample.zstd.count)
    #expect(
      throws: DecompressionError.implausible(
        promised: 1 << 50, compressed: zstd, atMost: zstd / 4 * (128 << 10))
    ) {
      try inflate(Sample.zstd, .zstd, size: 1 << 50, limit: .max)
    }
    #expect(throws: DecompressionError.tooLarge(promised: .max, limit: UInt64(Int.max))) {
      try inflate(Sample.zstd, .zstd, size: .max, limit: .max)
    }
  }

  @Test(arguments: [
    (Sample.zlib, Decompression.Method.zlib), (Sample.zstd, .zstd),
    (Sample.zstdOfUnknownSize, .zstd),
  ])
  func refusesOutputOfAnotherSize(bytes: [UInt8], method: Decompression.Method) {
    #expect(throws: DecompressionError.outputTooLong(promised: size - 1)) {
      try inflate(bytes, method, size: size - 1)
    }
    #expect(throws: DecompressionError.outputTooLong(promised: 0)) {
      try inflate(bytes, method, size: 0)
    }
    #expect(throws: DecompressionError.outputTooShort(promised: size + 1, actual: size)) {
      try inflate(bytes, method, size: size + 1)
    }
  }

  @Test(arguments: [
    (Sample.zlib, Decompression.Method.zlib), (Sample.zstd, .zstd),
    (Sample.zstdOfUnknownSize, .zstd),
  ])
  func refusesBytesBehindTheEnd(bytes: [UInt8], method: Decompression.Method) {
    for count in [1, 3, 4, 5, 100] {
      #expect(throws: DecompressionError.trailingBytes(count: UInt64(count))) {
        try inflate(bytes + [UInt8](repeating: 0x55, count: count), method, size: size)
      }
    }
  }

  @Test(arguments: [
    (Sample.zlib, Decompression.Method.zlib), (Sample.zstd, .zstd),
    (Sample.zstdOfUnknownSize, .zstd),
  ])
  func everyTruncationIsAnError(bytes: [UInt8], method: Decompression.Method) {
    for count in 0..<bytes.count {
      let error = #expect(throws: DecompressionError.self) {
        try inflate(Array(bytes[..<count]), method, size: size)
      }
      switch error {
      case .truncated?: break
      case .implausible(_, let compressed, _)?:
        // So few bytes cannot expand to the promised size.
        expectTrue(compressed == UInt64(count) && count < 4)
      case .damaged?:
        Issue.record("cut at \(count): damaged")
      default:
        Issue.record("cut at \(count): \(String(describing: error))")
      }
    }
  }

  @Test func tellsDamageFromTruncation() {
    // The Adler-32 of the text (RFC 1950, section 2.2) no longer fits; Z_DATA_ERROR is -3.
    var zlib = Sample.zlib
    zlib[zlib.count - 1] ^= 1
    #expect(throws: DecompressionError.damaged(method: .zlib, code: -3)) {
      try inflate(zlib, .zlib, size: size)
    }
    // ZSTD_error_checksum_wrong is 22, ZSTD_error_prefix_unknown 10.
    var zstd = Sample.zstd
    zstd[zstd.count - 1] ^= 1
    #expect(throws: DecompressionError.damaged(method: .zstd, code: 22)) {
      try inflate(zstd, .zstd, size: size)
    }
    #expect(throws: DecompressionError.damaged(method: .zstd, code: 10)) {
      try inflate(Sample.zlib, .zstd, size: size)
    }
    #expect(throws: DecompressionError.damaged(method: .zlib, code: -3)) {
      try inflate(Sample.zstd, .zlib, size: size)
    }
  }

  /// The checksums of both formats detect every change of the data; a changed header byte may mean
  /// the same as before. Nothing may trap, and any output must be the text.
  @Test(arguments: [(Sample.zlib, Decompression.Method.zlib), (Sample.zstd, .zstd)])
  func everyChangedByteIsAnErrorOrHarmless(bytes: [UInt8], method: Decompression.Method) {
    for index in bytes.indices {
      for value: UInt8 in [0x00, 0xff, bytes[index] ^ 0x80, bytes[index] ^ 1] {
        var changed = bytes
        changed[index] = value
        if let output = try? inflate(changed, method, size: size) {
          expectEqual(output, Sample.text, "byte \(index) is \(value)")
        }
      }
    }
  }
}
