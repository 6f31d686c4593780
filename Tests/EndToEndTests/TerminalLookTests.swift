import Foundation
import Subprocess
import TestSupport
import Testing

/// What people see on a terminal: colours, links, lines that fit, and text in place of JSON.
struct TerminalLookTests {
  private let directory: TemporaryDirectory
  private static let story = [Fixtures.storyReport, "-d", Fixtures.storyBundle]

  init() throws { directory = try TemporaryDirectory() }

  /// The example's report in a folder without its symbols.
  private var reportAlone: String {
    get throws { try directory.write(try Fixtures.bytes(of: Fixtures.storyReport), to: "c.crash") }
  }

  private func run(
    _ arguments: [String], columns: UInt16? = 80, _ environment: [String: String] = [:],
    streams: Terminal.Streams = .output
  ) throws -> (shown: [UInt8], status: Int32?) {
    try Terminal.run(
      Program.builtProgramPath, arguments, columns: columns,
      environment: ["TERM": "xterm-256color"].merging(environment) { $1 }, streams: streams,
      workingDirectory: Fixtures.packageDirectory)
  }

  private func lines(_ bytes: [UInt8]) -> [String] {
    PaintedText.plain(String(decoding: bytes, as: UTF8.self)).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
  }

  /// The texts here have no wide characters but those of Chinese and Japanese, and no marks.
  private static func columns(_ line: String) -> Int {
    line.unicodeScalars.reduce(0) { $0 + ($1.value >= 0x3000 ? 2 : 1) }
  }

  // MARK: Colours

