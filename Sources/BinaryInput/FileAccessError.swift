package import SystemPackage

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
