import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Frames whose `BASE + OFFSET` contradicts their address or the ranges of the images.
/// `RelayFixture` gives the source of names and lines.
struct AddressContradictionTests {
  private func notes(_ frames: [String], images: [String] = [RelayFixture.line]) -> [String] {
    ReportFixture.symbolicate(
      ReportFixture.report(frames: frames, images: images), with: RelayFixture.symbols
    ).notes
  }

  private func line(_ index: Int, _ linkAddress: UInt64, _ content: String) -> String {
    ReportFixture.line(
      index, RelayFixture.base + linkAddress, image: "librelay.dylib", content)
  }

  /// The address counts. The message quotes the first frame and counts the others.
  @Test func theSumIsNotTheAddress() throws {
    let frames = [
      line(0, 0x39c, "0x104000000 + 924"), line(1, 0x39c, "0x104000000 + 925"),
      line(2, 0x414, "0x104000000 + 12"), line(3, 0x394, "0x104000000 + 18446744073709551615"),
    ]
    expectEqual(
      RelayFixture.contents(frames),
      [
        "measure + 0 (relay.c:20)", "stop + 28 (relay.c:16)", "relay + 72 (relay.c:29)",
        "stop + 20 (relay.c:15)",
      ])
    expectEqual(
      notes(frames),
      [
        "4 of 4 frames resolved",
        "the report contradicts itself in 3 frames of librelay.dylib, first: 0x10400039c is written as 0x104000000 + 925, which is 0x10400039d; the address was looked up",
      ])
    let report = try JsonFixture.report(
      ReportFixture.report(frames: frames, images: [RelayFixture.line]), with: [])
    expectEqual(
      report.contradictions,
      [
        JsonReport.Contradiction(
          kind: "otherAddress", image: 0, frames: 3, address: "0x10400039c", base: "0x104000000",
          offset: 925)
      ])
  }

  /// The range counts: the image that the frame names lies elsewhere, or is not in the report.
  @Test(arguments: ["0x190b3c000 + 18446744071348962204", "0x104000100 + 668"])
  func theAddressLiesInAnotherImage(content: String) throws {
    let frames = [line(0, 0x39c, content)]
    let images = [RelayFixture.platformLine, RelayFixture.line]
    expectEqual(RelayFixture.contents(frames, images: images), ["measure + 0 (relay.c:20)"])
    let base = content.prefix { $0 != " " }
    expectEqual(
      notes(frames, images: images),
      [
        "1 of 1 frame resolved",
        "the report contradicts itself in 1 frame of librelay.dylib: 0x10400039c is said to be in the image at \(base), but is in the range of the image at 0x104000000, where it was looked up",
      ])
    let report = try JsonFixture.report(
      ReportFixture.report(frames: frames, images: images), with: [])
    expectEqual(report.contradictions.map(\.kind), ["otherImage"])
    expectEqual(report.contradictions.map(\.image), [1])
  }

  /// No image holds the address, so the frame's own statement counts.
  @Test func theAddressLiesAfterTheImage() throws {
    let image = RelayFixture.line.replacing("0x104003fff", with: "0x10400037f")
    let frames = [line(0, 0x39c, "0x104000000 + 924")]
    expectEqual(RelayFixture.contents(frames, images: [image]), ["measure + 0 (relay.c:20)"])
    expectEqual(
      notes(frames, images: [image]),
      [
        "1 of 1 frame resolved",
        "the report contradicts itself in 1 frame of librelay.dylib: 0x10400039c is written as 0x104000000 + 924, which is outside the range of that image and of all others; it was looked up there anyway",
      ])
  }

  /// Without a list of images, only BASE is known.
  @Test func framesAlone() throws {
    let text = [line(0, 0x39c, "0x104000000 + 924"), line(1, 0x39c, "0x104000000 + 12")]
      .joined(separator: "\n")
    let result = ReportFixture.symbolicate(text, with: RelayFixture.symbols)
    expectContains(String(decoding: result.output, as: UTF8.self), "measure + 0 (relay.c:20)")
    expectContains(String(decoding: result.output, as: UTF8.self), "stop + 28 (relay.c:16)")
    expectTrue(
      result.notes.contains {
        $0.hasPrefix("the report contradicts itself in 1 frame of librelay.dylib: 0x10400039c ")
      })
  }

