extension String {
  /// The name of the file or directory at this path, without trailing slashes; the whole text if it
  /// has no name (`/`, or empty).
  package var lastPathComponent: String {
    split(separator: "/").last.map(String.init) ?? self
  }
}
