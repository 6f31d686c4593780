import TestSupport
import Testing

/// Several reports in one run, and reports replaced in their own places.
struct SeveralReportsTests {
  private let directory: TemporaryDirectory
  private let report: [UInt8]
  private let symbolicated: [UInt8]

  init() throws {
    directory = try TemporaryDirectory()
    report = try Fixtures.bytes(of: Fixtures.storyReport)
    symbolicated = try Fixtures.bytes(
      of: "\(Fixtures.packageDirectory)/Tests/EndToEndTests/Expected/letter-shuffle.crash")
  }

  @Test func goToADirectory() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, Fixtures.storyWebCopy, "-d", Fixtures.storyBundle, "-o",
      directory.path("out"),
    ])
    #expect(result.status == 0)
    #expect(result.standardOutput.isEmpty)
    #expect(try directory.bytes(of: "out/letter-shuffle.crash") == symbolicated)
    #expect(
      try directory.bytes(of: "out/letter-shuffle-web-copy.crash")
        != Fixtures.bytes(of: Fixtures.storyWebCopy))
  }

  @Test func ofOneNameDoNotReplaceOneAnother() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, Fixtures.storyReport, "-o", directory.path("out"),
    ])
    #expect(result.status == 73)
    #expect(result.standardError.contains("letter-shuffle.crash a second time: File exists"))
  }

  @Test func followOneAnotherOnStandardOutput() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, Fixtures.storyReport, "-d", Fixtures.storyBundle,
    ])
    #expect(result.standardOutput == symbolicated + symbolicated)
  }

  @Test func areReplacedInTheirPlaces() async throws {
    let first = try directory.write(report, to: "a.crash")
    let second = try directory.write(report, to: "b.crash")
    let text = try directory.write("no report\n".utf8, to: "c.txt")
    let result = try await Program.symbolicate([
      first, second, text, directory.path("missing.crash"), "-d", Fixtures.storyBundle,
      "--in-place",
    ])
    // What is missing is taken for a symbol file, as the last of the arguments may be.
    #expect(result.status == 66)
    #expect(result.standardOutput.isEmpty)
    #expect(try directory.bytes(of: "a.crash") == symbolicated)
    #expect(try directory.bytes(of: "b.crash") == symbolicated)
    #expect(try directory.bytes(of: "c.txt") == Array("no report\n".utf8))
    #expect(try directory.fileNames() == ["a.crash", "b.crash", "c.txt"])
    #expect(result.standardError.contains("missing.crash: No such file or directory"))
    #expect(result.standardError.contains("\(text) holds no crash report"))
  }

  /// A file that is for one of the reports is not told of for the others.
  @Test func needTheirSymbolFilesOnlyOnce() async throws {
    let other = String(decoding: report, as: UTF8.self).replacing(
      "a4b1de4970b3301da64458d6bc22f513", with: "00112233445566778899aabbccddeeff")
    let path = try directory.write(other.utf8, to: "other.crash")
    let result = try await Program.symbolicate([
      Fixtures.storyReport, path, "-d", Fixtures.storyBundle,
    ])
    #expect(result.status == 0)
    #expect(!result.standardError.contains("does not fit"))
  }

  @Test func standardInputHasNoPlace() async throws {
    for arguments in [
      ["--in-place"], ["-", "--in-place"], [Fixtures.storyReport, "-", "--in-place"],
    ] {
      let result = try await Program.symbolicate(arguments)
      #expect(result.status == 64)
      #expect(result.standardOutput.isEmpty)
    }
  }

  /// They are no reports: it would be lost.
  @Test(arguments: [["--summary"], ["--format", "json"], ["--format", "ndjson"]])
  func formsThatAreNotReadAgainHaveNoPlace(form: [String]) async throws {
    let copy = directory.path("kept.crash")
    try directory.copy(Fixtures.storyReport, to: "kept.crash")
    let result = try await Program.symbolicate([copy, "--in-place"] + form)
    #expect(result.status == 64)
    #expect(try Fixtures.bytes(of: copy) == Fixtures.bytes(of: Fixtures.storyReport))
  }

  @Test func inPlaceAndAnOutputFileExcludeEachOther() async throws {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "--in-place", "-o", directory.path("x"),
    ])
    #expect(result.status == 64)
  }
}
