/// What is wrong with an archive (zip or tar), or with one of its members. Sizes are in bytes.
///
/// It is declared here, and not where archives are read, because ``SymbolFileProblem`` hands it to
/// the user unchanged.
public enum ArchiveFault: Error, Hashable, Sendable {
  /// It begins like a zip archive and has no central directory at its end: it was not copied or
  /// downloaded to the end.
  case missingDirectory
  /// It is compressed, and what it holds is not a tar archive. `compression` is the name of the
  /// program that decompresses it.
  case notATarArchive(compression: String)
  /// It cannot be read from here on. `detail` is what libarchive found, in its own words.
  case damaged(detail: String)
  /// `count` members are encrypted; the name of the first of them.
  case encrypted(first: String, count: Int)
  /// It has more members than are read.
  case tooManyMembers(limit: Int)
  /// `count` members have names longer than `limit`; the first of them has `length`.
  case tooLongNames(length: Int, limit: Int, count: Int)
  /// The archive states one size for the member, and holds another.
  case wrongSize(stated: UInt64, found: UInt64)
  /// The archive, of `archiveSize`, states or holds more than `limit` bytes unpacked: so much comes
  /// from archives that are made to fill memory and disks.
  case implausibleSize(archiveSize: UInt64, limit: UInt64)
  /// The file was changed or replaced while it was read.
  case changedMeanwhile
  /// It is an archive in an archive in an archive, and is not read.
  case nestedTooDeeply
  /// The `size` bytes of the member are more than may be unpacked to memory, and there is no cache
  /// to unpack them to.
  case tooLargeForMemory(size: UInt64, limit: UInt64)
  /// There is neither a writable cache nor memory for the `size` bytes of the member.
  case outOfMemory(size: UInt64)
}
