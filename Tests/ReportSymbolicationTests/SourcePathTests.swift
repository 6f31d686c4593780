import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Paths of source files in each output format. The folder of every file of the example is
/// `/Users/builder/Letter Shuffle` (`Fixtures/LetterShuffle/README.md`, by `llvm-symbolizer-19`).
struct SourcePathTests {
  private static let folder = "/Users/builder/Letter Shuffle"

  private func options(
    maps: [String] = [], strips: [String] = []
  ) throws -> SymbolicationOptions {
    var options = SymbolicationOptions()
    options.sourcePaths = SourcePathRules(
      showsFullPath: true, mappings: try maps.map { try require(PathMapping($0)) },
      strippedPrefixes: try strips.map { try require(PathPrefix($0)) })
    return options
  }

  private func paths(_ text: String, _ folder: String) -> String {
    var text = text
    for name in ["GameData", "GameViewController"] {
      text = text.replacing("(\(name).swift:", with: "(\(folder)\(name).swift:")
    }
    return text
  }

  private static var golden: String {
    get throws {
      String(
        decoding: try Fixtures.bytes(
          of: "\(Fixtures.packageDirectory)/Tests/EndToEndTests/Expected/letter-shuffle.crash"),
        as: UTF8.self)
    }
  }

  @Test func inText() throws {
    for form in [OutputForm.auto, .crash] {
      let output = JsonFixture.output(try JsonFixture.story, as: form, try options())
      expectEqual(output, paths(try Self.golden, Self.folder + "/"))
    }
    let stripped = JsonFixture.output(
      try JsonFixture.story, as: .auto, try options(strips: ["/Users/builder"]))
    expectEqual(stripped, paths(try Self.golden, "Letter Shuffle/"))
  }

  /// Paths in the report stay, and so do names that are not file names.
  @Test func statedPathsStay() throws {
    let stated = "loadRound + 28 (/elsewhere/Controller.swift:3)"
    let report = ReportFixture.report(frames: [
      ReportFixture.frame(0, 0x1_0024_f19c), ReportFixture.line(1, 0x1_0024_563c, stated),
      ReportFixture.line(2, 0x1_0024_563c, "loadRound + 28"),
    ])
    let output = JsonFixture.output(
      report.utf8, as: .auto, try options(maps: ["/elsewhere=/x", "\(Self.folder)=/src"]))
    expectContains(output, " + 164 (<compiler-generated>:0)\n")
    expectContains(output, " \(stated)\n")
    expectContains(output, " loadRound + 28 (/src/GameViewController.swift:60)\n")
  }

  /// Folder names with every character that has a meaning in a frame line.
  static let awkwardFolders = [
    "/Users/me/My App (old)", "/a:b/c:12)", "/a (b/c", "/a) b/c", "/a + 8/(x", "/x (in y)/z",
    "relative (1)", "/Volumes/a [inlined]", #"C:\My App (x86)"#, "/0x10 + 3", "/a/  b",
  ]

  /// The output can be read again: a second run, even without symbols, changes nothing.
  @Test(arguments: awkwardFolders)
  func outputIsReadAgain(folder: String) throws {
    let options = try options(maps: ["\(Self.folder)=\(folder)"])
    let ips = Array(JsonFixture.ips.utf8)
    for (input, form) in [(try JsonFixture.story, OutputForm.auto), (ips, .auto), (ips, .crash)] {
      let once = JsonFixture.output(input, as: form, options)
      expectTrue(once.replacing("\\/", with: "/").replacing("\\\\", with: "\\").contains(folder))
      expectEqual(JsonFixture.output(once.utf8, as: .auto, with: [], options), once)
      let frames = try JsonFixture.report(once, with: []).backtraces[0].frames
      expectEqual(frames.count, 12)
      expectEqual(frames.filter { $0.function != nil }.count, 7)
      let path = "\(folder)/GameViewController.swift"
      expectTrue(frames[7].path == path && frames[7].file == "GameViewController.swift")
      expectTrue(frames[7].function == "GameViewController.startRound()" && frames[7].inlined)
      expectTrue(frames[8].line == 37 && frames[8].path == path)
      // Apple's translation cannot show line 0, but text can, so it is added.
      guard form == .auto else { continue }
      expectEqual(JsonFixture.output(once.utf8, as: .auto, options), once)
      expectEqual(JsonFixture.output(once.utf8, as: .auto), once)
      expectEqual(JsonFixture.output(once.utf8, as: .auto, options.resymbolicating), once)
    }
  }

