// Paths as text. Nothing here asks the system.

extension String {
  /// Whether the path begins at the root.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// The folder of the file that the path leads to: relative if the path is.
  package var folder: String {
    guard let slash = lastIndex(of: "/") else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The path of `relative` in this folder: both with one slash between them.
  package func appendingPath(_ relative: String) -> String {
    utf8.last == UInt8(ascii: "/") ? self + relative : self + "/" + relative
  }
}
