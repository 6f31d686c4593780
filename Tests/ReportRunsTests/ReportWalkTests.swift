import Platform
import ReportRuns
import TestSupport
import Testing

/// The files below a directory that may be reports, and what is left out.
@Suite struct ReportWalkTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func makeFile(_ name: String) throws {
    let folders = name.split(separator: "/").dropLast()
    if !folders.isEmpty { try directory.makeDirectory(folders.joined(separator: "/")) }
    try directory.write([], to: name)
  }

  private func walk(excluding excluded: String? = nil) -> ReportWalk {
    ReportWalk(directory.path, excluding: excluded.map(directory.path))
  }

  /// From the directory to each file.
  private func names(excluding excluded: String? = nil) -> [String] {
    let walk = walk(excluding: excluded)
    return walk.paths.map(walk.relativePath)
  }

  @Test func findsFilesInAllFoldersInTheOrderOfTheirBytes() throws {
    for name in ["b.ips", "a/z.crash", "a-b/c.crash", "B.crash", "a/b/c/d.txt", "ä", "a.crash"] {
      try makeFile(name)
    }
    try directory.makeDirectory("empty")
    // '-' and '.' come before '/', capitals before small letters, and ä has two bytes.
    expectEqual(
      names(),
      [
        "B.crash", "a-b/c.crash", "a.crash", "a/b/c/d.txt", "a/z.crash", "b.ips", "ä",
      ])
    expectEmpty(walk().problems)
  }

  @Test func pathsBeginAsTheDirectoryWasGiven() throws {
    try makeFile("sub/a.crash")
    let walk = ReportWalk(directory.path + "/")
    expectEqual(walk.paths, [directory.path("sub/a.crash")])
    expectEqual(walk.relativePath(of: directory.path("sub/a.crash")), "sub/a.crash")
  }

  /// As other links that form a loop. One that leads nowhere may be a report that is missing.
  @Test func leavesOutLinksToThemselves() throws {
    try makeFile("a.crash")
    try directory.link("loop", to: "loop")
    try directory.link("ping", to: "pong")
    try directory.link("pong", to: "ping")
    try directory.link("nowhere", to: "absent")
    expectEqual(names(), ["a.crash", "nowhere"])
    expectEmpty(walk().problems)
  }

  @Test func leavesOutHiddenFilesBundlesAndPipes() throws {
    for name in [
      ".DS_Store", ".git/x.crash", "App.dSYM/Contents/Resources/DWARF/App", "A.xcarchive/x.crash",
      "Letter.app/Info.plist", "Letter.app/x.crash", "Kit.framework/Kit", "a.crash",
    ] {
      try makeFile(name)
    }
    unsafe expectEqual(mkfifo(directory.path("pipe.crash"), 0o600), 0)
    try directory.link("link-to-pipe.crash", to: "pipe.crash")
    try directory.link("link-to-bundle", to: "App.dSYM")
    let walk = walk()
    expectEqual(walk.paths, [directory.path("a.crash")])
    expectEqual(walk.specialFileCount, 2)
    expectEqual(walk.bundleCount, 5)
  }

  @Test func entersAFolderThatOnlyHasTheNameOfABundle() throws {
    try makeFile("com.example.app/a.crash")
    expectEqual(names(), ["com.example.app/a.crash"])
  }

  @Test func entersEachFolderOnceWhateverLinksLeadToIt() throws {
    try makeFile("m/a.crash")
    try directory.link("a-link-to-m", to: "m")
    try directory.link("m/up", to: "..")
    try directory.link("m/itself", to: ".")
    expectEqual(names(), ["m/a.crash"])
  }

  @Test func followsLinksToOtherFoldersAndFiles() throws {
    let other = try TemporaryDirectory()
    try other.makeDirectory("sub")
    try other.write([], to: "sub/x.crash")
    try other.link("sub/back", to: directory.path)
    try makeFile("a.crash")
    try directory.link("second", to: other.path)
    try directory.link("first", to: other.path)
    try directory.link("z.crash", to: "a.crash")
    expectEqual(names(), ["a.crash", "first/sub/x.crash", "z.crash"])
  }

  @Test func doesNotFollowALinkOutOfTheDirectoryToAFolderAroundIt() throws {
    try makeFile("inner/a.crash")
    try makeFile("outside.crash")
    try directory.link("inner/around", to: "..")
    let walk = ReportWalk(directory.path("inner"))
    expectEqual(walk.paths.map(walk.relativePath), ["a.crash"])
  }

  @Test func countsLinksThatLeadNowhereAsFiles() throws {
    try directory.link("gone.crash", to: "nowhere")
    expectEqual(names(), ["gone.crash"])
  }

  @Test func takesTheReportsOfABundleOfTheOrganizer() throws {
    try makeFile("sub/P.xccrashpoint/Filters/F/Logs/1.crash")
    try makeFile("sub/P.xccrashpoint/Filters/F/PointInfo.json")
    try directory.makeDirectory("E.xccrashpoint")
    expectEqual(names(), ["E.xccrashpoint", "sub/P.xccrashpoint/Filters/F/Logs/1.crash"])
  }

  @Test func doesNotEnterTheExcludedFolder() throws {
    try makeFile("a.crash")
    try makeFile("out/sub/a.crash")
    try directory.link("link-to-out", to: "out")
    expectEqual(names(excluding: "out"), ["a.crash"])
    expectEqual(names(excluding: "link-to-out"), ["a.crash"])
    expectEqual(names(excluding: "missing").count, 2)
  }

  @Test func notesTheFolderThatCannotBeListed() throws {
    let missing = directory.path("missing")
    expectEqual(ReportWalk(missing).problems.count, 1)
    expectEmpty(ReportWalk(missing).paths)
  }
}
