/// What tells whether a file is still the one that an index was made from.
package struct SourceStamp: Hashable, Sendable {
  /// In bytes.
  package let size: UInt64
  /// When the file's content was last changed, since 1970-01-01 00:00 UTC.
  package let modificationSeconds: Int64
  /// Of that second: 0 to 999,999,999.
  package let modificationNanoseconds: UInt32
  /// Where the file lay, as text. It is for people: the same file may be reached by other paths.
  package let path: String

  package init(
    size: UInt64, modificationSeconds: Int64, modificationNanoseconds: UInt32, path: String
  ) {
    self.size = size
    self.modificationSeconds = modificationSeconds
    self.modificationNanoseconds = modificationNanoseconds
    self.path = path
  }

  /// The same stamp with another path to the file.
  package func at(path: String) -> SourceStamp {
    SourceStamp(
      size: size, modificationSeconds: modificationSeconds,
      modificationNanoseconds: modificationNanoseconds, path: path)
  }

  /// Whether both are of one content, as far as size and time of change tell.
  package func isSameContent(as other: SourceStamp) -> Bool {
    size == other.size && modificationSeconds == other.modificationSeconds
      && modificationNanoseconds == other.modificationNanoseconds
  }
}
