import TestSupport
import Testing

/// `--explain` writes to standard error, and does not change the output.
struct ExplainTests {
  @Test func linesOnStandardError() async throws {
    let arguments = [Fixtures.storyReport, "-d", Fixtures.storyBundle]
    let plain = try await Program.symbolicate(arguments)
    let explained = try await Program.symbolicate(arguments + ["--explain"])
    #expect(explained.status == 0)
    #expect(explained.standardOutput == plain.standardOutput)
    let lines = explained.standardError.split(separator: "\n").map(String.init)
    let source = "DWARF of \(Fixtures.storyDwarfFile) (matched by UUID), looked up at"
    #expect(
      lines.prefix(4) == [
        "reason (swiftRuntimeFailure, likely): a failed check in Swift code (nil, index, overflow, cast or precondition)",
        "  because of Exception Type: EXC_BREAKPOINT (SIGTRAP)",
        "  because of frame 0: GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
        "thread 0:",
      ])
    #expect(
      lines.dropFirst(4).prefix(3) == [
        "  0  Letter Shuffle  0x10024f19c GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:): \(source) 0x10002719c",
        "  1  Letter Shuffle  0x1002474e0 one-time initialization function for rounds: \(source) 0x10001f4df, the byte before the return address",
        "  2  libdispatch.dylib  0x1c64cc7d4: no name: no symbol file for libdispatch.dylib (UUID unknown, arm64)",
      ])
    // Three lines for the reason, one for the thread and one for each of 12 frames, inlined calls
    // included, then the usual messages.
    #expect(lines.count == 18)
    #expect(lines.dropFirst(16).first == "6 of 11 frames resolved")
  }
}
