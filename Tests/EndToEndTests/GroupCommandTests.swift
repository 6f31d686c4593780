import Foundation
import TestSupport
import Testing

/// `symbolicate group`: reports, directories, what was written before, and partial results.
struct GroupCommandTests {
  private struct Document: Decodable {
    struct Group: Decodable {
      struct Devices: Decodable { var count: Int }
      struct Versions: Decodable { var values: [Version] }
      struct Version: Decodable { var version: String }
      var key: String?
      var hash: String?
      var count: Int
      var share: Double
      var devices: Devices
      var first, last: String?
      var appVersions, osVersions: Versions
      var sample: String
    }
    var schema, by: String
    var reports: Int
    var groupCount: Int
    var groups: [Group]
  }

  /// From the expected answers in Fixtures/LetterShuffle/README.md and docs/signature.md.
  private static let storySignature = [
    "EXC_BREAKPOINT", "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
    "one-time initialization function for rounds", "GameData.rounds.unsafeMutableAddressor",
  ].joined(separator: " | ")

  private func document(_ arguments: [String]) async throws -> Document {
    let result = try await Program.symbolicate(["group", "--format", "json"] + arguments)
    expectEqual(result.status, 0, "\(result.standardError)")
    return try JSONDecoder().decode(Document.self, from: Data(result.standardOutput))
  }

