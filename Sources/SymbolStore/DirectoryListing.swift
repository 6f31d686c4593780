import Glibc
import SymbolicationModel

/// What kind of thing a path names.
enum PathKind: Equatable {
  case regularFile
  case directory
  /// A pipe, a device, a socket: opening it may wait for somebody else.
  case special
  /// C's `errno` of the call that failed.
  case inaccessible(errno: CInt)

  init(path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else {
      self = .inaccessible(errno: errno)
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .regularFile
    case S_IFDIR: self = .directory
    default: self = .special
    }
  }

  /// Whether `path` is itself a symbolic link, whatever it leads to.
  static func isLink(path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
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
  /// so that the same tree is searched in the same order everywhere. Throws `inaccessible` where the
  /// directory cannot be read.
  ///
  /// Soundness: `readdir` returns a pointer that is valid until the next call on the same stream; the
  /// name is copied out before.
  static func entries(of path: String) throws(SymbolFileProblem) -> [Entry] {
    guard let stream = unsafe opendir(path) else {
      throw SymbolFileProblem(path: path, kind: .inaccessible(errno: errno))
    }
    defer { unsafe closedir(stream) }
    var entries: [Entry] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
        unsafe String(decoding: field.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let type = unsafe Int(entry.pointee.d_type)
      // Some file systems do not say of what type an entry is.
      let isLink =
        type == Int(DT_LNK)
        || type == Int(DT_UNKNOWN) && PathKind.isLink(path: joined(path, name))
      entries.append(Entry(name: name, isLink: isLink))
    }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }
}
