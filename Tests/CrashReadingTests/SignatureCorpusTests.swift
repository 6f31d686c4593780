import Foundation
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Real reports of one crash: as text and `.ips`, from several builds and architectures, and with
/// the names that other tools put into them. The signatures are written by hand, from reading the
/// reports and the rules.
@Suite(.enabled("there is no corpus (SYMBOLICATE_CORPUS)") { Corpus.path != nil })
struct SignatureCorpusTests {
  /// One crash in several reports.
  struct Crash: Sendable, CustomTestStringConvertible {
    let text: String
    /// Below `reports`.
    let paths: [String]

    var testDescription: String { text }
  }

  static let crashes = [
    // Two builds, with and without Apple's names, as text, below a line of JSON, and as `.ips`. In
    // one form the calls are inlined into a specialisation, in another the report has only that.
    Crash(
      text: "EXC_BREAKPOINT | static CrashClass.pleaseCrash() | ViewController.viewDidLoad()",
      paths: [
        "crash-text-jsonheader/macsymbolicator-ios-crash-with-json-header-a149aa.crash",
        "crash-text/macsymbolicator-ios-crash-without-json-header-794bb5.crash",
        "crash-text/macsymbolicator-ios-crash-bd079f.crash",
        "crash-text/macsymbolicator-ios-crash_symbolicated-a1dc6a.crash",
        "crash-text/macsymbolicator-ios-crash-b2fc4e.crash",
        "crash-text/macsymbolicator-ios-crash_symbolicated-db6a0d.crash",
        "ips-309/macsymbolicator-ios-crash-in-ips-format-972627.ips",
      ]),
    Crash(
      text: "EXC_BREAKPOINT | static CrashingClass.crash()",
      paths: [
        "crash-text/macsymbolicator-multi-target-crash-f24644.crash",
        "crash-text/macsymbolicator-multi-target-crash_symbolicated-073edf.crash",
        "ips-309/macsymbolicator-multi-target-crash-bb2ae6.ips",
      ]),
    Crash(
      text: "EXC_BAD_ACCESS | -[MyClass crashingMethod]",
      paths: [
        "crash-text/macsymbolicator-single-target-crash-34df7f.crash",
        "crash-text/macsymbolicator-single-target-crash-2998ea.crash",
        "crash-text/macsymbolicator-single-target-crash_symbolicated-16e870.crash",
        "crash-text/macsymbolicator-single-target-crash_symbolicated-f72a79.crash",
        "ips-309/macsymbolicator-single-target-crash-735866.ips",
      ]),
    Crash(
      text: "EXC_BREAKPOINT | applyDiscount(_:) | processOrder(_:) | run()",
      paths: [
        "ips-309/crashdx-crashspike-unsymbolicated.ips", "ips-309/crashdx-crashspike-stripped.ips",
        "ips-309/crashdx-crashspike-unstripped.ips",
      ]),
    // Two architectures.
    Crash(
      text: "EXC_CRASH | start_threads",
      paths: [
        "crash-text/icdab-icdab_rosetta_thread-osx-arm64-native-0.crash",
        "crash-text/icdab-icdab_rosetta_thread-osx-arm64-native-1.crash",
        "crash-text/icdab-icdab_rosetta_thread-osx-x86-translated-0.crash",
        "crash-text/icdab-icdab_rosetta_thread-osx-x86-translated-1.crash",
      ]),
    // Pasted, extracted, and with a note before it.
    Crash(
      text:
        "EXC_BREAKPOINT | content::RenderFrameHostImpl::IsSandboxed | extensions::ExtensionFunctionDispatcher::DispatchWithCallbackInternal | extensions::ExtensionFunctionDispatcher::Dispatch",
      paths: [
        "crash-text/zwire-macos26-full-report.txt", "ips-309/zwire-macos26-extracted.ips",
        "other/zwire-macos26-report-with-user-note-before.md",
      ]),
    // The number of the block differs.
    Crash(
      text:
        "EXC_CRASH | -[Crasher doAbort] | -[AppDelegate(UI) crashCommands]_block_invoke | -[CommandEntry executeWithViewController:]",
      paths: [
        "kscrash-json/kscrash-ex-Abort.json", "kscrash-json/sentry-Abort.json",
        "kscrash-json/embrace-sigabrt_report.json",
      ]),
    Crash(
      text:
        "EXC_BAD_ACCESS | -[Crasher dereferenceBadPointer] | -[CommandEntry executeWithViewController:] | -[CommandTVC tableView:didSelectRowAtIndexPath:]",
      paths: [
        "kscrash-json/kscrash-ex-BadPointer.json", "kscrash-json/kscrash-ex-CrashInHandler.json",
        "crash-text/kscrash-old-sidebyside-recrash.txt",
      ]),
    Crash(
      text: "EXC_BREAKPOINT | closure in SpeechAnalyzerRecognizer.startRecording()",
      paths: ["crash-text/tf-clarissa-1.crash", "crash-text/tf-clarissa-2.crash"]),
  ]

  private static func signature(_ path: String, _ job: inout ReportJob) throws -> String? {
    let corpus = try require(Corpus.path)
    let input = try Fixtures.bytes(of: "\(corpus)/reports/\(path)")
    let output = job.symbolicate(input, shownPath: path).output
    let document = try JSONDecoder().decode(JsonDocument.self, from: Data(output))
    return document.reports.first?.signature?.text
  }

  private static func job() throws -> ReportJob {
    ReportJob(symbolPaths: [try require(Corpus.path) + "/symbols"], form: .json)
  }

  @Test(arguments: crashes)
  func reportsOfOneCrash(crash: Crash) throws {
    var job = try Self.job()
    for path in crash.paths {
      try expectEqual(Self.signature(path, &job), crash.text, "\(path)")
    }
  }

  /// Crashes of one program that are not the same.
  @Test func reportsOfDifferentCrashes() throws {
    var job = try Self.job()
    let names = [
      "Abort", "BadPointer", "NSException", "StackOverflow", "Zombie", "CorruptObject",
    ]
    let signatures = try names.map { name in
      let kind = name == "CorruptObject" ? "crash-text" : "kscrash-json"
      let ending = name == "CorruptObject" ? "txt" : "json"
      return try Self.signature("\(kind)/kscrash-ex-\(name).\(ending)", &job)
    }
    expectTrue(signatures.allSatisfy { $0 != nil })
    expectEqual(Set(signatures).count, names.count)
  }
}