  /// Symbols beside a report are found, as by `symbolicate`.
  @Test func symbolsBesideTheReport() async throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("below")
    try directory.copy(Fixtures.storyReport, to: "below/story.crash")
    try directory.copy(Fixtures.storyBundle, to: "below/Letter Shuffle.app.dSYM")
    for path in [directory.path, directory.path + "/below/story.crash"] {
      try await expectEqual(document([path]).groups.map(\.key), [Self.storySignature])
    }
  }

  @Test func aDirectory() async throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("reports")
    try directory.makeDirectory("reports/below")
    try directory.copy(Fixtures.storyReport, to: "reports/below/story.crash")
    try directory.copy(Fixtures.storyReport, to: "reports/again.crash")
    try directory.write("nothing".utf8, to: "reports/notes.txt")
    let folder = directory.path + "/reports"
    let result = try await Program.symbolicate(["group", folder, "-d", Fixtures.storyBundle])
    expectEqual(result.status, 0)
    expectEqual(result.standardError, "2 reports in 1 group; 1 file holds no report\n")
    let found = try await document([folder, "-d", Fixtures.storyBundle])
    // A directory in another one counts once.
    let both = try await document([folder + "/below", folder, "-d", Fixtures.storyBundle])
    expectEqual(both.reports, 2)
    expectEqual(found.schema, "symbolicate-groups")
    expectEqual(found.by, "signature")
    expectEqual(found.reports, 2)
    expectEqual(found.groupCount, 1)
    let group = try require(found.groups.first)
    expectEqual(group.key, Self.storySignature)
    expectEqual(group.count, 2)
    expectEqual(group.share, 1)
    expectEqual(group.devices.count, 1)
    // The report has 2019-07-31 11:32:24.3585 -0700.
    expectEqual(group.first, "2019-07-31T18:32:24.358Z")
    expectEqual(group.last, group.first)
    expectEqual(group.appVersions.values.map(\.version), ["6 (1.3)"])
    expectEqual(group.osVersions.values.map(\.version), ["iPhone OS 12.4 (16G77)"])
    expectEqual(group.sample, folder + "/again.crash")
  }

  /// An engine has many workers, and their answers are grouped.
  @Test func answersOfAWorker() async throws {
    let story = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    let records =
      try WorkerAnswers.record(1, report: story) + "\n{\n"
      + "{\"id\":\"queue/7\",\"path\":\"\(Fixtures.storyReport)\"}\n"
    let worker = try await Program.symbolicate(
      ["worker", "-d", Fixtures.storyBundle], input: Array(records.utf8))
    let result = try await Program.symbolicate(
      ["group", "-", "--format", "json"], input: worker.standardOutput)
    expectEqual(result.status, 0)
    expectEqual(result.standardError, "2 reports in 1 group; 1 file holds no report\n")
    let found = try JSONDecoder().decode(Document.self, from: Data(result.standardOutput))
    expectEqual(found.groups.map(\.key), [Self.storySignature])
    expectEqual(found.groups.first?.count, 2)
    expectEqual(found.groups.first?.sample, "queue/7")
  }

  @Test func pages() async throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("in")
    try directory.copy(Fixtures.storyReport, to: "in/story.crash")
    func run(_ arguments: [String]) async throws -> ProgramResult {
      try await Program.symbolicate(
        ["group"] + arguments + ["-d", Fixtures.storyBundle, "--format", "html"],
        workingDirectory: directory.path)
    }
    let alone = try await run(["in"])
    expectEqual(alone.status, 0)
    expectPrefix(alone.outputText, "<!DOCTYPE html>")
    expectFalse(alone.outputText.contains("<a "))
    let result = try await run(["in", "--output-dir", "in/out"])
    expectEqual(result.status, 0)
    expectEmpty(result.standardOutput)
    let index = String(
      decoding: try Fixtures.bytes(of: directory.path("in/out/index.html")), as: UTF8.self)
    let link = try require(index.firstMatch(of: /href="(pages\/[0-9a-f]{16}\.html)"/)).1
    let page = String(
      decoding: try Fixtures.bytes(of: directory.path("in/out/\(link)")), as: UTF8.self)
    expectContains(page, "GameData.swift:18")
    // The pages are no reports of the next run.
    let again = try await run(["in", "-o", "in/out/"])
    expectEqual(again.standardError, result.standardError)
    try expectEqual(Fixtures.bytes(of: directory.path("in/out/index.html")), Array(index.utf8))
    let merged = try await Program.symbolicate(["group", "in", "--output-dir", "x"])
    expectEqual(merged.status, 64)
    expectContains(merged.standardError, "--output-dir needs --format html")
    let onto = try await run(["in", "--output-dir", "in/../in"])
    expectEqual(onto.status, 64)
    expectContains(onto.standardError, "in is the directory of the reports")
    // A report is not overwritten.
    try directory.makeDirectory("other")
    try directory.copy(Fixtures.storyReport, to: "other/index.html")
    let refused = try await run(["other/index.html", "--output-dir", "other"])
    expectEqual(refused.status, 64)
  }

  /// What a run with symbols wrote needs no symbols, whether it comes from a file or a pipe.
  @Test(arguments: ["json", "ndjson"])
  func writtenReports(format: String) async throws {
    let written = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--format", format,
    ])
    let directory = try TemporaryDirectory()
    try directory.write(written.standardOutput, to: "written")
    let result = try await Program.run(
      Program.builtProgramPath, ["group", "-", "--format", "json"], input: written.standardOutput)
    expectEqual(result.status, 0)
    for found in [
      try await document([directory.path + "/written"]),
      try JSONDecoder().decode(Document.self, from: Data(result.standardOutput)),
    ] {
      expectEqual(found.groups.map(\.key), [Self.storySignature])
      expectEqual(found.groups.map(\.sample), [Fixtures.storyReport])
      expectEqual(found.groups.first?.first, "2019-07-31T18:32:24.358Z")
    }
  }

  @Test(arguments: [
    ("signature", storySignature), ("line", "GameData.swift:18"),
    ("exception", "EXC_BREAKPOINT (SIGTRAP)"), ("version", "Letter Shuffle 6 (1.3)"),
  ])
  func keys(criterion: String, key: String) async throws {
    let found = try await document([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--by", criterion,
    ])
    expectEqual(found.groups.map(\.key), [key])
  }

  @Test func csv() async throws {
    let result = try await Program.symbolicate([
      "group", Fixtures.storyReport, "-d", Fixtures.storyBundle, "--format", "csv",
    ])
    let rows = result.outputText.components(separatedBy: "\r\n")
    expectEqual(
      rows.first, "count,share,devices,first,last,signature,hash,app versions,os versions,sample")
    expectEqual(rows.count, 3)
    expectTrue(
      rows[1].hasPrefix(
        "1,100.0%,1,2019-07-31T18:32:24.358Z,2019-07-31T18:32:24.358Z,EXC_BREAKPOINT"))
  }

  /// One bad input stops nothing, and is named at the end.
  @Test func whatCannotBeRead() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("nothing".utf8, to: "notes.txt")
    let (missing, notes) = (directory.path + "/none.ips", directory.path + "/notes.txt")
    let result = try await Program.symbolicate([
      "group", missing, notes, Fixtures.storyReport, "-d", Fixtures.storyBundle,
    ])
    expectEqual(result.status, 66)
    expectTrue(result.outputText.contains(Self.storySignature.prefix(40)))
    expectEqual(
      result.standardError.components(separatedBy: "\n").suffix(4),
      [
        "1 report in 1 group; 1 file holds no report",
        "symbolicate: error: cannot read the report \(missing): No such file or directory",
        "symbolicate: error: no report found in \(notes)", "",
      ])
    let alone = try await Program.symbolicate(["group", notes])
    expectEqual(alone.status, 65)
    expectEqual(alone.outputText, "")
    try directory.makeDirectory("empty")
    let none = try await Program.symbolicate(["group", directory.path + "/empty", "-q"])
    expectEqual(none.status, 65)
    expectEqual(
      none.standardError,
      "symbolicate: error: no report found; give crash reports, or directories of them\n")
  }

  @Test func damagedLines() async throws {
    let written = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--format", "ndjson",
    ])
    let input = written.standardOutput + Array("{\"half\":\n".utf8) + written.standardOutput
    let result = try await Program.run(
      Program.builtProgramPath, ["group", "-"], input: input)
    expectEqual(result.status, 65)
    expectEqual(
      result.standardError,
      """
      2 reports in 1 group
      symbolicate: error: standard input:2: expected a line of 'symbolicate --format ndjson', found '{"half":'

      """)
  }

  @Test func rulesOption() async throws {
    let directory = try TemporaryDirectory()
    try directory.write("# nothing\nomit GameData*\n".utf8, to: "bad.rules")
    try directory.write("drop GameData*\n".utf8, to: "good.rules")
    let bad = directory.path + "/bad.rules"
    for arguments in [["group", Fixtures.storyReport], [Fixtures.storyReport, "--summary"]] {
      let result = try await Program.symbolicate(arguments + ["--rules", bad])
      expectEqual(result.status, 66)
      expectEqual(result.outputText, "")
      expectEqual(
        result.standardError,
        "symbolicate: error: \(bad):2: expected 'drop PATTERN', 'app PATTERN' or 'system PATTERN', found 'omit GameData*'\n"
      )
    }
    let found = try await document([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--rules", directory.path + "/good.rules",
    ])
    expectEqual(found.groups.first?.key?.contains("GameData"), false)
  }

  @Test(arguments: [
    (["group"], "give at least one report, directory or '-'"),
    (["group", "a", "--top", "0"], "--top needs a number above 0, not 0"),
    (
      ["group", "a", "--signature-version", "3"], "--signature-version needs 1 or 2, not 3"
    ),
    (
      ["group", "a", "--merge", "--signature-version", "1"],
      "--merge cannot be combined with --signature-version: the groups say what they are made by"
    ),
    (
      ["group", "a", "--merge", "--by", "line"],
      "--merge cannot be combined with --by: the groups say what they are made by"
    ),
  ])
  func wrongUsage(arguments: [String], message: String) async throws {
    let result = try await Program.symbolicate(arguments)
    expectEqual(result.status, 64)
    expectTrue(result.standardError.contains(message))
  }

  @Test func groupsOfDifferentKinds() async throws {
    let directory = try TemporaryDirectory()
    for criterion in ["line", "version"] {
      let part = try await Program.symbolicate([
        "group", Fixtures.storyReport, "--by", criterion, "--format", "ndjson",
      ])
      try directory.write(part.standardOutput, to: criterion)
    }
    let paths = ["line", "version"].map { "\(directory.path)/\($0)" }
    let result = try await Program.symbolicate(["group", "--merge"] + paths)
    expectEqual(result.status, 65)
    expectTrue(
      result.standardError.contains(
        "\(paths[1]):1: this group is made by version, and those before it by line; merge groups made with the same --by"
      ))
    let asReports = try await Program.symbolicate(["group", paths[0]])
    expectEqual(asReports.status, 65)
    expectTrue(
      asReports.standardError.contains(
        "\(paths[0]) has groups, not reports; merge it with 'symbolicate group --merge'"))
  }

  /// A file of something else is named by its first lines.
  @Test func wrongFile() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array(String(repeating: "abc\n", count: 30).utf8), to: "words")
    let path = directory.path("words")
    let result = try await Program.symbolicate(["group", "--merge", path])
    expectEqual(result.status, 65)
    let lines = result.standardError.split(separator: "\n")
    expectEqual(lines.filter { $0.contains("expected a line of") }.count, 10)
    expectTrue(lines.contains("symbolicate: error: \(path): 30 lines in all cannot be merged"))
  }

  /// Groups that were compressed are the same groups.
  @Test(arguments: ["gzip", "bzip2", "xz", "zstd"])
  func compressedGroups(program: String) async throws {
    let directory = try TemporaryDirectory()
    let part = try await Program.symbolicate([
      "group", Fixtures.storyReport, "--format", "ndjson",
    ])
    try directory.write(part.standardOutput, to: "part.ndjson")
    let packed = try await Program.run(
      "/usr/bin/env", [program, "-c", "part.ndjson"], workingDirectory: directory.path)
    try directory.write(packed.standardOutput, to: "packed")
    let merged = try await Program.symbolicate([
      "group", "--merge", directory.path("packed"), "--format", "ndjson",
    ])
    expectEqual(merged.status, 0, "\(merged.standardError)")
    expectEqual(merged.standardOutput, part.standardOutput)
  }

  /// Two groups on one line, as after a file without a last line end, or a group and other text:
  /// nothing is counted in part.
  @Test(arguments: [1, 2])
  func linesWithMoreThanAGroup(copies: Int) async throws {
    let part = try await Program.symbolicate([
      "group", Fixtures.storyReport, "--format", "ndjson",
    ])
    let line = part.standardOutput.filter { $0 != UInt8(ascii: "\n") }
    let rest = copies == 2 ? line : Array(" rest".utf8)
    let result = try await Program.run(
      Program.builtProgramPath, ["group", "--merge", "-"], input: line + rest)
    expectEqual(result.status, 65)
    expectContains(result.standardError, "standard input:1: expected a line of")
    let whole = try await Program.run(
      Program.builtProgramPath, ["group", "--merge", "-"], input: line + Array(" \r\n".utf8))
    expectEqual(whole.status, 0)
  }

  // MARK: Corpus

  /// Any division of the reports, in any order and with any number of threads, merges to the same
  /// bytes as one run.
  @Test(.enabled("there is no corpus (SYMBOLICATE_CORPUS)") { Corpus.path != nil })
  func divisionOfTheCorpus() async throws {
    let reports = try require(Corpus.path) + "/reports"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: reports).sorted()
      .map { "\(reports)/\($0)" }.filter { $0.hasSuffix(".crash") || $0.hasSuffix(".ips") }
    try require(paths.count > 100)
    let directory = try TemporaryDirectory()
    let whole = try await Program.symbolicate(["group", "--format", "ndjson"] + paths)
    expectContains(whole.outputText, "EXC_CRASH")
    try directory.write(whole.standardOutput, to: "whole")
    for partCount in [2, 5] {
      var generator = SeededGenerator(seed: UInt64(partCount))
      var parts = [[String]](repeating: [], count: partCount)
      for path in paths.shuffled(using: &generator) {
        parts[Int.random(in: 0..<partCount, using: &generator)].append(path)
      }
      for (index, part) in parts.enumerated() {
        let result = try await Program.symbolicate(
          ["group", "--format", "ndjson", "--jobs", "\(1 + index % 2)"] + part)
        try directory.write(result.standardOutput, to: "part\(index)")
      }
      let names = parts.indices.reversed().map { "\(directory.path)/part\($0)" }
      for form in ["text", "json", "ndjson", "csv"] {
        let merge = ["group", "--merge", "--format", form]
        let merged = try await Program.symbolicate(merge + names)
        let expected =
          form == "ndjson"
          ? whole : try await Program.symbolicate(merge + [directory.path("whole")])
        expectEqual(merged.standardOutput, expected.standardOutput, "\(partCount) parts, \(form)")
      }
    }
    // What was written as NDJSON has the same other forms as the reports themselves.
    let some = paths.enumerated().filter { $0.offset % 10 == 0 }.map(\.element)
    let lines = try await Program.symbolicate(["group", "--format", "ndjson"] + some)
    try directory.write(lines.standardOutput, to: "some")
    for form in ["text", "json", "csv"] {
      let direct = try await Program.symbolicate(["group", "--format", form] + some)
      let merged = try await Program.symbolicate(
        ["group", "--merge", "--format", form, directory.path("some")])
      expectEqual(merged.standardOutput, direct.standardOutput, form)
    }
  }
}
