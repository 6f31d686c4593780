import Foundation
import TestSupport
import Testing

/// An output that is named by a path and is a terminal all the same gets no control sequence of a
/// report.
struct TerminalPathTests {
  private let directory: TemporaryDirectory
  private static let harmful = "\u{1b}]0;owned\u{07}\u{1b}[2K\u{9b}2J\u{202e}"

  init() throws {
    directory = try TemporaryDirectory()
    let text = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    try directory.write(
      text.replacing("Exception Type:", with: Self.harmful + "Exception Type:").utf8,
      to: "c.crash")
    try directory.link("link", to: "/dev/stdout")
    try directory.makeDirectory("out")
    try directory.link("out/c.crash", to: "/proc/self/fd/1")
  }

  private func expectHarmless(
    _ bytes: [UInt8], _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let text = String(decoding: bytes, as: UTF8.self)
    expectContains(text, "GameViewController", comment, sourceLocation: sourceLocation)
    let harmful = text.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7f...0x9f).contains($0.value)
        || $0.value == 0x202e
    }
    expectEmpty(harmful, comment, sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    ["-o", "/dev/stdout"], ["-o", "/dev/fd/1"], ["-o", "/proc/self/fd/1"], ["-o", "link"],
    ["--output-dir", "out"],
  ])
  func standardOutputByItsPath(output: [String]) throws {
    for form in [[], ["--format", "json"], ["--summary"]] {
      // The name of the result would have another suffix.
      if output.first == "--output-dir", !form.isEmpty { continue }
      let result = try Terminal.run(
        Program.builtProgramPath, ["c.crash", "-d", Fixtures.storyBundle] + output + form,
        workingDirectory: directory.path)
      expectEqual(result.status, 0)
      expectHarmless(result.shown, "\(output) \(form)")
    }
  }

  @Test func theTerminalByItsName() throws {
    let setsid = try require(Program.path(of: "setsid"))
    let result = try Terminal.run(
      setsid,
      [
        "--ctty", "--wait", Program.builtProgramPath, "c.crash", "-d", Fixtures.storyBundle, "-o",
        "/dev/tty",
      ], streams: .errors, input: .terminal, workingDirectory: directory.path)
    expectEqual(result.status, 0)
    expectHarmless(result.shown, "/dev/tty")
  }

  /// A file and a pipe that are named so get every byte.
  @Test func pipesAndFilesGetTheBytes() async throws {
    let report = try directory.bytes(of: "c.crash")
    let piped = try await Program.symbolicate(
      ["c.crash", "-o", "/dev/stdout"], workingDirectory: directory.path)
    expectEqual(piped.standardOutput, report)
    let written = try await Program.symbolicate(
      ["c.crash", "-o", "result"], workingDirectory: directory.path)
    expectEqual(written.status, 0)
    try expectEqual(directory.bytes(of: "result"), report)
  }
}
