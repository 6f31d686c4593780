import Foundation
import Platform
import TestSupport
import Testing

/// `symbolicate DIRECTORY`: all reports below a directory.
struct DirectoryRunTests {
  private let directory: TemporaryDirectory
  private let symbolicated: [UInt8]

  /// Twice the story's report in folders, another format, files without reports, and what must not
  /// be opened.
  init() throws {
    directory = try TemporaryDirectory()
    symbolicated = try ExpectedOutput.bytes(of: "letter-shuffle.crash")
    for folder in ["in/b", "in/a/deep", "in/.hidden", "in/App.dSYM/Contents/Resources/DWARF"] {
      try directory.makeDirectory(folder)
    }
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    for name in ["in/z.crash", "in/a/deep/z.crash", "in/.hidden/x.crash", "in/App.dSYM/x.crash"] {
      try directory.write(report, to: name)
    }
    try directory.copy(
      Fixtures.path("SwiftBacktrace/Reports/\(Self.swiftReport)"), to: "in/b/swift.txt")
    try directory.write("notes\n".utf8, to: "in/readme.md")
    try directory.copy(Fixtures.storyDwarfFile, to: "in/b/binary")
  }

  private static let swiftReport = "bank-fast.log"

  private func run(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.symbolicate(
      arguments + ["-d", Fixtures.storyBundle], workingDirectory: directory.path)
  }

  // MARK: A file for each report

  @Test func writesAFileForEachReportAndKeepsFolders() async throws {
    let result = try await run(["in", "--output-dir", "new/out"])
    expectEqual(result.status, 0)
    expectEmpty(result.standardOutput)
    let written = directory.files(below: "new/out")
    expectEqual(written.keys.sorted(), ["a/deep/z.crash", "b/swift.txt", "z.crash"])
    expectEqual(written["z.crash"], symbolicated)
    expectEqual(written["a/deep/z.crash"], symbolicated)
    let lines = result.standardError.split(separator: "\n").map(String.init)
    expectEqual(lines.first, "3 reports: 2 crash text, 1 Swift backtrace")
    expectContains(lines, "symbolicate: note: 1 file holds no report: in/readme.md")
    expectContains(lines, "symbolicate: note: not read: 1 symbol file, 1 bundle")
  }

  @Test func eachFileIsWhatTheReportAloneGives() async throws {
    for form in [["--format", "json"], ["--format", "crash"], ["--summary"]] {
      _ = try await run(["in", "--output-dir", "out"] + form)
      for (name, content) in directory.files(below: "out") {
        let stem = name.split(separator: ".").first ?? ""
        let report = stem == "b/swift" ? "in/b/swift.txt" : "in/\(stem).crash"
        try await expectEqual(run([report] + form).standardOutput, content, "\(name)")
      }
      try directory.remove("out")
    }
  }

  @Test(arguments: [
    (["--format", "json"], ".json"), (["--format", "ndjson"], ".ndjson"),
    (["--format", "crash"], ".crash"), (["--summary"], ".txt"),
  ])
  func namesFilesAfterTheFormat(form: [String], suffix: String) async throws {
    let result = try await run(["in/z.crash", "--output-dir", "out"] + form)
    expectEqual(result.status, 0)
    expectEqual(directory.files(below: "out").keys.sorted(), ["z\(suffix)"])
  }

  @Test func oneJobAndFourWriteTheSameBytes() async throws {
    for form in [[], ["--format", "ndjson"]] {
      let one = try await run(["in", "--output-dir", "one", "--jobs", "1"] + form)
      let four = try await run(["in", "--output-dir", "four", "--jobs", "4"] + form)
      expectEqual(directory.files(below: "one"), directory.files(below: "four"))
      expectFalse(directory.files(below: "one").isEmpty)
      expectEqual(one.standardError, four.standardError)
      let oneStream = try await run(["in", "--jobs", "1"] + form)
      let fourStream = try await run(["in", "--jobs", "4"] + form)
      expectEqual(oneStream.standardOutput, fourStream.standardOutput)
      try directory.remove("one")
      try directory.remove("four")
    }
  }

