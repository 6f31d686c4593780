import Foundation
import TestSupport
import Testing
import Wording

/// JSON strings and numbers as bytes. The expected values are from RFC 8259, section 7, and from
/// Foundation's reader.
struct JsonTextTests {
  /// What must be escaped, and what must not: `json.dumps(text, ensure_ascii=False)` of Python 3
  /// writes the same, apart from U+007F to U+009F and slashes.
  @Test(
    arguments: [
      ("", #""""#),
      ("plain", #""plain""#),
      (#"a"b"#, #""a\"b""#),
      (#"a\b"#, #""a\\b""#),
      ("line\nend\r\ttab", #""line\nend\r\ttab""#),
      ("\u{0}\u{8}\u{c}\u{1f}", #""\u0000\u0008\u000c\u001f""#),
      ("\u{1b}[31m", #""\u001b[31m""#),
      ("\u{7f}", #""\u007f""#),
      ("\u{80}\u{85}\u{9f}", #""\u0080\u0085\u009f""#),
      ("\u{a0}\u{ad}\u{bf}", "\"\u{a0}\u{ad}\u{bf}\""),
      // Line ends in JavaScript, but not in JSON.
      ("\u{2028}\u{2029}", "\"\u{2028}\u{2029}\""),
      ("é 漢 👩‍👧", "\"é 漢 👩‍👧\""),
      // A string holds no half of a surrogate pair: it becomes U+FFFD when bytes are read.
      (
        String(decoding: [0x61, 0xed, 0xa0, 0x80, 0x62] as [UInt8], as: UTF8.self),
        "\"a\u{fffd}\u{fffd}\u{fffd}b\""
      ),
      (String(decoding: [0xc2] as [UInt8], as: UTF8.self), "\"\u{fffd}\""),
    ] as [(String, String)])
  func strings(text: String, quoted: String) {
    expectEqual(written(text, escapesSlashes: false), quoted)
  }

  @Test func slashes() {
    expectEqual(written("/usr/lib/a b.dylib", escapesSlashes: true), #""\/usr\/lib\/a b.dylib""#)
    expectEqual(written("/usr/lib/a b.dylib", escapesSlashes: false), #""/usr/lib/a b.dylib""#)
  }

  /// Texts are looked at 8 bytes at a time.
  @Test func everyScalarAtEveryPlace() throws {
    let scalars = (0...0x17f).compactMap { Unicode.Scalar($0 as UInt32) } + ["\u{2028}", "🙂"]
    for scalar in scalars {
      for place in 0..<18 {
        let start = String(repeating: "x", count: place)
        for end in ["", "12345678", "\u{c2a0}"] {
          let text = start + String(scalar) + end
          for escapesSlashes in [true, false] {
            let quoted = JsonText.quoted(text, escapesSlashes: escapesSlashes)
            try expectEqual(decoded(quoted), text)
            let shown = String(decoding: quoted, as: UTF8.self).unicodeScalars
            expectTrue(shown.allSatisfy { $0.properties.generalCategory != .control })
          }
        }
      }
    }
  }

  /// Long texts are escaped piece by piece, and whatever they hold there is room for.
  @Test(arguments: ["\"", "\u{1}", "\u{7f}", "\u{85}", "é", "x"])
  func longTexts(character: String) throws {
    for count in [4085, 4095, 4096, 4097, 8200] {
      for start in 0..<10 {
        let text = String(repeating: "a", count: start) + String(repeating: character, count: count)
        try expectEqual(decoded(JsonText.quoted(text, escapesSlashes: false)), text)
        var bytes: [UInt8] = [0x3a]
        JsonText.append(utf8: Array(text.utf8), to: &bytes)
        expectEqual(bytes, [0x3a] + JsonText.quoted(text, escapesSlashes: false))
      }
    }
  }

  @Test(
    arguments: [
      0, 7, 10, 99, 100, 4096, 0xffff_ffff, 99_999_999, 100_000_000, 100_000_007,
      9_999_999_999_999_999, 10_000_000_000_000_000, 1 << 53, 18_446_744_073_709_551_615,
    ] as [UInt64])
  func numbers(number: UInt64) {
    var bytes: [UInt8] = [0x2d]
    bytes.append(decimal: number)
    expectEqual(String(decoding: bytes, as: UTF8.self), "-\(number)")
    for count in [1, 2, 4, 16] {
      bytes = []
      bytes.append(hexadecimal: number, digitCount: count)
      let digits = String(number, radix: 16)
      let zeros = String(repeating: "0", count: max(0, count - digits.count))
      expectEqual(String(decoding: bytes, as: UTF8.self), zeros + digits)
    }
  }

  @Test(arguments: [0, -1, 42, .min, .max] as [Int])
  func signedNumbers(number: Int) {
    var bytes: [UInt8] = []
    bytes.append(decimal: number)
    expectEqual(String(decoding: bytes, as: UTF8.self), "\(number)")
  }

  private func written(_ text: String, escapesSlashes: Bool) -> String {
    String(decoding: JsonText.quoted(text, escapesSlashes: escapesSlashes), as: UTF8.self)
  }

  private func decoded(_ bytes: [UInt8]) throws -> String {
    try JSONDecoder().decode(String.self, from: Data(bytes))
  }
}
