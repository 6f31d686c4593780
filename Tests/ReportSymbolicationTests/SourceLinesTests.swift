import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Source lines in each output format. Files and lines of frames are from
/// `Fixtures/LetterShuffle/README.md`; the tests write the sources.
struct SourceLinesTests {
  private let directory: TemporaryDirectory

  /// `GameData.swift`, the only source file. Its lines contain everything that could break a
  /// report.
  init() throws {
    directory = try TemporaryDirectory()
    try write()
  }

  private static let lines = (1...30).map { number in
    switch number {
    case 13: "1   App   0x0000000100000000 f + 1 (f.swift:3)"
    case 15: "\tThread 5 Crashed:"
    case 17: ""
    case 18: "Binary Images:"
    case 19: "0x1000 - 0x2000 App arm64 <00112233445566778899aabbccddeeff> /App"
    default: "line \(number)"
    }
  }

  private func write(_ lines: [String] = lines) throws {
    try directory.write(lines.map { $0 + "\n" }.joined().utf8, to: "GameData.swift")
  }

  private func options(_ count: Int = 1) throws -> SymbolicationOptions {
    var options = SymbolicationOptions()
    options.sourceContext = SourceContext(lineCount: count)
    options.sourcePaths = SourcePathRules(
      mappings: [try require(PathMapping("/Users/builder/Letter Shuffle=\(directory.path)"))],
      strippedPrefixes: [try require(PathPrefix(directory.path))])
    return options
  }

  private static let initializerLines = """
            17│
          > 18│ Binary Images:
            19│ 0x1000 - 0x2000 App arm64 <00112233445566778899aabbccddeeff> /App

    """

  private static let accessorLines = """
            13│ 1   App   0x0000000100000000 f + 1 (f.swift:3)
          > 14│ line 14
            15│     Thread 5 Crashed:

    """

  private static func golden(_ initializer: String, _ accessor: String) throws -> String {
    let path = "\(Fixtures.packageDirectory)/Tests/EndToEndTests/Expected/letter-shuffle.crash"
    return String(decoding: try Fixtures.bytes(of: path), as: UTF8.self)
      .replacing("(GameData.swift:18)\n", with: "(GameData.swift:18)\n" + initializer)
      .replacing("(GameData.swift:14)\n", with: "(GameData.swift:14)\n" + accessor)
  }

  private static func golden() throws -> String { try golden(initializerLines, accessorLines) }

  private func result(
    _ input: String, _ form: OutputForm = .auto, _ options: SymbolicationOptions
  ) -> ReportJob.Result {
    var job = ReportJob(symbolPaths: [Fixtures.storyBundle], options: options, form: form)
    return job.symbolicate(Array(input.utf8), shownPath: "report")
  }

  @Test func belowFramesOfText() throws {
    let story = String(decoding: try JsonFixture.story, as: UTF8.self)
    for form in [OutputForm.auto, .crash] {
      let result = try result(story, form, options())
      try expectEqual(String(decoding: result.output, as: UTF8.self), Self.golden())
      expectEqual(
        result.notes.last,
        "no source lines for 3 frames: files such as \(directory.path)/GameViewController.swift are not on this machine; use --map-path OLD=NEW to say where they are"
      )
    }
  }

  /// Source lines in the input are kept, not read as anything else, and replaced if their frame is.
  @Test func textIsReadAgain() throws {
    let golden = try Self.golden()
    expectEqual(JsonFixture.output(golden.utf8, as: .auto, with: [], try options()), golden)
    expectEqual(JsonFixture.output(golden.utf8, as: .auto), golden)
    expectEqual(JsonFixture.output(golden.utf8, as: .auto, try options().resymbolicating), golden)
    let frames = try JsonFixture.report(golden, with: []).backtraces[0].frames
    expectEqual(frames.map(\.index), Array(0..<12))
    try expectEmpty(JsonFixture.report(golden, with: []).faults)
    try expectEqual(
      JsonFixture.report(golden, with: []).images.map(\.name),
      JsonFixture.report(Self.golden("", ""), with: []).images.map(\.name))
    let smaller = try Self.golden("      > 18│ Binary Images:\n", "      > 14│ line 14\n")
    expectEqual(JsonFixture.output(golden.utf8, as: .auto, try options(0).resymbolicating), smaller)
    expectEqual(JsonFixture.output(smaller.utf8, as: .auto, try options(1).resymbolicating), golden)
    // The old lines would not fit the new answer.
    var plain = SymbolicationOptions()
    plain.resymbolicates = true
    try expectEqual(JsonFixture.output(golden.utf8, as: .auto, plain), Self.golden("", ""))
  }

  @Test func belowInlinedCallsToo() throws {
    try directory.write(
      (1...60).map { "\($0)\n" }.joined().utf8, to: "GameViewController.swift")
    let report = ReportFixture.report(frames: [
      ReportFixture.frame(0, 0x1_0024_f19c), ReportFixture.frame(1, 0x1_0024_53f4),
    ])
    let expected = """
      1   Letter Shuffle                0x00000001002453f4 GameViewController.startRound() + 16 (GameViewController.swift:51) [inlined]
            > 51│ 51
      2   Letter Shuffle                0x00000001002453f4 GameViewController.viewDidLoad() + 40 (GameViewController.swift:37)
            > 37│ 37

      """
    let once = JsonFixture.output(report.utf8, as: .auto, try options(0))
    expectTrue(once.contains(expected))
    expectEqual(JsonFixture.output(once.utf8, as: .auto, try options(0).resymbolicating), once)
    // Without the inlined call, its source lines are removed, too.
    var outer = try options(0).resymbolicating
    outer.showsInlinedFrames = false
    let without = JsonFixture.output(once.utf8, as: .auto, outer)
    expectTrue(!without.contains("51│") && without.contains(":37)\n      > 37│ 37\n\n"))
    expectEqual(without, JsonFixture.output(report.utf8, as: .auto, outer))
  }

