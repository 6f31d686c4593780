import Foundation
import TestSupport
import Testing

/// `symbolicate index --from REPORTS…` and `--uuids FILE`: the indexes that reports need.
struct NeededIndexTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.makeDirectory("reports/sub")
    try directory.makeDirectory("symbols")
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    try directory.write(report, to: "reports/a.crash")
    let other = String(decoding: report, as: UTF8.self).replacing(
      "a4b1de4970b3301da64458d6bc22f513", with: Self.missing)
    for name in ["b", "c"] { try directory.write(other.utf8, to: "reports/sub/\(name).crash") }
    try directory.write("notes\n".utf8, to: "reports/notes.txt")
    try directory.copy(Fixtures.storyBundle, to: "symbols/Letter Shuffle.app.dSYM")
    // Symbols that no report needs.
    try directory.copy(Fixtures.path("Fat/fat.dSYM"), to: "symbols/fat.dSYM")
    try directory.copy(Fixtures.path("Elf/clerk-swift.elf"), to: "symbols/clerk-swift.elf")
  }

  private static let missing = "00112233445566778899aabbccddeeff"
  private static let storyIndex = "a4b1de4970b3301da64458d6bc22f513-arm64.gsym"

  private func run(
    _ arguments: [String], input: [UInt8] = []
  ) async throws -> ProgramResult {
    try await Program.symbolicate(
      ["index"] + arguments, input: input, workingDirectory: directory.path,
      cache: directory.path("caches"))
  }

  private func indexes(_ folder: String = "out") throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: directory.path(folder)).sorted()
  }

  @Test func makesTheIndexesThatADirectoryOfReportsNeeds() async throws {
    let result = try await run(["--from", "reports", "-s", "symbols", "--index-dir", "out"])
    expectEqual(result.status, 0)
    expectEqual(result.outputText, "out/\(Self.storyIndex)\n")
    try expectEqual(indexes(), [Self.storyIndex])
    let lines = result.standardError.split(separator: "\n").map(String.init)
    expectEqual(lines.first, "1 index made, 0 already there")
    expectEqual(
      lines.dropFirst().prefix(2),
      [
        "symbolicate: warning: no symbols for 1 image; give their dSYMs or ELF files with -d, or a directory with -s:",
        "  UUID 00112233-4455-6677-8899-AABBCCDDEEFF (arm64) Letter Shuffle: 2 reports, 12 frames",
      ])
    let again = try await run(["--from", "reports", "-s", "symbols", "--index-dir", "out"])
    expectEqual(again.outputText, result.outputText)
    expectPrefix(again.standardError, "0 indexes made, 1 already there\n")
  }

  /// The same bytes as an index of the symbol file itself.
  @Test func theIndexIsThatOfTheSymbolFile() async throws {
    _ = try await run(["--from", "reports/a.crash", "-d", "symbols", "-o", "out"])
    _ = try await run(["symbols/Letter Shuffle.app.dSYM", "-o", "plain"])
    try expectEqual(
      directory.bytes(of: "out/\(Self.storyIndex)"), directory.bytes(of: "plain/\(Self.storyIndex)")
    )
  }

  @Test func readsReportsFromStandardInput() async throws {
    let report = try Fixtures.bytes(of: Fixtures.storyReport)
    for arguments in [["--from"], ["--from", "-"]] {
      let result = try await run(arguments + ["-d", "symbols"], input: report)
      expectEqual(result.status, 0)
      expectEqual(result.outputText, "\(directory.path("caches"))/symbolicate/\(Self.storyIndex)\n")
    }
  }

  @Test func readsAListOfUuids() async throws {
    try directory.write(
      """
      # of a build
      UUID: A4B1DE49-70B3-301D-A644-58D6BC22F513 (arm64) Letter Shuffle

      \(Self.missing) arm64 Other App
      no uuid here

      """.utf8, to: "list")
    let result = try await run(["--uuids", "list", "-s", "symbols", "-o", "out"])
    expectEqual(result.status, 65)
    try expectEqual(indexes(), [Self.storyIndex])
    expectEqual(
      result.standardError,
      """
      symbolicate: error: line 5 of list is 'no uuid here'; expected a UUID or a build-id, and maybe an architecture and a name
      1 index made, 0 already there
      symbolicate: warning: no symbols for 1 image; give their dSYMs or ELF files with -d, or a directory with -s:
        UUID 00112233-4455-6677-8899-AABBCCDDEEFF (arm64) Other App

      """)
    let piped = try await run(
      ["--uuids", "-", "symbols", "-o", "out"],
      input: Array("a4b1de4970b3301da64458d6bc22f513\n".utf8))
    expectEqual(piped.status, 0)
    expectEqual(piped.standardError, "0 indexes made, 1 already there\n")
  }

  /// A build-id from `llvm-readelf`, not from this program.
  @Test(.enabled(if: Program.path(of: "llvm-readelf-19") != nil, "needs llvm-readelf-19"))
  func readsABuildId() async throws {
    let tool = try require(Program.path(of: "llvm-readelf-19"))
    let notes = try await Program.run(tool, ["-n", directory.path("symbols/clerk-swift.elf")])
    let line = notes.outputText.split(separator: "\n").first { $0.contains("Build ID: ") }
    let id = try require(line?.split(separator: " ").last)
    let result = try await run(
      ["--uuids", "-", "-s", "symbols", "-o", "out"], input: Array("\(id)\n".utf8))
    expectEqual(result.status, 0)
    try expectEqual(indexes().map { $0.hasPrefix("\(id)-") }, [true])
  }

  @Test func saysWhatCannotBeRead() async throws {
    try directory.link("reports/gone.crash", to: "nowhere")
    let result = try await run([
      "--from", "reports", "-s", "symbols", "-o", "out",
    ])
    expectEqual(result.status, 66)
    expectTrue(
      result.standardError.hasPrefix(
        "symbolicate: error: cannot read the report reports/gone.crash: No such file or directory\n"
      ))
    try expectEqual(indexes(), [Self.storyIndex])
    try directory.makeDirectory("empty")
    let empty = try await run(["--from", "empty", "-s", "symbols", "-o", "other"])
    expectEqual(empty.status, 65)
    expectContains(empty.standardError, "no report in empty")
  }

  @Test func wrongCombinations() async throws {
    for arguments in [
      ["--clean", "--from"], ["symbols", "-d", "symbols"], ["--from", "-", "--uuids", "-"],
    ] {
      try await expectEqual(run(arguments).status, 64)
    }
  }

  /// Each index is made once, whatever the number of processes, and all are whole. A lock that a
  /// killed process left stops nobody.
  @Test func twentyProcessesShareTheWork() async throws {
    let fixtures = [
      "Dwarf/arm64-dwarf4.dSYM", "Dwarf/x86_64-dwarf5.dSYM",
      "Elf/clerk-swift.elf", "Elf/libshapes.elf", "LetterShuffle/Letter Shuffle.app.dSYM",
    ]
    let listed = try await Program.symbolicate(["uuid"] + fixtures.map(Fixtures.path))
    expectEqual(listed.status, 0)
    try directory.write(listed.standardOutput, to: "list")
    let arguments =
      ["--uuids", "list", "--jobs", "1"] + fixtures.flatMap { ["-d", Fixtures.path($0)] }
    _ = try await run(arguments + ["-o", "alone"])
    let names = try indexes("alone")
    expectEqual(names.count, fixtures.count)
    try directory.makeDirectory("out")
    try directory.write([], to: "out/.symbolicate-index-\(names[0]).lock")
    var made = 0
    var present = 0
    try await withThrowingTaskGroup(of: ProgramResult.self) { group in
      for _ in 0..<20 { group.addTask { try await run(arguments + ["-o", "out"]) } }
      for try await result in group {
        expectEqual(result.status, 0)
        let words = result.standardError.split(separator: " ")
        made += words.first.flatMap { Int($0) } ?? 1000
        present += words.count > 3 ? Int(words[3]) ?? 1000 : 1000
        expectEqual(result.outputText.split(separator: "\n").count, names.count)
      }
    }
    expectEqual(made, names.count)
    expectEqual(present, 19 * names.count)
    try expectEqual(indexes(), names)
    for name in names {
      try expectEqual(directory.bytes(of: "out/\(name)"), directory.bytes(of: "alone/\(name)"))
    }
  }
}
