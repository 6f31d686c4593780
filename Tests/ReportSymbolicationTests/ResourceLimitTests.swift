import Foundation
@testable import SymbolStore
import SymbolicationModel
import TestSupport
import Testing
import Wording

@testable import ReportSymbolication

/// The limits of a run: how they are stated, what they derive from, and docs/limits.md.
struct ResourceLimitTests {
  private func stated(
    memory: String? = nil, limits: [String] = [], environment: [String: String] = [:]
  ) throws -> ResourceLimits {
    try ResourceLimits.stated(memory: memory, limits: limits) { environment[$0] }
  }

  @Test func standardLimits() throws {
    try expectEqual(stated(), ResourceLimits())
    try expectEqual(stated(environment: ["SYMBOLICATE_LIMITS": ""]), ResourceLimits())
  }

  @Test func optionsCountMoreThanTheEnvironment() throws {
    let limits = try stated(
      limits: ["frames=7", "frames=8"],
      environment: ["SYMBOLICATE_LIMITS": "frames=5,section-size=2G"])
    expectEqual(limits.frames, 8)
    expectEqual(limits.sectionSize, 2_147_483_648)
    expectEqual(limits.threads, 1_000_000)
  }

  /// 64 MiB: a sixteenth is 4 MiB, a quarter 16 MiB; and counts of 1, 2 and 4 KiB each.
  @Test func memoryLowersLimits() throws {
    let limits = try stated(memory: "64M")
    expectEqual(limits.reportSize, 4_194_304)
    expectEqual(limits.bytesUnderWay, 4_194_304)
    expectEqual(limits.sectionSize, 16_777_216)
    expectEqual(limits.miniDebugInfoSize, 16_777_216)
    expectEqual(limits.memberSize, 16_777_216)
    expectEqual(limits.frames, 65_536)
    expectEqual(limits.threads, 16_384)
    expectEqual(limits.images, 16_384)
    expectEqual(limits.units, 65_536)
    expectEqual(limits.searchedFiles, 32_768)
  }

  @Test func muchMemoryRaisesNothing() throws {
    try expectEqual(stated(memory: "100T"), ResourceLimits())
  }

  @Test func aLimitByItsNameCountsMoreThanMemory() throws {
    let limits = try stated(
      limits: ["report-size=1G"],
      environment: ["SYMBOLICATE_MEMORY": "64M", "SYMBOLICATE_LIMITS": "units=9"])
    expectEqual(limits.reportSize, 1_073_741_824)
    expectEqual(limits.units, 9)
    expectEqual(limits.frames, 65_536)
  }

  /// A stream holds reports in memory, so less is allowed unless it is stated: also if what is
  /// stated is what other inputs may have anyway.
  @Test func reportsInAStream() throws {
    try expectEqual(stated().streamedReportSize, 67_108_864)
    try expectEqual(stated(limits: ["report-size=1G"]).streamedReportSize, 1_073_741_824)
    try expectEqual(stated(limits: ["report-size=1M"]).streamedReportSize, 1_048_576)
    try expectEqual(stated(memory: "4G").streamedReportSize, 67_108_864)
    try expectEqual(stated(memory: "64M").streamedReportSize, 4_194_304)
  }

  @Test(arguments: [
    (
      ["x=1"],
      "a limit is NAME=VALUE, with one of the names report-size, threads, frames, images, section-size, mini-debug-info-size, member-size, unpacked-size, units, searched-files, answer-size, decoded-size, download-size, download-time, not 'x=1'."
    ),
    (["frames=0"], "frames needs a number above 0, not '0'."),
    (["frames=many"], "frames needs a number above 0, not 'many'."),
    (["section-size="], "section-size needs a size in bytes, or like 500M or 4G, not ''."),
  ])
  func wrongLimits(words: [String], message: String) {
    let error = #expect(throws: ResourceLimits.Unreadable.self) { try stated(limits: words) }
    expectEqual(error?.message, message)
  }

  @Test(arguments: ["31M", "much", "0", "-1"])
  func wrongMemory(text: String) {
    let error = #expect(throws: ResourceLimits.Unreadable.self) { try stated(memory: text) }
    expectEqual(
      error?.message,
      "--memory needs a size from 32 MiB on, in bytes or like 500M or 4G, not '\(text)'.")
  }

  // MARK: - Messages

