import CrashLogParser
import Foundation
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import TestSupport
import Testing

/// Answers in the JSON of SDKs. The reports have addresses of the example report; expected answers
/// are those of Fixtures/LetterShuffle/README.md, and starts of functions are those that llvm-nm
/// prints, 0x228000 further on.
struct SdkJsonSplicingTests {
  /// The trap in `GameRound.init`, and the return address into `viewDidLoad`, into which
  /// `startRound` is inlined.
  private static let trap = 0x1_0024_f19c
  private static let call = 0x1_0024_53f4
  private static let initStart = 0x1_0024_f0f8
  private static let viewStart = 0x1_0024_53cc

  private static let initName =
    "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)"
  private static let uuid = "A4B1DE49-70B3-301D-A644-58D6BC22F513"
  private static let path = "/var/containers/Bundle/Application/1/Letter Shuffle.app/Letter Shuffle"

  private static func symbolicated(
    _ text: String, inlines: Bool = true, resymbolicates: Bool = false,
    form: OutputForm = .auto
  ) -> String {
    var options = SymbolicationOptions()
    options.showsInlinedFrames = inlines
    options.resymbolicates = resymbolicates
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options, form: form)
    return String(
      decoding: job.symbolicate(Array(text.utf8), shownPath: "report").output, as: UTF8.self)
  }

  private static func hex(_ number: Int) -> String { "0x" + String(number, radix: 16) }

  // MARK: KSCrash

  static func ksCrash(_ frames: String) -> String {
    """
    {
      "report": { "id": "1", "process_name": "Letter Shuffle", "type": "standard" },
      "binary_images": [
        { "image_addr": 4297228288, "image_size": 278528, "name": "\(path)",
          "uuid": "\(uuid)", "cpu_type": 16777228, "cpu_subtype": 0 }
      ],
      "crash": {
        "error": { "type": "mach", "address": 0,
          "mach": { "exception": 6, "exception_name": "EXC_BREAKPOINT", "code": 1, "subcode": 0 },
          "signal": { "signal": 5, "name": "SIGTRAP", "code": 0 } },
        "threads": [
          { "index": 0, "crashed": true, "current_thread": false,
            "registers": { "basic": { "pc": \(trap), "sp": 16 } },
            "backtrace": { "skipped": 0, "contents": [
    \(frames)
            ] } }
        ]
      }
    }

    """
  }

  @Test func completesKsCrash() {
    let output = Self.symbolicated(
      Self.ksCrash(
        """
        {"instruction_addr": \(Self.trap)},
        {"object_name": "Letter Shuffle", "object_addr": 4297228288, "symbol_name": null, "instruction_addr": \(Self.call)}
        """))
    let expected = Self.ksCrash(
      """
      {"instruction_addr": \(Self.trap), "symbol_name": "\(Self.initName)", "symbol_addr": \(Self.initStart), "source_file": "<compiler-generated>"},
      {"object_name": "Letter Shuffle", "object_addr": 4297228288, "instruction_addr": \(Self.call), "symbol_name": "GameViewController.startRound()", "symbol_addr": \(Self.call - 16), "source_file": "GameViewController.swift", "source_line": 51, "inlined": true},
      {"object_name": "Letter Shuffle", "object_addr": 4297228288, "symbol_name": "GameViewController.viewDidLoad()", "instruction_addr": \(Self.call), "symbol_addr": \(Self.viewStart), "source_file": "GameViewController.swift", "source_line": 37}
      """)
    expectEqual(output, expected)
    expectEqual(Self.symbolicated(output), output)
    expectEqual(Self.symbolicated(output, resymbolicates: true), output)
    // Inlined calls that are not wanted any more go away with what separates them.
    let plain = Self.symbolicated(output, inlines: false, resymbolicates: true)
    expectFalse(plain.contains("inlined"))
    expectFalse(plain.contains("startRound"))
    expectTrue((try? JSONSerialization.jsonObject(with: Data(plain.utf8))) != nil)
  }

  /// A frame keeps the name that it has, and gets its line. The symbol of the image's header is no
  /// name.
  @Test func ksCrashNames() {
    let output = Self.symbolicated(
      Self.ksCrash(
        """
        {"instruction_addr": \(Self.trap), "symbol_name": "mine", "symbol_addr": \(Self.initStart)},
        {"instruction_addr": \(Self.call), "object_addr": 4297228288, "symbol_addr": 4297228288, "symbol_name": "_mh_execute_header"}
        """), inlines: false)
    let expected = Self.ksCrash(
      """
      {"instruction_addr": \(Self.trap), "source_file": "<compiler-generated>", "symbol_name": "mine", "symbol_addr": \(Self.initStart)},
      {"instruction_addr": \(Self.call), "source_file": "GameViewController.swift", "source_line": 37, "object_addr": 4297228288, "symbol_addr": \(Self.viewStart), "symbol_name": "GameViewController.viewDidLoad()"}
      """)
    expectEqual(output, expected)
    expectEqual(Self.symbolicated(output, inlines: false), output)
  }

  @Test func showsTypesOfExceptions() throws {
    let report = Self.ksCrash("{}").replacingOccurrences(
      of: #""type": "mach""#,
      with: #""type": "cpp_exception", "cpp_exception": {"name": "St13runtime_error"}"#)
    expectTrue(Self.symbolicated(report, form: .json).contains(#""name": "std::runtime_error""#))
    expectEqual(Self.symbolicated(report), report)
  }

  /// KSCrash writes the frames of a profile once, and refers to them by their places.
  @Test func ksCrashProfile() throws {
    func profile(_ frame: String) -> String {
      """
      {"report": {"id": "1"}, "binary_images": [{"image_addr": 4297228288, "image_size": 278528,
        "name": "/Letter Shuffle", "uuid": "\(Self.uuid)", "cpu_type": 16777228, "cpu_subtype": 0}],
       "crash": {"error": {"type": "profile", "profile": {"name": "start",
        "frames": [\(frame)],
        "samples": [{"frames": [0]}, {"frames": [0, 0]}, {"frames": []}]}}}}
      """
    }
    let input = profile(#"{"instruction_addr": \#(Self.call - 1)}"#)
    let output = Self.symbolicated(input)
    expectEqual(
      output,
      profile(
        #"{"instruction_addr": \#(Self.call - 1), "symbol_name": "GameViewController.viewDidLoad()", "symbol_addr": \#(Self.viewStart), "source_file": "GameViewController.swift", "source_line": 37}"#
      ))
    expectEqual(Self.symbolicated(output), output)
    let report = try require(CrashLogParser.parse(Array(input.utf8)).first)
    expectEqual(report.facts.event, .sample)
    expectEqual(report.backtraces.map(\.isCallTree), [true])
    expectEqual(report.allFrames.map(\.sampleCount), [2])
    expectEqual(report.allFrames.map(\.depth), [0])
    expectEqual(report.backtraces.map(\.sampleCount), [3])
  }

  // MARK: Sentry

  private static func sentry(_ frames: String) -> String {
    #"""
    {"event_id":"0123456789abcdef0123456789abcdef","platform":"cocoa","timestamp":"2024-05-06T07:08:09Z","debug_meta":{"images":[{"type":"macho","debug_id":"\#(uuid.lowercased())-0","code_file":"\/var\/1\/Letter Shuffle.app\/Letter Shuffle","arch":"arm64","image_addr":"0x100228000","image_size":278528}]},"exception":{"values":[{"type":"EXC_BREAKPOINT","value":"Exception 6, Code 1, Subcode 0","thread_id":3,"stacktrace":{"frames":[\#(frames)]}}]},"threads":{"values":[{"id":3,"crashed":true,"name":"main","stacktrace":null}]},"extra":{"a":1.50}}
    """#
  }

  @Test func completesSentry() throws {
    let input = Self.sentry(
      """
      {"instruction_addr":"\(Self.hex(Self.call))","image_addr":"0x100228000","in_app":true},{"function":"<redacted>","instruction_addr":"\(Self.hex(Self.trap))","lineno":null}
      """)
    let output = Self.symbolicated(input)
    let expected = Self.sentry(
      """
      {"instruction_addr":"\(Self.hex(Self.call))","function":"GameViewController.viewDidLoad()","symbol_addr":"\(Self.hex(Self.viewStart))","filename":"GameViewController.swift","abs_path":"/Users/builder/Letter Shuffle/GameViewController.swift","lineno":37,"image_addr":"0x100228000","in_app":true},{"instruction_addr":"\(Self.hex(Self.call))","image_addr":"0x100228000","in_app":true,"function":"GameViewController.startRound()","symbol_addr":"\(Self.hex(Self.call - 16))","filename":"GameViewController.swift","abs_path":"/Users/builder/Letter Shuffle/GameViewController.swift","lineno":51,"inlined":true},{"function":"\(Self.initName)","instruction_addr":"\(Self.hex(Self.trap))","symbol_addr":"\(Self.hex(Self.initStart))","filename":"<compiler-generated>","abs_path":"/Users/builder/Letter Shuffle/<compiler-generated>","lineno":null}
      """)
    expectEqual(output, expected)
    expectEqual(Self.symbolicated(output), output)
    expectEqual(Self.symbolicated(output, resymbolicates: true), output)
    let plain = Self.symbolicated(output, inlines: false, resymbolicates: true)
    expectEqual(plain, Self.symbolicated(input, inlines: false))
    let report = try require(CrashLogParser.parse(Array(output.utf8)).first)
    expectEqual(report.crashedThread?.number, 3)
    expectEqual(
      report.allFrames.map(\.symbol?.name),
      [
        Self.initName, "GameViewController.startRound()", "GameViewController.viewDidLoad()",
      ])
    expectEqual(report.allFrames.map(\.isInlined), [false, true, false])
  }

  /// An envelope is lines of JSON. One line is the event.
  @Test func sentryEnvelope() {
    let event = Self.sentry(#"{"instruction_addr":"0x10024f19c"}"#)
    let head =
      #"{"event_id":"0123456789abcdef0123456789abcdef"}"# + "\n" + #"{"type":"event"}"# + "\n"
    let output = Self.symbolicated(head + event + "\n")
    expectEqual(output, head + Self.symbolicated(event) + "\n")
    expectTrue(output.contains(Self.initName))
  }

  // MARK: Bugsnag and Measure

  @Test func bugsnag() {
    func event(_ more: String) -> String {
      #"""
      {"exceptions":[{"errorClass":"EXC_BREAKPOINT","message":"","type":"cocoa","stacktrace":[{"machoLoadAddress":"0x100228000","machoUUID":"\#(Self.uuid)","machoFile":"/x/Letter Shuffle","frameAddress":"0x10024f19c"\#(more),"isPC":true}]}],"app":{"binaryArch":"arm64"}}
      """#
    }
    let output = Self.symbolicated(event(""))
    expectEqual(
      output,
      event(
        #","method":"\#(Self.initName)","symbolAddress":"\#(Self.hex(Self.initStart))","file":"<compiler-generated>""#
      ))
    expectEqual(Self.symbolicated(output), output)
  }

  @Test func measure() {
    func session(_ frame: String) -> String {
      #"""
      {"events": [{"type": "http"}, {"type": "exception", "exception": {"exceptions": [{"type": "EXC_BREAKPOINT", "signal": "SIGTRAP", "thread_sequence": 0, "frames": [\#(frame)]}], "threads": [], "binary_images": [{"name": "Letter Shuffle", "uuid": "a4b1de4970b3301da64458d6bc22f513", "start_addr": "100228000", "end_addr": "10026bfff", "arch": "arm64"}]}}]}
      """#
    }
    let output = Self.symbolicated(
      session(
        #"{"method_name": "", "file_name": "", "line_num": 0, "symbol_address": "000000010024563c", "binary_address": "100228000", "frame_index": 0}"#
      ))
    // The first frame is no return address.
    expectEqual(
      output,
      session(
        #"{"method_name": "GameViewController.loadRound(_:)", "file_name": "GameViewController.swift", "line_num": 61, "symbol_address": "000000010024563c", "binary_address": "100228000", "frame_index": 0}"#
      ))
    expectEqual(Self.symbolicated(output), output)
  }

  // MARK: Other forms

  @Test func summaryHasReasonAndPlace() {
    let input = Self.ksCrash(#"{"instruction_addr": \#(Self.trap)}"#)
    let summary = Self.symbolicated(input, form: .summary)
    expectContains(summary, "Letter Shuffle")
    expectContains(summary, "GameRound.init")
  }
}

/// Binary reports of PLCrashReporter become text.
struct PlCrashOutputTests {
  private static func output(_ bytes: [UInt8], _ form: OutputForm = .auto) -> String {
    var options = SymbolicationOptions()
    options.showsInlinedFrames = false
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options, form: form)
    return String(decoding: job.symbolicate(bytes, shownPath: "report").output, as: UTF8.self)
  }

  /// Answers are those of Fixtures/LetterShuffle/README.md.
  @Test func isText() {
    let text = Self.output(ProtobufMessage.plCrash())
    expectTrue(
      text.contains(
        """
        Thread 2 Crashed:
        0   Letter Shuffle                      0x000000010024f19c GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) + 164 (<compiler-generated>:0)
        1   Letter Shuffle                      0x00000001002453f4 stated + 40 (GameViewController.swift:37)
        2   ???                                 0x0000000000000010 0x0 + 16

        """))
    expectTrue(
      text.contains(
        "       0x100228000 -        0x10026bfff +Letter Shuffle arm64  <a4b1de4970b3301da64458d6bc22f513> /var/1/Letter Shuffle.app/Letter Shuffle\n"
      ))
    expectEqual(Self.output(Array(text.utf8)), text)
    expectEqual(Self.output(ProtobufMessage.plCrash(), .crash), text)
  }

  @Test func jsonNamesTheFormat() throws {
    let json = Self.output(ProtobufMessage.plCrash(), .json)
    let document = try require(
      JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let report = try require((document["reports"] as? [[String: Any]])?.first)
    expectEqual(report["format"] as? String, "plCrashReporterBinary")
  }
}
