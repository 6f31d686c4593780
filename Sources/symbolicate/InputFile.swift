import FileSystem
import SystemPackage

/// Reading reports and lists of addresses.
enum InputFile {
  /// All bytes of the file at `path`, or of standard input for `-`.
  static func read(path: String) throws(Errno) -> [UInt8] {
    do {
      guard path != "-" else { return try readToEnd(.standardInput, sizeHint: 0) }
      let descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
      return try descriptor.closeAfter {
        try readToEnd(descriptor, sizeHint: regularFileSize(descriptor))
      }
    } catch let error as Errno {
      throw error
    } catch {
      throw .ioError
    }
  }

  /// Throws where standard input is closed or a directory, which a reader of lines takes for its end.
  static func checkStandardInput() throws(Errno) {
    let status: FileStatus
    do {
      status = try FileStatus(.standardInput, path: "standard input")
    } catch {
      throw error.errno
    }
    if status.kind == .directory { throw .isDirectory }
  }

  /// The first bytes of the file at `path`, or fewer where it is shorter; nil for a directory, for
  /// what cannot be opened, and for a pipe, whose bytes can be read only once.
  static func firstBytes(of path: String, count: Int) -> [UInt8]? {
    guard
      let descriptor = try? FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    else { return nil }
    defer { try? descriptor.close() }
    guard (try? descriptor.seek(offset: 0, from: .current)) != nil else { return nil }
    return try? unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, readCount in
      readCount = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
  }

  /// 0 for what is no regular file: a pipe has no size, and a directory's says nothing.
  private static func regularFileSize(_ descriptor: FileDescriptor) -> Int {
    guard let status = try? FileStatus(descriptor, path: ""), status.kind == .regularFile else {
      return 0
    }
    return Int(clamping: status.size)
  }

  /// - Parameter sizeHint: how many bytes are expected; there may be fewer or more.
  private static func readToEnd(
    _ descriptor: FileDescriptor, sizeHint: Int
  ) throws -> [UInt8] {
    var content: [UInt8] = []
    // One byte more than expected, so that the end is seen without growing. A size that is merely
    // stated, as that of a file full of holes, is not believed without bound.
    var chunkSize = min(max(sizeHint, 1 << 16), 1 << 30) + 1
    while true {
      let chunk = try unsafe [UInt8](unsafeUninitializedCapacity: chunkSize) { buffer, count in
        count = try unsafe descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      guard !chunk.isEmpty else { return content }
      // Appending makes room for as much again, so that a pipe's bytes are not copied at each read.
      if content.isEmpty { content = chunk } else { content += chunk }
      chunkSize = 1 << 16
    }
  }
}
