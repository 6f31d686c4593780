import TestSupport
import Testing

/// `--demangle` with the example report.
struct DemangleOptionTests {
  /// Raw names as `Fixtures/LetterShuffle/README.md` lists them (`llvm-nm-19`,
  /// `llvm-dwarfdump-19`), with what `swift-demangle --simplified` and `swift-demangle` (6.3.1)
  /// print for them.
  private static let names = [
    (
      "$s14Letter_Shuffle9GameRoundC6number7letters6phrase7numRows0H4Cols8mixMovesACSi_SaySSGSSS3itcfc",
      "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:)",
      "Letter_Shuffle.GameRound.init(number: Swift.Int, letters: [Swift.String], phrase: Swift.String, numRows: Swift.Int, numCols: Swift.Int, mixMoves: Swift.Int) -> Letter_Shuffle.GameRound"
    ),
    (
      "$s14Letter_Shuffle8GameDataC6rounds_WZ", "one-time initialization function for rounds",
      "one-time initialization function for rounds"
    ),
    (
      "$s14Letter_Shuffle8GameDataC6roundsSayAA0C5RoundCGvau",
      "GameData.rounds.unsafeMutableAddressor",
      "Letter_Shuffle.GameData.rounds.unsafeMutableAddressor : [Letter_Shuffle.GameRound]"
    ),
    (
      "$s14Letter_Shuffle18GameViewControllerC9loadRoundyySiF", "GameViewController.loadRound(_:)",
      "Letter_Shuffle.GameViewController.loadRound(Swift.Int) -> ()"
    ),
    (
      "$s14Letter_Shuffle18GameViewControllerC10startRoundyyF", "GameViewController.startRound()",
      "Letter_Shuffle.GameViewController.startRound() -> ()"
    ),
    (
      "$s14Letter_Shuffle18GameViewControllerC11viewDidLoadyyFTo",
      "@objc GameViewController.viewDidLoad()",
      "@objc Letter_Shuffle.GameViewController.viewDidLoad() -> ()"
    ),
    (
      "$s14Letter_Shuffle18GameViewControllerC11viewDidLoadyyF",
      "GameViewController.viewDidLoad()", "Letter_Shuffle.GameViewController.viewDidLoad() -> ()"
    ),
  ]

  /// The golden file, with other names in place of the simplified ones.
  private func golden(_ shown: ((String, String, String)) -> String) throws -> String {
    let golden = try ExpectedOutput.bytes(of: "letter-shuffle.crash")
    let lines = String(decoding: golden, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { line in
      for name in Self.names {
        guard let range = line.firstRange(of: " \(name.1) + ") else { continue }
        return "\(line[..<range.lowerBound]) \(shown(name)) + \(line[range.upperBound...])"
      }
      return String(line)
    }.joined(separator: "\n")
  }

  private func output(_ style: String) async throws -> String {
    let result = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle, "--demangle=\(style)",
    ])
    expectEqual(result.status, 0)
    return String(decoding: result.standardOutput, as: UTF8.self)
  }

  @Test func showsSimplifiedNames() async throws {
    let shown = try await output("simplified")
    let expected = try golden(\.1)
    expectEqual(shown, expected)
  }

  @Test func showsFullNames() async throws {
    let shown = try await output("full")
    let expected = try golden(\.2)
    expectEqual(shown, expected)
  }

  @Test func showsRawNames() async throws {
    let shown = try await output("none")
    let expected = try golden(\.0)
    expectEqual(shown, expected)
  }

  /// Names that the report states are left as they are: what came out goes in again.
  @Test func keepsNamesFromTheReport() async throws {
    let first = try await Program.symbolicate([
      Fixtures.storyReport, "-d", Fixtures.storyBundle,
    ])
    let second = try await Program.symbolicate(
      ["-", "-d", Fixtures.storyBundle, "--demangle=none"], input: first.standardOutput)
    expectEqual(second.standardOutput, first.standardOutput)
  }

  @Test func refusesOtherStyles() async throws {
    let result = try await Program.symbolicate([Fixtures.storyReport, "--demangle=nice"])
    expectEqual(result.status, 64)
    expectContains(result.standardError, "--demangle needs simplified, full or none, not 'nice'")
  }
}
