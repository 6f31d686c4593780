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
    #expect(try await shell("exec \"$0\" <&-").status == 66)
    #expect(try await shell("exec \"$0\" \"$1\" -d \"$2\" >&-").status == 74)
    let silent = try await shell("exec \"$0\" \"$1\" -d \"$2\" 2>&-")
    #expect(silent.status == 0)
    #expect(
      silent.standardOutput == (try await shell("exec \"$0\" \"$1\" -d \"$2\"")).standardOutput)
  }

  @Test func aReaderThatLeavesEarly() async throws {
    let result = try await shell("\"$0\" \"$1\" -d \"$2\" 2>&- | head -c 10")
    #expect(result.outputText == #"{"app_name"#)
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
    #expect(result.status == 0)
    #expect(result.standardOutput.starts(with: expected))
    #expect(result.standardOutput.count == expected.count + 150_000 * 100)
  }

  @Test func theReportMayComeLast() async throws {
    let turned = try await Program.symbolicate([Fixtures.storyBundle, Fixtures.storyReport])
    #expect(turned.status == 0)
    #expect(turned.standardError.contains("6 of 11 frames resolved"))
    let file = try await Program.symbolicate([Fixtures.storyDwarfFile, Fixtures.storyReport])
    #expect(file.standardOutput == turned.standardOutput)
  }

  @Test func needsAReport() async throws {
    let bundle = try await Program.symbolicate([Fixtures.storyBundle])
    #expect(bundle.status == 66)
    #expect(bundle.standardError.contains("Is a directory; give the report first"))
    let file = try await Program.symbolicate([Fixtures.storyDwarfFile])
    #expect(file.status == 65)
    #expect(file.standardError.contains("is a Mach-O or ELF file; give the report first"))
  }
}
