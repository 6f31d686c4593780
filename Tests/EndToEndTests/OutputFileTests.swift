import Foundation
import TestSupport
import Testing

/// `-o FILE` is written completely or not at all.
struct OutputFileTests {
  private let directory: TemporaryDirectory
  private let report: [UInt8]

  init() throws {
    directory = try TemporaryDirectory()
    report = try Fixtures.bytes(of: Fixtures.storyReport)
  }

  @Test func writesWhatStandardOutputWouldHave() async throws {
    let printed = try await Program.symbolicate([Fixtures.storyReport, Fixtures.storyBundle])
    let path = directory.path("out.crash")
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "-o", path,
    ])
    expectEqual(result.status, 0)
    expectEmpty(result.standardOutput)
    try expectEqual(directory.bytes(of: "out.crash"), printed.standardOutput)
    try expectEqual(directory.fileNames(), ["out.crash"])
  }

  @Test func replacesTheReportItself() async throws {
    let path = try directory.write(report, to: "in.crash")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let result = try await Program.symbolicate([path, "-d", Fixtures.storyBundle, "-o", path])
    expectEqual(result.status, 0)
    try expectNotEqual(directory.bytes(of: "in.crash"), report)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    expectEqual(mode, 0o640)
  }

  @Test func followsLinks() async throws {
    try directory.write([], to: "target")
    try directory.link("link", to: "target")
    let result = try await Program.symbolicate(["-", "-o", directory.path("link")], input: report)
    expectEqual(result.status, 0)
    try expectEqual(directory.bytes(of: "target"), report)
    try expectEqual(directory.fileNames(), ["link", "target"])
  }

  @Test func createsTheTargetOfALink() async throws {
    try directory.makeDirectory("folder")
    try directory.link("first", to: "folder/second")
    try directory.link("folder/second", to: "../target")
    let result = try await Program.symbolicate(["-", "-o", directory.path("first")], input: report)
    expectEqual(result.status, 0)
    try expectEqual(directory.bytes(of: "target"), report)
    try expectEqual(directory.fileNames(), ["first", "folder", "target"])
    let links = FileManager.default
    try expectEqual(
      links.destinationOfSymbolicLink(atPath: directory.path("first")), "folder/second")
  }

  @Test func refusesCircularLinks() async throws {
    try directory.link("a", to: "b")
    try directory.link("b", to: "a")
    let result = try await Program.symbolicate([Fixtures.storyReport, "-o", directory.path("a")])
    expectEqual(result.status, 73)
    expectContains(result.standardError, "Too many levels of symbolic links")
    try expectEqual(directory.fileNames(), ["a", "b"])
  }

  /// One name has the maximum length on Linux, so no longer name can be derived from it.
  @Test func acceptsAnyFileName() async throws {
    for name in [String(repeating: "x", count: 255), "a b [c] (d) é\n*?", "-o"] {
      let result = try await Program.symbolicate(
        ["-", "-o", directory.path(name)], input: report)
      expectEqual(result.status, 0)
      try expectEqual(directory.bytes(of: name), report)
    }
    try expectEqual(directory.fileNames().count, 3)
  }

  @Test(.enabled(if: geteuid() != 0, "root may write everything"))
  func keepsAReadOnlyFile() async throws {
    let path = try directory.write("kept".utf8, to: "kept")
    try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
    let result = try await Program.symbolicate([Fixtures.storyReport, "-o", path])
    expectEqual(result.status, 73)
    try expectEqual(directory.bytes(of: "kept"), Array("kept".utf8))
  }

  @Test func refusesADirectory() async throws {
    let result = try await Program.symbolicate([Fixtures.storyReport, "-o", directory.path])
    expectEqual(result.status, 64)
    expectContains(result.standardError, "-o \(directory.path)/, with a slash")
  }

  @Test func concurrentRunsLeaveAWholeFile() async throws {
    let path = directory.path("out.crash")
    let golden = try await Program.symbolicate([Fixtures.storyReport, Fixtures.storyBundle])
    await withTaskGroup(of: Int32?.self) { group in
      for _ in 0..<6 {
        group.addTask {
          try? await Program.symbolicate([
            Fixtures.storyReport, Fixtures.storyBundle, "-o", path,
          ]).status
        }
      }
      for await status in group { expectEqual(status, 0) }
    }
    try expectEqual(directory.bytes(of: "out.crash"), golden.standardOutput)
    try expectEqual(directory.fileNames(), ["out.crash"])
  }

  @Test func writesToDevices() async throws {
    let result = try await Program.symbolicate(["-", "-o", "/dev/stdout"], input: report)
    expectEqual(result.status, 0)
    expectEqual(result.standardOutput, report)
  }

  @Test func reportsThatTheFileCannotBeCreated() async throws {
    let path = directory.path("missing/out.crash")
    let result = try await Program.symbolicate([Fixtures.storyReport, "-o", path])
    expectEqual(result.status, 73)
    expectTrue(
      result.standardError.contains(
        "symbolicate: error: cannot create \(path): there is no folder \(directory.path("missing"))\n"
      ))
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func reportsThatTheOutputCannotBeWritten() async throws {
    let result = try await Program.symbolicate([Fixtures.storyReport, "-o", "/dev/full"])
    expectEqual(result.status, 74)
    expectContains(result.standardError, "cannot write /dev/full: No space left on device")
  }
}
