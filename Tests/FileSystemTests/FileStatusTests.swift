import FileSystem
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct FileStatusTests {
  @Test func aRegularFileHasItsSizeTimeAndPermissions() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write([1, 2, 3], to: "file")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640, .modificationDate: Date(timeIntervalSince1970: 1_700_000_000.5)],
      ofItemAtPath: path)
    let status = try FileStatus(path: path)
    expectEqual(status.kind, .regularFile)
    expectEqual(status.size, 3)
    expectEqual(status.modificationTime, FileTime(seconds: 1_700_000_000, nanoseconds: 500_000_000))
    expectEqual(status.permissions, FilePermissions(rawValue: 0o640))
  }

  @Test func kindsAreToldApart() throws {
    let directory = try TemporaryDirectory()
    try directory.write([], to: "file")
    try directory.link("link", to: "file")
    expectEqual(FileKind(path: directory.path), .directory)
    expectEqual(FileKind(path: "/dev/null"), .special)
    expectEqual(FileKind(path: directory.path("link")), .regularFile)
    try expectEqual(FileStatus(withoutFollowingLinks: directory.path("link")).kind, .symbolicLink)
    expectNil(FileKind(path: directory.path("nothing")))
  }

  @Test func anOpenFileHasTheSameStatusAsItsPath() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write([1], to: "file")
    let descriptor = try FileDescriptor.open(FilePath(path), .readOnly)
    defer { try? descriptor.close() }
    try expectEqual(FileStatus(descriptor, path: path), FileStatus(path: path))
  }

  @Test func oneFileHasOneIdentityUnderAllItsPaths() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write([1], to: "file")
    try directory.write([1], to: "equal")
    try directory.link("symbolic", to: "file")
    try FileManager.default.linkItem(atPath: path, toPath: directory.path("hard"))
    let identity = try FileStatus(path: path).identity
    try expectEqual(FileStatus(path: directory.path("symbolic")).identity, identity)
    try expectEqual(FileStatus(path: directory.path("hard")).identity, identity)
    try expectNotEqual(FileStatus(path: directory.path("equal")).identity, identity)
  }

  @Test(arguments: [("nothing", Errno.noSuchFileOrDirectory), ("file/below", .notDirectory)])
  func anErrorHoldsThePathAndTheReason(name: String, errno: Errno) throws {
    let directory = try TemporaryDirectory()
    try directory.write([1], to: "file")
    let error = FileSystemError(path: directory.path(name), errno: errno)
    #expect(throws: error) { try FileStatus(path: directory.path(name)) }
    expectTrue(error.isAbsence)
  }

  @Test func timesAreOrderedBySecondsThenNanoseconds() {
    let times = [(-1, 9), (0, 0), (0, 1), (1, 0)].map { FileTime(seconds: $0.0, nanoseconds: $0.1) }
    expectEqual(times, times.reversed().sorted())
  }
}
