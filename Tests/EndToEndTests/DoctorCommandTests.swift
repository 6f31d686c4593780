import Foundation
import Subprocess
import TestSupport
import Testing

/// `symbolicate doctor` as a user runs it. DiagnosisTests has its sentences.
struct DoctorCommandTests {
  @Test func statuses() async throws {
    let report = "Fixtures/LetterShuffle/letter-shuffle.crash"
    let found = try await Program.symbolicate(
      ["doctor", report, "-d", Fixtures.storyBundle])
    expectEqual(found.status, 0)
    expectEqual(found.standardError, "")
    expectContains(found.outputText, "6 of 6 frames resolved, all with lines.\n")
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyReport, to: "alone.crash")
    try await expectEqual(Program.symbolicate(["doctor", directory.path("alone.crash")]).status, 2)
    try await expectEqual(Program.symbolicate(["doctor", "Package.swift"]).status, 65)
    try await expectEqual(Program.symbolicate(["doctor", "/no/such/file"]).status, 66)
    try await expectEqual(
      Program.symbolicate(["doctor", report, "-d", "/no/such/file"]).status, 66)
    try await expectEqual(Program.symbolicate(["doctor"]).status, 64)
  }

  @Test func standardInput() async throws {
    let result = try await Program.symbolicate(
      ["doctor", "-", "-d", Fixtures.storyBundle],
      input: try Fixtures.bytes(of: Fixtures.storyReport)
    )
    expectEqual(result.status, 0)
    expectPrefix(result.outputText, "standard input (Letter Shuffle 6 (1.3)): 6 of 11 frames")
  }

  /// The last line of a run that misses symbols is a command that says why, and runs.
  @Test func runsPointToIt() async throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyReport, to: "it's here.crash")
    let run = try await Program.symbolicate(
      ["it's here.crash", "-d", Fixtures.path("Fat")], workingDirectory: directory.path)
    let line = try require(run.standardError.split(separator: "\n").last)
    expectEqual(
      line,
      "symbolicate: note: to see why: symbolicate doctor 'it'\\''s here.crash' -d \(Fixtures.path("Fat"))"
    )
    let command = line.dropFirst("symbolicate: note: to see why: symbolicate".count)
    let result = try await Program.run(
      "/bin/sh", ["-c", "'\(Program.builtProgramPath)'\(command)"],
      workingDirectory: directory.path)
    expectEqual(result.status, 2)
    expectContains(result.outputText, ": no symbols found\n")
    let complete = try await Program.symbolicate(
      ["it's here.crash", "-d", Fixtures.storyBundle], workingDirectory: directory.path)
    expectFalse(complete.standardError.contains("doctor"))
  }

  /// The command in the last line, read by a shell, with this program.
  private func runNextStep(
    _ output: String, in directory: TemporaryDirectory
  ) async throws -> ProgramResult {
    let line = try require(output.split(separator: "\n").last)
    try require(line.hasPrefix("Next: symbolicate "))
    let command = "'\(Program.builtProgramPath)'" + line.dropFirst("Next: symbolicate".count)
    return try await Program.run(
      "/bin/sh", ["-c", command],
      environment: ["XDG_CACHE_HOME": directory.path("cache")],
      workingDirectory: directory.path)
  }

  private func doctor(
    _ arguments: [String], in directory: TemporaryDirectory
  ) async throws -> ProgramResult {
    try await Program.symbolicate(
      ["doctor"] + arguments, workingDirectory: directory.path, cache: directory.path("cache"))
  }

  /// Each way to say where symbols are comes back in the last line, and that line runs.
  @Test func theNextStepRuns() async throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("my reports")
    try directory.makeDirectory("it's/deep")
    try directory.copy(Fixtures.storyReport, to: "my reports/-1.crash")
    try directory.copy(Fixtures.storyBundle, to: "it's/deep/App.dSYM")
    let packed = try await Program.run(
      try require(Program.path(of: "zip")), ["-qr", "a b.zip", "it's"],
      workingDirectory: directory.path)
    expectEqual(packed.status, 0)
    for arguments in [
      ["-s", "it's"], ["-d", "it's/deep/App.dSYM"], ["-d", "a b.zip"],
      ["-d", "it's", "--offline", "--symbol-server", "https://symbols.invalid,ssqp"],
    ] {
      let result = try await doctor(["my reports/-1.crash"] + arguments, in: directory)
      expectEqual(result.status, 0, "\(result.standardError)")
      let next = try await runNextStep(result.outputText, in: directory)
      expectEqual(next.status, 0)
      expectContains(next.standardError, "6 of 11 frames resolved\n", "\(next.standardError)")
    }
    // Beside the report, nothing need be said.
    try directory.copy(directory.path("a b.zip"), to: "my reports/dSYMs.zip")
    let beside = try await doctor(["my reports/-1.crash"], in: directory)
    expectEqual(beside.status, 0)
    expectSuffix(beside.outputText, "\nNext: symbolicate 'my reports/-1.crash'\n")
    let next = try await runNextStep(beside.outputText, in: directory)
    expectContains(next.standardError, "6 of 11 frames resolved\n")
    // What is not a report.
    let archive = try await doctor(["a b.zip"], in: directory)
    expectEqual(archive.status, 65)
    let uuids = try await runNextStep(archive.outputText, in: directory)
    expectEqual(uuids.status, 0)
    expectContains(uuids.outputText, "A4B1DE49-70B3-301D-A644-58D6BC22F513 (arm64) a b.zip/it's/")
  }

  @Test func environmentAndWarnings() async throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyReport, to: "crash.crash")
    try directory.makeDirectory("symbols")
    try directory.copy(Fixtures.storyBundle, to: "symbols/App.dSYM")
    let result = try await Program.run(
      Program.builtProgramPath, ["doctor", "crash.crash", "-s", "absent"],
      environment: [
        "XDG_CACHE_HOME": directory.path("cache"),
        "SYMBOLICATE_SYMBOL_PATH": directory.path("symbols"),
      ],
      workingDirectory: directory.path)
    expectEqual(result.status, 0)
    expectEqual(
      result.standardError,
      "symbolicate: warning: cannot search absent: there is no such directory\n")
    expectContains(result.outputText, "; it was found in a search directory.\n")
    expectSuffix(result.outputText, "\nNext: symbolicate crash.crash -s absent\n")
  }
}
