import Foundation
import Platform
import TestSupport
import Testing

/// `symbolicate --stream`: a log that never ends.
struct StreamTests {
  private let report: String
  private let symbolicated: String

  init() throws {
    report = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    symbolicated = String(
      decoding: try ExpectedOutput.bytes(of: "letter-shuffle.crash"), as: UTF8.self)
  }

  private func start() throws -> ChildProcess {
    try ChildProcess(Program.builtProgramPath, ["--stream", "-d", Fixtures.storyBundle])
  }

  /// The next output until it has so many bytes.
  private func output(of child: ChildProcess, count: Int) throws -> String {
    var output: [UInt8] = []
    while output.count < count {
      let next = try child.nextOutput()
      if next.isEmpty { break }
      output += next
    }
    return String(decoding: output, as: UTF8.self)
  }

  @Test func linesComeAtOnceAndReportsWhenTheyAreComplete() throws {
    let child = try start()
    try child.write("first\n")
    try expectEqual(output(of: child, count: 6), "first\n")
    // Nothing follows, so the pause ends the report; then the next line.
    try child.write(report)
    try expectEqual(output(of: child, count: symbolicated.utf8.count), symbolicated)
    try child.write("second\n" + report + "\nthird\n")
    let expected = "second\n" + symbolicated + "\nthird\n"
    try expectEqual(output(of: child, count: expected.utf8.count), expected)
    try child.write("no line end")
    try expectEqual(output(of: child, count: 11), "no line end")
    expectEqual(child.end(), 0)
  }

  @Test func theEndOfTheInputHandsOnWhatIsHeldBack() async throws {
    let input = Array(("first\n" + report).utf8)
    let result = try await Program.symbolicate(
      ["--stream", "-d", Fixtures.storyBundle], input: input)
    expectEqual(result.status, 0)
    expectEqual(result.outputText, "first\n" + symbolicated)
    expectPrefix(result.standardError, "6 of 11 frames resolved\n")
    let nothing = try await Program.symbolicate(["--stream"], input: Array("x\ny".utf8))
    expectEqual(nothing.status, 0)
    expectEqual(nothing.outputText, "x\ny")
    expectEqual(nothing.standardError, "no stack trace in the stream\n")
    expectSuffix(
      result.standardError, "\n1 stack trace in the stream: 6 of 11 frames resolved\n")
    // Five frames of the operating system have no symbols.
    let strict = try await Program.symbolicate(
      ["--stream", "--strict", "-d", Fixtures.storyBundle], input: input)
    expectEqual(strict.status, 0)
    let all = try await Program.symbolicate(
      ["--stream", "--strict=all", "-d", Fixtures.storyBundle], input: input)
    expectEqual(all.status, 2)
  }

  /// The reports have colours, and what is around them is as it was.
  /// Compressed input that was cut comes out as it is, and is named.
  @Test func compressedInputThatWasCut() async throws {
    let packed = try await Program.run("/usr/bin/env", ["gzip", "-c", Fixtures.storyReport])
    let input = Array(packed.standardOutput.prefix(800))
    let result = try await Program.symbolicate(["--stream"], input: input)
    expectEqual(result.status, 66)
    expectEqual(result.standardOutput, input)
    expectEqual(
      result.standardError,
      "symbolicate: error: cannot read standard input: its gzip data is cut short; copy or download it again\n"
    )
  }