  @Test func controlCharactersAreReplaced() throws {
    let options = try options(maps: ["\(Self.folder)=/a\u{1b}[2J\nb"])
    let text = JsonFixture.output(try JsonFixture.story, as: .auto, options)
    expectContains(text, "(/a\u{fffd}[2J\u{fffd}b/GameData.swift:14)\n")
    let translated = JsonFixture.output(JsonFixture.ips.utf8, as: .crash, options)
    expectContains(translated, "(/a\u{fffd}[2J\u{fffd}b/GameData.swift:14)\n")
    let json = JsonFixture.output(JsonFixture.ips.utf8, as: .auto, options)
    expectTrue(json.contains(#""sourceFile":"\/a\u001b[2J\nb\/GameData.swift""#))
    let summary = JsonFixture.output(JsonFixture.ips.utf8, as: .summary, options)
    expectContains(summary, "(/a\u{fffd}[2J\u{fffd}b/GameData.swift:14)\n")
  }

  @Test func inIps() throws {
    let plain = JsonFixture.output(JsonFixture.ips.utf8, as: .auto)
    let full = JsonFixture.output(JsonFixture.ips.utf8, as: .auto, try options())
    expectTrue(
      full.contains(
        #"{"imageOffset":120380,"sourceLine":60,"sourceFile":"\/Users\/builder\/Letter Shuffle\/GameViewController.swift","symbol":"GameViewController.loadRound(_:)","imageIndex":0,"symbolLocation":28}"#
      ))
    expectTrue(full.contains(#""sourceFile":"<compiler-generated>""#))
    expectEqual(full.replacing(#"\/Users\/builder\/Letter Shuffle\/Game"#, with: "Game"), plain)
    let translated = JsonFixture.output(JsonFixture.ips.utf8, as: .crash, try options())
    expectTrue(
      translated.contains(
        "GameViewController.viewDidLoad() + 40 (/Users/builder/Letter Shuffle/GameViewController.swift:37)\n"
      ))
  }

  @Test func inTheSummary() throws {
    let strips = try options(strips: ["/Users/builder/"])
    for input in [try JsonFixture.story, Array(JsonFixture.ips.utf8)] {
      let plain = JsonFixture.output(input, as: .summary)
      expectEqual(
        JsonFixture.output(input, as: .summary, try options()),
        paths(plain, Self.folder + "/").replacing(
          "\nGameData.swift:18 in ", with: "\n\(Self.folder)/GameData.swift:18 in "))
      // From a report that was symbolicated before, too.
      let once = JsonFixture.output(input, as: .auto, strips)
      expectTrue(
        JsonFixture.output(once.utf8, as: .summary, with: [], strips).contains(
          "GameViewController.loadRound(_:) (Letter Shuffle/GameViewController.swift:60)\n"))
    }
    // A path is never cut so far that the file name is lost.
    let long = String(repeating: "/folder", count: 60)
    let options = try options(maps: ["\(Self.folder)=\(long)"])
    expectTrue(
      JsonFixture.output(try JsonFixture.story, as: .summary, options).contains(
        "(\(long)/GameData.swift:14)\n"))
  }

  /// `file` stays the name; the rules apply to `path`.
  @Test func inJson() throws {
    let options = try options(maps: ["/Users/builder=/home/me"], strips: ["/home"])
    let frames = try JsonFixture.document(try JsonFixture.story, options).reports[0].backtraces[0]
      .frames
    expectEqual(frames[5].file, "GameData.swift")
    expectEqual(frames[5].path, "me/Letter Shuffle/GameData.swift")
    expectEqual(frames[0].file, "<compiler-generated>")
    expectEqual(frames[0].path, "/Users/builder/Letter Shuffle/<compiler-generated>")
    let full = try JsonFixture.document(try JsonFixture.story, self.options()).reports[0]
    try expectEqual(
      full.backtraces, JsonFixture.document(try JsonFixture.story).reports[0].backtraces)
  }
}

extension SymbolicationOptions {
  /// The same, also looking up what the report already shows.
  var resymbolicating: SymbolicationOptions {
    var options = self
    options.resymbolicates = true
    return options
  }
}
