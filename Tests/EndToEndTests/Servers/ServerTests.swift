import Foundation
import Subprocess
import TestSupport
import Testing

/// `--symbol-server` with a file server on this machine.
@Suite(
  .enabled("python3 is not installed (Scripts/install-packages.sh test)") {
    LoopbackServer.missingProgram == nil
  })
struct ServerTests {
  // MARK: - Servers that have the file

  @Test(arguments: ["normal", "gzip", "encoded", "xz", "redirect", "elsewhere", "unhurried"])
  func downloadsOnce(behaviour: String) async throws {
    let fixture = try ServerFixture()
    let first = try await fixture.run(behaviour, user: "joe:secret@")
    try ExpectedOutput.expect(first.standardOutput, equals: ServerFixture.golden)
    expectPrefix(first.standardError, "6 of 11 frames resolved\n")
    expectEqual(first.status, 0)
    let requests = fixture.server.requests()
    expectEqual(requests.first, "GET /\(behaviour)/\(ServerFixture.symstorePath) joe")
    #expect(requests.count <= 2)

    // The second run needs no server.
    let second = try await fixture.run(behaviour, user: "joe:secret@")
    expectEqual(second.standardOutput, first.standardOutput)
    expectEqual(fixture.server.requests(), requests)
  }

  /// The layout `native` has a place for Breakpad symbol files. Their lines are those of the dSYM.
  @Test func aBreakpadSymbolFile() async throws {
    let name = "Letter Shuffle/A4B1DE4970B3301DA64458D6BC22F5130/Letter Shuffle.sym"
    let fixture = try ServerFixture(path: "another/place")
    try fixture.add(Fixtures.path("Breakpad/\(name)"), at: name)
    let result = try await fixture.run("normal", layout: "native")
    try ExpectedOutput.expect(result.standardOutput, equals: ServerFixture.golden)

    // Emptying the cache removes downloads too.
    expectFalse((try fixture.cached()).isEmpty)
    let cleaned = try await Program.symbolicate(["index", "--clean"], cache: fixture.cache.path)
    expectEqual(cleaned.status, 0)
    try expectEqual(fixture.cached(), [])
  }

  @Test func aPasswordDoesNotLeaveTheHost() async throws {
    let fixture = try ServerFixture()
    _ = try await fixture.run("elsewhere", user: "joe:secret@")
    expectEqual(
      fixture.server.requests(),
      [
        "GET /elsewhere/\(ServerFixture.symstorePath) joe",
        "GET /normal/\(ServerFixture.symstorePath) -",
      ])
  }

  @Test(arguments: ["html", "error", "forbidden", "normal-not"])
  func aPasswordIsNotShown(behaviour: String) async throws {
    let fixture = try ServerFixture()
    let result = try await fixture.run(behaviour, user: "joe:secret@")
    expectFalse(result.standardError.contains("secret"))
    expectFalse(result.standardError.contains("joe"))
  }

  @Test(arguments: [
    ("symstore", ServerFixture.symstorePath),
    ("ssqp", ServerFixture.symstorePath),
    ("index2", "_/\(ServerFixture.symstorePath)"),
    ("unified", "a4/b1de4970b3301da64458d6bc22f513/debuginfo"),
    ("native", "A4B1/DE49/70B3/301D/A644/58D6BC22F513"),
    ("debuginfod", "buildid/\(ServerFixture.uuid)/debuginfo"),
  ])
  func knowsTheLayout(layout: String, path: String) async throws {
    let fixture = try ServerFixture(path: path)
    let result = try await fixture.run("normal", layout: layout)
    try ExpectedOutput.expect(result.standardOutput, equals: ServerFixture.golden)
  }

  @Test func theLayoutIsNativeUnlessStated() async throws {
    let fixture = try ServerFixture(path: "A4B1/DE49/70B3/301D/A644/58D6BC22F513")
    let result = try await Program.symbolicate(
      [Fixtures.storyReportAlone, "--symbol-server", fixture.server.url + "/normal/"],
      cache: fixture.cache.path)
    try ExpectedOutput.expect(result.standardOutput, equals: ServerFixture.golden)
  }

  @Test func theSecondServerHasIt() async throws {
    let fixture = try ServerFixture()
    let result = try await fixture.run(
      "nothing", options: ["--symbol-server", fixture.server.url + "/normal,symstore"])
    try ExpectedOutput.expect(result.standardOutput, equals: ServerFixture.golden)
    expectPrefix(result.standardError, "6 of 11 frames resolved\n")
  }

