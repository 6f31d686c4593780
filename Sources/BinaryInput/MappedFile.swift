import FileSystem
import Glibc
package import SystemPackage

/// Why a file could not be opened or mapped.
package struct FileAccessError: Error, Hashable, Sendable {
  package let path: String
  /// What was asked of the system when it refused.
  package let operation: Operation
  package let errno: Errno

  package enum Operation: Hashable, Sendable {
    case open
    case inspect
    case map
    case read
    /// Nothing was: it is a pipe, a device or a socket, and only files were wanted.
    case refuseSpecialFile
  }

  package init(path: String, operation: Operation, errno: Errno) {
    self.path = path
    self.operation = operation
    self.errno = errno
  }
}

package enum MappedFile {
  /// The bytes of the file at `path`.
  ///
  /// A regular file is mapped: private and writable, because libelf asks for that, so nothing written
  /// to it ever reaches the file. Anything else that can be read (a pipe, a device, a file of `/proc`,
  /// whose size is stated as 0) is read to its end. A directory is refused with `EISDIR`. A file that is cut while it is mapped ends the
  /// process with SIGBUS when the lost pages are read: symbol files are replaced, not shortened.
  package static func open(path: String) throws(FileAccessError) -> ByteRegion {
    let descriptor: FileDescriptor
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
    } catch {
      throw fileAccessError(error, path: path, operation: .open)
    }
    defer { try? descriptor.close() }

    let status = try status(of: descriptor, path: path)
    switch status.kind {
    case .directory:
      throw FileAccessError(path: path, operation: .read, errno: .isDirectory)
    case .regularFile where status.size > 0:
      return try map(descriptor, size: status.size, path: path)
    case .regularFile, .symbolicLink, .special:
      return try readToEnd(descriptor, path: path)
    }
  }

  /// The bytes of the regular file at `path`, mapped as `open(path:)` does it.
  ///
  /// For paths that were read from a file of a stranger: opening or reading a pipe or a device may
  /// wait for ever, or do something, so such a thing is refused before it is opened
  /// (`refuseSpecialFile`). A file whose size is stated as 0, as those of `/proc` are, comes out
  /// empty and is not read. A directory is refused with `EISDIR`.
  package static func openRegularFile(path: String) throws(FileAccessError) -> ByteRegion {
    let named: FileStatus
    do {
      named = try FileStatus(path: path)
    } catch {
      throw FileAccessError(path: path, operation: .open, errno: error.errno)
    }
    try checkIsRegular(named, path: path)
    let descriptor: FileDescriptor
    do {
      // Without waiting: what stands at the path may be another thing by now.
      descriptor = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw fileAccessError(error, path: path, operation: .open)
    }
    defer { try? descriptor.close() }
    let status = try status(of: descriptor, path: path)
    try checkIsRegular(status, path: path)
    guard status.size > 0 else { return ByteRegion(copying: []) }
    return try map(descriptor, size: status.size, path: path)
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
    _ descriptor: FileDescriptor, size: UInt64, path: String
  ) throws(FileAccessError) -> ByteRegion {
    let size = Int(clamping: size)
    // Next to no page is ever written, so none is set aside: a file larger than the memory maps too.
    let base = unsafe mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor.rawValue, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw FileAccessError(path: path, operation: .map, errno: .current)
    }
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: base, count: size)
    return unsafe ByteRegion(ByteStorage(takingMapping: bytes))
  }

  private static func readToEnd(
    _ descriptor: FileDescriptor, path: String
  ) throws(FileAccessError) -> ByteRegion {
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    do {
      while true {
        let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
        guard count > 0 else { return ByteRegion(copying: content) }
        content += chunk[..<count]
      }
    } catch {
      throw fileAccessError(error, path: path, operation: .read)
    }
  }

  /// swift-system throws `Errno` and nothing else from these calls, without saying so in their types.
  private static func fileAccessError(
    _ error: any Error, path: String, operation: FileAccessError.Operation
  ) -> FileAccessError {
    FileAccessError(path: path, operation: operation, errno: (error as? Errno) ?? .ioError)
  }
}

extension Errno {
  fileprivate static var current: Errno { Errno(rawValue: Glibc.errno) }
}
