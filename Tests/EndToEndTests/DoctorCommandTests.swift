import Foundation
import TestSupport
import Testing

/// `symbolicate doctor` as a user runs it. DiagnosisTests has its sentences.
struct DoctorCommandTests {
  @Test func statuses() async throws {
    let report = "Fixtures/LetterShuffle/letter-shuffle.crash"
    let found = try await Program.symbolicate(
      ["doctor", report, "-d", Fixtures.storyBundle])
    #expect(found.status == 0)
    #expect(found.standardError == "")
    #expect(found.outputText.contains("6 of 6 frames resolved, all with lines.\n"))
    #expect(try await Program.symbolicate(["doctor", report]).status == 2)
    #expect(try await Program.symbolicate(["doctor", "Package.swift"]).status == 65)
    #expect(try await Program.symbolicate(["doctor", "/no/such/file"]).status == 66)
    #expect(try await Program.symbolicate(["doctor", report, "-d", "/no/such/file"]).status == 66)
    #expect(try await Program.symbolicate(["doctor"]).status == 64)
  }

  @Test func standardInput() async throws {
    let result = try await Program.symbolicate(
      ["doctor", "-", "-d", Fixtures.storyBundle],
      input: try Fixtures.bytes(of: Fixtures.storyReport)
    )
    #expect(result.status == 0)
    #expect(result.outputText.hasPrefix("standard input (Letter Shuffle 6 (1.3)): 6 of 11 frames"))
  }

  /// The last line of a run that misses symbols is a command that says why, and runs.
  @Test func runsPointToIt() async throws {
    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyReport, to: "it's here.crash")
    let run = try await Program.symbolicate(
      ["it's here.crash", "-d", Fixtures.path("Fat")], workingDirectory: directory.path)
    let line = try #require(run.standardError.split(separator: "\n").last)
    #expect(
      line
        == "to see why: symbolicate doctor 'it'\\''s here.crash' -d \(Fixtures.path("Fat"))")
    let command = line.dropFirst("to see why: symbolicate".count)
    let result = try await Program.run(
      "/bin/sh", ["-c", "'\(Program.builtProgramPath)'\(command)"],
      workingDirectory: directory.path)
    #expect(result.status == 2)
    #expect(result.outputText.contains(": no symbols found\n"))
    let complete = try await Program.symbolicate(
      ["it's here.crash", "-d", Fixtures.storyBundle], workingDirectory: directory.path)
    #expect(!complete.standardError.contains("doctor"))
  }
}
