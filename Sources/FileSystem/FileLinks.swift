import Platform
import SystemPackage

/// Following symbolic links.
package enum FileLinks {
  /// `path` as an absolute path without links; nil if nothing is there, or the system does not say.
  ///
  /// Cost: the system walks over the path's folders.
  ///
  /// Soundness: `realpath` returns memory of its own, which is copied and freed here.
  package static func realPath(of path: String) -> String? { try? resolvedPath(of: path) }

  /// `path` as an absolute path without links.
  package static func resolvedPath(of path: String) throws(FileSystemError) -> String {
    while true {
      if let resolved = unsafe path.withPathBytes({ unsafe realpath($0, nil) }) {
        defer { unsafe free(resolved) }
        return unsafe String(pathBytes: resolved)
      }
      let errno = Errno.current
      guard errno == .interrupted else { throw FileSystemError(path: path, errno: errno) }
    }
  }

  /// Where `path` leads if it is a link, or a link to a link. Unlike `realPath`, the file there
  /// need not exist. Nil if the links form a loop: after as many as Linux follows.
  package static func target(of path: String) -> String? {
    var path = path
    for _ in 0..<40 {
      guard let destination = content(ofLinkAt: path) else { return path }
      path = destination.isAbsolutePath ? destination : path.folderPrefix + destination
    }
    return nil
  }

  /// What the symbolic link at `path` holds; nil if there is none.
  private static func content(ofLinkAt path: String) -> String? {
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe path.withPathBytes { path in
      uninterrupted { unsafe readlink(path, &bytes, bytes.count) }
    }
    guard count > 0 else { return nil }
    return String(pathBytes: bytes[..<count].map { UInt8(bitPattern: $0) })
  }
}
