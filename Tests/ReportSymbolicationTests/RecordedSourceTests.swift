import ReportRuns
import ReportSymbolication
import ReportTestSupport
import SymbolicationModel
import TestSupport
import Testing

/// Source paths that something beside the debug information changes: the property list of a dSYM,
/// and a map of il2cpp lines.
struct RecordedSourceTests {
  private let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
    try directory.copy(Fixtures.storyBundle, to: "App.dSYM")
    try directory.write(
      """
      <plist><dict><key>DBGVersion</key><string>3</string><key>DBGSourcePathRemapping</key>
      <dict><key>/Users/builder</key><string>/net/builds/7</string></dict></dict></plist>
      """.utf8,
      to: "App.dSYM/Contents/Resources/A4B1DE49-70B3-301D-A644-58D6BC22F513.plist")
  }

  private func output(
    _ frames: [String], images: [String] = [ReportFixture.storyLine], symbols: String,
    form: OutputForm = .auto, _ change: (inout SymbolicationOptions) -> Void = { _ in }
  ) -> String {
    var options = SymbolicationOptions()
    change(&options)
    var job = ReportJob(symbolPaths: [symbols], options: options, form: form)
    let result = job.symbolicate(
      Array(ReportFixture.report(frames: frames, images: images).utf8), shownPath: "report")
    return String(decoding: result.output, as: UTF8.self)
  }

  /// `GameViewController.swift:60` (`Fixtures/LetterShuffle/README.md`).
  private func story(
    form: OutputForm = .auto, _ change: (inout SymbolicationOptions) -> Void = { _ in }
  ) -> String {
    let frames = [
      ReportFixture.frame(0, 0x1_0024_f19c), ReportFixture.frame(1, 0x1_0024_563c),
    ]
    return output(frames, symbols: directory.path("App.dSYM"), form: form, change)
  }

  @Test func mappingsOfTheDsymChangePathsAndNotNames() {
    expectContains(story(), "(GameViewController.swift:60)")
    expectContains(
      story { $0.sourcePaths = SourcePathRules(showsFullPath: true) },
      "(/net/builds/7/Letter Shuffle/GameViewController.swift:60)")
    expectTrue(
      story(form: .json).contains(#""/net/builds/7/Letter Shuffle/GameViewController.swift""#))
  }

  @Test func mappingsOfTheUserComeFirst() throws {
    let own = try require(PathMapping("/Users/builder/Letter Shuffle=/src"))
    let other = try require(PathMapping("/net=/src"))
    expectContains(
      story { $0.sourcePaths = SourcePathRules(mappings: [own]) },
      "(/src/GameViewController.swift:60)")
    // One mapping is applied, and not another one to its result.
    expectContains(
      story { $0.sourcePaths = SourcePathRules(mappings: [other]) },
      "(/net/builds/7/Letter Shuffle/GameViewController.swift:60)")
    let prefix = try require(PathPrefix("/net/builds/7"))
    expectContains(
      story { $0.sourcePaths = SourcePathRules(strippedPrefixes: [prefix]) },
      "(Letter Shuffle/GameViewController.swift:60)")
  }

  @Test func sourceLinesAreReadWhereTheDsymSays() throws {
    try directory.makeDirectory("Letter Shuffle")
    try directory.write(
      (1...70).map { "line \($0)\n" }.joined().utf8, to: "Letter Shuffle/GameViewController.swift")
    try directory.write(
      """
      <plist><dict><key>DBGBuildSourcePath</key><string>/Users/builder</string>
      <key>DBGSourcePath</key><string>\(directory.path)</string></dict></plist>
      """.utf8,
      to: "App.dSYM/Contents/Resources/A4B1DE49-70B3-301D-A644-58D6BC22F513.plist")
    expectContains(story { $0.sourceContext = SourceContext(lineCount: 0) }, "> 60│ line 60\n")
  }

  /// The lines of C++ are those of `llvm-symbolizer-19` for `Fixtures/DebugMap/arm64-dwarf5.dSYM`:
  /// `rounded` is at `/Users/builder/Ledger/./rounding.h:8`, `interest` at
  /// `/Users/builder/Ledger/interest-of-the-year.cpp:14`, and `main` at `…/main.c:9`.
  @Test(arguments: [OutputForm.auto, .json, .summary])
  func linesOfCSharpReplaceThoseOfCpp(_ form: OutputForm) throws {
    let map = try Il2CppLineMap(
      Array(
        """
        {"/Users/builder/Ledger/interest-of-the-year.cpp":
          {"/Assets/Interest.cs": {"13": 101}, "/Assets/Other.cs": {"15": 5}},
         "/elsewhere/rounding.h": {"/Assets/Rounding.cs": {"8": 77}}}
        """.utf8))
    let base: UInt64 = 0x1_0000_0000
    let addresses: [UInt64] = [0x594, 0x548, 0x4b0]
    // `Thread 0` has its own program counter first; the others are return addresses.
    let frames = addresses.enumerated().map { index, offset in
      ReportFixture.frame(
        index, base + offset + (index == 0 ? 0 : 1), image: "ledger", base: base)
    }
    let text = output(
      frames,
      images: ["0x100000000 - 0x100000fff ledger arm64 <4c4c44c655553144a165519fbe5c73f3> /ledger"],
      symbols: Fixtures.path("DebugMap/arm64-dwarf5.dSYM"), form: form
    ) {
      $0.il2cppMap = map
    }
    for (file, line) in [("Interest.cs", 101), ("Rounding.cs", 77), ("main.c", 9)] {
      let isShown =
        form == .json
        ? text.contains("\"\(file)\"") && text.contains(": \(line)")
        : text.contains("(\(file):\(line))")
      expectTrue(isShown, "\(file):\(line) in \(text)")
    }
    expectFalse(text.contains("interest-of-the-year.cpp"))
  }
}
