import Subprocess
import TestSupport
import Testing

/// A server whose answers are of no use: too large, without an end, a web page, another file, an
/// error. Three are enough.
@Suite(
  .enabled("python3 is not installed (Scripts/install-packages.sh test)") {
    LoopbackServer.missingProgram == nil
  })
struct UselessServerTests {
  private static func uuid(_ index: Int) -> String {
    String(String(index + 0x1_0000, radix: 16).reversed()).padding(32)
  }

  /// Where a server has the file of an image.
  private static func path(_ index: Int) -> String {
    "_.dwarf/mach-uuid-sym-\(uuid(index))/_.dwarf"
  }

  /// A report with a frame in each of `count` images of the app. No server has one of them.
  private static func report(_ count: Int) -> [UInt8] {
    var text = """
      Incident Identifier: 00000000-0000-0000-0000-000000000001
      Process:             App [1]
      Path:                /private/var/containers/App
      Identifier:          app
      Version:             1
      Code Type:           ARM-64
      OS Version:          iPhone OS 16.0 (20A362)
      Exception Type:  EXC_CRASH (SIGABRT)

      Thread 0 Crashed:

      """
    func start(_ index: Int) -> String { "0x" + String(0x1_0000_0000 + index * 0x10000, radix: 16) }
    for index in 0..<count {
      text += "\(index)   Kit\(index)   \t\(start(index)) \(start(index)) + 16\n"
    }
    text += "\nBinary Images:\n"
    for index in 0..<count {
      let end = "0x" + String(0x1_0000_0000 + index * 0x10000 + 0xffff, radix: 16)
      text +=
        "\(start(index)) - \(end) Kit\(index) arm64  <\(uuid(index))> /private/var/containers/Kit\(index)\n"
    }
    return Array((text + "\nEOF\n").utf8)
  }

  /// Answers that have no file behind them, and those that have.
  @Test(arguments: [
    "other", "html", "cab", "error", "loop", "endless", "detour", "normal", "cut", "broken",
    "empty",
    "bomb",
  ])
  func isLeftAlone(behaviour: String) async throws {
    let fixture = try ServerFixture()
    let report = try fixture.files.write(Self.report(60), to: "many.crash")
    let hasFiles = ["normal", "cut", "broken", "empty", "bomb"].contains(behaviour)
    if hasFiles {
      for index in 0..<60 {
        try fixture.add(Fixtures.storyDwarfFile, at: Self.path(index))
      }
    }
    let result = try await Program.symbolicate(
      [
        report, "--symbol-server",
        "http://127.0.0.1:\(fixture.server.port)/\(behaviour),symstore",
      ],
      cache: fixture.cache.path,
      environment: [
        "SYMBOLICATE_SERVER_MAXSIZE": ["normal", "endless", "detour"].contains(behaviour)
          ? "1000" : behaviour == "bomb" ? "1M" : nil
      ])
    expectEqual(result.status, 0)
    // Three answers, and those of the sixteen wishes that were under way. A redirect is followed
    // five times; what is not there is no answer.
    let requests = fixture.server.requests().filter { !hasFiles || $0.contains("/_.dwarf/") }
    let count = Set(requests).count
    expectTrue((3...20).contains(count), "\(count) requests")
    expectContains(
      result.standardError,
      "http://127.0.0.1:\(fixture.server.port)/\(behaviour) is not asked again in this run: three of its answers were of no use"
    )
    try expectEqual(fixture.cached().filter { $0.hasSuffix(".partial") }, [])
  }

  /// A byte now and then. One answer is enough, and those that were under way with it.
  @Test func aSlowServerIsLeftAlone() async throws {
    let fixture = try ServerFixture()
    let report = try fixture.files.write(Self.report(60), to: "many.crash")
    for index in 0..<60 {
      try fixture.add(Fixtures.storyDwarfFile, at: Self.path(index))
    }
    let server = "http://127.0.0.1:\(fixture.server.port)/slow"
    let result = try await Program.symbolicate(
      [report, "--symbol-server", "\(server),symstore"], cache: fixture.cache.path,
      environment: ["SYMBOLICATE_SERVER_TIMEOUT": "1"])
    let count = fixture.server.requests().count
    expectTrue((1...16).contains(count), "\(count) requests")
    expectContains(
      result.standardError, "\(server) is not asked again in this run: it took too long")
  }

  /// elfutils' own library has no such rule.
  @Test func aServerOfDebuginfod() async throws {
    let fixture = try ServerFixture()
    var text = "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x000000000000 (pc 0x1)\n"
    for index in 0..<60 {
      let id = String(repeating: String(index + 0x10, radix: 16), count: 20)
      text += "    #\(index) 0x7f\(index + 10)00 (/lib/kit\(index).so+0x100) (BuildId: \(id))\n"
    }
    let report = try fixture.files.write(Array((text + "\n==1==ABORTING\n").utf8), to: "asan.log")
    let result = try await Program.symbolicate(
      [report], cache: fixture.cache.path,
      environment: ["DEBUGINFOD_URLS": "http://127.0.0.1:\(fixture.server.port)/other"])
    if result.standardError.contains("libdebuginfod.so.1 is not installed") { return }
    let count = fixture.server.requests().count
    expectTrue((3...40).contains(count), "\(count) requests")
    expectContains(
      result.standardError,
      "debuginfod is not asked again in this run: three of its answers were of no use")
  }

  // MARK: - Budgets of the run

  @Test func bytesOfTheRun() async throws {
    let fixture = try ServerFixture()
    let report = try fixture.files.write(Self.report(60), to: "many.crash")
    var patch = try MachOPatch(contentsOf: Fixtures.storyDwarfFile)
    for index in 0..<60 {
      patch.setUuid([UInt8](hexadecimal: Self.uuid(index)))
      try fixture.files.makeDirectory("_.dwarf/mach-uuid-sym-\(Self.uuid(index))")
      try fixture.files.write(patch.bytes, to: Self.path(index))
    }
    let result = try await Program.symbolicate(
      [
        report, "--symbol-server", "\(fixture.server.url)/normal,symstore", "--limit",
        "download-size=50000",
      ], cache: fixture.cache.path)
    expectEqual(result.status, 0)
    // Of 15,642 bytes each, three fit.
    let files = try fixture.cached()
    expectTrue(files.count { $0.hasSuffix(".symbols") } <= 3, "\(files)")
    expectEqual(files.filter { $0.hasSuffix(".partial") }, [])
    let count = fixture.server.requests().count
    expectTrue(count <= 3 + 8, "\(count) requests")
    let line =
      "symbolicate: warning: no server is asked again in this run: downloads and what was unpacked from them have 50000 bytes; --limit download-size=100000 allows more"
    expectEqual(result.standardError.split(separator: "\n").count { $0 == line }, 1)
  }
}

extension String {
  fileprivate func padding(_ count: Int) -> String {
    self + String(repeating: "0", count: max(0, count - self.count))
  }
}
