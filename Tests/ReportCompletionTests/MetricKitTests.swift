import CrashLogParser
import Foundation
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// Answers in MetricKit's trees. Functions and lines are from `Fixtures/LetterShuffle/README.md`.
struct MetricKitTests {
  private static func bytes(_ name: String) throws -> [UInt8] {
    try Fixtures.bytes(of: Fixtures.path("MetricKit/\(name)"))
  }

  private static func symbolicated(
    _ bytes: [UInt8], _ options: SymbolicationOptions = SymbolicationOptions()
  ) -> [UInt8] {
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options)
    return job.symbolicate(bytes, shownPath: "report").output
  }

  /// The texts of the members with a key, in the order of the text.
  private static func values(_ key: String, in bytes: [UInt8]) throws -> [String] {
    let text = String(decoding: bytes, as: UTF8.self)
    let pattern = try Regex("\"\(key)\" ?: ?\"?((?:[^\",\\n\\\\]|\\\\.)*)\"?")
    return text.matches(of: pattern).compactMap { $0.output[1].substring.map { String($0) } }
  }

  private static let stackNames = [
    "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
    "one-time initialization function for rounds", "GameData.rounds.unsafeMutableAddressor",
    "GameViewController.loadRound(_:)", "GameViewController.startRound()",
    "GameViewController.viewDidLoad()", "@objc GameViewController.viewDidLoad()",
  ]
  private static let stackLines = ["18", "14", "60", "51", "37"]
  /// Without inlined calls, and in the order of the tree.
  private static let treeNames = [
    "@objc GameViewController.viewDidLoad()", "GameViewController.viewDidLoad()",
    "GameViewController.loadRound(_:)",
    "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)", "word_checksum",
    "TileView.layoutTiles()",
  ]
  private static let treeLines = ["37", "60", "5"]

  @Test func payload() throws {
    let output = Self.symbolicated(try Self.bytes("payload.json"))
    let trees = Array(repeating: Self.treeNames, count: 4).flatMap(\.self)
    try expectEqual(Self.values("symbol", in: output), Self.stackNames + trees)
    let lines = Array(repeating: Self.treeLines, count: 4).flatMap(\.self)
    try expectEqual(Self.values("sourceLine", in: output), Self.stackLines + lines)
    // New members stand before the frames in a frame, and are indented like the others.
    let text = String(decoding: output, as: UTF8.self)
    expectTrue(
      text.contains(
        """
                    "sampleCount" : 4,
                                        "symbol" : "word_checksum",
                                        "sourceFile" : "WordList.c",
                                        "sourceLine" : 5,
        """) || text.contains("\"symbol\" : \"word_checksum\",\n"))
    try expectEqual(Self.values("inline", in: output), ["true"])
  }

  @Test(arguments: [
    "payload-ios14.json", "tree.json", "payloads.ndjson", "payloads-array.json", "codable.json",
    "telemetry.json", "store-logs.json",
  ])
  func everyDialect(name: String) throws {
    let output = Self.symbolicated(try Self.bytes(name))
    let reports = try CrashLogParser.parse(output)
    for report in reports {
      let names = report.allFrames.compactMap(\.symbol?.name).filter { !$0.hasPrefix("-[") }
      let isTree = report.backtraces.contains(where: \.isCallTree)
      expectEqual(names, isTree ? Self.treeNames : Self.stackNames, "\(name)")
      let lines = report.allFrames.compactMap(\.symbol?.line).map { "\($0)" }
      expectEqual(lines, isTree ? Self.treeLines : Self.stackLines, "\(name)")
    }
  }

  /// Without what was added, the output is the input; and a second run adds nothing.
  @Test(arguments: [
    "payload.json", "payload-ios14.json", "tree.json", "payloads.ndjson", "payloads-array.json",
    "codable.json", "telemetry.json", "store-logs.json",
  ])
  func theRestIsUnchanged(name: String) throws {
    let input = try Self.bytes(name)
    var options = SymbolicationOptions()
    options.showsInlinedFrames = false
    let output = Self.symbolicated(input, options)
    #expect(output.count > input.count)
    var text = String(decoding: output, as: UTF8.self)
    let quote = "\\\\?\""
    for key in ["symbol", "sourceFile", "sourceLine", "symbolName", "fileName", "lineNumber"] {
      let pattern = try Regex(
        ",(?:\\s|\\\\n)*\(quote)\(key)\(quote) ?: ?(?:\(quote)[^\"]*?\(quote)|[0-9]+)")
      text = text.replacing(pattern) { match in
        // This one was there before.
        match.output[0].substring?.contains("UIViewController") == true
          ? match.output[0].substring.map { String($0) } ?? "" : ""
      }
    }
    expectEqual(text, String(decoding: input, as: UTF8.self), "\(name)")
    expectEqual(Self.symbolicated(output, options), output, "\(name)")
    // With inlined calls, too.
    let whole = Self.symbolicated(input)
    expectEqual(Self.symbolicated(whole), whole, "\(name)")
    _ = try CrashLogParser.parse(whole)
    var job = ReportJob(symbolPaths: [])
    expectEqual(job.symbolicate(input, shownPath: "report").output, input, "\(name)")
  }

  /// Output is what the output of another run is resolved to.
  @Test(arguments: ["payload.json", "telemetry.json", "store-logs.json"])
  func resymbolicated(name: String) throws {
    let output = Self.symbolicated(try Self.bytes(name))
    var options = SymbolicationOptions()
    options.resymbolicates = true
    expectEqual(Self.symbolicated(output, options), output)
  }

  /// App Store Connect writes numbers as strings and has keys of its own.
  @Test func ofAppStoreConnect() throws {
    let output = Self.symbolicated(try Self.bytes("store-logs.json"))
    try expectEmpty(Self.values("symbol", in: output))
    try expectEqual(
      Self.values("symbolName", in: output).filter { !$0.hasPrefix("-[") }, Self.treeNames)
    let text = String(decoding: output, as: UTF8.self)
    expectContains(text, "\"fileName\" : \"WordList.c\",\n")
    expectContains(text, "\"lineNumber\" : \"5\",\n")
  }

  /// An inlined call is a frame around that of the function that it is inlined into.
  @Test func inlinedCalls() throws {
    let frame =
      #"{"binaryUUID":"A4B1DE49-70B3-301D-A644-58D6BC22F513","offsetIntoBinaryTextSegment":119796,"address":4297347060}"#
    func tree(_ frames: String) -> String {
      #"{"callStackPerThread":true,"callStacks":[{"callStackRootFrames":[\#(frames)]}]}"#
    }
    let caller =
      frame.dropLast() + #","symbol":"viewDidLoad","sourceFile":"A.swift","sourceLine":1}"#
    let leaf =
      #"{"binaryUUID":"A4B1DE49-70B3-301D-A644-58D6BC22F513","offsetIntoBinaryTextSegment":36868,"address":4297264132"#
    let input = tree(leaf + ",\"subFrames\":[" + frame + "]}")
    let place = frame.dropLast()
    let expected = tree(
      leaf + #","symbol":"word_checksum","sourceFile":"WordList.c","sourceLine":5,"subFrames":["#
        + place
        + #","symbol":"GameViewController.startRound()","sourceFile":"GameViewController.swift","sourceLine":51,"inline":true,"subFrames":["#
        + place
        + #","symbol":"GameViewController.viewDidLoad()","sourceFile":"GameViewController.swift","sourceLine":37}"#
        + "]}]}")
    expectEqual(String(decoding: Self.symbolicated(Array(input.utf8)), as: UTF8.self), expected)
    // A frame that has a name and a line keeps both.
    let named = tree(String(caller))
    expectEqual(String(decoding: Self.symbolicated(Array(named.utf8)), as: UTF8.self), named)
  }

  /// A document that was cut keeps its bytes, and the frames before the cut get answers. Cuts in a
  /// run of spaces are left out: a cut at its end leaves the same values.
  @Test func cut() throws {
    let whole = try Self.bytes("payload.json")
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle])
    for length in stride(from: 400, to: whole.count, by: 37)
    where !whole[..<(length + 1)].suffix(3).allSatisfy({ $0 == 0x20 }) {
      let input = Array(whole.prefix(length))
      let output = job.symbolicate(input, shownPath: "report").output
      expectTrue(output.suffix(20) == input.suffix(20) || output.count >= input.count)
      expectEqual(job.symbolicate(output, shownPath: "report").output, output, "\(length) bytes")
    }
  }

  private static func summary(_ name: String) throws -> [[String]] {
    let text = JsonFixture.output(try bytes(name), as: .summary, with: [Fixtures.storyBundle])
    return text.split(separator: "\n\n").map { $0.split(separator: "\n").map { String($0) } }
  }

  @Test func summaries() throws {
    let payload = try Self.summary("payload.json")
    expectEqual(
      payload[0].prefix(2),
      [
        "com.taubler.lettershuffle 1.3 (6), pid 1683, iPhone OS 17.4 (21E219), arm64e, 2024-03-05 10:59:30",
        "GameData.swift:18 in one-time initialization function for rounds — a failed check in Swift code (nil, index, overflow, cast or precondition)",
      ])
    expectContains(payload[0], "thread 0 crashed:")
    expectEqual(
      payload.dropFirst().map { $0[1] },
      [
        "hang of 9 sec", "CPU time: 20 secs in 31 secs", "disk writes: 2,000 byte",
        "launch of 20000 ms",
      ])
    expectPrefix(payload[1][2], "the main thread was in GameViewController.swift:")
    expectEqual(payload[1][3], "iPhone14,7")
    expectEqual(payload[1][4], "heaviest stack of thread 0, 20 samples:")
    expectFalse(payload.dropFirst().joined().contains { $0.contains("crashed") })
    try expectTrue(
      Self.summary("payload-ios14.json")[0][1].hasSuffix(
        " — access through a null pointer, at offset 0x10"))
    let codable = try Self.summary("codable.json")
    expectEqual(codable[1][1], "hang of 9.5 s")
    expectEqual(codable[2][1], "memory")
  }

  /// `--format crash` gives a text that is read again, with the same frames.
  @Test func text() throws {
    let bytes = try Self.bytes("payload-ios14.json")
    let text = JsonFixture.output(bytes, as: .crash, with: [Fixtures.storyBundle])
    expectContains(text, "\nException Type:      EXC_BAD_ACCESS (SIGSEGV)\n")
    expectContains(text, "\nOS Version:          iPhone OS 14.0.1 (18A393)\n")
    let report = try require(CrashLogParser.parse(Array(text.utf8)).first)
    expectEqual(report.format, .crashText)
    expectEqual(report.crashedThread?.number, 0)
    expectEqual(report.allFrames.compactMap(\.symbol?.name), Self.stackNames)
    expectEqual(report.images.count, 4)
    let tree = JsonFixture.output(
      try Self.bytes("store-logs.json"), as: .crash, with: [Fixtures.storyBundle])
    for name in Self.treeNames { expectTrue(tree.contains(name)) }
  }

  @Test func json() throws {
    let document = try JsonFixture.document(
      try Self.bytes("payload.json"), with: [Fixtures.storyBundle])
    expectTrue(document.reports.allSatisfy { $0.format == "metricKit" })
    let frames = try require(document.reports.first?.backtraces.first?.frames)
    expectEqual(frames.compactMap(\.function), Self.stackNames)
    expectEqual(frames.map(\.inlined).filter { $0 }.count, 1)
    expectEqual(frames.first?.imageOffset, 160156)
    expectEqual(frames.first?.address, "0x10024f19c")
  }
}
