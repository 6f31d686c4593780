import ReportRendering
import ReportSymbolication
import TestSupport
import Testing

/// What JSON has in place of a report.
@Suite struct ErrorRecordTests {
  private let record = ErrorRecord(
    path: "a\".crash", code: .unreadable, message: "cannot read\u{7} it")

  @Test func aLine() {
    expectEqual(
      String(decoding: record.output(as: .ndjson), as: UTF8.self),
      #"{"schema":"symbolicate-report","version":1,"input":"a\".crash","path":"a\".crash","error":{"code":"unreadable","message":"cannot read� it"}}"#
        + "\n")
  }

  @Test func standardInputHasNoPath() {
    let record = ErrorRecord(path: "-", code: .noReport, message: "standard input is empty")
    expectTrue(
      String(decoding: record.output(as: .ndjson), as: UTF8.self).contains(
        #""input":"standard input","path":null,"error":{"code":"no-report""#))
  }

  @Test func otherFormsHaveNone() {
    for form in [OutputForm.auto, .crash, .ips, .summary] {
      expectEmpty(record.output(as: form))
    }
  }

  @Test func theSchemaAllowsIt() async throws {
    guard await SchemaCheck.isInstalled else { return }
    let texts = [OutputForm.json, .ndjson].map { form in
      String(decoding: record.output(as: form), as: UTF8.self)
    }
    try await expectEqual(SchemaCheck.complaints(texts, "error"), "")
    try await expectNotEqual(SchemaCheck.complaints(texts, "line"), "")
  }
}
