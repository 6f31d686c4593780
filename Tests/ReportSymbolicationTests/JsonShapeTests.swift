import Foundation
import ReportSymbolication
import TestSupport
import Testing

/// Reports of other shapes as JSON. Expected values are read off the texts.
struct JsonShapeTests {
  @Test func spelling() throws {
    let text = JsonFixture.output(try JsonFixture.story)
    #expect(
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
    #expect(text.hasSuffix("    \"unresolved\": 5\n  }\n}\n"))
    #expect(text.contains("      \"applicationSpecificInformation\": [],\n"))
    #expect(text.contains("/Users/builder/Letter Shuffle/GameData.swift"))
    let line = JsonFixture.output(try JsonFixture.story, as: .ndjson)
    #expect(
      line.hasPrefix(#"{"schema":"symbolicate-report","version":1,"input":"report","format":"#))
    #expect(line.hasSuffix("\"faults\":[]}\n"))
    #expect(line.split(separator: "\n").count == 1)
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
    #expect(document.reports.map(\.format) == ["crashTextWithJsonHeader", "crashText", "ips"])
    #expect(document.counts == .init(frames: 23, resolved: 13, unresolved: 10))
    try #require(lines.count == 3)
    for (line, report) in zip(lines, document.reports) {
      let single = try JSONDecoder().decode(JsonReport.self, from: Data(line.utf8))
      #expect(single.backtraces == report.backtraces && single.incident == report.incident)
    }
    let alone = try JsonFixture.report(fragment)
    #expect(alone.format == "frameFragment" && alone.crashedThread == nil)
    #expect(alone.backtraces[0].number == nil && !alone.backtraces[0].crashed)
    #expect(alone.backtraces[0].frames[0].line == 0)
    #expect(alone.images.map(\.matchedBy) == ["name"])
    #expect(alone.process.name == nil && alone.os.name == nil && alone.fields.isEmpty)
  }

  /// Console writes the text that it made from a report, followed by the report.
  @Test func theTextOfAnIncidentIsLeftOutBesideItsJson() throws {
    let text = String(decoding: try JsonFixture.story, as: UTF8.self)
    func formats(_ text: String) throws -> [String] {
      try JsonFixture.document((text + "\n" + JsonFixture.ips).utf8).reports.map(\.format)
    }
    #expect(try formats(text) == ["ips"])
    #expect(
      try formats(text.replacing("DAB41DAD", with: "0")) == ["crashTextWithJsonHeader", "ips"])
    // On macOS the text has no identifier, so process and time identify the crash.
    let start = try #require(text.range(of: "CrashReporter Key"))
    let nameless = String(text[start.lowerBound...])
    #expect(try formats(nameless) == ["ips"])
    #expect(try formats(nameless.replacing("24.3585", with: "24.3586")) == ["crashText", "ips"])
    #expect(try formats(nameless.replacing("57833", with: "57834")) == ["crashText", "ips"])
    // Two texts are two reports.
    #expect(try JsonFixture.document((text + "\n" + text).utf8).reports.count == 2)
    let block = JsonFixture.output((text + "\n" + JsonFixture.ips).utf8, as: .summary)
    #expect(!block.contains("\n\n"))
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
    let frame = try #require(report.backtraces[0].frames.first)
    #expect(frame.function == "DYLD-STUB$$spread" && frame.rawName == "_spread")
    #expect(frame.offset == 4 && frame.file == nil && frame.origin == "symbolStub")
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
    try #require(frames.count == 6)
    #expect(
      frames.map(\.origin)
        == ["symbolTable", "reportAndLineTable", "report", "dwarf", nil, "dwarf"])
    #expect(frames[0].function == "TileView.layoutTiles()" && frames[0].offset == 4)
    #expect(frames[0].rawName == "_$s14Letter_Shuffle8TileViewC11layoutTilesyyF")
    #expect(frames[0].file == nil && frames[0].line == nil)
    #expect(frames[1].function == "GameViewController.loadRound(Int) -> ()")
    #expect(frames[1].rawName == "$s14Letter_Shuffle18GameViewControllerC9loadRoundyySiF")
    #expect(frames[1].file == "GameViewController.swift" && frames[1].line == 60)
    #expect(frames[2].function == "f" && frames[2].offset == 1)
    #expect(frames[2].file == "f.swift" && frames[2].path == "dir/f.swift" && frames[2].line == 3)
    #expect(frames[4].function == nil && frames[4].image == nil && frames[4].imageName == nil)
    #expect(frames[4].address == "0xdeadbeef0000" && frames[4].imageOffset == nil)
    #expect(frames[5].function == "GameData.rounds.unsafeMutableAddressor")
    #expect(
      report.counts == .init(frames: 6, named: 3, completed: 1, resolved: 2, unresolved: 1))
  }

  @Test func numbersThatReadersWouldRound() throws {
    let body =
      #"{"procName":"A","pid":9007199254740991,"parentPid":9007199254740992,"exception":{"rawCodes":[18446744073709551615]},"termination":{"code":18446744073709551615},"threads":[{"frames":[{"imageOffset":9007199254740992,"imageIndex":0,"symbol":"a","symbolLocation":9007199254740991}]}],"usedImages":[{"base":9223372036854775808,"size":9223372036854775807,"name":"A"}]}"#
    let report = try JsonFixture.report(body)
    #expect(report.process.pid == 9_007_199_254_740_991)
    #expect(report.parentProcess.pid == nil)
    #expect(report.exception.codes == ["0xffffffffffffffff"])
    #expect(report.termination.code == "0xffffffffffffffff")
    let frame = report.backtraces[0].frames[0]
    #expect(frame.address == "0x8020000000000000" && frame.imageOffset == nil)
    #expect(frame.offset == 9_007_199_254_740_991)
    #expect(report.images[0].loadAddress == "0x8000000000000000")
    #expect(report.images[0].lastAddress == "0xfffffffffffffffe")
  }

  @Test func charactersToEscape() throws {
    let body =
      #"{"procName":"a\"\\\u001b\n\u007f\u009bé","threads":[{"name":"\ud800","frames":[{"imageOffset":0,"imageIndex":0,"symbol":"\u2028<\t>","symbolLocation":0}]}],"usedImages":[{"base":4096,"size":16,"name":"A"}]}"#
    let report = try JsonFixture.report(body)
    #expect(report.process.name == "a\"\\\u{1b}\n\u{7f}\u{9b}é")
    #expect(report.backtraces[0].name == "\u{fffd}")
    #expect(report.backtraces[0].frames[0].function == "\u{2028}<\t>")
    let text = JsonFixture.output(body.utf8)
    #expect(text.contains(#""a\"\\\u001b\n\u007f\u009bé""#))
    #expect(
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
    #expect(report.faults == [.init(kind: "unreadableFrame", offset: place, length: 16)])
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
    #expect(report.images.map(\.name) == ["Letter Shuffle"])
    #expect(report.backtraces[0].frames.map(\.image) == [0, nil])
    let cache =
      #"{"source":"S","base":6442450944,"size":4294967296,"uuid":"00112233-4455-6677-8899-aabbccddeeff"},"#
    let ips = JsonFixture.ips.replacing(
      #"{"source":"A""#, with: cache + #"{"source":"A""#)
    #expect(
      try JsonFixture.report(ips).images.map(\.name)
        == ["Letter Shuffle", "libdispatch.dylib", "libswiftCore.dylib", "UIKitCore"])
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
    #expect(backtraces.map(\.kind) == ["lastException", "applicationSpecific", "thread"])
    #expect(backtraces.map(\.number) == [nil, 1, 3])
    #expect(backtraces.map(\.name) == [nil, nil, "worker"])
    #expect(backtraces.map(\.crashed) == [false, false, true])
    #expect(backtraces.map { $0.frames.map(\.index) } == [[0, 1], [0], [7]])
    // The first address is the program counter, the second a return address.
    #expect(backtraces[0].frames.map(\.line) == [61, 14])
    #expect(report.crashedThread == 3 && report.translated == nil)
  }
}
