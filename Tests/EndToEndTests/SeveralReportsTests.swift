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
    expectEqual(result.status, 0)
    expectEmpty(result.standardOutput)
    try expectEqual(directory.bytes(of: "out/letter-shuffle.crash"), symbolicated)
    try expectNotEqual(
      directory.bytes(of: "out/letter-shuffle-web-copy.crash"),
      Fixtures.bytes(of: Fixtures.storyWebCopy))
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
    expectEqual(result.status, 0)
    expectEqual(result.standardOutput, (0..<4).flatMap { _ in symbolicated })
    let names = result.standardError.split(separator: "\n").filter { $0.hasSuffix(".crash:") }
    expectEqual(
      names.map(String.init), crashPointReports.map { directory.path("P.xccrashpoint/\($0):") })
  }

  @Test func completesACrashPointInPlace() async throws {
    try makeCrashPoint()
    let result = try await Program.symbolicate([
      Fixtures.storyBundle, directory.path("P.xccrashpoint"), "--in-place",
    ])
    expectEqual(result.status, 0)
    for name in crashPointReports {
      try expectEqual(directory.bytes(of: "P.xccrashpoint/\(name)"), symbolicated)
    }
    try expectEqual(
      directory.bytes(of: "P.xccrashpoint/Filters/Filter_A/Logs/Notes.json"), [0x7B, 0x7D])
  }

  @Test func saysThatACrashPointIsEmpty() async throws {
    try directory.makeDirectory("E.xccrashpoint")
    let path = directory.path("E.xccrashpoint")
    let result = try await Program.symbolicate([path])
    expectEqual(result.status, 66)
    expectEqual(
      result.standardError,
      "symbolicate: error: \(path) has no reports: expected .crash files in Filters/*/Logs or DistributionInfos/*/Logs; let Xcode's Organizer download them\n"
    )
  }

  @Test func listsTheUuidsOfACrashPoint() async throws {
    try makeCrashPoint()
    let one = try await Program.symbolicate([
      "uuid", directory.path("P.xccrashpoint/Filters/Filter_A/Logs/2.crash"),
    ])
    let all = try await Program.symbolicate(["uuid", directory.path("P.xccrashpoint")])
    expectEqual(all.status, 0)
    expectFalse(one.standardOutput.isEmpty)
    #expect(all.standardOutput.count >= 4 * one.standardOutput.count)
    let lines = String(decoding: all.standardOutput, as: UTF8.self).split(separator: "\n")
    expectEqual(lines.count { $0.contains("A4B1DE49-70B3-301D-A644-58D6BC22F513") }, 4)
  }

  @Test func diagnosesTheFirstReportOfACrashPoint() async throws {
    try makeCrashPoint()
    let path = directory.path("P.xccrashpoint")
    let first = "\(path)/\(crashPointReports[0])"
    let one = try await Program.symbolicate(["doctor", first, "-d", Fixtures.storyBundle])
    let all = try await Program.symbolicate(["doctor", path, "-d", Fixtures.storyBundle])
    expectEqual(all.status, 0)
    expectEqual(all.standardOutput, one.standardOutput)
    expectEqual(
      all.standardError,
      "symbolicate: note: \(path) has 4 reports of one crash; this is about \(first); name another one to diagnose it\n"
        + one.standardError)
    try directory.makeDirectory("E.xccrashpoint")
    let none = try await Program.symbolicate(["doctor", directory.path("E.xccrashpoint")])
    expectEqual(none.status, 66)
    expectContains(none.standardError, "has no reports")
  }

  @Test func refusesReportsWithTheSameName() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, Fixtures.storyReport, "--output-dir", directory.path("out"),
    ])
    expectEqual(result.status, 73)
    expectContains(result.standardError, "letter-shuffle.crash, which is given twice, would")
  }

  @Test func writesToStandardOutputInOrder() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, Fixtures.storyReport, "-d", Fixtures.storyBundle,
    ])
    expectEqual(result.standardOutput, symbolicated + symbolicated)
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
    expectEqual(result.status, 66)
    expectEmpty(result.standardOutput)
    try expectEqual(directory.bytes(of: "a.crash"), symbolicated)
    try expectEqual(directory.bytes(of: "b.crash"), symbolicated)
    try expectEqual(directory.bytes(of: "c.txt"), Array("no report\n".utf8))
    try expectEqual(directory.fileNames(), ["a.crash", "b.crash", "c.txt"])
    expectContains(result.standardError, "missing.crash: No such file or directory")
    expectContains(result.standardError, "\(text) has no crash report")
  }

  /// A file that matches one of the reports is not reported as unmatched for the others.
  @Test func acceptsASymbolFileForOneReport() async throws {
    let other = String(decoding: report, as: UTF8.self).replacing(
      "a4b1de4970b3301da64458d6bc22f513", with: "00112233445566778899aabbccddeeff")
    let path = try directory.write(other.utf8, to: "other.crash")
    let result = try await Program.symbolicate([
      Fixtures.storyReport, path, "-d", Fixtures.storyBundle,
    ])
    expectEqual(result.status, 0)
    expectFalse(result.standardError.contains("from a different build"))
  }

  @Test func standardInputCannotBeReplaced() async throws {
    for arguments in [
      ["--in-place"], ["-", "--in-place"], [Fixtures.storyReport, "-", "--in-place"],
    ] {
      let result = try await Program.symbolicate(arguments)
      expectEqual(result.status, 64)
      expectEmpty(result.standardOutput)
    }
  }

  /// They would lose the report.
  @Test(arguments: [["--summary"], ["--format", "json"], ["--format", "ndjson"]])
  func extractsCannotReplaceReports(form: [String]) async throws {
    let copy = directory.path("kept.crash")
    try directory.copy(Fixtures.storyReport, to: "kept.crash")
    let result = try await Program.symbolicate([copy, "--in-place"] + form)
    expectEqual(result.status, 64)
    try expectEqual(Fixtures.bytes(of: copy), Fixtures.bytes(of: Fixtures.storyReport))
  }

  @Test func inPlaceCannotBeCombinedWithAnOutput() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "--in-place", "-o", directory.path("x"),
    ])
    expectEqual(result.status, 64)
  }
}
