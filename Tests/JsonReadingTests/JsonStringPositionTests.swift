import TestSupport
import Testing

@testable import JsonReading

/// Strings are read 8 bytes at a time, so what ends or escapes them must be found at each place.
struct JsonStringPositionTests {
  /// What stands in the input, and what it stands for: RFC 8259, section 7.
  private static let escapes: [(written: String, text: String)] = [
    (#"\""#, "\""), (#"\\"#, "\\"), (#"\/"#, "/"), (#"\n"#, "\n"), (#"\t"#, "\t"),
    (#"\b"#, "\u{8}"),
    (#"\u00e9"#, "é"), (#"\u00A0"#, "\u{a0}"), (#"\u0080"#, "\u{80}"), (#"\u00fF"#, "ÿ"),
    (#"\u007f"#, "\u{7f}"), (#"\u0100"#, "Ā"), (#"\u10a0"#, "\u{10a0}"), (#"\ud83d\ude00"#, "😀"),
    ("é", "é"), ("", ""),
  ]

  @Test(arguments: escapes.indices)
  func escapesAreReadAtEachPlace(index: Int) throws {
    let (written, text) = Self.escapes[index]
    for before in 0...17 {
      for after in 0...9 {
        let (start, end) = (
          String(repeating: "a", count: before), String(repeating: "z", count: after)
        )
        let input = Array("{\"\(start)\(written)\(end)\":[\"\(start)\(written)\(end)\",7]}".utf8)
        let document = try JsonDocument(input)
        let member = try require(document.root.members.first { _ in true })
        let value = try require(member.value.elements.first { _ in true })
        expectNil(document.damage)
        expectEqual(member.key, start + text + end)
        expectEqual(value.string, start + text + end)
        try expectEqual(value.stringBytes(), Array((start + text + end).utf8))
        expectEqual(member.value.elements.map(\.unsignedInteger), [nil, 7])
      }
    }
  }

  /// A line end means that the rest of the line was lost; other damage is the end of the input.
  @Test func damageIsFoundAtEachPlace() {
    for before in 0...17 {
      let start = "[\"" + String(repeating: "a", count: before)
      expectEqual(
        Self.damage(start + "\n\"]"), JsonError(kind: .lineEndInString, offset: start.utf8.count))
      expectEqual(Self.damage(start), JsonError(kind: .unexpectedEnd, offset: start.utf8.count))
      expectEqual(
        Self.damage(start + "\\"), JsonError(kind: .unexpectedEnd, offset: start.utf8.count + 1))
      expectEqual(
        Self.damage(start + "\\x\"]"), JsonError(kind: .invalidEscape, offset: start.utf8.count))
    }
  }

  private static func damage(_ input: String) -> JsonError? {
    (try? JsonDocument(Array(input.utf8)))?.damage
  }
}
