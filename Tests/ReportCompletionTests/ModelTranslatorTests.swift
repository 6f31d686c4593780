import CrashLogParser
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

@testable import ReportCompletion

/// Text in Apple's format for formats that Apple's tools have no text for.
struct ModelTranslatorTests {
  private static let image = {
    var values = BinaryImage.Values(byteRange: 0..<0)
    values.name = "Letter Shuffle"
    values.path = "/Letter Shuffle.app/Letter Shuffle"
    values.identity = ImageIdentity(hexadecimal: "a4b1de4970b3301da64458d6bc22f513".utf8)
    values.architecture = .arm64
    return BinaryImage(
      loadAddress: LoadAddress(ReportFixture.storyBase),
      endAddress: LoadAddress(ReportFixture.storyBase), values)
  }()

  private static func frame(
    _ address: UInt64, depth: Int? = nil, samples: Int? = nil, _ symbol: FrameSymbol? = nil
  ) -> StackFrame {
    var values = FrameValues(byteRange: 0..<0)
    values.depth = depth
    values.sampleCount = samples
    values.symbol = symbol
    values.addressKind = .programCounter
    // The image has no size, so the frames name it.
    if address >= ReportFixture.storyBase {
      values.imageRelativeAddress = ImageRelativeAddress(
        base: LoadAddress(ReportFixture.storyBase), offset: address - ReportFixture.storyBase)
    }
    return StackFrame(address: LoadAddress(address), carrier: .values(values))
  }

  private static func text(
    _ backtraces: [Backtrace], _ facts: ReportFacts, options: SymbolicationOptions? = nil
  ) -> String {
    let report = Report(
      format: .other("toy"), byteRange: 0..<0, facts: facts, images: [image],
      backtraces: backtraces, faults: [])
    var reader = BacktraceReader(report: report)
    let read = reader.read(options ?? ReportFixture.withoutInlinedFrames)
    return String(decoding: ModelTranslator.translate(read), as: UTF8.self)
  }

  private static let imageLines = """
    Binary Images:
           0x100228000 -        0x100227fff Letter Shuffle arm64  \
    <a4b1de4970b3301da64458d6bc22f513> /Letter Shuffle.app/Letter Shuffle

    EOF

    """

  @Test func aCrashHasTheLinesOfApple() {
    var facts = ReportFacts()
    facts.process.name = "Letter Shuffle"
    facts.process.identifier = 12
    facts.process.shortVersion = "1.3"
    facts.process.bundleVersion = "6"
    facts.system = ReportFacts.System("iPhone OS 12.4 (16G77)")
    facts.exception.type = "EXC_CRASH"
    facts.exception.signal = "SIGABRT"
    facts.exception.codes = [0, 0x10]
    facts.exception.name = "NSRangeException"
    facts.exception.reason = "index 3\nbeyond"
    facts.termination.namespace = "SIGNAL"
    facts.termination.code = 6
    facts.termination.indicator = "Abort trap: 6"
    facts.crashedThread = 4
    facts.fields = [
      ReportFacts.Field(name: "appVersion", value: "1.3"),
      ReportFacts.Field(name: "isTestFlightApp", value: "true\u{1b}[31m"),
    ]
    let main = FrameSymbol(name: "main", offset: 8)
    let thread = Backtrace(
      kind: .thread, number: 4, name: "Worker", dispatchQueue: "com.example.queue",
      isCrashed: true,
      frames: [Self.frame(0x1_0024_F19C), Self.frame(0x1_0024_5520, main), Self.frame(0x10)],
      byteRange: 0..<0)
    expectEqual(
      Self.text([thread], facts),
      """
      Process:             Letter Shuffle [12]
      Version:             1.3 (6)

      OS Version:          iPhone OS 12.4 (16G77)
      Report Version:      104
      isTestFlightApp:     true\u{fffd}[31m

      Exception Type:      EXC_CRASH (SIGABRT)
      Exception Codes:     0x0000000000000000, 0x0000000000000010
      Termination Reason:  SIGNAL 6 Abort trap: 6
      Triggered by Thread: 4

      Application Specific Information:
      *** Terminating app due to uncaught exception 'NSRangeException', reason: 'index 3
      beyond'

      Thread 4 name:  Worker  Dispatch queue: com.example.queue
      Thread 4 Crashed:
      0   Letter Shuffle                \t       0x10024f19c 0x100228000 + 160156
      1   Letter Shuffle                \t       0x100245520 main + 8
      2   ???                           \t              0x10 ???

      \(Self.imageLines)
      """)
  }

  /// The lines are those of `spindump`; the offset is the distance from the start of the image.
  @Test func aCallTreeIsIndented() {
    var facts = ReportFacts()
    facts.event = .hang
    let tree = Backtrace(
      kind: .thread, number: 0,
      frames: [
        Self.frame(0x1_0022_9000, depth: 0, samples: 30, FrameSymbol(name: "main", offset: 4)),
        Self.frame(0x1_0022_A000, depth: 1, samples: 20),
        Self.frame(0x10, depth: 1, samples: 10),
      ], isCallTree: true, sampleCount: 30, byteRange: 0..<0)
    expectEqual(
      Self.text([tree], facts),
      """
      Process:             ???

      Report Version:      104

      Thread 0:  30 samples
        30  main + 4 (Letter Shuffle + 4096) [0x100229000]
          20  ??? (Letter Shuffle + 8192) [0x10022a000]
          10  ??? [0x10]

      \(Self.imageLines)
      """)
  }

  /// A tree that only goes down: its text grows with the number of frames, not with its square.
  @Test func aDeepTreeStaysSmall() {
    let frames = (0..<20_000).map { Self.frame(0x1_0022_9000, depth: $0, samples: 1) }
    let tree = Backtrace(
      kind: .thread, number: 0, frames: frames, isCallTree: true, byteRange: 0..<0)
    #expect(Self.text([tree], ReportFacts()).utf8.count < frames.count * 300)
  }

  /// The frame lines of the example report, which Apple wrote: the same numbers, addresses and
  /// answers as in its golden file.
  @Test func answersAreThoseOfTheTextReport() throws {
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle])
    let input = try Fixtures.bytes(of: Fixtures.storyReport)
    let result = job.symbolicate(input, shownPath: "report")
    let report = try require(result.symbolicated?.reports.first)
    let text = String(decoding: ModelTranslator.translate(report), as: UTF8.self)
    let translated = try CrashLogParser.parse(Array(text.utf8)).first
    let golden = try CrashLogParser.parse(result.output).first
    func contents(_ report: Report?) -> [String] {
      (report?.allFrames ?? []).map { frame in
        let parts: [Any?] = [
          frame.index, frame.imageName, frame.address?.value, frame.symbol?.name,
          frame.symbol?.offset, frame.symbol?.file, frame.symbol?.line,
        ]
        return parts.map { part in part.map { "\($0)" } ?? "-" }.joined(separator: "|")
      }
    }
    // A line 0 is not shown in text that is made from values, as in Apple's.
    func withoutCompilerGenerated(_ lines: [String]) -> [String] {
      lines.map { $0.replacing("|<compiler-generated>|0", with: "|-|-") }
    }
    expectEqual(withoutCompilerGenerated(contents(golden)), contents(translated))
    expectEqual(translated?.crashedThread?.number, 0)
    expectEqual(translated?.images.compactMap(\.identity), golden?.images.compactMap(\.identity))
  }
}
