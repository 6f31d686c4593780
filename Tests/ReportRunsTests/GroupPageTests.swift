import CrashReading
import Foundation
import ReportRendering
import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportGrouping
@testable import ReportModel

/// The page of `symbolicate group --format html`, and the counts of days that it shows.
struct GroupPageTests {
  private func outline(
    _ signature: String, date: String?, version: String = "1.0", path: String = "a.crash"
  ) -> ReportOutline {
    var outline = ReportOutline(empty: path)
    outline.signature = signature
    outline.date = date
    outline.version = version
    return outline
  }

  private func page(_ outlines: [ReportOutline], pages: Set<String> = [], top: Int? = nil) -> String
  {
    var table = GroupTable(by: .signature)
    for outline in outlines { table.add(outline) }
    return String(decoding: table.written(as: .html, top: top, pages: pages), as: UTF8.self)
  }

  @Test func daysAreThoseOfUtc() {
    // 1970-01-01 is day 0, and 2026-11-23 day 20780: `date -d 2026-11-23 +%s` / 86400.
    expectEqual(ReportDate("1970-01-01T00:00:00Z")?.dayNumber, 0)
    expectEqual(ReportDate("2026-11-23 23:30:00 +0000")?.dayNumber, 20780)
    expectEqual(ReportDate("2026-11-23 23:30:00 -0100")?.dayNumber, 20781)
    expectEqual(ReportDate("1969-12-31T23:59:59Z")?.dayNumber, -1)
    expectEqual(ReportDate(day: 20780).day, "2026-11-23")
  }

  @Test func theNewestDaysStayWhateverTheOrder() {
    let days = (0..<500).map { Int64($0) }
    var whole = DayCounts()
    for day in days { whole.add(day, count: Int(day) + 1) }
    expectTrue(whole.hasMore)
    expectEqual(whole.ascending.map(\.day), Array(100..<500))
    var parts = [DayCounts(), DayCounts()]
    for day in days.reversed() {
      parts[Int(day % 2)].add(day, count: 1)
      parts[Int(day % 2)].add(day, count: Int(day))
    }
    parts[0].merge(parts[1])
    expectEqual(parts[0], whole)
  }

  /// A clock that was not set would make the page's timeline 50 years long.
  @Test func datesBefore2000AreNone() {
    var table = GroupTable(by: .signature)
    for date in ["1970-01-01 00:00:07 +0000", "1999-12-31 23:59:59 +0000", "2026-11-20"] {
      table.add(outline("a", date: date))
    }
    let line = String(decoding: table.written(as: .ndjson), as: UTF8.self)
    expectContains(line, "\"first\":null")
    table.add(outline("a", date: "2000-01-01 00:00:00 +0000"))
    table.add(outline("a", date: "2026-11-20 10:00:00 +0000"))
    let dated = String(decoding: table.written(as: .ndjson), as: UTF8.self)
    expectContains(dated, "\"first\":\"2000-01-01T00:00:00.000Z\"")
    expectContains(dated, "\"last\":\"2026-11-20T10:00:00.000Z\"")
  }

  @Test func partialResultsKeepTheDays() throws {
    var table = GroupTable(by: .signature)
    table.add(outline("a", date: "2026-11-20 10:00:00 +0000"))
    table.add(outline("a", date: "2026-11-20 11:00:00 +0000"))
    table.add(outline("a", date: "2026-11-22 10:00:00 +0000"))
    let lines = table.written(as: .ndjson)
    expectTrue(
      String(decoding: lines, as: UTF8.self).contains(
        #""days":{"values":[{"day":"2026-11-20","count":2},{"day":"2026-11-22","count":1}],"more":false}"#
      ))
    var merged = GroupTable(by: .signature)
    expectNil(merged.merge(partial: lines.dropLast()))
    expectEqual(merged.written(as: .html), table.written(as: .html))
  }

  @Test func barsAreTheCountsOfDays() {
    var days = DayCounts()
    days.add(10, count: 3)
    days.add(12, count: 6)
    let chart = HtmlChart(days, range: 10...12, barLimit: 90)
    expectEqual(chart.bars, [3, 0, 6])
    expectEqual(chart.daysPerBar, 1)
    expectEqual(HtmlChart(days, range: 9...14, barLimit: 3).bars, [3, 6, 0])
    expectEqual(HtmlChart(days, range: 9...14, barLimit: 3).daysPerBar, 2)
    expectEqual(HtmlChart(days, range: 10...12, barLimit: 1).bars, [9])
    var writer = HtmlWriter()
    chart.write(to: &writer, .wide, label: "days")
    // Three bars of 8, the first half as high as the last.
    expectEqual(
      String(decoding: writer.bytes, as: UTF8.self).replacing("\n", with: ""),
      "<svg class=\"chart wide\" role=\"img\" aria-label=\"days\" viewBox=\"0 0 24 48\" preserveAspectRatio=\"none\"><rect x=\"0\" y=\"24\" width=\"7\" height=\"24\"></rect><rect x=\"16\" y=\"0\" width=\"7\" height=\"48\"></rect></svg>"
    )
  }

