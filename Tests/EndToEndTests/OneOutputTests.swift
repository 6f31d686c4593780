import Foundation
import TestSupport
import Testing

/// `-o FILE` is one file whatever the number of reports, and `--output-dir` a file for each.
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
    #expect(written.status == 65)
    #expect(written.standardOutput.isEmpty)
    // Beside a summary there is no other tally.
    if form != ["--summary"] { #expect(written.standardError == printed.standardError) }
    #expect(try directory.bytes(of: "all") == printed.standardOutput)
    #expect(try directory.fileNames() == ["a.crash", "all", "b.crash", "c.txt"])
  }

  @Test(arguments: [["a.crash"], ["a.crash", "b.crash"]])
  func aDirectoryIsRefused(reports: [String]) async throws {
    try directory.makeDirectory("out")
    for spelling in ["out", "missing/"] {
      let result = try await run(reports + ["-o", spelling])
      #expect(result.status == 64)
      #expect(
        result.standardError
          == "symbolicate: error: \(spelling) is a directory, and -o names one file for the output of all reports; use --output-dir \(spelling) for a file for each report\n"
      )
    }
    #expect(try directory.fileNames() == ["a.crash", "b.crash", "c.txt", "out"])
  }

  @Test func oneOfSeveralReportsIsNotReplaced() async throws {
    let result = try await run(["a.crash", "b.crash", "-o", "b.crash"])
    #expect(result.status == 64)
    #expect(result.standardError.contains("b.crash is the report itself"))
  }

  @Test func aResultIsNotWrittenOverAnInput() async throws {
    let before = try directory.bytes(of: "a.crash")
    for out in [".", directory.path] {
      let result = try await run(["a.crash", "--output-dir", out])
      #expect(result.status == 64)
    }
    // By a link in the directory for results, too.
    try directory.makeDirectory("out")
    try directory.link("out/a.crash", to: "../b.crash")
    #expect(try await run(["a.crash", "b.crash", "--output-dir", "out"]).status == 64)
    try directory.remove("out/a.crash")
    try directory.copy(Fixtures.storyDwarfFile, to: "out/a.json")
    let result = try await run(["a.crash", "--output-dir", "out", "--format", "json"])
    #expect(result.status == 64)
    #expect(result.standardError.contains("out/a.json is a symbol file"))
    #expect(try await run(["a.crash", "--output-dir", "X.dSYM/out"]).status == 64)
    #expect(try directory.bytes(of: "a.crash") == before)
  }

  @Test func twoResultsOfOneNameAreRefused() async throws {
    try directory.makeDirectory("sub")
    try directory.copy(directory.path("a.crash"), to: "sub/a.crash")
    try directory.copy(directory.path("a.crash"), to: "a.ips")
    let message = try await run(["a.crash", "sub/a.crash", "--output-dir", "out"])
    #expect(message.status == 73)
    #expect(
      message.standardError
        == "symbolicate: error: the results of a.crash and sub/a.crash would both be out/a.crash, so nothing was written; symbolicate them in separate runs, each with its own --output-dir\n"
    )
    let json = try await run(["a.crash", "a.ips", "--output-dir", "out", "--format", "json"])
    #expect(json.status == 73)
    #expect(json.standardError.contains("a.crash and a.ips would both be out/a.json"))
    let twice = try await run(["a.crash", "a.crash", "--output-dir", "out"])
    #expect(twice.standardError.contains("a.crash, which is given twice, would both be"))
    #expect(!FileManager.default.fileExists(atPath: directory.path("out")))
  }

  @Test func twoNamesOfOneFileAreRefused() async throws {
    try directory.makeDirectory("out")
    try directory.link("out/a.crash", to: "target")
    try directory.link("out/b.crash", to: "target")
    let result = try await run(["a.crash", "b.crash", "--output-dir", "out"])
    #expect(result.status == 73)
    #expect(result.standardError.contains("a.crash and b.crash would both be out/b.crash"))
    #expect(!FileManager.default.fileExists(atPath: directory.path("target")))
  }

  @Test func anInputWithoutAReportGetsNoFile() async throws {
    let result = try await run(["a.crash", "c.txt", "--output-dir", "out"])
    #expect(result.status == 65)
    #expect(result.standardError.contains("c.txt has no crash report"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: directory.path("out")) == ["a.crash"])
  }

  @Test func standardInputHasAName() async throws {
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    let result = try await Program.symbolicate(
      ["-", "--output-dir", "out", "--format", "json"], input: report,
      workingDirectory: directory.path)
    #expect(result.status == 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("out"))
    #expect(names == ["standard-input.json"])
  }

  // MARK: Inputs without a report

  @Test func jsonOfAnInputWithoutAReportIsARecord() async throws {
    for form in ["json", "ndjson"] {
      let result = try await run(["c.txt", "--format", form])
      #expect(result.status == 65)
      let record = try #require(
        try JSONSerialization.jsonObject(with: Data(result.standardOutput)) as? [String: Any])
      #expect(record["path"] as? String == "c.txt")
      let error = try #require(record["error"] as? [String: String])
      #expect(error["code"] == "no-report")
      #expect("symbolicate: error: \(error["message"] ?? "")\n" == result.standardError)
    }
  }

  @Test func aSummaryOfAnInputWithoutAReportIsEmpty() async throws {
    let result = try await run(["c.txt", "--summary"])
    #expect(result.status == 65)
    #expect(result.standardOutput.isEmpty)
    // Nothing takes the place of an earlier summary.
    try directory.write("earlier".utf8, to: "kept.txt")
    #expect(try await run(["c.txt", "--summary", "-o", "kept.txt"]).status == 65)
    #expect(try directory.bytes(of: "kept.txt") == Array("earlier".utf8))
  }

  @Test func anInputThatIsTooLargeIsARecord() async throws {
    let result = try await run(["a.crash", "--format", "ndjson", "--limit", "report-size=100"])
    #expect(result.status == 66)
    let record = try #require(
      try JSONSerialization.jsonObject(with: Data(result.standardOutput)) as? [String: Any])
    #expect((record["error"] as? [String: String])?["code"] == "limit")
  }

  @Test func wrongCombinations() async throws {
    for (arguments, message) in [
      (["-o", "x", "--output-dir", "y"], "they cannot be combined"),
      (["--in-place", "--output-dir", "y"], "--in-place and --output-dir cannot be combined"),
      (["--skip-existing"], "--skip-existing needs --output-dir"),
      (["--output-dir", ""], "--output-dir needs a directory"),
    ] {
      let result = try await run(["a.crash"] + arguments)
      #expect(result.status == 64)
      #expect(result.standardError.contains(message), "\(result.standardError)")
    }
  }
}
