import Foundation
import TestSupport
import Testing

/// `symbolicate index`: what it writes, where, and its exit status.
struct IndexCommandTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let storyName = "a4b1de4970b3301da64458d6bc22f513-arm64.gsym"
  private var cache: String { directory.path("caches/symbolicate") }

  private func run(
    _ arguments: [String], cacheHome: String? = nil, limit: String? = nil
  ) async throws -> ProgramResult {
    try await Program.run(
      "/usr/bin/env",
      [
        "XDG_CACHE_HOME=\(cacheHome ?? directory.path("caches"))",
        "SYMBOLICATE_CACHE_LIMIT=\(limit ?? "")", Program.builtProgramPath, "index",
      ] + arguments,
      workingDirectory: directory.path)
  }

  @Test func fillsTheCache() async throws {
    let result = try await run([Fixtures.storyBundle])
    expectEqual(result.status, 0)
    expectEqual(result.outputText, "\(cache)/\(Self.storyName)\n")
    expectEqual(result.standardError, "")
    let again = try await run([Fixtures.storyBundle])
    expectEqual(again.outputText, result.outputText)
    let clean = try await run(["--clean"])
    expectEqual(clean.status, 0)
    expectEqual(clean.outputText, "")
    expectPrefix(clean.standardError, "removed 1 file, ")
    try expectEmpty(FileManager.default.contentsOfDirectory(atPath: cache))
    try await expectEqual(run(["--clean"]).status, 0)
  }

  @Test func writesToADirectory() async throws {
    let fat = Fixtures.path("Fat/fat.dSYM")
    let result = try await run([fat, Fixtures.storyDwarfFile, "-o", "out", "--jobs", "2"])
    expectEqual(result.status, 0)
    let lines = result.outputText.split(separator: "\n").map(String.init)
    expectEqual(lines.count, 4)
    expectEqual(lines.last, "out/\(Self.storyName)")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("out"))
    expectEqual(Set(names.map { "out/\($0)" }), Set(lines))
    expectFalse(FileManager.default.fileExists(atPath: cache))
  }

  /// The same symbols give the same file, including its trailer, with any number of threads.
  @Test func theSameBytesWithAnyNumberOfThreads() async throws {
    let path = Fixtures.path("Elf/clerk-swift.elf")
    try await expectEqual(run([path, "-o", "one", "--jobs", "1"]).status, 0)
    try await expectEqual(run([path, "-o", "four", "--jobs", "4"]).status, 0)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("one"))
    let name = try require(names.first)
    try expectEqual(directory.bytes(of: "one/\(name)"), directory.bytes(of: "four/\(name)"))
  }

  @Test(
    .enabled(if: Program.path(of: "llvm-gsymutil-19") != nil, "needs llvm-gsymutil-19"),
    arguments: [
      "Elf/clerk-swift.elf", "Elf/libshapes.elf", "Elf/libshapes-nodebug.elf", "MachO/shapes-arm64",
      "LetterShuffle/Letter Shuffle.app.dSYM",
    ])
  func llvmReadsTheIndexes(fixture: String) async throws {
    let result = try await run([Fixtures.path(fixture), "-o", "out"])
    expectEqual(result.status, 0)
    let index = directory.path(result.outputText.trimmingCharacters(in: .newlines))
    let tool = try require(Program.path(of: "llvm-gsymutil-19"))
    let dump = try await Program.run(tool, [index, "--verbose"])
    expectEqual(dump.status, 0)
    expectContains(dump.outputText, "FunctionInfo @ ")
    let output = dump.outputText + dump.standardError
    expectFalse(output.split(separator: "\n").contains { $0.hasPrefix("error") })
  }

  @Test func severalRunsAtATime() async throws {
    let path = Fixtures.path("Elf/clerk-swift.elf")
    async let first = run([path])
    async let second = run([path])
    async let third = run([path, Fixtures.storyBundle])
    let results = try await [first, second, third]
    expectEqual(results.map(\.status), [0, 0, 0])
    expectEqual(results[0].outputText, results[1].outputText)
    // The two indexes, and nothing that is half written.
    let names = try FileManager.default.contentsOfDirectory(atPath: cache)
    expectEqual(names.count, 2)
    expectTrue(names.allSatisfy { $0.hasSuffix(".gsym") })
  }

  /// `--clean` removes nothing but indexes.
  @Test func cleaningLeavesOtherFiles() async throws {
    try directory.makeDirectory("caches/symbolicate")
    try directory.write([1], to: "caches/symbolicate/notes.txt")
    try await expectEqual(run([Fixtures.storyBundle]).status, 0)
    try await expectEqual(run(["--clean"]).status, 0)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: cache), ["notes.txt"])
  }

  @Test func theCacheKeepsToItsLimit() async throws {
    try await expectEqual(run([Fixtures.path("Elf/clerk-swift.elf")], limit: "1M").status, 0)
    try await expectEqual(run([Fixtures.storyBundle], limit: "100").status, 0)
    try expectEqual(FileManager.default.contentsOfDirectory(atPath: cache), [Self.storyName])
    // An index that did not stay in the cache is reported, since its path was printed.
    let both = try await run(
      [Fixtures.storyBundle, Fixtures.path("Elf/libshapes.elf")], limit: "100")
    expectEqual(both.status, 0)
    expectContains(both.standardError, "1 of these 2 indexes had to make room")
    let wrong = try await run([Fixtures.storyBundle], limit: "much")
    expectEqual(wrong.status, 64)
    expectContains(wrong.standardError, "SYMBOLICATE_CACHE_LIMIT is 'much'; expected")
  }

  @Test func wrongUsage() async throws {
    for arguments in [
      [], ["--clean", Fixtures.storyBundle], ["--clean", "-o", "out"],
      [Fixtures.storyBundle, "--jobs", "0"], [Fixtures.storyBundle, "-o", ""],
      ["--no-such-option"],
    ] {
      let result = try await run(arguments)
      expectEqual(result.status, 64, "\(arguments)")
      expectEqual(result.outputText, "")
    }
    try await expectEqual(run(["--help"]).status, 0)
  }

  @Test func nothingUsable() async throws {
    let nameless = try directory.write(TinyElf.bytes(buildId: []), to: "nameless.so")
    let long = try directory.write(
      TinyElf.bytes(buildId: [UInt8](repeating: 7, count: 32)), to: "long.so")
    let empty = try directory.makeDirectory("empty")
    for (path, message) in [
      (
        nameless,
        "no index for \(nameless) (x86_64): it has no UUID or build-id to find it by in the cache; use -o DIRECTORY"
      ),
      (
        long,
        "no index for \(long) (x86_64): its UUID or build-id has 32 bytes; an index holds at most 20; lookups read the file itself"
      ),
      (empty, "no Mach-O or ELF file was found in \(empty) or below it"),
      (
        Fixtures.path("MachO/calls-arm64-stripped"),
        "\(Fixtures.path("MachO/calls-arm64-stripped")) has neither debug information nor symbols; give the dSYM or the debug file of that build"
      ),
    ] {
      let result = try await run([path])
      expectEqual(result.status, 65)
      expectEqual(result.outputText, "")
      expectEqual(result.standardError, "symbolicate: error: \(message)\n")
    }
    try await expectEqual(run([Fixtures.storyReport]).status, 65)
    // The other paths are indexed anyway.
    let mixed = try await run([nameless, Fixtures.storyBundle])
    expectEqual(mixed.status, 65)
    expectEqual(mixed.outputText, "\(cache)/\(Self.storyName)\n")
  }

  /// The file has debug information, but its abbreviations were cut off, and its list of symbols is
  /// empty: no function can be read.
  @Test func noFunctionCanBeRead() async throws {
    var bytes = try Fixtures.bytes(
      of: Fixtures.path("Dwarf/arm64-dwarf5.dSYM/Contents/Resources/DWARF/Shapes"))
    func clear(_ pattern: [UInt8], at offset: Int, count: Int) throws {
      let place = try require(
        bytes.indices.dropLast(pattern.count).first {
          bytes[$0] == pattern[0] && Array(bytes[$0..<($0 + pattern.count)]) == pattern
        })
      bytes.replaceSubrange(
        (place + offset)..<(place + offset + count), with: repeatElement(0, count: count))
    }
    // `struct section_64`: the size is 40 bytes behind the start of the name.
    try clear(Array("__debug_abbrev\0\0__DWARF".utf8), at: 40, count: 8)
    // `struct symtab_command`: LC_SYMTAB, its size, the offset and the number of the symbols.
    try clear([2, 0, 0, 0, 24, 0, 0, 0], at: 12, count: 4)
    let path = try directory.write(bytes, to: "Shapes")
    let result = try await run([path])
    expectEqual(result.status, 66)
    expectEqual(result.outputText, "")
    let lines = result.standardError.split(separator: "\n")
    #expect(lines.count >= 2)
    expectEqual(
      lines.last,
      "symbolicate: error: no index for \(path) (arm64): there is no function in what could be read of its debug information and symbols"
    )
    expectFalse(result.standardError.contains("has neither"))
  }

  @Test func limitsApply() async throws {
    let result = try await run([
      Fixtures.path("Elf/libshapes.elf"), "-o", directory.path("out"), "--limit", "units=1",
    ])
    expectEqual(result.status, 0)
    expectTrue(
      result.standardError.contains(
        "has more than 1 unit; the others are not read; --limit units=2 allows more"))
  }

  /// Files in a directory that cannot be used are reported, and the others are indexed.
  @Test func aDirectoryWithUnusableFiles() async throws {
    try directory.makeDirectory("symbols")
    try directory.write(TinyElf.bytes(buildId: []), to: "symbols/nameless.so")
    let damaged = try Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(40)
    try directory.write(damaged, to: "symbols/damaged")
    let without = try await run(["symbols"])
    expectEqual(without.status, 66)
    try directory.copy(Fixtures.storyDwarfFile, to: "symbols/story")
    let result = try await run(["symbols"])
    expectEqual(result.status, 0)
    expectEqual(result.outputText, "\(cache)/\(Self.storyName)\n")
    expectContains(result.standardError, "symbols/damaged (arm64) is cut short or damaged")
    expectContains(result.standardError, "symbols/nameless.so (x86_64): it has no UUID")
  }

  @Test func whatCannotBeRead() async throws {
    let missing = directory.path("missing")
    let result = try await run([missing])
    expectEqual(result.status, 66)
    expectEqual(
      result.standardError,
      "symbolicate: error: cannot read \(missing): No such file or directory\n")
    let damaged = try directory.write(
      Fixtures.bytes(of: Fixtures.storyDwarfFile).prefix(40), to: "damaged")
    try await expectEqual(run([damaged]).status, 66)
    let both = try await run([damaged, Fixtures.storyBundle])
    expectEqual(both.status, 66)
    expectEqual(both.outputText, "\(cache)/\(Self.storyName)\n")
  }

  @Test func whatCannotBeWritten() async throws {
    let file = try directory.write([], to: "file")
    let result = try await run([Fixtures.storyBundle, "-o", file])
    expectEqual(result.status, 73)
    expectEqual(
      result.standardError, "symbolicate: error: cannot create \(file): Not a directory\n")
    try await expectEqual(run([Fixtures.storyBundle, "-o", "missing/out"]).status, 73)
    try await expectEqual(run([Fixtures.storyBundle], cacheHome: file).status, 73)
    let full = try await Program.run(
      "/bin/sh",
      [
        "-c", "exec \"$0\" index \"$1\" -o out >/dev/full", Program.builtProgramPath,
        Fixtures.storyBundle,
      ], workingDirectory: directory.path)
    expectEqual(full.status, 74)
    expectEqual(
      full.standardError,
      "symbolicate: error: cannot write standard output: No space left on device\n")
    // A directory has the name of the index.
    try directory.makeDirectory("taken/" + Self.storyName)
    let taken = try await run([Fixtures.storyBundle, "-o", "taken"])
    expectEqual(taken.status, 74)
    try expectEqual(
      FileManager.default.contentsOfDirectory(atPath: directory.path("taken")).count, 1)
  }

  @Test func noCacheDirectory() async throws {
    let result = try await Program.run(
      "/usr/bin/env",
      [
        "-u", "HOME", "XDG_CACHE_HOME=relative", Program.builtProgramPath, "index",
        Fixtures.storyBundle,
      ], workingDirectory: directory.path)
    expectEqual(result.status, 73)
    expectContains(result.standardError, "neither XDG_CACHE_HOME nor HOME is an absolute path")
  }

  /// Two files with the same name and without identity get the same index.
  @Test func filesWithTheSameName() async throws {
    for folder in ["a", "b"] {
      try directory.makeDirectory(folder)
      try directory.copy(Fixtures.path("MachO/shapes-arm64.object"), to: folder + "/shapes.o")
    }
    let result = try await run(["a/shapes.o", "b/shapes.o", "-o", "out"])
    expectEqual(result.outputText, "out/shapes.o-arm64.gsym\nout/shapes.o-arm64.gsym\n")
    expectTrue(
      result.standardError.contains(
        "out/shapes.o-arm64.gsym is now the index of b/shapes.o, not of a/shapes.o"))
  }

  /// `script` runs it on a terminal of its own, in which everything is one stream.
  @Test(.enabled(if: Program.path(of: "script") != nil, "needs script (util-linux)"))
  func progressOnATerminalOnly() async throws {
    let script = try require(Program.path(of: "script"))
    let command = "'\(Program.builtProgramPath)' index '\(Fixtures.storyBundle)' -o out"
    let result = try await Program.run(
      script, ["-qec", command, "/dev/null"], workingDirectory: directory.path)
    let text = result.outputText
    expectContains(text, "\rLetter Shuffle: ")
    expectContains(text, " units")
    // The line is overwritten with blanks, and then the result is printed.
    expectSuffix(text, " \rout/\(Self.storyName)\r\n")
  }
}
