import FileSystem
import Foundation
import ObjectFiles
import Platform
import SymbolicationModel
import TestSupport
import Testing

@testable import SymbolStore

/// The index of a searched directory: whatever happens to the directory or to the index, a search
/// with an index finds what a search without one finds.
@Suite struct SearchIndexTests {
  private let directory: TemporaryDirectory
  private let cache: SearchIndexCache

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("tree/a/One.dSYM/Contents/Resources/DWARF")
    try directory.makeDirectory("tree/b")
    cache = SearchIndexCache(directory: directory.path("cache/searched"), smallestTree: 0)
    try write(1, to: "a/One.dSYM/Contents/Resources/DWARF/One")
    try write(2, to: "b/two.elf")
    try directory.write("text".utf8, to: "tree/b/text")
    try directory.write([], to: "tree/b/empty")
    try directory.link("tree/nowhere", to: "missing")
  }

  private static func identity(_ number: UInt8) -> [UInt8] {
    Array(repeating: number, count: 20)
  }

  private func write(_ number: UInt8, to name: String) throws {
    try directory.write(TinyElf.bytes(buildId: Self.identity(number)), to: "tree/" + name)
  }

  /// The tests trust the time of a change at once, and wait longer than the kernel's clock takes
  /// for a step.
  private func settle() { usleep(30_000) }

  private func root(followsLinks: Bool = false) -> SearchRoot {
    SearchRoot(directory.path("tree"), followsLinks: followsLinks)
  }

  private func settings(
    _ cache: SearchIndexCache?, unsettledSeconds: Int64 = -1
  ) -> SearchSettings {
    var settings = SearchSettings()
    settings.cache = cache
    settings.jobs = 2
    settings.unsettledSeconds = unsettledSeconds
    return settings
  }

  /// Searches with the index and without, and expects the same.
  private func search(
    followsLinks: Bool = false
  ) -> (entries: [SymbolFileEntry], problems: [SymbolFileProblem]) {
    let root = root(followsLinks: followsLinks)
    let plain = root.search(settings(nil))
    settle()
    let indexed = root.search(settings(cache))
    settle()
    expectEqual(indexed.entries, plain.entries)
    expectEqual(indexed.problems, plain.problems)
    return (indexed.entries, indexed.problems)
  }

  private func names(_ entries: [SymbolFileEntry]) -> [String] { entries.map(\.imageName) }

  @Test func everyChangeIsSeen() throws {
    settle()
    expectEqual(names(search().entries), ["One", "two.elf"])
    let tree = try require(cache.tree(of: root()))
    expectTrue(tree.isCurrent(root: directory.path("tree"), jobs: 2))

    // A new dSYM, deep below.
    try directory.makeDirectory("tree/a/Three.dSYM/Contents/Resources/DWARF")
    try write(3, to: "a/Three.dSYM/Contents/Resources/DWARF/Three")
    expectFalse(tree.isCurrent(root: directory.path("tree"), jobs: 2))
    expectEqual(names(search().entries), ["One", "Three", "two.elf"])

    // A second DWARF file in a dSYM.
    try write(4, to: "a/One.dSYM/Contents/Resources/DWARF/Four")
    expectEqual(names(search().entries), ["Four", "One", "Three", "two.elf"])

    // Rewritten in place, with the old time of modification: the folder does not change.
    let path = directory.path("tree/b/two.elf")
    let handle = try require(FileHandle(forWritingAtPath: path))
    try handle.write(contentsOf: Data(TinyElf.bytes(buildId: Self.identity(5))))
    try handle.close()
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)], ofItemAtPath: path)
    expectEqual(search().entries.last?.header.identity?.bytes, Self.identity(5))

    // A link that led nowhere, an empty file that is filled, a file that goes.
    try write(6, to: "missing")
    try write(7, to: "b/empty")
    try FileManager.default.removeItem(atPath: path)
    expectEqual(names(search().entries), ["Four", "One", "Three", "empty", "missing", "nowhere"])

    // A folder that goes, and one that comes back under its name.
    try FileManager.default.removeItem(atPath: directory.path("tree/a"))
    expectEqual(names(search().entries), ["empty", "missing", "nowhere"])
    try directory.makeDirectory("tree/a/x")
    try write(8, to: "a/x/eight")
    settle()
    expectEqual(names(search().entries), ["eight", "empty", "missing", "nowhere"])
    expectEqual(names(search().entries), ["eight", "empty", "missing", "nowhere"])
  }

  @Test func problemsAreReportedEachTime() throws {
    try directory.write(TinyElf.bytes(buildId: [1, 2]).prefix(70), to: "tree/b/damaged")
    settle()
    for _ in 0..<2 {
      expectEqual(search().problems.map(\.path), [directory.path("tree/b/damaged")])
    }
  }

  /// What was changed right before the scan is read again by the next.
  @Test func recentChangesAreNotTrusted() throws {
    _ = root().search(settings(cache, unsettledSeconds: 2))
    let tree = try require(cache.tree(of: root()))
    expectTrue(tree.files.allSatisfy { $0.stamp == nil || $0.stamp == .absent })
    expectFalse(tree.isCurrent(root: directory.path("tree"), jobs: 1))
  }

  @Test func damagedAndForeignIndexesAreMadeAnew() throws {
    settle()
    _ = search()
    let name = try require(FileManager.default.contentsOfDirectory(atPath: cache.directory).first)
    let path = cache.directory + "/" + name
    let sound = try Fixtures.bytes(of: path)
    for place in stride(from: 0, to: sound.count, by: 7) {
      var damaged = sound
      damaged[place] ^= 0x41
      try Data(damaged).write(to: URL(fileURLWithPath: path))
      expectNil(cache.tree(of: root()), "byte \(place)")
      try Data(sound.prefix(place)).write(to: URL(fileURLWithPath: path))
      expectNil(cache.tree(of: root()), "\(place) bytes")
    }
    expectEqual(names(search().entries), ["One", "two.elf"])
    try expectEqual(Fixtures.bytes(of: path), sound)
    // The index of another directory, under this name.
    try directory.makeDirectory("other")
    let other = SearchRoot(directory.path("other"), followsLinks: false)
    let bytes = try require(DirectoryTreeCoding.encode(DirectoryTree(), of: other))
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    expectNil(cache.tree(of: root()))
  }

  @Test func theCacheIsPrivate() throws {
    _ = search()
    try expectEqual(permissions(of: directory.path("cache")), 0o700)
    try expectEqual(permissions(of: cache.directory), 0o700)
    let names = try FileManager.default.contentsOfDirectory(atPath: cache.directory)
    expectEqual(names.count, 1)
    for name in names {
      try expectEqual(permissions(of: cache.directory + "/" + name), 0o600)
    }
    expectEqual(cache.clean().fileCount, 1)
    try expectEmpty(FileManager.default.contentsOfDirectory(atPath: cache.directory))
  }

  private func permissions(of path: String) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }

  @Test func smallTreesHaveNoIndex() {
    let cache = SearchIndexCache(directory: directory.path("cache/searched"))
    _ = root().search(settings(cache))
    expectFalse(FileAccess.exists(cache.directory))
  }

  @Test func aCacheThatCannotBeMadeIsNoProblem() throws {
    try directory.write([], to: "file")
    for path in [directory.path("file/searched"), "/proc/nowhere/searched"] {
      let cache = SearchIndexCache(directory: path, smallestTree: 0)
      let found = root().search(settings(cache))
      expectEqual(names(found.entries), ["One", "two.elf"])
      expectEmpty(found.problems)
    }
    expectNil(SearchIndexCache.user(environment: { _ in nil }))
    expectEqual(
      SearchIndexCache.user(environment: { $0 == "XDG_CACHE_HOME" ? "/c" : nil })?.directory,
      "/c/symbolicate/searched")
  }

  @Test func theOldestIndexesMakeRoom() throws {
    let cache = SearchIndexCache(
      directory: directory.path("cache/searched"), smallestTree: 0, sizeLimit: 1)
    _ = root().search(settings(cache))
    _ = root(followsLinks: true).search(settings(cache))
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: cache.directory).count, 1)
    expectTrue(cache.tree(of: root(followsLinks: true)) != nil)
  }

  /// Several threads stand for several processes: nothing is shared but the files.
  @Test func severalWritersAndReaders() {
    let expected = root().search(settings(nil)).entries
    ParallelWork.perform(count: 40, jobs: 4) { _ in
      expectEqual(root().search(settings(cache)).entries, expected)
    }
    expectTrue(cache.tree(of: root()) != nil)
  }

  /// Another user could have written an index that hides files.
  @Test(
    arguments: [(0o777, 0o600), (0o770, 0o600), (0o700, 0o620), (0o700, 0o606)]
      as [(mode_t, mode_t)])
  func anIndexThatOthersMayWriteTo(folder: mode_t, file: mode_t) throws {
    _ = search()
    expectTrue(cache.tree(of: root()) != nil)
    let name = try require(
      FileManager.default.contentsOfDirectory(atPath: cache.directory).first {
        $0.hasSuffix(".tree")
      })
    unsafe expectEqual(chmod(cache.directory, folder), 0)
    unsafe expectEqual(chmod(cache.directory + "/" + name, file), 0)
    expectNil(cache.tree(of: root()))
    expectEqual(names(search().entries), ["One", "two.elf"])
  }

  // MARK: - Links

  @Test func linkedDirectoriesAreSearchedOnce() throws {
    try directory.makeDirectory("elsewhere/deep")
    try directory.write(TinyElf.bytes(buildId: Self.identity(9)), to: "elsewhere/deep/nine")
    try directory.link("elsewhere/deep/back", to: directory.path("elsewhere"))
    try directory.link("tree/b/one", to: directory.path("elsewhere"))
    try directory.link("tree/b/other", to: directory.path("elsewhere/deep"))
    try directory.link("tree/b/own", to: directory.path("tree/a"))
    try directory.link("tree/b/up", to: "..")
    try directory.link("tree/b/above", to: directory.path(""))
    settle()
    for _ in 0..<3 {
      let found = search(followsLinks: true)
      expectEqual(
        found.entries.map(\.path),
        [
          "a/One.dSYM/Contents/Resources/DWARF/One", "b/one/deep/nine", "b/two.elf",
        ].map { directory.path("tree/" + $0) })
      expectEmpty(found.problems)
    }
    expectEqual(names(search(followsLinks: false).entries), ["One", "two.elf"])
  }

  @Test func manyFilesAreFoundInOrder() throws {
    for number in 0..<300 {
      try directory.makeDirectory("tree/many/\(number % 17)/\(number)")
      try write(UInt8(number % 250 + 1), to: "many/\(number % 17)/\(number)/f\(number)")
    }
    let paths = search().entries.map(\.path)
    expectEqual(paths.count, 302)
    // As a walk in the order of names meets them.
    let sorted = paths.sorted {
      $0.utf8.map { $0 == 0x2f ? 0 : $0 }.lexicographicallyPrecedes(
        $1.utf8.map { $0 == 0x2f ? 0 : $0 })
    }
    expectEqual(paths, sorted)
  }

  @Test func aNameThatIsNotUtf8IsFoundAgain() throws {
    let name = String(pathBytes: Array(directory.path("tree/f").utf8) + [0xff, 0x67])
    try write(9, to: "plain")
    try renameFile(at: directory.path("tree/plain"), to: name)
    expectTrue(search().entries.contains { $0.path == name })
    expectEmpty(search().problems)
    // From the index this time.
    expectTrue(search().entries.contains { $0.path == name })
  }
}
