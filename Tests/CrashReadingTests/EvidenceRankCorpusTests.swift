import Foundation
import ReportTestSupport
import TestSupport
import Testing

/// Real reports that have evidence of two ranks: the stronger one is the reason.
///
/// A person read from each report what its evidence is.
@Suite(.enabled("there is no corpus (SYMBOLICATE_CORPUS)") { Corpus.path != nil })
struct EvidenceRankCorpusTests {
  /// Evidence of a rank, as JSON shows it.
  enum Weaker: Sendable {
    case ending(namespace: String)
    /// How the name of a function begins.
    case frame(String)
    case exception(String)
  }

  @Test(
    arguments: [
      // What the process said, and: why it was ended,
      (
        "wild/ips-309/log2timeline-fc91cac8-recoverylogd-2023-06-08-144913.ips",
        "applicationMessage", .ending(namespace: "LIBSYSTEM")
      ),
      // … a frame,
      ("crash-text/rollbar-report.crash", "applicationMessage", .frame("_assertionFailure")),
      // … the exception.
      (
        "crash-text/icdab-icdab_sema_osx_arm64.crash", "applicationMessage",
        .exception("EXC_BREAKPOINT")
      ),
      // Why it was ended, and: a frame,
      (
        "wild/ips-309/r00tify-540eb64d-jetsam-vm-pageshortage.ips", "memoryLimit",
        .frame("_assertionFailure")
      ),
      // … the exception: a call through a null pointer.
      ("crash-text/icdab-kiosk_startup_ios.crash", "watchdog", .exception("EXC_BAD_ACCESS")),
      // A frame, and the exception: an access near address 0.
      (
        "wild/ips-309/BekaChkhiro-085407ee-crashlog-2F40D7D4-8C1C-4B79-B66E-B8C551C23F55.ips",
        "nativeModuleException", .exception("EXC_BAD_ACCESS")
      ),
    ] as [(String, String, Weaker)])
  func strongerEvidenceIsTheReason(path: String, kind: String, weaker: Weaker) throws {
    let corpus = try require(Corpus.path)
    let input = try Fixtures.bytes(of: "\(corpus)/reports/\(path)")
    let report = try require(try JsonFixture.document(input, with: []).reports.first)
    expectEqual(report.crash.kind, kind)
    expectEqual(report.crash.confidence, "certain")
    switch weaker {
    case .ending(let namespace): expectEqual(report.termination.namespace, namespace)
    case .exception(let type): expectEqual(report.exception.type, type)
    case .frame(let name):
      let crashed = try require(report.backtraces.first(where: \.crashed))
      expectTrue(crashed.frames.prefix(8).contains { $0.function?.hasPrefix(name) == true })
    }
  }
}
