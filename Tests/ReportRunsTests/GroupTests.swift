import CrashLogParser
import Foundation
import SymbolicationModel
import TestSupport
import Testing
import Wording

@testable import ReportGrouping

/// The parts of a group, and that a division of the reports changes none of them.
struct GroupTests {
  // MARK: Dates

  /// Seconds from `date -u -d TEXT +%s`.
  @Test(arguments: [
    ("2019-07-31 11:32:24.3585 -0700", 1_564_597_944_358, "2019-07-31T18:32:24.358Z"),
    ("2026-07-15T21:20:05Z", 1_784_150_405_000, "2026-07-15T21:20:05.000Z"),
    ("2024-02-29 23:59:59 +0530", 1_709_231_399_000, "2024-02-29T18:29:59.000Z"),
    ("1969-12-31 23:59:59.5 +0000", -500, "1969-12-31T23:59:59.500Z"),
    ("2000-03-01 00:00:00", 951_868_800_000, "2000-03-01T00:00:00.000Z"),
    ("2021-01-01T00:00:00+01:00", 1_609_455_600_000, "2020-12-31T23:00:00.000Z"),
  ])
  func dates(text: String, milliseconds: Int64, description: String) {
    let date = ReportDate(text)
    expectEqual(date?.milliseconds, milliseconds)
    expectEqual(date?.description, description)
    expectEqual(ReportDate(description), date)
  }

  @Test(arguments: [
    "", "today", "2019-13-01 00:00:00", "2019-07-31", "2019-07-31 25:00:00", "99",
    "2019-02-31 00:00:00", "2023-02-29T12:00:00Z", "2019-04-31T12:00:00Z",
    // In UTC, these are after the last year of four digits, and before the first.
    "9999-12-31T23:59:60Z", "9999-12-31 23:30:00 -0100", "0000-01-01T00:00:00+01:00",
  ])
  func notADate(text: String) { expectNil(ReportDate(text)) }

  // MARK: Versions

  @Test func newestVersionsStay() {
    var counts = VersionCounts()
    for number in (1...40).reversed() { counts.add("1.\(number)") }
    counts.add("1.9")
    counts.add("1.40")
    expectTrue(counts.hasMore)
    expectEqual(counts.newestFirst.map(\.version), (25...40).reversed().map { "1.\($0)" })
    expectEqual(counts.newestFirst.first?.count, 2)
  }

  @Test(arguments: [
    ("1.10", "1.9"), ("2", "1.9.9"), ("1.0.1", "1.0"), ("6 (1.3)", "6 (1.2)"),
    ("iPhone OS 12.4 (16G77)", "iPhone OS 12.4 (16F203)"), ("1.1", "1.01"),
    ("99999999999999999999999.1", "9.1"),
  ])
  func newer(first: String, second: String) {
    expectTrue(VersionCounts.isNewer(first, second))
    expectFalse(VersionCounts.isNewer(second, first))
    expectFalse(VersionCounts.isNewer(first, first))
  }

  // MARK: Devices

  @Test func devicesAreExactUpToTheLimit() {
    var devices = DeviceSet()
    for number in 0..<256 { devices.insert(device: "device \(number)") }
    devices.insert(device: "device 7")
    expectEqual(devices.text, "256")
    expectFalse(devices.isBeyondLimit)
    devices.insert(device: "one more")
    expectEqual(devices.text, "256+")
    expectTrue(devices.isBeyondLimit)
    // What is beyond the limit takes no memory.
    expectEmpty(devices.marks)
  }

  // MARK: Merging

  /// 600 reports in four groups; some have few devices, some more than the limit.
  private static func outlines() -> [ReportOutline] {
    (0..<600).map { number in
      var outline = ReportOutline(empty: "reports/\(number * 7919 % 600).ips")
      outline.signature =
        switch number % 12 {
        case 0: nil
        case 1, 2: "EXC_CRASH | few()"
        case 11: "EXC_CRASH | rare()"
        default: "EXC_CRASH | many()"
        }
      outline.device = number % 12 < 3 ? "device \(number % 4)" : "device \(number)"
      outline.date = "2026-01-0\(1 + number % 9) 10:0\(number % 10):00.\(number) +0100"
      outline.version = "1.\(number % 50)"
      outline.system = "macOS \(10 + number % 6)"
      return outline
    }
  }