  @Test func doesNotReadTheDirectoryForResults() async throws {
    let first = try await run(["in", "--output-dir", "in/out"])
    let second = try await run(["in", "--output-dir", "in/out"])
    expectEqual(first.status, 0)
    expectEqual(second.standardError, first.standardError)
    expectEqual(directory.files(below: "in/out").count, 3)
  }

  @Test func refusesTheDirectoryOfTheReportsItself() async throws {
    let result = try await run(["in", "--output-dir", "in/../in", "--format", "json"])
    expectEqual(result.status, 64)
    expectEqual(
      result.standardError,
      "symbolicate: error: in is the directory of the reports; choose another directory, or use --in-place to replace the reports\n"
    )
  }

  @Test func replacesReportsInPlace() async throws {
    let before = directory.files(below: "in")
    let result = try await run(["in", "--in-place"])
    expectEqual(result.status, 0)
    let after = directory.files(below: "in")
    expectEqual(after["z.crash"], symbolicated)
    expectEqual(after["a/deep/z.crash"], symbolicated)
    for name in ["readme.md", "b/binary", ".hidden/x.crash", "App.dSYM/x.crash"] {
      expectEqual(after[name], before[name])
    }
  }

  /// Somebody else's archive may have such links.
  @Test func linksThatLeadOutOfTheDirectoryAreNotReplacedInPlace() async throws {
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    try directory.makeDirectory("outside/folder")
    for name in ["outside/a.crash", "outside/folder/b.crash"] {
      try directory.write(report, to: name)
    }
    try directory.link("in/a.crash", to: "../outside/a.crash")
    try directory.link("in/c", to: "../outside/folder")
    try directory.link("in/b/own.crash", to: "../z.crash")
    let result = try await run(["in", "--in-place"])
    expectEqual(result.status, 73)
    for path in ["in/a.crash", "in/c/b.crash"] {
      expectTrue(
        result.standardError.contains(
          "\(path) leads to a file outside of the directory, and is left as it is; name the report to replace it\n"
        ))
    }
    for name in ["outside/a.crash", "outside/folder/b.crash"] {
      try expectEqual(directory.bytes(of: name), report)
    }
    try expectEqual(directory.bytes(of: "in/z.crash"), symbolicated)
    expectEqual(try await run(["in/a.crash", "--in-place"]).status, 0)
    try expectEqual(directory.bytes(of: "outside/a.crash"), symbolicated)
  }

  // MARK: Streams

  @Test func printsReportsOneAfterTheOther() async throws {
    let result = try await run(["in"])
    expectEqual(result.status, 0)
    let swift = try await run(["in/b/swift.txt"]).standardOutput
    expectEqual(result.standardOutput, symbolicated + swift + symbolicated)
  }

  @Test func everyLineOfNdjsonIsARecord() async throws {
    try directory.link("in/gone.crash", to: "nowhere")
    let result = try await run(["in", "--format", "ndjson", "-o", "all.ndjson"])
    expectEqual(result.status, 66)
    let python = try require(Program.path(of: "python3"))
    let script = """
      import json, sys
      for line in open(sys.argv[1], encoding="utf-8", newline="\\n"):
        record = json.loads(line)
        print(record["input"], record["error"]["code"] if "error" in record else record["format"])
      """
    let read = try await Program.run(python, ["-c", script, directory.path("all.ndjson")])
    expectEqual(read.standardError, "")
    expectEqual(
      read.outputText,
      """
      in/a/deep/z.crash crashTextWithJsonHeader
      in/b/swift.txt swiftBacktrace
      in/gone.crash unreadable
      in/readme.md no-report
      in/z.crash crashTextWithJsonHeader

      """)
  }

  // MARK: What goes wrong

