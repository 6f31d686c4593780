import Foundation
import SymbolicationModel
import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportModel

/// What is taken out of wrappings. That answers are put back is tested in `WrappedReportTests`.
struct WrappingTests {
  private static let ips = """
    {"app_name":"App","bug_type":"309","timestamp":"2024-01-01"}
    {
      "procName" : "App",
      "asi" : {"dyld" : ["a & b \\"c\\""]},
      "threads" : [{"triggered" : true, "frames" : [{"imageOffset" : 16, "imageIndex" : 0}]}],
      "usedImages" : [{"base" : 4096, "size" : 64, "name" : "App", "uuid" : "A4B1DE49-70B3-301D-A644-58D6BC22F513"}]
    }

    """

  private static let report = """
    Incident Identifier: I
    Process:             App [1]

    Application Specific Information:
    *** Terminating app

    Thread 0 Crashed:
    0   App                           0x0000000000001010 0x1000 + 16
    1   App                           0x0000000000001014 0x1000 + 20

    Binary Images:
    0x1000 - 0x103f App arm64  <a4b1de4970b3301da64458d6bc22f513> /A/App

    """

  private static func lines(_ text: String, _ change: (String) -> String) -> String {
    text.components(separatedBy: "\n").dropLast().map { change($0) + "\n" }.joined()
  }

  // MARK: Tables