  private static func table(_ outlines: some Sequence<ReportOutline>) -> GroupTable {
    var table = GroupTable(by: .signature)
    for outline in outlines { table.add(outline) }
    return table
  }

  @Test(arguments: [1, 2, 3, 7, 599])
  func anyDivisionMergesToTheSameBytes(partCount: Int) throws {
    let outlines = Self.outlines()
    let whole = Self.table(outlines)
    expectTrue(whole.largestFirst.contains { $0.devices.isBeyondLimit })
    expectTrue(whole.largestFirst.contains { $0.appVersions.hasMore })
    var generator = SeededGenerator(seed: UInt64(partCount))
    var parts: [[ReportOutline]] = Array(repeating: [], count: partCount)
    for outline in outlines.shuffled(using: &generator) {
      parts[Int.random(in: 0..<partCount, using: &generator)].append(outline)
    }
    var merged = GroupTable(by: .signature)
    for part in parts.shuffled(using: &generator) {
      let lines = Self.table(part).written(as: .ndjson).split(separator: UInt8(ascii: "\n"))
      for line in lines { expectNil(merged.merge(partial: Array(line))) }
    }
    for form in GroupForm.allCases {
      expectEqual(merged.written(as: form), whole.written(as: form), "\(form)")
    }
  }

  @Test func orderIsByCountAndThenText() {
    var outlines: [ReportOutline] = []
    let counts: [(String?, Int)] = [("b", 2), ("c", 3), ("a", 2), (nil, 2)]
    for (text, count) in counts {
      var outline = ReportOutline(empty: "p")
      outline.signature = text
      outlines += Array(repeating: outline, count: count)
    }
    let groups = Self.table(outlines).largestFirst
    expectEqual(groups.map(\.key), ["c", nil, "a", "b"])
    expectEqual(groups.map(\.count), [3, 2, 2, 2])
  }

