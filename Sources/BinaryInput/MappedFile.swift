import FileSystem
import Glibc
import SystemPackage

/// Opens files as regions of bytes.
package enum MappedFile {
  /// The bytes of the file at `path`.
  ///
  /// A regular file is mapped. The mapping is private and writable, because libelf requires that;
  /// nothing written to it reaches the file. Anything else that can be read is read to its end: a
  /// pipe, a device, a file of `/proc`, whose stated size is 0. A directory throws `EISDIR`, and a
  /// device with more than 1 GiB `EFBIG`.
  ///
  /// If a file is cut while it is mapped, reading the lost pages ends the process with SIGBUS.
  /// Symbol files are replaced and not shortened, so this is accepted.
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
      return try map(descriptor, status, path: path)
    case .regularFile, .symbolicLink, .special:
      return try readToEnd(descriptor, path: path)
    }
  }

  /// The bytes of the regular file at `path`, mapped as by `open(path:)`.
  ///
  /// It is for paths from files that may come from strangers. Opening or reading a pipe or a device
  /// may wait for ever or have effects, so these throw `refuseSpecialFile` before they are opened.
  /// A file with a stated size of 0, as in `/proc`, is not read and comes out empty. A directory
  /// throws `EISDIR`.
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
      // Without waiting, because a pipe may have replaced the file since it was inspected.
      descriptor = try FileDescriptor.open(
        FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw fileAccessError(error, path: path, operation: .open)
    }
    defer { try? descriptor.close() }
    let status = try status(of: descriptor, path: path)
    try checkIsRegular(status, path: path)
    guard status.size > 0 else { return ByteRegion(copying: []) }
    return try map(descriptor, status, path: path)
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
    let size = Int(clamping: status.size)
    // Hardly any page is ever written, so no memory is reserved: files larger than the memory can
    // be mapped too.
    let base = unsafe mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_NORESERVE, descriptor.rawValue, 0)
    guard let base = unsafe base, unsafe base != MAP_FAILED else {
      throw FileAccessError(path: path, operation: .map, errno: .current)
    }
    let bytes = unsafe UnsafeMutableRawBufferPointer(start: base, count: size)
    let file = ByteStorage.Source(path: path, identity: status.identity)
    return unsafe ByteRegion(ByteStorage(takingMapping: bytes, of: file))
  }

  /// More bytes are not read from a pipe or a device: it may have no end.
  private static let endlessSize = 1 << 30

  private static func readToEnd(
    _ descriptor: FileDescriptor, path: String
  ) throws(FileAccessError) -> ByteRegion {
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    do {
      while true {
        let count = try unsafe chunk.withUnsafeMutableBytes { try unsafe descriptor.read(into: $0) }
        guard count > 0 else { return ByteRegion(copying: content) }
        guard content.count < endlessSize else { throw Errno.fileTooLarge }
        content += chunk[..<count]
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

extension Errno {
  fileprivate static var current: Errno { Errno(rawValue: Glibc.errno) }
}
