/// A file in an archive.
package struct ArchiveMember: Hashable, Sendable {
  /// Counted from 0, over all members of the archive, directories and links included.
  package let index: Int
  /// As the archive states it, with slashes. It may be anything, such as `../x` or `/etc/passwd`:
  /// it is shown and compared, and never used as a path.
  package let name: String
  /// In bytes, as the archive states it.
  package let size: UInt64
  /// Where its bytes are in the archive file, if they are there uncompressed; nil if it must be
  /// unpacked.
  package let offset: UInt64?

  package init(index: Int, name: String, size: UInt64, offset: UInt64?) {
    self.index = index
    self.name = name
    self.size = size
    self.offset = offset
  }

  /// Whether a member of that name holds only the attributes of another file (AppleDouble).
  static func isAppleDouble(_ name: String) -> Bool {
    let parts = name.split(separator: "/")
    return parts.contains("__MACOSX") || parts.last?.hasPrefix("._") == true
  }
}