  @Test func aFileOnThisMachineComesFirst() async throws {
    let fixture = try ServerFixture()
    let result = try await fixture.run(
      "normal", options: ["-d", Fixtures.storyBundle, "--only-user-code"])
    try ExpectedOutput.expect(result.standardOutput, equals: ServerFixture.golden)
    expectEqual(fixture.server.requests(), [])
    try expectEqual(fixture.cached(), [])
  }

  @Test func downloadsArePrivate() async throws {
    let fixture = try ServerFixture()
    _ = try await fixture.run("gzip")
    let name = try require(fixture.cached().first)
    func permissions(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    try expectEqual(fixture.cached().count, 1)
    try expectEqual(permissions(fixture.cachedPath(name)), 0o600)
    try expectEqual(permissions(fixture.cache.path("symbolicate/servers")), 0o700)
    try expectEqual(
      Fixtures.bytes(of: fixture.cachedPath(name)), Fixtures.bytes(of: Fixtures.storyDwarfFile))
  }

  @Test func severalProcessesAtOnce() async throws {
    let fixture = try ServerFixture()
    try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for _ in 0..<4 {
        group.addTask { try await fixture.run("normal").standardOutput }
      }
      for try await output in group {
        try ExpectedOutput.expect(output, equals: ServerFixture.golden)
      }
    }
    try expectEqual(fixture.cached().count, 1)
  }

  // MARK: - Servers that do not have it, or lie

  /// The server is asked once for the image in a run, and not again for a day.
  @Test func anAbsenceIsRememberedForADay() async throws {
    let fixture = try ServerFixture(path: "elsewhere")
    let result = try await fixture.run("normal")
    try expectEqual(result.standardOutput, Fixtures.bytes(of: Fixtures.storyReportAlone))
    expectPrefix(result.standardError, "0 of 11 frames resolved\n")
    expectEqual(result.status, 0)
    let count = fixture.server.requests().count
    #expect(count > 0)

    _ = try await fixture.run("normal")
    expectEqual(fixture.server.requests().count, count)
    expectEqual(Set(fixture.server.requests()).count, count)
    try fixture.age(by: 86_300)
    _ = try await fixture.run("normal")
    expectEqual(fixture.server.requests().count, count)
    try fixture.age(by: 86_500)
    _ = try await fixture.run("normal")
    expectEqual(fixture.server.requests().count, 2 * count)
  }

  @Test(arguments: [
    ("html", "the server sent a web page"),
    ("empty", "the server sent nothing"),
    ("cab", "the server sent a Microsoft cabinet (CAB), which is not unpacked"),
    (
      "other",
      "the server sent a file with build-id 6d8e22cf8306af072138fc23a59eecf13c73474e"
    ),
    ("cut", "what the server sent is cut short or damaged"),
  ])
  func aLieIsRememberedForADay(behaviour: String, found: String) async throws {
    let fixture = try ServerFixture()
    let result = try await fixture.run(behaviour)
    try expectEqual(result.standardOutput, Fixtures.bytes(of: Fixtures.storyReportAlone))
    expectEqual(result.status, 0)
    let shown = "\(fixture.server.url)/\(behaviour)/\(ServerFixture.symstorePath)"
    let expected = "expected a symbol file with UUID A4B1DE49-70B3-301D-A644-58D6BC22F513"
    expectPrefix(
      result.standardError, "symbolicate: warning: \(shown) is not usable: \(found)",
      "\(result.standardError)")
    expectTrue(result.standardError.contains(expected), "\(result.standardError)")

    let lies = try fixture.cached().filter { $0.hasSuffix(".malformed") }
    expectFalse(lies.isEmpty)
    let count = fixture.server.requests().count
    try fixture.age(by: 3700)
    let second = try await fixture.run(behaviour)
    expectTrue(
      second.standardError.hasPrefix(
        "symbolicate: warning: \(shown) was not usable when it was downloaded last"),
      "\(second.standardError)")
    expectFalse(
      fixture.server.requests()[count...].contains { $0.contains(ServerFixture.symstorePath) })
    try fixture.age(by: 86_500)
    _ = try await fixture.run(behaviour)
    expectTrue(
      fixture.server.requests()[count...].contains { $0.contains(ServerFixture.symstorePath) })
  }

