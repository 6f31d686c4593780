extension String {
  /// The name of the file or folder that the path leads to; the text itself where it has no name.
  /// Trailing slashes do not count.
  package var lastPathComponent: String {
    split(separator: "/").last.map(String.init) ?? self
  }
}
