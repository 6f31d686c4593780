import FileSystem

extension ObjectFile {
  /// `path` as an absolute path without links; nil if the system does not say. Cost: the system
  /// walks over the path's folders.
  package var realPath: String? { FileLinks.realPath(of: path) }
}