  @Test func theTableHasEachGroup() {
    let first = outline("EXC | a()", date: "2026-11-20 10:00:00 +0000", version: "1.9")
    let text = page([
      first, first, outline("EXC | a()", date: "2026-11-23 10:00:00 +0000", version: "1.10"),
      outline("other", date: nil, path: "b.crash"),
    ])
    for part in [
      "<title>4 reports in 2 groups</title>", "<h1>4 reports in 2 groups</h1>",
      "<th scope=\"row\">EXC | a()<div class=\"detail\">a.crash</div>",
      "<td><span class=\"cn\">Reports</span> 3</td>",
      "<td><span class=\"cn\">Share</span> 75.0%</td>",
      "<span class=\"day\">2026-11-20</span> – <span class=\"day\">2026-11-23</span>",
      // Charts show two weeks at least.
      "1.10 × 1, 1.9 × 2", "aria-label=\"2026-11-10 to 2026-11-23: at most 2 reports a day\"",
      "<h2>Reports per day</h2>", "<h2>Reports per app version</h2>", "<h2>Groups</h2>",
    ] {
      expectTrue(text.contains(part), "\(part)")
    }
    expectFalse(text.contains("<a "))
    expectContains(page([first, outline("b", date: nil)], top: 1), "the largest 1 of 2")
  }

  /// The first rows have everything; further ones have a part of the key, and the count.
  @Test func manyGroupsAreShort() {
    let names = (0..<150).map { "EXC | function\($0)(" + String(repeating: "x", count: 200) + ")" }
    let text = page(names.map { outline($0, date: "2026-11-20 10:00:00 +0000") })
    let rows = text.components(separatedBy: "<tr data-v=\"0\"").dropFirst()
    expectEqual(rows.count, 150)
    expectEqual(rows.count { $0.contains("class=\"cn\"") }, 100)
    expectTrue(
      rows.dropFirst(100).allSatisfy { $0.contains("x…</th>") && $0.contains("<td>1</td>") })
    // The timeline is below the table.
    expectTrue(
      text.components(separatedBy: "<h2>").last?.hasPrefix("Reports per app version") == true)
  }

  /// What rows are chosen by is the index of an option.
  @Test func rowsSayTheirVersions() {
    let text = page([
      outline("a", date: nil, version: "1.9"), outline("a", date: nil, version: "1.10"),
      outline("b", date: nil, version: "1.9"),
    ])
    expectContains(
      text,
      "<option value=\"\">all</option><option value=\"0\">1.10</option><option value=\"1\">1.9</option>"
    )
    expectContains(text, "<tr data-v=\"0 1\" data-s=\"\"><th scope=\"row\">a<")
    expectContains(text, "<tr data-v=\"1\" data-s=\"\"><th scope=\"row\">b<")
  }

  @Test func linksLeadToPagesThatExist() {
    let hash = CrashSignature.hash(of: "a")
    let text = page([outline("a", date: nil), outline("b", date: nil)], pages: [hash])
    expectContains(text, "<th scope=\"row\"><a href=\"pages/\(hash).html\">a</a>")
    expectEqual(text.components(separatedBy: "<a ").count, 2)
  }

  @Test func everythingIsEscaped() {
    let attack = "</td><script>alert(1)</script>\u{202e}\u{1b}[2J\"'"
    let text = page([outline(attack, date: nil, version: attack, path: attack)])
    expectFalse(text.contains("<script>alert"))
    expectFalse(text.unicodeScalars.contains { $0 == "\u{202e}" || $0 == "\u{1b}" })
    expectContains(text, "td&gt;")
  }

  @Test func noReports() {
    let text = page([])
    expectContains(text, "<h1>0 reports in 0 groups</h1>")
    expectContains(text, "No report found")
  }

  @Test func messages() {
    expectEqual(
      GroupMessages.withoutPage(1),
      "1 group has no page of a report: the report that stands for the group is no file that can be read from here"
    )
    expectPrefix(GroupMessages.withoutPage(2), "2 groups have no page of a report")
  }
}
