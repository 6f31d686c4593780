package import SymbolicationModel

/// The formats of files that are compressed as a whole, as servers deliver them.
package enum CompressedFile: String, Hashable, Sendable {
  /// RFC 1952, one member or several in a row.
  case gzip
  case zstd
  case xz
  case bzip2

  /// By the first bytes of a file; nil for any other file.
  package init?(start: [UInt8]) {
    if start.starts(with: [0x1f, 0x8b]) {
      self = .gzip
    } else if start.starts(with: [0x28, 0xb5, 0x2f, 0xfd]) {
      self = .zstd
    } else if start.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]) {
      self = .xz
    } else if Self.isBzip2(start) {
      self = .bzip2
    } else {
      return nil
    }
  }

  /// `BZh`, the size of a block, and the beginning of a block (the digits of pi) or of the end
  /// (those of its root): a text may begin with the letters alone.
  private static func isBzip2(_ start: [UInt8]) -> Bool {
    guard start.count >= 8, start.starts(with: [0x42, 0x5a, 0x68]),
      (UInt8(ascii: "1")...UInt8(ascii: "9")).contains(start[3])
    else { return false }
    return [[0x31, 0x41, 0x59, 0x26], [0x17, 0x72, 0x45, 0x38]].contains(Array(start[4..<8]))
  }

  /// How much of the start of a compressed file holds the first bytes of the output, however well
  /// it is compressed: of zstd a block of 128 KiB, of bzip2 one of 900,000 bytes and a little more.
  package var startSize: Int { self == .bzip2 ? 1 << 20 : 1 << 18 }

  /// Inflates `input` piece by piece, whatever size it states.
  ///
  /// Throws `truncated`, `damaged`, `wrongChecksum` (of gzip), `trailingBytes` and `outOfMemory`;
  /// `tooLarge` as soon as the output exceeds `limit`. Memory: a buffer, and what the library needs
  /// itself.
  ///
  /// - Parameters:
  ///   - bufferSize: the most bytes of a piece.
  ///   - take: gets the next piece of the output; false ends the call.
  package func inflate(
    _ input: RawSpan, limit: UInt64, bufferSize: Int = 1 << 18,
    take: (UnsafeRawBufferPointer) -> Bool
  ) throws(DecompressionError) {
    try unsafe input.withUnsafeBytes { (bytes) throws(DecompressionError) in
      var stream: any InflatingStream =
        switch self {
        case .gzip: try unsafe GzipStream(bytes)
        case .zstd: try unsafe ZstdStream(bytes)
        case .xz: try unsafe XzStream(bytes)
        case .bzip2: try unsafe BzipStream(bytes)
        }
      defer { stream.end() }
      let buffer = UnsafeMutableRawBufferPointer.allocate(
        byteCount: bufferSize, alignment: 16)
      defer { unsafe buffer.deallocate() }
      var total: UInt64 = 0
      while true {
        let (count, isEnd) = try unsafe stream.next(into: buffer)
        total &+= UInt64(count)
        guard total <= limit else { throw .tooLarge(promised: total, limit: limit) }
        if count > 0, !(unsafe take(UnsafeRawBufferPointer(rebasing: buffer[..<count]))) { return }
        if isEnd { return }
      }
    }
  }

  /// The first bytes of the output, `count` if there are so many; fewer if the input ends before.
  ///
  /// - Parameter input: the start of the compressed file, of `startSize` bytes.
  package func start(of input: RawSpan, count: Int) -> [UInt8] {
    var start: [UInt8] = []
    try? unsafe inflate(input, limit: .max, bufferSize: max(count, 1)) { piece in
      unsafe start.append(contentsOf: piece)
      return false
    }
    return start
  }
}

/// The calls into a C library for one compressed file.
///
/// Soundness: the library is given the input's pointer only while `inflate` lends it, and the
/// counts of what is left of it and of the buffer.
protocol InflatingStream {
  /// Writes the next bytes of the output: how many, and whether they were the last. A call that
  /// makes no progress throws.
  mutating func next(
    into buffer: UnsafeMutableRawBufferPointer
  ) throws(DecompressionError) -> (count: Int, isEnd: Bool)

  /// Frees the library's memory.
  mutating func end()
}
