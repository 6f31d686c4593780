import Foundation
import TestSupport
import Testing

/// Which files a run may open: those in places that the user gave, beside the report, and the
/// system's. A report states paths too, and they are never opened.
struct StatedPathTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  /// The example's report, beside nothing, with its program at `path`.
  private func report(programAt path: String) throws -> String {
    try directory.makeDirectory("reports")
    let text = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    let changed = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      line.contains("<a4b1de49") ? line.prefix { $0 != "/" } + path : line
    }
    return try directory.write(changed.joined(separator: "\n").utf8, to: "reports/c.crash")
  }

  /// The report names the very file that would answer.
  @Test func theProgramAtTheStatedPath() async throws {
    try directory.makeDirectory("elsewhere")
    try directory.copy(Fixtures.storyDwarfFile, to: "elsewhere/Letter Shuffle")
    try directory.copy(Fixtures.storyBundle, to: "elsewhere/Letter Shuffle.dSYM")
    let report = try report(programAt: directory.path("elsewhere/Letter Shuffle"))
    try expectNotEqual(
      Fixtures.bytes(of: report).count, Fixtures.bytes(of: Fixtures.storyReport).count)
    let alone = try await Program.symbolicate([report])
    try expectEqual(alone.standardOutput, Fixtures.bytes(of: report))
    let given = try await Program.symbolicate([report, "-d", directory.path("elsewhere")])
    expectContains(given.outputText, "GameViewController")
  }

  /// Opening it would wait forever.
  @Test(.timeLimit(.minutes(60))) func aPipeAtTheStatedPath() async throws {
    let pipe = directory.path("pipe")
    let made = try await Program.run("/usr/bin/mkfifo", [pipe])
    expectEqual(made.status, 0)
    let report = try report(programAt: pipe)
    for form in [[], ["--explain"], ["--source-context", "2"], ["--format", "json"]] {
      try await expectEqual(Program.symbolicate([report] + form).status, 0)
    }
    try await expectEqual(Program.symbolicate(["doctor", report]).status, 2)
  }
}

/// Devices that are given by name have no end.
struct EndlessInputTests {
  @Test(
    .timeLimit(.minutes(60)),
    arguments: [
      ["-d", "/dev/zero", Fixtures.storyReport], ["-d", "/dev/urandom", Fixtures.storyReport],
      ["index", "/dev/zero", "-o", "/dev/null/x"], ["uuid", "/dev/zero"], ["check", "/dev/zero"],
      ["atos", "-o", "/dev/zero", "0x1000"],
    ])
  func symbolFiles(arguments: [String]) async throws {
    let result = try await Program.symbolicate(arguments)
    expectTrue([0, 1, 65, 66].contains(result.status))
    expectContains(result.standardError, "/dev/")
  }
}

/// File names become arguments of other programs one by one, and never words of a shell.
struct NoShellTests {
  @Test func nothingRunsAShell() throws {
    let sources = URL(fileURLWithPath: Fixtures.packageDirectory + "/Sources")
    let files = try require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where ["swift", "c", "h"].contains(file.pathExtension) {
      count += 1
      let text = try String(contentsOf: file, encoding: .utf8)
      for line in text.split(separator: "\n") {
        let code = line.trimmingCharacters(in: .whitespaces)
        // The help of `dsym-for-uuid` shows a script for LLDB.
        if code == "#!/bin/sh", file.lastPathComponent == "DsymForUuidCommand.swift" { continue }
        // A worker puts this very program in its place.
        if code == "unsafe execve(program, arguments, environment)",
          file.lastPathComponent == "Restart.swift"
        {
          continue
        }
        // The kernel's words for a program that it did not start.
        if code.contains(": hook..execve() killing ") { continue }
        guard !code.hasPrefix("//") else { continue }
        for word in [
          "/bin/sh", "/bin/bash", "popen(", " system(", "execl", "execv", "posix_spawnp(",
          "wordexp(",
        ] {
          expectFalse(code.contains(word), "\(file.path): \(code)")
        }
      }
    }
    #expect(count > 400)
  }
}
