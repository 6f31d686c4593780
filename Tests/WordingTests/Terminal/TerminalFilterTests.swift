import TestSupport
import Testing
import Wording

/// What a terminal is shown of output that strangers wrote.
struct TerminalFilterTests {
  private func shown(_ bytes: [UInt8]) -> [UInt8] {
    var filter = TerminalFilter()
    return filter.shown(bytes)
  }

  @Test(
    arguments: [
      ("plain text\n\ttab\n", "plain text\n\ttab\n"),
      ("Überall, 日本語 😀 \u{200f}", "Überall, 日本語 😀 \u{200f}"),
      ("line\r\nline", "line\r\nline"),
      // A carriage return alone would let what follows overwrite the line.
      ("hidden\rshown", "hidden\u{fffd}shown"),
      ("\u{07}\u{08}\u{7f}\u{00}", "\u{fffd}\u{fffd}\u{fffd}\u{fffd}"),
      // The window's title; the answer to a question of the terminal.
      ("\u{1b}]0;title\u{07}", "\u{fffd}]0;title\u{fffd}"),
      ("\u{1b}[6n", "\u{fffd}[6n"),
      ("\u{1b}c", "\u{fffd}c"),
      // U+009B does what ESC [ does.
      ("\u{9b}2J \u{80}\u{9f}\u{a0}", "\u{fffd}2J \u{fffd}\u{fffd}\u{a0}"),
      // Colours as Swift's backtraces have them.
      ("\u{1b}[31mred\u{1b}[0m \u{1b}[38;2;1;2;3m \u{1b}[m", "red  "),
      ("\u{1b}[31 m \u{1b}[?25l", "\u{fffd}[31 m \u{fffd}[?25l"),
      ("\u{202a}\u{202b}\u{202c}\u{202d}\u{202e}", String(repeating: "\u{fffd}", count: 5)),
      ("\u{2066}\u{2067}\u{2068}\u{2069}", String(repeating: "\u{fffd}", count: 4)),
      ("\u{2029}\u{202f}\u{2065}\u{206a}", "\u{2029}\u{202f}\u{2065}\u{206a}"),
    ])
  func text(text: String, expected: String) {
    expectEqual(shown(Array(text.utf8)), Array(expected.utf8))
    // Messages are single lines, and have no colours.
    if !text.unicodeScalars.contains(where: { ["\u{1b}", "\r", "\n", "\t"].contains($0) }) {
      expectEqual(text.shownInMessages, expected)
    }
  }

  @Test func messagesAreSingleLines() {
    expectEqual(
      "a\nb\tc\r\n\u{1b}[1m".shownInMessages, "a\u{fffd}b\u{fffd}c\u{fffd}\u{fffd}\u{fffd}[1m")
  }

  /// The examples of the Unicode Standard for what is replaced (Unicode 16, tables 3-8 to 3-11).
  @Test(
    arguments: [
      ([0xc0, 0xaf, 0xe0, 0x80, 0xbf, 0xf0, 0x81, 0x82, 0x41], 8, "A"),
      ([0xed, 0xa0, 0x80, 0xed, 0xbf, 0xbf, 0xed, 0xaf, 0x41], 8, "A"),
      ([0xf4, 0x91, 0x92, 0x93, 0xff, 0x41, 0x80, 0xbf, 0x42], 5, "A\u{fffd}\u{fffd}B"),
      ([0xe1, 0x80, 0xe2, 0xf0, 0x91, 0x92, 0xf1, 0xbf, 0x41], 4, "A"),
    ] as [([UInt8], Int, String)])
  func bytesThatAreNotUtf8(bytes: [UInt8], replacements: Int, rest: String) {
    let expected = String(repeating: "\u{fffd}", count: replacements) + rest
    expectEqual(String(decoding: shown(bytes), as: UTF8.self), expected)
    // The standard library replaces the same.
    expectEqual(String(decoding: bytes, as: UTF8.self), expected)
  }

  /// A colour of any length is kept waiting no longer than any real one.
  @Test func anEndlessColourIsNotOne() {
    let long = "\u{1b}[" + String(repeating: "1;", count: 200)
    expectEqual(shown(Array(long.utf8)), Array(("\u{fffd}" + long.dropFirst()).utf8))
  }

  /// However the output is cut into pieces, the same is shown.
  @Test func pieces() {
    let text = "a\u{1b}[1;31mb\u{1b}]\r\n\rä\u{202e}😀\u{9b}\u{1b}[0m\n"
    let bytes = Array(text.utf8) + [0xff, 0xe2, 0x80] + Array("end\n".utf8)
    let whole = shown(bytes)
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var filter = TerminalFilter()
        var pieces: [UInt8] = []
        for range in [0..<first, first..<second, second..<bytes.count] {
          pieces += filter.shown(Array(bytes[range]))
        }
        expectEqual(pieces, whole)
      }
    }
  }

  @Test func anyBytesAreShownHarmlessly() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let bytes = (0..<40).map { _ -> UInt8 in
        let interesting: [UInt8] = [
          0x1b, 0x5b, 0x6d, 0x0d, 0x0a, 0xe2, 0x80, 0xae, 0xc2, 0x9b, 0x31,
        ]
        return Bool.random(using: &random)
          ? interesting.randomElement(using: &random) ?? 0 : .random(in: 0...255, using: &random)
      }
      let text = String(validating: shown(bytes), as: UTF8.self)
      let scalars = text?.unicodeScalars.map(\.value)
      expectTrue(scalars != nil)
      let harmful = scalars?.filter {
        ($0 < 0x20 && ![0x09, 0x0a, 0x0d].contains($0)) || (0x7f...0x9f).contains($0)
          || (0x202a...0x202e).contains($0) || (0x2066...0x2069).contains($0)
      }
      expectEqual(harmful, [])
    }
  }
}
