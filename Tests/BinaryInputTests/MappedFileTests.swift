import BinaryInput
import Platform
import SystemPackage
import TestSupport
import Testing

@Suite struct MappedFileTests {
  /// Calls `body` with the path of a file that holds `bytes`, and removes the file.
  private func withFile(_ bytes: [UInt8], body: (FilePath) throws -> Void) throws {
    let path = FilePath("/tmp/symbolicate-mapped-file-\(UInt64.random(in: 0 ... .max))")
    let file = try FileDescriptor.open(
      path, .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
    defer { unsafe unlink(path.string) }
    try file.closeAfter { _ = try file.writeAll(bytes) }
    try body(path)
  }

  @Test func mapsAFile() throws {
    // More than a page, so that the file does not end where the mapping does.
    let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    try withFile(bytes) { path in
      let region = try MappedFile.open(path: path.string)
      expectEqual(region.bytes, bytes)
    }
  }

  @Test func aMappingOutlivesTheFileName() throws {
    var region = ByteRegion(copying: [])
    try withFile([1, 2, 3]) { region = try MappedFile.open(path: $0.string) }
    expectEqual(region.bytes, [1, 2, 3])
  }

  @Test func anEmptyFileIsAnEmptyRegion() throws {
    try withFile([]) { path in
      let region = try MappedFile.open(path: path.string)
      expectTrue(region.isEmpty)
    }
  }

  @Test func namesThePathAndTheReason() throws {
    #expect(
      throws: FileAccessError(
        path: "/nonexistent/file", operation: .open, errno: .noSuchFileOrDirectory)
    ) {
      try MappedFile.open(path: "/nonexistent/file")
    }
    #expect(throws: FileAccessError(path: "/tmp", operation: .read, errno: .isDirectory)) {
      try MappedFile.open(path: "/tmp")
    }
  }

  @Test func readsWhatCannotBeMapped() throws {
    try expectTrue(MappedFile.open(path: "/dev/null").isEmpty)
    // The kernel states a size of 0 for the files of /proc and writes them as they are read.
    try expectEqual(MappedFile.open(path: "/proc/self/stat").isEmpty, false)
  }

  /// A device has no end.
  @Test func doesNotReadForEver() throws {
    #expect(
      throws: FileAccessError(path: "/dev/zero", operation: .read, errno: .fileTooLarge)
    ) {
      try MappedFile.open(path: "/dev/zero", unmappedSizeLimit: 1 << 20)
    }
    let start = try MappedFile.open(path: "/dev/zero") { _ in false }
    expectTrue((64...(1 << 16)).contains(start.count))
  }

  /// A pipe, such as a shell makes for `<(…)`.
  @Test func readsAPipeToItsEnd() throws {
    let ends = try FileDescriptor.pipe()
    try ends.writeEnd.closeAfter { _ = try ends.writeEnd.writeAll([4, 5, 6]) }
    try ends.readEnd.closeAfter {
      let path = "/dev/fd/\(ends.readEnd.rawValue)"
      let region = try MappedFile.open(path: path)
      expectEqual(region.bytes, [4, 5, 6])
    }
  }

  /// Opening it for reading alone would wait for a writer, perhaps for ever.
  @Test func aNamedPipeThatNobodyWritesToIsEmpty() throws {
    let path = "/tmp/symbolicate-named-pipe-\(UInt64.random(in: 0 ... .max))"
    unsafe expectEqual(mkfifo(path, 0o600), 0)
    defer { unsafe unlink(path) }
    try expectTrue(MappedFile.open(path: path).isEmpty)
  }
}
