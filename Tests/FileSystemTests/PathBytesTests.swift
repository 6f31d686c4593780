import FileSystem
import Platform
import SystemPackage
import TestSupport
import Testing

/// Paths are bytes, whatever their text is.
@Suite struct PathBytesTests {
  /// UTF-8 of U+10FEFF, which stands for the byte 0xff.
  private static let reserved: [UInt8] = [0xf4, 0x8f, 0xbb, 0xbf]

  private static let paths: [[UInt8]] = [
    Array("App.dSYM".utf8), Array("é/\u{301}/日本".utf8), [0x71, 0xff, 0x2e], [0xff], [0xc3],
    [0xc3, 0xa9, 0xc3], [0xe2, 0x82, 0x2f, 0xe2, 0x82, 0xac], [0xed, 0xa0, 0x80], [0xc0, 0xaf],
    [0xf4, 0x90, 0x80, 0x80], [0xf0, 0x9f, 0x98], reserved, reserved.dropLast() + [0xff], [],
  ]

  @Test(arguments: paths) func bytesComeBack(bytes: [UInt8]) {
    let path = String(pathBytes: bytes)
    expectEqual(path.pathBytes, bytes)
    unsafe expectEqual(path.withPathBytes { unsafe String(pathBytes: $0) }, path)
    expectEqual(FilePath(pathText: path).pathText.pathBytes, bytes)
  }

  @Test func everyPairOfBytesComesBackAndIsLikeNoOther() {
    // Swift's strings are equal if their characters are, so the scalars are compared.
    var paths: Set<[Unicode.Scalar]> = []
    for first in UInt8(1)...0xff {
      for second in UInt8(1)...0xff {
        let path = String(pathBytes: [first, second])
        expectEqual(path.pathBytes, [first, second])
        expectTrue(paths.insert(Array(path.unicodeScalars)).inserted)
      }
    }
  }

  @Test func textIsItself() {
    expectEqual(String(pathBytes: Array("é/x".utf8)), "é/x")
    expectEqual("é/x".shownPath, "é/x")
    expectFalse("é/\u{10ffff}".hasPathBytes)
  }

  @Test func bytesThatAreNotUtf8AreShownAsNumbers() {
    expectEqual(String(pathBytes: [0x71, 0xff, 0x80, 0x2e]).shownPath, #"q\xff\x80."#)
    expectEqual(String(pathBytes: Self.reserved).shownPath, #"\xf4\x8f\xbb\xbf"#)
  }

  @Test func theFolderOfANameThatBeginsWithAMark() {
    // "/" and U+0301 are one character.
    expectEqual("a/\u{301}b".folder, "a")
    expectEqual("a/\u{301}b".folderPrefix, "a/")
    expectEqual("b".folderPrefix, "")
  }

  @Test func everyCallTakesTheBytes() throws {
    let directory = try TemporaryDirectory()
    let name: [UInt8] = [0x71, 0xff]
    let path = String(pathBytes: Array(directory.path("").utf8) + name)
    let folder = path + "-folder"
    try WholeFile.replace(path: path, with: [1])
    try Directory.create(at: folder, permissions: .ownerReadWriteExecute)
    try expectEqual(Directory.entries(of: directory.path).map(\.name.pathBytes).first, name)
    try expectEqual(FileStatus(path: path).size, 1)
    expectEqual(FileLinks.realPath(of: path)?.pathBytes.suffix(2), name[...])
    let link = unsafe path.withPathBytes { target in
      unsafe (path + "-link").withPathBytes { unsafe symlink(target, $0) }
    }
    expectEqual(link, 0)
    expectEqual(FileLinks.target(of: path + "-link"), path)
    try FileAccess.check(.write, path: path)
    try touchFile(at: path)
    try renameFile(at: path, to: folder.appendingPath("x"))
    expectFalse(FileAccess.exists(path))
    try removeFile(at: folder.appendingPath("x"))
  }
}
