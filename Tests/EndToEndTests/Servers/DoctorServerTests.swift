import TestSupport
import Testing

/// What `symbolicate doctor` says of servers, without passwords.
@Suite(
  .enabled("python3 is not installed (Scripts/install-packages.sh test)") {
    LoopbackServer.missingProgram == nil
  })
struct DoctorServerTests {
  private let files: TemporaryDirectory
  private let server: LoopbackServer

  init() throws {
    files = try TemporaryDirectory()
    try files.makeDirectory("report")
    try files.copy(Fixtures.storyReport, to: "report/crash.crash")
    server = try .files(in: files.path)
  }

  /// - Parameter behaviour: `normal`, or `error` for HTTP status 500.
  private func doctor(
    _ behaviour: String, _ options: String...
  ) async throws -> ProgramResult {
    let result = try await Program.symbolicate(
      [
        "doctor", "report/crash.crash", "--symbol-server",
        "http://joe:secret@127.0.0.1:\(server.port)/\(behaviour),symstore",
      ] + options, workingDirectory: files.path, cache: files.path("cache"))
    expectFalse((result.standardError + result.outputText).contains("secret"))
    return result
  }

  @Test func found() async throws {
    let path = "_.dwarf/mach-uuid-sym-a4b1de4970b3301da64458d6bc22f513"
    try files.makeDirectory(path)
    try files.copy(Fixtures.storyDwarfFile, to: path + "/_.dwarf")
    let result = try await doctor("normal")
    expectEqual(result.status, 0)
    expectEqual(result.standardError, "")
    expectContains(result.outputText, " has this UUID; it was found on a symbol server.\n")
    expectTrue(
      result.outputText.hasSuffix(
        "\nNext: symbolicate report/crash.crash --symbol-server http://127.0.0.1:\(server.port)/normal,symstore\n"
      ))
  }

  @Test func absent() async throws {
    let result = try await doctor("normal")
    expectEqual(result.status, 2)
    expectEqual(result.standardError, "")
    expectContains(result.outputText, "    The symbol servers do not have it.\n")
    let offline = try await doctor("normal", "--offline")
    expectEqual(offline.status, 2)
    expectContains(offline.outputText, "    No symbol server was asked, because of --offline. What")
  }

  @Test func failed() async throws {
    let result = try await doctor("error")
    expectEqual(result.status, 2)
    expectContains(result.standardError, "could not be downloaded")
    expectTrue(
      result.outputText.contains(
        "    The symbol servers did not deliver it. A message on standard error says what went wrong.\n"
      ))
  }
}
