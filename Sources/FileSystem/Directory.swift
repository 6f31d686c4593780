import Glibc
package import SystemPackage

/// Listing and making directories.
package enum Directory {
  package struct Entry: Hashable, Sendable {
    package let name: String
    /// Whether the entry is a symbolic link, whatever it leads to.
    package let isLink: Bool
  }

  /// The entries of the directory at `path`, without `.` and `..`, sorted by the bytes of their
  /// names, so that a tree is searched in the same order on every machine.
  ///
  /// Soundness: `readdir` returns a pointer that is valid until the next call on the same stream;
  /// the name is copied out before.
  package static func entries(of path: String) throws(FileSystemError) -> [Entry] {
    guard let stream = unsafe opendir(path) else {
      throw FileSystemError(path: path, errno: .current)
    }
    defer { unsafe closedir(stream) }
    var entries: [Entry] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
        unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let isLink =
        switch unsafe Int(entry.pointee.d_type) {
        case Int(DT_LNK): true
        // Some file systems do not record the types of entries.
        case Int(DT_UNKNOWN): Self.isLink(path.appendingPath(name))
        default: false
        }
      entries.append(Entry(name: name, isLink: isLink))
    }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  private static func isLink(_ path: String) -> Bool {
    (try? FileStatus(withoutFollowingLinks: path))?.kind == .symbolicLink
  }

  /// Makes the directory at `path`, unless it exists. Throws `notDirectory` if a file is there.
  ///
  /// - Parameter permissions: of a new directory, less the process's mask.
  package static func create(
    at path: String, permissions: FilePermissions
  ) throws(FileSystemError) {
    guard unsafe mkdir(path, permissions.rawValue) != 0 else { return }
    let errno = Errno.current
    guard errno == .fileExists else { throw FileSystemError(path: path, errno: errno) }
    guard FileKind(path: path) == .directory else {
      throw FileSystemError(path: path, errno: .notDirectory)
    }
  }
}