  @Test func lineEndsAreThoseOfTheReport() throws {
    let report = ReportFixture.report(frames: [
      ReportFixture.frame(0, 0x1_0024_f19c), ReportFixture.frame(1, 0x1_0024_5798),
    ])
    let crlf = JsonFixture.output(
      report.replacing("\n", with: "\r\n").utf8, as: .auto, try options(0))
    expectContains(crlf, "(GameData.swift:14)\r\n      > 14│ line 14\r\n\r\nBinary Images:")
    expectEqual(JsonFixture.output(crlf.utf8, as: .auto, try options(0).resymbolicating), crlf)
    // Frames alone, without a line end at the end.
    let fragment = "1   Letter Shuffle 0x0000000100245798 0x100228000 + 120728"
    let open = JsonFixture.output(fragment.utf8, as: .auto, try options(0))
    expectSuffix(open, "+ 48 (GameData.swift:14)\n      > 14│ line 14")
    let two = fragment + "\n2   Letter Shuffle 0x0000000100245798 0x100228000 + 120728\n"
    let twice = JsonFixture.output(two.utf8, as: .auto, try options(0))
    expectEqual(twice.split(separator: "\n").count, 4)
  }

  @Test func inAddressLists() throws {
    let report = ReportFixture.report(frames: [ReportFixture.frame(0, 0x1_0024_f19c)]).replacing(
      "Thread 0 Crashed:",
      with: "Last Exception Backtrace:\n(0x10024f19c 0x100245798 0x10024f19c)\n\nThread 0 Crashed:")
    let output = JsonFixture.output(report.utf8, as: .auto, try options(0))
    expectTrue(
      output.contains(
        "(GameData.swift:14)\n      > 14│ line 14\n2   Letter Shuffle                \t0x000000010024f19c "
      ))
    expectEqual(JsonFixture.output(output.utf8, as: .auto, try options(0).resymbolicating), output)
  }

  @Test func inTranslationsAndNotInIps() throws {
    let translated = try result(JsonFixture.ips, .crash, options())
    let text = String(decoding: translated.output, as: UTF8.self)
    expectContains(text, "+ 72 (GameData.swift:18)\n\(Self.initializerLines)2   libdispatch")
    expectContains(text, "+ 48 (GameData.swift:14)\n\(Self.accessorLines)6   Letter Shuffle")
    expectEqual(JsonFixture.output(text.utf8, as: .auto, with: [], try options()), text)
    let spliced = try result(JsonFixture.ips, .auto, options())
    var plain = try options()
    plain.sourceContext = nil
    expectEqual(spliced.output, result(JsonFixture.ips, .auto, plain).output)
    expectEqual(
      spliced.notes.last,
      "source lines cannot be added to an .ips; use --format crash or json, or --summary"
    )
    expectFalse(spliced.notes.contains { $0.contains("not on this machine") })
  }

  @Test func theMessageNamesTheKindOfReport() throws {
    let trace = """
      *** *** *** *** *** *** *** *** *** *** *** *** *** *** *** ***
      Build fingerprint: 'a/b/c'
      pid: 1, tid: 1, name: app  >>> app <<<
      signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0
      backtrace:
            #00 pc 0000000000001234  /data/app/lib/arm64/libapp.so
      """
    let notes = try result(trace, .auto, options()).notes
    let message = notes.first { $0.hasPrefix("source lines cannot be added") } ?? ""
    expectPrefix(message, "source lines cannot be added to a report of this kind (")
    expectSuffix(message, "); use --format json, or --summary")
  }

  /// Below the first of the app's own frames that has them.
  @Test func inTheSummary() throws {
    for input in [String(decoding: try JsonFixture.story, as: UTF8.self), JsonFixture.ips] {
      let text = String(decoding: try result(input, .summary, options()).output, as: UTF8.self)
      expectContains(text, "(GameData.swift:18)\n\(Self.initializerLines)   2  libdispatch")
      expectContains(text, "(GameData.swift:14)\n   6  Letter")
    }
  }

  @Test func inJson() throws {
    for input in [try JsonFixture.story, Array(JsonFixture.ips.utf8)] {
      let frames = try JsonFixture.document(input, try options()).reports[0].backtraces[0].frames
      expectEqual(frames[5].source, .init(firstLine: 13, lines: Array(Self.lines[12...14])))
      expectEqual(frames[1].source?.firstLine, 17)
      expectEqual(frames.filter { $0.source != nil }.map(\.index), [1, 5])
    }
    let plain = JsonFixture.output(try JsonFixture.story, as: .ndjson)
    expectTrue(plain.contains(#""source":null"#))
    expectFalse(plain.contains(#""source":{"#))
  }

  @Test func sourcesThatAreTooShortAreReported() throws {
    try write(Array(Self.lines.prefix(14)))
    let result = try result(
      String(decoding: try JsonFixture.story, as: UTF8.self), .auto, options())
    let output = String(decoding: result.output, as: UTF8.self)
    expectContains(output, "> 14│")
    expectFalse(output.contains("> 18│"))
    expectTrue(
      result.notes.contains(
        "no source lines for 1 frame: files such as \(directory.path)/GameData.swift are not those that were compiled; it has no line 18"
      ))
  }
}
