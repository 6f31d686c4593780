import CrashLogParser
import SymbolicationModel
import SystemPackage
import TestSupport
import Testing
import Wording

@testable import SymbolicationWorker

/// The lines of a worker's input.
struct WorkerRecordTests {
  private func record(_ line: String) -> WorkerRecord { WorkerRecord(line: Array(line.utf8)) }

  private func failure(_ line: String) -> WorkerFailure? {
    if case .failure(let failure) = record(line).content { failure } else { nil }
  }

  private func text(of record: WorkerRecord) -> String? {
    if case .report(let bytes) = record.content {
      String(decoding: bytes, as: UTF8.self)
    } else {
      nil
    }
  }

  /// RFC 8259, section 7.
  @Test func reportsWithEscapes() {
    let line = #"{"report":"a\"b\\c\/d\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00é","id":1}"#
    expectEqual(text(of: record(line)), "a\"b\\c/d\u{8}\u{c}\n\r\tAé€😀é")
    expectEqual(text(of: record(#" "only a report" "#)), "only a report")
  }

  @Test func identifiers() {
    expectEqual(record(#"{"report":"x"}"#).id, Array("null".utf8))
    expectEqual(record(#"{"id" : {"a": [1]} ,"report":"x"}"#).id, Array(#"{"a": [1]}"#.utf8))
    // An object that breaks off cannot be copied.
    expectEqual(record(#"{"id":{"a":1"#).id, Array("null".utf8))
    expectEqual(record(#"{"id":12,"repo"#).id, Array("12".utf8))
    let start = Array(#"{"id":"kept","report":"cut of"#.utf8)
    let cut = WorkerRecord(start: start, failure: .tooLarge(limit: 5))
    expectEqual(cut.id, Array(#""kept""#.utf8))
    expectTrue({ if case .failure(.tooLarge(limit: 5)) = cut.content { true } else { false } }())
  }

  /// The lines that most writers make are read in one pass; the result is that of any record.
  @Test(arguments: [
    (#"{"id":1,"report":"x\ny"}"#, "1"), (#"{"report":"x\ny","id":"a\u0041"}"#, #""a\u0041""#),
    (#" { "id" : [1, {"a":null}] , "report" : "x\ny" } "#, #"[1, {"a":null}]"#),
    (#"{"report":"x\ny"}"#, "null"),
  ])
  func plainLines(line: String, id: String) throws {
    let plain = try require(PlainWorkerRecord(Array(line.utf8)))
    expectEqual(plain.report, Array("x\ny".utf8))
    expectEqual(plain.spelling.map { Array(Array(line.utf8)[$0]) }, Array(#""x\ny""#.utf8))
    expectEqual(plain.id ?? Array("null".utf8), Array(id.utf8))
    // A member more, and the line is read as any other.
    let other = record(#"{"x":0,"# + line.drop { $0 != "{" }.dropFirst())
    expectEqual(other.id, Array(id.utf8))
    expectEqual(text(of: other), "x\ny")
  }

  /// An answer copies the spelling of a report that it would spell in the same way.
  @Test func spellingsThatAreCopied() throws {
    let scalars = (0...0x17f).compactMap { Unicode.Scalar($0 as UInt32) } + ["\u{2028}", "🙂"]
    for scalar in scalars {
      let written = JsonText.quoted(String(scalar), escapesSlashes: false).dropFirst().dropLast()
      let raw =
        scalar == "\"" || scalar == "\\" || scalar == "\n" || scalar == "\r" ? "" : String(scalar)
      let hexadecimal = String(scalar.value, radix: 16)
      let code =
        scalar.value > 0xffff
        ? "" : "\\u" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
      for text in [String(decoding: written, as: UTF8.self), raw, code, "\\" + raw] {
        for place in 0..<10 {
          let quoted = "\"" + String(repeating: "x", count: place) + text + "12345678\""
          guard let plain = PlainWorkerRecord(Array("{\"report\":\(quoted)}".utf8)),
            plain.spelling != nil
          else { continue }
          var answer: [UInt8] = []
          JsonText.append(utf8: plain.report, to: &answer)
          expectEqual(answer, Array(quoted.utf8))
        }
      }
    }
    let usual = "{\"report\":\"{\\n\\t\\\"a\\\" : \\\"C:\\\\\\\" /é漢\\r\"}"
    try expectTrue(require(PlainWorkerRecord(Array(usual.utf8))).spelling != nil)
  }

  /// What is not as most writers make it is no plain line, and loses nothing by that.
  @Test(arguments: [
    "", "{", "{}", #"{"id":1}"#, #"{"id":1,"id":2,"report":"x"}"#,
    #"{"id":1,"report":"x","report":"y"}"#, #"{"id":1,"report":"x"} 2"#, #"{"id":1,"report":"x""#,
    #"{"id":1,"report":"x",}"#, #"{"id":1 "report":"x"}"#, #"{"id":1,"report":7}"#,
    #"{"id":1,"report":"\ud800"}"#, #"{"id":"\ud800","report":"x"}"#, #"{"id":01,"report":"x"}"#,
    #"{"id":1,"path":"x"}"#, #"{"\u0069d":1,"report":"x"}"#, #""x""#,
    #"{"id":\#(String(repeating: "7", count: 300)),"report":"x"}"#,
  ])
  func linesThatAreNotPlain(line: String) {
    expectNil(PlainWorkerRecord(Array(line.utf8)))
  }

  @Test func plainLinesAreUtf8() {
    for end in [#"\n"}"#, #""}"#] {
      let line = Array(#"{"id":1,"report":"a"#.utf8) + [0xff] + Array(end.utf8)
      expectNil(PlainWorkerRecord(line))
    }
    expectEqual(failure(#"{"id":1,"report":"\ud800"}"#)?.code, .notJson)
    expectEqual(
      record(#"{"id":\#(String(repeating: "7", count: 300)),"report":"x"}"#).id.count, 300)
  }

  /// JSON (RFC 8259) allows no control characters in strings, and half a surrogate pair is no
  /// character. An id with either would make the answer unreadable for others.
  @Test(arguments: [
    "{\"id\":\"a\u{1}\",\"report\":\"x\"}", "{\"id\":{\"\u{9}\":1},\"report\":\"x\"}",
    #"{"id":"\ud800","report":"x"}"#, #"{"id":"\ud800\u0041","report":"x"}"#,
    #"{"id":"\udc00","report":"x"}"#, #"{"id":{"\udc00\ud800":1},"report":"x"}"#,
  ])
  func identifiersThatOthersCannotRead(line: String) {
    expectEqual(record(line).id, Array("null".utf8))
    expectEqual(failure(line)?.code, .notJson)
  }

  @Test func whiteSpaceInIdentifiersIsKept() {
    expectEqual(record("{\"id\":[1,\t2],\"report\":\"x\"}").id, Array("[1,\t2]".utf8))
    expectEqual(record(#"{"id":"\\ud800","report":"x"}"#).id, Array(#""\\ud800""#.utf8))
  }

  @Test(arguments: [
    (
      #"{"report":"\ud83d"}"#,
      WorkerFailure.notJson(.syntax(JsonError(kind: .halfSurrogate, offset: 11)))
    ),
    (#"{"report":"x"} 1"#, .notJson(.trailingBytes(offset: 15))),
    ("", .notJson(.emptyLine)),
    ("{\"report\":\"x", .notJson(.syntax(JsonError(kind: .unexpectedEnd, offset: 12)))),
    ("true", .badRecord(.otherKind(.true))),
    ("{\"a\":1}", .badRecord(.asksNothing)),
    (#"{"frames":[],"path":"x"}"#, .badRecord(.asksTwice("frames", "path"))),
    (#"{"path":"x","path":"y"}"#, .badRecord(.asksTwice("path", "path"))),
    (#"{"path":null}"#, .badRecord(.wrongType(key: "path", expected: "a string", .null))),
    (#"{"frames":[{"image":"a"}]}"#, .badRecord(.frame(index: 0, .noAddress))),
    (
      #"{"frames":[{"image":"a","offset":1},{"image":"a","offset":1,"address":2}]}"#,
      .badRecord(.frame(index: 1, .twoAddresses))
    ),
    (#"{"frames":[{"offset":1}]}"#, .badRecord(.frame(index: 0, .noImage))),
    (#"{"frames":["a"]}"#, .badRecord(.frame(index: 0, .notAnObject(.string)))),
  ])
  func failures(line: String, expected: WorkerFailure) {
    expectEqual(failure(line), expected)
  }

  @Test(arguments: [
    "-1", "1.5", "18446744073709551616", #""12""#, #""0x""#, #""0xg""#, #""0x+1""#, "[]",
  ])
  func numbersThatAreNoAddress(number: String) {
    expectEqual(failure(#"{"frames":[{"image":"a","offset":\#(number)}]}"#)?.code, .badRecord)
  }

  @Test func frames() throws {
    let line = #"""
      {"frames":[{"image":"App","uuid":"A4B1DE49-70B3-301D-A644-58D6BC22F513","arch":"arm64",
      "offset":18446744073709551615},{"uuid":"00ff","address":"0X1F","load":16,"more":1},
      {"image":"App","uuid":null,"address":1e3}]}
      """#.replacing("\n", with: "")
    guard case .frames(let frames) = record(line).content else {
      Issue.record("\(record(line).content)")
      return
    }
    expectEqual(frames.count, 3)
    expectEqual(frames[0].imageName, "App")
    expectEqual(frames[0].architecture, .arm64)
    expectEqual(frames[0].identity?.description, "A4B1DE49-70B3-301D-A644-58D6BC22F513")
    expectEqual(frames[0].place, .offset(.max))
    expectEqual(frames[1].place, .loaded(LoadAddress(31), base: LoadAddress(16)))
    expectNil(frames[1].imageName)
    expectEqual(frames[2].place, .linkAddress(LinkAddress(1000)))
    expectNil(frames[2].identity)
  }

  // MARK: - Messages

  @Test(arguments: [
    (
      WorkerFailure.tooLarge(limit: 64 << 20),
      "the record has more than 64 MiB; give the report as {\"path\": …}, or raise --max-record"
    ),
    (.timeout(seconds: 60), "the record took longer than 60 seconds; --timeout allows more"),
    (
      .crash(signal: 11),
      "internal error: signal 11 while this record was under way; please report it with the record and its symbol files"
    ),
    (.crash(signal: 7), "a symbol file was shortened while it was being read, or its disk failed"),
    (.limit(.threads, 5), "the record has more than 5 threads; --limit threads=10 allows more"),
    (.notJson(.emptyLine), "the line is empty; expected one JSON value on each line"),
    (.notJson(.invalidUtf8), "the line is not UTF-8, which JSON must be"),
    (
      .notJson(.trailingBytes(offset: 3)),
      "the line has more than one JSON value: something follows at byte 3"
    ),
    (
      .notJson(.syntax(JsonError(kind: .unexpectedByte(0x7d), offset: 9))),
      "the line is not JSON: unexpected byte 0x7d at byte 9"
    ),
    (
      .unreadable(path: "/a", .errno(.noSuchFileOrDirectory)),
      "cannot read the report /a: No such file or directory"
    ),
    (
      .unreadable(path: "/a", .notAFile),
      "cannot read the report /a: it is not a file; a worker reads no directories, pipes and devices"
    ),
    (
      .unreadable(path: "/a", .tooLarge(limit: 1 << 30)),
      "cannot read the report /a: it is larger than 1 GiB; --limit report-size=2G allows more"
    ),
    (
      .badRecord(.asksNothing),
      "the record has none of the keys \"report\", \"path\" and \"frames\""
    ),
    (.badRecord(.asksTwice("id", "id")), "the record has the key \"id\" twice"),
    (
      .badRecord(.asksTwice("path", "frames")),
      "the record has both \"path\" and \"frames\"; expected one of them"
    ),
    (
      .badRecord(.frame(index: 2, .wrongText(key: "uuid", expected: "hexadecimal digits", "x"))),
      "frame 2: \"uuid\" is 'x'; expected hexadecimal digits"
    ),
    (
      .badRecord(.frame(index: 0, .noAddress)), "frame 0: it has neither \"address\" nor \"offset\""
    ),
    (.badRecord(.frame(index: 0, .noImage)), "frame 0: it has neither \"image\" nor \"uuid\""),
    (
      .noReport(path: "standard input", .emptyInput), "the report is empty; expected a crash report"
    ),
  ])
  func messages(failure: WorkerFailure, message: String) {
    expectEqual(failure.message, message)
  }
}
