import Foundation
import TestSupport
import Testing

/// `symbolicate worker`: a line for each line, in the same order.
struct WorkerCommandTests {
  private static let story =
    (try? String(contentsOfFile: Fixtures.storyReport, encoding: .utf8)) ?? ""

  /// Each kind of bad record is one line, and harms no other.
  @Test func oneLineForEachLine() async throws {
    let report = try WorkerAnswers.record(1, report: Self.story)
    let lines: [(line: String, code: String)] = [
      (report, "ok"),
      ("", "not-json"),
      ("   ", "not-json"),
      ("{", "not-json"),
      ("\"half a string", "not-json"),
      ("{} {}", "not-json"),
      (#"{"id":2,"report":"\ud800"}"#, "not-json"),
      (#"{"id":"\udc00\ud800","report":"x"}"#, "not-json"),
      ("[1]", "bad-record"),
      ("7", "bad-record"),
      ("{}", "bad-record"),
      (#"{"id":3,"report":5}"#, "bad-record"),
      (#"{"id":3,"report":"x","path":"y"}"#, "bad-record"),
      (#"{"id":3,"report":"x","report":"y"}"#, "bad-record"),
      (#"{"id":3,"id":4,"report":"x"}"#, "bad-record"),
      (#"{"id":3,"frames":{}}"#, "bad-record"),
      (#"{"id":3,"frames":[1]}"#, "bad-record"),
      (#"{"id":3,"path":["x"]}"#, "bad-record"),
      (#"{"id":4,"path":"Fixtures/no such file"}"#, "unreadable"),
      (#"{"id":4,"path":"Fixtures"}"#, "unreadable"),
      (#"{"id":4,"path":"/dev/zero"}"#, "unreadable"),
      (#"{"id":4,"path":"/proc/self/environ"}"#, "unreadable"),
      // The system would read the path up to the zero.
      (#"{"id":4,"path":"Fixtures/LetterShuffle/letter-shuffle.crash\u0000.txt"}"#, "unreadable"),
      (#"{"id":4,"path":""}"#, "unreadable"),
      (#"{"id":5,"report":""}"#, "no-report"),
      (#"{"id":5,"report":"no crash"}"#, "no-report"),
      (#"{"id":6,"frames":[]}"#, "ok"),
      (report, "ok"),
    ]
    let (answers, result) = try await Program.worker(
      [], lines.map { $0.line + "\n" }.joined())
    expectEqual(result.status, 0)
    expectEmpty(result.standardError)
    expectEqual(answers.codes, lines.map(\.code))
    expectEqual(answers.identifiers[0], 1)
    expectEqual(answers.lines.first, answers.lines.last)
  }

  @Test func identifiersAreCopiedByteForByte() async throws {
    for id in [
      "null", "1e400", "-0.0", "123456789012345678901234567890", #""\u00e9\/\ud83d\ude00 é""#,
      #"{"b" : [1, 2],"a":{}}"#, "[ ]", "true", #""""#, #""\\\"""#,
    ] {
      let line = #"{"id": \#(id) ,"report":"none"}"#
      let result = try await Program.symbolicate(["worker"], input: Array((line + "\n").utf8))
      expectTrue(result.outputText.hasPrefix(#"{"id":\#(id),"ok":false,"#), "\(id)")
    }
  }

  /// The id stands in front of what is wrong.
  @Test func identifiersOfDamagedLines() async throws {
    let (answers, _) = try await Program.worker(
      [], #"{"id":7,"report":"cut"# + "\n" + #"{"report":"x","id":8} ?"# + "\n")
    expectEqual(answers.identifiers, [7, 8])
    expectEqual(answers.codes, ["not-json", "not-json"])
  }

  @Test func invalidUtf8() async throws {
    let line = Array(#"{"id":1,"report":""#.utf8) + [0xff, 0xfe] + Array("\"}\n".utf8)
    let idLine = Array(#"{"id":""#.utf8) + [0xff] + Array("\",\"report\":\"x\"}\n".utf8)
    let result = try await Program.symbolicate(["worker"], input: line + idLine)
    let answers = try WorkerAnswers(result.standardOutput)
    expectEqual(answers.codes, ["not-json", "not-json"])
    expectEqual(answers.identifiers, [1, nil])
  }

  @Test(arguments: ["\n", "\r\n"], [true, false])
  func lineEnds(end: String, isLastEnded: Bool) async throws {
    let lines = try (0..<3).map { try WorkerAnswers.record($0, report: Self.story) }
    let (answers, _) = try await Program.worker(
      ["--output", "summary"], lines.joined(separator: end) + (isLastEnded ? end : ""))
    expectEqual(answers.identifiers, [0, 1, 2])
    expectEqual(answers.codes, ["ok", "ok", "ok"])
  }

  @Test func anEmptyInputHasNoAnswers() async throws {
    let result = try await Program.run(
      Program.builtProgramPath, ["worker"], inputPath: "/dev/null")
    expectEqual(result.status, 0)
    expectEmpty(result.standardOutput)
  }

  // MARK: - What an answer carries

  /// The answers are those of the command that symbolicates one report.
  @Test(arguments: WorkerInput.reports)
  func answersAreThoseOfOneRun(path: String) async throws {
    let symbols = ["-d", Fixtures.storyBundle, "-d", Fixtures.path("SwiftBacktrace")]
    let record = try WorkerAnswers.record(["id": 1, "path": path]) + "\n"
    let forms: [(output: String, option: [String])] = [
      ("report", []), ("json", ["--format", "json"]), ("summary", ["--summary"]),
    ]
    for form in forms {
      let expected = try await Program.symbolicate([path] + symbols + form.option)
      let result = try await Program.symbolicate(
        ["worker", "--output", form.output] + symbols, input: Array(record.utf8))
      let answers = try WorkerAnswers(result.standardOutput)
      var object = try require(answers.objects.first)
      if expected.status == 65, object["ok"] as? Bool == false {
        expectEqual(answers.codes, ["no-report"])
        continue
      }
      object["id"] = nil
      object["ok"] = nil
      if form.output == "json" {
        let document = try require(
          JSONSerialization.jsonObject(with: Data(expected.standardOutput)) as? NSDictionary)
        expectTrue(document.isEqual(to: object), "\(path)")
      } else {
        // Bytes that are not UTF-8 become U+FFFD.
        expectEqual(object[form.output] as? String, expected.outputText, "\(path)")
      }
    }
  }

  @Test func aStringIsAReport() async throws {
    let text = String(
      decoding: try JSONSerialization.data(withJSONObject: [Self.story]), as: UTF8.self)
    let (answers, _) = try await Program.worker(
      ["--output", "report"], String(text.dropFirst().dropLast()) + "\n")
    let expected = try await Program.symbolicate([Fixtures.storyReport, "-d", Fixtures.storyBundle])
    expectEqual(answers.objects.first?["report"] as? String, expected.outputText)
    expectTrue(answers.objects.first?["id"] is NSNull)
  }

  // MARK: - Bare frames

  /// The same function at its offset, its address in the process and its address in the file
  /// (`nm` and the load address of the report).
  @Test func bareFrames() async throws {
    let image = [
      "image": "Letter Shuffle", "uuid": "a4b1de4970b3301da64458d6bc22f513", "arch": "arm64",
    ]
    let frames: [[String: Any]] = [
      image.merging(["offset": "0x5010"]) { $1 },
      image.merging(["address": "0x10022d010", "load": "0x100228000"]) { $1 },
      image.merging(["address": "0x100005010"]) { $1 },
      image.merging(["offset": "0x1d3f4"]) { $1 },
      image.merging(["offset": "0xffffffffffffffff"]) { $1 },
      ["image": "Other", "uuid": "00000000-0000-0000-0000-000000000001", "offset": 5],
    ]
    let (answers, _) = try await Program.worker(
      [], try WorkerAnswers.record(["id": 1, "frames": frames]) + "\n")
    let found = try require(answers.objects.first?["frames"] as? [[String: Any]])
    expectEqual(found.count, frames.count)
    for frame in found[..<3] {
      expectEqual(frame["function"] as? String, "main")
      expectEqual(frame["file"] as? String, "AppDelegate.swift")
      expectEqual(frame["line"] as? Int, 13)
      expectEqual(frame["imageOffset"] as? Int, 0x5010)
      expectEqual((frame["inlinedCalls"] as? [Any])?.isEmpty, true)
    }
    expectEqual(found[1]["address"] as? String, "0x10022d010")
    expectTrue(found[0]["address"] is NSNull)
    expectEqual(found[3]["function"] as? String, "GameViewController.viewDidLoad()")
    expectTrue(found[4]["function"] is NSNull)
    expectTrue(found[5]["symbolFile"] is NSNull)
    expectEqual(found.map { $0["index"] as? Int }, [0, 1, 2, 3, 4, 5])
  }

  // MARK: - Surroundings

  @Test func anEmptyEnvironment() async throws {
    let record = try WorkerAnswers.record(1, report: Self.story)
    let result = try await Program.run(
      "/usr/bin/env",
      Program.emptyEnvironment + [
        Program.builtProgramPath, "worker", "-s", Fixtures.storyBundle, "--output", "summary",
      ],
      input: Array((record + "\n").utf8))
    expectEqual(result.status, 0)
    expectEmpty(result.standardError)
    expectContains(result.outputText, "GameData.swift:18")
  }

  /// Answers are the same for any number of jobs, in the order of the records.
  @Test func jobsChangeNothing() async throws {
    let input = try (0..<40).map { number in
      try number % 7 == 3
        ? "no record" : WorkerAnswers.record(number, report: Self.story)
    }.joined(separator: "\n")
    let (one, _) = try await Program.worker(["--jobs", "1"], input)
    let (four, _) = try await Program.worker(["--jobs", "4", "--window", "5"], input)
    expectEqual(one.lines, four.lines)
    expectEqual(one.lines.count, 40)
  }

  @Test(arguments: [
    (["--jobs", "0"], "--jobs needs a number above 0, not 0"),
    (["--window", "0"], "--window needs a number above 0, not 0"),
    (["--max-record", "0"], "--max-record needs a size in bytes, or like 500K or 64M, not '0'"),
    (["--timeout=-1"], "--timeout needs a number of seconds from 0 on, not -1"),
    (["--retry=-2"], "--retry needs a number of seconds from 0 on, not -2"),
  ])
  func wrongOptions(arguments: [String], message: String) async throws {
    let result = try await Program.symbolicate(["worker"] + arguments)
    expectEqual(result.status, 64)
    expectTrue(result.standardError.contains(message))
  }
}

/// The reports in the fixtures.
enum WorkerInput {
  static let reports: [String] = {
    let all = FileManager.default.enumerator(atPath: Fixtures.path(""))
    let paths = all?.compactMap { $0 as? String } ?? []
    return paths.filter {
      ($0.hasSuffix(".crash") || $0.hasSuffix(".ips") || $0.hasPrefix("SwiftBacktrace/Reports/")
        || $0.hasPrefix("MetricKit/") && $0.hasSuffix("json")) && !$0.hasPrefix("Malformed/")
    }.sorted().map { "\(Fixtures.path(""))\($0)" }
  }()
}
