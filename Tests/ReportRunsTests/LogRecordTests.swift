import Foundation
import ReportRuns
import ReportSymbolication
import SymbolicationModel
import TestSupport
import Testing

/// Traces in the records of a log come out as the completed report in the same records.
struct LogRecordTests {
  /// A way to write a line into a record: all bytes but `encode`'s stay.
  struct Shape: Sendable, CustomTestStringConvertible {
    let name: String
    var field: String?
    /// What the text of a record ends with.
    var end = ""
    var lineEnd = "\n"
    let head: @Sendable (Int) -> String
    let tail: String
    var encode: @Sendable (String) -> String = { LogRecordTests.string($0) }
    var isNumbers = false

    var testDescription: String { name }
  }

  private static func string(
    _ text: String, slash: Bool = false, markup: Bool = false, ascii: Bool = false
  ) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\n": return "\\n"
      case "\r": return "\\r"
      case "\t": return "\\t"
      case "\"": return "\\\""
      case "\\": return "\\\\"
      case "/" where slash: return "\\/"
      case "<" where markup: return "\\u003c"
      case ">" where markup: return "\\u003e"
      case "&" where markup: return "\\u0026"
      default:
        if scalar.value < 0x20 || ascii && scalar.value >= 0x80 {
          return String(scalar).utf16.map { unit in
            "\\u" + String(repeating: "0", count: 4 - String(unit, radix: 16).count)
              + String(unit, radix: 16)
          }.joined()
        }
        return String(scalar)
      }
    }.joined()
  }

  private static let journal: @Sendable (Int) -> String = {
    #"{"__CURSOR":"s=1;i=\#($0)","_PID":"812","__REALTIME_TIMESTAMP":"\#($0)","MESSAGE":"#
  }

  static let shapes: [Shape] = [
    Shape(
      name: "Docker", end: "\n", head: { _ in #"{"log":""# },
      tail: #"","stream":"stderr","time":"2026-01-01T10:00:00.1Z"}"#,
      encode: { string($0, markup: true) }),
    Shape(
      name: "Docker, CRLF in texts", end: "\r\n", head: { _ in #"{"log":""# },
      tail: #"","stream":"stderr"}"#, encode: { string($0, markup: true) }),
    Shape(
      name: "Fluent Bit", lineEnd: "\r\n",
      head: { #"{ "time" : \#($0), "kubernetes" : {"pod_name":"p\/1"}, "log" : ""# },
      tail: #"", "_p" : "F" }"#, encode: { string($0, slash: true) }),
    Shape(name: "journal", head: { journal($0) + "\"" }, tail: #"","PRIORITY":"6"}"#),
    Shape(
      name: "journal, bytes", head: { journal($0) + "[" }, tail: "]}",
      encode: { $0.utf8.map { String($0) }.joined(separator: ",") }, isNumbers: true),
    Shape(
      name: "journal, spaced bytes", head: { journal($0) + "[ " }, tail: " ] }",
      encode: { $0.utf8.map { String($0) }.joined(separator: ", ") }, isNumbers: true),
    Shape(
      name: "OpenTelemetry",
      head: {
        #"{"resourceLogs":[{"resource":{"attributes":[]},"scopeLogs":[{"logRecords":["#
          + #"{"timeUnixNano":"\#($0)","body":{"stringValue":""#
      }, tail: #""}}]}]}]}"#),
    Shape(
      name: "a field", field: "msg", head: { #"{"level":"🙈\#($0)","msg":""# }, tail: #""}"#),
    Shape(
      name: "a field, numbered", field: "msg",
      head: { #"{"level":"\ud83d\ude48\#($0)","msg":""# }, tail: #""}"#,
      encode: { string($0, ascii: true) }),
    Shape(
      name: "a field in an object", field: "event.text",
      head: { #"{"n":\#($0),"event":{"text":""# }, tail: #"","text":"other"}}"#),
  ]

  /// The story, and what Fixtures/LetterShuffle/README.md expects of it.
  private static func story() throws -> (lines: [String], completed: String) {
    let expected = "\(Fixtures.packageDirectory)/Tests/EndToEndTests/Expected/letter-shuffle.crash"
    let report = String(decoding: try Fixtures.bytes(of: Fixtures.storyReport), as: UTF8.self)
    return (
      report.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init),
      String(decoding: try Fixtures.bytes(of: expected), as: UTF8.self)
    )
  }

  private static let before = ["GET / 200", "\tindented \"quoted\" \\ <é🙈>\u{0}", ""]
  private static let after = ["GET /a/b 200", "done"]

  private static func options(_ field: String?) -> SymbolicationOptions {
    var options = SymbolicationOptions()
    options.logField = field
    return options
  }

  private static func output(_ input: [UInt8], field: String? = nil) -> [UInt8] {
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options(field))
    return job.symbolicate(input, shownPath: "x").output
  }

  private static func streamed(
    _ input: [UInt8], field: String? = nil, pieceSize: Int = 4096
  ) -> [UInt8] {
    let job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options(field))
    var stream = ReportStream(job, limits: ResourceLimits())
    var output: [UInt8] = []
    var rest = input[...]
    while !rest.isEmpty {
      stream.take(Array(rest.prefix(pieceSize)))
      output += stream.takeOutput()
      rest = rest.dropFirst(pieceSize)
    }
    stream.end()
    return output + stream.takeOutput()
  }

  @Test(arguments: shapes)
  func answersGoIntoTheRecords(_ shape: Shape) throws {
    let (report, completed) = try Self.story()
    let lines = Self.before + report + Self.after
    let log = lines.enumerated().map { index, line in
      shape.head(index) + shape.encode(line + shape.end) + shape.tail + shape.lineEnd
    }.joined()
    let output = Self.output(Array(log.utf8), field: shape.field)
    let records = String(decoding: output, as: UTF8.self).split(separator: shape.lineEnd)
    try require(records.count == lines.count)
    var text = ""
    for (index, record) in records.enumerated() {
      let (head, tail) = (shape.head(index), shape.tail)
      expectPrefix(String(record), head)
      expectTrue(record.hasSuffix(tail), String(record))
      let content = record.dropFirst(head.count).dropLast(tail.count)
      let value = try Self.text(of: String(content), shape)
      text += value + (shape.end.isEmpty ? "\n" : "")
      // A text that did not change is spelt as before.
      if value == lines[index] + shape.end {
        expectEqual(String(content), shape.encode(lines[index] + shape.end))
      }
    }
    let expected =
      Self.before.map { $0 + "\n" }.joined() + completed + Self.after.map { $0 + "\n" }.joined()
    expectEqual(text.replacingOccurrences(of: "\r\n", with: "\n"), expected)
    expectEqual(text.contains("\r\n"), shape.end == "\r\n")
    // What was escaped still is.
    if shape.name == "Docker" { expectFalse(records.joined().contains(">")) }
    // In a stream, whatever the pieces.
    for size in [1 << 16, 1000, 7] {
      expectEqual(
        Self.streamed(Array(log.utf8), field: shape.field, pieceSize: size), output, "\(size)")
    }
    expectEqual(Self.output(output, field: shape.field), output)
    expectEqual(Self.streamed(output, field: shape.field), output)
  }

  private static func text(of content: String, _ shape: Shape) throws -> String {
    let json = shape.isNumbers ? "[\(content)]" : "[\"\(content)\"]"
    let list = try JSONSerialization.jsonObject(with: Data(json.utf8))
    if shape.isNumbers {
      return String(decoding: try require(list as? [UInt8]), as: UTF8.self)
    }
    return try require((list as? [String])?.first)
  }

  /// A line of a container runtime has no place for another line, so inlined calls get records.
  /// `P` says that a line goes on in the next record, here in the middle of words and addresses.
  @Test(arguments: [1000, 9], ["\n", "\r\n"])
  func containerLines(width: Int, lineEnd: String) throws {
    let (report, completed) = try Self.story()
    var heads: [String] = []
    var log = ""
    for (index, line) in (Self.before + report + Self.after).enumerated() {
      let head = "2026-01-01T10:00:00.\(100_000_000 + index)Z stderr"
      heads.append(head)
      var rest = line[...]
      while rest.count > width {
        log += "\(head) P \(rest.prefix(width))\(lineEnd)"
        // Another stream in between.
        log += "2026-01-01T10:00:00.5Z stdout F GET /\(lineEnd)"
        rest = rest.dropFirst(width)
      }
      log += "\(head) F \(rest)\(lineEnd)"
    }
    let output = Self.output(Array(log.utf8))
    var text = ""
    var seen: [String] = []
    for line in String(decoding: output, as: UTF8.self).split(separator: lineEnd) {
      let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      if words[1] == "stdout" { continue }
      text += words[3] + (words[2] == "F" ? "\n" : "")
      if seen.last != String(words[0]) { seen.append(String(words[0])) }
    }
    expectEqual(seen.map { $0 + " stderr" }, heads)
    expectEqual(
      text, (Self.before.map { $0 + "\n" } + [completed] + Self.after.map { $0 + "\n" }).joined())
    expectEqual(Self.streamed(Array(log.utf8)), output)
    expectEqual(Self.output(output), output)
  }

  private static func record(_ line: Substring) throws -> [String: String] {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8))
    return try require(object as? [String: String])
  }

  /// Two containers, whose lines come by turns, and a line of no record between them.
  @Test func writersAreToldApart() throws {
    let (report, completed) = try Self.story()
    func record(_ line: String, _ name: String) -> String {
      let text = Self.string(line + "\n")
      return #"{"log":"\#(text)","stream":"stderr","container_name":"\#(name)"}"# + "\n"
    }
    var log = "-- Logs begin --\n"
    for line in report { log += record(line, "a") + record(line, "b") }
    let output = Self.output(Array(log.utf8))
    expectEqual(Self.streamed(Array(log.utf8)), output)
    var texts = ["a": "", "b": ""]
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n").dropFirst() {
      let record = try Self.record(line)
      texts[try require(record["container_name"]), default: ""] += record["log"] ?? ""
    }
    expectEqual(texts, ["a": completed, "b": completed])
  }

  /// Docker cuts lines of more than 16 KB: the text of a record then has no line end.
  @Test func linesInSeveralRecords() throws {
    let (report, completed) = try Self.story()
    let pieces = (report.joined(separator: "\n") + "\n").split(separator: "\n").flatMap { line in
      [line.prefix(20), line.dropFirst(20) + "\n"]
    }
    let log =
      #"{"log":"x\n","stream":"stderr"}"# + "\n"
      + pieces.map { #"{"log":"\#(Self.string(String($0)))","stream":"stderr"}"# + "\n" }.joined()
    let output = Self.output(Array(log.utf8))
    var text = ""
    for line in String(decoding: output, as: UTF8.self).split(separator: "\n").dropFirst() {
      text += try Self.record(line)["log"] ?? ""
    }
    expectEqual(text, completed.replacingOccurrences(of: "\n\n", with: "\n"))
    expectEqual(Self.streamed(Array(log.utf8)), output)
  }

  private static let hostile: [[UInt8]] = [
    Array((#"{"log":"# + String(repeating: "[", count: 100_000) + "\n").utf8),
    Array(
      (#"{"stream":"# + String(repeating: "[", count: 50_000)
        + String(repeating: "]", count: 50_000) + #","log":"Thread 0 Crashed:\n"}"# + "\n").utf8),
    Array((#"{"log":"Thread 0: "# + String(repeating: "x\\n", count: 70_000) + "\"}\n").utf8),
    Array(
      (#"{"log":"0   App   0x0000000104a1c2f0 \ud800 + 1\n","log":7,"stream":"a"}"# + "\n").utf8),
    Array(#"{"stream":"a","log":"0   App   0x0000000104a1c2f0 \uZZ"}"#.utf8) + [0x0A],
    Array(#"{"stream":"a","log":"0   App   0x0000000104a1c2f0 "#.utf8)
      + [0xFF, 0xC0, 0x22, 0x7D, 0x0A],
    Array((#"{"_PID":1,"MESSAGE":[48,256,-1,1e3]}"# + "\n").utf8),
    Array((#"{"_PID":1,"MESSAGE":[48,32,65]}"# + "\n" + #"{"_PID":1,"MESSAGE":[]}"# + "\n").utf8),
    Array((#"{"_PID":1,"MESSAGE":null}"# + "\n" + #"{"body":{"stringValue":[]}}"# + "\n").utf8),
    Array((#"{"resourceLogs":{"scopeLogs":7}}"# + "\n" + #"{"resourceLogs":[[[]]]}"# + "\n").utf8),
    Array("2026-01-01T10:00:00.1Z stdout P 0   App   0x0000000104a1c2f0 \n".utf8),
    Array("2026-01-01T10:00:00.1Z stdout F\n2026-01-01T10:00:00.1Z stderr P:a:b \r\n".utf8),
  ]

  @Test(arguments: hostile.indices)
  func hostileRecordsPassThrough(index: Int) {
    let input = Self.hostile[index]
    expectEqual(Self.output(input), input)
    expectEqual(Self.streamed(input, pieceSize: 1 << 16), input)
    expectEqual(Self.streamed(Array(input.dropLast(2)), pieceSize: 1 << 16), input.dropLast(2))
  }

  /// The records of a trace end with half a record, and others are no text.
  @Test func damageBetweenTheRecords() throws {
    let (report, _) = try Self.story()
    let noise =
      Array(#"{"log":"a"#.utf8) + [0xFF, 0xFE] + Array((#"\n","stream":"stderr"}"# + "\n{\n").utf8)
    var log: [UInt8] = []
    for (index, line) in report.enumerated() {
      log += Array((#"{"log":"\#(Self.string(line + "\n"))","stream":"stdout"}"# + "\n").utf8)
      if index == 20 { log += noise }
    }
    log += Array(#"{"log":"cut"#.utf8)
    let output = Self.output(log)
    expectTrue(output != log)
    expectTrue(output.suffix(11).elementsEqual(log.suffix(11)))
    let parts = String(decoding: output, as: UTF8.self).components(separatedBy: "\"stdout\"")
    expectEqual(parts.count, report.count + 1)
    expectEqual(Self.streamed(log), output)
  }
}
