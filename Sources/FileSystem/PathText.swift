// Paths as text. Nothing here asks the system.

extension String {
  /// Whether the path begins at the root.
  package var isAbsolutePath: Bool { utf8.first == UInt8(ascii: "/") }

  /// The folder of the file that the path leads to: relative if the path is.
  package var folder: String {
    // Not a search for the character "/": a mark at the start of a name is one character with it.
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == startIndex ? "/" : String(self[..<slash])
  }

  /// The folder with the slash after it, so that a name can follow; empty if there is no slash.
  package var folderPrefix: String {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { String(self[..<utf8.index(after: $0)]) } ?? ""
  }

  /// The path of `relative` in this folder: both with one slash between them.
  package func appendingPath(_ relative: String) -> String {
    utf8.last == UInt8(ascii: "/") ? self + relative : self + "/" + relative
  }
}
