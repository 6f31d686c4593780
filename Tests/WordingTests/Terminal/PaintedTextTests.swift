import TestSupport
import Testing

@testable import Wording

/// What a terminal is sent of texts with styles and links.
struct PaintedTextTests {
  private static let all: TerminalLook = {
    var look = TerminalLook()
    look.isTerminal = true
    look.hasColors = true
    look.hasLinks = true
    return look
  }()

  /// ECMA-48, 8.3.117: 1 is bold, 2 faint, 31 red, 35 magenta; none resets. OSC 8 as
  /// gist.github.com/egmontkob/eb114294efbcd5adb1944c9f3cb5feda describes it.
  @Test func sequences() {
    var text = StyledText("a")
    text.append("b", .strong)
    text.append("c", .alarm)
    text.append("d", .place, link: "file://h/x")
    text.append("e", .faint)
    expectEqual(
      text.painted(for: Self.all),
      "a\u{1b}[1mb\u{1b}[m\u{1b}[1;31mc\u{1b}[m\u{1b}]8;;file://h/x\u{1b}\\\u{1b}[35md\u{1b}[m\u{1b}]8;;\u{1b}\\\u{1b}[2me\u{1b}[m"
    )
    expectEqual(text.painted(for: TerminalLook()), "abcde")
    expectEqual(text.plain, "abcde")
  }

  /// Nothing in the text acts on the terminal, whatever its style.
  @Test(arguments: TextStyle.allCases)
  func hostileText(style: TextStyle) {
    let text = StyledText("a\u{1b}[m\u{1b}]8;;x\u{1b}\\\u{07}\u{9b}\u{202e}\n", style)
    expectEqual(
      PaintedText.plain(text.painted(for: Self.all)),
      "a\u{fffd}[m\u{fffd}]8;;x\u{fffd}\\\u{fffd}\u{fffd}\u{fffd}\u{fffd}")
  }

  /// RFC 3986: everything but unreserved characters and the slash.
  @Test func pathsInLinks() throws {
    expectEqual(
      SourceLinks.encoded("/a b/é%?#\u{1b}\\\u{07};x"), "/a%20b/%C3%A9%25%3F%23%1B%5C%07%3Bx")
    let links = try require(SourceLinks(Self.all))
    let directory = try TemporaryDirectory()
    let file = try directory.write(Array("let a = 1\n".utf8), to: "a b\u{1b}.swift")
    let link = try require(links.link(to: file))
    expectTrue(link.hasPrefix("file://") && link.hasSuffix("/a%20b%1B.swift"))
    // Only regular files that are there.
    expectNil(links.link(to: directory.path("none.swift")))
    expectNil(links.link(to: directory.path))
    expectTrue(links.link(to: "/dev/null") == nil && links.link(to: "/proc/self/status") == nil)
    expectTrue(links.link(to: nil) == nil && links.link(to: "") == nil)
    expectNil(SourceLinks(TerminalLook()))
  }

  @Test(arguments: [
    (StyledMessage.Label.error, "no file", "symbolicate: \u{1b}[1;31merror:\u{1b}[m no file"),
    (.warning, "odd", "symbolicate: \u{1b}[1;35mwarning:\u{1b}[m odd"),
    (.note, "new", "symbolicate: \u{1b}[1mnote:\u{1b}[m new"),
    // What looks like a label is none.
    (.none, "note: old", "note: old"),
    (.none, "6 of 11 frames resolved", "6 of 11 frames resolved"),
    (.atos, "error: no file", "atos: error: no file"),
  ])
  func labels(label: StyledMessage.Label, message: String, expected: String) {
    let painted = Self.all.shown([StyledMessage.line(label, message)])
    expectEqual(painted, Array((expected + "\n").utf8))
    let plain = expected.replacing(/\u{1b}\[[0-9;]*m/, with: "")
    expectEqual(StyledMessage.plain(label, message), Array((plain + "\n").utf8))
  }

  /// A command can be copied as it is.
  @Test func commandsStayOnOneLine() {
    var look = TerminalLook()
    look.width = 40
    let command = "to see why: symbolicate doctor a/long/path/to/a/report.crash -d App.dSYM"
    expectEqual(look.shown([StyledMessage.line(.none, command)]), Array((command + "\n").utf8))
    let other = "no symbols for App (UUID unknown, arm64): 1 frame unresolved"
    expectEqual(look.shown([StyledMessage.line(.none, other)]).count { $0 == 0x0a }, 2)
  }

  @Test(
    arguments: [
      ([], false), (Array("text\n".utf8), false), (Array("Größe\n".utf8), false),
      (Array("a\u{1b}[31mred\u{1b}[m\tb\r\n".utf8), false),
      // Latin-1.
      ([0x47, 0x72, 0xf6, 0xdf, 0x65, 0x0a], false), ([0x61, 0x00], true),
      ([0x1f, 0x8b, 0x08, 0x08, 0xf3, 0xff, 0x41], true),
    ] as [([UInt8], Bool)])
  func binaryContent(bytes: [UInt8], expected: Bool) {
    expectEqual(BinaryContent.isBinary(bytes), expected)
  }
}
