import ReportRuns
import ReportTestSupport
import TestSupport
import Testing

/// Frames and images in the shapes that reports have.
struct FrameShapeTests {
  private let crash: UInt64 = 0x1_0024_f19c
  private let answer =
    "GameRound.init(number:letters:phrase:numRows:numCols:mixMoves:) + 164 (<compiler-generated>:0)"

  @Test func hiddenNames() {
    expectEqual(
      ReportFixture.contents([
        ReportFixture.line(0, crash, "<redacted> + 164"), ReportFixture.line(1, crash, "???"),
      ]).first, answer)
  }

  @Test func framesWithNamesStayAsTheyAre() {
    let named = [
      ReportFixture.line(0, crash, "main + 20 (main.m:16)"),
      ReportFixture.line(1, crash, "-[A crash] (in App) (A.m:20)"),
    ]
    let text = ReportFixture.report(frames: named)
    let result = ReportFixture.symbolicate(text)
    expectEqual(String(decoding: result.output, as: UTF8.self), text)
    expectTrue(result.isComplete)
    expectEqual(result.notes, ["2 frames, all already symbolicated"])
  }

  /// Return addresses. Functions and lines are from Fixtures/LetterShuffle/README.md.
  @Test func namesWithoutALineGetTheirLine() {
    let frames = [
      ReportFixture.frame(0, crash),
      // The function that DWARF names, spelt differently: the name stays.
      ReportFixture.line(1, 0x1_0024_563c, "GameViewController.loadRound(Int) -> () + 28"),
      ReportFixture.line(2, 0x1_0024_5798, "GameData.rounds.unsafeMutableAddressor + 48 (:-1)"),
      // Another function, from the symbol table of a stripped program.
      ReportFixture.line(3, 0x1_0024_563c, "_mh_execute_header + 120380"),
    ]
    expectEqual(
      ReportFixture.contents(frames),
      [
        answer, "GameViewController.loadRound(Int) -> () + 28 (GameViewController.swift:60)",
        "GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)",
        "GameViewController.loadRound(_:) + 28 (GameViewController.swift:60)",
      ])
  }

  @Test func aLineThatEndsWithItsAddress() {
    expectEqual(ReportFixture.contents([ReportFixture.line(0, crash, "")]), [answer])
  }

  @Test func framesOutsideOfImages() {
    let frames = [
      ReportFixture.frame(0, crash), ReportFixture.line(1, 0, image: "???", "0 + 0"),
      ReportFixture.line(2, 0xdead_beef_0000, image: "???", "???"),
    ]
    let result = ReportFixture.symbolicate(ReportFixture.report(frames: frames))
    expectFalse(result.isComplete)
    expectEqual(result.notes.first, "1 of 3 frames resolved")
    expectTrue(result.notes.contains { $0.hasPrefix("2 frames are outside every listed image") })
  }

  @Test func anImageLoadedTwice() {
    let second = ReportFixture.storyLine.replacing(
      "0x100228000 - 0x10026bfff", with: "0x200000000 - 0x200043fff")
    expectEqual(
      ReportFixture.contents(
        [
          ReportFixture.frame(0, crash),
          ReportFixture.frame(1, 0x2_0001_d798, base: 0x2_0000_0000),
        ], images: [ReportFixture.storyLine, second]),
      [answer, "GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)"])
  }

  @Test func twoImagesWithTheSameName() {
    let shapes =
      "0x300000000 - 0x30000bfff App arm64  <4c4c446c55553144a10ca2f2cd27a19e> /private/var/App.app/PlugIns/App"
    let story = ReportFixture.storyLine.replacing("Letter Shuffle arm64", with: "App arm64")
    // 0x1000007b0 of Shapes is in sum_of_areas, from 0x100000770 on.
    let frames = [
      ReportFixture.frame(0, 0x3_0000_07b0, image: "App", base: 0x3_0000_0000),
      ReportFixture.frame(1, 0x1_0024_5798, image: "App"),
    ]
    let symbols = [Fixtures.storyBundle, Fixtures.path("Dwarf/arm64-dwarf4.dSYM")]
    for images in [[shapes, story], [story, shapes]] {
      expectEqual(
        ReportFixture.contents(frames, images: images, with: symbols),
        [
          "sum_of_areas + 64 (shapes.c:34)",
          "GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)",
        ])
    }
  }

