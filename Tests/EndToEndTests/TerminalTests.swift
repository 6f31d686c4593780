import Foundation
import TestSupport
import Testing

/// Nothing in a report or a symbol file, and no name of a file, reaches a terminal as a control
/// sequence. Files and pipes get every byte as it is.
struct TerminalTests {
  private let directory: TemporaryDirectory
  /// The example's report, with harmful texts in its head, a frame of unknown code and at its end.
  private let report: String
  private let reportBytes: [UInt8]

  /// The title of the window, a deleted line, C1, a right-to-left override, a byte that is not
  /// UTF-8.
  private static let harmful: [UInt8] =
    Array("\u{1b}]0;owned\u{07}\u{1b}[1A\u{1b}[2K\u{9b}2J\u{202e}\u{2066}\r".utf8) + [0x9b, 0xff]

  init() throws {
    directory = try TemporaryDirectory()
    let text = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    var bytes: [UInt8] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      bytes += Array(line.utf8)
      if line.hasPrefix("Process:") || line.hasPrefix("Exception Type:") { bytes += Self.harmful }
      bytes.append(0x0a)
    }
    reportBytes = bytes + Self.harmful + [0x0a]
    report = try directory.write(reportBytes, to: "c.crash")
  }

  private func expectHarmless(
    _ bytes: [UInt8], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      Issue.record("not UTF-8", sourceLocation: sourceLocation)
      return
    }
    let harmful = text.unicodeScalars.filter {
      ($0.value < 0x20 && $0 != "\n" && $0 != "\t") || (0x7f...0x9f).contains($0.value)
        || (0x202a...0x202e).contains($0.value) || (0x2066...0x2069).contains($0.value)
    }
    expectEmpty(harmful, sourceLocation: sourceLocation)
  }

  /// On a terminal without colours, and on one with colours and links, whose own sequences are
  /// taken away first.
  @Test(arguments: [
    [], ["--format", "crash"], ["--format", "json"], ["--format", "ndjson"], ["--summary"],
    ["--explain"],
  ])
  func reports(form: [String]) throws {
    let result = try Terminal.run(
      Program.builtProgramPath, [report, "-d", Fixtures.storyBundle] + form, columns: 200)
    expectEqual(result.status, 0)
    expectContains(String(decoding: result.shown, as: UTF8.self), "GameViewController")
    expectHarmless(result.shown)
    let painted = try Terminal.run(
      Program.builtProgramPath,
      [report, "-d", Fixtures.storyBundle, "--hyperlinks", "always", "--full-path"] + form,
      columns: 80, environment: ["TERM": "xterm"], streams: .output)
    expectEqual(painted.status, 0)
    expectEqual(
      painted.shown.contains(0x1b),
      ![["--format", "json"], ["--format", "ndjson"]].contains(form))
    expectHarmless(PaintedText.plain(painted.shown))
  }

  /// The output is the input in all bytes that are not answers.
  @Test func pipesGetTheBytes() async throws {
    let result = try await Program.symbolicate([report])
    expectEqual(result.standardOutput, reportBytes)
  }

  /// Names of files are in messages, usage errors and lists.
  @Test(arguments: [
    ["NAME"], ["NAME", "--bogus\u{1b}[2J"], ["-d", "NAME", "REPORT"], ["uuid", "NAME"],
    ["index", "NAME"],
    ["atos", "-o", "NAME", "0x1000"], ["atos", "-NAME"], ["check", "NAME"], ["doctor", "NAME"],
    ["dsym-for-uuid", "NAME"], ["REPORT", "-o", "NAME/x"],
  ])
  func namesOfFiles(words: [String]) throws {
    let name = "a\u{1b}[2J\u{202e}\n\rb"
    for exists in [false, true] {
      if exists { try directory.write([0xcf, 0xfa, 0xed, 0xfe, 0], to: name) }
      let result = try Terminal.run(
        Program.builtProgramPath,
        words.map {
          $0.replacing("NAME", with: directory.path(name)).replacing("REPORT", with: report)
        })
      expectTrue(result.status != nil)
      expectFalse(result.shown.isEmpty)
      expectHarmless(result.shown)
    }
  }

  /// Messages are the same wherever they go.
  @Test func messagesInPipes() async throws {
    let result = try await Program.symbolicate([directory.path("a\u{1b}[2J\u{202e}\nb")])
    expectEqual(result.status, 66)
    expectEqual(
      result.standardError,
      "symbolicate: error: cannot read the report \(directory.path)/a\u{fffd}[2J\u{fffd}\u{fffd}b: No such file or directory\n"
    )
  }
}