  @Test(
    .timeLimit(.minutes(60)),
    arguments: [
      ("broken", "could not be downloaded: "),
      ("error", "could not be downloaded: the server answered with HTTP status 500"),
      ("forbidden", "was refused (HTTP status 403)"),
      ("loop", "could not be downloaded: "),
      ("file", "could not be downloaded: "),
      ("slow", "could not be downloaded within 1 second;"),
    ])
  func aFailureIsNotRemembered(behaviour: String, message: String) async throws {
    let fixture = try ServerFixture()
    // On a busy machine any answer may take a second.
    let timeout = behaviour == "slow" ? "1" : nil
    let result = try await fixture.run(behaviour, timeout: timeout)
    try expectEqual(result.standardOutput, Fixtures.bytes(of: Fixtures.storyReportAlone))
    expectEqual(result.status, 0)
    expectTrue(
      result.standardError.hasPrefix(
        "symbolicate: warning: \(fixture.server.url)/\(behaviour)/\(ServerFixture.symstorePath) \(message)"
      ), "\(result.standardError)")
    try expectFalse(fixture.cached().contains { !$0.hasSuffix(".absent") })
    let requests = fixture.server.requests()
    // A server that fails again and again is not asked for everything.
    #expect(requests.count <= 3 * 6)
    _ = try await fixture.run(behaviour, timeout: timeout)
    // After a second of a busy machine the server may not have read the request yet.
    while fixture.server.requests().count == requests.count {
      try await Task.sleep(for: .milliseconds(10))
    }
    expectEqual(
      fixture.server.requests()[requests.count...].first?.contains(ServerFixture.symstorePath), true
    )
  }

  @Test func aServerThatIsNotThere() async throws {
    let fixture = try ServerFixture()
    // A port from which nothing answers: it belongs to this test, and nobody listens.
    let result = try await Program.symbolicate(
      [Fixtures.storyReportAlone, "--symbol-server", "http://127.0.0.1:1/,symstore"],
      cache: fixture.cache.path)
    try expectEqual(result.standardOutput, Fixtures.bytes(of: Fixtures.storyReportAlone))
    expectTrue(
      result.standardError.hasPrefix(
        "symbolicate: warning: http://127.0.0.1:1/\(ServerFixture.symstorePath) could not be downloaded: "
      ), "\(result.standardError)")
    // It is mentioned once, and not for each file that it was not asked for.
    let lines = result.standardError.split(separator: "\n").filter { $0.contains("127.0.0.1:1") }
    expectEqual(lines.count { !$0.hasPrefix("symbolicate: note: to see why: ") }, 1)
  }

  // MARK: - Limits

  @Test func aLargeFileIsNotDownloaded() async throws {
    let fixture = try ServerFixture()
    let result = try await fixture.run("normal", maximumSize: "10000")
    expectTrue(
      result.standardError.contains(
        "is larger than 10000 bytes and was not downloaded; SYMBOLICATE_SERVER_MAXSIZE sets the limit"
      ), "\(result.standardError)")
    try expectTrue(fixture.cached().allSatisfy { $0.hasSuffix(".absent") })
  }

  @Test func aSmallFileDoesNotUnpackToALargeOne() async throws {
    let fixture = try ServerFixture()
    let result = try await fixture.run("bomb", maximumSize: "1M")
    expectContains(
      result.standardError, "is compressed and cannot be unpacked", "\(result.standardError)")
    try expectTrue(fixture.cached().allSatisfy { !$0.hasSuffix(".symbols") })
  }

  @Test func theCacheHasALimit() async throws {
    let fixture = try ServerFixture()
    _ = try await fixture.run("normal")
    let first = try fixture.cached()
    try fixture.age(by: 90_000)
    // Another server, so another file; both have 15,642 bytes.
    let result = try await Program.symbolicate(
      [
        Fixtures.storyReportAlone, "--symbol-server",
        "\(fixture.server.url)/gzip,symstore",
      ],
      cache: fixture.cache.path, environment: ["SYMBOLICATE_CACHE_LIMIT": "20000"])
    try ExpectedOutput.expect(result.standardOutput, equals: ServerFixture.golden)
    let second = try fixture.cached()
    expectEqual(second.count, 1)
    expectNotEqual(second, first)
  }

  // MARK: - Offline

  @Test func offlineAsksNoServer() async throws {
    let fixture = try ServerFixture()
    let before = try await fixture.run("normal", options: ["--offline"])
    try expectEqual(before.standardOutput, Fixtures.bytes(of: Fixtures.storyReportAlone))
    expectEqual(fixture.server.requests(), [])
    try expectEqual(fixture.cached(), [])
    _ = try await fixture.run("normal")
    let count = fixture.server.requests().count
    let after = try await fixture.run("normal", options: ["--offline"])
    try ExpectedOutput.expect(after.standardOutput, equals: ServerFixture.golden)
    expectEqual(fixture.server.requests().count, count)
  }

