import Foundation
import Subprocess
import TestSupport
import Testing

/// The limits of the program: what it says, what it still answers, and how it ends.
struct LimitTests {
  private static let size = 44_000  // The example report is smaller, `large` is not.

  private static func large(in directory: TemporaryDirectory) throws -> String {
    try directory.write([UInt8](repeating: 32, count: size + 1), to: "large.crash")
  }

  @Test func reportThatIsTooLarge() async throws {
    let directory = try TemporaryDirectory()
    let path = try Self.large(in: directory)
    let result = try await Program.symbolicate([path, "--limit", "report-size=\(Self.size)"])
    expectEqual(result.status, 66)
    expectEmpty(result.standardOutput)
    expectEqual(
      result.standardError,
      "symbolicate: error: the report \(path) is not read: it is larger than \(Self.size) bytes; --limit report-size=\(2 * Self.size) allows more\n"
    )
  }

  @Test func otherReportsAreDone() async throws {
    let directory = try TemporaryDirectory()
    let large = try Self.large(in: directory)
    let result = try await Program.symbolicate(
      [
        large, Fixtures.storyReport, "-d", Fixtures.storyBundle, "--output-dir",
        directory.path("out"),
      ], environment: ["SYMBOLICATE_LIMITS": "report-size=\(Self.size)"])
    expectEqual(result.status, 66)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: directory.path("out")).count, 1)
    expectContains(result.standardError, "6 of 11 frames resolved")
  }

  @Test func oversizedReportStaysWithInPlace() async throws {
    let directory = try TemporaryDirectory()
    let large = try Self.large(in: directory)
    let result = try await Program.symbolicate([
      large, "--in-place", "--limit", "report-size=1K",
    ])
    expectEqual(result.status, 66)
    try expectEqual(Fixtures.bytes(of: large).count, Self.size + 1)
  }

  /// A device without an end, by name and as standard input.
  @Test func endlessInput() async throws {
    let limit = ["--limit", "report-size=1M"]
    let named = try await Program.symbolicate(["/dev/zero"] + limit)
    expectEqual(named.status, 66)
    expectContains(
      named.standardError, "the report /dev/zero is not read: it is larger than 1 MiB; ")
    let piped = try await Program.run(
      Program.builtProgramPath, limit, inputPath: "/dev/zero")
    expectEqual(piped.status, 66)
    expectContains(piped.standardError, "the report standard input is not read: ")
  }

  @Test func exactlyTheLimitIsRead() async throws {
    let count = try Fixtures.bytes(of: Fixtures.storyReport).count
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--limit", "report-size=\(count)",
    ])
    expectEqual(result.status, 0)
  }

  @Test func framesBeyondTheLimitStay() async throws {
    let arguments = [Fixtures.storyReport, "-d", Fixtures.storyBundle, "--limit", "frames=3"]
    let result = try await Program.symbolicate(arguments)
    expectEqual(result.status, 0)
    // Counted by hand: of the first three frames, two are in the app.
    expectTrue(
      result.standardError.contains(
        "2 of 3 frames resolved\nsymbolicate: warning: only the first 3 frames of the input were read; the others are left as they are; --limit frames=6 allows more\n"
      ))
    let input = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
      .components(separatedBy: "\n")
    let output = result.outputText.components(separatedBy: "\n")
    expectEqual(output.count, input.count)
    expectEqual(zip(input, output).count { $0 != $1 }, 2)
    let strict = try await Program.symbolicate(arguments + ["--strict"])
    expectEqual(strict.status, 2)
  }

  /// What a section or MiniDebugInfo would take when it is decompressed is compared before anything
  /// is allocated; the rest of the file answers.
  @Test func compressedSection() async throws {
    let file = "Fixtures/Elf/libshapes-zlib.elf"
    let result = try await Program.symbolicate(
      ["atos", "-o", file, "-no-index", "1"], environment: ["SYMBOLICATE_LIMITS": "section-size=64"]
    )
    expectContains(result.standardError, "\(file) (x86_64): section .debug_")
    expectTrue(
      result.standardError.contains(
        "bytes when it is decompressed, and the limit is 64 bytes; SYMBOLICATE_LIMITS=section-size=128 allows more"
      ))
  }

  /// What a section states is below the limit, and more than its bytes can expand to.
  @Test func implausibleSize() async throws {
    let directory = try TemporaryDirectory()
    let original = try Fixtures.bytes(of: Fixtures.path("Elf/libshapes-zlib.elf"))
    // ELFCOMPRESS_ZLIB, and the size that .debug_info states: 1384 bytes.
    let head: [UInt8] = [1, 0, 0, 0, 0, 0, 0, 0, 0x68, 5, 0, 0, 0, 0, 0, 0]
    let place = try require(
      original.indices.dropLast(16).first { Array(original[$0..<($0 + 16)]) == head })
    var bomb = original
    bomb.replaceSubrange((place + 8)..<(place + 16), with: [0, 0, 0, 4, 0, 0, 0, 0])
    bomb[place + 8] = 1
    let path = try directory.write(bomb, to: "bomb.elf")
    let result = try await Program.symbolicate(["atos", "-o", path, "-no-index", "1"])
    expectContains(result.standardError, ".debug_info cannot be decompressed: its ")
    expectContains(result.standardError, " bytes state that they hold 67108865, and at most ")
  }

  /// A member that begins like a symbol file and holds 8 MB of zeros.
  @Test(arguments: [["uuid"], [Fixtures.storyReportAlone, "-d"]])
  func archives(arguments: [String]) async throws {
    let directory = try TemporaryDirectory()
    let head = try Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(3000)
    try directory.write(head + [UInt8](repeating: 0, count: 8_000_000), to: "App")
    let zip = try await Program.run(
      try require(Program.path(of: "zip")), ["-q", "a.zip", "App"],
      workingDirectory: directory.path)
    expectEqual(zip.status, 0)
    let path = directory.path("a.zip")
    let size = try Fixtures.bytes(of: path).count
    // 250 times as many are less than 8 MB.
    expectTrue(size < 32_000)
    func run(_ limit: String) async throws -> String {
      try await Program.symbolicate(
        arguments + [path, "--limit", "unpacked-size=\(limit)"], cache: directory.path("cache")
      ).standardError
    }
    let refused = try await run("1K")
    let message = "\(path) is not unpacked further: of an archive of \(size) bytes, at most "
    expectEqual(refused.split(separator: "\n").count { $0.contains(message) }, 1, refused)
    try await expectFalse(run("10M").contains("is not unpacked"))
  }

  @Test func miniDebugInfo() async throws {
    let file = "Fixtures/Elf/libshapes-minidebug.elf"
    let result = try await Program.symbolicate(
      ["atos", "-o", file, "-no-index", "1"],
      environment: ["SYMBOLICATE_LIMITS": "mini-debug-info-size=64"])
    expectTrue(
      result.standardError.contains(
        "\(file) (x86_64): section .gnu_debugdata is not used: it takes "))
    expectContains(result.standardError, "SYMBOLICATE_LIMITS=mini-debug-info-size=128 allows more")
  }

  @Test func units() async throws {
    let result = try await Program.symbolicate(
      ["atos", "-o", "Fixtures/Elf/libshapes.elf", "-no-index", "1"],
      environment: ["SYMBOLICATE_LIMITS": "units=1"])
    expectTrue(
      result.standardError.contains(
        "has more than 1 unit; the others are not read; SYMBOLICATE_LIMITS=units=2 allows more"))
  }

  @Test func filesOfADirectory() async throws {
    let directory = try TemporaryDirectory()
    for number in 0..<8 {
      try directory.makeDirectory("symbols/\(number)")
      try directory.write([1, 2, 3], to: "symbols/\(number)/file")
    }
    let arguments = [Fixtures.storyReport, "-d", directory.path("symbols"), "--no-search-index"]
    // The folder, eight folders in it and eight files.
    let all = try await Program.symbolicate(arguments + ["--limit", "searched-files=17"])
    expectFalse(all.standardError.contains("holds more than"))
    let some = try await Program.symbolicate(arguments + ["--limit", "searched-files=16"])
    expectTrue(
      some.standardError.contains(
        "\(directory.path("symbols")) holds more than 16 files; the others were not looked at; give a smaller directory; --limit searched-files=32 allows more"
      ))
  }

  /// A symbol file has a long name once, and every frame would show it. Ten frames may have it.
  @Test(arguments: ["auto", "json"])
  func longNames(form: String) async throws {
    let directory = try TemporaryDirectory()
    let name = String(repeating: "n", count: 10_256)
    let symbols = try directory.write(
      "MODULE mac arm64 0123456789ABCDEF0123456789ABCDEF0 app\nFUNC 1000 10000 0 \(name)\n".utf8,
      to: "app.sym")
    var report = "Process: app [1]\nThread 0:\n"
    for index in 0..<100 {
      report +=
        "\(index) app\t0x\(String(0x1_0000_1010 + index, radix: 16)) 0x100000000 + \(4112 + index)\n"
    }
    report +=
      "\nBinary Images:\n0x100000000 - 0x10001ffff app arm64  <0123456789abcdef0123456789abcdef> /app\n"
    let path = try directory.write(report.utf8, to: "app.crash")
    // 10,000 bytes are counted for the name, in JSON as in text, and as many for the mangled one.
    let result = try await Program.symbolicate([
      path, "-d", symbols, "--format", form, "--limit", "answer-size=200000",
    ])
    expectEqual(result.status, 0)
    let text = result.outputText
    // A search for the whole short name would begin anew at each letter of the long ones.
    let short = String(repeating: "n", count: 253)
    let cut = text.components(separatedBy: "n…").dropLast()
    #expect(cut.count { ($0 + "n").hasSuffix(short) } >= 90)
    #expect(text.utf8.count < 400_000)
    expectTrue(
      result.standardError.hasPrefix(
        "100 of 100 frames resolved\nsymbolicate: warning: 90 frames have their names cut and no inlined calls: "
      ))
  }

  /// With a limit of one byte everything that was decoded is forgotten at once: the output is the
  /// same.
  @Test(arguments: ["auto", "json", "summary"])
  func whatIsForgottenIsDecodedAgain(form: String) async throws {
    for explanation in [[], ["--explain"]] {
      let arguments =
        [
          Fixtures.storyReport, Fixtures.storyWebCopy, "-d", Fixtures.storyBundle, "--no-index",
          "--format", form,
        ] + explanation
      let plain = try await Program.symbolicate(arguments + ["--jobs", "2"])
      let scarce = try await Program.symbolicate(
        arguments + ["--jobs", "2", "--limit", "decoded-size=1"])
      expectEqual(scarce.standardOutput, plain.standardOutput)
      expectEqual(scarce.standardError, plain.standardError)
    }
  }

  /// `uuid` looks at as many files, and reads as much of a report, as the limits say.
  @Test func limitsOfUuid() async throws {
    let directory = try TemporaryDirectory()
    for number in 0..<4 { try directory.write([1, 2, 3], to: "file\(number)") }
    let some = try await Program.symbolicate(
      ["uuid", directory.path, Fixtures.storyReport, "--limit", "searched-files=4"],
      environment: ["SYMBOLICATE_LIMITS": "frames=3"])
    expectTrue(
      some.standardError.contains(
        "\(directory.path) holds more than 4 files; the others were not looked at; "))
    expectTrue(
      some.standardError.contains(
        "only the first 3 frames of the input were read; the others are not listed; --limit frames=6 allows more"
      ))
    let large = try await Program.symbolicate([
      "uuid", Fixtures.storyReport, "--limit", "report-size=1K",
    ])
    expectEqual(large.status, 66)
  }

  @Test func limitsOfDoctor() async throws {
    let result = try await Program.symbolicate([
      "doctor", Fixtures.storyReport, "-d", Fixtures.storyBundle, "--limit", "frames=3",
    ])
    expectTrue(
      result.standardError.contains(
        "only the first 3 frames of the input were read; the others are not counted; --limit frames=6 allows more"
      ))
  }

  @Test(arguments: [
    (["--limit", "x=1"], "a limit is NAME=VALUE, with one of the names report-size, "),
    (["--memory", "1M"], "--memory needs a size from 32 MiB on, "),
  ])
  func wrongUsage(options: [String], message: String) async throws {
    let result = try await Program.symbolicate([Fixtures.storyReport] + options)
    expectEqual(result.status, 64)
    expectTrue(result.standardError.contains(message))
  }

  @Test func wrongEnvironment() async throws {
    let result = try await Program.symbolicate(
      [Fixtures.storyReport], environment: ["SYMBOLICATE_MEMORY": "little"])
    expectEqual(result.status, 64)
    expectContains(result.standardError, "not 'little'")
    for command in [["index"], ["uuid"], ["check"], ["doctor"], ["dsym-for-uuid"]] {
      let result = try await Program.symbolicate(
        command + [Fixtures.storyReport], environment: ["SYMBOLICATE_MEMORY": "little"])
      expectEqual(result.status, 64)
    }
  }
}
