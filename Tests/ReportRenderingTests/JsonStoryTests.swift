import Foundation
import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// The example report as JSON, made from its text and from the same report as `.ips`.
///
/// Functions, linkage names, files and lines are from `Fixtures/LetterShuffle/README.md`, columns
/// and starts of functions from `llvm-symbolizer-19 --output-style=JSON`.
struct JsonStoryTests {
  private typealias Frame = JsonReport.Frame

  private static let app = "Letter Shuffle"
  private static let folder = "/Users/builder/Letter Shuffle/"

  private static func resolved(
    _ index: Int, _ address: String, _ imageOffset: Int, _ function: String, _ rawName: String,
    _ offset: Int, _ file: String, _ line: Int, _ column: Int?, inlined: Bool = false
  ) -> JsonReport.Frame {
    JsonReport.Frame(
      index: index, inlined: inlined, address: address, image: 0, imageName: app,
      imageOffset: imageOffset, function: function, rawName: rawName, offset: offset, file: file,
      path: folder + file, line: line, column: column, origin: "dwarf")
  }

  private static func unresolved(
    _ index: Int, _ address: String, _ image: String, _ imageOffset: Int
  ) -> JsonReport.Frame {
    JsonReport.Frame(
      index: index, inlined: false, address: address, imageName: image, imageOffset: imageOffset)
  }

  private static let controller = "$s14Letter_Shuffle18GameViewControllerC"

  private static let frames = [
    resolved(
      0, "0x10024f19c", 160156, "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
      "$s14Letter_Shuffle9GameRoundC6number7letters6phrase7numRows0H4Cols8mixMovesACSi_SaySSGSSS3itcfc",
      0x2719c - 0x270f8, "<compiler-generated>", 0, nil),
    resolved(
      1, "0x1002474e0", 128224, "one-time initialization function for rounds",
      "$s14Letter_Shuffle8GameDataC6rounds_WZ", 0x1f4e0 - 0x1f498, "GameData.swift", 18, 7),
    unresolved(2, "0x1c64cc7d4", "libdispatch.dylib", 395220),
    unresolved(3, "0x1c646feb8", "libdispatch.dylib", 16056),
    unresolved(4, "0x1f44b3e40", "libswiftCore.dylib", 2_780_736),
    resolved(
      5, "0x100245798", 120728, "GameData.rounds.unsafeMutableAddressor",
      "$s14Letter_Shuffle8GameDataC6roundsSayAA0C5RoundCGvau", 0x1d798 - 0x1d768,
      "GameData.swift", 14, 5),
    resolved(
      6, "0x10024563c", 120380, "GameViewController.loadRound(_:)",
      controller + "9loadRoundyySiF", 0x1d63c - 0x1d620, "GameViewController.swift", 60, 7),
    resolved(
      7, "0x1002453f4", 119796, "GameViewController.startRound()", controller + "10startRoundyyF",
      0x1d3f4 - 0x1d3e4, "GameViewController.swift", 51, 3, inlined: true),
    resolved(
      8, "0x1002453f4", 119796, "GameViewController.viewDidLoad()",
      controller + "11viewDidLoadyyF", 0x1d3f4 - 0x1d3cc, "GameViewController.swift", 37, 3),
    resolved(
      9, "0x100245520", 120096, "@objc GameViewController.viewDidLoad()",
      controller + "11viewDidLoadyyFTo", 0x1d520 - 0x1d504, "<compiler-generated>", 0, nil),
    unresolved(10, "0x1f2b23224", "UIKitCore", 3_224_100),
    unresolved(11, "0x1f2b23628", "UIKitCore", 3_225_128),
  ]

  private func story() throws -> JsonReport {
    try JsonFixture.report(String(decoding: try JsonFixture.story, as: UTF8.self))
  }

