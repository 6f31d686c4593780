import Glibc
import SystemPackage

/// What this process may do with a file.
package struct FileAccess: OptionSet, Sendable {
  package let rawValue: CInt
  package init(rawValue: CInt) { self.rawValue = rawValue }

  package static let read = FileAccess(rawValue: R_OK)
  package static let write = FileAccess(rawValue: W_OK)
  /// Running a file; for a directory, reaching what is in it.
  package static let execute = FileAccess(rawValue: X_OK)

  /// Throws unless this process may do all of `access` with the file at `path`.
  package static func check(_ access: FileAccess, path: String) throws(FileSystemError) {
    guard unsafe Glibc.access(path, access.rawValue) == 0 else {
      throw FileSystemError(path: path, errno: .current)
    }
  }

  /// Whether anything is at `path`, or where it leads to.
  package static func exists(_ path: String) -> Bool { unsafe Glibc.access(path, F_OK) == 0 }
}

/// Removes the file, or the link, at `path`; a directory is refused.
package func removeFile(at path: String) throws(FileSystemError) {
  guard unsafe unlink(path) == 0 else { throw FileSystemError(path: path, errno: .current) }
}

/// Sets the times of last access and last change of the file at `path` to now.
package func touchFile(at path: String) throws(FileSystemError) {
  guard unsafe utimensat(AT_FDCWD, path, nil, 0) == 0 else {
    throw FileSystemError(path: path, errno: .current)
  }
}