  @Test(arguments: [
    (
      SymbolFileProblem.Kind.exceedsLimit(.units, value: 4_000_000),
      "App.elf has more than 4000000 units; the others are not read; --limit units=8000000 allows more"
    ),
    (
      .exceedsLimit(.searchedFiles, value: 10_000_000),
      "App.elf holds more than 10000000 files; the others were not looked at; give a smaller directory; --limit searched-files=20000000 allows more"
    ),
    (
      .damagedCompression(
        section: ".debug_info", .tooLarge(promised: 5_368_709_120, limit: 4 << 30)),
      "App.elf: section .debug_info is not used: it takes 5368709120 bytes when it is decompressed, and the limit is 4 GiB; --limit section-size=8G allows more"
    ),
    (
      .damagedCompression(
        section: ".gnu_debugdata", .tooLarge(promised: 268_435_456, limit: 128 << 20)),
      "App.elf: section .gnu_debugdata is not used: it takes 268435456 bytes when it is decompressed, and the limit is 128 MiB; --limit mini-debug-info-size=256M allows more"
    ),
  ])
  func messages(kind: SymbolFileProblem.Kind, message: String) throws {
    expectEqual(SymbolFileProblem(path: "App.elf", kind: kind).message, message)
    // The document calls the directory of this one dSYMs.
    let quoted = message.replacing("App.elf holds", with: "dSYMs holds")
    try expectContains(Self.document(), "`\(quoted)`")
  }

  @Test func messageOfALargeMember() throws {
    let problem = SymbolFileProblem(
      path: "a.zip/App",
      kind: .unusableArchive(.tooLargeForMemory(size: 5_368_709_120, limit: 4 << 30)))
    expectEqual(
      problem.message,
      "a.zip/App has 5368709120 bytes, the limit for memory is 4 GiB, and neither the cache nor a temporary file has room; set XDG_CACHE_HOME or TMPDIR to a directory with room, or unpack the archive and give the directory; --limit member-size=8G allows more"
    )
    try expectContains(Self.document(), "`\(problem.message)`")
  }

  @Test(arguments: [
    (
      "a.zip", ArchiveFault.implausibleSize(archiveSize: 82_000, limit: 1 << 30),
      "a.zip is not unpacked further: of an archive of 82000 bytes, at most 1 GiB are unpacked, and it has more; if you trust it, unpack it and give the directory; --limit unpacked-size=2G allows more"
    ),
    (
      "b.zip", .unpackedTooMuch(archiveSize: 90_000, limit: 1 << 30),
      "b.zip is not unpacked further: of all archives of a run, which have 90000 bytes, at most 1 GiB are unpacked, and there is more in them; if you trust it, unpack it and give the directory; --limit unpacked-size=2G allows more"
    ),
  ])
  func messagesOfArchives(path: String, fault: ArchiveFault, message: String) throws {
    expectEqual(SymbolFileProblem(path: path, kind: .unusableArchive(fault)).message, message)
    try expectContains(Self.document(), "`\(message)`")
  }

  @Test func messagesOfDownloads() throws {
    let messages = [ResourceLimit.downloadSize, .downloadTime].map {
      ServerProblem(.exhausted($0, value: ResourceLimits()[$0])).message
    }
    expectEqual(
      messages,
      [
        "no server is asked again in this run: downloads and what was unpacked from them have 8 GiB; --limit download-size=16G allows more",
        "no server is asked again in this run: downloading took 1800 seconds; --limit download-time=3600 allows more",
      ])
    for message in messages { try expectContains(Self.document(), "`\(message)`") }
  }

  /// What was used of limits does not make them others, and copies use the same.
  @Test func copiesShareWhatIsUsed() {
    let limits = ResourceLimits()
    let copy = limits
    expectNil(limits.usage.addUnpacked(5) { _ in 5 })
    expectEqual(copy.usage.unpackedSize, 5)
    expectEqual(copy.usage.addUnpacked(1) { _ in 5 }, 0)
    expectEqual(copy.usage.addUnpacked(.max) { _ in 5 }, 0)
    expectEqual(ResourceLimits(), limits)
    expectEqual(ResourceLimits().usage.unpackedSize, 0)
  }

  @Test func messagesOfReports() throws {
    var outcome = SymbolicationOutcome()
    outcome.exceededLimits = [.threads, .frames]
    outcome.limits.frames = 1
    expectEqual(
      texts(outcome).dropFirst(),
      [
        "only the first 1000000 threads of the input were read; the others are left as they are; --limit threads=2000000 allows more",
        "only the first 1 frame of the input was read; the others are left as they are; --limit frames=2 allows more",
      ])
    expectFalse(outcome.isComplete)
    try expectContains(Self.document(), "`\(texts(outcome)[1])`")
    outcome.shortenedCount = 12
    outcome.answerSize = outcome.limits.answerSize(ofFrames: 100)
    expectEqual(
      texts(outcome).last,
      "12 frames have their names cut and no inlined calls: long names and inlined calls would take more than 16 MiB; --limit answer-size=32M allows more"
    )
    try expectContains(Self.document(), "`\(texts(outcome)[3])`")
    outcome.shortenedCount = 1
    expectEqual(
      texts(outcome).last?.hasPrefix("1 frame has its name cut and no inlined calls: "), true)
  }

