import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Inputs with reports of several formats, as `cat *.ips *.crash` makes them. Each report must be
/// what it is alone.
struct MixedFormatTests {
  struct Sample: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    let formats: [ReportFormat]

    var testDescription: String { name }
  }

  private static let leaks = """
    Process:         Rounds [12345]
    Path:            /Applications/Rounds.app/Contents/MacOS/Rounds
    Load Address:    0x100000000
    Identifier:      Rounds
    Version:         1.0
    Code Type:       ARM64

    Date/Time:       2025-05-01 10:00:00.000 +0200
    Analysis Tool:   /usr/bin/leaks

    STACK OF 3 INSTANCES OF 'ROOT LEAK: <Tile>':
    1   dyld      0x1800010e0 start + 2360
    0   Rounds    0x100003f20 0x100000000 + 16160

    Binary Images:
           0x100000000 -        0x100007fff +Rounds (1.0) <1B2C3D4E-0000-1111-2222-333344445555> /Applications/*/Rounds
    """

  private static let bugsnag = #"""
    {
      "metaData": {"device": {"time": "2021"}},
      "exceptions": [
        {"errorClass": "NSRangeException", "message": "index 7",
         "stacktrace": [
           {"frameAddress": "0x100001000", "machoLoadAddress": "0x100000000",
            "machoFile": "/App", "machoUUID": "00112233-4455-6677-8899-AABBCCDDEEFF"}]}]
    }
    """#

  private static let measure = #"""
    [{"exception": {"exceptions": [
        {"type": "SIGTRAP", "signal": "SIGTRAP", "thread_name": "main",
         "frames": [{"binary_name": "App", "binary_address": "100000000", "offset": "1000",
                     "symbol_address": "100001000", "frame_index": 0, "in_app": true}]}],
      "binary_images": [{"start_addr": "0x100000000", "end_addr": "0x100003fff",
        "base_addr": "100000000", "binary_name": "App", "arch": "arm64",
        "uuid": "00112233445566778899aabbccddeeff", "path": "/App"}]}}]
    """#

  private static let ipsPanic = #"""
    {"bug_type":"210","timestamp":"2018-06-10 19:29:54.48 +0000"}
    {
      "build" : "Bridge OS 2.3.1 (15P5064)",
      "panicString" : "panic(cpu 1 caller 0xfffffff014aae984): x86 CPU CATERR detected"
    }
    """#

  static let samples: [Sample] = {
    func fixture(_ name: String) -> String {
      (try? Fixtures.bytes(of: Fixtures.path(name))).map { String(decoding: $0, as: UTF8.self) }
        ?? "\(name) is missing"
    }
    return [
      Sample(
        name: "text below JSON", text: fixture("LetterShuffle/letter-shuffle.crash"),
        formats: [.crashTextWithJsonHeader]),
      Sample(name: "leaks", text: leaks, formats: [.leaks]),
      Sample(name: "ips", text: IpsText.header + "\n" + IpsText.appleBody, formats: [.ipsCrash]),
      Sample(
        name: "Swift", text: fixture("SwiftBacktrace/Reports/bank-no-images.log"),
        formats: [.swiftBacktrace]),
      Sample(
        name: "Swift's JSON", text: fixture("SwiftBacktrace/Reports/bank-full.json"),
        formats: [.swiftBacktraceJson]),
      Sample(
        name: "AddressSanitizer", text: fixture("Sanitizer/Reports/freed-off.log"),
        formats: [.sanitizer]),
      Sample(
        name: "ThreadSanitizer", text: fixture("Sanitizer/Reports/race-on.log"),
        formats: [.sanitizer]),
      Sample(name: "MetricKit", text: fixture("MetricKit/tree.json"), formats: [.metricKit]),
      Sample(name: "KSCrash", text: SdkJsonReaderTests.ksCrashText, formats: [.ksCrashJson]),
      Sample(name: "Sentry", text: SdkJsonReaderTests.sentryText, formats: [.sentryEvent]),
      Sample(name: "Bugsnag", text: bugsnag, formats: [.bugsnagEvent]),
      Sample(name: "Measure", text: measure, formats: [.measureException]),
      Sample(name: "sample", text: SampleTests.text, formats: [.sample]),
      Sample(name: "spindump", text: SpindumpTests.text, formats: [.spindump, .spindump]),
      Sample(
        name: "microstackshots", text: SpindumpTests.diagnostic, formats: [.microstackshots]),
      Sample(
        name: "stackshot", text: StackshotTests.text, formats: [.ipsStackshot, .ipsStackshot]),
      Sample(
        name: "jetsam", text: JetsamReaderTests.header + "\n" + JetsamReaderTests.body,
        formats: [.ipsJetsam]),
      Sample(name: "panic's JSON", text: ipsPanic, formats: [.ipsPanic]),
      Sample(name: "panic", text: PanicReaderTests.text, formats: [.kernelPanic]),
      Sample(name: "older panic", text: PanicReaderTests.intel, formats: [.kernelPanic]),
    ]
  }()

  /// What must not change when other reports are above or below.
  private struct Essence: Equatable {
    let format: ReportFormat
    let process: String?
    let addresses: [UInt64?]
    let images: [String]
    let faults: Int

    init(_ report: Report) {
      format = report.format
      process = report.facts.process.name
      addresses = report.allFrames.map(\.address?.value)
      images = report.images.map { "\($0.loadAddress) \($0.name ?? "") \($0.byteCount)" }
      faults = report.faults.count
    }
  }

  private static func essences(_ text: String) throws -> [Essence] {
    try CrashLogParser.parse(Array(text.utf8)).map { Essence($0) }
  }

  @Test(arguments: samples) func alone(sample: Sample) throws {
    try expectEqual(Self.essences(sample.text).map(\.format), sample.formats)
  }

  /// Each above and below each, with and without an empty line between them.
  @Test(arguments: samples, ["", "\n"])
  func pairs(first: Sample, gap: String) throws {
    let above = try Self.essences(first.text)
    for second in Self.samples {
      let text = first.text.ended + gap + second.text
      let found = try Self.essences(text)
      let below = try Self.essences(second.text)
      expectEqual(found.map(\.format), first.formats + second.formats, "\(second.name)")
      expectEqual(found, above + below, "\(second.name)")
    }
  }

  /// All of them, in any order.
  @Test(arguments: 0..<20) func all(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let samples = Self.samples.shuffled(using: &random)
    let text = samples.map { $0.text.ended + "\n" }.joined()
    let found = try Self.essences(text)
    expectEqual(found.map(\.format), samples.flatMap(\.formats), "\(samples)")
    try expectEqual(found, samples.flatMap { try Self.essences($0.text) })
  }

  /// Lines of a log around each report.
  @Test(arguments: samples) func inLog(sample: Sample) throws {
    let line = "2026-11-23 10:00:00 INFO  request 7 done in 3 ms\n"
    let text = line + sample.text.ended + line + Self.bugsnag.ended + line
    try expectEqual(Self.essences(text), Self.essences(sample.text) + Self.essences(Self.bugsnag))
  }

  /// The bytes of each report are its own.
  @Test(arguments: samples) func ranges(sample: Sample) throws {
    let text = Self.measure.ended + sample.text.ended + Self.bugsnag
    let reports = try CrashLogParser.parse(Array(text.utf8))
    for (report, next) in zip(reports, reports.dropFirst()) {
      #expect(report.byteRange.upperBound <= next.byteRange.lowerBound)
    }
  }

  // MARK: Lines of other things inside a report

  /// Lines of a log inside a report cost it nothing.
  @Test(arguments: [
    #"{"level":"info","message":"done"}"#, "{", "[", #"[{"a":1}]"#, #"{"a":1"#,
    "2026-11-23 10:00:00 done",
  ])
  func lineInText(line: String) throws {
    let report = """
      Process: App [7]
      Path: /App
      Identifier: App

      Thread 0 Crashed:
      0   App   0x0000000100001000 0x100000000 + 4096
      1   App   0x0000000100002000 0x100000000 + 8192

      Thread 1:
      0   App   0x0000000100003000 0x100000000 + 12288

      Binary Images:
      0x100000000 - 0x10000ffff App arm64  <0123456789abcdef0123456789abcdef> /App
      0x200000000 - 0x20000ffff Lib arm64  <0123456789abcdef0123456789abcdee> /Lib
      """
    let lines = report.split(separator: "\n", omittingEmptySubsequences: false)
    for place in 5..<lines.count {
      let text = (lines[..<place] + [line[...]] + lines[place...]).joined(separator: "\n")
      let found = try ParsedText(text).report
      expectEqual(found.allFrames.count, 3, "\(place)")
      expectEqual(found.images.count, 2, "\(place)")
      // Other text may be the rest of the frame above it.
      if !line.hasPrefix("2026") { expectEmpty(found.faults, "\(place)") }
    }
  }

  /// A line of a log inside a panic does not end it, whatever it is.
  @Test(arguments: [#"{"level":"info"}"#, "{", "[1]"]) func lineInPanic(line: String) throws {
    let lines = PanicReaderTests.text.split(separator: "\n", omittingEmptySubsequences: false)
    for place in 1..<lines.count {
      let text = (lines[..<place] + [line[...]] + lines[place...]).joined(separator: "\n")
      let panic = try require(ParsedText(text).report.facts.panic)
      expectTrue(panic.task == "kernel_task" && panic.addresses.count == 2, "\(place)")
    }
  }

  /// A whole report that is indented is found, as in a wrapping.
  @Test(arguments: samples, ["    ", "\t"]) func indented(sample: Sample, indent: String) throws {
    let text = sample.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : indent + $0 }.joined(separator: "\n")
    try expectEqual(CrashLogParser.parse(Array(text.utf8)).map(\.format), sample.formats)
  }

  // MARK: Damage above a report

  /// What is cut above a report swallows nothing of it.
  @Test(arguments: [
    "Sampling process 7 for 3 seconds with 1 millisecond of run time between samples",
    "Sampling process 7 for 3 seconds\nSampling completed, processing symbols...\nINFO done",
    "*** Program crashed: Bad pointer dereference at 0x0 ***\n\nThread 0 crashed:\n\n0 0x0000000000001000 f() in app",
    "{\"bug_type\":\"298\",\"timestamp\":\"2026-01-02 03:04:05.00 +0100\"}",
    "{\"bug_type\":\"288\",\"timestamp\":\"2026-01-02 03:04:05.00 +0100\"}",
  ])
  func belowDamage(damage: String) throws {
    for sample in Self.samples where sample.formats != [.leaks] {
      guard sample.formats != [.crashTextWithJsonHeader] || !damage.hasPrefix("{") else { continue }
      let found = try Self.essences(damage + "\n" + sample.text)
      let expected = try Self.essences(sample.text)
      expectTrue(expected.allSatisfy { found.contains($0) }, "\(sample.name)")
    }
  }

  /// A jetsam report with a brace too many keeps what is below it.
  @Test func braceTooMany() throws {
    let body = JetsamReaderTests.body.replacing(
      "\"largestProcess\"", with: "},\n\"largestProcess\"")
    let report = try ParsedText(JetsamReaderTests.header + "\n" + body).report
    expectEqual(report.format, .ipsJetsam)
    expectEqual(report.facts.memory?.processes.count, 2)
  }

  /// A sign without a report hides no report below it.
  @Test(arguments: [
    "*** Program crashed: nothing follows ***", "Sampling process 7 for 3 seconds",
    "panic(cpu 0 caller 0x1): ", #"{"stacktrace":[],"frameAddress":7}"#, #"{"bug_type":"298"}"#,
  ])
  func falseSign(line: String) throws {
    try expectEqual(Self.essences(line + "\n\n" + Self.bugsnag), Self.essences(Self.bugsnag))
  }
}

extension String {
  /// The text with exactly one line end behind it.
  fileprivate var ended: String {
    var text = self[...]
    while text.last == "\n" { text.removeLast() }
    return text + "\n"
  }
}
