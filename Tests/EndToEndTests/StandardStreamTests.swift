import TestSupport
import Testing

/// `symbolicate` in pipes and with streams that are closed.
struct StandardStreamTests {
  private func shell(_ command: String) async throws -> ProgramResult {
    try await Program.run(
      "/bin/sh",
      ["-c", command, Program.builtProgramPath, Fixtures.storyReport, Fixtures.storyBundle])
  }

  @Test func closedStreams() async throws {
    try await expectEqual(shell("exec \"$0\" <&-").status, 66)
    try await expectEqual(shell("exec \"$0\" \"$1\" -d \"$2\" >&-").status, 74)
    let silent = try await shell("exec \"$0\" \"$1\" -d \"$2\" 2>&-")
    expectEqual(silent.status, 0)
    expectEqual(
      silent.standardOutput, (try await shell("exec \"$0\" \"$1\" -d \"$2\"")).standardOutput)
  }

  @Test func aReaderThatLeavesEarly() async throws {
    let result = try await shell("\"$0\" \"$1\" -d \"$2\" 2>&- | head -c 10")
    expectEqual(result.outputText, #"{"app_name"#)
  }

  /// Larger than what a pipe holds, and with no end in sight of the reads.
  @Test func largeInputsThroughPipes() async throws {
    let story = try Fixtures.bytes(of: Fixtures.storyReport)
    let filler = [UInt8](repeating: UInt8(ascii: "x"), count: 99) + [UInt8(ascii: "\n")]
    var input = story
    input.reserveCapacity(20_000_000)
    for _ in 0..<150_000 { input += filler }
    let result = try await Program.symbolicate(["-d", Fixtures.storyBundle], input: input)
    let expected = try ExpectedOutput.bytes(of: "letter-shuffle.crash")
    expectEqual(result.status, 0)
    expectTrue(result.standardOutput.starts(with: expected))
    expectEqual(result.standardOutput.count, expected.count + 150_000 * 100)
  }

  @Test func theReportMayComeLast() async throws {
    let turned = try await Program.symbolicate([Fixtures.storyBundle, Fixtures.storyReport])
    expectEqual(turned.status, 0)
    expectContains(turned.standardError, "6 of 11 frames resolved")
    let file = try await Program.symbolicate([Fixtures.storyDwarfFile, Fixtures.storyReport])
    expectEqual(file.standardOutput, turned.standardOutput)
  }

  @Test func needsAReport() async throws {
    let bundle = try await Program.symbolicate([Fixtures.storyBundle])
    expectEqual(bundle.status, 66)
    expectContains(bundle.standardError, "Is a directory; give the report first")
    let file = try await Program.symbolicate([Fixtures.storyDwarfFile])
    expectEqual(file.status, 65)
    expectContains(file.standardError, "is a Mach-O or ELF file; give the report first")
  }
}