  /// Crashlytics' page, copied by a browser: some frames are folded, some have no place.
  @Test func cells() throws {
    let report = try ParsedText(
      """
      Crashed: com.apple.main-thread
      EXC_BAD_ACCESS KERN_INVALID_ADDRESS 0x000000017338126c
      0
      Page Kit
      load_page + 100
      24
      UIKitCore
      -[UIView draw] + 11024
      25
      App
      Page.swift - Line 12
      Page.load() + 12

      """
    ).report
    #expect(report.format == .crashlytics && report.wrapping != nil)
    #expect(report.allFrames.map(\.index) == [0, 24, 25])
    #expect(report.allFrames.map(\.imageName) == ["Page Kit", "UIKitCore", "App"])
    #expect(
      report.allFrames.map { $0.symbol?.name } == ["load_page", "-[UIView draw]", "Page.load()"])
    #expect(report.allFrames.last?.symbol?.file == "Page.swift")
    #expect(report.allFrames.last?.symbol?.line == 12)
    #expect(report.facts.exception.type == "EXC_BAD_ACCESS")
  }

  // MARK: JSON

  private static let ipsForms: [(String, @Sendable (String) -> String)] = [
    ("prefix", { lines($0) { "> " + $0 } }),
    (
      "entities",
      {
        $0.replacingOccurrences(of: "&", with: "&amp;")
          .replacingOccurrences(of: "\"", with: "&quot;")
      }
    ),
    (
      "typographic quotes",
      {
        $0.replacingOccurrences(of: "\\\"", with: "'").replacingOccurrences(of: "\"", with: "”")
          .replacingOccurrences(of: "{”", with: "{“")
      }
    ),
    ("no-break spaces", { $0.replacingOccurrences(of: "  ", with: "\u{A0} ") }),
    (
      "string of JSON",
      {
        "{\"report\":\""
          + $0.replacingOccurrences(of: "\\", with: "\\\\")
          .replacingOccurrences(of: "\"", with: "\\\"")
          .replacingOccurrences(of: "\n", with: "\\n") + "\"}"
      }
    ),
    (
      "UTF-8 base64",
      { text in
        "Content-Transfer-Encoding: base64\n\n\(Data(text.utf8).base64EncodedString())\n"
      }
    ),
  ]

  @Test(arguments: ipsForms.indices)
  func readsIps(_ index: Int) throws {
    let (name, wrap) = Self.ipsForms[index]
    let reports = try CrashLogParser.parse(Array(wrap(Self.ips).utf8))
    let report = try require(reports.first, "\(name)")
    expectTrue(reports.count == 1 && report.format == .ipsCrash, "\(name)")
    expectTrue(report.wrapping != nil, "\(name)")
    expectEqual(report.header?.bugType, "309", "\(name)")
    expectEqual(report.facts.process.name, "App", "\(name)")
    expectEqual(report.allFrames.map(\.address?.value), [4112], "\(name)")
    expectEmpty(report.faults, "\(name)")
  }

  // MARK: Text

  @Test func rangesReferToTheTextInTheWrapping() throws {
    let input = Array(Self.lines("Hello\n" + Self.report) { "> " + $0 }.utf8)
    let report = try require(CrashLogParser.parse(input).first)
    let wrapping = try require(report.wrapping)
    expectEqual(String(decoding: wrapping.text, as: UTF8.self), "Hello\n" + Self.report)
    let frame = try require(report.allFrames.last?.byteRange)
    let line = "1   App                           0x0000000000001014 0x1000 + 20"
    expectEqual(String(decoding: wrapping.text[frame], as: UTF8.self), line)
    expectEqual(String(decoding: input[wrapping.inputRange(of: frame)], as: UTF8.self), line)
  }

  @Test func ordinaryReportsHaveNone() throws {
    for text in [Self.report, Self.ips, "Hello\n\n" + Self.report, Self.report + Self.ips] {
      for report in try CrashLogParser.parse(Array(text.utf8)) {
        expectNil(report.wrapping)
      }
    }
  }

  @Test(arguments: [
    "    ", "\t", "> ", "# ", "12:34:56 ", "[2024-01-01T10:00:00.000Z] app: ", "| ", "\"", "% ",
  ])
  func keepsWhatTheApplicationWrote(behind prefix: String) throws {
    for text in [Self.report, Self.lines(Self.report) { $0 + "\n" }] {
      let input = Self.lines(text) { prefix + $0 }
      let report = try require(CrashLogParser.parse(Array(input.utf8)).first)
      expectEqual(report.facts.applicationInformation, ["*** Terminating app"])
      expectEqual(report.allFrames.count, 2)
      expectEqual(report.images.count, 1)
      expectEqual(report.facts.incident, "I")
    }
  }

  /// Each line is code in Markdown; the last one is cut. Brackets that all lines end with are their
  /// own.
  @Test func linesOfCode() throws {
    let head = Self.report.components(separatedBy: "\n").prefix(8)
    let text = head.map { "`\($0)`\n\n" }.joined() + "`Thread 0 name:  Dispatch qu"
    let report = try #require(CrashLogParser.parse(Array(text.utf8)).first)
    expectEqual(report.facts.incident, "I")
    let frames = (0..<12).map { "> # \($0)  0x00007fff8b3d13d\($0 % 10) in f\($0) ()\n" }
    let trace = try #require(CrashLogParser.parse(Array((frames.joined() + "> A\n").utf8)).first)
    expectEqual(trace.allFrames.count, 12)
    expectEqual(trace.allFrames.first?.symbol?.name, "f0")
  }

  /// A log writes time and writer once for a message, and indents its other lines.
  ///
  /// Source: syslogd(8); asl(5).
  @Test(arguments: ["", "May  5 10:57:39 phone ReportCrash[16] <Error>: "])
  func messagesOfALog(second: String) throws {
    let text = """
      May  5 10:57:39 phone ReportCrash[16] <Error>: Exception Type:  EXC_BREAKPOINT (SIGTRAP)
      \tException Codes: 0x0000000000000001, 0x0000000100a66588
      \tTriggered by Thread:  5
      \(second.isEmpty ? "\t" : second)Thread 0 name:  Dispatch queue: com.apple.main-thread
      \tThread 0:
      \t0   libsystem_kernel.dylib   \t0x0000000181070fd8 0x181070000 + 4056
      \t1   libsystem_kernel.dylib   \t0x0000000181070e54 0x181070000 + 3668

      """
    let report = try require(CrashLogParser.parse(Array(text.utf8)).first)
    expectEqual(report.facts.exception.type, "EXC_BREAKPOINT")
    expectEqual(report.facts.statedCrashedThread, 5)
    expectEqual(report.allFrames.count, 2)
  }

  /// Prose that mentions the words of reports.
  @Test(arguments: [
    "See Process: App\nin Thread 0 Crashed: of the log\n", "> Process:\n> Thread\n> 0x1\n",
    "Incident Identifier: &lt;none&gt;<br>\n", "{\"a\":\"\\n\\n\\n\\\"Process: x\\\"\"}",
    "`Binary Images:`\n`none`\n", "{\\rtf1 Process: none}", "\u{1B}[1mThread 0:\u{1B}[0m\n",
  ])
  func findsNoReportInProse(_ text: String) {
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  // MARK: Limits

  /// Texts in texts: each is unwrapped at most a few times.
  @Test func nestingIsBounded() {
    var text = Self.lines(Self.report) { "> " + $0 }
    for _ in 0..<12 {
      text =
        "{\"a\":\""
        + text.replacingOccurrences(of: "\\", with: "\\\\")
        .replacingOccurrences(of: "\"", with: "\\\"").replacingOccurrences(of: "\n", with: "\\n")
        + "\"}"
      if text.utf8.count > 1 << 20 { break }
    }
    #expect(throws: CrashLogParseError.self) { try CrashLogParser.parse(Array(text.utf8)) }
  }

  @Test func textsAreNotLargerThanTwiceTheirInputs() {
    let inputs: [[UInt8]] = [
      Array(repeating: 0x26, count: 5000), Array(repeating: 0x3C, count: 5000),
      Array(String(repeating: "&lt;", count: 1000).utf8),
      Array("Content-Transfer-Encoding: base64\n\n\(String(repeating: "QUJD", count: 500))".utf8),
      [0xFF, 0xFE] + Array(repeating: [0xE4, 0x4E], count: 500).flatMap { $0 },
      Array("{\\rtf1 \(String(repeating: "\\u20000?", count: 500))}".utf8),
      Array("\"\(String(repeating: "\\u4e2d\\n", count: 500))\"".utf8),
    ]
    for input in inputs {
      for wrapping in CrashLogParser.wrappings {
        let text = wrapping.unwrap(TextSource(bytes: input))
        #expect((text?.text.count ?? 0) <= 2 * input.count, "\(wrapping)")
      }
    }
  }
}
