import FuzzExercises
import TestSupport
import Testing

/// A page is well-formed whatever the report holds: reports with random changes, and with the
/// syntax of HTML in random places.
struct PageRandomChangesTests {
  private static let insertions = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</title></style>", "<!--",
    "]]>", "&amp;lt;", "'", "\u{202e}", "\u{1b}[31m", "\u{0}", "\u{2028}", "\u{fffe}", "\u{feff}",
    "</pre></code></li>", "--!>", "`${x}`", "\u{10ffff}", "\t", "e\u{301}\u{301}",
  ]

  @Test func ofReports() throws {
    let input = try Fixtures.bytes(of: Fixtures.storyReport)
    var generator = SeededGenerator(seed: 18)
    var reportCount = 0
    for _ in 0..<300 {
      var bytes = input
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: bytes[place] = .random(in: 0...255, using: &generator)
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 30))
        default:
          let text = Self.insertions.randomElement(using: &generator) ?? ""
          bytes.insert(contentsOf: text.utf8, at: place)
        }
      }
      if try exercisePage(bytes, symbolPaths: [Fixtures.storyBundle]) { reportCount += 1 }
    }
    #expect(reportCount > 250)
  }
}