  @Test(arguments: [
    (#"{"schema":"symbolicate-group"}"#, PartialGroup.Failure.notAGroup),
    ("no JSON", .notAGroup), (#"{"schema":"symbolicate-report","version":1}"#, .notAGroup),
    (
      #"{"schema":"symbolicate-group","version":1,"by":"line","key":"a","count":1,"devices":{},"sample":"p"}"#,
      .otherCriterion(.line)
    ),
    (
      #"{"schema":"symbolicate-group","version":1,"by":"signature","key":"a","count":0,"devices":{},"sample":"p"}"#,
      .notAGroup
    ),
    (
      #"{"schema":"symbolicate-group","version":1,"by":"signature","key":"a","count":1,"devices":{},"sample":"p"}"#,
      .otherVersion(.first)
    ),
    (
      #"{"schema":"symbolicate-group","version":1,"by":"signature","signatureVersion":3,"key":"a","count":1,"devices":{},"sample":"p"}"#,
      .notAGroup
    ),
    (
      #"{"schema":"symbolicate-group","version":2,"by":"signature","key":"a","count":1,"devices":{},"sample":"p"}"#,
      .notAGroup
    ),
  ])
  func lineThatIsNoPart(line: String, failure: PartialGroup.Failure) {
    var table = GroupTable(by: .signature)
    expectEqual(table.merge(partial: Array(line.utf8)), failure)
    expectTrue(table.isEmpty)
  }

  /// A table of older groups takes their lines, which state no version, and writes the version.
  @Test func groupsOfVersion1() throws {
    let line =
      #"{"schema":"symbolicate-group","version":1,"by":"signature","key":"a","count":1,"devices":{},"sample":"p"}"#
    let basis = try require(PartialGroup.basis(ofLine: Array(line.utf8)))
    expectEqual(basis.version, .first)
    var table = GroupTable(by: basis.criterion, basis.version)
    expectNil(table.merge(partial: Array(line.utf8)))
    expectEqual(table.merge(partial: Self.partial(key: "a", count: 1)), .otherVersion(.second))
    expectContains(
      String(decoding: table.written(as: .ndjson), as: UTF8.self), #""signatureVersion":1,"#)
  }

  /// A signature by other rules cannot be compared.
  @Test func reportsOfAnotherVersion() {
    let line =
      #"{"schema":"symbolicate-report","format":"ips","signature":{"version":1,"text":"a"}}"#
    for (version, count) in [(SignatureVersion.first, 0), (.second, 1)] {
      var reports = GroupedReports(by: .signature, version)
      expectTrue(reports.add(written: Array(line.utf8), path: "p"))
      expectEqual(reports.otherSignatureCount, count)
      expectEqual(reports.table.largestFirst.map(\.key), [count == 0 ? "a" : nil])
    }
    expectEqual(
      GroupMessages.otherSignatures(2, .second),
      "2 reports have signatures of another version than 2, and count as reports without one; symbolicate the reports again, or use --signature-version"
    )
  }

  private static func partial(key: String, count: Int, version each: Int? = nil) -> [UInt8] {
    let versions =
      each.map { #"{"version":"1","count":\#($0)},{"version":"2","count":\#($0)}"# } ?? ""
    return Array(
      #"""
      {"schema":"symbolicate-group","version":1,"by":"signature","signatureVersion":2,"key":"\#(key)","count":\#(count),"devices":{"count":0,"more":false,"ids":[]},"appVersions":{"values":[\#(versions)],"more":false},"sample":"p"}
      """#.utf8)
  }

  /// Integers up to 2^53 - 1 are exact in every reader of JSON (RFC 8259, 6). A sum beyond is
  /// refused, so what is written has no count that is not exact, and can be merged again.
  @Test func countsStayExact() throws {
    let most = 9_007_199_254_740_991
    for (first, second) in [(most, 1), (1, most), (most - 5, 6), (5, Int.max)] {
      for key in ["a", "b"] {
        var table = GroupTable(by: .signature)
        expectNil(table.merge(partial: Self.partial(key: "a", count: min(first, most))))
        let before = table.written(as: .ndjson)
        expectEqual(table.merge(partial: Self.partial(key: key, count: second)), .tooManyReports)
        expectEqual(table.written(as: .ndjson), before)
      }
    }
    var table = GroupTable(by: .signature)
    expectNil(table.merge(partial: Self.partial(key: "a", count: most - 5)))
    expectNil(table.merge(partial: Self.partial(key: "b", count: 5)))
    let document = String(decoding: table.written(as: .json), as: UTF8.self)
    expectContains(document, "\"reports\": 9007199254740991,")
    expectContains(document, "\"count\": 9007199254740986,")
    // A report has one version, so no more versions are counted than reports.
    expectEqual(table.merge(partial: Self.partial(key: "c", count: 5, version: 3)), .notAGroup)
    let huge = Self.partial(key: "c", count: 5, version: .max)
    expectEqual(table.merge(partial: huge), .notAGroup)
  }

  // MARK: Output

  /// RFC 4180: quotes are doubled, and a cell with a comma, a quote or a line end is quoted.
  @Test(arguments: [
    ("a", "a"), ("a,b", "\"a,b\""), ("say \"hi\"", "\"say \"\"hi\"\"\""), ("a\nb", "\"a\nb\""),
    ("-[Board draw]", "'-[Board draw]"), ("=1+1", "'=1+1"), ("@a", "'@a"),
    ("+f(), g", "\"'+f(), g\""),
    ("", ""),
  ])
  func cells(text: String, cell: String) { expectEqual(GroupCsv.cell(text), cell) }

  @Test(arguments: [
    (1, 3, 3333), (2, 3, 6667), (1, 8, 1250), (3, 3, 10_000), (0, 0, 0), (1, 20_000, 1),
  ])
  func shares(part: Int, whole: Int, expected: Int) {
    expectEqual(share(of: part, in: whole), expected)
  }

  /// 6 of 11 are 54.545…%.
  @Test(arguments: [(6, 11, "54.5%"), (1, 3, "33.3%"), (2, 3, "66.7%"), (3, 3, "100.0%")])
  func percentages(part: Int, whole: Int, expected: String) {
    expectEqual(GroupText.percentage(of: part, in: whole), expected)
  }

  /// On a terminal everything fits. In a file or a pipe only the column of the app is cut, so that
  /// the others stay below their headings.
  @Test func tableFits80Columns() {
    var outline = ReportOutline(
      empty: "/a/very/long/path/" + String(repeating: "folder/", count: 20) + "App.ips")
    outline.signature = "EXC_BREAKPOINT | " + String(repeating: "Class.", count: 30) + "f()"
    outline.version = "1234567890123456 (1.2.3)"
    outline.system = "iPhone OS 12.4 (16G77)"
    outline.date = "2019-07-31 11:32:24.3585 -0700"
    outline.device = "a"
    var other = outline
    other.version = "7"
    let table = Self.table([outline, outline, other])
    let shown = table.lines(top: nil, width: 80).map(\.text.plain)
    expectEqual(shown[0], "count   share  devices  first       last        app              system")
    expectSuffix(shown[1], " +1  iPhone OS…")
    expectTrue(
      shown[2].hasPrefix("       EXC_BREAKPOINT | Class.Class.") && shown[2].hasSuffix("…"))
    expectTrue(shown[3].hasPrefix("       …/folder/") && shown[3].hasSuffix("/folder/App.ips"))
    expectTrue(shown.allSatisfy { $0.count <= 80 })
    let text = String(decoding: table.written(as: .text), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    expectEqual(
      lines,
      [
        shown[0],
        "    3  100.0%        1  2019-07-31  2019-07-31  12345678901… +1  iPhone OS 12.4 (16G77)",
        "       " + (outline.signature ?? ""), "       " + outline.path,
      ])
  }

  @Test func keys() {
    var outline = ReportOutline(empty: "p")
    outline.event = "crash"
    expectTrue(GroupCriterion.allCases.allSatisfy { outline.key($0) == nil })
    outline.exceptionType = "EXC_CRASH"
    outline.signal = "SIGABRT"
    outline.version = "6 (1.3)"
    outline.process = "Game"
    outline.file = "Board.swift"
    outline.line = 25
    outline.signature = "s"
    expectEqual(
      GroupCriterion.allCases.map { outline.key($0) },
      ["s", "Board.swift:25", "EXC_CRASH (SIGABRT)", "Game 6 (1.3)"])
    outline.line = 0
    outline.exceptionType = nil
    outline.signal = nil
    outline.event = "hang"
    expectNil(outline.key(.line))
    expectEqual(outline.key(.exception), "hang")
  }

  // MARK: Messages

  @Test func messages() {
    expectEqual(
      GroupMessages.tally(reports: 8, groups: 3, withoutReport: 2),
      "8 reports in 3 groups; 2 files hold no report")
    expectEqual(
      GroupMessages.tally(reports: 1, groups: 1, withoutReport: 1),
      "1 report in 1 group; 1 file holds no report")
    expectEqual(
      GroupMessages.tally(reports: 0, groups: 0, withoutReport: 0), "0 reports in 0 groups")
    expectEqual(
      GroupMessages.incomplete(2),
      "2 reports have frames of the app without symbols: offsets in a signature differ between builds; give their symbols with -d or -s"
    )
    expectPrefix(GroupMessages.incomplete(1), "1 report has frames")
    expectEqual(GroupMessages.noReport("a.txt"), "no report found in a.txt")
    expectEqual(
      GroupMessages.notAReportLine("a.ndjson", line: 3, Array("{}".utf8)),
      "a.ndjson:3: expected a line of 'symbolicate --format ndjson', found '{}'")
    expectEqual(
      GroupMessages.moreDamagedLines("a.ndjson", count: 12),
      "a.ndjson: 12 lines in all are not lines of 'symbolicate --format ndjson'")
    expectEqual(
      GroupMessages.notAGroupLine(
        "b.ndjson", line: 1, Array("{}".utf8), .notAGroup, criterion: .line),
      "b.ndjson:1: expected a line of 'symbolicate group --format ndjson', found '{}'")
    expectEqual(
      GroupMessages.notAGroupLine(
        "b.ndjson", line: 2, [], .otherCriterion(.version), criterion: .line),
      "b.ndjson:2: this group is made by version, and those before it by line; merge groups made with the same --by"
    )
    expectEqual(
      GroupMessages.notAGroupLine("b.ndjson", line: 3, [], .tooManyReports, criterion: .line),
      "b.ndjson:3: with this group there would be more than 9007199254740991 reports, so a count is wrong; the group is left out"
    )
    expectEqual(
      GroupMessages.partialResult("b.ndjson"),
      "b.ndjson has groups, not reports; merge it with 'symbolicate group --merge'")
  }
}
