import SystemPackage

/// The lines of a stream, each as soon as it is complete.
struct InputLines {
  /// Nil if all bytes are there.
  private let descriptor: FileDescriptor?
  private var bytes: [UInt8] = []
  /// Where the next line begins in `bytes`.
  private var start = 0
  /// Up to here there is no line end.
  private var searched = 0
  private var isAtEnd = false

  private static let chunkSize = 1 << 16
  /// The most bytes of a line, or of all that is left.
  private let limit: Int

  /// - Parameter limit: more bytes in a line throw `fileTooLarge`.
  init(_ descriptor: FileDescriptor, limit: UInt64 = .max) {
    self.descriptor = descriptor
    self.limit = Int(clamping: limit)
  }

  /// Lines that are in memory.
  init(_ bytes: [UInt8]) {
    descriptor = nil
    self.bytes = bytes
    isAtEnd = true
    limit = .max
  }

  /// The first bytes of what is left, or fewer at the end. They are read again.
  mutating func peek(_ count: Int) throws(Errno) -> ArraySlice<UInt8> {
    while bytes.count - start < count, !isAtEnd {
      let chunk = try read()
      isAtEnd = chunk.isEmpty
      bytes += chunk
    }
    return bytes[start...].prefix(count)
  }

  /// All that is left.
  mutating func rest() throws(Errno) -> [UInt8] {
    while !isAtEnd {
      guard bytes.count - start <= limit else { throw .fileTooLarge }
      let chunk = try read()
      isAtEnd = chunk.isEmpty
      bytes += chunk
    }
    defer { (start, searched) = (bytes.count, bytes.count) }
    return start == 0 ? bytes : Array(bytes[start...])
  }

  /// The next line, without its end; nil after the last.
  mutating func next() throws(Errno) -> [UInt8]? {
    while true {
      if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer {
          start = end + 1
          searched = start
        }
        return Array(bytes[start..<end])
      }
      searched = bytes.count
      if isAtEnd {
        defer { start = bytes.count }
        return start < bytes.count ? Array(bytes[start...]) : nil
      }
      guard bytes.count - start <= limit else { throw .fileTooLarge }
      bytes.removeSubrange(..<start)
      (start, searched) = (0, bytes.count)
      let chunk = try read()
      isAtEnd = chunk.isEmpty
      bytes += chunk
    }
  }

  /// What can be read at once; empty at the end.
  private func read() throws(Errno) -> [UInt8] {
    try descriptor?.readChunk(upTo: Self.chunkSize) ?? []
  }
}
