import Foundation
import TestSupport
import Testing

/// `-o FILE` is one file whatever the number of reports, and `-o DIRECTORY/` a file for each. The
/// second was called `--output-dir` before.
struct OneOutputTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    for name in ["a.crash", "b.crash"] { try directory.write(report, to: name) }
    try directory.write("no report\n".utf8, to: "c.txt")
  }

  private func run(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.symbolicate(
      arguments + ["-d", Fixtures.storyBundle], workingDirectory: directory.path)
  }

  @Test(arguments: [
    [], ["--format", "json"], ["--format", "ndjson"], ["--format", "crash"], ["--summary"],
  ])
  func oneFileHasWhatStandardOutputWouldHave(form: [String]) async throws {
    let printed = try await run(["a.crash", "b.crash", "c.txt"] + form)
    let written = try await run(["a.crash", "b.crash", "c.txt", "-o", "all"] + form)
    expectEqual(written.status, 65)
    expectEmpty(written.standardOutput)
    // Beside a summary there is no other tally.
    if form != ["--summary"] { expectEqual(written.standardError, printed.standardError) }
    try expectEqual(directory.bytes(of: "all"), printed.standardOutput)
    try expectEqual(directory.fileNames(), ["a.crash", "all", "b.crash", "c.txt"])
  }

  @Test(arguments: [["a.crash"], ["a.crash", "b.crash"]])
  func aDirectoryIsRefused(reports: [String]) async throws {
    try directory.makeDirectory("out")
    let result = try await run(reports + ["-o", "out"])
    expectEqual(result.status, 64)
    expectEqual(
      result.standardError,
      "symbolicate: error: out is a directory; -o out/, with a slash at its end, writes a file for each report to it\n"
    )
    try expectEqual(directory.fileNames(), ["a.crash", "b.crash", "c.txt", "out"])
  }

  /// A slash at the end names a directory, whether it exists or not.
  @Test func aSlashNamesADirectory() async throws {
    try directory.makeDirectory("out")
    let one = try await run(["a.crash", "b.crash", "-o", "one.crash"])
    for folder in ["out/", "made/anew/"] {
      let result = try await run(["a.crash", "b.crash", "-o", folder])
      expectEqual(result.status, 0)
      expectEmpty(result.standardOutput)
      expectEqual(result.standardError, one.standardError)
      let both = try ["a.crash", "b.crash"].flatMap { try directory.bytes(of: folder + $0) }
      try expectEqual(both, directory.bytes(of: "one.crash"))
    }
    let again = try await run(["a.crash", "b.crash", "-o", "out/", "--skip-existing"])
    expectEqual(again.status, 0)
  }

  @Test func oneOfSeveralReportsIsNotReplaced() async throws {
    let result = try await run(["a.crash", "b.crash", "-o", "b.crash"])
    expectEqual(result.status, 64)
    expectContains(result.standardError, "b.crash is the report itself")
  }

  @Test func aResultIsNotWrittenOverAnInput() async throws {
    let before = try directory.bytes(of: "a.crash")
    for out in [".", directory.path] {
      let result = try await run(["a.crash", "--output-dir", out])
      expectEqual(result.status, 64)
    }
    // By a link in the directory for results, too.
    try directory.makeDirectory("out")
    try directory.link("out/a.crash", to: "../b.crash")
    try await expectEqual(run(["a.crash", "b.crash", "--output-dir", "out"]).status, 64)
    try directory.remove("out/a.crash")
    try directory.copy(Fixtures.storyDwarfFile, to: "out/a.json")
    let result = try await run(["a.crash", "--output-dir", "out", "--format", "json"])
    expectEqual(result.status, 64)
    expectContains(result.standardError, "out/a.json is a symbol file")
    try await expectEqual(run(["a.crash", "--output-dir", "X.dSYM/out"]).status, 64)
    try expectEqual(directory.bytes(of: "a.crash"), before)
  }

  @Test func twoResultsOfOneNameAreRefused() async throws {
    try directory.makeDirectory("sub")
    try directory.copy(directory.path("a.crash"), to: "sub/a.crash")
    try directory.copy(directory.path("a.crash"), to: "a.ips")
    let message = try await run(["a.crash", "sub/a.crash", "--output-dir", "out"])
    expectEqual(message.status, 73)
    expectEqual(
      message.standardError,
      "symbolicate: error: the results of a.crash and sub/a.crash would both be out/a.crash, so nothing was written; symbolicate them in separate runs, each with its own directory\n"
    )
    let json = try await run(["a.crash", "a.ips", "--output-dir", "out", "--format", "json"])
    expectEqual(json.status, 73)
    expectContains(json.standardError, "a.crash and a.ips would both be out/a.json")
    let twice = try await run(["a.crash", "a.crash", "--output-dir", "out"])
    expectContains(twice.standardError, "a.crash, which is given twice, would both be")
    expectFalse(FileManager.default.fileExists(atPath: directory.path("out")))
  }

  @Test func twoNamesOfOneFileAreRefused() async throws {
    try directory.makeDirectory("out")
    try directory.link("out/a.crash", to: "target")
    try directory.link("out/b.crash", to: "target")
    let result = try await run(["a.crash", "b.crash", "--output-dir", "out"])
    expectEqual(result.status, 73)
    expectContains(result.standardError, "a.crash and b.crash would both be out/b.crash")
    expectFalse(FileManager.default.fileExists(atPath: directory.path("target")))
  }

  @Test func anInputWithoutAReportGetsNoFile() async throws {
    let result = try await run(["a.crash", "c.txt", "--output-dir", "out"])
    expectEqual(result.status, 65)
    expectContains(result.standardError, "c.txt has no crash report")
    try expectEqual(
      FileManager.default.contentsOfDirectory(atPath: directory.path("out")), ["a.crash"])
  }

  @Test func standardInputHasAName() async throws {
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    let result = try await Program.symbolicate(
      ["-", "--output-dir", "out", "--format", "json"], input: report,
      workingDirectory: directory.path)
    expectEqual(result.status, 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("out"))
    expectEqual(names, ["standard-input.json"])
  }

  // MARK: Inputs without a report

  @Test func jsonOfAnInputWithoutAReportIsARecord() async throws {
    for form in ["json", "ndjson"] {
      let result = try await run(["c.txt", "--format", form])
      expectEqual(result.status, 65)
      let record = try require(
        JSONSerialization.jsonObject(with: Data(result.standardOutput)) as? [String: Any])
      expectEqual(record["path"] as? String, "c.txt")
      let error = try require(record["error"] as? [String: String])
      expectEqual(error["code"], "no-report")
      expectEqual("symbolicate: error: \(error["message"] ?? "")\n", result.standardError)
    }
  }

  @Test func aSummaryOfAnInputWithoutAReportIsEmpty() async throws {
    let result = try await run(["c.txt", "--summary"])
    expectEqual(result.status, 65)
    expectEmpty(result.standardOutput)
    // Nothing takes the place of an earlier summary.
    try directory.write("earlier".utf8, to: "kept.txt")
    try await expectEqual(run(["c.txt", "--summary", "-o", "kept.txt"]).status, 65)
    try expectEqual(directory.bytes(of: "kept.txt"), Array("earlier".utf8))
  }

  @Test func anInputThatIsTooLargeIsARecord() async throws {
    let result = try await run(["a.crash", "--format", "ndjson", "--limit", "report-size=100"])
    expectEqual(result.status, 66)
    let record = try require(
      JSONSerialization.jsonObject(with: Data(result.standardOutput)) as? [String: Any])
    expectEqual((record["error"] as? [String: String])?["code"], "limit")
  }

  @Test func wrongCombinations() async throws {
    for (arguments, message) in [
      (["-o", "x", "--output-dir", "y"], "they cannot be combined"),
      (["--in-place", "-o", "y/"], "--in-place and -o cannot be combined"),
      (["--skip-existing", "-o", "y"], "--skip-existing needs -o DIRECTORY/"),
      (["--in-place", "--output-dir", "y"], "--in-place and --output-dir cannot be combined"),
      (["--skip-existing"], "--skip-existing needs -o DIRECTORY/"),
      (["--output-dir", ""], "--output-dir needs a directory"),
    ] {
      let result = try await run(["a.crash"] + arguments)
      expectEqual(result.status, 64)
      expectTrue(result.standardError.contains(message), "\(result.standardError)")
    }
  }
}
