/// The kind of an archive according to its first bytes. Names do not count.
package enum ArchiveKind: Hashable, Sendable {
  /// PKWARE's APPNOTE.TXT, 4.3.7: a local file header, or, of an empty archive, the end record.
  case zip
  /// POSIX.1-2017, pax, "ustar Interchange Format"; GNU's variant has the same start.
  case tar
  /// A compressed file, which may hold a tar archive.
  case compressed(Compression)

  package enum Compression: String, Hashable, Sendable {
    /// RFC 1952
    case gzip
    /// The .xz file format
    case xz
    /// RFC 8878
    case zstd
    case bzip2
  }

  /// How many bytes decide.
  package static let prefixSize = 262

  /// - Parameter start: the first `prefixSize` bytes of the file, or all if there are fewer.
  package init?(_ start: [UInt8]) {
    func begins(_ magic: [UInt8], at offset: Int = 0) -> Bool {
      start.dropFirst(offset).starts(with: magic)
    }
    if begins([0x50, 0x4b, 3, 4]) || begins([0x50, 0x4b, 5, 6]) {
      self = .zip
    } else if begins([0x1f, 0x8b, 8]) {
      self = .compressed(.gzip)
    } else if begins([0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]) {
      self = .compressed(.xz)
    } else if begins([0x28, 0xb5, 0x2f, 0xfd]) {
      self = .compressed(.zstd)
    } else if begins(Array("BZh".utf8)), begins([0x31, 0x41, 0x59, 0x26, 0x53, 0x59], at: 4) {
      // The size of a block is between them. A tar archive has one block at least.
      self = .compressed(.bzip2)
    } else if begins(Array("ustar".utf8), at: 257) {
      self = .tar
    } else {
      return nil
    }
  }
}
