import TestSupport
import Testing

@testable import ReportRendering

/// How text is spelt in a page. The expected bytes are written by hand, after the HTML standard:
/// sections 13.1.2.3 (attributes), 13.1.3 (text) and 13.1.4 (character references).
struct HtmlTextTests {
  private func content(_ text: String) -> String {
    var writer = HtmlWriter()
    writer.text(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func plain(_ text: String) -> String {
    var writer = HtmlWriter()
    writer.plainText(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  private func name(_ text: String) -> String {
    var writer = HtmlWriter()
    writer.name(text)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  @Test(arguments: [
    ("", ""),
    ("viewDidLoad()", "viewDidLoad()"),
    ("<script>alert(1)</script>", "&lt;script&gt;alert(1)&lt;/script&gt;"),
    (#"" onload="x"#, "&quot; onload=&quot;x"),
    ("'a' & 'b'", "&#39;a&#39; &amp; &#39;b&#39;"),
    ("&lt;", "&amp;lt;"),
    ("<!-- -->", "&lt;!-- --&gt;"),
    ("größer 日本 🎲", "größer 日本 🎲"),
    // One character for Swift, two for Unicode: the syntax is that of scalars.
    ("<\u{338}b", "&lt;\u{338}b"),
  ])
  func syntaxIsEscaped(text: String, expected: String) {
    expectEqual(content(text), expected)
    expectEqual(plain(text), expected)
  }

  @Test(arguments: [
    ("\u{1b}[31m", "U+001B", "[31m"), ("\u{0}", "U+0000", ""), ("\u{7f}", "U+007F", ""),
    ("\u{9b}", "U+009B", ""), ("\n", "U+000A", ""), ("\t", "U+0009", ""), ("\r", "U+000D", ""),
    ("\u{202e}gpj", "U+202E", "gpj"), ("\u{2066}", "U+2066", ""), ("\u{200f}", "U+200F", ""),
    ("\u{200b}", "U+200B", ""), ("\u{feff}", "U+FEFF", ""), ("\u{2028}", "U+2028", ""),
    ("\u{fffe}", "U+FFFE", ""), ("\u{10ffff}", "U+10FFFF", ""), ("\u{e0041}", "U+E0041", ""),
    ("\u{3164}", "U+3164", ""),
    // Unassigned, but kept for characters without a width (Default_Ignorable_Code_Point).
    ("\u{2065}!", "U+2065", "!"), ("\u{fff0}", "U+FFF0", ""),
  ])
  func unseenCharactersAreNamed(text: String, shown: String, rest: String) {
    expectEqual(content(text), "<span class=\"ch\">\(shown)</span>\(rest)")
    expectEqual(plain(text), "\(shown)\(rest)")
  }

  @Test func repeatedCharactersAreCounted() {
    expectEqual(
      content("a\u{0}\u{0}\u{0}b"), "a<span class=\"ch\">U+0000 × 3</span>b")
  }

  /// U+10FEFF stands for the byte 0xff of a path (`PathBytes.swift`).
  @Test func bytesOfPathsAreShown() {
    expectEqual(plain("a\u{10feff}"), "a\\xff")
  }

  /// Decoding replaces bytes that are not UTF-8 before text comes here.
  @Test func replacementCharactersStay() {
    expectEqual(content(String(decoding: [0x61, 0xff], as: UTF8.self)), "a\u{fffd}")
  }

  @Test(arguments: [
    ("short<T>(_:)", "short&lt;T&gt;(_:)"),
    (
      "std::__1::basic_string<char>::append(x)",
      "std::__<wbr>1::<wbr>basic_<wbr>string&lt;<wbr>char&gt;::<wbr>append(<wbr>x)"
    ),
    (
      "Game.loadRound(_:animated:) ()", "Game.<wbr>loadRound(_:animated:) ()"
    ),
  ])
  func longNamesMayBeBroken(text: String, expected: String) {
    expectEqual(name(text), expected)
  }
}
