extension String {
  /// The name of the file or directory at this path, without trailing slashes; the whole text if it
  /// has no name (`/`, or empty).
  package var lastPathComponent: String {
    let slash = UInt8(ascii: "/")
    var end = utf8.endIndex
    while end > utf8.startIndex, utf8[utf8.index(before: end)] == slash {
      end = utf8.index(before: end)
    }
    guard end > utf8.startIndex else { return self }
    var start = end
    while start > utf8.startIndex, utf8[utf8.index(before: start)] != slash {
      start = utf8.index(before: start)
    }
    return String(self[start..<end])
  }
}