  // MARK: - The helper

  @Test(arguments: [
    (
      "/nonexistent/fetch",
      "cannot start /nonexistent/fetch, which downloads from servers: No such file or directory; install it beside symbolicate; no server was asked"
    ),
    // It ends at once.
    ("/bin/true", "/bin/true, which downloads from servers, ended unexpectedly"),
    // It sends back what it was sent.
    ("/bin/cat", "/bin/cat, which downloads from servers, ended unexpectedly"),
  ])
  func aHelperThatDoesNotWork(path: String, message: String) async throws {
    // `cat` waits for input before it writes; this program does not send before it was greeted.
    let fixture = try ServerFixture()
    let helper =
      path == "/bin/cat"
      ? try await fixture.files.makeScript("echo", "echo over 0; cat") : path
    let result = try await fixture.run("normal", helper: helper)
    try expectEqual(result.standardOutput, Fixtures.bytes(of: Fixtures.storyReportAlone))
    expectEqual(result.status, 0)
    let expected = message.replacingOccurrences(of: "/bin/cat", with: helper)
    expectPrefix(
      result.standardError, "symbolicate: warning: \(expected)", "\(result.standardError)")
    expectEqual(fixture.server.requests(), [])
  }

  @Test func aHelperThatReportsWhatWasNotAsked() async throws {
    let fixture = try ServerFixture()
    for line in ["saved 7 0", "found 0 /etc/passwd", "absent 0 99", "over -1", "hello", ""] {
      let helper = try await fixture.files.makeScript(
        "helper-\(line.count)",
        "echo symbolicate-fetch 2; read a; read b; echo '\(line)'; sleep 1")
      let result = try await fixture.run("normal", helper: helper)
      try expectEqual(result.standardOutput, Fixtures.bytes(of: Fixtures.storyReportAlone))
      expectTrue(
        result.standardError.hasPrefix(
          "symbolicate: warning: \(helper), which downloads from servers, ended unexpectedly"),
        "\(line): \(result.standardError)")
    }
  }

  @Test func theHelperIsNotForTerminals() async throws {
    let result = try await Program.run(Program.builtFetchPath, [], input: Array("end\n".utf8))
    expectEqual(result.outputText, "symbolicate-fetch 2\n")
    expectEqual(result.status, 0)
    let nonsense = try await Program.run(
      Program.builtFetchPath, [], input: Array("fetch everything\n".utf8))
    expectEqual(nonsense.status, 65)
  }

  // MARK: - Usage

  @Test(arguments: [
    (
      "ftp://h/x",
      "--symbol-server needs a URL that begins with https:// or http://, or one of mozilla, electron, microsoft, chromium, not 'ftp://h/x'"
    ),
    (
      "file://joe:secret@/etc",
      "--symbol-server needs a URL that begins with https:// or http://, or one of mozilla, electron, microsoft, chromium, not 'file:///etc'"
    ),
    (
      "http://h/x,sympath",
      "--symbol-server needs one of the layouts native, symstore, ssqp, index2, unified, debuginfod, breakpad, not 'sympath'"
    ),
    (
      "http://joe:secret@h/x?y",
      "--symbol-server needs a URL of a host and maybe a path, without spaces, ? and #, not 'http://h/x?…'"
    ),
  ])
  func refusesWhatIsNotAServer(text: String, message: String) async throws {
    let result = try await Program.symbolicate([Fixtures.storyReportAlone, "--symbol-server", text])
    expectEqual(result.status, 64)
    expectTrue(result.standardError.contains(message), "\(result.standardError)")
    // ArgumentParser repeats no value that holds a password.
    expectFalse(result.standardError.contains("secret"), "\(result.standardError)")
  }

  @Test(arguments: [
    (
      "SYMBOLICATE_SERVER_TIMEOUT", "soon",
      "SYMBOLICATE_SERVER_TIMEOUT needs a number of seconds, not 'soon'"
    ),
    (
      "SYMBOLICATE_SERVER_MAXSIZE", "big",
      "SYMBOLICATE_SERVER_MAXSIZE needs a size in bytes, or like 500M or 4G, not 'big'"
    ),
  ])
  func refusesLimitsThatAreNotNumbers(
    variable: String, value: String, message: String
  ) async throws {
    let result = try await Program.symbolicate(
      [Fixtures.storyReportAlone, "--symbol-server", "http://127.0.0.1:1"],
      environment: [.init(stringLiteral: variable): value])
    expectEqual(result.status, 64)
    expectTrue(result.standardError.contains(message), "\(result.standardError)")
  }
}
