import Foundation
import TestSupport
import Testing

/// Several reports on several threads: everything is as if the reports were symbolicated one after
/// the other.
struct ParallelReportsTests {
  private let directory: TemporaryDirectory
  /// 40 reports, and inputs that are none, in an order that mixes them.
  private let reports: [String]
  private let symbols: String

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("symbols")
    try directory.copy(Fixtures.storyBundle, to: "symbols/story.dSYM")
    for name in ["bank.elf", "ladder.elf"] {
      try directory.copy(Fixtures.path("SwiftBacktrace/\(name)"), to: "symbols/\(name)")
    }
    // A damaged symbol file is reported by the first report that searches.
    try directory.write(
      Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(1000), to: "symbols/damaged")
    symbols = directory.path("symbols")

    let story = try Fixtures.bytes(of: Fixtures.storyReport)
    let json = try Fixtures.bytes(of: Fixtures.path("SwiftBacktrace/Reports/bank-full.json"))
    let noReport = "Nothing crashed.\n"
    let inputs: [[UInt8]] = [
      Array(noReport.utf8), story,
      try Fixtures.bytes(of: Fixtures.storyWebCopy),
      try Fixtures.bytes(of: Fixtures.path("SwiftBacktrace/Reports/bank-full.log")),
      json, [], Array(json.prefix(json.count * 2 / 3)),
      try Fixtures.bytes(of: Fixtures.path("SwiftBacktrace/Reports/ladder-full.log")),
      try Fixtures.bytes(of: Fixtures.path("Malformed/crash-text/every-section")),
      try Fixtures.bytes(of: Fixtures.path("Malformed/ips/every-key")),
      // Larger than those that follow it, so that they overtake it.
      story + Array(repeating: UInt8(ascii: "x"), count: 100_000) + story,
      Array(story.prefix(story.count / 2)),
    ]
    try directory.makeDirectory("reports")
    var reports: [String] = []
    for number in 0..<40 {
      let name = "reports/\(number).crash"
      reports.append(try directory.write(inputs[(number * 5) % inputs.count], to: name))
    }
    self.reports = reports
  }

  private func run(
    _ paths: [String], jobs: Int, _ options: [String] = [], input: [UInt8] = []
  ) async throws -> ProgramResult {
    try await Program.symbolicate(
      paths + ["-s", symbols, "--jobs", "\(jobs)"] + options, input: input)
  }

  private func hasSameResult(_ left: ProgramResult, _ right: ProgramResult) -> Bool {
    left.standardOutput == right.standardOutput && left.standardError == right.standardError
      && left.status == right.status
  }

  /// What one run over `paths` must write, made from a run for each of them.
  private func oneByOne(
    _ paths: [String], _ options: [String] = [], separator: String = ""
  ) async throws -> [UInt8] {
    var output: [UInt8] = []
    for path in paths {
      let result = try await run([path], jobs: 1, options)
      if !output.isEmpty, !result.standardOutput.isEmpty { output += Array(separator.utf8) }
      // Each of several summaries says which report it is of.
      if options == ["--summary"], !result.standardOutput.isEmpty {
        output += Array("\(path):\n".utf8)
      }
      output += result.standardOutput
    }
    return output
  }

  @Test(arguments: [[], ["--summary"], ["--format", "ndjson"], ["--explain", "--strict"], ["-v"]])
  func oneStreamIsThatOfOneReportAfterTheOther(options: [String]) async throws {
    let missing = directory.path("missing.crash")
    // The first path is a report even if there is no file.
    let paths = [missing] + reports + [reports[1], reports[1]]
    let expected = try await oneByOne(
      paths, options, separator: options == ["--summary"] ? "\n" : "")
    let first = try await run(paths, jobs: 1, options)
    expectEqual(first.standardOutput, expected)
    expectEqual(first.status, 66)
    // A problem is reported once, under the first report that meets it.
    expectEqual(first.standardError.components(separatedBy: "symbols/damaged").count, 2)
    for jobs in [2, 8] {
      expectTrue(hasSameResult(first, try await run(paths, jobs: jobs, options)), "\(jobs) jobs")
    }
  }

  /// A missing path that is not the first counts as a symbol file, and is a problem of the first
  /// report. Symbol files given by name are compared with all reports at the end.
  @Test func givenFilesAreComparedWithAllReports() async throws {
    // A file that was not compared with each input, because some hold no report, is not reported.
    let sound = reports.indices.filter { [1, 2, 3, 7, 10].contains($0 * 5 % 12) }
    var paths = sound.map { reports[$0] }
    paths.insert(directory.path("missing.crash"), at: 8)
    let options = ["-d", Fixtures.path("Inlines/Inlines.dSYM"), "-d", Fixtures.storyBundle]
    let first = try await run(paths, jobs: 1, options)
    expectEqual(first.status, 66)
    expectContains(first.standardError, "Inlines.dSYM matches no image")
    for jobs in [2, 8] {
      expectTrue(hasSameResult(first, try await run(paths, jobs: jobs, options)))
    }
  }

  /// Standard input has its content once, at its first place.
  @Test func standardInputAmongThem() async throws {
    let story = try Fixtures.bytes(of: Fixtures.storyReport)
    let paths = Array(reports[..<9]) + ["-"] + Array(reports[9..<15]) + ["-"]
    let first = try await run(paths, jobs: 1, input: story)
    expectContains(first.standardError, "standard input is empty")
    for jobs in [2, 8] {
      expectTrue(hasSameResult(first, try await run(paths, jobs: jobs, input: story)))
    }
  }

  // MARK: Files

  /// The content of the files in a folder, by their names; nil for what is not a file.
  private func files(in folder: String) throws -> [String: [UInt8]?] {
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path(folder))
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, try? directory.bytes(of: "\(folder)/\($0)")) })
  }

  @Test func filesAreThoseOfOneReportAfterTheOther() async throws {
    var expected: [String: [UInt8]?] = [:]
    for report in reports {
      let result = try await run([report], jobs: 1)
      // An input without a report gets no file.
      if result.status == 0 { expected[report.lastPathComponent] = result.standardOutput }
    }
    let messages = try await run(reports, jobs: 1).standardError
    for jobs in [1, 2, 8] {
      let folder = "out\(jobs)"
      let result = try await run(reports, jobs: jobs, ["--output-dir", directory.path(folder)])
      expectEmpty(result.standardOutput)
      expectEqual(result.standardError, messages, "\(jobs) jobs")
      expectEqual(result.status, 65)
      try expectEqual(files(in: folder), expected, "\(jobs) jobs")
    }
  }

  /// The other results are written, and the message comes with its report.
  @Test func aDirectoryInThePlaceOfAResult() async throws {
    var results: [ProgramResult] = []
    for jobs in [1, 2, 8] {
      try directory.makeDirectory("\(jobs)/out/17.crash")
      let result = try await Program.symbolicate(
        reports + ["-s", symbols, "--jobs", "\(jobs)", "--output-dir", "out"],
        workingDirectory: directory.path("\(jobs)"))
      expectEqual(result.status, 73)
      let written = try files(in: "\(jobs)/out")
      #expect(written.count > 15)
      expectEqual(written.filter { $0.value == nil }.map(\.key), ["17.crash"])
      results.append(result)
    }
    let lines = results[0].standardError.split(separator: "\n")
    let place = try require(lines.firstIndex { $0.contains("out/17.crash: Is a directory") })
    // The next report is cut, which is said with its name.
    expectEqual(lines.firstIndex { $0.contains("reports/18.crash: the report is cut") }, place + 1)
    expectTrue(results.allSatisfy { hasSameResult($0, results[0]) })
  }

  /// A report that is given twice is read the second time as the first time left it.
  @Test func inPlaceAndTwice() async throws {
    var results: [(ProgramResult, [String: [UInt8]?])] = []
    for jobs in [1, 2, 8] {
      try? FileManager.default.removeItem(atPath: directory.path("copy"))
      try directory.copy(directory.path("reports"), to: "copy")
      try directory.link("copy/link.crash", to: "1.crash")
      let paths =
        (0..<40).map { directory.path("copy/\($0).crash") }
        + [directory.path("copy/1.crash"), directory.path("copy/link.crash")]
      results.append((try await run(paths, jobs: jobs, ["--in-place"]), try files(in: "copy")))
    }
    expectEqual(results[0].0.status, 65)
    expectContains(results[0].0.standardError, "already had names")
    for (result, files) in results {
      expectTrue(hasSameResult(result, results[0].0))
      expectEqual(files, results[0].1)
    }
  }

  @Test func closedStandardOutput() async throws {
    var results: [ProgramResult] = []
    for jobs in ["1", "2", "8"] {
      results.append(
        try await Program.run(
          "/bin/sh",
          ["-c", "exec \"$0\" --jobs \"$@\" >&-", Program.builtProgramPath, jobs] + reports))
    }
    expectEqual(results[0].status, 74)
    expectContains(results[0].standardError, "cannot write standard output")
    expectTrue(results.allSatisfy { hasSameResult($0, results[0]) })
  }
}

extension String {
  fileprivate var lastPathComponent: String { URL(fileURLWithPath: self).lastPathComponent }
}
