import TestSupport
import Testing

/// `--explain` writes to standard error, and does not change the output.
struct ExplainTests {
  @Test func linesOnStandardError() async throws {
    let arguments = [Fixtures.storyReport, "-d", Fixtures.storyBundle]
    let plain = try await Program.symbolicate(arguments)
    let explained = try await Program.symbolicate(arguments + ["--explain"])
    expectEqual(explained.status, 0)
    expectEqual(explained.standardOutput, plain.standardOutput)
    let lines = explained.standardError.split(separator: "\n").map(String.init)
    let source = "DWARF of \(Fixtures.storyDwarfFile) (matched by UUID), looked up at"
    expectEqual(
      lines.prefix(11),
      [
        "reason (swiftRuntimeFailure, likely): a failed check in Swift code (nil, index, overflow, cast or precondition)",
        "  because of Exception Type: EXC_BREAKPOINT (SIGTRAP)",
        "  because of frame 0: GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
        "signature 57732f7ac38603df: EXC_BREAKPOINT | GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) | one-time initialization function for rounds | GameData.rounds.unsafeMutableAddressor",
        "  frame 0: taken: GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
        "  frame 1: taken: one-time initialization function for rounds",
        "  frame 2: dropped, every crash has frames of this library: libdispatch.dylib",
        "  frame 3: dropped, every crash has frames of this library: libdispatch.dylib",
        "  frame 4: dropped, every crash has frames of this library: libswiftCore.dylib",
        "  frame 5: taken: GameData.rounds.unsafeMutableAddressor",
        "thread 0:",
      ])
    expectEqual(
      lines.dropFirst(11).prefix(3),
      [
        "  0  Letter Shuffle  0x10024f19c GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:): \(source) 0x10002719c",
        "  1  Letter Shuffle  0x1002474e0 one-time initialization function for rounds: \(source) 0x10001f4df, the byte before the return address",
        "  2  libdispatch.dylib  0x1c64cc7d4: no name: no symbol file for libdispatch.dylib (UUID unknown, arm64)",
      ])
    // Three lines for the reason, seven for the signature, one for the thread and one for each of
    // 12 frames, inlined calls included, then the usual messages.
    expectEqual(lines.count, 25)
    expectEqual(lines.dropFirst(23).first, "6 of 11 frames resolved")
  }

  /// Each name is beyond one limit, in Swift, C++ and Rust. They are shown mangled, and the reason
  /// is given in words and in JSON.
  @Test func namesBeyondALimit() async throws {
    var exponential = "$s1a1bV"
    for letter in "CDEFGHIJKLMNOPQRSTUVWXYZ" { exponential += "SDyA\(letter)A\(letter)G" }
    exponential += "D"
    let nested = "_Z1f" + String(repeating: "P", count: 400) + "i"
    let long = "_RNvC1a70000" + String(repeating: "x", count: 70_000)
    let sentences = [
      "a name would be too long when demangled, and is shown mangled",
      "a name is nested too deeply to be demangled, and is shown mangled",
      "a name is too long to be demangled, and is shown mangled",
    ]
    let directory = try TemporaryDirectory()
    let symbols = try directory.write(
      """
      MODULE mac arm64 4C4C44C655553144A165519FBE5C73F30 Hostile
      PUBLIC 1000 0 \(exponential)
      PUBLIC 2000 0 \(nested)
      PUBLIC 3000 0 \(long)
      PUBLIC 4000 0 _Z1fv

      """.utf8, to: "Hostile.sym")
    let report = try directory.write(
      """
      Incident Identifier: 1
      Process:             Hostile [1]
      Code Type:           ARM-64 (Native)
      Report Version:      104

      Thread 0 Crashed:
      0   Hostile                       0x0000000200001004 0x200000000 + 4100
      1   Hostile                       0x0000000200002004 0x200000000 + 8196
      2   Hostile                       0x0000000200003004 0x200000000 + 12292
      3   Hostile                       0x0000000200004004 0x200000000 + 16388

      Binary Images:
      0x200000000 - 0x20000ffff Hostile arm64  <4c4c44c655553144a165519fbe5c73f3> /x/Hostile

      """.utf8, to: "report.crash")
    let explained = try await Program.symbolicate([report, "-d", symbols, "--explain"])
    expectEqual(explained.status, 0)
    let output = explained.outputText
    for name in [exponential, nested, long, "f()"] { expectContains(output, " \(name) + 4") }
    let lines = explained.standardError.split(separator: "\n")
      .drop { !$0.hasPrefix("thread 0") }.dropFirst().prefix(4)
    expectEqual(lines.count, 4)
    for (line, sentence) in zip(lines, sentences) { expectSuffix(line, "; \(sentence)") }
    expectEqual(lines.last?.contains("shown mangled"), false)

    let json = try await Program.symbolicate([
      report, "-d", symbols, "--explain", "--format", "json",
    ])
    for limit in ["shownLength", "nesting", "nameLength"] {
      expectContains(json.outputText, "\"\(limit)\"")
    }
    expectContains(json.outputText, "\"demanglingLimit\"")
  }
}
