import FileSystem

extension [UInt8] {
  /// Appends a path as its bytes, which need not be UTF-8: an option may have stated a part of it.
  package mutating func append(path: String) {
    if path.hasPathBytes {
      append(contentsOf: path.pathBytes)
    } else {
      append(contentsOf: path.utf8)
    }
  }
}