  @Test func bothFormatsGiveTheSameFrames() throws {
    for report in [try story(), try JsonFixture.report(JsonFixture.ips)] {
      try require(report.backtraces.count == 1)
      let thread = report.backtraces[0]
      expectEqual(thread.kind, "thread")
      expectEqual(thread.number, 0)
      expectTrue(thread.crashed)
      expectTrue(thread.name == nil && thread.queue == "com.apple.main-thread")
      for (frame, expected) in zip(thread.frames, Self.frames) {
        var expected = expected
        // The two formats list different images.
        if expected.function == nil { expected.image = frame.image }
        expectEqual(frame, expected)
        let image = try require(frame.image.map { report.images[$0] })
        expectEqual(image.name, expected.imageName)
      }
      expectEqual(thread.frames.count, Self.frames.count)
      expectEqual(report.counts, .init(frames: 11, resolved: 6, unresolved: 5))
    }
  }

  @Test func bothFormatsGiveTheSameFacts() throws {
    let (text, ips) = (try story(), try JsonFixture.report(JsonFixture.ips))
    expectEqual(text.format, "crashTextWithJsonHeader")
    expectEqual(ips.format, "ips")
    expectEqual(text.bugType, "109")
    expectEqual(ips.bugType, "309")
    expectEqual(text.process.version, "6 (1.3)")
    expectEqual(ips.process.version, "1.3 (6)")
    for report in [text, ips] {
      expectEqual(report.incident, "DAB41DAD-9A48-42B0-9115-7AB25B8FC81F")
      expectEqual(report.date, "2019-07-31 11:32:24.3585 -0700")
      expectEqual(report.launchDate, "2019-07-31 11:32:24.1648 -0700")
      expectEqual(report.hardwareModel, "xxx")
      expectEqual(report.crashReporterKey, "2b4341567d2bf6ee1c2ada8d72b26769dd6a74ff")
      expectEqual(report.process.name, "Letter Shuffle")
      expectEqual(report.process.pid, 57833)
      expectEqual(report.process.path?.hasSuffix("/Letter Shuffle.app/Letter Shuffle"), true)
      expectEqual(report.process.identifier, "com.taubler.lettershuffle")
      expectEqual(report.process.shortVersion, "1.3")
      expectEqual(report.process.bundleVersion, "6")
      expectEqual(report.process.role, "Non UI")
      expectEqual(report.parentProcess, .init(name: "launchd", pid: 1))
      expectEqual(report.os.name, "iPhone OS")
      expectEqual(report.os.version, "12.4")
      expectEqual(report.os.build, "16G77")
      expectEqual(report.architecture, "arm64")
      expectEqual(report.codeType, "ARM-64")
      expectEqual(report.translated, false)
      expectEqual(report.exception.type, "EXC_BREAKPOINT")
      expectEqual(report.exception.signal, "SIGTRAP")
      expectEqual(report.exception.codes, ["0x1", "0x10024f19c"])
      expectTrue(report.exception.subtype == nil && report.exception.reason == nil)
      expectEqual(report.termination.namespace, "SIGNAL")
      expectEqual(report.termination.code, "0x5")
      expectEqual(report.termination.indicator, "Trace/BPT trap: 5")
      expectEqual(report.termination.process, .init(name: "exc handler", pid: 57833))
      expectEmpty(report.termination.details)
      expectEmpty(report.applicationSpecificInformation)
      expectEqual(report.crashedThread, 0)
      expectEmpty(report.faults)
    }
    expectEqual(
      text.fields.first { $0.name == "Coalition" }?.value, "com.taubler.lettershuffle [5459]")
    expectEqual(text.fields.count, 23)
    expectEqual(ips.fields.first { $0.name == "faultingThread" }?.value, "0")
    expectEqual(ips.fields.first { $0.name == "translated" }?.value, "false")
  }

