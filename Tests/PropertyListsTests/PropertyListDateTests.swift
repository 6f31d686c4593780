import Foundation
import PropertyLists
import TestSupport
import Testing

struct PropertyListDateTests {
  /// Foundation's calendar is the independent source.
  @Test func datesAreThoseOfTheCalendar() throws {
    let formatter = ISO8601DateFormatter()
    var generator = SeededGenerator(seed: 1)
    let moments = (0..<2000).map { _ in
      Int64.random(in: -12_000_000_000...200_000_000_000, using: &generator)
    }
    for seconds in moments + [0, -1, 951_782_400, 4_107_542_400] {
      let text = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      let list = PropertyList.date(secondsSince1970: seconds)
      expectContains(list.xml, "<date>\(text)</date>")
      try expectEqual(PropertyList(Array("<date>\(text)</date>".utf8)), list)
    }
  }

  @Test(arguments: [
    "", "2001-01-01", "2001-13-01T00:00:00Z", "2001-02-29T00:00:00Z", "2001-04-31T00:00:00Z",
    "2001-01-01T24:00:00Z", "2001-01-01T00:60:00Z", "2001-01-01 00:00:00Z", "2001-00-01T00:00:00Z",
  ])
  func refusesWhatIsNoDate(_ text: String) {
    #expect(throws: PropertyListError.self) {
      try PropertyList(Array("<date>\(text)</date>".utf8))
    }
  }
}
