/// Size, time and path of a file: tells whether it is still the one that an index was made from.
package struct SourceStamp: Hashable, Sendable {
  /// In bytes.
  package let size: UInt64
  /// The time at which the content was last changed, in seconds since 1970-01-01 00:00 UTC.
  package let modificationSeconds: Int64
  /// The fraction of that second in nanoseconds: 0 to 999,999,999.
  package let modificationNanoseconds: UInt32
  /// The path of the file. It is only shown to people: the same file may have other paths.
  package let path: String

  package init(
    size: UInt64, modificationSeconds: Int64, modificationNanoseconds: UInt32, path: String
  ) {
    self.size = size
    self.modificationSeconds = modificationSeconds
    self.modificationNanoseconds = modificationNanoseconds
    self.path = path
  }

  /// This stamp with another path.
  package func at(path: String) -> SourceStamp {
    SourceStamp(
      size: size, modificationSeconds: modificationSeconds,
      modificationNanoseconds: modificationNanoseconds, path: path)
  }

  /// Whether both stamps have the same size and time, so that the content is probably the same.
  package func isSameContent(as other: SourceStamp) -> Bool {
    size == other.size && modificationSeconds == other.modificationSeconds
      && modificationNanoseconds == other.modificationNanoseconds
  }
}
