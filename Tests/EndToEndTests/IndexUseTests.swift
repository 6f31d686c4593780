import TestSupport
import Testing

/// The program with an index and without: what it prints is the same.
struct IndexUseTests {
  private let directory: TemporaryDirectory
  private let indexes: String

  init() throws {
    directory = try TemporaryDirectory()
    indexes = directory.path("indexes")
  }

  /// Makes the index of a symbol file in `indexes`.
  /// - Returns: the index's path.
  @discardableResult
  private func makeIndex(of symbolFile: String) async throws -> String {
    let result = try await Program.symbolicate(["index", "-o", indexes, symbolFile])
    try require(result.status == 0, "\(result.standardError)")
    return String(try require(result.outputText.split(separator: "\n").first))
  }

  private func expectSame(
    _ arguments: [String], _ others: [String]...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let expected = try await Program.symbolicate(arguments)
    for other in others {
      let result = try await Program.symbolicate(arguments + other)
      expectEqual(result.outputText, expected.outputText, sourceLocation: sourceLocation)
      expectEqual(result.standardError, expected.standardError, sourceLocation: sourceLocation)
      expectEqual(result.status, expected.status, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: ["auto", "crash", "json", "ndjson"])
  func theStoryReport(form: String) async throws {
    try await makeIndex(of: Fixtures.storyBundle)
    try await expectSame(
      [Fixtures.storyReport, "-d", Fixtures.storyBundle, "--format", form],
      ["--index-dir", indexes], ["--index-dir", indexes, "--no-index"])
  }

  @Test func theStoryReportIsGolden() async throws {
    let index = try await makeIndex(of: Fixtures.storyBundle)
    let golden = try ExpectedOutput.bytes(of: "letter-shuffle.crash")
    for arguments in [
      ["-d", Fixtures.storyBundle, "--index-dir", indexes], ["-d", index], ["-d", indexes], [index],
    ] {
      let result = try await Program.symbolicate([Fixtures.storyReport] + arguments)
      expectEqual(result.standardOutput, golden)
      expectPrefix(result.standardError, "6 of 11 frames resolved\n")
    }
  }

  private static let storyAddresses = [
    "10002719c", "10001d798", "10001d63b", "10001d3f3", "10000a004", "10000a044", "1", "100000004",
    "0x9000000010002719c", "zz",
  ]

  @Test(arguments: [[], ["-i"], ["-fullPath"], ["-i", "-fullPath", "-d", "@"]])
  func addressesOfTheStory(options: [String]) async throws {
    let index = try await makeIndex(of: Fixtures.storyBundle)
    try await expectSame(
      ["atos", "-o", Fixtures.storyBundle] + options + Self.storyAddresses,
      ["-index-dir", indexes], ["--index-dir=\(indexes)"],
      ["-no-index", "-index-dir", indexes])
    // With the index in place of the dSYM, nothing is asked that it does not hold.
    let answers = Array(Self.storyAddresses.prefix(6))
    let expected = try await Program.symbolicate(
      ["atos", "-o", Fixtures.storyBundle] + options + answers)
    let copy = directory.path("Letter Shuffle.gsym")
    try directory.copy(index, to: "Letter Shuffle.gsym")
    let result = try await Program.symbolicate(["atos", "-o", copy] + options + answers)
    expectEqual(result.outputText, expected.outputText)
    expectEqual(result.standardError, "")
  }

  @Test func theUsersCache() async throws {
    let cache = directory.path("cache")
    let arguments = ["atos", "-o", Fixtures.storyBundle, "10002719c"]
    let expected = try await Program.symbolicate(arguments)
    let made = try await Program.symbolicate(["index", Fixtures.storyBundle], cache: cache)
    expectTrue(made.outputText.hasPrefix(cache + "/symbolicate/"))
    let result = try await Program.symbolicate(arguments, cache: cache)
    expectEqual(result.outputText, expected.outputText)
    expectEqual(result.standardError, "")
  }

  /// An index that no longer matches the symbol file is reported in one line, and nothing if no
  /// index is to be used.
  @Test func staleIndexes() async throws {
    let file = directory.path("Letter Shuffle")
    try directory.copy(Fixtures.storyDwarfFile, to: "Letter Shuffle")
    let index = try await makeIndex(of: file)
    try directory.write(Fixtures.bytes(of: file) + [0], to: "Letter Shuffle")
    for (program, arguments) in [
      ("atos", ["atos", "-o", file, "10002719c", "10001d798", "-index-dir", indexes]),
      ("symbolicate: warning", [Fixtures.storyReport, "-d", file, "--index-dir", indexes]),
    ] {
      let expected = try await Program.symbolicate(arguments + ["--no-index"])
      expectFalse(expected.standardError.contains("index"))
      let result = try await Program.symbolicate(arguments)
      expectEqual(result.outputText, expected.outputText)
      expectEqual(result.status, 0)
      let lines = result.standardError.split(separator: "\n").filter { $0.contains("index") }
      expectEqual(lines.count, 1)
      expectEqual(lines.first?.hasPrefix("\(program): ignoring the index \(index): "), true)
    }
  }

  /// The header of a GSYM file has its version at byte 4 (LLVM's Header.h).
  @Test func refusesOtherVersions() async throws {
    var bytes = try Fixtures.bytes(of: try await makeIndex(of: Fixtures.storyBundle))
    bytes[4] = 3
    let path = try directory.write(bytes, to: "other.gsym")
    let message =
      "\(path) is a GSYM index of version 3, but only versions 1 and 2 are supported; build it again with 'symbolicate index' or llvm-gsymutil, or give the dSYM or ELF file\n"
    let atos = try await Program.symbolicate(["atos", "-o", path, "10002719c"])
    expectEqual(atos.status, 1)
    expectTrue(atos.standardError.hasSuffix("atos: " + message))
    let report = try await Program.symbolicate([Fixtures.storyReport, "-d", path])
    expectEqual(report.status, 66)
    expectTrue(report.standardError.contains("symbolicate: error: " + message))
  }

  @Test func refusesDamagedFiles() async throws {
    let bytes = try Fixtures.bytes(of: try await makeIndex(of: Fixtures.storyBundle))
    let path = try directory.write(bytes.prefix(300), to: "cut.gsym")
    let atos = try await Program.symbolicate(["atos", "-o", path, "10002719c"])
    expectEqual(atos.status, 1)
    expectContains(atos.standardError, "atos: \(path) is cut short or damaged: GSYM ")
    let report = try await Program.symbolicate([Fixtures.storyReport, "-d", path])
    expectEqual(report.status, 66)
    expectContains(
      report.standardError, "symbolicate: error: \(path) is cut short or damaged: GSYM ")
  }
}

/// Files that LLVM wrote, in place of symbol files.
@Suite(
  .enabled(
    if: Program.path(of: "llvm-gsymutil-19") != nil,
    "needs llvm-gsymutil-19 (Debian's package llvm-19)"))
struct LlvmGsymTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func convert(_ file: String, to name: String) async throws -> String {
    let tool = try require(Program.path(of: "llvm-gsymutil-19"))
    let path = directory.path(name)
    let result = try await Program.run(tool, ["--convert=\(Fixtures.path(file))", "-o", path])
    try require(result.status == 0, "\(result.standardError)")
    return path
  }

  /// In functions of `Shapes`, with up to four inlined calls.
  @Test(
    arguments: [
      (
        "Dwarf/arm64-dwarf4.dSYM/Contents/Resources/DWARF/Shapes", "Shapes.gsym",
        ["1000007b0", "100000770", "100000784"]
      ),
      ("Elf/shapes-pie.elf", "shapes-pie.elf.gsym", ["1590", "1490", "1500"]),
      ("Elf/shapes-fixed.elf", "shapes-fixed.elf.gsym", ["401490", "401400"]),
    ])
  func answersLikeTheSymbolFile(file: String, name: String, addresses: [String]) async throws {
    let gsym = try await convert(file, to: name)
    let options = ["-i", "-fullPath"] + addresses
    let expected = try await Program.symbolicate(["atos", "-o", Fixtures.path(file)] + options)
    let result = try await Program.symbolicate(["atos", "-o", gsym] + options)
    expectEqual(result.outputText, expected.outputText)
    expectContains(result.outputText, ".c:")
    expectEqual(result.standardError, "")
  }

  @Test func assumesALinkBase() async throws {
    let file = "Dwarf/arm64-dwarf4.dSYM/Contents/Resources/DWARF/Shapes"
    let gsym = try await convert(file, to: "Shapes.gsym")
    for options in [["-l", "0x200000000", "2000007b0"], ["-offset", "7b0"]] {
      let expected = try await Program.symbolicate(["atos", "-o", Fixtures.path(file)] + options)
      let result = try await Program.symbolicate(["atos", "-o", gsym] + options)
      expectEqual(result.outputText, expected.outputText)
      expectEqual(
        result.standardError,
        "atos: \(gsym) does not say where its image starts, so 0x100000000 is assumed; if the answers are wrong, give the dSYM or ELF file, or an index from 'symbolicate index'\n"
      )
    }
    let slid = try await Program.symbolicate([
      "atos", "-o", gsym, "-arch", "arm64", "-s", "100000000", "2000007b0",
    ])
    expectEqual(slid.outputText, "sum_of_areas (in Shapes) (shapes.c:34)\n")
    expectEqual(slid.standardError, "")
  }
}
