import Platform
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
    guard Self.access(path, access.rawValue) == 0 else {
      throw FileSystemError(path: path, errno: .current)
    }
  }

  /// Whether anything is at `path`, or where it leads to.
  package static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func access(_ path: String, _ mode: CInt) -> CInt {
    unsafe path.withPathBytes { path in
      uninterrupted { unsafe Platform.access(path, mode) }
    }
  }
}

/// Removes the file, or the link, at `path`; a directory is refused.
package func removeFile(at path: String) throws(FileSystemError) {
  let result = unsafe path.withPathBytes { path in
    uninterrupted { unsafe unlink(path) }
  }
  guard result == 0 else { throw FileSystemError(path: path, errno: .current) }
}

/// Gives the file at `path` the name `target`, in place of what is there.
package func renameFile(at path: String, to target: String) throws(FileSystemError) {
  let result = unsafe path.withPathBytes { path in
    unsafe target.withPathBytes { target in
      uninterrupted { unsafe rename(path, target) }
    }
  }
  guard result == 0 else { throw FileSystemError(path: target, errno: .current) }
}

/// Sets the times of last access and last change of the file at `path` to now.
package func touchFile(at path: String) throws(FileSystemError) {
  let result = unsafe path.withPathBytes { path in
    uninterrupted { unsafe utimensat(AT_FDCWD, path, nil, 0) }
  }
  guard result == 0 else {
    throw FileSystemError(path: path, errno: .current)
  }
}