  @Test func anUnlistedImage() {
    let frames = [ReportFixture.frame(0, crash)]
    let other =
      "0x1c5bf6000 - 0x1c5bf7fff libSystem.B.dylib arm64  <8a05d5f48f0a376abe6bd1caf4fc8138> /usr/lib/libSystem.B.dylib"
    expectEqual(ReportFixture.contents(frames, images: [other]), [answer])
    let text = ReportFixture.report(frames: frames, images: [other])
    let result = ReportFixture.symbolicate(text)
    expectTrue(
      result.notes.contains {
        $0.hasSuffix(
          "Letter Shuffle was matched to Letter Shuffle by name alone, because the report does not have the image's UUID"
        )
      })
    expectFalse(result.hasUnfitSymbolFile)
    let without = ReportFixture.symbolicate(text, with: [])
    expectTrue(
      without.notes.contains(
        "no symbols for Letter Shuffle (UUID unknown, arm64): 1 frame unresolved; the report has no Binary Images line for it, so its UUID is unknown"
      ))
  }

  @Test func theLayoutOfMacOS() {
    let text = """
      Process:               Letter Shuffle [4242]
      Code Type:             ARM-64 (Native)
      Report Version:        12

      Thread 0 Crashed:: Dispatch queue: com.apple.main-thread
      0   com.taubler.lettershuffle     \t0x000000010024f19c 0x100228000 + 160156
      1   libsystem_c.dylib             \t0x00007fff6b3a9808 abort + 120

      Binary Images:
             0x100228000 -        0x10026bfff +com.taubler.lettershuffle (1.3 - 6) <A4B1DE49-70B3-301D-A644-58D6BC22F513> /Applications/Letter Shuffle.app/Contents/MacOS/Letter Shuffle

      """
    let result = ReportFixture.symbolicate(text)
    expectEqual(
      String(decoding: result.output, as: UTF8.self),
      text.replacing("0x100228000 + 160156", with: answer))
    expectTrue(result.isComplete)
    // Matched by file name if there is no UUID.
    let withoutIdentity = text.replacing(
      "<A4B1DE49-70B3-301D-A644-58D6BC22F513> ", with: "<00000000-0000-0000-0000-000000000000> ")
    let byName = String(decoding: ReportFixture.symbolicate(withoutIdentity).output, as: UTF8.self)
    expectEqual(byName, withoutIdentity.replacing("0x100228000 + 160156", with: answer))
  }

  @Test func carriageReturnsStay() {
    let text = ReportFixture.report(frames: [
      ReportFixture.frame(0, crash), ReportFixture.frame(1, 0x1_0024_5798),
    ]).replacing("\n", with: "\r\n")
    let output = String(decoding: ReportFixture.symbolicate(text).output, as: UTF8.self)
    expectEqual(
      output,
      text.replacing("0x100228000 + 160156", with: answer).replacing(
        "0x100228000 + 120728",
        with: "GameData.rounds.unsafeMutableAddressor + 48 (GameData.swift:14)"))
  }

  /// A name from an untrusted symbol file.
  @Test func controlCharactersInNamesDoNotReachTheReport() throws {
    var bytes = try Fixtures.bytes(of: Fixtures.storyDwarfFile)
    let name = Array("_letter_frequency".utf8)
    let place = try require(
      bytes.indices.first { bytes[$0...].starts(with: name) })
    bytes[place + 7] = UInt8(ascii: "\n")
    bytes[place + 8] = 0x1b
    let directory = try TemporaryDirectory()
    let file = try directory.write(bytes, to: "Letter Shuffle")
    // letter_frequency begins at 0x10000a040 (llvm-nm-19).
    expectEqual(
      ReportFixture.contents([ReportFixture.frame(0, 0x1_0023_2044)], with: [file]),
      ["letter\u{fffd}\u{fffd}requency + 4"])
  }
}
