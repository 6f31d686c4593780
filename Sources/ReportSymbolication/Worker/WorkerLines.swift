import SymbolicationModel
package import SystemPackage

/// The lines of a worker's input, each as soon as it is complete. A line that is longer than a
/// record may be is passed over without being kept.
package struct WorkerLines {
  private let descriptor: FileDescriptor
  /// How many bytes a line may have, without its end.
  private let limit: Int
  private var bytes: [UInt8] = []
  /// Where the next line begins in `bytes`.
  private var start = 0
  /// Up to here there is no line end.
  private var searched = 0
  /// Whether the line that begins at `start` is too long. Only its beginning is kept.
  private var isOverlong = false
  private var isAtEnd = false

  package enum Line: Sendable {
    case whole([UInt8])
    /// The beginning of a line that is too long.
    case overlong(start: [UInt8])
  }

  private static let chunkSize = 1 << 18
  /// How much of an overlong line is kept: enough for an id that comes first.
  private static let keptSize = 1 << 16

  package init(_ descriptor: FileDescriptor, limit: UInt64) {
    self.descriptor = descriptor
    self.limit = Int(clamping: limit)
  }

  /// The next line, without its end; nil after the last. A last line without an end counts.
  ///
  /// - Parameter beforeReading: called before each read, which may wait for input. If it returns
  ///   false, nothing is read, and the result is nil.
  package mutating func next(beforeReading: () -> Bool) throws(Errno) -> Line? {
    while true {
      let end = bytes.span.firstOffset(of: UInt8(ascii: "\n"), from: searched)
      if end < bytes.count { return take(upTo: end, next: end + 1) }
      searched = end
      if isAtEnd {
        guard start < bytes.count || isOverlong else { return nil }
        return take(upTo: end, next: end)
      }
      shorten()
      guard beforeReading() else { return nil }
      let chunk = try read()
      isAtEnd = chunk.isEmpty
      if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
    }
  }

  private mutating func take(upTo end: Int, next: Int) -> Line {
    defer {
      start = next
      searched = next
      isOverlong = false
    }
    var end = end
    if end > start, bytes[end - 1] == UInt8(ascii: "\r"), next > end { end -= 1 }
    if isOverlong || end - start > limit {
      return .overlong(start: Array(bytes[start..<min(end, start + Self.keptSize)]))
    }
    return .whole(Array(bytes[start..<end]))
  }

  /// Drops what was taken, and what is not kept of an overlong line.
  private mutating func shorten() {
    if start > 0 {
      bytes.removeSubrange(..<start)
      (start, searched) = (0, bytes.count)
    }
    // A carriage return at the end does not count.
    if bytes.count > limit + 1 { isOverlong = true }
    if isOverlong, bytes.count > Self.keptSize {
      bytes.removeLast(bytes.count - Self.keptSize)
      searched = bytes.count
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
