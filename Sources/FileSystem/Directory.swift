import Platform
package import SystemPackage

/// Listing and making directories.
package enum Directory {
  package struct Entry: Hashable, Sendable {
    package let name: String
    package let kind: Kind

    /// Whether the entry is a symbolic link, whatever it leads to.
    package var isLink: Bool { kind == .link }

    package enum Kind: Hashable, Sendable {
      case directory
      case regularFile
      case link
      /// A pipe, a device or a socket.
      case special
    }
  }

  /// The entries of the directory at `path`, without `.` and `..`, sorted by the bytes of their
  /// names, so that a tree is searched in the same order on every machine.
  ///
  /// Throws if the listing breaks off, too: the rest may hold what is looked for.
  ///
  /// Soundness: `readdir` returns a pointer that is valid until the next call on the same stream;
  /// the name is copied out before.
  package static func entries(of path: String) throws(FileSystemError) -> [Entry] {
    try unsortedEntries(of: path).sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// The same entries in the order in which the system lists them.
  package static func unsortedEntries(of path: String) throws(FileSystemError) -> [Entry] {
    let stream = try unsafe open(path)
    defer { unsafe closedir(stream) }
    var entries: [Entry] = []
    while true {
      Platform.errno = 0
      guard let entry = unsafe readdir(stream) else {
        switch Errno.current {
        case .interrupted: continue
        case Errno(rawValue: 0): return entries
        case let errno: throw FileSystemError(path: path, errno: errno)
        }
      }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { field in
        unsafe String(
          pathBytes: UnsafeRawBufferPointer(rebasing: field.prefix { $0 != 0 }))
      }
      guard name != ".", name != ".." else { continue }
      let kind: Entry.Kind =
        switch unsafe Int(entry.pointee.d_type) {
        case Int(DT_DIR): .directory
        case Int(DT_REG): .regularFile
        case Int(DT_LNK): .link
        // Some file systems do not record the types of entries.
        case Int(DT_UNKNOWN): Self.kind(of: path.appendingPath(name))
        default: .special
        }
      entries.append(Entry(name: name, kind: kind))
    }
  }

  private static func open(_ path: String) throws(FileSystemError) -> OpaquePointer {
    while true {
      if let stream = unsafe path.withPathBytes({ unsafe opendir($0) }) { return unsafe stream }
      let errno = Errno.current
      guard errno == .interrupted else { throw FileSystemError(path: path, errno: errno) }
    }
  }

  private static func kind(of path: String) -> Entry.Kind {
    switch (try? FileStatus(withoutFollowingLinks: path))?.kind {
    case .directory: .directory
    case .regularFile: .regularFile
    case .symbolicLink: .link
    case .special, nil: .special
    }
  }

  /// Makes the directory at `path`, unless it exists. Throws `notDirectory` if a file is there.
  ///
  /// - Parameter permissions: of a new directory, less the process's mask.
  package static func create(
    at path: String, permissions: FilePermissions
  ) throws(FileSystemError) {
    let result = unsafe path.withPathBytes { path in
      uninterrupted { unsafe mkdir(path, permissions.rawValue) }
    }
    guard result != 0 else { return }
    let errno = Errno.current
    guard errno == .fileExists else { throw FileSystemError(path: path, errno: errno) }
    guard FileKind(path: path) == .directory else {
      throw FileSystemError(path: path, errno: .notDirectory)
    }
  }

  /// Makes the directory at `path`, and those it lies in, unless they exist. Throws `notDirectory`
  /// if a file is there or in the way.
  package static func createWithParents(
    at path: String, permissions: FilePermissions
  ) throws(FileSystemError) {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    do throws(FileSystemError) {
      try create(at: path, permissions: permissions)
    } catch {
      guard error.errno == .noSuchFileOrDirectory, path.folder != path else { throw error }
      try createWithParents(at: path.folder, permissions: permissions)
      try create(at: path, permissions: permissions)
    }
  }
}
