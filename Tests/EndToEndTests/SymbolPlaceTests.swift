import Foundation
import Subprocess
import TestSupport
import Testing

/// Where the built program finds symbol files by itself.
@Suite struct SymbolPlaceTests {
  private let directory: TemporaryDirectory
  private let report: String

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("reports")
    try directory.makeDirectory("symbols/a/b")
    try directory.copy(Fixtures.storyReport, to: "reports/crash.crash")
    report = directory.path("reports/crash.crash")
    try directory.copy(Fixtures.storyBundle, to: "symbols/a/b/App.dSYM")
  }

  private func run(
    _ arguments: [String], input: [UInt8] = [], _ environment: [Environment.Key: String?] = [:]
  ) async throws -> ProgramResult {
    try await Program.run(
      Program.builtProgramPath, arguments, input: input,
      environment: environment.merging(
        [
          "XDG_CACHE_HOME": directory.path("cache"), "SYMBOLICATE_SYMBOL_PATH": nil,
          "SWIFT_SYMBOLICATE_SYMBOL_PATHS": nil,
        ],
        uniquingKeysWith: { given, _ in given }),
      workingDirectory: directory.path)
  }

  private func expectResolved(_ result: ProgramResult) {
    expectEqual(result.status, 0)
    expectPrefix(result.standardError, "6 of 11 frames resolved\n", "\(result.standardError)")
    expectContains(result.outputText, "(GameData.swift:18)")
  }

  private func expectUnresolved(_ result: ProgramResult) {
    expectContains(result.standardError, "0 of 11 frames resolved\n", "\(result.standardError)")
  }

  @Test func searchOption() async throws {
    expectUnresolved(try await run([report]))
    expectResolved(try await run([report, "-s", "symbols"]))
    expectResolved(try await run([report, "--search", directory.path("symbols/a")]))
    try directory.makeDirectory("empty")
    expectResolved(try await run([report, "-s", "empty", "-s", "symbols"]))
  }

  @Test func environment() async throws {
    let symbols = directory.path("symbols")
    expectResolved(
      try await run([report], ["SYMBOLICATE_SYMBOL_PATH": "/nonexistent::" + symbols]))
    expectResolved(
      try await run([report], ["SWIFT_SYMBOLICATE_SYMBOL_PATHS": "/nonexistent;" + symbols]))
    expectResolved(
      try await run(
        ["-"], input: Fixtures.bytes(of: report), ["SYMBOLICATE_SYMBOL_PATH": symbols]))
  }

  @Test func aMissingSearchDirectoryIsNamedOnce() async throws {
    let result = try await run([report, "-s", "missing", "-s", "missing"])
    let lines = result.standardError.split(separator: "\n").filter {
      $0.hasPrefix("symbolicate: warning: ") && $0.contains("missing")
    }
    expectEqual(lines, ["symbolicate: warning: cannot search missing: there is no such directory"])
    expectEqual(result.status, 0)
    let variable: [Environment.Key: String?] = ["SYMBOLICATE_SYMBOL_PATH": "/dev/null/x"]
    try await expectFalse(run([report], variable).standardError.contains("/dev/null/x"))
    try await expectTrue(
      run([report, "--explain"], variable).standardError.contains(
        "symbolicate: warning: cannot search /dev/null/x: there is no such directory\n"))
  }

  @Test func folderOfTheReport() async throws {
    try directory.copy(Fixtures.storyBundle, to: "reports/App.dSYM")
    expectResolved(try await run([report]))
    expectResolved(try await run(["reports/crash.crash"]))
    // Standard input has no folder.
    expectUnresolved(try await run(["-"], input: Fixtures.bytes(of: report)))
  }

  @Test func foldersInTheFolderOfTheReportAreNotEntered() async throws {
    try directory.makeDirectory("reports/more")
    try directory.copy(Fixtures.storyBundle, to: "reports/more/App.dSYM")
    expectUnresolved(try await run([report]))
    try directory.makeDirectory("reports/App.xcarchive/dSYMs")
    try directory.copy(Fixtures.storyBundle, to: "reports/App.xcarchive/dSYMs/App.dSYM")
    expectResolved(try await run([report]))
  }

  /// 120 dSYMs are enough for an index.
  @Test func theIndexOfASearchDirectory() async throws {
    for number in 0..<120 {
      let folder = "symbols/many/\(number).dSYM/Contents/Resources/DWARF"
      try directory.makeDirectory(folder)
      try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: folder + "/x")
    }
    let indexes = "cache/symbolicate/searched"
    expectResolved(try await run([report, "-s", "symbols", "--no-search-index"]))
    expectFalse(FileManager.default.fileExists(atPath: directory.path(indexes)))
    for _ in 0..<2 { expectResolved(try await run([report, "-s", "symbols"])) }
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path(indexes))
    expectEqual(names.count, 1)
    // The index knows the dSYM, and it is gone.
    try FileManager.default.removeItem(atPath: directory.path("symbols/a"))
    expectUnresolved(try await run([report, "-s", "symbols"]))
    // A damaged index does no harm.
    try directory.copy(Fixtures.storyBundle, to: "symbols/many/new.dSYM")
    let name = try require(names.first)
    try directory.write("damaged".utf8, to: "\(indexes)/\(name)")
    expectResolved(try await run([report, "-s", "symbols"]))
    let cleaned = try await run(["index", "--clean"])
    expectPrefix(cleaned.standardError, "removed 1 file, ")
  }

  /// An empty environment names no cache; `--cache-dir` does, and what is kept there is used.
  @Test(arguments: ["worker", "group", ""])
  func theCacheOfAnEmptyEnvironment(command: String) async throws {
    for number in 0..<120 {
      let folder = "symbols/many/\(number).dSYM/Contents/Resources/DWARF"
      try directory.makeDirectory(folder)
      try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: folder + "/x")
    }
    // What has changed in the last 2 seconds is read again by the next run, which then may write
    // another index.
    try await Task.sleep(for: .seconds(4))
    let words =
      switch command {
      case "worker": [command]
      case "group": [command, report, "--format", "json"]
      default: [report]
      }
    let record = try WorkerAnswers.record(["id": 1, "path": report])
    var inodes: Set<UInt64> = []
    for run in 0..<3 {
      let result = try await Program.run(
        "/usr/bin/env",
        Program.emptyEnvironment + [Program.builtProgramPath] + words + [
          "--search", "symbols", "--cache-dir", "kept/here",
        ], input: Array(record.utf8), workingDirectory: directory.path)
      expectEqual(result.status, 0)
      expectContains(result.outputText, "one-time initialization function for rounds")
      let folder = directory.path("kept/here/searched")
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      expectEqual(names.count, 1, "\(run)")
      // An index that was not read would be written again, as another file.
      let attributes = try FileManager.default.attributesOfItem(
        atPath: "\(folder)/\(try require(names.first))")
      inodes.insert(try require(attributes[.systemFileNumber] as? UInt64))
    }
    expectEqual(inodes.count, 1)
    expectFalse(FileManager.default.fileExists(atPath: directory.path("cache")))
  }

  @Test func aCacheThatOthersMayWriteTo() async throws {
    try directory.makeDirectory("open")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o777], ofItemAtPath: directory.path("open"))
    let open = try await run([report, "-s", "symbols", "--cache-dir", "open"])
    expectContains(open.standardError, "6 of 11 frames resolved\n")
    expectTrue(
      open.standardError.contains(
        "symbolicate: warning: open is not used as the cache: other users may write to it; if you trust its contents, run 'chmod go-w' on it\n"
      ))
    try directory.write("no directory".utf8, to: "file")
    let file = try await run([report, "-s", "symbols", "--cache-dir", "file/below"])
    expectContains(file.standardError, "6 of 11 frames resolved\n")
    expectTrue(
      file.standardError.contains(
        "symbolicate: warning: cannot use file/below as the cache: Not a directory; nothing is kept for the next run\n"
      ))
  }

  @Test func withoutAHomeThereIsNoIndex() async throws {
    let result = try await run(
      [report, "-s", "symbols"], ["XDG_CACHE_HOME": nil, "HOME": nil])
    expectResolved(result)
  }
}
