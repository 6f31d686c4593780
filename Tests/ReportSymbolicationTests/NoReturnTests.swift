import ReportRuns
import ReportTestSupport
import TestSupport
import Testing

/// Return addresses right after the end of the calling function, code or image. `RelayFixture`
/// gives the source of expected values.
struct NoReturnTests {
  @Test func theNextFunctionBeginsAtTheReturnAddress() {
    expectEqual(
      RelayFixture.contents([
        RelayFixture.frame(0, 0x39c), RelayFixture.frame(1, 0x39c), RelayFixture.frame(2, 0x414),
      ]),
      [
        "measure + 0 (relay.c:20)", "stop + 28 (relay.c:16)", "relay + 72 (relay.c:29)",
      ])
  }

  /// The symbol stubs begin at 0x430, in another section.
  @Test func theCodeEndsAtTheReturnAddress() {
    expectEqual(
      RelayFixture.contents([RelayFixture.frame(0, 0x3cc), RelayFixture.frame(1, 0x430)]),
      ["relay + 0 (relay.c:26)", "last_words + 28 (last.c:8)"])
  }

  /// The image ends at the return address, because some reporters count only its text. Another
  /// image may begin there, and the frame names that image or the calling one.
  @Test(arguments: [true, false], ["0x104000000 + 1072", "0x104000430 + 0", "???"])
  func theImageEndsAtTheReturnAddress(hasNext: Bool, content: String) {
    let image = RelayFixture.line.replacing("0x104003fff", with: "0x10400042f")
    let next =
      "0x104000430 - 0x104000fff next arm64  <11111111111111111111111111111111> /usr/local/lib/next"
    let address = RelayFixture.base + 0x430
    let frames = [
      ReportFixture.frame(
        0, RelayFixture.base + 0x42c, image: "librelay.dylib", base: RelayFixture.base),
      ReportFixture.line(1, address, image: "librelay.dylib", content),
    ]
    let text = ReportFixture.report(frames: frames, images: hasNext ? [image, next] : [image])
    let result = ReportFixture.symbolicate(text, with: RelayFixture.symbols)
    expectTrue(
      String(decoding: result.output, as: UTF8.self).contains(
        "0x0000000104000430 last_words + 28 (last.c:8)\n"))
    expectEqual(result.notes, ["2 of 2 frames resolved"])
  }

  /// At that address, frame 0 lies in the next image.
  @Test func aFirstFrameThereLiesInTheNextImage() {
    let image = RelayFixture.line.replacing("0x104003fff", with: "0x10400042f")
    let frames = [ReportFixture.line(0, RelayFixture.base + 0x430, image: "librelay.dylib", "???")]
    expectEqual(RelayFixture.contents(frames, images: [image]), ["???"])
  }

  /// Reporters put the link register after a frame 0 that called nothing or lies outside all
  /// images. It may equal the next frame.
  @Test(arguments: [
    ReportFixture.line(0, 0, image: "???", "0 + 0"),
    ReportFixture.line(0, 0, image: "???", "???"),
    ReportFixture.line(0, 0xdead_beef, image: "???", "0x0 + 3735928559"),
  ])
  func theLinkRegisterAfterAJumpToNowhere(first: String) {
    let contents = RelayFixture.contents([
      first, RelayFixture.frame(1, 0x39c), RelayFixture.frame(2, 0x39c),
      RelayFixture.frame(3, 0x394),
    ])
    expectEqual(
      contents.dropFirst(),
      ["stop + 28 (relay.c:16)", "stop + 28 (relay.c:16)", "stop + 20 (relay.c:15)"])
  }

  /// The continuations of asynchronous functions in Apple's backtraces: `backtrace_async(3)` adds 1
  /// to their first addresses, so that subtracting 1 finds them. Masking the lowest bit first would
  /// lead to the function before. All bits count on x86_64, too.
  @Test func theLowestBitsCount() {
    expectEqual(
      RelayFixture.contents([
        RelayFixture.frame(0, 0x39c), RelayFixture.frame(1, 0x39d), RelayFixture.frame(2, 0x3cd),
      ]),
      [
        "measure + 0 (relay.c:20)", "measure + 1 (relay.c:20)", "relay + 1 (relay.c:26)",
      ])
  }
}
