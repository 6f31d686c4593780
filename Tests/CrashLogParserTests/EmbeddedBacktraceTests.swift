import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Backtraces as text in the strings of an `.ips` report (`asiBacktraces`). Their frames have
/// ranges in the decoded text, not in the input.
struct EmbeddedBacktraceTests {
  /// The report whose `asiBacktraces` is this JSON.
  private func parse(_ list: String) throws -> ParsedText {
    try ParsedText(
      #"{"asiBacktraces":\#(list),"threads":[{"frames":[]}],"usedImages":[{"base":4096,"size":4096,"name":"A"}]}"#
    )
  }

  private func text(of backtrace: Backtrace) throws -> String {
    String(decoding: try require(backtrace.embeddedText), as: UTF8.self)
  }

  @Test func framesAreReadFromTheText() throws {
    let text = try ParsedText(IpsText.apple)
    let backtraces = try text.report.applicationSpecificBacktraces
    expectEqual(backtraces.map(\.number), [0, 1])
    try expectEqual(
      backtraces.map { try self.text(of: $0) },
      [
        "0   A\t0x1010 f + 1\n1   B\t0x2010 g + 2\n", "é",
      ])
    expectEqual(
      backtraces.map { text[$0.byteRange] },
      [
        #""0   A\t0x1010 f + 1\n1   B\t0x2010 g + 2\n""#, #""\u00e9""#,
      ])
    let frames = try require(backtraces.first).frames
    expectEqual(frames.map(\.index), [0, 1])
    expectEqual(frames.map(\.imageName), ["A", "B"])
    expectEqual(frames.map(\.address), [LoadAddress(0x1010), LoadAddress(0x2010)])
    expectEqual(
      frames.map(\.symbol),
      [
        FrameSymbol(name: "f", offset: 1), FrameSymbol(name: "g", offset: 2),
      ])
    expectEmpty(backtraces[1].frames)
    expectEqual(backtraces.map(\.isCrashed), [false, false])
    try expectEmpty(text.report.faults)
  }

  /// Escapes make the string in the input longer than its text.
  @Test func rangesReferToTheDecodedText() throws {
    let text = try parse(
      #"["\u0030   Caf\u00e9 \/\t0x1010 0x1000 + 16\r\n1   B  0x2010 \ud83e\udd8a + 2"]"#)
    let backtrace = try require(text.report.applicationSpecificBacktraces.first)
    let bytes = try require(backtrace.embeddedText)
    func part(_ range: Range<Int>?) -> String? {
      range.map { String(decoding: bytes[$0], as: UTF8.self) }
    }
    let lines = backtrace.frames.compactMap(\.line)
    expectEqual(
      backtrace.frames.map { part($0.byteRange) },
      [
        "0   Café /\t0x1010 0x1000 + 16", "1   B  0x2010 🦊 + 2",
      ])
    expectEqual(lines.map { part($0.indexRange) }, ["0", "1"])
    expectEqual(lines.map { part($0.imageNameRange) }, ["Café /", "B"])
    expectEqual(lines.map { part($0.addressRange) }, ["0x1010", "0x2010"])
    expectEqual(lines.map { part($0.contentRange) }, ["0x1000 + 16", "🦊 + 2"])
    expectTrue(text[backtrace.byteRange].hasPrefix(#""\u0030   Caf"#))
    // The image is found by the address, as for any frame.
    let report = try text.report
    expectEqual(backtrace.frames.map { report.image(for: $0)?.name }, ["A", nil])
    expectNesting(report, "escapes")
  }

  @Test(
    arguments: [
      ("", []), ("\\n\\n", []), ("no frames here", []), ("0", []), ("0   A", []),
      ("0   A 0x", []), ("0   A 0x1010", []), ("EOF", []),
      // A cut line is kept if its address is complete.
      ("0   A 0x1010 f + 1\\n1   B 0x2010 g +", [0x1010, 0x2010]),
      ("0   A 0x1010 f + 1\\n1   B 0x20", [0x1010]),
      // Damaged lines and other text between frames.
      ("0   A 0x1010 f + 1\\n1   B nothing\\n2   C 0x3010 h + 1", [0x1010, 0x3010]),
      ("\\n\\n0   A 0x1010 f + 1", [0x1010]),
      ("called from\\n0   A 0x1010 f + 1", [0x1010]),
      ("0   A 0x1010 f + 1\\n\\n1   A 0x1020 f + 1", [0x1010, 0x1020]),
      // Nothing after a heading is a frame of this backtrace.
      ("Called from:\\n0   A 0x1010 f + 1", []),
      ("0   A 0x1010 f + 1\\nThread 0:\\n0   A 0x1020 f + 1", [0x1010]),
      ("0   A 0x1010 f + 1\\nBinary Images:\\n0x1000 - 0x1fff A arm <(null)> /A", [0x1010]),
      ("0   A 0x1010 f + 1\\nEOF\\n1   A 0x1020 f + 1", [0x1010]),
    ] as [(String, [UInt64])])
  func damagedAndEmptyText(json: String, addresses: [UInt64]) throws {
    let text = try parse(#"["\#(json)"]"#)
    let report = try text.report
    let backtrace = try require(report.applicationSpecificBacktraces.first)
    expectEqual(backtrace.frames.map(\.address?.value), addresses)
    try expectEqual(self.text(of: backtrace), json.replacing("\\n", with: "\n"))
    expectEqual(text[backtrace.byteRange], "\"\(json)\"")
    // Their lines are not in the input, so the report has no range for a fault.
    expectEmpty(report.faults)
    expectEqual(report.threads.count, 1)
    expectNesting(report, json)
  }

  /// Only texts are backtraces, and only they are counted.
  @Test func elementsOfOtherKinds() throws {
    let text = try parse(#"[null,"0   A 0x1010 f + 1",{"frames":[]},"1   A 0x1020 f + 1"]"#)
    let report = try text.report
    expectEqual(report.applicationSpecificBacktraces.map(\.number), [0, 1])
    expectEqual(report.allFrames.map(\.address?.value), [0x1010, 0x1020])
    expectEqual(report.faults.map { text[$0.byteRange] }, ["null", #"{"frames":[]}"#])
    expectTrue(report.faults.allSatisfy { $0.kind == .unexpectedJsonValue })
  }

  /// A cut string is not a value, so nothing of it is read.
  @Test func aCutString() throws {
    let whole = Array(
      #"{"procName":"p","threads":[],"asiBacktraces":["0   A 0x1010 f + 1\n1   A 0x1020 f + 1"#.utf8
    )
    let text = try ParsedText(bytes: whole)
    try expectEmpty(text.report.applicationSpecificBacktraces)
    try expectEqual(text.report.faults.map(\.kind), [.damagedJson])
    try expectEqual(text.report.faults.map(\.byteRange), [whole.count..<whole.count])
  }
}
