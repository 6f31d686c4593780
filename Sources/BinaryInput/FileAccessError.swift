package import SystemPackage

/// Why a file could not be opened, mapped or read.
package struct FileAccessError: Error, Hashable, Sendable {
  package let path: String
  /// What the system was asked to do when it refused.
  package let operation: Operation
  package let errno: Errno

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
