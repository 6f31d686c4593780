package import FileSystem
import Platform
package import SystemPackage

/// Opens files as regions of bytes.
package enum MappedFile {
  /// The bytes of the file at `path`.
  ///
  /// A regular file is mapped. The mapping is private and writable, because libelf requires that;
  /// nothing written to it reaches the file. Anything else that can be read is read to its end: a
  /// pipe, a device, a file of `/proc`, whose stated size is 0. A named pipe that nobody writes to
  /// is empty. A device may have no end, so more than `unmappedSizeLimit` throws `EFBIG`. A
  /// directory throws `EISDIR`.
  ///
  /// If a file is cut while it is mapped, reading the lost pages ends the process with SIGBUS
  /// (`EndingSignals` makes a message of it).
  ///
  /// - Parameters:
  ///   - unmappedSizeLimit: what a file that cannot be mapped may have at most, in bytes.
  ///   - isWanted: whether a file that begins with these bytes is of use; not asked if it has fewer
  ///     than 64. If it is not and cannot be mapped, nothing more of it is read.
  package static func open(
    path: String, unmappedSizeLimit: Int = 1 << 30,
    isWanted: (_ start: [UInt8]) -> Bool = { _ in true }
  ) throws(FileAccessError) -> ByteRegion {
    let descriptor = try openWithoutWaiting(path: path)
    defer { try? descriptor.close() }

    let status = try status(of: descriptor, path: path)
    switch status.kind {
    case .directory:
      throw FileAccessError(path: path, operation: .read, errno: .isDirectory)
    case .regularFile where status.size > 0:
      return try map(descriptor, status, path: path)
    case .regularFile, .symbolicLink, .special:
      // A writer that is there is waited for.
      _ = fcntl(descriptor.rawValue, F_SETFL, 0)
      return try readToEnd(descriptor, path: path, unmappedSizeLimit, isWanted)
    }
  }

  /// The bytes of the regular file at `path`, mapped as by `open(path:)`.
  ///
  /// It is for paths from files that may come from strangers. Opening or reading a pipe or a device
  /// may wait for ever or have effects, so these, and what the kernel shows as files (`/proc`),
  /// throw `refuseSpecialFile` before they are opened. A directory throws `EISDIR`.
  package static func openRegularFile(path: String) throws(FileAccessError) -> ByteRegion {
    let named: FileStatus
    do {
      named = try FileStatus(path: path)
    } catch {
      throw FileAccessError(path: path, operation: .open, errno: error.errno)
    }
    try checkIsRegular(named, path: path)
    guard !KernelFiles.contain(named, at: path) else {
      throw FileAccessError(path: path, operation: .refuseSpecialFile, errno: .notSupported)
    }
    return try openOwnFile(path: path).bytes
  }

  /// The bytes of the regular file at `path`, mapped as by `open(path:)`, and what the system knows
  /// about the open file.
  ///
  /// It is for many files in a folder that only this user writes to: unlike `openRegularFile`, it
  /// opens the file without a look before, so it asks the system four times, and not five.
  package static func openOwnFile(
    path: String
  ) throws(FileAccessError) -> (bytes: ByteRegion, status: FileStatus) {
    let descriptor = try openWithoutWaiting(path: path)
    defer { try? descriptor.close() }
    let status = try status(of: descriptor, path: path)
    try checkIsRegular(status, path: path)
    guard status.size > 0 else { return (ByteRegion(copying: []), status) }
    return (try map(descriptor, status, path: path), status)
  }

  /// The first `size` bytes of a file without a name; nil if the system cannot map them. The
  /// descriptor may be closed then. `size` is at most that of the file, and not 0.
  package static func mapUnnamed(_ descriptor: FileDescriptor, size: Int) -> ByteRegion? {
    unsafe map(descriptor, size: size).map {
      unsafe ByteRegion(ByteStorage(takingMapping: $0, of: nil))
    }
  }

  /// Opening a named pipe waits for a writer, perhaps for ever; and a pipe may replace a file after
  /// it was inspected.
  private static func openWithoutWaiting(
    path: String
  ) throws(FileAccessError) -> FileDescriptor {
    do {
      // Without a `FilePath`, which costs more than the call if there is no such file.
      return try unsafe path.withPathBytes {
        try unsafe FileDescriptor.open($0, .readOnly, options: [.closeOnExec, .nonBlocking])
      }
    } catch {
      throw fileAccessError(error, path: path, operation: .open)
    }
  }

  private static func status(
    of descriptor: FileDescriptor, path: String
  ) throws(FileAccessError) -> FileStatus {
    do {
      return try FileStatus(descriptor, path: path)
    } catch {
      throw FileAccessError(path: path, operation: .inspect, errno: error.errno)
    }
  }

  private static func checkIsRegular(
    _ status: FileStatus, path: String
  ) throws(FileAccessError) {
    switch status.kind {
    case .regularFile: return
    case .directory: throw FileAccessError(path: path, operation: .read, errno: .isDirectory)
    case .symbolicLink, .special:
      throw FileAccessError(
        path: path, operation: .refuseSpecialFile, errno: .notSupported)
    }
  }

  private static func map(
    _ descriptor: FileDescriptor, _ status: FileStatus, path: String
  ) throws(FileAccessError) -> ByteRegion {
    guard let bytes = unsafe map(descriptor, size: Int(clamping: status.size)) else {
      throw FileAccessError(path: path, operation: .map, errno: .current)
    }
    let file = ByteStorage.Source(path: path, identity: status.identity)
    return unsafe ByteRegion(ByteStorage(takingMapping: bytes, of: file))
  }

  /// Nil with `errno` if the system refuses.
  private static func map(
    _ descriptor: FileDescriptor, size: Int
  ) -> UnsafeMutableRawBufferPointer? {
    // Hardly any page is ever written, so no memory is reserved: files larger than the memory can
    // be mapped too.
    let base = unsafe mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor.rawValue, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else { return nil }
    return unsafe UnsafeMutableRawBufferPointer(start: base, count: size)
  }

  private static func readToEnd(
    _ descriptor: FileDescriptor, path: String, _ sizeLimit: Int, _ isWanted: ([UInt8]) -> Bool
  ) throws(FileAccessError) -> ByteRegion {
    var content: [UInt8] = []
    var isChecked = false
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    do {
      while true {
        let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
        guard count > 0 else { return ByteRegion(copying: content) }
        content += chunk[..<count]
        if !isChecked, content.count >= 64 {
          guard isWanted(content) else { return ByteRegion(copying: content) }
          isChecked = true
        }
        guard content.count <= sizeLimit else { throw Errno.fileTooLarge }
      }
    } catch {
      throw fileAccessError(error, path: path, operation: .read)
    }
  }

  /// swift-system throws only `Errno` from these calls, although their types do not state it.
  private static func fileAccessError(
    _ error: any Error, path: String, operation: FileAccessError.Operation
  ) -> FileAccessError {
    FileAccessError(path: path, operation: operation, errno: (error as? Errno) ?? .ioError)
  }
}

/// Why a file could not be opened, mapped or read.
package struct FileAccessError: Error, Hashable, Sendable {
  /// The path as it was passed to the function that throws.
  package let path: String
  /// What the system was asked to do when it refused.
  package let operation: Operation
  /// C's `errno` of the call that failed.
  package let errno: Errno

  /// What the system was asked to do.
  package enum Operation: Hashable, Sendable {
    case open
    /// To state size and kind.
    case inspect
    case map
    case read
    /// Nothing: the file is a pipe, a device or a socket, and only regular files are opened there.
    case refuseSpecialFile
  }

  package init(path: String, operation: Operation, errno: Errno) {
    self.path = path
    self.operation = operation
    self.errno = errno
  }
}
