import TestSupport
import Testing

@testable import ReportCompletion

/// Replacements of byte ranges.
struct ByteEditsTests {
  private func text(_ edits: ByteEdits, _ input: String) -> String {
    String(decoding: edits.applied(to: Array(input.utf8)), as: UTF8.self)
  }

  @Test func inOrder() {
    var edits = ByteEdits()
    edits.insert("<".utf8, at: 0)
    edits.replace(2..<4, with: "XYZ".utf8)
    edits.remove(5..<6)
    edits.insert(at: 10) { $0 += ">".utf8 }
    expectEqual(text(edits, "0123456789"), "<01XYZ46789>")
  }

  @Test func inAnyOrder() {
    var edits = ByteEdits()
    edits.insert("c".utf8, at: 5)
    edits.insert("a".utf8, at: 2)
    edits.insert("d".utf8, at: 5)
    edits.remove(0..<1)
    edits.insert("b".utf8, at: 2)
    expectEqual(text(edits, "0123456789"), "1ab234cd56789")
  }

  @Test func overlappingOrOutside() {
    var edits = ByteEdits()
    edits.replace(2..<6, with: "-".utf8)
    edits.replace(4..<8, with: "lost".utf8)
    edits.replace(8..<11, with: "lost".utf8)
    expectEqual(text(edits, "0123456789"), "01-6789")
  }

  @Test func nothing() { expectEqual(text(ByteEdits(), "0123"), "0123") }
}
