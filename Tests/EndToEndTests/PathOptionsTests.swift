import TestSupport
import Testing

/// `--full-path`, `--map-path` and `--strip-prefix` from the command line. The folder of every file
/// of the example is `/Users/builder/Letter Shuffle` (`Fixtures/LetterShuffle/README.md`, by
/// `llvm-symbolizer-19`).
struct PathOptionsTests {
  private func golden(_ folder: String) throws -> String {
    var text = String(
      decoding: try ExpectedOutput.bytes(of: "letter-shuffle.crash"),
      as: UTF8.self)
    for name in ["GameData.swift", "GameViewController.swift"] {
      text = text.replacing("(\(name):", with: "(\(folder)\(name):")
    }
    return text
  }

  @Test(arguments: [
    (["--full-path"], "/Users/builder/Letter Shuffle/"),
    (["--strip-prefix", "/Users/builder/Letter Shuffle/"], ""),
    (["--strip-prefix", "/Users/builder/Letter"], "/Users/builder/Letter Shuffle/"),
    (["--strip-prefix", "/Users", "--strip-prefix=/Users/builder"], "Letter Shuffle/"),
    (["--map-path", "/Users/builder=/src"], "/src/Letter Shuffle/"),
    (["--map-path", "/Users/builder/Letter Shuffle=https://a/b?c=d#"], "https://a/b?c=d#/"),
    (
      ["--map-path", "/else=/x", "--map-path", "/Users=/y", "--strip-prefix", "/y"],
      "builder/Letter Shuffle/"
    ),
  ])
  func shownFolders(options: [String], folder: String) async throws {
    let result = try await Program.symbolicate(
      [Fixtures.storyReport, "-d", Fixtures.storyBundle] + options)
    try expectEqual(result.outputText, golden(folder))
    expectEqual(result.status, 0)
  }

  @Test func sourceLines() async throws {
    let directory = try TemporaryDirectory()
    try directory.write((1...20).map { "line \($0)\n" }.joined().utf8, to: "GameData.swift")
    let shown = try golden("").replacing(
      "(GameData.swift:14)\n",
      with: "(GameData.swift:14)\n        13│ line 13\n      > 14│ line 14\n        15│ line 15\n"
    ).replacing(
      "(GameData.swift:18)\n",
      with: "(GameData.swift:18)\n        17│ line 17\n      > 18│ line 18\n        19│ line 19\n")
    let story = [
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--source-context", "1", "--strip-prefix",
    ]
    let folder = "/Users/builder/Letter Shuffle"
    let mapped = try await Program.symbolicate(
      story + [directory.path, "--map-path", "\(folder)=\(directory.path)"])
    expectEqual(mapped.outputText, shown)
    expectEqual(mapped.status, 0)
    expectTrue(
      mapped.standardError.hasSuffix(
        "no source lines for 3 frames: files such as \(directory.path)/GameViewController.swift are not on this machine; use --map-path OLD=NEW to say where they are\n"
      ))
    // Relative to the working directory, and to a root.
    for (root, place) in [([], directory.path), (["--source-root", directory.path], "/")] {
      let relative = try await Program.symbolicate(
        story + [".", "--map-path", "\(folder)=."] + root, workingDirectory: place)
      expectEqual(relative.outputText, shown)
    }
    let outside = try await Program.symbolicate(
      story + [directory.path, "--map-path", "\(folder)=\(directory.path)"]
        + ["--source-root", Fixtures.path("Shapes")])
    try expectEqual(outside.outputText, golden(""))
    expectTrue(
      outside.standardError.contains(
        "no source lines for 2 frames: files such as \(directory.path)/GameData.swift are outside the folders of --source-root\n"
      ))
  }

  @Test(arguments: [
    (["--source-context=-1"], "--source-context needs a number from 0 to 1000, not -1"),
    (["--source-context", "1001"], "--source-context needs a number from 0 to 1000, not 1001"),
    (
      ["--source-context", "1", "--format", "ips"],
      "--source-context cannot be combined with --format ips"
    ),
    (["--source-root", "/"], "--source-root needs --source-context"),
    (["--map-path", "/Users/builder"], "--map-path needs OLD=NEW, not '/Users/builder'"),
    (["--map-path", "=/src"], "--map-path needs OLD=NEW, not '=/src'"),
    (["--strip-prefix", ""], "--strip-prefix needs the folders to remove"),
  ])
  func wrongUsage(options: [String], message: String) async throws {
    let result = try await Program.symbolicate(
      [Fixtures.storyReport, "-d", Fixtures.storyBundle] + options)
    expectEqual(result.status, 64)
    expectTrue(result.standardError.contains(message))
    expectEqual(result.outputText, "")
  }

  /// The map stands for any source file, whatever its language.
  @Test func il2cppMap() async throws {
    let directory = try TemporaryDirectory()
    let map = try directory.write(
      #"{"/Users/builder/Letter Shuffle/GameData.swift": {"/Assets/Data.cs": {"12": 3}}}"#.utf8,
      to: "LineNumberMappings.json")
    let story = [Fixtures.storyReport, "-d", Fixtures.storyBundle, "--il2cpp-map"]
    let result = try await Program.symbolicate(story + [map])
    let expected = try golden("").replacing(
      /\(GameData\.swift:(14|18)\)/, with: "(Data.cs:3)")
    expectEqual(result.outputText, expected)
    expectEqual(result.status, 0)
    let broken = try directory.write("{".utf8, to: "broken.json")
    for (path, message) in [
      (broken, "\(broken) is not a map of il2cpp lines: it is not a JSON object from byte 1 on"),
      ("/no-such-file", "cannot read /no-such-file: No such file or directory"),
    ] {
      let refused = try await Program.symbolicate(story + [path])
      expectEqual(refused.status, 66)
      expectEmpty(refused.standardOutput)
      expectPrefix(refused.standardError, "symbolicate: error: \(message)")
    }
  }
}
