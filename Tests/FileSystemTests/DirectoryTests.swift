import FileSystem
import SystemPackage
import TestSupport
import Testing

@Suite struct DirectoryTests {
  @Test func entriesAreSortedByTheBytesOfTheirNames() throws {
    let directory = try TemporaryDirectory()
    for name in ["b", "a", "B", "é", ".hidden"] { try directory.write([], to: name) }
    try directory.makeDirectory("folder")
    try expectEqual(
      Directory.entries(of: directory.path).map(\.name), [".hidden", "B", "a", "b", "folder", "é"])
  }

  @Test func linksAreMarkedAndNotFollowed() throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "file")
    try directory.link("link", to: "nowhere")
    try expectEqual(Directory.entries(of: directory.path).map(\.isLink), [false, true])
  }

  @Test func whatIsNotADirectoryIsRefused() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write([], to: "file")
    #expect(throws: FileSystemError(path: path, errno: .notDirectory)) {
      try Directory.entries(of: path)
    }
  }

  @Test func creatingADirectoryThatExistsSucceeds() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path("new")
    try Directory.create(at: path, permissions: .ownerReadWriteExecute)
    try Directory.create(at: path, permissions: .ownerReadWriteExecute)
    try expectEqual(FileStatus(path: path).kind, .directory)
    try expectEqual(FileStatus(path: path).permissions, .ownerReadWriteExecute)
  }

  @Test func aDirectoryDoesNotTakeThePlaceOfAFile() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write([], to: "file")
    #expect(throws: FileSystemError(path: path, errno: .notDirectory)) {
      try Directory.create(at: path, permissions: .ownerReadWriteExecute)
    }
  }

  @Test func parentsAreNotMade() throws {
    let path = try TemporaryDirectory().path("a/b")
    #expect(throws: FileSystemError(path: path, errno: .noSuchFileOrDirectory)) {
      try Directory.create(at: path, permissions: .ownerReadWriteExecute)
    }
  }
}