  @Test(
    arguments: [
      ([:], [], true), (["TERM": "dumb"], [], false), (["TERM": ""], [], false),
      (["NO_COLOR": "1"], [], false), (["NO_COLOR": ""], [], true), (["CLICOLOR": "0"], [], false),
      (["NO_COLOR": "1"], ["--color", "always"], true), ([:], ["--color", "never"], false),
      (["CLICOLOR_FORCE": "1"], ["--color=never"], false),
      (["TERM": "dumb", "CLICOLOR_FORCE": "1"], [], true),
      (["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], [], false),
    ] as [([String: String], [String], Bool)])
  func colorsOnATerminal(
    environment: [String: String], options: [String], expected: Bool
  ) throws {
    for arguments in [Self.story, Self.story + ["--summary"], ["doctor"] + Self.story] {
      let result = try run(arguments + options, environment)
      expectEqual(result.status, 0)
      expectEqual(result.shown.contains(0x1b), expected, "\(arguments)")
    }
  }

  @Test(
    arguments: [
      ([:], [], false), ([:], ["--color", "always"], true), (["CLICOLOR_FORCE": "1"], [], true),
      (["CLICOLOR_FORCE": "1"], ["--color", "never"], false),
      (["NO_COLOR": "1", "CLICOLOR_FORCE": "1"], [], false),
    ] as [([String: String], [String], Bool)])
  func colorsInAPipe(environment: [String: String], options: [String], expected: Bool) async throws
  {
    for arguments in [Self.story, Self.story + ["--summary"]] {
      var variables: [Environment.Key: String?] = [:]
      for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE"] {
        variables.updateValue(environment[name], forKey: Environment.Key(stringLiteral: name))
      }
      let result = try await Program.symbolicate(arguments + options, environment: variables)
      let plain = try await Program.symbolicate(
        arguments + ["--color", "never", "--hyperlinks", "never"])
      expectEqual(result.standardOutput.contains(0x1b), expected)
      // Without the sequences it is the same text.
      expectEqual(PaintedText.plain(result.standardOutput), plain.standardOutput)
    }
  }

  /// Files are reports, and JSON is for programs.
  @Test func filesAndJsonHaveNoColors() async throws {
    let output = directory.path("out.crash")
    _ = try run(Self.story + ["-o", output, "--color", "always"])
    let plain = try await Program.symbolicate(Self.story)
    try expectEqual(Fixtures.bytes(of: output), plain.standardOutput)
    let json = try run(Self.story + ["--format", "json", "--color", "always"])
    expectFalse(json.shown.contains(0x1b))
  }

  @Test func messagesFit() throws {
    let result = try run([try reportAlone, "--summary"], columns: 60, streams: .errors)
    let shown = lines(result.shown).filter { !$0.contains(": symbolicate ") }
    #expect(shown.count > 2)
    expectTrue(shown.allSatisfy { Self.columns($0) <= 60 || !$0.contains(" ") })
  }

  // MARK: Width

  @Test(arguments: [UInt16(40), 60, 80, 100, 120, 140])
  func linesFit(columns: UInt16) throws {
    let release = "Fixtures/Bitcode/Inlines.xcarchive"
    for arguments in [
      Self.story, Self.story + ["--summary"], [try reportAlone, "--summary"],
      ["doctor"] + Self.story,
      ["doctor", try reportAlone], ["check", release], ["group", Fixtures.storyReport],
    ] {
      let result = try run(arguments, columns: columns)
      let shown = lines(result.shown)
      #expect(shown.count > 1)
      // Commands and paths to copy, JSON, and words that are wider than the terminal stay whole.
      for line in shown where Self.columns(line) > Int(columns) {
        let isWord = line.split(whereSeparator: \.isWhitespace).count == 1
        let isCopied = ["Next: ", "{", "Path:"].contains { line.hasPrefix($0) }
        expectTrue(isWord || isCopied, "\(arguments) \(columns): \(line)")
      }
    }
  }

  /// At 80 columns names lose their types before the frame loses its line.
  @Test func narrowFrames() throws {
    let shown = lines(try run(Self.story + ["--summary"], columns: 80).shown)
    expectContains(shown, "   6  Letter Shuffle      …loadRound(_:) (GameViewController.swift:60)")
    expectTrue(
      shown.contains(
        "   7  Letter Shuffle      …startRound() (GameViewController.swift:51) [inlined]"))
    // A name is not cut in its middle, and the frame of the headline is marked.
    expectContains(
      shown, ">  1  Letter Shuffle      one-time initialization function for rounds (…wift:18)")
    let wide = lines(try run(Self.story + ["--summary"], columns: 140).shown)
    expectContains(
      wide,
      ">  1  Letter Shuffle      one-time initialization function for rounds (GameData.swift:18)")
    expectTrue(
      wide.contains(
        "   6  Letter Shuffle      GameViewController.loadRound(_:) (GameViewController.swift:60)"))
  }

  @Test func columnsOverridesTheTerminal() throws {
    let shown = try run(Self.story + ["--summary"], columns: 140, ["COLUMNS": "80"]).shown
    try expectEqual(shown, run(Self.story + ["--summary"], columns: 80).shown)
    // A terminal that does not know its width.
    try expectEqual(shown, run(Self.story + ["--summary"], columns: nil).shown)
  }

  /// Where it has room, Apple's text is as it is.
  @Test func wideReportsKeepTheirLines() async throws {
    let shown = try run(Self.story, columns: 400).shown
    let plain = try await Program.symbolicate(Self.story)
    expectEqual(PaintedText.plain(shown), plain.standardOutput)
  }

  /// A report loses the spaces in front of its addresses first, then labels, arguments and types,
  /// without colours too. The file keeps its line.
  @Test(arguments: [["TERM": "xterm-256color"], ["TERM": "dumb"], ["NO_COLOR": "1"]])
  func narrowReports(environment: [String: String]) throws {
    let frames = try [80, 100].map { columns in
      // The report was copied from a page, with its spaces.
      lines(try run(Self.story, columns: columns, environment).shown)
        .map { $0.replacingOccurrences(of: "\u{a0}", with: " ") }
        .filter { $0.first?.isNumber == true && $0.contains(" Letter Shuffle  ") }
    }
    expectEqual(
      frames.map { Array($0.prefix(4)) },
      [
        [
          "0   Letter Shuffle      0x000000010024f19c GameRound.init(number:…) + 164",
          "1   Letter Shuffle      0x00000001002474e0 …for rounds + 72 (GameData.swift:18)",
          "5   Letter Shuffle      0x0000000100245798 …unsafeMutableAddressor + 48 (…ft:14)",
          "6   Letter Shuffle      0x000000010024563c …loadRound(_:) + 28 (…oller.swift:60)",
        ],
        [
          "0   Letter Shuffle      0x000000010024f19c GameRound.init(number:letters:phrase:numRows:…) + 164",
          "1   Letter Shuffle      0x00000001002474e0 one-time initialization function for rounds + 72 (…ft:18)",
          "5   Letter Shuffle      0x0000000100245798 …rounds.unsafeMutableAddressor + 48 (GameData.swift:14)",
          "6   Letter Shuffle      0x000000010024563c …loadRound(_:) + 28 (GameViewController.swift:60)",
        ],
      ])
  }

  /// A name that has no room beside its address has a line of its own, and is not cut.
  @Test func longNamesHaveALineOfTheirOwn() throws {
    let name = "aFunctionWithARatherLongNameThatIsNotCutInItsMiddle"
    let report = try directory.write(
      Array(
        """
        Incident Identifier: 1
        Code Type:           ARM-64 (Native)
        Report Version:      104

        Thread 0 Crashed:
        0   App                           \t0x0000000100001000 \(name)(of:with:) + 8 (A.swift:12)
        1   App                           \t0x0000000100001010 main + 8

        Binary Images:
        0x100000000 - 0x10000ffff App arm64  <00112233445566778899aabbccddeeff> /private/var/containers/Bundle/Application/1/App.app/App

        """.utf8), to: "l.crash")
    let shown = lines(try run([report], columns: 80).shown)
    expectContains(shown, "    \(name)(of:…) + 8 (A.swift:12)")
    expectContains(shown, "    /private/var/containers/Bundle/Application/1/App.app/App")
    expectTrue(shown.allSatisfy { Self.columns($0) <= 80 })
  }

  @Test func worksWithoutSymbolsInWideCharacters() throws {
    let report = try directory.write(
      Array(
        """
        Incident Identifier: 1
        Process:             文字並べ替え [1]
        Code Type:           ARM-64 (Native)
        Report Version:      104

        Thread 0 Crashed:
        0   文字並べ替え文字並べ替え文字並べ替え  0x0000000100001000 盤面.札を裏返す(位置:前の位置:次の位置:色:動き:) + 8 (盤面と札.swift:12)

        Binary Images:
        0x100000000 - 0x10000ffff 文字並べ替え文字並べ替え文字並べ替え arm64  <00112233445566778899aabbccddeeff> /private/var/containers/Bundle/Application/1/App.app/App

        """.utf8), to: "w.crash")
    let shown = lines(try run([report, "--summary"], columns: 60).shown)
    expectTrue(shown.contains { $0.contains("盤面と札.swift:12") && $0.contains("…") })
    expectTrue(shown.allSatisfy { Self.columns($0) <= 60 })
  }

  // MARK: Links

  @Test func links() throws {
    let backtrace = [
      "Fixtures/SwiftBacktrace/Reports/ladder-off.log", "-d", "Fixtures/SwiftBacktrace",
      "--map-path", "/home/builder/crash=Fixtures/SwiftBacktrace/Sources",
    ]
    for form in [[], ["--summary"]] {
      let known = try run(backtrace + form, ["VTE_VERSION": "7200"])
      let links = PaintedText.links(known.shown)
      #expect(links.count > 2)
      expectTrue(
        links.allSatisfy {
          $0.address.hasSuffix(
            "\(Fixtures.packageDirectory)/Fixtures/SwiftBacktrace/Sources/Ladder.swift")
            && $0.text.contains("Ladder.swift:")
        })
      expectEmpty(PaintedText.links(try run(backtrace + form).shown))
      let never = try run(backtrace + form + ["--hyperlinks", "never"], ["VTE_VERSION": "7200"])
      expectEmpty(PaintedText.links(never.shown))
      // Colours are something else.
      let alone = try run(backtrace + form + ["--hyperlinks", "always"], ["NO_COLOR": "1"])
      expectEqual(PaintedText.links(alone.shown).count, links.count)
      expectEmpty(PaintedText.parts(alone.shown))
    }
    // Sources of the example are nowhere.
    expectEmpty(PaintedText.links(try run(Self.story + ["--hyperlinks", "always"]).shown))
  }

  // MARK: Formats

  private static let ips = #"""
    {"app_name":"App","bug_type":"309","os_version":"iPhone OS 18.1 (22B83)"}
    {"procName":"App","pid":7,"cpuType":"ARM-64","osVersion":{"train":"iPhone OS 18.1","build":"22B83"},"exception":{"type":"EXC_CRASH","signal":"SIGABRT"},"faultingThread":0,"threads":[{"triggered":true,"frames":[{"imageOffset":16,"imageIndex":0,"symbol":"main","symbolLocation":4}]}],"usedImages":[{"source":"P","arch":"arm64","base":4294967296,"size":65536,"uuid":"a4b1de49-70b3-301d-a644-58d6bc22f513","path":"/private/var/containers/Bundle/Application/1/App.app/App","name":"App"}]}
    """#

  @Test func jsonIsShownAsText() async throws {
    let report = try directory.write(Array(Self.ips.utf8), to: "a.ips")
    let text = try await Program.symbolicate([report, "--format", "crash"])
    expectContains(text.outputText, "Thread 0 Crashed:")
    expectEqual(PaintedText.plain(try run([report], columns: 200).shown), text.standardOutput)
    // `text` is a name for `crash`, in pipes too.
    let named = try await Program.symbolicate([report, "--format", "text"])
    expectEqual(named.standardOutput, text.standardOutput)
    // Pipes, files and whoever asks for it get the JSON.
    try await expectEqual(Program.symbolicate([report]).standardOutput, Array(Self.ips.utf8))
    _ = try run([report, "-o", directory.path("b.ips")])
    try expectEqual(directory.bytes(of: "b.ips"), Array(Self.ips.utf8))
    try expectEqual(run([report, "--format", "ips"]).shown, Array(Self.ips.utf8))
  }

  @Test func binaryInputIsNotCopied() async throws {
    let bytes: [UInt8] = [0xfe, 0xed, 0x00, 0x01, 0x02, 0x1b, 0x5b, 0x32, 0x4a, 0x0a]
    let input = try directory.write(bytes, to: "core")
    try expectEmpty(run([input]).shown)
    let message = try Terminal.run(
      "/bin/sh", ["-c", "exec \"$0\" - <\"$1\"", Program.builtProgramPath, input], columns: 400,
      environment: ["TERM": "xterm-256color"])
    expectEqual(message.status, 65)
    expectEqual(
      lines(message.shown).first?.hasSuffix(
        "standard input has no crash report: expected 'Thread N:' with frames, or 'Binary Images:'; it is binary, so it is not copied to the terminal: give -o FILE, or a pipe"
      ), true)
    expectFalse(PaintedText.plain(message.shown).contains(0x1b))
    let piped = try await Program.symbolicate(["-"], input: bytes)
    expectEqual(piped.status, 65)
    expectEqual(piped.standardOutput, bytes)
    let named = try await Program.symbolicate([input])
    expectEqual(named.status, 65)
    expectEmpty(named.standardOutput)
  }

  // MARK: Summaries

  /// Each summary says which file it is of, if there are several.
  @Test func severalSummaries() async throws {
    let other = try directory.write(Array(Self.ips.utf8), to: "a.ips")
    let both = try await Program.symbolicate([Fixtures.storyReport, other, "--summary"])
    let blocks = both.outputText.components(separatedBy: "\n\n")
    expectEqual(blocks.count, 2)
    expectEqual(blocks.first?.hasPrefix("\(Fixtures.storyReport):\nLetter Shuffle 6 (1.3)"), true)
    expectEqual(blocks.last?.hasPrefix("\(other):\nApp, pid 7"), true)
    let one = try await Program.symbolicate([other, "--summary"])
    expectPrefix(one.outputText, "App, pid 7")
  }

  /// The tally is in the summary, so messages beside it have only what it does not say.
  @Test func oneTally() async throws {
    let shown = try await Program.symbolicate(Self.story + ["--summary"])
    expectTrue(
      shown.outputText.hasSuffix(
        "6 of 11 frames resolved; no symbols for 5 frames of system libraries\n"))
    expectEqual(shown.standardError, "")
    // Whoever writes a file does not see it.
    let written = try await Program.symbolicate(
      Self.story + ["--summary", "-o", directory.path("s.txt")])
    expectPrefix(written.standardError, "6 of 11 frames resolved\n")
    // What to do about missing symbols is not in the summary.
    let missing = try await Program.symbolicate([try reportAlone, "--summary"])
    expectContains(missing.standardError, "give its dSYM with -d")
    expectFalse(missing.standardError.contains("frames resolved"))
  }
}
