import Platform
package import SystemPackage

/// A lock that one process has at a time, named by a file (`flock`). It ends with the process,
/// however that ends.
///
/// The file is empty, and is removed when the lock is released. A process that is killed leaves the
/// file without a lock; the next one that wants the lock takes the file over.
///
/// The lock is released when nothing refers to it any more: see `withExtendedLifetime`.
package final class FileLock: Sendable {
  private let path: String
  private let descriptor: FileDescriptor

  package enum Outcome: Sendable {
    case taken(FileLock)
    /// Another process has it.
    case busy
    /// The system or the file system has no lock to give.
    case unavailable(Errno)
  }

  private init(path: String, descriptor: FileDescriptor) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit {
    // Whoever waits for it notices that the file has no name any more, and makes another one.
    try? removeFile(at: path)
    try? descriptor.close()
  }

  /// - Parameters:
  ///   - path: the lock's file, which is made if it is missing. Its folder must exist.
  ///   - waits: whether to wait for the process that has it.
  package static func take(_ path: String, waits: Bool) -> Outcome {
    while true {
      let descriptor: FileDescriptor
      do {
        descriptor = try FileDescriptor.open(
          FilePath(pathText: path), .readWrite, options: [.create, .closeOnExec, .noFollow],
          permissions: FilePermissions(rawValue: 0o600))
      } catch {
        return .unavailable((error as? Errno) ?? .ioError)
      }
      let operation = LOCK_EX | (waits ? 0 : LOCK_NB)
      guard uninterrupted({ flock(descriptor.rawValue, operation) }) == 0 else {
        let errno = Errno.current
        try? descriptor.close()
        return errno == .wouldBlock ? .busy : .unavailable(errno)
      }
      // The one who had it may have removed the file meanwhile.
      let own = try? FileStatus(descriptor, path: path).identity
      if let own, own == (try? FileStatus(withoutFollowingLinks: path))?.identity {
        return .taken(FileLock(path: path, descriptor: descriptor))
      }
      try? descriptor.close()
    }
  }
}
