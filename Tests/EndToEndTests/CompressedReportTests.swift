import TestSupport
import Testing

/// Reports that are compressed with gzip, zstd, xz and bzip2, as those programs write them.
struct CompressedReportTests {
  private let directory: TemporaryDirectory
  private let symbolicated: [UInt8]

  init() async throws {
    directory = try TemporaryDirectory()
    symbolicated = try ExpectedOutput.bytes(of: "letter-shuffle.crash")
    try directory.makeDirectory("in/sub")
    try await compress("gzip", to: "in/a.crash.gz")
    try await compress("zstd -q", to: "in/sub/b.crash.zst")
    // The name does not count.
    try await compress("xz", to: "in/plain.crash")
    try await compress("bzip2", to: "c.crash.bz2")
  }

  private func compress(_ program: String, to name: String) async throws {
    let result = try await Program.run(
      "/bin/sh", ["-c", "\(program) -c < \"$0\" > \"$1\"", Fixtures.storyReport, name],
      workingDirectory: directory.path)
    try require(result.status == 0)
  }

  private func run(_ arguments: [String], input: [UInt8] = []) async throws -> ProgramResult {
    try await Program.symbolicate(
      arguments + ["-d", Fixtures.storyBundle], input: input, workingDirectory: directory.path)
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes(of: directory.path(name))
  }

  @Test(arguments: ["in/a.crash.gz", "in/sub/b.crash.zst", "in/plain.crash", "c.crash.bz2"])
  func resultsAreThoseOfThePlainReport(name: String) async throws {
    let result = try await run([name])
    expectEqual(result.status, 0)
    expectEqual(result.standardOutput, symbolicated)
    let piped = try await run([], input: bytes(name))
    expectEqual(piped.standardOutput, symbolicated)
  }

  @Test func concatenatedMembersAreOneInput() async throws {
    let member = try bytes("in/a.crash.gz")
    let result = try await run([], input: member + member)
    expectEqual(result.standardOutput, symbolicated + symbolicated)
  }

  @Test func resultsInADirectoryHaveThePlainNames() async throws {
    let result = try await run(["in", "--output-dir", "out"])
    expectEqual(result.status, 0)
    try expectEqual(bytes("out/a.crash"), symbolicated)
    try expectEqual(bytes("out/sub/b.crash"), symbolicated)
    try expectEqual(bytes("out/plain.crash"), symbolicated)
  }

  @Test func bzip2() async throws {
    let result = try await run(["c.crash.bz2", "--output-dir", "out"])
    expectEqual(result.status, 0)
    try expectEqual(bytes("out/c.crash"), symbolicated)
    try directory.write(try bytes("c.crash.bz2").dropLast(20), to: "cut.bz2")
    let cut = try await run(["cut.bz2"])
    expectEqual(cut.status, 66)
    expectTrue(
      cut.standardError.contains(
        "cannot read the report cut.bz2: its bzip2 data is cut short; copy or download it again"))
  }

  @Test func compressedReportsAreNotReplaced() async throws {
    let before = try bytes("in/a.crash.gz")
    let named = try await run(["in/a.crash.gz", "--in-place"])
    expectEqual(named.status, 64)
    expectTrue(
      named.standardError.contains(
        "in/a.crash.gz is compressed, and results are not, so it will not be overwritten; use -o with another name"
      ))
    let walked = try await run(["in", "--in-place"])
    expectEqual(walked.status, 65)
    expectContains(walked.standardError, "3 files cannot be written")
    try expectEqual(bytes("in/a.crash.gz"), before)
    let output = try await run([Fixtures.storyReport, "-o", "in/a.crash.gz"])
    expectEqual(output.status, 64)
    try expectEqual(bytes("in/a.crash.gz"), before)
  }

  @Test func damageIsNamed() async throws {
    let whole = try bytes("in/a.crash.gz")
    try directory.write(whole.dropLast(200), to: "cut.gz")
    try directory.write(whole + Array("hello\n".utf8), to: "more.gz")
    // The checksum of RFC 1952 is before the size, 8 bytes before the end.
    var damaged = whole
    damaged[damaged.count - 8] ^= 1
    try directory.write(damaged, to: "damaged.gz")
    for (name, words) in [
      ("cut.gz", "its gzip data is cut short; copy or download it again"),
      ("more.gz", "6 bytes follow its gzip data; remove what was appended, or unpack it with gzip"),
      ("damaged.gz", "its gzip data is damaged; copy or download it again"),
    ] {
      let result = try await run([name])
      expectEqual(result.status, 66)
      expectContains(result.standardError, "cannot read the report \(name): \(words)")
      expectEmpty(result.standardOutput)
    }
    let record = try await run(["cut.gz", "--format", "ndjson"])
    expectTrue(record.outputText.contains(#""error":{"code":"unreadable","message":"cannot read"#))
  }

  @Test func aBombIsNotUnpacked() async throws {
    let made = try await Program.run(
      "/bin/sh", ["-c", "head -c 1000000000 /dev/zero | zstd -qc > bomb.zst"],
      workingDirectory: directory.path)
    try require(made.status == 0)
    // Memory for the zeros would be more than the process may have.
    let result = try await Program.run(
      "/bin/sh", ["-c", "ulimit -v 400000; exec \"$0\" bomb.zst", Program.builtProgramPath],
      workingDirectory: directory.path)
    expectEqual(result.status, 66)
    expectContains(result.standardError, "of zstd data unpack to more than 64 MiB")
    let limited = try await run(["in/a.crash.gz", "--limit", "report-size=1500"])
    expectEqual(limited.status, 66)
    expectContains(limited.standardError, "it is larger than 1500 bytes; --limit report-size")
  }

  @Test func otherCommandsReadThem() async throws {
    let plain = try await run(["doctor", Fixtures.storyReport])
    let packed = try await run(["doctor", "in/a.crash.gz"])
    expectEqual(packed.status, plain.status)
    expectEqual(
      packed.outputText.split(separator: "\n").count, plain.outputText.split(separator: "\n").count)
    let uuid = try await Program.symbolicate(
      ["uuid", "in/sub/b.crash.zst"], workingDirectory: directory.path)
    expectEqual(uuid.status, 0)
    expectPrefix(uuid.outputText, "UUID: A4B1DE49-70B3-301D-A644-58D6BC22F513 (arm64)")
    let index = try await run(["index", "--from", "in", "-o", "indexes"])
    expectEqual(index.status, 0)
    expectSuffix(index.outputText, ".gsym\n")
    let groups = try await run(["group", "in", "--format", "csv"])
    expectContains(groups.outputText, "\r\n3,100.0%,1,")
    let record = #"{"path":"in/a.crash.gz"}"# + "\n" + #"{"path":"in/none.gz"}"# + "\n"
    let worker = try await run(["worker"], input: Array(record.utf8))
    expectTrue(worker.outputText.hasPrefix(#"{"id":null,"ok":true"#))
  }

  @Test func groupReadsItsOwnCompressedRecords() async throws {
    let records = try await run(["in", "--format", "ndjson"])
    try directory.write(records.standardOutput, to: "all.ndjson")
    _ = try await Program.run("/bin/gzip", ["all.ndjson"], workingDirectory: directory.path)
    let groups = try await run(["group", "all.ndjson.gz", "--format", "csv"])
    expectEqual(groups.status, 0)
    expectContains(groups.outputText, "\r\n3,100.0%,1,")
  }
}
