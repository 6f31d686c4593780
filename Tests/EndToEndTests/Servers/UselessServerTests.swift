import Subprocess
import TestSupport
import Testing

/// A server whose answers are of no use: too large, a web page, another file. Three are enough.
@Suite(
  .enabled("python3 is not installed (Scripts/install-packages.sh test)") {
    LoopbackServer.missingProgram == nil
  })
struct UselessServerTests {
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
      let uuid = String(String(index + 0x1_0000, radix: 16).reversed()).padding(32)
      text +=
        "\(start(index)) - \(end) Kit\(index) arm64  <\(uuid)> /private/var/containers/Kit\(index)\n"
    }
    return Array((text + "\nEOF\n").utf8)
  }

  @Test(arguments: ["other", "html", "normal"])
  func isLeftAlone(behaviour: String) async throws {
    let fixture = try ServerFixture()
    // A file for every path, for the answers that are too large.
    let report = try fixture.files.write(Self.report(60), to: "many.crash")
    if behaviour == "normal" {
      for index in 0..<60 {
        let uuid = String(String(index + 0x1_0000, radix: 16).reversed()).padding(32)
        try fixture.add(
          Fixtures.storyDwarfFile, at: "_.dwarf/mach-uuid-sym-\(uuid)/_.dwarf")
      }
    }
    let result = try await Program.symbolicate(
      [
        report, "--symbol-server",
        "http://127.0.0.1:\(fixture.server.port)/\(behaviour),symstore",
      ],
      cache: fixture.cache.path,
      environment: ["SYMBOLICATE_SERVER_MAXSIZE": behaviour == "normal" ? "1000" : nil])
    expectEqual(result.status, 0)
    // Three answers, and those of the sixteen wishes that were under way.
    let count = fixture.server.requests().count
    expectTrue((3...20).contains(count), "\(count) requests")
    expectContains(
      result.standardError,
      "http://127.0.0.1:\(fixture.server.port)/\(behaviour) is not asked again in this run: three of its answers were of no use"
    )
  }
}

extension String {
  fileprivate func padding(_ count: Int) -> String {
    self + String(repeating: "0", count: max(0, count - self.count))
  }
}
