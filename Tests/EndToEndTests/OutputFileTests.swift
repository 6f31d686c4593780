import Foundation
import TestSupport
import Testing

/// `-o FILE`: complete or not at all.
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
    #expect(result.status == 0)
    #expect(result.standardOutput.isEmpty)
    #expect(try directory.bytes(of: "out.crash") == printed.standardOutput)
    #expect(try directory.fileNames() == ["out.crash"])
  }

  @Test func replacesTheReportItself() async throws {
    let path = try directory.write(report, to: "in.crash")
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
    let result = try await Program.symbolicate([path, "-d", Fixtures.storyBundle, "-o", path])
    #expect(result.status == 0)
    #expect(try directory.bytes(of: "in.crash") != report)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o640)
  }

  @Test func followsLinks() async throws {
    try directory.write([], to: "target")
    try directory.link("link", to: "target")
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "-o", directory.path("link"),
    ])
    #expect(result.status == 0)
    #expect(try directory.bytes(of: "target") == report)
    #expect(try directory.fileNames() == ["link", "target"])
  }

  @Test func writesToDevices() async throws {
    let result = try await Program.symbolicate([Fixtures.storyReport, "-o", "/dev/stdout"])
    #expect(result.status == 0)
    #expect(result.standardOutput == report)
  }

  @Test func saysWhenTheFileCannotBeCreated() async throws {
    let path = directory.path("missing/out.crash")
    let result = try await Program.symbolicate([Fixtures.storyReport, "-o", path])
    #expect(result.status == 73)
    #expect(
      result.standardError.contains("symbolicate: cannot create \(path): No such file or directory")
    )
  }

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"))
  func saysWhenTheOutputCannotBeWritten() async throws {
    let result = try await Program.symbolicate([Fixtures.storyReport, "-o", "/dev/full"])
    #expect(result.status == 74)
    #expect(result.standardError.contains("cannot write /dev/full: No space left on device"))
  }
}
