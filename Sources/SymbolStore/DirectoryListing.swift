import Glibc

/// What kind of thing a path names.
enum PathKind: Equatable {
  case file
  case directory
  /// C's `errno` of the call that failed.
  case inaccessible(errno: CInt)

  init(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      self = .inaccessible(errno: errno)
      return
    }
    self = status.st_mode & S_IFMT == S_IFDIR ? .directory : .file
  }
}

/// The entries of one directory.
enum DirectoryListing {
  struct Entry {
    let name: String
    /// A symbolic link; its target may be anything.
    let isLink: Bool
  }

  /// The entries of the directory at `path`, without `.` and `..`, sorted by the bytes of their names,
  /// so that the same tree is searched in the same order everywhere. Nil where it cannot be read.
  ///
  /// Soundness: `readdir` returns a pointer that is valid until the next call on the same stream; the
  /// name is copied out before.
  static func entries(of path: String) -> [Entry]? {
    guard let stream = unsafe opendir(path) else { return nil }
    defer { unsafe closedir(stream) }
    var entries: [Entry] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
        unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      entries.append(Entry(name: name, isLink: unsafe Int(entry.pointee.d_type) == Int(DT_LNK)))
    }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
