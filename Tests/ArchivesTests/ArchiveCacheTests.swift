import BinaryInput
import FileSystem
import Foundation
import SymbolicationModel
import TestSupport
import Testing

@testable import Archives

/// The cache of unpacked members.
struct ArchiveCacheTests {
  let archiver: Archiver
  let cache: ArchiveCache

  init() async throws {
    archiver = try Archiver()
    cache = ArchiveCache(directory: archiver.path("home/archives"), sizeLimit: 100_000)
    try await archiver.python(
      """
      import zipfile
      with zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_DEFLATED) as z:
        for name in 'abc': z.writestr(name, name * 40000)
      """)
  }

  private func files() -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: cache.directory)) ?? []).sorted()
  }

  private func permissions(_ path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  private func content(_ name: String, in archive: ArchiveFile) throws -> [UInt8] {
    try archive.content(of: archive.member(name), cache: cache).bytes
  }

  @Test func isPrivateAndUsedAgain() throws {
    let archive = try archiver.open("z.zip")
    let expected = [UInt8](repeating: UInt8(ascii: "b"), count: 40000)
    try expectEqual(content("b", in: archive), expected)
    let file = try require(files().first)
    expectEqual(files().count, 1)
    try expectEqual(permissions(archiver.path("home")), 0o700)
    try expectEqual(permissions(cache.directory), 0o700)
    try expectEqual(permissions(cache.directory + "/" + file), 0o600)
    // Whatever is there now is what another process would use.
    let other = [UInt8](repeating: 7, count: 40000)
    try archiver.directory.write(other, to: "home/archives/" + file)
    try expectEqual(content("b", in: try archiver.open("z.zip")), other)
    // A file of another size is not the member.
    try archiver.directory.write([1, 2, 3], to: "home/archives/" + file)
    try expectEqual(content("b", in: archive), expected)
  }

  /// A pass over the members goes on from the last one, or begins anew.
  @Test(arguments: ["abc", "cba", "bab", "ccaa"])
  func membersInAnyOrder(order: String) throws {
    let archive = try archiver.open("z.zip")
    for name in order {
      let letters = [UInt8](repeating: try require(name.asciiValue), count: 40000)
      try expectEqual(archive.content(of: archive.member(String(name)), cache: nil).bytes, letters)
    }
  }

  @Test func aChangedArchiveIsAnotherOne() async throws {
    try expectEqual(content("a", in: try archiver.open("z.zip")).first, UInt8(ascii: "a"))
    try await archiver.python(
      """
      import zipfile
      with zipfile.ZipFile('z.zip', 'w', zipfile.ZIP_DEFLATED) as z: z.writestr('a', 'X' * 40000)
      """)
    try expectEqual(content("a", in: try archiver.open("z.zip")).first, UInt8(ascii: "X"))
    expectEqual(files().count, 2)
  }

  @Test func theLeastRecentlyUsedMakesRoom() throws {
    let archive = try archiver.open("z.zip")
    _ = try content("a", in: archive)
    let first = try require(files().first)
    _ = unsafe utimes(
      cache.directory + "/" + first,
      [timeval(tv_sec: 1000, tv_usec: 0), timeval(tv_sec: 1000, tv_usec: 0)])
    _ = try content("b", in: archive)
    expectEqual(files().count, 2)
    _ = try content("c", in: archive)
    expectEqual(files().count, 2)
    expectFalse(files().contains(first))
  }

  @Test func anUnwritableCacheIsNotNeeded() throws {
    let nowhere = ArchiveCache(directory: "/proc/nothing/archives", sizeLimit: 1)
    let archive = try archiver.open("z.zip")
    let member = try archive.member("a")
    try expectEqual(archive.content(of: member, cache: nowhere).count, 40000)
  }

  /// What others may have written is neither used nor added to.
  @Test func aFolderThatOthersWriteTo() throws {
    _ = try content("a", in: try archiver.open("z.zip"))
    let file = try require(files().first)
    try archiver.directory.write(
      [UInt8](repeating: 7, count: 40000), to: "home/archives/" + file)
    _ = unsafe chmod(cache.directory, 0o777)
    try expectEqual(content("a", in: try archiver.open("z.zip")).first, UInt8(ascii: "a"))
    _ = try content("b", in: try archiver.open("z.zip"))
    expectEqual(files(), [file])
  }

  @Test func cleaningRemovesItsOwnFilesAlone() throws {
    _ = try content("a", in: try archiver.open("z.zip"))
    cache.storeListing([1, 2], of: try archiver.open("z.zip"))
    try archiver.directory.write([1], to: "home/archives/notes.member")
    let removal = cache.clean()
    expectEqual(removal.fileCount, 2)
    expectEqual(removal.byteCount, 40002)
    expectEqual(files(), ["notes.member"])
  }

  @Test func listings() throws {
    let archive = try archiver.open("z.zip")
    expectNil(cache.listing(of: archive))
    cache.storeListing([1, 2, 3], of: archive)
    expectEqual(cache.listing(of: try archiver.open("z.zip")), [1, 2, 3])
  }

  @Test func progressEndsAtTheWhole() throws {
    let archive = try archiver.open("z.zip")
    let member = try archive.member("a")
    let reports = Reports()
    _ = try archive.content(of: member, cache: nil) { reports.add($0, $1) }
    expectEqual(reports.last?.done, 40000)
    expectEqual(reports.last?.total, 40000)
  }

  private final class Reports: @unchecked Sendable {
    private(set) var last: (done: UInt64, total: UInt64)?
    func add(_ done: UInt64, _ total: UInt64) { last = (done, total) }
  }
}