  @Test func opensNoPipeAndFollowsNoLoop() async throws {
    unsafe expectEqual(mkfifo(directory.path("in/pipe.crash"), 0o600), 0)
    try directory.link("in/a/loop", to: "..")
    try directory.link("in/self.crash", to: "self.crash")
    let result = try await run(["in", "--output-dir", "out"])
    expectEqual(result.status, 0)
    expectEqual(directory.files(below: "out").count, 3)
    let lines = result.standardError.split(separator: "\n").map(String.init)
    #expect(!result.standardError.contains("self.crash"))
    expectContains(lines, "symbolicate: note: not read: 1 symbol file, 1 bundle, 1 pipe or device")
  }

  @Test func aDirectoryWithoutReports() async throws {
    try directory.makeDirectory("empty")
    let result = try await run(["empty"])
    expectEqual(result.status, 65)
    expectEmpty(result.standardOutput)
    expectEqual(
      result.standardError,
      """
      no report was symbolicated
      symbolicate: error: no report in empty; directories of symbol files are given with -d

      """)
  }

  @Test func severalDirectories() async throws {
    try directory.makeDirectory("other")
    try directory.write(try Fixtures.bytes(of: Fixtures.storyReport), to: "other/z.crash")
    let result = try await run(["in", "other", "in/a", "--format", "ndjson"])
    expectEqual(result.status, 0)
    // What lies in two of the directories is read once.
    let names = result.outputText.split(separator: "\n").compactMap {
      $0.split(separator: "\"").dropFirst(8).first.map(String.init)
    }
    expectEqual(names.count, 5)
    let clash = try await run(["in", "other", "--output-dir", "out"])
    expectEqual(clash.status, 73)
    expectEqual(
      clash.standardError,
      "symbolicate: error: the results of in/z.crash and other/z.crash would both be out/z.crash, so nothing was written; symbolicate them in separate runs, each with its own directory\n"
    )
    expectFalse(FileManager.default.fileExists(atPath: directory.path("out")))
  }

  @Test func aDirectoryBesideAReportIsSearchedForSymbols() async throws {
    let result = try await Program.symbolicate(
      [Fixtures.storyReportAlone, Fixtures.path("LetterShuffle")],
      workingDirectory: directory.path)
    expectEqual(result.status, 0)
    expectEqual(result.standardOutput, symbolicated)
  }

  // MARK: Resuming

  @Test func skipsReportsWhoseResultsExist() async throws {
    try directory.makeDirectory("out/a/deep")
    try directory.write("kept".utf8, to: "out/a/deep/z.crash")
    let result = try await run(["in", "--output-dir", "out", "--skip-existing"])
    expectEqual(result.status, 0)
    expectEqual(directory.files(below: "out")["a/deep/z.crash"], Array("kept".utf8))
    expectEqual(directory.files(below: "out")["z.crash"], symbolicated)
    let lines = result.standardError.split(separator: "\n").map(String.init)
    expectContains(lines, "1 report skipped, because the results exist")
    let again = try await run(["in", "--output-dir", "out", "--skip-existing"])
    expectEqual(again.status, 0)
    expectPrefix(again.standardError, "no report was symbolicated\n3 reports skipped")
  }

