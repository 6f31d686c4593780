import TestSupport
import Testing

/// Directories with links to `/proc`, `/dev` and `/`, with pipes and with devices: every command
/// that walks through a directory reads the ordinary files in it, and ends. (As the superuser,
/// reading `/proc/kmsg` would wait for ever.)
struct HostileFolderTests {
  private let directory: TemporaryDirectory
  private static let uuid = "A4B1DE49-70B3-301D-A644-58D6BC22F513"

  init() throws {
    directory = try TemporaryDirectory()
    _ = try directory.makeHostileEntries(in: "folder")
    _ = try directory.makeHostileEntries(in: "folder/sub")
    try directory.copy(Fixtures.storyReport, to: "folder/sub/a.crash")
    try directory.copy(Fixtures.storyBundle, to: "folder/sub/App.dSYM")
    try directory.link(
      "folder/sub/App.dSYM/Contents/Resources/DWARF/log", to: "/proc/kmsg")
    try directory.copy(Fixtures.storyReport, to: "alone.crash")
  }

  private func run(_ arguments: [String]) async throws -> ProgramResult {
    try await Program.symbolicate(arguments, workingDirectory: directory.path)
  }

  @Test func reports() async throws {
    let result = try await run(["folder", "--output-dir", "out"])
    // Links in a circle are left out.
    expectEqual(result.status, 0, result.standardError)
    expectFalse(result.standardError.contains("cannot be read"), result.standardError)
    expectContains(result.standardError, "1 report: 1 crash text")
    expectContains(result.standardError, "1 bundle, ")
    expectContains(result.standardError, " pipes and devices")
    try expectFalse(directory.bytes(of: "out/sub/a.crash").isEmpty)
  }

  @Test(arguments: ["-d", "-s"])
  func symbols(option: String) async throws {
    for folder in ["folder", "folder/sub/App.dSYM"] {
      let result = try await run(["alone.crash", option, folder])
      expectEqual(result.status, 0, result.standardError)
      expectContains(result.outputText, "GameViewController")
    }
  }

  @Test func listing() async throws {
    let result = try await run(["uuid", "folder"])
    let lines = result.outputText.split(separator: "\n")
    expectTrue(lines.contains { $0.contains(Self.uuid) })
    for path in ["/proc", "/sys", "/dev", "folder/proc", "folder/root", "folder/self", "kmsg"] {
      expectFalse(result.outputText.contains(path), path)
      expectFalse(result.standardError.contains(path), path)
    }
  }

  @Test(arguments: ["doctor", "check", "dsym-for-uuid", "index", "group"])
  func otherCommands(command: String) async throws {
    let arguments =
      switch command {
      case "doctor": ["doctor", "alone.crash", "-s", "folder"]
      case "check": ["check", "folder"]
      case "dsym-for-uuid": ["dsym-for-uuid", Self.uuid, "-d", "folder"]
      case "index": ["index", "folder", "-o", "indexes"]
      default: ["group", "folder"]
      }
    let result = try await run(arguments)
    #expect(result.status != nil)
    for path in ["folder/proc", "folder/root", "folder/self", "folder/sys", "folder/dev"] {
      expectFalse(result.outputText.contains(path + "/"), path)
      expectFalse(result.standardError.contains(path + "/"), path)
    }
  }

  /// A directory of the kernel that is named as such.
  @Test func theKernelItself() async throws {
    let result = try await run(["/proc/self/task"])
    expectEqual(result.status, 65, result.standardError)
    expectContains(result.standardError, "not read: 1 pipe or device")
  }
}
