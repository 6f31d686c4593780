import SymbolicationModel
import TestSupport
import Testing

@testable import Archives

/// The last 8 bytes of gzip data are the checksum and the size of what it holds (RFC 1952), which
/// libarchive does not compare.
struct GzipChecksumTests {
  private let archiver: Archiver

  init() throws { archiver = try Archiver() }

  /// A `.tar.gz` with the files `first` and `last`, of 300,000 bytes each.
  private func archive() async throws -> [UInt8] {
    try await archiver.python(
      """
      import io, tarfile
      with tarfile.open('a.tar.gz', 'w:gz') as archive:
        for name in 'first', 'last':
          info = tarfile.TarInfo(name)
          info.size = 300000
          archive.addfile(info, io.BytesIO(bytes(i * i % 251 for i in range(info.size))))
      """)
    return try archiver.directory.bytes(of: "a.tar.gz")
  }

  private func visit(_ bytes: [UInt8]) throws -> (names: [String], faults: [ArchiveError.Reason]) {
    try archiver.directory.write(bytes, to: "b.tar.gz")
    let found = try archiver.open("b.tar.gz").visit()
    return (found.members.map(\.name), found.faults.map(\.reason))
  }

  @Test func aWholeArchive() async throws {
    let found = try visit(await archive())
    expectEqual(found.names, ["first", "last"])
    expectEmpty(found.faults)
  }

  @Test func nothingOfAnArchiveWithAWrongChecksumIsUsed() async throws {
    let bytes = try await archive()
    for (offset, what) in [(8, "checksum"), (4, "size")] {
      var damaged = bytes
      damaged[damaged.count - offset] ^= 1
      let found = try visit(damaged)
      expectEmpty(found.names, what)
      expectEqual(found.faults, [.fault(.wrongChecksum)], what)
    }
  }

  /// What comes before a place that cannot be decompressed is found.
  @Test func anArchiveThatIsCut() async throws {
    let bytes = try await archive()
    let found = try visit(Array(bytes.dropLast(100)))
    expectContains(found.names, "first")
    expectFalse(found.faults.isEmpty)
    expectFalse(found.faults.contains(.fault(.wrongChecksum)))
  }
}
