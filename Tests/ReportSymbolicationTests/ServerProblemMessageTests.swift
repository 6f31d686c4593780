import FetchProtocol
import ReportSymbolication
import SymbolicationModel
import TestSupport
import Testing

@testable import SymbolStore
import Wording

/// Each sentence names the URL, what was found, what was expected and what to do.
@Suite struct ServerProblemMessageTests {
  private static let url = "https://h/x"
  private static let uuid = ImageIdentity(bytes: [UInt8](1...16))
  private static let buildId = ImageIdentity(bytes: [0xab, 0xcd])

  @Test(
    arguments: [
      (
        .missingHelper(path: "/p/symbolicate-fetch", errno: 2),
        "cannot start /p/symbolicate-fetch, which downloads from servers: No such file or directory; install it beside symbolicate; no server was asked"
      ),
      (
        .brokenHelper(path: "/p/symbolicate-fetch"),
        "/p/symbolicate-fetch, which downloads from servers, ended unexpectedly; install the one that belongs to this symbolicate"
      ),
      (
        .noCacheDirectory,
        "no server was asked, because there is no folder for downloads; set XDG_CACHE_HOME or HOME"
      ),
      (
        .unusableCache(path: "/c", errno: 13),
        "cannot keep downloads in /c: Permission denied; set XDG_CACHE_HOME to a folder that only you can write to"
      ),
      (
        .missingLibrary(names: ["libdebuginfod.so.1"], server: "debuginfod"),
        "debuginfod was not asked, because libdebuginfod.so.1 is not installed; install libdebuginfod1 (elfutils-debuginfod-client), or give its servers as --symbol-server URL,debuginfod"
      ),
      (
        .missingLibrary(names: ["libcurl.so.4", "libcurl-gnutls.so.4"], server: "https://h"),
        "https://h was not asked, because libcurl.so.4 or libcurl-gnutls.so.4 is not installed; install libcurl4 (libcurl)"
      ),
      (
        .failed(url: url, .status(503)),
        "https://h/x could not be downloaded: the server answered with HTTP status 503"
      ),
      (
        .failed(url: url, .status(401)),
        "https://h/x was refused (HTTP status 401); if the server needs a user and a password, put them into the URL"
      ),
      (.failed(url: url, .network("no route")), "https://h/x could not be downloaded: no route"),
      (.failed(url: url, .unreachable("no host")), "https://h/x could not be downloaded: no host"),
      (
        .failed(url: url, .runLimit(.bytes)),
        "https://h/x was not downloaded, because all downloads together have reached a limit"
      ),
      (
        .givenUp(server: "https://h", .uselessAnswers),
        "https://h is not asked again in this run: three of its answers were of no use"
      ),
      (
        .givenUp(server: "https://h", .tooSlow),
        "https://h is not asked again in this run: it took too long"
      ),
      (
        .failed(url: url, .timeout(seconds: 90)),
        "https://h/x could not be downloaded within 90 seconds; SYMBOLICATE_SERVER_TIMEOUT and SYMBOLICATE_SERVER_MAXTIME set the limits"
      ),
      (
        .failed(url: url, .tooLarge(limit: 1000)),
        "https://h/x is larger than 1000 bytes and was not downloaded; SYMBOLICATE_SERVER_MAXSIZE sets the limit"
      ),
      (
        .rememberedMalformation(url: url, path: "/c/y.malformed"),
        "https://h/x was not usable when it was downloaded last; it is asked for again a day later, or if you remove /c/y.malformed"
      ),
    ] as [(ServerProblem.Kind, String)])
  func message(kind: ServerProblem.Kind, text: String) {
    expectEqual(ServerProblem(kind).message, text)
  }

  @Test(
    arguments: [
      (.empty, "the server sent nothing"),
      (.webPage, "the server sent a web page"),
      (
        .cabinet,
        "the server sent a Microsoft cabinet (CAB), which is not unpacked; unpack it with cabextract and give it with -d"
      ),
      (.otherIdentity(found: []), "the server sent a file with no UUID or build-id"),
      (
        .otherIdentity(found: [uuid, buildId].compactMap(\.self)),
        "the server sent a file with UUID 01020304-0506-0708-090A-0B0C0D0E0F10 and build-id abcd"
      ),
      (
        .damagedCompression(.tooLarge(promised: 20, limit: 10)),
        "what the server sent is compressed and cannot be unpacked: its 20 bytes are more than the 10 that are read"
      ),
    ] as [(ServerProblem.Malformation, String)])
  func malformation(malformation: ServerProblem.Malformation, text: String) throws {
    let kind = ServerProblem.Kind.malformed(
      url: Self.url, expected: try require(Self.buildId), malformation)
    expectEqual(
      ServerProblem(kind).message,
      "https://h/x is not usable: \(text); expected a symbol file with build-id abcd")
  }

  @Test func problemsThatAreAlikeAreCounted() {
    var problems = ServerProblems()
    for number in 1...3 {
      problems.add(.failed(url: "https://h/\(number)", .status(503)), topic: "h 503")
    }
    problems.add(.noCacheDirectory)
    problems.add(.noCacheDirectory)
    expectEqual(
      problems.all.map(\.message),
      [
        "https://h/1 could not be downloaded: the server answered with HTTP status 503 (and 2 more like this)",
        "no server was asked, because there is no folder for downloads; set XDG_CACHE_HOME or HOME",
      ])
  }

  @Test func limitsComeFromTheEnvironment() throws {
    func limits(_ environment: [String: String]) throws -> ServerLimits {
      try ServerLimits.stated { environment[$0] }
    }
    var expected = ServerLimits()
    try expectEqual(limits([:]), expected)
    expectEqual(expected.seconds, 90)
    expected.seconds = 5
    expected.totalSeconds = 0
    expected.bytes = 2 << 20
    expected.cacheBytes = 1 << 30
    try expectEqual(
      limits([
        "SYMBOLICATE_SERVER_TIMEOUT": "5", "SYMBOLICATE_SERVER_MAXTIME": "0",
        "SYMBOLICATE_SERVER_MAXSIZE": "2M", "SYMBOLICATE_CACHE_LIMIT": "1G",
      ]), expected)
    #expect(
      throws: ServerLimits.Unreadable(
        variable: "SYMBOLICATE_SERVER_MAXTIME", value: "-1", isSize: false)
    ) { try limits(["SYMBOLICATE_SERVER_MAXTIME": "-1"]) }
  }
}