  @Test func reportsHaveColours() async throws {
    let input = Array(("\u{1B}[32mfirst\u{1B}[m\n" + report + "\nlast\n").utf8)
    let result = try await Program.symbolicate(
      ["--stream", "--color", "always", "-q", "-d", Fixtures.storyBundle], input: input)
    expectEqual(result.status, 0)
    let text = result.outputText
    expectPrefix(text, "\u{1B}[32mfirst\u{1B}[m\n{")
    expectContains(text, "\n\u{1B}[1;31mThread 0 Crashed:\u{1B}[m\n")
    expectEqual(
      text.replacing(/\u{1B}\[[0-9;]*m/, with: ""), "first\n" + symbolicated + "\nlast\n")
  }

  /// What has frames that are not found is named, with what would find them.
  @Test(arguments: [
    (
      #"{"event":{"text":"0   App   0x0000000104a1c2f0 main + 84"}}"#,
      "1 record of JSON has stack frames in the field 'event.text'; give --log-field event.text to read it"
    ),
    (
      #"{"stack":["x","1   App   0x0000000104a1c2f0 main + 84"]}"# + "\n"
        + #"{"stack":["0   App   0x0000000104a1c2f0 main + 84"]}"#,
      "2 records of JSON have stack frames in the field 'stack'; jq -r '.stack[]?' takes the lines out"
    ),
  ])
  func fieldsWithFramesAreNamed(input: String, note: String) async throws {
    let bytes = Array((input + "\n").utf8)
    let stream = try await Program.symbolicate(["--stream"], input: bytes)
    expectEqual(stream.outputText, input + "\n")
    expectEqual(
      stream.standardError, "no stack trace in the stream\nsymbolicate: note: \(note)\n")
    let file = try await Program.symbolicate([], input: bytes)
    expectEqual(file.status, 65)
    expectSuffix(file.standardError, "\nsymbolicate: note: standard input: \(note)\n")
    let quiet = try await Program.symbolicate(["--stream", "-q"], input: bytes)
    expectEmpty(quiet.standardError)
    let field = try await Program.symbolicate(["--log-field", "event.text"], input: bytes)
    expectEqual(
      field.standardError.contains("1 stack trace in the records of the log"), field.status == 0)
  }

  /// The field is an option of all commands that read logs.
  @Test func logFieldOfOtherCommands() async throws {
    let record =
      #"{"event":{"text":"0   App   0x0000000104a1c2f0 load + 84\n1   App   0x0000000104a1c100 main + 20"}}"#
    let option = ["--log-field", "event.text"]
    let groups = try await Program.symbolicate(
      ["group", "-", "--format", "csv"] + option, input: Array((record + "\n").utf8))
    expectEqual(groups.status, 0)
    expectContains(groups.outputText, "load")
    let quoted = record.replacing(#"\"#, with: #"\\"#).replacing(#"""#, with: #"\""#)
    let worker = try await Program.symbolicate(
      ["worker"] + option, input: Array("{\"id\":1,\"report\":\"\(quoted)\\n\"}\n".utf8))
    expectContains(worker.outputText, "\"ok\":true")
  }

  /// Signals that are ignored here, as SIGINT is in the background of a shell, are ignored by the
  /// program, too.
  private static let signals = [SIGTERM, SIGINT].filter { number in
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    let handler = unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
    let ignored = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return handler != ignored
  }

  @Test(arguments: signals)
  func signalsHandOnWhatIsHeldBack(signal: Int32) throws {
    let child = try start()
    try child.write("first\n")
    try expectEqual(output(of: child, count: 6), "first\n")
    // Without a line behind it, the report is still held back.
    try child.write(report)
    kill(child.identifier, signal)
    try expectEqual(String(decoding: child.allOutput(), as: UTF8.self), symbolicated)
    // The signal ended it.
    expectNil(child.end())
  }

  @Test func memoryIsBounded() async throws {
    let frame = "0   Game   0x0000000100001000 0x100000000 + 4096\n"
    let input = "Thread 0:\n" + String(repeating: frame, count: 2000)
    let result = try await Program.symbolicate(
      ["--stream", "--limit", "report-size=10K"], input: Array(input.utf8))
    expectEqual(result.status, 0)
    expectEqual(result.outputText, input)
    expectTrue(
      result.standardError.contains(
        "symbolicate: warning: what may be a report on standard input has more than 10 KiB, so it is passed through as it is; --limit report-size=20K allows more"
      ))
  }

  @Test(arguments: [
    (["crash.ips"], "--stream reads standard input; give symbol files with -d"),
    (["-o", "x"], "--stream writes to standard output; it cannot be combined with"),
    (["--in-place"], "--stream writes to standard output; it cannot be combined with"),
    (["--format", "json"], "--stream keeps the format of each report; it cannot be combined with"),
    (["--summary"], "--stream keeps the format of each report; it cannot be combined with"),
    (["--log-field", ""], "--log-field needs the name of a field"),
  ])
  func otherOptions(arguments: [String], message: String) async throws {
    let result = try await Program.symbolicate(["--stream"] + arguments, input: [0x0A])
    expectEqual(result.status, 64)
    expectTrue(result.standardError.contains(message))
  }
}
