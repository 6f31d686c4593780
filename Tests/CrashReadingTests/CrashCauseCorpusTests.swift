import Foundation
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Why and where real processes crashed, if SYMBOLICATE_CORPUS names a folder of their reports.
///
/// A person read the expected values off the reports, whose frames Apple's tools symbolicated.
@Suite(
  .enabled(
    if: Corpus.path != nil, "SYMBOLICATE_CORPUS does not name the folder of real reports"))
struct CrashCauseCorpusTests {
  private func report(_ name: String, symbols: [String] = []) throws -> JsonReport {
    let path = try require(Corpus.path) + "/reports/\(name)"
    return try require(
      JsonFixture.document(try Fixtures.bytes(of: path), with: symbols).reports.first)
  }

  /// `place` is function, file and line; empty for none.
  @Test(
    arguments: [
      (
        "crash-text/ips2crashlog-target.txt", "trapMessage",
        "assertion __n < size() failed: vector[] index out of bounds",
        "EntranceAwarePathfinder.cpp:61"
      ),
      (
        "crash-text/icdab-icdab_wrap_ios_on_macos.crash", "applicationSpecificInformation",
        "Fatal error: Unexpectedly found nil while implicitly unwrapping an Optional value: file icdab_wrap/PlanetViewController.swift, line 45",
        "PlanetViewController.swift:45"
      ),
      (
        "crash-text/icdab-icdab_sema_ios.crash", "applicationSpecificInformation",
        "BUG IN CLIENT OF LIBDISPATCH: Semaphore object deallocated while in use", "main.m:18"
      ),
      // Called from the loop that the agent only runs; the thrower is not in the text.
      (
        "crash-text/idb-agent_custom_set.crash", "thrownException",
        "NSInvalidArgumentException: -[NSFileManager stringWithFormat:]: unrecognized selector sent to instance 0x7c926a50",
        ""
      ),
      // Called by a timer: `main` is the only frame of the app.
      (
        "crash-text/idb-app_custom_set.crash", "thrownException",
        "NSInvalidArgumentException: -[NSFileManager stringWithFormat:]: unrecognized selector sent to instance 0x7a93b010",
        ""
      ),
      (
        "crash-text/ghhjb-crash2.txt", "termination",
        "DYLD 0x4, Symbol missing, Symbol not found: _swift_isUniquelyReferenced_nonNull, referenced from MAX, expected in libSwiftCompat.dylib",
        ""
      ),
      (
        "crash-text/icdab-one_messenger_sql_ios.crash", "termination",
        "SPRINGBOARD 0xdead10cc (held a file or database lock while suspended)", ""
      ),
      (
        "crash-text/tf-clarissa-3.crash", "function",
        "actor-isolated code ran outside its actor's queue", "LLMProvider.swift:128"
      ),
      (
        "crash-text/icdab-icdab_nsdata_ios_14_2.crash", "function",
        "unrecognized selector sent to an object by -[_NSPlaceholderData initWithData:]",
        "AppDelegate.m:26"
      ),
      (
        "ips-309/crashdx-crashspike-unstripped.ips", "function",
        "Swift fatal error or failed precondition, without its message", "main.swift:10"
      ),
      (
        "crash-text/kscrash-ex-Zombie.txt", "exceptionType",
        "an object was used that was freed or overwritten before (objc_msgSend)", ""
      ),
      (
        "crash-text/wrlu-OpenDrcom-CrashReport.txt", "exceptionType",
        "a failed check in Swift code (nil, index, overflow, cast or precondition)",
        "SuccessInfoViewController.didLostConnection()"
      ),
      (
        "plcrash-text/acrp-XCDYouTubeKit-54.txt", "exceptionType",
        "access through a null pointer, at offset 0x8, in JSValueIsString",
        "-[XCDYouTubePlayerScript unscrambleSignature:]"
      ),
    ])
  func crash(name: String, source: String, reason: String, place: String) throws {
    let crash = try report(name).crash
    expectEqual(crash.reasonFrom, source)
    expectEqual(crash.reason, reason)
    let frame = crash.frame
    let found = frame.map { frame in
      frame.line.map { "\(frame.file ?? ""):\($0)" } ?? frame.function ?? ""
    }
    expectEqual(found ?? "", place)
  }

  /// The same process with Apple's names and with the names of its dSYM.
  @Test func ownNamesAndApplesNamesGiveTheSamePlace() throws {
    let symbols = [try require(Corpus.path) + "/symbols/crashspike-arm64-657A6675.dSYM"]
    let apple = try require(report("ips-309/crashdx-crashspike-unstripped.ips").crash.frame)
    expectEqual(apple.function, "applyDiscount(_:)")
    for name in ["stripped", "unsymbolicated"] {
      let own = try report("ips-309/crashdx-crashspike-\(name).ips", symbols: symbols).crash.frame
      expectEqual(own?.function, apple.function)
      expectEqual(own?.line, apple.line)
      expectEqual(own?.index, apple.index)
    }
  }

  /// Libraries of simulators whose paths are cut (`/Volumes/VOLUME/*/…`) or lie in Xcode.
  @Test(
    arguments: [
      "ips2crashlog-target.txt", "jbcrane13-CrabyFace-crashlog.txt", "idb-agent_custom_set.crash",
      "idb-app_custom_set.crash",
    ])
  func simulatorLibrariesBelongToTheSystem(name: String) throws {
    let report = try report("crash-text/\(name)")
    let libraries = report.images.filter { image in
      ["/Volumes/VOLUME/*/", "/Applications/xcode"].contains { image.path?.hasPrefix($0) == true }
    }
    #expect(libraries.count > 10)
    for image in libraries { expectTrue(image.system, "\(image.path ?? "")") }
    let missing = report.missingSymbols.filter { !$0.system }
    expectEmpty(missing)
  }

  /// For every report, the place is not in a system library, and the summary is short.
  @Test(arguments: ["crash-text", "crash-text-jsonheader", "plcrash-text", "ips-309"])
  func allReports(kind: String) throws {
    let folder = try require(Corpus.path) + "/reports/\(kind)"
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let bytes = try Fixtures.bytes(of: "\(folder)/\(name)")
      for report in try JsonFixture.document(bytes, with: []).reports {
        guard let place = report.crash.backtrace, let frame = report.crash.frame else {
          expectTrue(report.crash.backtrace == nil && report.crash.frame == nil, "\(name)")
          continue
        }
        expectTrue(report.backtraces[place].frames.contains(frame), "\(name)")
        expectNotEqual(frame.image.map { report.images[$0].system }, true, "\(name)")
        expectNotEqual(frame.function, "_assertionFailure(_:_:file:line:flags:)", "\(name)")
      }
      let summary = JsonFixture.output(bytes, as: .summary, with: [])
      for block in summary.split(separator: "\n\n") {
        #expect(block.split(separator: "\n").count <= 25, "\(name)")
      }
    }
  }
}
