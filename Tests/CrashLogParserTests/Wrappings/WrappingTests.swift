import Foundation
import SymbolicationModel
import TestSupport
import Testing

@testable import CrashLogParser
@testable import ReportModel
@testable import ReportWrappings

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

  /// Functions without a number behind them, missing symbols, and frames that somebody left out.
  @Test func cellsWithoutNumbers() throws {
    let report = try ParsedText(
      """
      Fatal Exception: com.example.deck
      required condition is false: count > 0
      0
      CoreFoundation
      (Missing UUID 717d70c93b8e3abcae16050588fc3ee8)
      6
      DeckKit
      -[Deck draw:]
      7
      App
      Page.swift - Line 12
      Page.load() + 12
      9
      App
      Page.open()

      """
    ).report
    #expect(report.format == .crashlytics && report.wrapping != nil)
    #expect(report.allFrames.map(\.index) == [0, 6, 7, 9])
    #expect(
      report.allFrames.map { $0.symbol?.name } == [
        nil, "-[Deck draw:]", "Page.load()", "Page.open()",
      ]
    )
    #expect(report.facts.exception.name == "com.example.deck")
    #expect(report.facts.exception.reason == "required condition is false: count > 0")
  }

  /// GitHub and GitLab make links to issues of the numbers of frames.
  @Test(arguments: [
    "https://github.com/example/board/pull/1\t0x000000010aede368 in turn ()",
    "https://github.com/example/board/issues/1 0x000000010aede368 in turn ()",
    "https://gitlab.com/example/board/-/issues/1 0x000000010aede368 in turn ()",
    "[#1](https://github.com/example/board/pull/1) 0x000000010aede368 in turn ()",
    "  [#1](https://github.com/example/board/discussions/1) 0x000000010aede368 in turn ()",
  ])
  func linkedNumbers(frame: String) throws {
    let text = try ParsedText(
      """
      It is that of https://github.com/example/board/pull/7.
      #0 0x000000010aede000 in -[Page load] ()
      \(frame)
      #2 0x000000010aede400 in main ()

      """)
    let frames = try text.report.allFrames
    expectEqual(frames.map(\.values?.index), [0, 1, 2])
    expectEqual(frames.map(\.symbol?.name), ["-[Page load]", "turn", "main"])
    expectTrue(String(decoding: text.bytes, as: UTF8.self).hasPrefix("It is that of https://"))
  }

  @Test(arguments: [
    "frame https://github.com/example/board/pull/1: 0x0000000104a1c300 Board`turn + 4",
    "    frame [#1](https://github.com/example/board/pull/1): 0x0000000104a1c300 Board`turn + 4",
  ])
  func linkedNumbersOfLldb(frame: String) throws {
    let text = try ParsedText(
      "* thread #1, stop reason = signal SIGABRT\n  * frame #0: 0x0000000104a1c2f0 Board`draw + 8\n\(frame)\n"
    )
    expectEqual(try text.report.allFrames.map(\.symbol?.name), ["draw", "turn"])
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

  /// A mail broke the lines at 80 columns, between words: in what the loader says, in frames that
  /// follow each other, and in images that do.
  @Test func brokenLines() throws {
    let text = """
      Process:             CardBoard [1]
      Path:                /private/var/containers/Bundle/Application/A/CardBoard
      Exception Type:  EXC_CRASH (SIGABRT)
      Termination Reason: DYLD 4 Symbol missing
      Symbol not found:
      _$s9CardTable29CardTableRoundsAndScoresModelC4turn6number6offsetySi_SitF
      Referenced from:
      /private/var/containers/Bundle/Application/A/CardBoard.app/CardBoard/CardBoard
      (terminated at launch; ignore backtrace)

      Thread 0 Crashed:
      0   dyld                            0x0000000103198578 __abort_with_payload
      + 8
      1   dyld                            0x000000010319e17c
      abort_with_payload_wrapper_internal + 104
      2   dyld                            0x000000010319e1b0
      dyld4::halt(char const*, int) + 16

      Binary Images:
             0x102a47000 -        0x102a4ffff  CardBoard arm64
      <1e7cfabf1f8d3d109f94c45a73ca80b5>
      /private/var/containers/Bundle/Application/A/CardBoard.app/CardBoard/CardBoard
             0x103160000 -        0x1031bffff  dyld arm64
      <f58ddecd315c3b7c8162a5e8e1d62fe3> /usr/lib/dyld
             0x104000000 -        0x104003fff  CardTable arm64
      <4f9977aedbdb3a16a536ac1f9938dcdd>
      /private/var/containers/Bundle/Application/A/CardBoard.app/Frameworks/CardTable

      """
    let report = try require(CrashLogParser.parse(Array(text.utf8)).first)
    expectEqual(
      report.allFrames.map { $0.symbol?.name },
      [
        "__abort_with_payload", "abort_with_payload_wrapper_internal",
        "dyld4::halt(char const*, int)",
      ])
    expectEqual(report.allFrames.map { $0.symbol?.offset }, [8, 104, 16])
    let bundle = "/private/var/containers/Bundle/Application/A/CardBoard.app"
    expectEqual(
      report.images.map(\.path),
      ["\(bundle)/CardBoard/CardBoard", "/usr/lib/dyld", "\(bundle)/Frameworks/CardTable"])
    expectEqual(report.images.map(\.name), ["CardBoard", "dyld", "CardTable"])
    expectTrue(
      (report.facts.termination.details + report.facts.applicationInformation).contains {
        $0.hasSuffix(
          "Symbol not found: _$s9CardTable29CardTableRoundsAndScoresModelC4turn6number6offsetySi_SitF"
        )
      })
  }

  /// As editors, pages of code, `cat -n` and lists show them.
  @Test(arguments: ["%d  ", "%d\t", "%6d\t", "%4d | ", "%d: ", "%d. ", "%d) ", "%5d   │ "])
  func numberedLines(form: String) throws {
    for (above, blank) in [("", true), ("It crashed:\n\n", true), ("", false)] {
      var number = 6
      let input = Self.lines(Self.report) { line in
        // Some number no blank lines.
        if line.isEmpty, !blank { return "" }
        number += 1
        return String(format: form, number) + line
      }
      let reports = try CrashLogParser.parse(Array((above + input + above).utf8))
      let report = try require(reports.first)
      expectEqual(reports.count, 1)
      expectEqual(report.facts.applicationInformation, ["*** Terminating app"])
      expectEqual(report.facts.incident, "I")
      expectEqual(report.allFrames.map(\.index), [0, 1])
      expectEqual(report.allFrames.map(\.imageName), ["App", "App"])
      expectEqual(report.images.count, 1)
    }
  }

  /// The numbers of frames are no numbers of lines, wherever a stack begins.
  @Test(arguments: [0, 1, 5])
  func numbersOfFramesAreKept(first: Int) throws {
    let names = ["-[Deck deal:]", "Deck.draw(card: Int)", "main"]
    let text = (first..<first + 12).map { index in
      "\(index)  CardKit  0x00000001000\(10 + index)000 \(names[index % 3]) + \(index)\n"
    }.joined()
    let report = try require(CrashLogParser.parse(Array(text.utf8)).first)
    expectEqual(report.allFrames.map(\.index), Array(first..<first + 12))
    expectNil(report.wrapping)
  }

  /// What a page or a word processor made of all spaces. Those between the columns alone are the
  /// report's own, as before.
  @Test func noBreakSpaces() throws {
    let all = Self.report.replacing(" ", with: "\u{A0}")
    let report = try require(CrashLogParser.parse(Array(all.utf8)).first)
    expectEqual(report.facts.incident, "I")
    expectEqual(report.facts.applicationInformation, ["*** Terminating app"])
    expectEqual(report.allFrames.map(\.imageName), ["App", "App"])
    expectEqual(report.images.count, 1)
    let columns = Self.report.replacing("  ", with: "\u{A0} ")
    expectNil(try require(CrashLogParser.parse(Array(columns.utf8)).first).wrapping)
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

  // MARK: Joined lines

  /// A report on one line. An offset is no number of a frame.
  @Test func runOn() throws {
    let text =
      "Process: App [1] Path: /A/App OS Version: Mac OS X 10.15.7 (19H2) Report Version: 12 "
      + "Exception Type: EXC_BAD_ACCESS (SIGSEGV) Thread 0:: Dispatch queue: main "
      + "0 App 0x0000000100001010 wait + 1 1 App 0x0000000100001014 main + 20 Thread 1 Crashed: "
      + "0 Page Kit 0x0000000100002010 draw + 4 1 App 0x0000000100001030 main + 2 "
      + "Thread 1 crashed with X86 Thread State (64-bit): rax: 0x0000000000000000 rbx: "
      + "0x0000000000000010 Binary Images: 0x100001000 - 0x100001fff App (1.0) "
      + "<A4B1DE49-70B3-301D-A644-58D6BC22F513> /A/App 0x100002000 - 0x100002fff Kit (1) "
      + "<B4B1DE49-70B3-301D-A644-58D6BC22F513> /A/Kit\n"
    let report = try ParsedText(text).report
    expectEqual(report.facts.system.version, "10.15.7")
    expectEqual(report.backtraces.map(\.frames.count), [2, 2])
    expectEqual(report.backtraces.map(\.isCrashed), [false, true])
    expectEqual(report.allFrames.map { $0.symbol?.name }, ["wait", "main", "draw", "main"])
    expectEqual(report.images.count, 2)
    expectEqual(
      try ParsedText(text.replacing("App [1]", with: "App [1]\n")).report.allFrames.count, 4)
  }

  // MARK: Property lists

  private static let propertyList = #"""
    2020-05-01 10:00:00 App[1:2] {
        "binary_images" =     (
                    {
                "cpu_subtype" = 9;
                "cpu_type" = 12;
                "image_addr" = 65536;
                "image_size" = 131072;
                name = "/A/App";
                uuid = "A4B1DE49-70B3-301D-A644-58D6BC22F513";
            }
        );
        crash =     {
            diagnosis = "Attempted.\nOriginated at \U00e9 \"x\".";
            error =         {
                address = 16;
                mach =             {
                    code = 1;
                    "code_name" = "KERN_INVALID_ADDRESS";
                    "exception_name" = "EXC_BAD_ACCESS";
                    subcode = 16;
                };
                signal =             {
                    name = SIGSEGV;
                };
                type = mach;
            };
            threads =         (
                            {
                    backtrace =                 {
                        contents =                     (
                            {
                                "instruction_addr" = 70000;
                                "object_addr" = 65536;
                                "object_name" = App;
                                "symbol_name" = "-[Page load]";
                            }
                        );
                    };
                    crashed = 1;
                    index = 0;
                }
            );
        };
        report =     {
            "process_name" = App;
        };
    }
    """#

  /// A report of KSCrash as Foundation describes it, and the part from its `crash` on.
  @Test func propertyList() throws {
    let whole = Self.propertyList
    let start = try require(whole.range(of: "crash = ")).lowerBound
    for text in [whole, "```\n    );\n\(whole[start...])\n```\n"] {
      let report = try ParsedText(text).report
      expectEqual(report.format, .ksCrashJson)
      expectEqual(report.facts.exception.type, "EXC_BAD_ACCESS")
      expectEqual(report.facts.exception.codes, [1, 16])
      expectEqual(report.crashedThread?.frames.first?.symbol?.name, "-[Page load]")
      let diagnosis = report.facts.fields.first { $0.name == "diagnosis" }?.value
      expectEqual(diagnosis, "Attempted.\nOriginated at \u{E9} \"x\".")
    }
    expectEqual(try ParsedText(whole).report.images.count, 1)
  }

  /// Cut or damaged anywhere: never a trap.
  @Test func damagedPropertyLists() {
    let bytes = Array(Self.propertyList.utf8)
    for end in stride(from: 0, to: bytes.count, by: 7) {
      _ = try? CrashLogParser.parse(Array(bytes[..<end]))
      for byte in "{}();=\"\\<".utf8 {
        var damaged = bytes
        damaged[end] = byte
        _ = PropertyListWrapping().unwrap(TextSource(bytes: damaged))
      }
    }
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
    // Words between the backslashes may be read, as on a page in one line, but no image.
    let reports = (try? CrashLogParser.parse(Array(text.utf8))) ?? []
    expectTrue(reports.allSatisfy(\.images.isEmpty))
  }

  @Test func textsAreNotLargerThanTwiceTheirInputs() {
    let inputs: [[UInt8]] = [
      Array(repeating: 0x26, count: 5000), Array(repeating: 0x3C, count: 5000),
      Array(String(repeating: "&lt;", count: 1000).utf8),
      Array("Content-Transfer-Encoding: base64\n\n\(String(repeating: "QUJD", count: 500))".utf8),
      [0xFF, 0xFE] + Array(repeating: [0xE4, 0x4E], count: 500).flatMap { $0 },
      Array("{\\rtf1 \(String(repeating: "\\u20000?", count: 500))}".utf8),
      Array("\"\(String(repeating: "\\u4e2d\\n", count: 500))\"".utf8),
      Array("crash = {\n\(String(repeating: "a=b;", count: 500))".utf8),
      Array("crash = (\n\(String(repeating: "a,", count: 500))".utf8),
      Array("crash = (\n\"\(String(repeating: "\\001\u{1}", count: 500))\"".utf8),
      Array(String(repeating: "system = {\n", count: 500).utf8),
      Array(String(repeating: "2 a (in b) + 1\n 1 a (in b) + 1\n", count: 500).utf8),
      Array(String(repeating: "- **Version**: `1`\n", count: 500).utf8),
      Array(String(repeating: "**Codes**:0x\n", count: 500).utf8),
    ]
    for input in inputs {
      for wrapping in CrashLogParser.wrappings.all {
        let text = wrapping.unwrap(TextSource(bytes: input))
        #expect((text?.text.count ?? 0) <= 2 * input.count, "\(wrapping)")
      }
    }
  }
}
