import Foundation
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Reports of other shapes as JSON. Expected values are read off the texts.
struct JsonShapeTests {
  @Test func spelling() throws {
    let text = JsonFixture.output(try JsonFixture.story)
    expectTrue(
      text.hasPrefix(
        """
        {
          "schema": "symbolicate-report",
          "version": 1,
          "input": "report",
          "reports": [
            {
              "format": "crashTextWithJsonHeader",
              "event": "crash",
              "eventExtent": null,
              "incident": "DAB41DAD-9A48-42B0-9115-7AB25B8FC81F",

        """))
    expectSuffix(text, "    \"unresolved\": 5\n  }\n}\n")
    expectContains(text, "      \"applicationSpecificInformation\": [],\n")
    expectContains(text, "/Users/builder/Letter Shuffle/GameData.swift")
    let line = JsonFixture.output(try JsonFixture.story, as: .ndjson)
    expectTrue(
      line.hasPrefix(#"{"schema":"symbolicate-report","version":1,"input":"report","format":"#))
    expectSuffix(line, "\"faults\":[]}\n")
    expectEqual(line.split(separator: "\n").count, 1)
  }

  @Test func aLineForEachReport() throws {
    let fragment = "0   Letter Shuffle 0x000000010024f19c 0x100228000 + 160156\n"
    let input = Array((String(decoding: try JsonFixture.story, as: UTF8.self)).utf8)
    let other = ReportFixture.report(frames: [ReportFixture.frame(0, 0x1_0024_5798)])
    let all =
      input + Array("\n\(other)\n".utf8)
      + Array(JsonFixture.ips.replacing("DAB41DAD", with: "0").utf8)
    let document = try JsonFixture.document(all)
    let lines = JsonFixture.output(all, as: .ndjson).split(separator: "\n")
    expectEqual(document.reports.map(\.format), ["crashTextWithJsonHeader", "crashText", "ips"])
    expectEqual(document.counts, .init(frames: 23, resolved: 13, unresolved: 10))
    try require(lines.count == 3)
    for (line, report) in zip(lines, document.reports) {
      let single = try JSONDecoder().decode(JsonReport.self, from: Data(line.utf8))
      expectEqual(single.backtraces, report.backtraces)
      expectEqual(single.incident, report.incident)
    }
    let alone = try JsonFixture.report(fragment)
    expectTrue(alone.format == "frameFragment" && alone.crashedThread == nil)
    expectTrue(alone.backtraces[0].number == nil && !alone.backtraces[0].crashed)
    expectEqual(alone.backtraces[0].frames[0].line, 0)
    expectEqual(alone.images.map(\.matchedBy), ["name"])
    expectTrue(alone.process.name == nil && alone.os.name == nil && alone.fields.isEmpty)
  }

  /// Console writes the text that it made from a report, followed by the report.
  @Test func theTextOfAnIncidentIsLeftOutBesideItsJson() throws {
    let text = String(decoding: try JsonFixture.story, as: UTF8.self)
    func formats(_ text: String) throws -> [String] {
      try JsonFixture.document((text + "\n" + JsonFixture.ips).utf8).reports.map(\.format)
    }
    try expectEqual(formats(text), ["ips"])
    try expectEqual(
      formats(text.replacing("DAB41DAD", with: "0")), ["crashTextWithJsonHeader", "ips"])
    // On macOS the text has no identifier, so process and time identify the crash.
    let start = try require(text.range(of: "CrashReporter Key"))
    let nameless = String(text[start.lowerBound...])
    try expectEqual(formats(nameless), ["ips"])
    try expectEqual(formats(nameless.replacing("24.3585", with: "24.3586")), ["crashText", "ips"])
    try expectEqual(formats(nameless.replacing("57833", with: "57834")), ["crashText", "ips"])
    // Two texts are two reports.
    try expectEqual(JsonFixture.document((text + "\n" + text).utf8).reports.count, 2)
    let block = JsonFixture.output((text + "\n" + JsonFixture.ips).utf8, as: .summary)
    expectFalse(block.contains("\n\n"))
  }

  /// The stub of `_spread` is at 0x100004060 (`llvm-objdump-19 --macho --indirect-symbols`); the
  /// UUID is from `llvm-otool-19 -l`.
  @Test func symbolStubs() throws {
    let report = try JsonFixture.report(
      ReportFixture.report(
        frames: [ReportFixture.frame(0, 0x1_0400_4064, image: "calls", base: 0x1_0400_0000)],
        images: [
          "0x104000000 - 0x10400ffff calls arm64  <4c4c441e55553144a1b1fd70df1439dd> /var/calls"
        ]), with: [Fixtures.path("MachO/calls-arm64-stripped")])
    let frame = try require(report.backtraces[0].frames.first)
    expectEqual(frame.function, "DYLD-STUB$$spread")
    expectEqual(frame.rawName, "_spread")
    expectTrue(frame.offset == 4 && frame.file == nil && frame.origin == "symbolStub")
  }

  @Test func originsOfFrames() throws {
    let report = try JsonFixture.report(
      ReportFixture.report(frames: [
        // Only the symbol table has TileView.layoutTiles().
        ReportFixture.frame(0, 0x1_0023_2004),
        ReportFixture.line(1, 0x1_0024_563c, "GameViewController.loadRound(Int) -> () + 28"),
        ReportFixture.line(2, 0x1_0024_5798, "f + 1 (dir/f.swift:3)"),
        ReportFixture.line(3, 0x1_0024_5798, "GameViewController + -1 (:-1)"),
        ReportFixture.line(4, 0xdead_beef_0000, image: "???", "???"),
        ReportFixture.line(5, 0x1_0024_5798, "<redacted> + 8"),
      ]))
    let frames = report.backtraces[0].frames
    try require(frames.count == 6)
    expectEqual(
      frames.map(\.origin), ["symbolTable", "reportAndLineTable", "report", "dwarf", nil, "dwarf"])
    expectTrue(frames[0].function == "TileView.layoutTiles()" && frames[0].offset == 4)
    expectEqual(frames[0].rawName, "_$s14Letter_Shuffle8TileViewC11layoutTilesyyF")
    expectTrue(frames[0].file == nil && frames[0].line == nil)
    expectEqual(frames[1].function, "GameViewController.loadRound(Int) -> ()")
    expectEqual(frames[1].rawName, "$s14Letter_Shuffle18GameViewControllerC9loadRoundyySiF")
    expectTrue(frames[1].file == "GameViewController.swift" && frames[1].line == 60)
    expectTrue(frames[2].function == "f" && frames[2].offset == 1)
    expectTrue(
      frames[2].file == "f.swift" && frames[2].path == "dir/f.swift" && frames[2].line == 3)
    expectTrue(frames[4].function == nil && frames[4].image == nil && frames[4].imageName == nil)
    expectTrue(frames[4].address == "0xdeadbeef0000" && frames[4].imageOffset == nil)
    expectEqual(frames[5].function, "GameData.rounds.unsafeMutableAddressor")
    expectEqual(report.counts, .init(frames: 6, named: 3, completed: 1, resolved: 2, unresolved: 1))
  }

  @Test func numbersThatReadersWouldRound() throws {
    let body =
      #"{"procName":"A","pid":9007199254740991,"parentPid":9007199254740992,"exception":{"rawCodes":[18446744073709551615]},"termination":{"code":18446744073709551615},"threads":[{"frames":[{"imageOffset":9007199254740992,"imageIndex":0,"symbol":"a","symbolLocation":9007199254740991}]}],"usedImages":[{"base":9223372036854775808,"size":9223372036854775807,"name":"A"}]}"#
    let report = try JsonFixture.report(body)
    expectEqual(report.process.pid, 9_007_199_254_740_991)
    expectNil(report.parentProcess.pid)
    expectEqual(report.exception.codes, ["0xffffffffffffffff"])
    expectEqual(report.termination.code, "0xffffffffffffffff")
    let frame = report.backtraces[0].frames[0]
    expectTrue(frame.address == "0x8020000000000000" && frame.imageOffset == nil)
    expectEqual(frame.offset, 9_007_199_254_740_991)
    expectEqual(report.images[0].loadAddress, "0x8000000000000000")
    expectEqual(report.images[0].lastAddress, "0xfffffffffffffffe")
  }

  @Test func charactersToEscape() throws {
    let body =
      #"{"procName":"a\"\\\u001b\n\u007f\u009bé","threads":[{"name":"\ud800","frames":[{"imageOffset":0,"imageIndex":0,"symbol":"\u2028<\t>","symbolLocation":0}]}],"usedImages":[{"base":4096,"size":16,"name":"A"}]}"#
    let report = try JsonFixture.report(body)
    expectEqual(report.process.name, "a\"\\\u{1b}\n\u{7f}\u{9b}é")
    expectEqual(report.backtraces[0].name, "\u{fffd}")
    expectEqual(report.backtraces[0].frames[0].function, "\u{2028}<\t>")
    let text = JsonFixture.output(body.utf8)
    expectTrue(text.contains(#""a\"\\\u001b\n\u007f\u009bé""#))
    expectTrue(
      text.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
  }

  @Test func damageIsReportedWithItsOffset() throws {
    let text = """
      Process: A [1]
      Report Version: 104

      Thread 0 Crashed:
      0   A   0x0000000000001000 0x1000 + 0
      1   A   nonsense

      """
    let report = try JsonFixture.report(text)
    let place = text.utf8.count - "1   A   nonsense\n".utf8.count
    expectEqual(report.faults, [.init(kind: "unreadableFrame", offset: place, length: 16)])
  }

  /// Neither the entry for addresses without an image nor the shared cache as a whole is listed.
  @Test func entriesThatAreNotImagesAreNotListed() throws {
    let pseudo =
      "0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???"
    let text = ReportFixture.report(
      frames: [
        ReportFixture.frame(0, 0x1_0024_5798), ReportFixture.line(1, 0x42, image: "???", "???"),
      ],
      images: [pseudo, ReportFixture.storyLine])
    let report = try JsonFixture.report(text)
    expectEqual(report.images.map(\.name), ["Letter Shuffle"])
    expectEqual(report.backtraces[0].frames.map(\.image), [0, nil])
    let cache =
      #"{"source":"S","base":6442450944,"size":4294967296,"uuid":"00112233-4455-6677-8899-aabbccddeeff"},"#
    let ips = JsonFixture.ips.replacing(
      #"{"source":"A""#, with: cache + #"{"source":"A""#)
    try expectEqual(
      JsonFixture.report(ips).images.map(\.name),
      ["Letter Shuffle", "libdispatch.dylib", "libswiftCore.dylib", "UIKitCore"])
  }

  @Test func backtracesThatBelongToNoThread() throws {
    let text = """
      Process: A [1]
      Code Type: ARM-64
      Report Version: 104

      Last Exception Backtrace:
      (0x10024563c 0x100245798)

      Application Specific Backtrace 1:
      0   Letter Shuffle   0x0000000100245798 0x100228000 + 120728

      Thread 3 name:  worker
      Thread 3 Crashed:
      7   Letter Shuffle   0x0000000100245798 0x100228000 + 120728

      Binary Images:
      \(ReportFixture.storyLine)

      """
    let report = try JsonFixture.report(text)
    let backtraces = report.backtraces
    expectEqual(backtraces.map(\.kind), ["lastException", "applicationSpecific", "thread"])
    expectEqual(backtraces.map(\.number), [nil, 1, 3])
    expectEqual(backtraces.map(\.name), [nil, nil, "worker"])
    expectEqual(backtraces.map(\.crashed), [false, false, true])
    expectEqual(backtraces.map { $0.frames.map(\.index) }, [[0, 1], [0], [7]])
    // The first address is the program counter, the second a return address.
    expectEqual(backtraces[0].frames.map(\.line), [61, 14])
    expectTrue(report.crashedThread == 3 && report.translated == nil)
  }
}
