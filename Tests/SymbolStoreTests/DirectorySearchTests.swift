import ObjectFiles
import Platform
import SymbolStore
import SymbolicationModel
import TestSupport
import Testing

/// Directories as people have them: deep, with links in circles and files of every kind.
struct DirectorySearchTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func store(_ paths: [String]) -> (store: SymbolStore, found: String?) {
    let store = SymbolStore(paths: paths)
    let match = store.symbolFile(for: SymbolStoreTests.image(SymbolStoreTests.storyIdentity))
    return (store, match?.objectFile.path)
  }

  @Test func subfoldersAreSearched() throws {
    let depth = (0..<60).map { "level\($0)" }.joined(separator: "/")
    try directory.makeDirectory(depth)
    try directory.copy(Fixtures.storyDwarfFile, to: depth + "/anything")
    expectEqual(store([directory.path]).found, directory.path(depth + "/anything"))
  }

  @Test func linksInCirclesEnd() throws {
    try directory.makeDirectory("a/b")
    try directory.link("a/b/up", to: "..")
    try directory.link("a/self", to: "self")
    try directory.link("a/nowhere", to: "missing")
    try directory.link("a/b/file", to: Fixtures.storyDwarfFile)
    let (store, found) = store([directory.path])
    expectEqual(found, directory.path("a/b/file"))
    expectEmpty(store.searchProblems)
  }

  /// People link their dSYMs into one folder, under any name.
  @Test(arguments: ["Letter Shuffle.app.dSYM", "symbols"])
  func linkedDsymsAreFound(name: String) throws {
    try directory.link(name, to: Fixtures.path("LetterShuffle/Letter Shuffle.app.dSYM"))
    let (store, found) = store([directory.path])
    expectEqual(found, directory.path(name + "/Contents/Resources/DWARF/Letter Shuffle"))
    expectEmpty(store.searchProblems)
  }

  /// A link to a folder above could lead anywhere: to the whole disk.
  @Test func linksToFoldersAboveAndToTheKernelAreNotFollowed() throws {
    try directory.makeDirectory("given")
    try directory.copy(Fixtures.storyDwarfFile, to: "beside")
    try directory.link("given/up", to: "..")
    for path in ["/", "/proc", "/proc/sys", "/sys", "/dev"] {
      try directory.link("given/to" + path.replacing("/", with: "-"), to: path)
    }
    let (store, found) = store([directory.path("given")])
    expectNil(found)
    expectEqual(store.searchProblems.map(\.kind), [.noSymbolFiles])
  }

  /// Folders that link to one another: the file is read under one path, and the search ends.
  @Test func linksToOneAnotherEnd() throws {
    try directory.makeDirectory("given")
    for (name, other) in [("a", "b"), ("b", "c"), ("c", "a")] {
      try directory.makeDirectory(name)
      try directory.link(name + "/next", to: directory.path(other))
    }
    try directory.copy(Fixtures.storyDwarfFile, to: "c/file")
    try directory.link("given/start", to: directory.path("a"))
    let found = store([directory.path("given")]).found
    expectEqual(found, directory.path("given/start/next/next/file"))
  }

  /// Opening a pipe to which nobody writes would wait forever.
  @Test(.timeLimit(.minutes(60))) func pipesAreNotOpened() throws {
    unsafe expectEqual(mkfifo(directory.path("pipe"), 0o600), 0)
    try directory.makeDirectory("Bundle.dSYM/Contents/Resources/DWARF")
    unsafe expectEqual(mkfifo(directory.path("Bundle.dSYM/Contents/Resources/DWARF/App"), 0o600), 0)
    try directory.copy(Fixtures.storyDwarfFile, to: "zz")
    expectEqual(store([directory.path]).found, directory.path("zz"))
    let bundle = SymbolStore(paths: [directory.path("Bundle.dSYM")])
    expectEqual(bundle.problems.map(\.kind), [.emptyBundle])
  }

  /// What is said of a directory without symbol files is not read from pipes either.
  @Test func pipesOfAnEmptyDirectoryAreNotOpened() throws {
    let pipe = directory.path("pipe")
    unsafe expectEqual(mkfifo(pipe, 0o600), 0)
    let events = inotify_init1(Int32(IN_NONBLOCK))
    defer { close(events) }
    unsafe expectTrue(inotify_add_watch(events, pipe, UInt32(IN_OPEN)) > 0)
    let store = store([directory.path]).store
    expectEqual(store.searchProblems.map(\.kind), [.noSymbolFiles])
    var buffer = [UInt8](repeating: 0, count: 64)
    unsafe expectEqual(read(events, &buffer, 64), -1, "the pipe was opened")
  }

  @Test func aDamagedFileIsReportedAndTheOthersAreUsed() throws {
    let dwarf = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    try directory.write(dwarf.prefix(100), to: "a-damaged")
    try directory.write("#!/bin/sh".utf8, to: "b-script")
    try directory.write([], to: "c-empty")
    // A Java class file shares the magic number of a fat header.
    try directory.write([0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61] as [UInt8], to: "d.class")
    try directory.write(dwarf, to: "e")
    let (store, found) = store([directory.path])
    expectEqual(found, directory.path("e"))
    expectEqual(store.searchProblems.map(\.path), [directory.path("a-damaged")])
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func unreadableFilesAreReported() throws {
    let closed = try directory.makeDirectory("closed")
    let file = try directory.write(Fixtures.bytes(of: Fixtures.storyDwarfFile), to: "file")
    defer { unsafe chmod(closed, 0o700) }
    for path in [closed, file] { unsafe expectEqual(chmod(path, 0), 0) }
    expectEqual(store([directory.path]).store.searchProblems.count, 2)
    expectEqual(SymbolStore(paths: [closed]).problems.map(\.kind), [.inaccessible(errno: EACCES)])
  }

  @Test func directoriesAreReadWhenTheyAreNeeded() throws {
    let (store, found) = store([Fixtures.storyBundle, directory.path])
    expectEqual(found, Fixtures.storyDwarfFile)
    expectEmpty(store.searchProblems)
    expectNil(store.symbolFile(for: SymbolStoreTests.image(SymbolStoreTests.unknownIdentity)))
    expectEqual(store.searchProblems.map(\.kind), [.noSymbolFiles])
  }

  @Test func pathsThatCannotBeUsed() throws {
    try directory.makeDirectory("Empty.dSYM")
    let text = try directory.write("text".utf8, to: "text")
    let store = SymbolStore(paths: [
      directory.path("missing"), directory.path("Empty.dSYM"), "", text, Fixtures.storyBundle,
    ])
    expectEqual(
      store.problems,
      [
        SymbolFileProblem(path: directory.path("missing"), kind: .inaccessible(errno: ENOENT)),
        SymbolFileProblem(path: directory.path("Empty.dSYM"), kind: .emptyBundle),
        SymbolFileProblem(path: "", kind: .inaccessible(errno: ENOENT)),
        SymbolFileProblem(path: text, kind: .notASymbolFile(firstBytes: Array("text".utf8))),
      ])
    expectEqual(store.givenFiles.map(\.path), [Fixtures.storyBundle])
  }
}
