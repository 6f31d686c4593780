import TestSupport
import Testing

/// `--full-path`, `--map-path` and `--strip-prefix` from the command line. The folder of every file of the
/// example is `/Users/builder/Letter Shuffle` (`Fixtures/LetterShuffle/README.md`, by `llvm-symbolizer-19`).
struct PathOptionsTests {
  private func golden(_ folder: String) throws -> String {
    var text = String(
      decoding: try Fixtures.bytes(
        of: "\(Fixtures.packageDirectory)/Tests/EndToEndTests/Expected/letter-shuffle.crash"),
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
    #expect(result.outputText == (try golden(folder)))
    #expect(result.status == 0)
  }

  @Test(arguments: [
    (["--map-path", "/Users/builder"], "--map-path needs OLD=NEW, not '/Users/builder'."),
    (["--map-path", "=/src"], "--map-path needs OLD=NEW, not '=/src'."),
    (["--strip-prefix", ""], "--strip-prefix needs the folders to leave out."),
  ])
  func wrongUsage(options: [String], message: String) async throws {
    let result = try await Program.symbolicate(
      [Fixtures.storyReport, "-d", Fixtures.storyBundle] + options)
    #expect(result.status == 64)
    #expect(result.standardError.contains(message))
    #expect(result.outputText == "")
  }
}
