import AddressResolver
import CrashLogParser
import ReportRendering
import ReportRuns
import SymbolStore
import SymbolicationModel
import SystemPackage
import TestSupport
import Testing

@testable import ReportSymbolication
@testable import SymbolTools
import Wording

/// The words of messages that no other test causes.
struct MessageTests {
  @Test(
    arguments: [
      (
        .crashText,
        "looks like a crash report, but has no thread and no binary image that can be read"
      ),
      (.leaks, "looks like a report of leaks, but has no stack that can be read"),
      (
        .ips(bugType: "224"),
        "is a message log of rtcreportingd (.ips type 224), which is not a crash report"
      ),
      (.frameFragment, "has lines that look like stack frames, but none of them can be read"),
      (
        .ipsCrash,
        "is a crash report as JSON (.ips), but has no threads and images that can be read; export it again"
      ),
      (
        .ipsJetsam,
        "is a jetsam report, which lists the memory use of processes and has no stack to symbolicate"
      ),
      (
        .kernelPanic,
        "is a kernel panic, not the crash of an app: its addresses belong to the kernel"
      ),
      (
        .spindumpBinary,
        "is a spindump in its binary format; turn it into text with 'spindump -i FILE -o TEXT' on a Mac"
      ),
      (.ipsStackshot, "looks like a stackshot, but has no stack that can be read"),
      (.sample, "looks like a sample of a process, but has no stack that can be read"),
      (.ips(bugType: "298"), "is an .ips report of type '298', which is not a crash report"),
      (
        .swiftBacktrace,
        "looks like a Swift backtrace, but has no thread and no image that can be read"
      ),
      (
        .metricKit,
        "looks like a MetricKit payload, but has no call stack that can be read"
      ),
      (
        .ksCrashJson,
        "looks like a report of KSCrash, but has no thread and no stack that can be read"
      ),
      (
        .sentryEvent,
        "looks like an event of Sentry, but has no thread and no stack that can be read"
      ),
      (
        .bugsnagEvent,
        "looks like an event of Bugsnag, but has no thread and no stack that can be read"
      ),
      (
        .measureException,
        "looks like a session or exception of the Measure SDK, but has no thread and no stack that can be read"
      ),
      (
        .plCrashReporterBinary,
        "is a PLCrashReporter report in its binary format, but has no thread and no image that can be read; it may be cut short"
      ),
      (.propertyList, "is a property list without a crash report"),
      (.json, "is JSON, but not a known kind of report"),
      (.utf16Text, "is UTF-16 text without a crash report"),
      (.archive, "is compressed; unpack it first"),
      (.picture, "is a picture; give the report as text"),
      (
        .objectFile,
        "is a Mach-O or ELF file; give the report first, and symbol files after it or with -d"
      ),
      (
        .unknown, "has no crash report: expected 'Thread N:' with frames, or 'Binary Images:'"
      ),
    ] as [(ReportFormat, String)])
  func inputWithoutReport(format: ReportFormat, words: String) {
    expectEqual(CrashLogParseError.noReportFound(format).message(path: "FILE"), "FILE \(words)")
  }

  /// A binary report is not replaced by its text.
  @Test func textInPlaceOfBinaryReport() {
    var job = ReportJob(symbolPaths: [])
    job.steps.replacesInputs = true
    let input = ProtobufMessage.plCrash()
    let result = job.symbolicate(input, shownPath: "a.plcrash")
    expectFalse(result.hasReport)
    expectEqual(result.output, input)
    expectEqual(
      result.problems,
      [
        "a.plcrash is binary, and its result is text, which will not replace it; use -o"
      ])
  }

  @Test func damagedBinaryReport() throws {
    let whole = ProtobufMessage.plCrash()
    var job = ReportJob(symbolPaths: [])
    let result = job.symbolicate(Array(whole.dropLast(5)), shownPath: "a.plcrash")
    expectTrue(
      result.notes.contains(
        "the report is damaged at byte \(whole.count - 5): its binary data break off"))
  }

  @Test func inputThatIsTooLarge() {
    expectEqual(
      CrashLogParseError.inputTooLarge(byteCount: 5 << 30).message(path: "FILE"),
      "FILE has 5368709120 bytes; the limit is 4 GiB")
  }

  @Test(
    arguments: [
      (.noRead, "files such as /s/a.c cannot be read: Permission denied"),
      (.notRegularFile, "paths such as /s/a.c are not regular files"),
      (.tooLarge(limit: 16 << 20), "files such as /s/a.c are larger than 16 MB"),
      (.notText, "files such as /s/a.c are not text"),
      (
        .beyondLimit(limit: 256 << 20),
        "files such as /s/a.c were not read, because the limit of 256 MB of source files is reached"
      ),
    ] as [(SourceFileError, String)])
  func sourceLinesThatAreNotShown(fault: SourceFileError, words: String) {
    var outcome = SourceLinesOutcome()
    for line in [7, 9] { outcome.add(fault, SourceLine(path: "/s/a.c", line: line)) }
    expectEqual(outcome.messages, ["no source lines for 2 frames: \(words)"])
  }

  @Test(
    arguments: [
      (
        .functionSize,
        "a function of 9 bytes, or its lines and inlined calls, exceeds the 32 bits of the index format"
      ),
      (.functionCount, "it has 9 functions; an index holds fewer than 4294967296"),
      (.sourceFileCount, "it has 9 source files; an index holds fewer than 4294967296"),
      (.stringTableSize, "its names take 9 bytes; an index holds less than 4 GiB of them"),
      (
        .fileSize,
        "a function's record would begin at byte 9 of the index, which exceeds the 32 bits of its offsets"
      ),
    ] as [(ImageIndexer.Limit, String)])
  func limitsOfIndexes(limit: ImageIndexer.Limit, words: String) throws {
    expectEqual(
      ImageIndexer.Failure.limit(limit, value: 9).message(for: try candidate()),
      "no index for \(Fixtures.storyDwarfFile) (arm64): \(words); lookups read the file itself")
  }

  @Test func imagesWithoutIndex() throws {
    let image = try candidate()
    expectEqual(
      ImageIndexer.Failure.changedMeanwhile.message(for: image),
      "no index for \(Fixtures.storyDwarfFile) (arm64): the file changed while it was read; try again"
    )
    expectEqual(
      ImageIndexer.Failure.debugMap.message(for: image),
      "no index for \(Fixtures.storyDwarfFile) (arm64): its debug information is in the object files it was linked from, where lookups read it; make a dSYM with dsymutil and index that"
    )
  }

  private func candidate() throws -> SymbolCandidate {
    try require(SymbolFileListing(paths: [Fixtures.storyBundle]).files.first?.candidate)
  }
}

extension SourceFileError {
  fileprivate static let noRead = SourceFileError.unreadable(.permissionDenied)
}
