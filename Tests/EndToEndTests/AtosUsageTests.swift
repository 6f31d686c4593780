import TestSupport
import Testing

/// The messages of `atos` when it cannot answer: Apple's words if they are known, always with
/// status 1.
struct AtosUsageTests {
  private func atos(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.symbolicate(["atos"] + arguments)
  }

  @Test func withoutASymbolFile() async throws {
    let result = try await atos(["0x1000"])
    expectEqual(result.status, 1)
    expectEmpty(result.standardOutput)
    expectTrue(
      result.standardError.hasPrefix(
        "[invalid usage]: no processes or executables specified\n\nUsage: atos "))
  }

  @Test(arguments: [
    ["-l", "1", "-s", "1"], ["-offset", "-l", "1"], ["-textExecAddress", "1", "-offset"],
  ])
  func withSeveralAddressings(options: [String]) async throws {
    let result = try await atos(["-o", Fixtures.storyBundle] + options + ["1000"])
    expectEqual(result.status, 1)
    expectTrue(
      result.standardError.hasPrefix(
        "Only one of -s, -l, -textExecAddress or -offset can be passed\n"))
  }

  @Test(arguments: [["-p", "123"], ["-printHeader"], ["-p", "Finder", "-o", "x"]])
  func withALiveProcess(options: [String]) async throws {
    let result = try await atos(options)
    expectEqual(result.status, 1)
    expectContains(result.standardError, "examines live processes")
  }

  @Test(arguments: [
    (["-x"], "unknown option -x"), (["--nothing"], "unknown option --nothing"),
    (["-o"], "-o needs a value"), (["-l"], "-l needs a value"),
    (["-o", "x", "-l", "here"], "-l needs a hexadecimal address, not 'here'"),
  ])
  func withWrongOptions(arguments: [String], message: String) async throws {
    let result = try await atos(arguments)
    expectEqual(result.status, 1)
    expectTrue(result.standardError.contains(message))
  }

  @Test func withAFileThatCannotBeUsed() async throws {
    let directory = try TemporaryDirectory()
    try directory.makeDirectory("Nothing.dSYM")
    let cases = [
      (directory.path("missing"), "No such file or directory"),
      (try directory.write("hello".utf8, to: "text"), "text is text, not a symbol file"),
      (try directory.write([], to: "empty"), "is empty"),
      (directory.path, "is a directory"),
      (directory.path("Nothing.dSYM"), "has no DWARF file in Contents/Resources/DWARF"),
      (
        try directory.write(
          try Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(1000), to: "short"),
        "is cut short or damaged"
      ),
    ]
    for (path, message) in cases {
      let result = try await atos(["-arch", "arm64", "-o", path, "0x1000"])
      expectEqual(result.status, 1)
      expectEmpty(result.standardOutput)
      expectTrue(
        result.standardError.hasPrefix(
          "atos cannot load symbols for the file \(path) for architecture arm64.\natos: "))
      expectTrue(result.standardError.contains(message))
    }
  }

  @Test func withAnArchitectureThatTheFileLacks() async throws {
    let result = try await atos(["-o", Fixtures.storyBundle, "-arch", "x86_64", "1000"])
    expectEqual(result.status, 1)
    expectContains(result.standardError, "has no x86_64 slice; it has arm64")
  }

  @Test func helpGoesToStandardOutput() async throws {
    for option in ["--help", "-help"] {
      let result = try await atos([option])
      expectEqual(result.status, 0)
      expectPrefix(result.outputText, "Usage: atos ")
      expectEmpty(result.standardError)
    }
  }

  /// Settings that are no limits are refused, as by the other commands, and messages name what
  /// `atos` has: the environment.
  @Test(arguments: [
    ("SYMBOLICATE_LIMITS", "units=x", "SYMBOLICATE_LIMITS: units needs a number above 0, not 'x'."),
    ("SYMBOLICATE_LIMITS", "unit=1", "SYMBOLICATE_LIMITS: a limit is NAME=VALUE, with one of the"),
    ("SYMBOLICATE_MEMORY", "little", "SYMBOLICATE_MEMORY needs a size from "),
  ])
  func withWrongLimits(variable: String, value: String, message: String) async throws {
    let result = try await Program.run(
      "/usr/bin/env",
      ["\(variable)=\(value)", Program.builtProgramPath, "atos", "-o", Fixtures.storyBundle, "1"])
    expectEqual(result.status, 1)
    expectEmpty(result.standardOutput)
    expectPrefix(result.standardError, "atos: \(message)", "\(result.standardError)")
  }

  // MARK: Addresses outside the image

  /// `llvm-readobj --macho-segment` lists the segments of the story's dSYM. Those that are loaded,
  /// without `__LINKEDIT`, reach from 0x100000000 to 0x100040000.
  private static let outside =
    "atos: 0x10024f19c is not in Letter Shuffle (0x100000000-0x100040000); is -l LOAD_ADDRESS missing?\n"

  @Test func anAddressOutsideWithoutALoadAddress() async throws {
    let result = try await atos(["-o", Fixtures.storyBundle, "0x10024f19c"])
    expectEqual(result.status, 0)
    expectEqual(result.outputText, "0x10024f19c\n")
    expectEqual(result.standardError, Self.outside)
  }

  /// It is said once, about the first address, however many there are and wherever they come from.
  @Test func manyAddressesOutside() async throws {
    let words = ["10024f19c"] + (1...3000).map { String(0x2_0000_0000 + $0, radix: 16) }
    let expected = words.map { $0 + "\n" }.joined()
    let given = try await atos(["-o", Fixtures.storyBundle] + words)
    expectEqual(given.outputText, expected)
    expectEqual(given.standardError, Self.outside)
    let piped = try await Program.symbolicate(
      ["atos", "-o", Fixtures.storyBundle], input: Array(expected.utf8))
    expectEqual(piped.outputText, expected)
    expectEqual(piped.standardError, Self.outside)
  }

  /// With a load address, a slide or offsets, something else is wrong; and words that are not
  /// addresses are not outside.
  @Test(arguments: [
    ["-l", "0x100228000", "0x1"], ["-s", "0x1000", "0x1"], ["-offset", "0xffffffff"], ["main"],
  ])
  func nothingToSay(arguments: [String]) async throws {
    let result = try await atos(["-o", Fixtures.storyBundle] + arguments)
    expectEqual(result.status, 0)
    expectEqual(result.standardError, "")
  }
}
