import Foundation
import Subprocess
import TestSupport
import Testing

/// debuginfod, by its own variables and as `--symbol-server`, with Debian's server on this machine.
@Suite(
  .serialized,
  .enabled("debuginfod is not installed (Scripts/install-packages.sh test)") {
    LoopbackServer.missingDebuginfodProgram == nil
  })
struct DebuginfodTests {
  private let files: TemporaryDirectory
  private let cache: TemporaryDirectory
  private let server: LoopbackServer

  private static let buildId = "411df23279f877a398969da2ce8aeddf68d7e59d"
  private let report = Fixtures.path("SwiftBacktrace/Reports/bank-off.log")

  init() throws {
    files = try TemporaryDirectory()
    cache = try TemporaryDirectory()
    try files.copy(Fixtures.path("SwiftBacktrace/bank.elf"), to: "bank.elf")
    server = try .debuginfod(over: files.path, buildId: Self.buildId)
  }

  private func run(
    _ options: [String] = [], urls: String? = nil, environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    var all = environment
    all["DEBUGINFOD_URLS"] = urls
    return try await Program.symbolicate(
      [report] + options, cache: cache.path,
      environment: Dictionary(
        uniqueKeysWithValues: all.map { (.init(stringLiteral: $0.key), $0.value) }))
  }

  /// The answers are those for the file itself.
  private func expected() async throws -> [UInt8] {
    try await Program.symbolicate([
      report, "-d", Fixtures.path("SwiftBacktrace/bank.elf"),
    ]).standardOutput
  }

  @Test func asksTheServersOfTheEnvironment() async throws {
    // Several servers, separated by spaces, the first of which is not there.
    let result = try await run(urls: "http://127.0.0.1:1  \(server.url)")
    try await expectEqual(result.standardOutput, expected())
    expectPrefix(result.standardError, "7 of 8 frames resolved\n", "\(result.standardError)")
    // elfutils' own cache, which other programs share.
    expectTrue(
      FileManager.default.fileExists(
        atPath: cache.path("debuginfod_client/\(Self.buildId)/debuginfo")))
    let offline = try await run(["--offline"], urls: server.url)
    expectEqual(offline.standardOutput, result.standardOutput)
  }

  @Test func usesItsCachePath() async throws {
    let other = try TemporaryDirectory()
    let result = try await run(
      urls: server.url, environment: ["DEBUGINFOD_CACHE_PATH": other.path("mine")])
    try await expectEqual(result.standardOutput, expected())
    expectTrue(FileManager.default.fileExists(atPath: other.path("mine/\(Self.buildId)/debuginfo")))
  }

  @Test func itsVariablesAreHonoured() async throws {
    // The file has 42,056 bytes.
    let result = try await run(urls: server.url, environment: ["DEBUGINFOD_MAXSIZE": "1000"])
    try expectEqual(result.standardOutput, Fixtures.bytes(of: report))
    expectTrue(
      result.standardError.contains(
        "symbolicate: warning: debuginfod could not be downloaded: File too large"),
      "\(result.standardError)")
    let verbose = try await run(urls: server.url, environment: ["DEBUGINFOD_VERBOSE": "1"])
    // Two requests are under way, and their messages mix in the middle of lines.
    expectContains(verbose.standardError, "debuginfod_find_debuginfo ")
    expectContains(verbose.standardError, "server urls \"\(server.url)\"\n")
    try await expectEqual(verbose.standardOutput, expected())
  }

  @Test func isNotAskedUnlessToldTo() async throws {
    for urls in [nil, "", "  "] as [String?] {
      let result = try await run(urls: urls)
      try expectEqual(result.standardOutput, Fixtures.bytes(of: report))
    }
    let offline = try await run(["--offline"], urls: server.url)
    try expectEqual(offline.standardOutput, Fixtures.bytes(of: report))
    try expectEqual(cache.fileNames(), [])
  }

  /// A UUID of a Mach-O image is nothing for debuginfod.
  @Test func isNotAskedForUuids() async throws {
    let result = try await Program.symbolicate(
      [Fixtures.storyReportAlone], cache: cache.path, environment: ["DEBUGINFOD_URLS": server.url])
    expectPrefix(result.standardError, "0 of 11 frames resolved\n")
    try expectEqual(cache.fileNames(), [])
  }

  @Test func isASymbolServerToo() async throws {
    let result = try await run(["--symbol-server", "\(server.url),debuginfod"])
    try await expectEqual(result.standardOutput, expected())
    try expectEqual(cache.fileNames(), ["symbolicate"])
  }

  @Test func aServerThatIsNotThere() async throws {
    let result = try await run(urls: "http://127.0.0.1:1")
    try expectEqual(result.standardOutput, Fixtures.bytes(of: report))
    expectEqual(result.status, 0)
    expectPrefix(
      result.standardError, "symbolicate: warning: debuginfod could not be downloaded: ",
      "\(result.standardError)")
  }
}
