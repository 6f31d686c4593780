// Paths as text: what is needed to make up where files may lie.

extension String {
  /// Whether it begins at the root.
  var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// The folder of the file that the path leads to, relative or absolute as the path is.
  var folder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The path of what `relative` is in this folder.
  func appendingPath(_ relative: String) -> String {
    hasSuffix("/") ? self + relative : self + "/" + relative
  }
}
