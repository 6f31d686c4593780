import CrashLogParser
import TestSupport
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
    let header = try require(report.header)
    expectEqual(report.format, .crashTextWithJsonHeader)
    expectEqual(
      header.fields.map(\.key),
      [
        "app_name", "adam_id", "x", "ok", "no", "nil", "blame", "bug_type", "bug_type", "half",
      ])
    expectEqual(header["app_name"], .string("A \"q\" é😀/\n"))
    expectEqual(header["adam_id"], .number("1219410678"))
    expectEqual(header["x"], .number("-1.50e3"))
    expectEqual(header["ok"], .boolean(true))
    expectEqual(header["no"], .boolean(false))
    expectEqual(header["nil"], .null)
    expectEqual(header["blame"], .nested(#"[{"a":"]}"},2]"#))
    expectEqual(header["half"], .string("\u{fffd}x"))
    expectEqual(header.bugType, "109")
    expectEqual(report.facts.bugType, "109")
    expectNil(header["missing"])
    expectEqual(text[header.byteRange], json)
    expectEqual(text[header.fields[1].valueRange], "1219410678")
    expectEqual(report.facts.incident, "TEXT")
    expectEmpty(report.faults)
    expectNesting(report, "header")
  }

  @Test func theKindOfReportMayBeANumber() throws {
    let report = try ParsedText(#"{"bug_type":109,"incident_id":"OTHER"}"# + Self.head).report
    expectEqual(report.header?.bugType, "109")
    expectEqual(report.facts.bugType, "109")
    expectEqual(report.header?.text("incident_id"), "OTHER")
    expectEqual(report.facts.incident, "TEXT")
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
    expectNil(report.header)
    expectEqual(report.faults.map(\.kind), [.damagedJsonHeader])
    expectEqual(report.faults.map { text[$0.byteRange] }, [json])
    expectEqual(report.facts.process.name, "App")
    expectEqual(report.format, .crashTextWithJsonHeader)
  }

  @Test func emptyLinesMaySurroundTheHeader() throws {
    let report = try ParsedText("\n\n{\"bug_type\":\"109\"}\n\n" + Self.head).report
    expectEqual(report.header?.bugType, "109")
    expectEqual(report.byteRange.lowerBound, 2)
  }
}
