import FileSystem
import Foundation
import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct WholeFileTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  @Test func aNewFileHasTheBytesAndNothingElseIsLeft() throws {
    try WholeFile.replace(path: directory.path("new"), with: [1, 2])
    try expectEqual(directory.bytes(of: "new"), [1, 2])
    try expectEqual(directory.fileNames(), ["new"])
  }

  @Test func aReplacedFileKeepsItsPermissions() throws {
    let path = try directory.write([1], to: "file")
    try FileManager.default.setAttributes([.posixPermissions: 0o604], ofItemAtPath: path)
    let before = try FileStatus(path: path)
    try WholeFile.replace(path: path, with: [2])
    let after = try FileStatus(path: path)
    expectEqual(after.permissions, FilePermissions(rawValue: 0o604))
    expectNotEqual(after.identity, before.identity)
    try expectEqual(directory.bytes(of: "file"), [2])
  }

  @Test func linksAreFollowedToTheFileThatTheyLeadTo() throws {
    try directory.makeDirectory("folder")
    try directory.write([1], to: "folder/file")
    try directory.link("folder/second", to: "file")
    try directory.link("first", to: "folder/second")
    try WholeFile.replace(path: directory.path("first"), with: [2])
    try expectEqual(directory.bytes(of: "folder/file"), [2])
    try expectEqual(FileStatus(withoutFollowingLinks: directory.path("first")).kind, .symbolicLink)
  }

  @Test func aLinkMayLeadToAFileThatIsYetToBeMade() throws {
    try directory.link("link", to: "file")
    try WholeFile.replace(path: directory.path("link"), with: [1])
    try expectEqual(directory.bytes(of: "file"), [1])
  }

  @Test func linksInACircleAreRefused() throws {
    try directory.link("a", to: "b")
    try directory.link("b", to: "a")
    let path = directory.path("a")
    #expect(throws: FileWriteError.cannotCreate(path: path, .tooManySymbolicLinkLevels)) {
      try WholeFile.replace(path: path, with: [1])
    }
  }

  @Test func aDeviceIsWrittenToAndStays() throws {
    try WholeFile.replace(path: "/dev/null", with: [1])
    expectEqual(FileKind(path: "/dev/null"), .special)
    #expect(throws: FileWriteError.cannotWrite(path: "/dev/full", .noSpace)) {
      try WholeFile.replace(path: "/dev/full", with: [1])
    }
  }

  /// Nobody may ever read it.
  @Test func aNamedPipeWithoutAReaderIsNotWaitedFor() throws {
    let path = directory.path("pipe")
    unsafe expectEqual(mkfifo(path, 0o600), 0)
    #expect(throws: FileWriteError.cannotCreate(path: path, .noSuchAddressOrDevice)) {
      try WholeFile.replace(path: path, with: [1], waitsForReader: false)
    }
    let reader = try unsafe FileDescriptor.open(path, .readOnly, options: .nonBlocking)
    defer { try? reader.close() }
    try WholeFile.replace(path: path, with: [1], waitsForReader: false)
    let bytes = try unsafe [UInt8](unsafeUninitializedCapacity: 8) { buffer, count in
      count = try unsafe reader.read(into: UnsafeMutableRawBufferPointer(buffer))
    }
    expectEqual(bytes, [1])
  }

  @Test func aMissingFolderIsReportedUnderThePathGiven() throws {
    let path = directory.path("missing/file")
    #expect(throws: FileWriteError.cannotCreate(path: path, .noSuchFileOrDirectory)) {
      try WholeFile.replace(path: path, with: [1])
    }
  }

  @Test func piecesAreWrittenOneAfterTheOther() throws {
    try directory.link("index", to: "elsewhere")
    try WholeFile.write([[1], [], [2, 3]], to: directory.path("index")) { "part-\($0)" }
    try expectEqual(directory.bytes(of: "index"), [1, 2, 3])
    // The link was replaced.
    try expectEqual(directory.fileNames(), ["index"])
  }

  @Test func aTargetThatCannotBeReplacedLeavesNoTemporaryFile() throws {
    let path = try directory.makeDirectory("folder")
    #expect(throws: FileWriteError.cannotWrite(path: path, .isDirectory)) {
      try WholeFile.write([[1]], to: path) { "part-\($0)" }
    }
    try expectEqual(directory.fileNames(), ["folder"])
  }

  // MARK: - What killed processes leave behind

  /// Made two minutes ago.
  @discardableResult private func leave(_ name: String, age: TimeInterval = 120) throws -> String {
    let path = try directory.write([1], to: name)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -age)], ofItemAtPath: path)
    return path
  }

  @Test func aFileWithoutAWriterIsRemoved() throws {
    try leave(".symbolicate-0.partial")
    try leave(".symbolicate-18446744073709551615.partial")
    try WholeFile.replace(path: directory.path("new"), with: [1])
    try expectEqual(directory.fileNames(), ["new"])
  }

  @Test func filesOfOtherNamesStay() throws {
    let names = [
      ".symbolicate-.partial", ".symbolicate-1.partial.txt", ".symbolicate-1a.partial",
      ".symbolicate-index-1.partial", "symbolicate-1.partial",
    ]
    for name in names { try leave(name) }
    try directory.makeDirectory(".symbolicate-2.partial")
    try directory.link(".symbolicate-3.partial", to: "symbolicate-1.partial")
    try WholeFile.replace(path: directory.path("new"), with: [1])
    try expectEqual(
      Set(directory.fileNames()),
      Set(names + [".symbolicate-2.partial", ".symbolicate-3.partial", "new"]))
  }

  @Test func aFileThatWasJustWrittenStays() throws {
    try leave(".symbolicate-1.partial", age: 5)
    try WholeFile.replace(path: directory.path("new"), with: [1])
    try expectEqual(Set(directory.fileNames()), [".symbolicate-1.partial", "new"])
  }

  /// However long ago it wrote something.
  @Test func aFileWithAWriterStays() throws {
    let path = try leave(".symbolicate-1.partial")
    let file = try FileDescriptor.open(FilePath(path), .readOnly)
    defer { try? file.close() }
    expectEqual(flock(file.rawValue, LOCK_EX | LOCK_NB), 0)
    try WholeFile.replace(path: directory.path("new"), with: [1])
    try expectEqual(Set(directory.fileNames()), [".symbolicate-1.partial", "new"])
  }

  /// Where a file must have a name while it is written (FAT, network file systems), its lock shows
  /// that somebody writes it; otherwise it has none.
  @Test func aWriterHoldsTheLock() throws {
    try WholeFile.replace(path: directory.path("new")) { _ in
      guard let name = try directory.fileNames().first(where: { $0.hasSuffix(".partial") }) else {
        return
      }
      let other = try FileDescriptor.open(FilePath(directory.path(name)), .readOnly)
      defer { try? other.close() }
      expectNotEqual(flock(other.rawValue, LOCK_EX | LOCK_NB), 0)
    }
    try expectEqual(directory.fileNames(), ["new"])
  }

  // MARK: - Files without a name

  private var hasUnnamedFiles: Bool {
    let file = UnnamedFile.make(
      in: directory.path + "/", permissions: FilePermissions(rawValue: 0o600))
    try? file?.descriptor.close()
    return file != nil
  }

  /// So nothing is left behind if the process is killed.
  @Test func anUnfinishedFileHasNoName() throws {
    guard hasUnnamedFiles else { return }
    try directory.write([1], to: "old")
    for name in ["new", "old"] {
      try WholeFile.replace(path: directory.path(name)) { descriptor in
        try descriptor.writeAll([2, 3])
        try expectEqual(directory.fileNames(), name == "new" ? ["old"] : ["new", "old"])
      }
      try expectEqual(directory.bytes(of: name), [2, 3])
    }
    try expectEqual(directory.fileNames(), ["new", "old"])
  }

  @Test func aFileThatIsNotWantedLeavesNothing() throws {
    try directory.write([1], to: "old")
    for name in ["new", "old"] {
      try WholeFile.replaceIfWanted(path: directory.path(name)) { descriptor in
        try descriptor.writeAll([2])
        return false
      }
    }
    try expectEqual(directory.fileNames(), ["old"])
    try expectEqual(directory.bytes(of: "old"), [1])
  }

  @Test func aNewFileHasThePermissionsThatTheMaskLeaves() throws {
    let ordinary = try FileDescriptor.open(
      FilePath(directory.path("ordinary")), .writeOnly, options: [.create],
      permissions: FilePermissions(rawValue: 0o666))
    try ordinary.close()
    try WholeFile.replace(path: directory.path("new"), with: [1])
    try expectEqual(
      FileStatus(path: directory.path("new")).permissions,
      FileStatus(path: directory.path("ordinary")).permissions)
  }

  @Test func aFileWithoutANameTakesNothingsPlace() throws {
    guard hasUnnamedFiles else { return }
    let file = try require(
      UnnamedFile.make(in: directory.path + "/", permissions: FilePermissions(rawValue: 0o600)))
    defer { try? file.descriptor.close() }
    try directory.write([1], to: "file")
    #expect(throws: Errno.fileExists) {
      try UnnamedFile.link(file.descriptor, to: directory.path("file"))
    }
    try UnnamedFile.link(file.descriptor, to: directory.path("other"))
    try expectEqual(directory.fileNames(), ["file", "other"])
    expectNil(UnnamedFile.make(in: "/dev/null/", permissions: FilePermissions(rawValue: 0o600)))
  }

  /// 65534 is nobody. Only the superuser may give files away.
  @Test(.enabled(if: FileOwners.canBeChanged, "only the superuser may give a file to another user"))
  func aFileOfAnotherUserStaysTheirs() throws {
    let path = try directory.write([1], to: "file")
    unsafe expectEqual(chown(path, 65534, 65534), 0)
    unsafe expectEqual(chmod(path, 0o4755), 0)
    try WholeFile.replace(path: path, with: [2])
    let status = try FileStatus(path: path)
    expectTrue((status.owner, status.group) == (65534, 65534))
    expectEqual(status.permissions.rawValue, 0o4755)
  }

  @Test func bitsToRunAsTheOwnerAreKeptForTheSameOwner() throws {
    let path = try directory.write([1], to: "file")
    unsafe expectEqual(chmod(path, 0o4711), 0)
    try WholeFile.replace(path: path, with: [2])
    try expectEqual(FileStatus(path: path).permissions.rawValue, 0o4711)
  }
}
