import CrashLogParser
import TestSupport
import Testing

/// The ways in which a file contains an `.ips` report.
struct IpsBoundaryTests {
  private static let compact =
    #"{"bug_type":"309","procName":"App","threads":[{"frames":[{"imageOffset":1,"imageIndex":0}]}],"usedImages":[{"base":4096,"size":4096}]}"#
  private static let textReport = """
    Process:             App [1]
    Path:                /App
    Identifier:          App

    Thread 0 Crashed:
    0   App   0x1010 0x1000 + 16

    Binary Images:
    0x1000 - 0x1fff App (*) <bde08a08-d8cf-3e6b-8cee-8ab2cf246ccb> /App
    """
  private static let prettyHeader = "{\n  \"bug_type\": \"309\",\n  \"name\": \"App\"\n}"

  @Test(arguments: [
    (IpsText.header + "\n", IpsText.appleBody, "\n"), (IpsText.header + "\n", compact, ""),
    ("\u{feff}" + IpsText.header + "\n", IpsText.prettyBody, ""),
    ("\n\n  " + IpsText.header + "\n\n", compact, "\n\n\n"), (prettyHeader + "\n", compact, "\n"),
    (prettyHeader + "\n\n", IpsText.prettyBody, "\n"), ("", compact, "\n"),
    ("", IpsText.prettyBody, ""),
    ("", IpsText.appleBody, "\nModel: Mac17,6, BootROM 1\nThunderbolt Bus: Apple Inc.\n"),
    ("My app crashed {why}?\n{\n{}\n{\"a\":1}\n", IpsText.prettyBody, "\nThanks }\n{\"x\":2}\n"),
    ("```json\n", compact, "\n```\n"),
    ("{\"bug_type\":\"298\"}\n{\"product\":\"x\"}\n", compact, ""),
    ("{\"bug_type\":\"309\",\n", compact, ""), ("[1,2]\n", compact, ""),
    ("{\"bug_type\":\"385\"}\n", compact, ""), (IpsText.header, compact, ""),
  ])
  func oneReport(before: String, body: String, after: String) throws {
    for lineEnd in ["\n", "\r\n"] {
      let text = try ParsedText((before + body + after).replacing("\n", with: lineEnd))
      let report = try text.report
      expectEqual(text.text(report.bodyRange), body.replacing("\n", with: lineEnd))
      expectEmpty(report.faults)
      expectEqual(report.facts.process.name, "App")
      let isHeader =
        before.contains("\"bug_type\"") && !before.contains("298") && !before.hasSuffix(",\n")
      expectEqual(report.header != nil, isHeader)
      if let header = report.header {
        expectEqual(report.byteRange.lowerBound, header.byteRange.lowerBound)
        expectEqual(header.bugType, before.contains("385") ? "385" : "309")
      }
      expectNesting(report, before)
    }
  }

  /// Console's copy: the text, the JSON that the text was made from, the system profile.
  @Test func belowItsTranslation() throws {
    let text = try ParsedText(
      """
      A note: {"a":1}
      -------------------------------------
      Translated Report (Full Report Below)
      -------------------------------------
      \(Self.textReport)

      -----------
      Full Report
      -----------

      \(IpsText.apple)
      Model: Mac17,6, BootROM 18000.121.2, proc 18:6:12:0 processors
      """)
    expectEqual(text.reports.count, 2)
    expectEqual(text.textReports.map { text[$0.byteRange] }, [Self.textReport])
    expectEqual(text.ipsReports.map { text[$0.byteRange] }, [String(IpsText.apple.dropLast())])
    expectEqual(text.reports.map(\.format), [.crashText, .ipsCrash])
    // The text ends there even for a reader that does not know about the JSON.
    let alone = try CrashLogParser.parse(
      text.bytes, with: [AppleTextReader()])
    expectEqual(alone.map { text[$0.byteRange] }, [Self.textReport])
  }

  @Test func severalReports() throws {
    let parts = [
      IpsText.header + "\n" + Self.compact, Self.textReport, Self.compact,
      IpsText.header + "\n" + IpsText.prettyBody, IpsText.header + "\n" + IpsText.appleBody,
      "{\"bug_type\":\"109\"}\n" + Self.textReport,
    ]
    for separator in ["\n", "\n\nnext:\n\n"] {
      let text = try ParsedText(parts.joined(separator: separator))
      expectEqual(text.reports.map { text[$0.byteRange] }, parts)
      expectEqual(text.ipsReports.count, 4)
      expectEqual(text.ipsReports.map { $0.header != nil }, [true, false, true, true])
      expectTrue(text.ipsReports.allSatisfy { $0.faults.isEmpty })
    }
  }

  @Test(arguments: [
    (#"{"bug_type":"298"}"# + "\n" + #"{"processes":[]}"#, ReportFormat.ipsJetsam),
    (#"{"bug_type":"288"}"# + "\n" + #"{"binaryImages":[],"processByPid":{}}"#, .ipsStackshot),
    (#"{"bug_type":"210"}"# + "\n" + #"{"panicString":"p"}"#, .ipsPanic),
    (
      #"{"bug_type":"211"}"# + "\n" + #"{"message":{}}"# + "\n" + #"{"message":{}}"#,
      .ips(bugType: "211")
    ),
    (IpsText.header, .ipsCrash), (IpsText.header + "\n{}", .ipsCrash),
    (#"{"threads":[]}"#, .json), (#"{"threads":{},"usedImages":[]}"#, .json), ("{", .json),
    (#"{"report":{},"crash":{"threads":[],"usedImages":[]},"binary_images":[]}"#, .ksCrashJson),
    ("nothing", .unknown),
  ])
  func noReport(text: String, format: ReportFormat) {
    #expect(throws: CrashLogParseError.noReportFound(format)) { try ParsedText(text) }
  }

  @Test func noBytes() {
    #expect(throws: CrashLogParseError.emptyInput) { try CrashLogParser.parse([]) }
    #expect(throws: CrashLogParseError.noReportFound(.archive)) {
      try CrashLogParser.parse([0x1F, 0x8B] + Array(Self.compact.utf8))
    }
  }

  /// The reader of one format does not take reports of the other.
  @Test func eachReaderReadsItsOwnFormat() throws {
    let (text, json) = (Array(Self.textReport.utf8), Array(IpsText.apple.utf8))
    let textReader = [AppleTextReader()]
    let ipsReader = [IpsReader()]
    try expectEqual(CrashLogParser.parse(text, with: textReader).map(\.format), [.crashText])
    try expectEqual(CrashLogParser.parse(json, with: ipsReader).map(\.format), [.ipsCrash])
    #expect(throws: CrashLogParseError.noReportFound(.ipsCrash)) {
      try CrashLogParser.parse(json, with: textReader)
    }
    #expect(throws: CrashLogParseError.noReportFound(.crashText)) {
      try CrashLogParser.parse(text, with: ipsReader)
    }
  }
}
