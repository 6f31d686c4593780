import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// Version 1 of signatures, whose answers must stay: groups of an earlier run go on with them. The
/// expected texts are those of the program before there was another version.
struct SignatureVersionTests {
  private typealias Fixture = SignatureFixture

  private static var first: SymbolicationOptions {
    var options = SymbolicationOptions()
    options.signatureVersion = .first
    return options
  }

  @Test(
    arguments: [
      (
        [
          .namelessSystem(0x99), .system("objc_msgSend"), .system("_dispatch_client_callout"),
          .system("drain"), .system("worker"), .system("start_wqthread"),
        ], "objc_msgSend | _dispatch_client_callout | drain"
      ),
      ([.system("__pthread_kill"), .system("abort")], "__pthread_kill | abort"),
      (
        [.namelessSystem(0x20), .namelessSystem(0x30)],
        "libswiftCore.dylib+0x20 | libswiftCore.dylib+0x30"
      ),
      ([.app("konan::abort()"), .app("f()")], "konan::abort | f()"),
      ([.app("_dispatch_client_callout"), .app("f()")], "_dispatch_client_callout | f()"),
      ([.app("f()"), .atStart("next()"), .app("g()")], "f() | next() | g()"),
      (
        [.app("Reporter.save()"), .image("libsystem_platform.dylib", "_sigtramp"), .app("f()")],
        "Reporter.save() | f()"
      ),
    ] as [([SignatureFixture.Frame], String)])
  func frames(frames: [SignatureFixture.Frame], expected: String) throws {
    let signature = try require(Fixture.signature(Fixture.report(frames), Self.first))
    expectEqual(signature.version, 1)
    expectEqual(signature.text, "EXC_BREAKPOINT | \(expected)")
  }

  @Test func head() throws {
    let head = """
      Exception Type:  EXC_CRASH (SIGKILL)
      Termination Reason:  Namespace FRONTBOARD, Code 0x8badf00d
      Application Specific Information:
      *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3'
      """
    try expectEqual(Fixture.text([.app("f()")], head: head, Self.first), "EXC_CRASH | f()")
  }

  private static let round =
    "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)"
  private static let rounds =
    "\(round) | one-time initialization function for rounds | GameData.rounds.unsafeMutableAddressor"
  private static let loading =
    "\(round) | GameViewController.loadRound(_:) | GameViewController.startRound()"

  /// The first report of each file.
  @Test(arguments: [
    ("LetterShuffle/letter-shuffle.crash", "EXC_BREAKPOINT | \(rounds)"),
    ("LetterShuffle/letter-shuffle-web-copy.crash", "crash | \(rounds)"),
    ("MetricKit/codable.json", "EXC_BREAKPOINT | \(rounds)"),
    ("MetricKit/payload-ios14.json", "EXC_BAD_ACCESS | \(rounds)"),
    ("MetricKit/store-logs.json", "hang | \(loading)"),
    ("Sanitizer/Reports/freed-off.log", "AddressSanitizer | value | total | descend"),
    ("Sanitizer/Reports/freed-on.log", "AddressSanitizer | _start"),
    ("SwiftBacktrace/Reports/ladder-full.log", "SIGSEGV | read(_:) | climb(_:)"),
    (
      "SwiftBacktrace/Reports/bank-full.log",
      "SIGTRAP | entry(_:_:) | total(_:upTo:) | Account.balance(_:)"
    ),
    (
      "SwiftBacktrace/Reports/workers-full.log",
      "SIGTRAP | Worker.divide(_:by:) | Worker.run() | closure in start(_:)"
    ),
  ])
  func fixtures(path: String, expected: String) throws {
    let document = try JsonFixture.document(
      try Fixtures.bytes(of: Fixtures.path(path)), with: [Fixtures.path("")], Self.first)
    expectEqual(document.reports.first?.signature?.text, expected)
  }
}
