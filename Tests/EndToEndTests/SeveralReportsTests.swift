import TestSupport
import Testing

/// Several reports in one run, and reports replaced in place.
struct SeveralReportsTests {
  private let directory: TemporaryDirectory
  private let report: [UInt8]
  private let symbolicated: [UInt8]

  init() throws {
    directory = try TemporaryDirectory()
    report = try Fixtures.bytes(of: Fixtures.storyReport)
    symbolicated = try ExpectedOutput.bytes(of: "letter-shuffle.crash")
  }

  @Test func writesToADirectory() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, Fixtures.storyWebCopy, "-d", Fixtures.storyBundle,
      "--output-dir", directory.path("out"),
    ])
    #expect(result.status == 0)
    #expect(result.standardOutput.isEmpty)
    #expect(try directory.bytes(of: "out/letter-shuffle.crash") == symbolicated)
    #expect(
      try directory.bytes(of: "out/letter-shuffle-web-copy.crash")
        != Fixtures.bytes(of: Fixtures.storyWebCopy))
  }

  // MARK: Bundles of Xcode's Organizer

  private func makeCrashPoint() throws {
    for folder in ["Filters/Filter_A", "Filters/Filter_B", "DistributionInfos/all"] {
      try directory.makeDirectory("P.xccrashpoint/\(folder)/Logs")
    }
    try directory.write(report, to: "P.xccrashpoint/Filters/Filter_B/Logs/1.crash")
    try directory.write(report, to: "P.xccrashpoint/Filters/Filter_A/Logs/3.crash")
    try directory.write(report, to: "P.xccrashpoint/Filters/Filter_A/Logs/2.crash")
    try directory.write(report, to: "P.xccrashpoint/DistributionInfos/all/Logs/4.crash")
    try directory.write([0x7B, 0x7D], to: "P.xccrashpoint/Filters/Filter_A/PointInfo.json")
    try directory.write([0x7B, 0x7D], to: "P.xccrashpoint/Filters/Filter_A/Logs/Notes.json")
  }

  private let crashPointReports = [
    "DistributionInfos/all/Logs/4.crash", "Filters/Filter_A/Logs/2.crash",
    "Filters/Filter_A/Logs/3.crash", "Filters/Filter_B/Logs/1.crash",
  ]

  @Test func readsAllReportsOfACrashPointInOrder() async throws {
    try makeCrashPoint()
    let result = try await Program.symbolicate([
      directory.path("P.xccrashpoint"), "-d", Fixtures.storyBundle, "--verbose",
    ])
    #expect(result.status == 0)
    #expect(result.standardOutput == (0..<4).flatMap { _ in symbolicated })
    let names = result.standardError.split(separator: "\n").filter { $0.hasSuffix(".crash:") }
    #expect(
      names.map(String.init) == crashPointReports.map { directory.path("P.xccrashpoint/\($0):") })
  }

  @Test func completesACrashPointInPlace() async throws {
    try makeCrashPoint()
    let result = try await Program.symbolicate([
      Fixtures.storyBundle, directory.path("P.xccrashpoint"), "--in-place",
    ])
    #expect(result.status == 0)
    for name in crashPointReports {
      #expect(try directory.bytes(of: "P.xccrashpoint/\(name)") == symbolicated)
    }
    #expect(
      try directory.bytes(of: "P.xccrashpoint/Filters/Filter_A/Logs/Notes.json") == [0x7B, 0x7D])
  }

  @Test func saysThatACrashPointIsEmpty() async throws {
    try directory.makeDirectory("E.xccrashpoint")
    let path = directory.path("E.xccrashpoint")
    let result = try await Program.symbolicate([path])
    #expect(result.status == 66)
    #expect(
      result.standardError
        == "symbolicate: error: \(path) has no reports: expected .crash files in Filters/*/Logs or DistributionInfos/*/Logs; let Xcode's Organizer download them\n"
    )
  }

  @Test func listsTheUuidsOfACrashPoint() async throws {
    try makeCrashPoint()
    let one = try await Program.symbolicate([
      "uuid", directory.path("P.xccrashpoint/Filters/Filter_A/Logs/2.crash"),
    ])
    let all = try await Program.symbolicate(["uuid", directory.path("P.xccrashpoint")])
    #expect(all.status == 0)
    #expect(!one.standardOutput.isEmpty)
    #expect(all.standardOutput.count >= 4 * one.standardOutput.count)
    let lines = String(decoding: all.standardOutput, as: UTF8.self).split(separator: "\n")
    #expect(lines.count { $0.contains("A4B1DE49-70B3-301D-A644-58D6BC22F513") } == 4)
  }

  @Test func diagnosesTheFirstReportOfACrashPoint() async throws {
    try makeCrashPoint()
    let path = directory.path("P.xccrashpoint")
    let first = "\(path)/\(crashPointReports[0])"
    let one = try await Program.symbolicate(["doctor", first, "-d", Fixtures.storyBundle])
    let all = try await Program.symbolicate(["doctor", path, "-d", Fixtures.storyBundle])
    #expect(all.status == 0)
    #expect(all.standardOutput == one.standardOutput)
    #expect(
      all.standardError
        == "symbolicate: note: \(path) has 4 reports of one crash; this is about \(first); name another one to diagnose it\n"
        + one.standardError)
    try directory.makeDirectory("E.xccrashpoint")
    let none = try await Program.symbolicate(["doctor", directory.path("E.xccrashpoint")])
    #expect(none.status == 66)
    #expect(none.standardError.contains("has no reports"))
  }

  @Test func refusesReportsWithTheSameName() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, Fixtures.storyReport, "--output-dir", directory.path("out"),
    ])
    #expect(result.status == 73)
    #expect(result.standardError.contains("letter-shuffle.crash, which is given twice, would"))
  }

  @Test func writesToStandardOutputInOrder() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, Fixtures.storyReport, "-d", Fixtures.storyBundle,
    ])
    #expect(result.standardOutput == symbolicated + symbolicated)
  }

  @Test func replacesReportsInPlace() async throws {
    let first = try directory.write(report, to: "a.crash")
    let second = try directory.write(report, to: "b.crash")
    let text = try directory.write("no report\n".utf8, to: "c.txt")
    let result = try await Program.symbolicate([
      first, second, text, directory.path("missing.crash"), "-d", Fixtures.storyBundle,
      "--in-place",
    ])
    // A missing file counts as a symbol file, since the last arguments may be symbol files.
    #expect(result.status == 66)
    #expect(result.standardOutput.isEmpty)
    #expect(try directory.bytes(of: "a.crash") == symbolicated)
    #expect(try directory.bytes(of: "b.crash") == symbolicated)
    #expect(try directory.bytes(of: "c.txt") == Array("no report\n".utf8))
    #expect(try directory.fileNames() == ["a.crash", "b.crash", "c.txt"])
    #expect(result.standardError.contains("missing.crash: No such file or directory"))
    #expect(result.standardError.contains("\(text) has no crash report"))
  }

  /// A file that matches one of the reports is not reported as unmatched for the others.
  @Test func acceptsASymbolFileForOneReport() async throws {
    let other = String(decoding: report, as: UTF8.self).replacing(
      "a4b1de4970b3301da64458d6bc22f513", with: "00112233445566778899aabbccddeeff")
    let path = try directory.write(other.utf8, to: "other.crash")
    let result = try await Program.symbolicate([
      Fixtures.storyReport, path, "-d", Fixtures.storyBundle,
    ])
    #expect(result.status == 0)
    #expect(!result.standardError.contains("from a different build"))
  }

  @Test func standardInputCannotBeReplaced() async throws {
    for arguments in [
      ["--in-place"], ["-", "--in-place"], [Fixtures.storyReport, "-", "--in-place"],
    ] {
      let result = try await Program.symbolicate(arguments)
      #expect(result.status == 64)
      #expect(result.standardOutput.isEmpty)
    }
  }

  /// They would lose the report.
  @Test(arguments: [["--summary"], ["--format", "json"], ["--format", "ndjson"]])
  func extractsCannotReplaceReports(form: [String]) async throws {
    let copy = directory.path("kept.crash")
    try directory.copy(Fixtures.storyReport, to: "kept.crash")
    let result = try await Program.symbolicate([copy, "--in-place"] + form)
    #expect(result.status == 64)
    #expect(try Fixtures.bytes(of: copy) == Fixtures.bytes(of: Fixtures.storyReport))
  }

  @Test func inPlaceCannotBeCombinedWithAnOutput() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "--in-place", "-o", directory.path("x"),
    ])
    #expect(result.status == 64)
  }
}
