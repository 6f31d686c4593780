package import SystemPackage

/// The system refused something about one file.
package struct FileSystemError: Error, Hashable, Sendable {
  /// As it was passed to the function that throws.
  package let path: String
  /// C's `errno` of the call that failed.
  package let errno: Errno

  package init(path: String, errno: Errno) {
    self.path = path
    self.errno = errno
  }

  /// Whether there is nothing at the path.
  package var isAbsence: Bool { [.noSuchFileOrDirectory, .notDirectory].contains(errno) }

  /// Whether links lead to each other in a circle.
  package var isLinkLoop: Bool { errno == .tooManySymbolicLinkLevels }
}
