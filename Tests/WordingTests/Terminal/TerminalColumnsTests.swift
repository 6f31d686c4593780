import TestSupport
import Testing
import Wording

/// How many columns characters take.
struct TerminalColumnsTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("é", 1), ("e\u{301}", 1), ("日本語", 6), ("한글", 4), ("ﾊﾝ", 2), ("Ａ", 2),
    ("😀", 2), ("👨‍👩‍👧", 2), ("🇩🇪", 2), ("❤", 1), ("❤\u{fe0f}", 2), ("a\u{200b}b", 2), ("…×—│", 4),
    ("नि", 1), ("\u{ad}", 1), ("a\u{202e}b\u{2066}", 4),
  ])
  func ofTexts(text: String, expected: Int) {
    expectEqual(TerminalColumns.count(of: text), expected)
  }

  /// Every character that Python's copy of the Unicode database calls wide takes two columns, and
  /// no other does.
  @Test(
    .enabled("python3 is not installed (Scripts/install-packages.sh test)") {
      Program.path(of: "python3") != nil
    })
  func asUnicodeSays() async throws {
    let script = """
      import unicodedata as u
      for code in range(0xa0, 0x110000):
          c = chr(code)
          if u.category(c) in ('Cn', 'Cs', 'Co', 'Cf', 'Mn', 'Me'): continue
          print(code, 2 if u.east_asian_width(c) in 'WF' else 1)
      """
    let result = try await Program.run(
      try require(Program.path(of: "python3")), ["-c", script])
    var compared = 0
    var differences: [String] = []
    for line in result.outputText.split(separator: "\n") {
      let numbers = line.split(separator: " ").compactMap { UInt32($0) }
      guard numbers.count == 2, let scalar = Unicode.Scalar(numbers[0]) else { continue }
      compared += 1
      switch numbers[0] {
      // Two of them are a flag, which is wide.
      case 0x1f1e6...0x1f1ff: continue
      // Symbols that Unicode 16 made wide.
      case 0x2630...0x2637, 0x268a...0x268f, 0x4dc0...0x4dff, 0x1d300...0x1d376: continue
      default: break
      }
      if TerminalColumns.count(of: scalar) != Int(numbers[1]) {
        differences.append(String(numbers[0], radix: 16))
      }
    }
    #expect(compared > 100_000)
    expectEqual(differences, [])
  }
}
