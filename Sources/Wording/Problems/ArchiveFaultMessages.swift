import SymbolicationModel

extension ArchiveFault {
  /// One sentence: which archive or member, what was found, what was expected, what to try.
  package func message(path: String) -> String {
    switch self {
    case .missingDirectory:
      return
        "\(path) is cut short: it begins like a zip archive, but the list of its files, which should be at its end, is missing; copy or download it again"
    case .notATarArchive(let compression):
      return
        "\(path) is compressed with \(compression), but does not hold a tar archive; decompress it with '\(Self.decompressor(compression)) -dk' and give the result"
    case .damaged(let detail):
      let detail = detail.isEmpty ? "" : ": \(detail)"
      return "\(path) is damaged or cut short\(detail); copy or download the archive again"
    case .encrypted(let first, let count):
      let files = count == 1 ? "1 encrypted file" : "\(count) encrypted files, first"
      return
        "\(path): skipped \(files) \(first); unpack the archive with its password and give the directory"
    case .tooManyMembers(let limit):
      return
        "\(path) has more than \(limit) files, and the others are not read; unpack it and give the directory"
    case .tooLongNames(let length, let limit, let count):
      let files = count == 1 ? "1 file" : "\(count) files"
      return
        "\(path): skipped \(files) with names longer than \(limit) bytes, the first of \(length) bytes"
    case .wrongSize(let stated, let found):
      return
        "\(path) is damaged: the archive says that it has \(stated) bytes, but it has \(found)\(found > stated ? " or more" : ""); copy or download the archive again"
    case .implausibleSize(let archiveSize, let limit):
      return
        "\(path) is not unpacked: an archive of \(archiveSize) bytes should hold at most \(limit), and this one has more; if you trust it, unpack it and give the directory"
    case .changedMeanwhile:
      return "\(path) was changed while it was read; try again when it is complete"
    case .nestedTooDeeply:
      return
        "\(path) is an archive in an archive in an archive and is not read; unpack the outer one and give the directory"
    case .tooLargeForMemory(let size, let limit):
      return
        "\(path) has \(size) bytes, the limit for memory is \(ByteSize.text(limit)), and the cache cannot be written; set XDG_CACHE_HOME to a directory with room, or unpack the archive and give the directory; \(ResourceLimit.memberSize.remedy(from: limit))"
    case .outOfMemory(let size):
      return
        "there is no memory for the \(size) bytes of \(path), and the cache cannot be written; set XDG_CACHE_HOME to a directory with room, or unpack the archive and give the directory"
    }
  }

  /// The program that decompresses: that of gzip, xz and zstd has the name of the format.
  private static func decompressor(_ compression: String) -> String { compression }
}