  /// One message for each image, however many frames it has.
  @Test func oneMessageForEachImage() {
    let frames = (0..<100).flatMap { index in
      [
        line(2 * index, 0x39c, "0x104000000 + \(index)"),
        ReportFixture.line(
          2 * index + 1, RelayFixture.platformBase + 0x268, image: "libsystem_platform.dylib",
          "0x190b3c000 + \(index)"),
      ]
    }
    let found = notes(frames, images: [RelayFixture.line, RelayFixture.platformLine])
    expectEqual(
      found.map { $0.prefix(58) },
      [
        "200 of 200 frames resolved",
        "the report contradicts itself in 100 frames of librelay.dylib, first".prefix(58),
        "the report contradicts itself in 100 frames of libsystem_platform.dylib".prefix(58),
      ])
  }

  /// These are not contradictions: a symbol's offset, an offset from the image given by name,
  /// KSCrash's pair, a writer that knew no image, and frames that `--threads` leaves out.
  @Test func noContradiction() {
    let frames = [
      line(0, 0x39c, "measure + 99"), line(1, 0x39c, "librelay.dylib + 924"),
      line(2, 0x39c, "0x104000000 + 924 (stop + 28)"), line(3, 0x39c, "0x0 + 12"),
      line(4, 0x39c, "0 + 12"), line(5, 0x39c, "+ 12 (a.c:1)"),
    ]
    expectFalse(notes(frames).contains { $0.contains("contradicts") })
    var options = SymbolicationOptions()
    options.threads = .numbered([1])
    var job = ReportJob(symbolPaths: RelayFixture.symbols, options: options)
    let text = ReportFixture.report(
      frames: [line(0, 0x39c, "0x104000000 + 1"), "", "Thread 1:", line(0, 0x39c, "???")],
      images: [RelayFixture.line])
    expectEqual(
      job.symbolicate(Array(text.utf8), shownPath: "report").notes, ["1 of 1 frame resolved"])
  }

  // MARK: JSON

  @Test func framesOfJson() throws {
    // 0x18cb3c39c bytes after the start of the first image lies in the second; 0x5000 bytes after
    // it lies in none.
    let small = RelayFixture.entry.replacing("16384", with: "1072")
    let text = RelayFixture.ips(
      threads: [
        [
          RelayFixture.object(0, 0x39c),
          RelayFixture.object(1, RelayFixture.base &- RelayFixture.platformBase &+ 0x39c),
          RelayFixture.object(0, RelayFixture.platformBase - RelayFixture.base + 0x268),
          RelayFixture.object(0, 0x5000), RelayFixture.object(0, 0x430),
        ].joined(separator: ",")
      ], images: [small, RelayFixture.platformEntry])
    let shown = try RelayFixture.shown(text)
    // The sum of the second frame does not fit into 64 bits, so it has no address.
    expectEqual(
      shown,
      [
        [
          "measure + 0 (relay.c:20)", "no address", "_sigtramp + 12", "0x104005000",
          "last_words + 28 (last.c:8)",
        ]
      ])
    let report = try JsonFixture.report(text, with: [])
    expectEqual(
      report.contradictions,
      [
        JsonReport.Contradiction(
          kind: "otherImage", image: 1, frames: 1, address: "0x190b3c268", base: "0x104000000",
          offset: RelayFixture.platformBase - RelayFixture.base + 0x268),
        JsonReport.Contradiction(
          kind: "outsideImage", image: 0, frames: 1, address: "0x104005000", base: "0x104000000",
          offset: 0x5000),
      ])
  }

  /// An image without a size holds the addresses that frames place in it.
  @Test func imagesWithoutASize() throws {
    let unsized = RelayFixture.entry.replacing(#""size":16384,"#, with: "")
    let text = RelayFixture.ips(threads: [RelayFixture.object(0, 0x39c)], images: [unsized])
    try expectEqual(RelayFixture.shown(text), [["measure + 0 (relay.c:20)"]])
    try expectEqual(JsonFixture.report(text, with: []).contradictions, [])
  }
}
