import CrashLogParser
import Testing

/// The JSON object on the line above a report.
struct JsonHeaderTests {
  private static let head = "\nIncident Identifier: TEXT\nProcess: App [1]\nPath: /App\n"

  @Test func membersKeepTheirOrderSpellingAndRanges() throws {
    let json =
      #"{"app_name":"A \"q\" \u00e9\ud83d\ude00\/\n","adam_id":1219410678,"x":-1.50e3,"ok":true,"no":false,"#
      + #""nil":null,"blame":[{"a":"]}"},2],"bug_type":"109","bug_type":"2","half":"\ud83dx"}"#
    let text = try ParsedText(json + Self.head)
    let report = try text.report
    let header = try #require(report.header)
    #expect(report.format == .crashTextWithJsonHeader)
    #expect(
      header.fields.map(\.key) == [
        "app_name", "adam_id", "x", "ok", "no", "nil", "blame", "bug_type", "bug_type", "half",
      ])
    #expect(header["app_name"] == .string("A \"q\" é😀/\n"))
    #expect(header["adam_id"] == .number("1219410678"))
    #expect(header["x"] == .number("-1.50e3"))
    #expect(header["ok"] == .boolean(true))
    #expect(header["no"] == .boolean(false))
    #expect(header["nil"] == .null)
    #expect(header["blame"] == .nested(#"[{"a":"]}"},2]"#))
    #expect(header["half"] == .string("\u{fffd}x"))
    #expect(header.bugType == "109")
    #expect(report.facts.bugType == "109")
    #expect(header["missing"] == nil)
    #expect(text[header.byteRange] == json)
    #expect(text[header.fields[1].valueRange] == "1219410678")
    #expect(report.facts.incident == "TEXT")
    #expect(report.faults.isEmpty)
    expectNesting(report, "header")
  }

  @Test func theKindOfReportMayBeANumber() throws {
    let report = try ParsedText(#"{"bug_type":109,"incident_id":"OTHER"}"# + Self.head).report
    #expect(report.header?.bugType == "109")
    #expect(report.facts.bugType == "109")
    #expect(report.header?.text("incident_id") == "OTHER")
    #expect(report.facts.incident == "TEXT")
  }

  @Test(arguments: [
    #"{"bug_type":"109""#, #"{"bug_type":"109","a"}"#, #"{"bug_type":"109","a":}"#,
    #"{"bug_type":"109","a":"\x"}"#, #"{"bug_type":"109","a":"\u12"}"#, #"{"bug_type"#,
    #"{"bug_type":"109","a":[[[[}"#, #"{"a":tru,"bug_type":"109"}"#,
    #"{"bug_type":"109","a":"# + String(repeating: "[", count: 20_000) + "}",
  ])
  func damagedJsonIsAFault(json: String) throws {
    let text = try ParsedText(json + Self.head)
    let report = try text.report
    #expect(report.header == nil)
    #expect(report.faults.map(\.kind) == [.damagedJsonHeader])
    #expect(report.faults.map { text[$0.byteRange] } == [json])
    #expect(report.facts.process.name == "App")
    #expect(report.format == .crashTextWithJsonHeader)
  }

  @Test func emptyLinesMaySurroundTheHeader() throws {
    let report = try ParsedText("\n\n{\"bug_type\":\"109\"}\n\n" + Self.head).report
    #expect(report.header?.bugType == "109")
    #expect(report.byteRange.lowerBound == 2)
  }
}