  /// Killed at some moment, a run leaves only whole results; another one makes the rest.
  @Test func resumesARunThatWasKilled() async throws {
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    try directory.makeDirectory("many")
    for number in 0..<300 { try directory.write(report, to: "many/\(number).crash") }
    let arguments = ["many", "--output-dir", "out", "-d", Fixtures.storyBundle]
    let kill = """
      import os, signal, subprocess, sys, time
      environment = dict(os.environ, XDG_CACHE_HOME="/dev/null")
      child = subprocess.Popen(sys.argv[1:], stderr=subprocess.DEVNULL, env=environment)
      while child.poll() is None:
        if os.path.isdir("out") and len(os.listdir("out")) > 20:
          child.send_signal(signal.SIGKILL)
          break
        time.sleep(0.001)
      child.wait()
      """
    let python = try require(Program.path(of: "python3"))
    let killed = try await Program.run(
      python, ["-c", kill, Program.builtProgramPath] + arguments,
      workingDirectory: directory.path)
    expectEqual(killed.status, 0)
    let results = directory.files(below: "out").filter { !$0.key.hasPrefix(".") }
    #expect(results.count > 10)
    for (name, content) in results { expectEqual(content, symbolicated, "\(name)") }
    let resumed = try await Program.symbolicate(
      arguments + ["--skip-existing"], workingDirectory: directory.path)
    expectEqual(resumed.status, 0)
    let all = directory.files(below: "out").filter { !$0.key.hasPrefix(".") }
    expectEqual(Set(all.keys), Set((0..<300).map { "\($0).crash" }))
    expectTrue(all.values.allSatisfy { $0 == symbolicated })
    // The numbers of the two runs add up.
    let done = 300 - results.count
    expectTrue(
      done == 0 || resumed.standardError.contains("\(done) report\(done == 1 ? "" : "s"): "))
    expectContains(resumed.standardError, "\(results.count) reports skipped")
  }

  // MARK: The summary

  /// The expected numbers come from the texts that the test writes.
  @Test func theSummaryCountsWhatTheReportsHave() async throws {
    let text = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    let uuids =
      ["a4b1de4970b3301da64458d6bc22f513"] + (1...3).map { String(repeating: "\($0)", count: 32) }
    // Reports that want each UUID; the dSYM has the first.
    let copies = [2, 1, 4, 3]
    try directory.makeDirectory("counted")
    for (uuid, count) in zip(uuids, copies) {
      for number in 0..<count {
        try directory.write(
          text.replacing(uuids[0], with: uuid).utf8, to: "counted/\(uuid)-\(number).crash")
      }
    }
    let python = try require(Program.path(of: "python3"))
    let script = #"""
      import collections, os, re
      frames = found = 0
      wanted = collections.Counter()
      for name in os.listdir("counted"):
        text = open(os.path.join("counted", name), encoding="utf-8").read().replace("\u00a0", " ")
        lines = re.findall(r"^\d+ +(.+?) +0x[0-9a-f]+ 0x", text, re.M)
        uuid = re.search(r"Letter Shuffle arm64\s+<([0-9a-f]+)>", text).group(1)
        frames += len(lines)
        if uuid.startswith("a4b1"): found += lines.count("Letter Shuffle")
        else: wanted[uuid] += 1
      print(f"{found} of {frames} frames resolved")
      for uuid, count in wanted.most_common():
        print(uuid, count, lines.count("Letter Shuffle"))
      """#
    let counted = try await Program.run(
      python, ["-c", script], workingDirectory: directory.path)
    expectEqual(counted.standardError, "")
    var expected = counted.outputText.split(separator: "\n").map(String.init)
    try require(expected.count == 4)
    let result = try await run(["counted", "--output-dir", "out"])
    let lines = result.standardError.split(separator: "\n").map(String.init)
    expectEqual(lines.first, "10 reports: 10 crash text")
    expectEqual(lines.dropFirst().first, expected.removeFirst())
    expectEqual(expected.count, 3)
    let start = try require(
      lines.firstIndex(
        of:
          "symbolicate: warning: no symbols for 3 images; give their dSYMs or ELF files with -d:"))
    for (line, row) in zip(lines[(start + 1)...], expected) {
      let words = row.split(separator: " ")
      let uuid = words[0].uppercased()
      let digits = line.filter { $0 != "-" }
      expectTrue(digits.contains(uuid), "\(line)")
      let frames = (Int(words[1]) ?? 0) * (Int(words[2]) ?? 0)
      let reports = words[1] == "1" ? "1 report" : "\(words[1]) reports"
      expectSuffix(line, " (arm64) Letter Shuffle: \(reports), \(frames) frames", "\(line)")
    }
  }
}
