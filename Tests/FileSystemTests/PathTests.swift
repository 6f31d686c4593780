import FileSystem
import TestSupport
import Testing

@Suite struct PathTests {
  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b", "a"), ("a/b/", "a/b")])
  func folderOfAFile(path: String, folder: String) { expectEqual(path.folder, folder) }

  @Test(arguments: [("/", "/x"), ("/a", "/a/x"), ("/a/", "/a/x"), ("a", "a/x")])
  func appendingPutsOneSlashBetween(folder: String, path: String) {
    expectEqual(folder.appendingPath("x"), path)
  }

  @Test func realPathsHaveNoLinks() throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "file")
    try directory.link("link", to: "file")
    let real = try require(FileLinks.realPath(of: directory.path))
    expectEqual(FileLinks.realPath(of: directory.path("link")), real + "/file")
    expectNil(FileLinks.realPath(of: directory.path("nothing")))
  }

  @Test(arguments: [
    ("Shuffle.app", "Shuffle"), ("Shuffle.app.dSYM", "Shuffle"), ("Shuffle.dSYM", "Shuffle"),
    ("Widget.appex", "Widget"), ("Service.xpc", "Service"), ("Shuffle", "Shuffle"),
    ("libshuffle.dylib.dSYM", "libshuffle.dylib"),
  ])
  func binariesAreNamedAfterTheirBundles(bundle: String, binary: String) {
    expectEqual(BundleName.binaryName(ofBundle: bundle), binary)
  }

  @Test func bundlesAreKnownByTheirNames() {
    expectTrue(BundleName.isDsym("/a/Shuffle.dSYM"))
    expectTrue(BundleName.isDsym("/a/Shuffle.dSYM//"))
    expectFalse(BundleName.isDsym("/a/Shuffle.dSYM/Contents"))
    expectTrue(BundleName.isOfCode("Shuffle.framework"))
    expectFalse(BundleName.isOfCode(".framework"))
    expectFalse(BundleName.isOfCode("Shuffle.dSYM"))
  }
}
