import FileSystem
import TestSupport
import Testing

@Suite struct PathTests {
  @Test(arguments: [("/a/b", "/a"), ("/a", "/"), ("a", "."), ("a/b", "a"), ("a/b/", "a/b")])
  func folderOfAFile(path: String, folder: String) { #expect(path.folder == folder) }

  @Test(arguments: [("/", "/x"), ("/a", "/a/x"), ("/a/", "/a/x"), ("a", "a/x")])
  func appendingPutsOneSlashBetween(folder: String, path: String) {
    #expect(folder.appendingPath("x") == path)
  }

  @Test func realPathsHaveNoLinks() throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "file")
    try directory.link("link", to: "file")
    let real = try #require(FileLinks.realPath(of: directory.path))
    #expect(FileLinks.realPath(of: directory.path("link")) == real + "/file")
    #expect(FileLinks.realPath(of: directory.path("nothing")) == nil)
  }

  @Test(arguments: [
    ("Shuffle.app", "Shuffle"), ("Shuffle.app.dSYM", "Shuffle"), ("Shuffle.dSYM", "Shuffle"),
    ("Widget.appex", "Widget"), ("Service.xpc", "Service"), ("Shuffle", "Shuffle"),
    ("libshuffle.dylib.dSYM", "libshuffle.dylib"),
  ])
  func binariesAreNamedAfterTheirBundles(bundle: String, binary: String) {
    #expect(BundleName.binaryName(ofBundle: bundle) == binary)
  }

  @Test func bundlesAreKnownByTheirNames() {
    #expect(BundleName.isDsym("/a/Shuffle.dSYM"))
    #expect(BundleName.isDsym("/a/Shuffle.dSYM//"))
    #expect(!BundleName.isDsym("/a/Shuffle.dSYM/Contents"))
    #expect(BundleName.isOfCode("Shuffle.framework"))
    #expect(!BundleName.isOfCode(".framework"))
    #expect(!BundleName.isOfCode("Shuffle.dSYM"))
  }
}
