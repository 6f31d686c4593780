import ReportSymbolication
import TestSupport
import Testing

@testable import ReportRuns

/// The names of results in a directory.
@Suite struct ResultNameTests {
  @Test(arguments: [
    ("a.crash", OutputForm.auto, "a.crash"), ("a.ips", .auto, "a.ips"),
    ("a.plcrash", .auto, "a.crash"), ("a.PLCRASH", .auto, "a.crash"), ("noname", .auto, "noname"),
    ("a.ips", .crash, "a.crash"), ("a.crash", .crash, "a.crash"), ("a.crash", .ips, "a.ips"),
    ("sub/a.crash", .json, "sub/a.json"), ("a.ips", .ndjson, "a.ndjson"),
    ("a.txt", .summary, "a.txt"), ("a.log", .summary, "a.txt"),
    ("noname", .json, "noname.json"), ("App 1.2", .json, "App 1.2.json"),
    ("sub.crash/noname", .json, "sub.crash/noname.json"), (".crash", .json, ".crash.json"),
    ("a.crash.gz", .auto, "a.crash"), ("a.ips.ZST", .json, "a.json"), ("a.xz", .crash, "a.crash"),
    ("sub/a.plcrash.gz", .auto, "sub/a.crash"), (".gz", .auto, ".gz"),
    ("App-2023.05.01", .crash, "App-2023.05.01.crash"),
  ])
  func suffixes(name: String, form: OutputForm, result: String) {
    expectEqual(form.resultName(of: name), result)
  }

  @Test func namesOfInputs() {
    expectEqual(ReportInput("-").resultPath(as: .json), "standard-input.json")
    expectEqual(ReportInput("/x/y/a.ips").resultPath(as: .crash), "a.crash")
    expectEqual(ReportInput("../a.ips").resultPath(as: .auto), "a.ips")
  }
}
