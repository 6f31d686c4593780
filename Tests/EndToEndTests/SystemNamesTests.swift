import TestSupport
import Testing

/// The names of systems: `symbolicate index --system`, and shared caches as symbol files.
@Suite struct SystemNamesTests {
  private let folder: TemporaryDirectory
  private let bytes = SharedCacheBytes(SharedCacheBytes.kinds[3])

  init() throws { folder = try TemporaryDirectory() }

  private func run(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.run(
      "/usr/bin/env",
      ["XDG_CACHE_HOME=\(folder.path("caches"))", Program.builtProgramPath] + arguments,
      workingDirectory: folder.path)
  }

  private static let uuids = ["10", "11", "12"].map {
    Array(repeating: $0, count: 16).joined()
  }

  /// Frames in the second library, slid by 0x1000000: in a function that it exports, in a method,
  /// and in code without a name.
  private func writeReport() throws {
    let text = """
      Process: Example [1]
      Code Type: ARM-64
      OS Version: iPhone OS 16.0 (20A362)

      Thread 0 Crashed:
      0   libexample1.dylib   0x0000000182001804 0x182001000 + 2052
      1   libexample1.dylib   0x0000000182001844 0x182001000 + 2116
      2   libexample1.dylib   0x0000000182001858 0x182001000 + 2136

      Binary Images:
      0x182001000 - 0x182001fff libexample1.dylib arm64e <\(Self.uuids[1])> /usr/lib/libexample1.dylib

      """
    try folder.write(text.utf8, to: "report.crash")
  }

  private func expectNames(_ result: ProgramResult) {
    let frames = result.outputText.split(separator: "\n").filter { $0.contains("0x0000000182") }
    expectEqual(
      frames,
      [
        "0   libexample1.dylib   0x0000000182001804 exported1 + 4",
        "1   libexample1.dylib   0x0000000182001844 -[Class1 method1] + 4",
        "2   libexample1.dylib   0x0000000182001858 0x182001000 + 2136",
      ])
  }

  @Test func namesAreKeptForLaterReports() async throws {
    _ = try bytes.write(to: folder, named: "cache")
    try writeReport()
    let made = try await run(["index", "--system", "cache"])
    expectEqual(made.status, 0)
    let system = folder.path("caches/symbolicate/system")
    expectEqual(
      made.outputText, Self.uuids.map { "\(system)/\($0).gsym\n" }.joined())
    expectEqual(made.standardError, "3 indexes made\n")
    try await expectEqual(
      run(["index", "--system", "cache"]).standardError, "0 indexes made, 3 already there\n")
    for file in bytes.files { try folder.remove("cache" + file.suffix) }
    try await expectNames(run(["report.crash"]))
    let doctor = try await run(["doctor", "report.crash"])
    expectContains(doctor.outputText, "\(Self.uuids[1]).gsym has this UUID.")
    expectContains(doctor.outputText, "It is an index, which has names.")
    let clean = try await run(["index", "--clean"])
    expectPrefix(clean.standardError, "removed 3 files, ")
    let without = try await run(["report.crash"])
    expectContains(without.outputText, "0x182001000 + 2052")
  }

  @Test func namesInADirectory() async throws {
    try folder.makeDirectory("caches-of-ios")
    for file in bytes.files { try folder.write(file.bytes, to: "caches-of-ios/x" + file.suffix) }
    try writeReport()
    let made = try await run(["index", "--system", "caches-of-ios", "-o", "names", "--jobs", "2"])
    expectEqual(made.status, 0)
    expectEqual(made.outputText, Self.uuids.map { "names/\($0).gsym\n" }.joined())
    try await expectNames(run(["report.crash", "-s", "names"]))
  }

  /// As Xcode copies them from devices. The address is that of llvm-nm.
  @Test func librariesInADirectory() async throws {
    let libraries = "iOS DeviceSupport/Symbols/usr/lib"
    try folder.makeDirectory(libraries)
    try folder.copy(Fixtures.path("MachO/libshapes.dylib"), to: "\(libraries)/libshapes.dylib")
    let made = try await run(["index", "--system", "iOS DeviceSupport", "-o", "names"])
    expectEqual(made.status, 0)
    expectEqual(made.outputText, "names/4c4c441455553144a15fe299962bfaf0.gsym\n")
    let named = try await run(["atos", "-o", made.outputText.dropLast() + "", "-offset", "0x41c4"])
    expectPrefix(named.outputText, "area_of (in ")
  }

  @Test(arguments: ["-d", "-s"])
  func cachesAsSymbolFiles(option: String) async throws {
    try folder.makeDirectory("dyld")
    for file in bytes.files { try folder.write(file.bytes, to: "dyld/x" + file.suffix) }
    try writeReport()
    let path = option == "-d" ? "dyld/x" : "dyld"
    try await expectNames(run(["report.crash", option, path]))
    let doctor = try await run(["doctor", "report.crash", option, path])
    expectContains(doctor.outputText, "It is a dyld shared cache, which has names.")
  }

  @Test func uuidListsLibraries() async throws {
    _ = try bytes.write(to: folder, named: "cache")
    let text = try await run(["uuid", "cache"])
    expectEqual(text.status, 0)
    expectEqual(
      text.outputText.split(separator: "\n").first,
      "UUID: 10101010-1010-1010-1010-101010101010 (arm64e) cache(/usr/lib/libexample0.dylib)")
    expectEqual(text.outputText.split(separator: "\n").count, 3)
    let json = try await run(["uuid", "--json", "cache"])
    expectContains(json.outputText, "\"kind\": \"sharedCache\"")
    expectContains(json.outputText, "\"name\": \"libexample2.dylib\"")
  }

  @Test func whatIsWrongIsNamed() async throws {
    var damaged = bytes
    damaged.files[2].bytes.put([0xee], at: 0x58)
    _ = try damaged.write(to: folder, named: "cache")
    let other = try await run(["index", "--system", "cache"])
    expectEqual(other.status, 66)
    expectContains(
      other.standardError,
      "cache.02 (arm64e) is not used: it lies where the symbols of 22222222-2222-2222-2222-222222222222 should be, but it is EE222222-2222-2222-2222-222222222222"
    )
    expectContains(other.standardError, "2 indexes made")
    let part = try await run(["index", "--system", "cache.01"])
    expectEqual(part.status, 65)
    expectEqual(
      part.standardError.split(separator: "\n").first,
      "symbolicate: error: cache.01 is a part of a dyld shared cache and lists no libraries; give the main file, cache, with this one beside it"
    )
    try await expectEqual(run(["uuid", "cache.01"]).status, 65)
    try folder.makeDirectory("left")
    try folder.copy(folder.path("cache.01"), to: "left/cache.01")
    let left = try await run(["index", "--system", "left"])
    expectEqual(left.status, 65)
    expectContains(left.standardError, "give the main file, left/cache, with this one beside it")
    try folder.makeDirectory("empty")
    try await expectEqual(run(["index", "--system", "empty"]).status, 65)
    try await expectEqual(run(["index", "--system", "absent"]).status, 66)
    try await expectEqual(run(["index", "--system", "--from", "cache"]).status, 64)
    try await expectEqual(run(["index", "--system"]).status, 64)
  }
}