  /// Many frames may have long answers together, and few may not.
  @Test func answersMayTakeMoreForMoreFrames() {
    var limits = ResourceLimits()
    expectEqual(limits.answerSize(ofFrames: 0), 16 << 20)
    expectEqual(limits.answerSize(ofFrames: 2048), 16 << 20)
    expectEqual(limits.answerSize(ofFrames: 4096), 32 << 20)
    expectEqual(limits.answerSize(ofFrames: .max), 1 << 30)
    limits.fit(memory: 64 << 20)
    expectEqual(limits.answerSize(ofFrames: 4096), 8 << 20)
    limits[.answerSize] = 1000
    expectEqual(limits.answerSize(ofFrames: 4096), 1000)
  }

  @Test func sizesAreShown() {
    expectEqual(ByteSize.text(1000), "1000 bytes")
    expectEqual(ByteSize.text(1024), "1 KiB")
    expectEqual(ByteSize.text(1536 << 20), "1536 MiB")
    expectEqual(ByteSize.text(4 << 30), "4 GiB")
    expectEqual(ByteSize.text(0), "0 bytes")
  }

  // MARK: - docs/limits.md

  private static func document() throws -> String {
    try String(
      contentsOfFile: "\(Fixtures.packageDirectory)/docs/limits.md", encoding: .utf8)
  }

  /// Each row of the first table: name, default, share of the memory.
  @Test func tableOfLimitsIsRight() throws {
    let lines = try Self.document().components(separatedBy: "\n")
    let memory: UInt64 = 1 << 26
    var lowered = ResourceLimits()
    lowered.fit(memory: memory)
    for limit in ResourceLimit.allCases {
      let row = try require(lines.first { $0.hasPrefix("| `\(limit.name)` |") })
      let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      let standard = ResourceLimits()[limit]
      expectEqual(cells[1], limit.isSize ? ByteSize.text(standard) : "\(standard)")
      if cells[2] == "–" {
        expectEqual(lowered[limit], standard, "\(limit.name)")
        continue
      }
      let share = try require(cells[2].wholeMatch(of: /M\/(\d+)( KiB)?/))
      let divisor = try require(UInt64(share.1)) << (share.2 == nil ? 0 : 10)
      expectEqual(lowered[limit], memory / divisor, "\(limit.name)")
    }
  }
}

/// Lists in messages are cut, and say so.
struct CutListTests {
  private func outcome(systemImages count: Int) throws -> SymbolicationOutcome {
    var lines = ["Process: App [1]", "Thread 0:"]
    let base = 0x1_8000_0000
    for index in 0..<count {
      let start = base + index * 4096
      lines.append(
        "\(index) lib\(index)\t0x\(String(start + 8, radix: 16)) 0x\(String(start, radix: 16)) + 8")
    }
    lines += ["", "Binary Images:"]
    for index in 0..<count {
      let start = base + index * 4096
      let identity = String(repeating: "0", count: 28) + String(index + 4096, radix: 16)
      lines.append(
        "0x\(String(start, radix: 16)) - 0x\(String(start + 4095, radix: 16)) lib\(index) arm64  <\(identity)> /usr/lib/lib\(index)"
      )
    }
    let input = Array(lines.joined(separator: "\n").utf8)
    var symbolicator = ReportSymbolicator(store: SymbolStore(debugDirectories: []))
    return try symbolicator.symbolicate(input).outcome
  }

  @Test func namesOfSystemLibraries() throws {
    let few = try texts(outcome(systemImages: 21)).joined(separator: "\n")
    expectContains(few, "no symbols for 21 frames in system libraries (lib0 1, ")
    expectContains(few, "lib19 1, lib20 1): ")
    let many = try texts(outcome(systemImages: 499)).joined(separator: "\n")
    expectContains(many, "no symbols for 499 frames in system libraries (lib0 1, ")
    expectContains(many, "lib18 1, lib19 1 and 479 more): ")
    // However many there are, the message is as long.
    try expectEqual(
      texts(outcome(systemImages: 998)).map(\.utf8.count),
      texts(outcome(systemImages: 499)).map(\.utf8.count))
  }
}

private func texts(_ outcome: SymbolicationOutcome) -> [String] {
  outcome.messages().map(\.text)
}
