import Decompression
import SymbolicationModel
import TestSupport
import Testing

/// Files that are compressed as a whole. The samples come from Python 3, zstd 1.5.4 and xz 5.4.1;
/// what is expected of changed ones follows from RFC 1952, RFC 8878 and the .xz file format.
@Suite struct CompressedFileTests {
  /// Python's `gzip.compress(text, 9, mtime=0)`.
  private static let gzip = [UInt8](
    hexadecimal:
      """
      1f8b08000000000002030bc94855282ccd4cce56482aca2fcf5348cbaf50c82acd2d2856c82f4b2d5228014a
      e72456552aa4e4a7eb29840c77c500b595b8f80e010000
      """)

  private static let samples: [(CompressedFile, [UInt8])] = [
    (.gzip, gzip), (.zstd, Sample.zstd), (.zstd, Sample.zstdOfUnknownSize), (.xz, Sample.xz),
    (.bzip2, Sample.bzip2),
  ]

  private func inflate(
    _ bytes: [UInt8], as format: CompressedFile, limit: UInt64 = 1 << 20
  ) throws(DecompressionError) -> [UInt8] {
    var output: [UInt8] = []
    try unsafe format.inflate(bytes.span.bytes, limit: limit) { piece in
      unsafe output += Array(piece)
      return true
    }
    return output
  }

  @Test func formatsAreKnownByTheirBeginning() {
    for (format, bytes) in Self.samples {
      expectEqual(CompressedFile(start: Array(bytes.prefix(16))), format)
    }
    for start in [
      [], [0x1f], [0x78, 0xda], Array("MSCF".utf8), Array("<html>".utf8), Array("BZh91 words".utf8),
    ] as [[UInt8]] {
      expectNil(CompressedFile(start: start))
    }
  }

  @Test func inflatesWithoutAStatedSize() throws {
    for (format, bytes) in Self.samples {
      try expectEqual(inflate(bytes, as: format), Sample.text)
      // Several of them in a row are one file.
      try expectEqual(inflate(bytes + bytes, as: format), Sample.text + Sample.text)
    }
  }

  @Test func bzip2() throws {
    expectEqual(CompressedFile(start: Sample.bzip2OfNothing), .bzip2)
    try expectEmpty(inflate(Sample.bzip2OfNothing, as: .bzip2))
    let size = UInt64(Sample.text.count)
    try expectEqual(inflate(bzip2: Sample.bzip2, size: size), Sample.text)
    for wrong in [size - 1, size + 1] {
      #expect(throws: DecompressionError.self) { try inflate(bzip2: Sample.bzip2, size: wrong) }
    }
  }

  /// As of a section whose size is stated.
  private func inflate(bzip2 bytes: [UInt8], size: UInt64) throws(DecompressionError) -> [UInt8] {
    try unsafe Decompression.inflate(
      bytes.span.bytes, method: .bzip2, expectedSize: size, limit: 1 << 20)
  }

  @Test func theOutputComesInPieces() throws {
    var count = 0
    var pieces = 0
    let zeros = Sample.zstdOfZeros
    try unsafe CompressedFile.zstd.inflate(zeros.span.bytes, limit: 1 << 20) { piece in
      count += piece.count
      pieces += 1
      return true
    }
    expectEqual(count, 1 << 20)
    #expect(pieces > 1)
  }

  @Test func stopsAtTheLimit() {
    for (format, bytes) in Self.samples {
      #expect(throws: DecompressionError.self) {
        try inflate(bytes, as: format, limit: UInt64(Sample.text.count - 1))
      }
    }
    #expect(throws: DecompressionError.tooLarge(promised: 1 << 18, limit: 1000)) {
      try inflate(Sample.zstdOfZeros, as: .zstd, limit: 1000)
    }
  }

  @Test func stopsWhenTold() throws {
    var pieces = 0
    let zeros = Sample.zstdOfZeros
    try unsafe CompressedFile.zstd.inflate(zeros.span.bytes, limit: 1 << 20) { _ in
      pieces += 1
      return false
    }
    expectEqual(pieces, 1)
  }

  @Test func aFileThatIsCutIsRefused() {
    for (format, bytes) in Self.samples {
      for count in 0..<bytes.count {
        #expect(throws: DecompressionError.self, "\(format), \(count) bytes") {
          try inflate(Array(bytes[..<count]), as: format)
        }
      }
    }
  }

  @Test func anythingAfterItIsRefused() {
    for (format, bytes) in Self.samples {
      #expect(throws: DecompressionError.self) { try inflate(bytes + [1, 2, 3, 4, 5], as: format) }
    }
    #expect(throws: DecompressionError.trailingBytes(count: 1)) {
      try inflate(Self.gzip + [0x1f], as: .gzip)
    }
    for rest in [[0x0a], [0, 0, 0], [0, 0, 0, 0, 0xfd, 0x37]] as [[UInt8]] {
      #expect(throws: DecompressionError.trailingBytes(count: UInt64(rest.count))) {
        try inflate(Sample.xz + rest, as: .xz)
      }
    }
  }

  /// Zeros, four at a time, may be behind a stream ("The .xz File Format", 2.2).
  @Test func paddingOfXz() throws {
    let padding = [UInt8](repeating: 0, count: 8)
    try expectEqual(inflate(Sample.xz + padding, as: .xz), Sample.text)
    try expectEqual(
      inflate(Sample.xz + padding + Sample.xz + padding, as: .xz), Sample.text + Sample.text)
  }

  /// Every byte changed: an error, or the text (in parts of headers that mean nothing).
  @Test func damageNeverTraps() {
    for (format, bytes) in Self.samples {
      for index in bytes.indices {
        var damaged = bytes
        damaged[index] ^= 0x55
        _ = try? inflate(damaged, as: format)
      }
    }
  }
}
