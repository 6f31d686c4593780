import ReportRuns
import ReportSymbolication
import ReportTestSupport
import TestSupport
import Testing

/// Which image a frame's address belongs to, and what kind of address it is, in every part of a
/// report that has frames. `RelayFixture` gives the source of expected values.
struct ImageAddressTests {
  private let exact = "measure + 0 (relay.c:20)"
  private let call = "stop + 28 (relay.c:16)"

  /// In an `.ips`, the first address of every list of frames is not a return address.
  @Test func theFirstFrameOfEveryBacktraceOfJson() throws {
    let frames = [0x39c, 0x39c].map { RelayFixture.object(0, $0) }.joined(separator: ",")
    let lines = [0, 1].map { RelayFixture.frame($0, 0x39c) }.joined(separator: #"\n"#)
    let cut = [4, 5].map { RelayFixture.frame($0, 0x39c) }.joined(separator: #"\n"#)
    let more =
      #""lastExceptionBacktrace":[\#(frames)],"asiBacktraces":["\#(lines)","\#(cut)"],"#
    let text = RelayFixture.ips(threads: [frames, frames], more: more)
    try expectEqual(
      RelayFixture.shown(text),
      [
        [exact, call], [exact, call], [call, call], [exact, call], [exact, call],
      ])
    // Leaving frames out does not change the others.
    var options = ReportFixture.withoutInlinedFrames
    options.threads = .numbered([1])
    try expectEqual(RelayFixture.shown(text, options), [[exact, call]])
  }

  @Test func aTrampolineInJson() throws {
    let text = RelayFixture.ips(threads: [
      [
        RelayFixture.object(0, 0x39c), RelayFixture.object(1, 0x268),
        RelayFixture.object(0, 0x3e4), RelayFixture.object(0, 0x39c),
      ].joined(separator: ","),
      [
        RelayFixture.object(0, 0x39c),
        RelayFixture.object(1, 0x268, #","symbol":"_sigtramp","symbolLocation":12"#),
        RelayFixture.object(0, 0x394), RelayFixture.object(0, 0x394),
      ].joined(separator: ","),
    ])
    try expectEqual(
      RelayFixture.shown(text),
      [
        [exact, "_sigtramp + 12", "relay + 24 (relay.c:27)", call],
        [exact, "_sigtramp + 12", "stop + 20 (relay.c:16)", "stop + 20 (relay.c:15)"],
      ])
  }

  /// The continuations of asynchronous functions have addresses that are greater by 1: see
  /// `NoReturnTests.theLowestBitsCount`.
  @Test func continuationsInJson() throws {
    let text = RelayFixture.ips(threads: [
      [0x39c, 0x39d, 0x3cd].map { RelayFixture.object(0, $0) }.joined(separator: ",")
    ])
    try expectEqual(
      RelayFixture.shown(text),
      [
        [exact, "measure + 1 (relay.c:20)", "relay + 1 (relay.c:26)"]
      ])
  }

  // MARK: The pseudo-image

  private static let pseudoLines = [
    "0x0 - 0xffffffffffffffff ??? (*) <00000000-0000-0000-0000-000000000000> ???",
    "0x0 - 0x7fffffffffff all arm64  <11111111111111111111111111111111> /all",
    "0x0 - 0xffffffff all arm64  <11111111111111111111111111111111> /all",
  ]

  @Test(arguments: pseudoLines, [true, false])
  func thePseudoImageOfATextHoldsNothing(line: String, isFirst: Bool) {
    let images = isFirst ? [line, RelayFixture.line] : [RelayFixture.line, line]
    let text = ReportFixture.report(
      frames: [
        RelayFixture.frame(0, 0x39c), ReportFixture.line(1, 0x1234, image: "???", "???"),
        ReportFixture.line(2, 0x1234, image: "???", "0x0 + 4660"),
      ], images: images)
    let result = ReportFixture.symbolicate(text, with: RelayFixture.symbols)
    expectTrue(String(decoding: result.output, as: UTF8.self).contains(exact))
    expectEqual(
      result.notes,
      [
        "1 of 3 frames resolved",
        "2 frames are outside every listed image: generated code or a bad jump",
      ])
  }

  /// An address only in the pseudo-image lies in no image. An address in an image belongs to that
  /// image, even if the frame names the pseudo-image.
  @Test(arguments: [
    RelayFixture.pseudoEntry, #"{"source":"P","base":0,"size":18446744073709551615,"name":"all"}"#,
    #"{"source":"P","base":0,"size":4294967296,"name":"all"}"#,
    #"{"source":"P","base":0,"size":0}"#,
  ])
  func thePseudoImageOfJsonHoldsNothing(entry: String) throws {
    let text = RelayFixture.ips(
      threads: [
        [
          RelayFixture.object(0, RelayFixture.base + 0x39c), RelayFixture.object(1, 0x39c),
          RelayFixture.object(0, 0x1234),
        ].joined(separator: ",")
      ], images: [entry, RelayFixture.entry])
    try expectEqual(RelayFixture.shown(text), [[exact, call, "0x1234"]])
    let report = try JsonFixture.report(text, with: RelayFixture.symbols)
    expectEqual(report.images.map(\.name), ["librelay.dylib"])
    expectEqual(report.contradictions, [])
    expectEqual(
      ReportFixture.symbolicate(text, with: RelayFixture.symbols).notes.last,
      "1 frame is outside every listed image: generated code or a bad jump")
  }

  // MARK: Images that overlap

  /// A library inside the range of an image that is too large.
  private static let outer =
    "0x100000000 - 0x1ffffffff outer arm64  <11111111111111111111111111111111> /usr/lib/outer"
  private static let outerEntry =
    #"{"source":"P","arch":"arm64","base":4294967296,"size":4294967296,"uuid":"11111111-1111-1111-1111-111111111111","path":"/usr/lib/outer","name":"outer"}"#

  /// The image that the frame names, else the image that starts last.
  @Test(arguments: [true, false])
  func overlappingImagesOfAText(isFirst: Bool) {
    let images = isFirst ? [Self.outer, RelayFixture.line] : [RelayFixture.line, Self.outer]
    let contents = RelayFixture.contents(
      [
        RelayFixture.frame(0, 0x39c),
        ReportFixture.line(1, RelayFixture.base + 0x39c, image: "librelay.dylib", "???"),
        ReportFixture.frame(2, RelayFixture.base + 0x39c, image: "outer", base: 0x1_0000_0000),
      ], images: images)
    expectEqual(contents, [exact, call, "0x100000000 + 67109788"])
  }

  @Test(arguments: [true, false])
  func overlappingImagesOfJson(isFirst: Bool) throws {
    let images =
      isFirst ? [Self.outerEntry, RelayFixture.entry] : [RelayFixture.entry, Self.outerEntry]
    let (outer, relay) = isFirst ? (0, 1) : (1, 0)
    let line = ReportFixture.line(1, RelayFixture.base + 0x39c, image: "librelay.dylib", "???")
    let text = RelayFixture.ips(
      threads: [
        [
          RelayFixture.object(relay, 0x39c), RelayFixture.object(outer, 0x400_039c),
        ].joined(separator: ",")
      ], images: images, more: #""asiBacktraces":["\#(line)"],"#)
    try expectEqual(RelayFixture.shown(text), [[call], [exact, "0x10400039c"]])
    try expectEqual(JsonFixture.report(text, with: []).contradictions, [])
  }

  // MARK: Thumb

  /// 32-bit arm. `llvm-symbolizer-19 --inlines` gives `spread` stats.c:17 for 0x112cf, a function
  /// that begins at 0x111fc, and `midpoint` stats.c:5 for 0x112d0. The file begins at 0x10000. The
  /// lowest bit is ignored because a public report of an armv7 device has odd return addresses and
  /// even distances from the start of the function.
  @Test(arguments: ["armv7", "armv7s", ""])
  func theThumbBit(architecture: String) throws {
    let base: UInt64 = 0x4000_0000
    let column = architecture.isEmpty ? "" : " \(architecture) "
    let line =
      "0x40000000 - 0x40002fff shapes\(column) <0896691329d25164d37ba9ff27df62b1cb708b63> /shapes"
    func text(_ image: String) -> String {
      ReportFixture.report(
        frames: [0x12d1, 0x12d1, 0x12d0].enumerated().map {
          ReportFixture.frame($0, base + $1, image: "shapes", base: base)
        }, images: [image]
      ).replacing("ARM-64 (Native)", with: architecture.isEmpty ? "ARM (Native)" : "Unknown")
    }
    let expected = [
      ["midpoint + 0 (stats.c:5)", "spread + 212 (stats.c:17)", "spread + 212 (stats.c:17)"]
    ]
    let symbols = [Fixtures.path("ElfDwarf/armv7-dwarf5.elf")]
    try expectEqual(RelayFixture.shown(text(line), symbols: symbols), expected)
    // The image ends with the call.
    let short = line.replacing("0x40002fff", with: "0x400012cf")
    try expectTrue(
      RelayFixture.shown(text(short), symbols: symbols)[0].dropFirst().elementsEqual(
        expected[0].dropFirst()))
    let report = try JsonFixture.report(text(line), with: symbols)
    expectEqual(report.backtraces[0].frames.first?.address, "0x400012d1")
    expectEqual(report.backtraces[0].frames.first?.imageOffset, 0x12d0)
    expectEqual(report.contradictions, [])
  }
}