  @Test func imagesAndWhatIsMissing() throws {
    let report = try story()
    let app = try require(report.images.first)
    expectEqual(app.uuid, "A4B1DE49-70B3-301D-A644-58D6BC22F513")
    expectEqual(app.architecture, "arm64")
    expectEqual(app.loadAddress, "0x100228000")
    expectEqual(app.lastAddress, "0x10026bfff")
    expectFalse(app.system)
    expectTrue(app.listed)
    expectEqual(app.symbolFile, Fixtures.storyDwarfFile)
    expectEqual(app.matchedBy, "uuid")
    // The four listed images, and the three that were cut from the list.
    expectEqual(report.images.map(\.listed), [true, true, true, true, false, false, false])
    expectTrue(report.images.dropFirst().allSatisfy { $0.system && $0.symbolFile == nil })
    expectTrue(report.images[4].lastAddress == nil && report.images[4].uuid == nil)
    expectEqual(report.missingSymbols.map(\.image), [4, 5, 6])
    expectEqual(
      report.missingSymbols.map(\.name), ["libdispatch.dylib", "libswiftCore.dylib", "UIKitCore"])
    expectEqual(report.missingSymbols.map(\.frames), [2, 1, 2])
    expectEqual(report.missingSymbols.map(\.reason), Array(repeating: "noSymbolFile", count: 3))

    let directory = try TemporaryDirectory()
    try directory.copy(Fixtures.path("MachO/shapes-arm64"), to: "Letter Shuffle")
    let unfit = try JsonFixture.document(try JsonFixture.story, with: [directory.path])
    let missing = try require(unfit.reports.first?.missingSymbols.first)
    expectEqual(missing.uuid, app.uuid)
    expectEqual(missing.frames, 6)
    expectEqual(missing.reason, "otherBuild")
    expectFalse(missing.system)
    expectEqual(
      missing.otherBuilds,
      [
        .init(
          path: directory.path("Letter Shuffle"), uuid: "4C4C4421-5555-3144-A1AE-D843571BB5E2",
          architecture: "arm64")
      ])
    expectEqual(unfit.counts, .init(frames: 11, unresolved: 11))
  }

  @Test func optionsLeaveFramesAndThreadsOut() throws {
    var options = SymbolicationOptions()
    options.onlyUserCode = true
    let own = try require(
      JsonFixture.document(try JsonFixture.story, options: options).reports.first)
    expectEqual(own.backtraces[0].frames, Self.frames.filter { $0.function != nil })
    expectEqual(own.counts, .init(frames: 6, resolved: 6))
    expectEmpty(own.missingSymbols)

    options = SymbolicationOptions()
    options.showsInlinedFrames = false
    let flat = try JsonFixture.document(try JsonFixture.story, options: options).reports[0]
    expectEqual(flat.backtraces[0].frames.map(\.index), Array(0...10))
    expectEqual(flat.backtraces[0].frames[7].function, "GameViewController.viewDidLoad()")
    expectEqual(flat.backtraces[0].frames[7].line, 37)

    options = SymbolicationOptions()
    options.threads = .numbered([3])
    let none = try JsonFixture.document(try JsonFixture.story, options: options).reports[0]
    expectEmpty(none.backtraces)
    expectEqual(none.counts, .init())
    expectEqual(none.crashedThread, 0)
  }

  @Test func aReportThatWasSymbolicatedBefore() throws {
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle])
    for input in [try JsonFixture.story, Array(JsonFixture.ips.utf8)] {
      let symbolicated = job.symbolicate(input, shownPath: "report").output
      let report = try JsonFixture.document(symbolicated, with: []).reports[0]
      let frames = report.backtraces[0].frames
      expectEqual(frames.map(\.index), Array(0...11))
      expectEqual(frames.map(\.function), Self.frames.map(\.function))
      expectEqual(frames.map(\.file), Self.frames.map(\.file))
      expectEqual(frames.map(\.line), Self.frames.map(\.line))
      expectEqual(frames.map(\.offset), Self.frames.map(\.offset))
      expectEqual(frames.map(\.inlined), Self.frames.map(\.inlined))
      expectEqual(frames.map(\.origin), Self.frames.map { $0.function == nil ? nil : "report" })
      expectTrue(frames.allSatisfy { $0.rawName == nil && $0.path == nil })
      expectEqual(report.counts, .init(frames: 12, named: 7, unresolved: 5))

      // When looked up again, the frames of inlined calls are replaced by the calls found.
      var options = SymbolicationOptions()
      options.resymbolicates = true
      let again = try JsonFixture.document(symbolicated, options: options).reports[0]
      let functions = again.backtraces[0].frames.filter { $0.function != nil }
      expectEqual(functions, Self.frames.filter { $0.function != nil })
    }
  }
}

extension JsonFixture {
  fileprivate static func document(
    _ input: [UInt8], options: SymbolicationOptions
  ) throws -> JsonDocument {
    try document(input, with: [Fixtures.storyBundle], options)
  }
}
