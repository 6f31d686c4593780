import Archives
import TestSupport
import Testing

/// Archives are recognised by their first bytes: APPNOTE.TXT 4.3.7 and 4.3.16, RFC 1952, The .xz
/// File Format 2.1.1.1, RFC 8878 3.1.1, the magic numbers of bzip2 and its blocks, and
/// POSIX.1-2017's ustar header, whose magic is at 257.
struct ArchiveKindTests {
  @Test(arguments: [
    ("504b0304 1400", ArchiveKind.zip),
    ("504b0506 0000", .zip),
    ("1f8b08 00", .compressed(.gzip)),
    ("fd377a585a00 0004", .compressed(.xz)),
    ("28b52ffd 04", .compressed(.zstd)),
    ("425a6839 314159265359", .compressed(.bzip2)),
  ])
  func firstBytes(_ text: String, _ kind: ArchiveKind) {
    expectEqual(ArchiveKind([UInt8](hexadecimal: text)), kind)
  }

  @Test func tarHeader() {
    var header = [UInt8](repeating: 0, count: 257) + Array("ustar".utf8)
    expectEqual(ArchiveKind(header), .tar)
    header.removeFirst()
    expectNil(ArchiveKind(header))
  }

  @Test(arguments: ["", "504b", "504b0102", "1f8b00", "cffaedfe", "7f454c46", "213c617263683e0a"])
  func otherBytes(_ text: String) {
    expectNil(ArchiveKind([UInt8](hexadecimal: text)))
  }
}
