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
    #expect(result.status == 0, "\(result.standardError)")
    return try JSONDecoder().decode(Document.self, from: Data(result.standardOutput))
  }

  /// Symbols beside a report are found, as by `symbolicate`.
  @Test func symbolsBesideTheReport() async throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("below")
    try directory.copy(Fixtures.storyReport, to: "below/story.crash")
    try directory.copy(Fixtures.storyBundle, to: "below/Letter Shuffle.app.dSYM")
    for path in [directory.path, directory.path + "/below/story.crash"] {
      #expect(try await document([path]).groups.map(\.key) == [Self.storySignature])
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
    #expect(result.status == 0)
    #expect(result.standardError == "2 reports in 1 group; 1 file holds no report\n")
    let found = try await document([folder, "-d", Fixtures.storyBundle])
    // A directory in another one counts once.
    let both = try await document([folder + "/below", folder, "-d", Fixtures.storyBundle])
    #expect(both.reports == 2)
    #expect(found.schema == "symbolicate-groups" && found.by == "signature")
    #expect(found.reports == 2 && found.groupCount == 1)
    let group = try #require(found.groups.first)
    #expect(group.key == Self.storySignature)
    #expect(group.count == 2 && group.share == 1 && group.devices.count == 1)
    // The report has 2019-07-31 11:32:24.3585 -0700.
    #expect(group.first == "2019-07-31T18:32:24.358Z" && group.last == group.first)
    #expect(group.appVersions.values.map(\.version) == ["6 (1.3)"])
    #expect(group.osVersions.values.map(\.version) == ["iPhone OS 12.4 (16G77)"])
    #expect(group.sample == folder + "/again.crash")
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
    #expect(result.status == 0)
    #expect(result.standardError == "2 reports in 1 group; 1 file holds no report\n")
    let found = try JSONDecoder().decode(Document.self, from: Data(result.standardOutput))
    #expect(found.groups.map(\.key) == [Self.storySignature])
    #expect(found.groups.first?.count == 2)
    #expect(found.groups.first?.sample == "queue/7")
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
    #expect(alone.status == 0)
    #expect(alone.outputText.hasPrefix("<!DOCTYPE html>"))
    #expect(!alone.outputText.contains("<a "))
    let result = try await run(["in", "--output-dir", "in/out"])
    #expect(result.status == 0)
    #expect(result.standardOutput.isEmpty)
    let index = String(
      decoding: try Fixtures.bytes(of: directory.path("in/out/index.html")), as: UTF8.self)
    let link = try #require(index.firstMatch(of: /href="(pages\/[0-9a-f]{16}\.html)"/)).1
    let page = String(
      decoding: try Fixtures.bytes(of: directory.path("in/out/\(link)")), as: UTF8.self)
    #expect(page.contains("GameData.swift:18"))
    // The pages are no reports of the next run.
    let again = try await run(["in", "--output-dir", "in/out"])
    #expect(again.standardError == result.standardError)
    #expect(try Fixtures.bytes(of: directory.path("in/out/index.html")) == Array(index.utf8))
    let merged = try await Program.symbolicate(["group", "in", "--output-dir", "x"])
    #expect(merged.status == 64)
    #expect(merged.standardError.contains("--output-dir needs --format html"))
    let onto = try await run(["in", "--output-dir", "in/../in"])
    #expect(onto.status == 64)
    #expect(onto.standardError.contains("in is the directory of the reports"))
    // A report is not overwritten.
    try directory.makeDirectory("other")
    try directory.copy(Fixtures.storyReport, to: "other/index.html")
    let refused = try await run(["other/index.html", "--output-dir", "other"])
    #expect(refused.status == 64)
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
    #expect(result.status == 0)
    for found in [
      try await document([directory.path + "/written"]),
      try JSONDecoder().decode(Document.self, from: Data(result.standardOutput)),
    ] {
      #expect(found.groups.map(\.key) == [Self.storySignature])
      #expect(found.groups.map(\.sample) == [Fixtures.storyReport])
      #expect(found.groups.first?.first == "2019-07-31T18:32:24.358Z")
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
    #expect(found.groups.map(\.key) == [key])
  }

  @Test func csv() async throws {
    let result = try await Program.symbolicate([
      "group", Fixtures.storyReport, "-d", Fixtures.storyBundle, "--format", "csv",
    ])
    let rows = result.outputText.components(separatedBy: "\r\n")
    #expect(
      rows.first
        == "count,share,devices,first,last,signature,hash,app versions,os versions,sample")
    #expect(rows.count == 3)
    #expect(
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
    #expect(result.status == 66)
    #expect(result.outputText.contains(Self.storySignature.prefix(40)))
    #expect(
      result.standardError.components(separatedBy: "\n").suffix(4) == [
        "1 report in 1 group; 1 file holds no report",
        "symbolicate: error: cannot read the report \(missing): No such file or directory",
        "symbolicate: error: no report found in \(notes)", "",
      ])
    let alone = try await Program.symbolicate(["group", notes])
    #expect(alone.status == 65 && alone.outputText == "")
    try directory.makeDirectory("empty")
    let none = try await Program.symbolicate(["group", directory.path + "/empty", "-q"])
    #expect(none.status == 65)
    #expect(
      none.standardError
        == "symbolicate: error: no report found; give crash reports, or directories of them\n")
  }

  @Test func damagedLines() async throws {
    let written = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--format", "ndjson",
    ])
    let input = written.standardOutput + Array("{\"half\":\n".utf8) + written.standardOutput
    let result = try await Program.run(
      Program.builtProgramPath, ["group", "-"], input: input)
    #expect(result.status == 65)
    #expect(
      result.standardError == """
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
      #expect(result.status == 66 && result.outputText == "")
      #expect(
        result.standardError
          == "symbolicate: error: \(bad):2: expected 'drop PATTERN', 'app PATTERN' or 'system PATTERN', found 'omit GameData*'\n"
      )
    }
    let found = try await document([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--rules", directory.path + "/good.rules",
    ])
    #expect(found.groups.first?.key?.contains("GameData") == false)
  }

  @Test(arguments: [
    (["group"], "give at least one report, directory or '-'"),
    (["group", "a", "--top", "0"], "--top needs a number above 0, not 0"),
    (
      ["group", "a", "--merge", "--by", "line"],
      "--merge cannot be combined with --by: the groups say what they are made by"
    ),
  ])
  func wrongUsage(arguments: [String], message: String) async throws {
    let result = try await Program.symbolicate(arguments)
    #expect(result.status == 64)
    #expect(result.standardError.contains(message))
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
    #expect(result.status == 65)
    #expect(
      result.standardError.contains(
        "\(paths[1]):1: this group is made by version, and those before it by line; merge groups made with the same --by"
      ))
    let asReports = try await Program.symbolicate(["group", paths[0]])
    #expect(asReports.status == 65)
    #expect(
      asReports.standardError.contains(
        "\(paths[0]) has groups, not reports; merge it with 'symbolicate group --merge'"))
  }

  /// A file of something else is named by its first lines.
  @Test func wrongFile() async throws {
    let directory = try TemporaryDirectory()
    try directory.write(Array(String(repeating: "abc\n", count: 30).utf8), to: "words")
    let path = directory.path("words")
    let result = try await Program.symbolicate(["group", "--merge", path])
    #expect(result.status == 65)
    let lines = result.standardError.split(separator: "\n")
    #expect(lines.filter { $0.contains("expected a line of") }.count == 10)
    #expect(lines.contains("symbolicate: error: \(path): 30 lines in all cannot be merged"))
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
    #expect(merged.status == 0, "\(merged.standardError)")
    #expect(merged.standardOutput == part.standardOutput)
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
    #expect(result.status == 65)
    #expect(result.standardError.contains("standard input:1: expected a line of"))
    let whole = try await Program.run(
      Program.builtProgramPath, ["group", "--merge", "-"], input: line + Array(" \r\n".utf8))
    #expect(whole.status == 0)
  }

  // MARK: Corpus

  /// Any division of the reports, in any order and with any number of threads, merges to the same
  /// bytes as one run.
  @Test(
    .enabled("there is no corpus (SYMBOLICATE_CORPUS)") { Corpus.path != nil },
    arguments: [2, 5])
  func divisionOfTheCorpus(partCount: Int) async throws {
    let reports = try #require(Corpus.path) + "/reports"
    let paths = try FileManager.default.subpathsOfDirectory(atPath: reports).sorted()
      .map { "\(reports)/\($0)" }.filter { $0.hasSuffix(".crash") || $0.hasSuffix(".ips") }
    try #require(paths.count > 100)
    let directory = try TemporaryDirectory()
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
      let whole = try await Program.symbolicate(["group", "--format", form] + paths)
      let merged = try await Program.symbolicate(["group", "--merge", "--format", form] + names)
      #expect(merged.standardOutput == whole.standardOutput)
      #expect(whole.outputText.contains("EXC_CRASH"))
    }
  }
}
