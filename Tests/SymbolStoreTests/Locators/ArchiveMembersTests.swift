import Archives
import FileSystem
import Foundation
import ObjectFiles
import SymbolicationModel
import TestSupport
import Testing

@testable import SymbolStore

/// Symbol files in archives that were given: found, absent, of another build, damaged, nested.
struct ArchiveMembersTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// Makes a zip of `paths`, which are relative to `folder`, with the program `zip`.
  private func zip(
    _ name: String, _ paths: [String], in folder: String, options: [String] = []
  ) async throws -> String {
    let archive = directory.path(name)
    let result = try await Program.run(
      try require(Program.path(of: "zip")), ["-qr"] + options + [archive] + paths,
      workingDirectory: folder)
    expectEqual(result.status, 0, "\(result.standardError)")
    return archive
  }

  private func store(_ paths: [String], cache: Bool = true) -> SymbolStore {
    SymbolStore(
      paths: paths,
      archiveCache: cache
        ? ArchiveCache(directory: directory.path("cache"), sizeLimit: 1 << 30) : nil)
  }

  private let story = SymbolStoreTests.image(
    SymbolStoreTests.storyIdentity, ["Letter Shuffle"])

  @Test(arguments: [["-6"], ["-0"]], [true, false])
  func aZipOfDsyms(_ options: [String], _ hasCache: Bool) async throws {
    let archive = try await zip(
      "dSYMs.zip", ["Letter Shuffle.app.dSYM"], in: Fixtures.path("LetterShuffle"),
      options: options)
    // The second store finds the listing of the first.
    for _ in 0..<2 {
      let store = store([archive], cache: hasCache)
      expectEqual(store.problems, [])
      let file = try require(store.symbolFile(for: story)?.objectFile)
      expectEqual(
        file.path, archive + "/Letter Shuffle.app.dSYM/Contents/Resources/DWARF/Letter Shuffle")
      expectEqual(file.identity, story.identity)
      expectTrue(file.hasDebugInfo)
      expectEqual(store.searchProblems, [])
    }
  }

  /// Everything in the fixtures that is found in the folder is found in a zip of it.
  @Test func allFixtures() async throws {
    let archive = try await zip("all.zip", ["."], in: Fixtures.path("MachO"))
    let archived = store([archive])
    let searched = SymbolStore(paths: [Fixtures.path("MachO")])
    let identities = Set(identities(under: "MachO"))
    #expect(identities.count > 3)
    for identity in identities {
      let image = ImageDescription(identity: identity, architecture: nil, names: [])
      func names(_ store: SymbolStore) -> [String] {
        store.locate(.image(image)).files.map { "\($0.path.lastPathComponent) \($0.architecture)" }
          .sorted()
      }
      expectEqual(names(archived), names(searched))
    }
  }

  @Test func aFatFileAndAnElfFile() async throws {
    let archive = try await zip("f.zip", ["Fat", "Elf"], in: Fixtures.path(""))
    let store = store([archive])
    for identity in Set(identities(under: "Fat") + identities(under: "Elf")) {
      let image = ImageDescription(identity: identity, architecture: nil, names: [])
      expectFalse(store.locate(.image(image)).files.isEmpty, "\(identity)")
    }
  }

  private func identities(under folder: String) -> [ImageIdentity] {
    SearchRoot(Fixtures.path(folder), followsLinks: false).search(SearchSettings()).entries
      .compactMap(\.header.identity)
  }

  /// An archive in a directory is searched too, if its name is that of an archive: below a search
  /// directory anywhere, and beside a report.
  @Test(arguments: [true, false])
  func inADirectory(isSearchDirectory: Bool) async throws {
    let archive = try await zip(
      "dSYMs.zip", ["Letter Shuffle.app.dSYM"], in: Fixtures.path("LetterShuffle"))
    try directory.write("notes".utf8, to: "notes.zip")
    let places =
      isSearchDirectory
      ? SymbolPlaces(searchDirectories: [directory.path])
      : SymbolPlaces(reportFolders: [directory.path])
    for _ in 0..<2 {
      let store = SymbolStore(places)
      let file = try require(store.symbolFile(for: story)?.objectFile)
      expectTrue(file.path.hasPrefix(archive + "/Letter Shuffle.app.dSYM/"))
      expectEqual(store.searchProblems, [])
    }
  }

  /// The main file needs the others beside it, and a tar archive begins with its name.
  @Test(arguments: ["zip", "tar"])
  func aSharedCache(kind: String) async throws {
    let bytes = SharedCacheBytes(SharedCacheBytes.kinds[3])
    _ = try bytes.write(to: directory, named: "dyld_cache")
    let names = bytes.files.map { "dyld_cache" + $0.suffix }
    var archive = directory.path("cache.tar")
    if kind == "zip" {
      archive = try await zip("cache.zip", names, in: directory.path)
    } else {
      let result = try await Program.run(
        "/bin/tar", ["-cf", archive] + names, workingDirectory: directory.path)
      expectEqual(result.status, 0)
    }
    let store = store([archive])
    expectNil(store.symbolFile(for: story))
    expectEqual(
      store.searchProblems,
      [SymbolFileProblem(path: archive + "/dyld_cache", kind: .archivedSystem)])
    expectEqual(SymbolFileKind(path: archive), .zipOrTar)
  }

  @Test func anArchiveInAnArchive() async throws {
    let inner = try await zip(
      "inner.zip", ["Letter Shuffle.app.dSYM"], in: Fixtures.path("LetterShuffle"))
    let outer = try await zip("outer.zip", ["inner.zip"], in: directory.path)
    for _ in 0..<2 {
      let file = try require(store([outer]).symbolFile(for: story)?.objectFile)
      expectTrue(file.path.hasPrefix(outer + "/inner.zip/Letter Shuffle.app.dSYM/"))
    }
    let third = try await zip("third.zip", ["outer.zip"], in: directory.path)
    let store = store([third])
    expectNil(store.symbolFile(for: story))
    expectEqual(
      store.searchProblems,
      [
        SymbolFileProblem(
          path: third + "/outer.zip/inner.zip", kind: .unusableArchive(.nestedTooDeeply))
      ])
    _ = inner
  }

  @Test func anotherBuild() async throws {
    let archive = try await zip(
      "dSYMs.zip", ["Letter Shuffle.app.dSYM"], in: Fixtures.path("LetterShuffle"))
    let store = store([archive])
    let image = SymbolStoreTests.image(SymbolStoreTests.unknownIdentity, ["Letter Shuffle"])
    let answer = store.locate(.image(image))
    expectEmpty(answer.files)
    expectEqual(
      answer.refused.map(\.finding),
      [
        .otherIdentity(found: story.identity, expected: image.identity)
      ])
    expectEqual(store.otherBuilds(of: image).map(\.name), ["Letter Shuffle"])
    expectEqual(store.filesOfSameName(as: image).map(\.identity), [story.identity])
  }

  @Test func archivesWithoutSymbolFiles() async throws {
    try directory.write(Array("text".utf8), to: "notes")
    let archive = try await zip("z.zip", ["notes"], in: directory.path)
    for _ in 0..<2 {
      let store = store([archive])
      expectEqual(store.searchProblems, [])
      expectNil(store.symbolFile(for: story))
      expectEqual(store.searchProblems, [SymbolFileProblem(path: archive, kind: .noSymbolFiles)])
    }
  }

  /// A damaged symbol file in the archive is reported in each run, and the others are used.
  @Test func aDamagedMember() async throws {
    try directory.makeDirectory("in")
    try directory.copy(Fixtures.storyDwarfFile, to: "in/Letter Shuffle")
    try directory.write(
      try Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(100), to: "in/Cut")
    let archive = try await zip("z.zip", ["in"], in: directory.path)
    for _ in 0..<2 {
      let store = store([archive])
      expectTrue(store.symbolFile(for: story) != nil)
      expectEqual(store.searchProblems.map(\.path), [archive + "/in/Cut"])
      guard case .truncated? = store.searchProblems.first?.kind else {
        Issue.record("\(store.searchProblems)")
        return
      }
    }
  }

  /// Unpacking stops at a member that is not what its head promised.
  @Test func aWrongFileInTheCache() async throws {
    let archive = try await zip(
      "dSYMs.zip", ["Letter Shuffle.app.dSYM"], in: Fixtures.path("LetterShuffle"))
    expectTrue(store([archive]).symbolFile(for: story) != nil)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("cache"))
    let member = try require(names.first { $0.hasSuffix(".member") })
    var bytes = try directory.bytes(of: "cache/" + member)
    for index in bytes.indices.prefix(4000) { bytes[index] ^= 1 }
    try directory.write(bytes, to: "cache/" + member)
    let store = store([archive])
    expectNil(store.symbolFile(for: story))
    expectEqual(store.searchProblems.count, 1)
  }

  // MARK: - Cost

  /// Any number of members may say that they are the file. Two of a kind are taken out.
  @Test(arguments: [5, 10])
  func manyMembersForOneImage(count: Int) async throws {
    try directory.makeDirectory("in")
    for index in 0..<count { try directory.copy(Fixtures.storyDwarfFile, to: "in/\(index)") }
    let archive = try await zip("z.zip", ["in"], in: directory.path)
    let store = store([archive], cache: false)
    store.search()
    let before = store.limits.usage.unpackedSize
    expectEqual(store.locate(.image(story)).files.count, 2)
    let size = try Fixtures.bytes(of: Fixtures.storyDwarfFile).count
    expectEqual(store.limits.usage.unpackedSize - before, UInt64(2 * size))
  }

  /// The archive is both given and beside the report.
  @Test func anArchiveIsReadOnce() async throws {
    let archive = try await zip(
      "dSYMs.zip", ["Letter Shuffle.app.dSYM"], in: Fixtures.path("LetterShuffle"))
    var costs: [UInt64] = []
    for folders in [[], [directory.path]] {
      let store = SymbolStore(SymbolPlaces(paths: [archive], reportFolders: folders))
      store.search()
      expectTrue(store.symbolFile(for: story) != nil)
      costs.append(store.limits.usage.unpackedSize)
    }
    expectEqual(costs[0], costs[1])
  }

  /// A member whose content is not what its head promised is not taken out again, whoever asks.
  @Test func aUselessMemberIsTakenOutOnce() async throws {
    try directory.copy(Fixtures.storyDwarfFile, to: "App")
    let archive = try await zip("z.zip", ["App"], in: directory.path)
    // The last bytes of the compressed member; its checksum is wrong then.
    var bytes = try directory.bytes(of: "z.zip")
    let end = try require(
      bytes.indices.dropLast(4).first { Array(bytes[$0..<($0 + 4)]) == [0x50, 0x4b, 1, 2] })
    bytes[end - 12] ^= 0x55
    try directory.write(bytes, to: "z.zip")
    let store = store([archive], cache: false)
    expectNil(store.symbolFile(for: story))
    let used = store.limits.usage.unpackedSize
    for name in ["A", "B", "C"] {
      let image = SymbolStoreTests.image(SymbolStoreTests.storyIdentity, [name])
      expectNil(store.symbolFile(for: image))
    }
    expectEqual(store.limits.usage.unpackedSize, used)
    expectEqual(store.searchProblems.count, 1)
  }

  /// Archives that are too much together: what was found before is used.
  @Test func aBudgetForAllArchives() async throws {
    let first = try await zip(
      "1.zip", ["Letter Shuffle.app.dSYM"], in: Fixtures.path("LetterShuffle"))
    let head = try Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(3000)
    try directory.write(head + [UInt8](repeating: 0, count: 40_000_000), to: "bomb")
    let second = try await zip("2.zip", ["bomb"], in: directory.path)
    var places = SymbolPlaces(paths: [second, first])
    places.limits.unpackedSize = 1 << 20
    let store = SymbolStore(places)
    expectTrue(
      store.symbolFile(for: story)?.objectFile.path.hasPrefix(first + "/") == true)
    let size = UInt64(try directory.bytes(of: "2.zip").count)
    expectEqual(
      store.searchProblems,
      [
        SymbolFileProblem(
          path: second,
          kind: .unusableArchive(
            .implausibleSize(archiveSize: size, limit: max(1 << 20, 250 * size))))
      ])
  }

  // MARK: - Listings

  @Test func listingsKeepEverything() throws {
    let slices = [
      ArchivedSlice(
        members: [
          ArchiveMember(index: 3, name: "in.zip", size: 9, offset: 12),
          ArchiveMember(index: 0, name: "a\tb\n%ö/..", size: .max, offset: nil),
        ], archivePath: "x.zip",
        head: SymbolFileHead(
          format: .elf, architecture: Architecture(name: "unknown(1,2)"), identity: nil,
          hasDebugInfo: nil)),
      ArchivedSlice(
        members: [ArchiveMember(index: 4, name: "", size: 0, offset: 0)], archivePath: "x.zip",
        head: SymbolFileHead(
          format: .machO, architecture: .arm64e, identity: story.identity, hasDebugInfo: false)),
    ]
    expectEqual(slices[0].path, "x.zip/in.zip/a\tb\n%ö/..")
    let bytes = ArchiveListing.encode(slices)
    expectEqual(ArchiveListing.decode(bytes, archivePath: "x.zip"), slices)
    expectEqual(ArchiveListing.decode(ArchiveListing.encode([]), archivePath: "x.zip"), [])
    for count in 0..<bytes.count {
      let cut = ArchiveListing.decode(Array(bytes.prefix(count)), archivePath: "x.zip")
      expectTrue(cut == nil || (cut?.count ?? 0) < 2)
    }
  }
}
