import SystemPackage

/// The lines of a stream, each as soon as it is complete.
struct InputLines {
  private let descriptor: FileDescriptor
  private var bytes: [UInt8] = []
  /// Where the next line begins in `bytes`.
  private var start = 0
  /// Up to here there is no line end.
  private var searched = 0
  private var isAtEnd = false

  private static let chunkSize = 1 << 16

  init(_ descriptor: FileDescriptor) { self.descriptor = descriptor }

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
      bytes.removeSubrange(..<start)
      (start, searched) = (0, bytes.count)
      let chunk = try read()
      isAtEnd = chunk.isEmpty
      bytes += chunk
    }
  }

  /// What can be read at once; empty at the end.
  private func read() throws(Errno) -> [UInt8] {
    do {
      return try unsafe [UInt8](unsafeUninitializedCapacity: Self.chunkSize) { buffer, count in
        count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch {
      // swift-system throws nothing but `Errno` here, without saying so in the type.
      throw (error as? Errno) ?? .ioError
    }
  }
}
