import Glibc

extension ObjectFile {
  /// `path` as an absolute path without links; nil where the system does not tell. Cost: a walk over
  /// the path's folders by the system.
  ///
  /// Soundness: `realpath` returns memory of its own, which is copied and freed here.
  package var realPath: String? { Self.realPath(of: path) }

  /// Any path without links; nil where nothing is there.
  package static func realPath(of path: String) -> String? {
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
