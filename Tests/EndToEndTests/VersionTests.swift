import TestSupport
import Testing

/// `--version`: the version of `Version.swift`, and the commit that a release build states.
struct VersionTests {
  @Test func isThatOfTheSources() async throws {
    let source = String(
      decoding: try Fixtures.bytes(
        of: "\(Fixtures.packageDirectory)/Sources/symbolicate/Version.swift"), as: UTF8.self)
    let stated = try require(source.firstMatch(of: /let symbolicateVersion = "(.*)"/)?.1)
    let result = try await Program.symbolicate(["--version"])
    expectEqual(result.status, 0)
    expectEmpty(result.standardError)
    // `make build` states a commit: `symbolicate 0.1.0 (4e1695a4b2c1, 2026-11-23)`.
    let form = /symbolicate (\d+\.\d+\.\d+)( \([0-9a-f]{12}(, modified)?, \d{4}-\d\d-\d\d\))?\n/
    let match = try require(result.outputText.wholeMatch(of: form), "\(result.outputText)")
    expectEqual(match.1, stated)
  }

  @Test(arguments: [
    ["-V"], ["crash.ips", "--version"], ["index", "-V"], ["doctor", "--version"],
    ["atos", "-version"], ["atos", "--version"], ["atos", "-V"], ["atos", "-o", "x", "-version"],
  ])
  func otherSpellings(arguments: [String]) async throws {
    let result = try await Program.symbolicate(arguments)
    expectEqual(result.status, 0)
    expectEmpty(result.standardError)
    try await expectEqual(result.outputText, Program.symbolicate(["--version"]).outputText)
  }

  @Test func isTheSameForEachSubcommand() async throws {
    let version = try await Program.symbolicate(["--version"]).outputText
    let description = try await Program.symbolicate(["--experimental-dump-help"]).outputText
    let commands = description.matches(of: /"commandName" : "([a-z-]+)"/).map { String($0.1) }
    // `atos` has Apple's options, and `help` none.
    let subcommands = Set(commands).subtracting(["symbolicate", "atos", "help"])
    #expect(subcommands.count >= 5)
    for command in subcommands {
      let result = try await Program.symbolicate([command, "--version"])
      expectEqual(result.status, 0)
      expectEqual(result.outputText, version, "\(command)")
    }
  }
}
