import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// Single lines of Swift backtraces, as `BacktraceFormatter` of Swift's runtime writes them.
struct SwiftBacktraceLineTests {
  struct Case: Sendable {
    let content: String
    let symbol: FrameSymbol?
    let image: String?
  }

  static let contents: [Case] = [
    Case(content: "main in game", symbol: FrameSymbol(name: "main"), image: "game"),
    Case(content: "main + 8 in game", symbol: FrameSymbol(name: "main", offset: 8), image: "game"),
    Case(content: "main - 8 in game", symbol: FrameSymbol(name: "main", offset: -8), image: "game"),
    Case(content: "main + 8", symbol: FrameSymbol(name: "main", offset: 8), image: nil),
    Case(
      content: "main + 8 at /a.c:3",
      symbol: FrameSymbol(name: "main", offset: 8, file: "/a.c", line: 3),
      image: nil),
    Case(content: "<unknown> in libc.so.6", symbol: nil, image: "libc.so.6"),
    Case(
      content: "static Int.+ infix(_:_:) + 12 in game at /a b/in game at.swift:1:2",
      symbol: FrameSymbol(
        name: "static Int.+ infix(_:_:)", offset: 12, file: "/a b/in game at.swift", line: 1,
        column: 2), image: "game"),
    Case(
      content: "closure #1 in closure #2 in start(_:) in game at /a.swift:7:5",
      symbol: FrameSymbol(
        name: "closure #1 in closure #2 in start(_:)", file: "/a.swift", line: 7, column: 5),
      image: "game"),
    Case(
      content: "closure #1 in game in game at /a.swift",
      symbol: FrameSymbol(name: "closure #1 in game", file: "/a.swift", line: 0), image: "game"),
    // A name that contains spaces is an image if the report lists it.
    Case(
      content: "closure #1 in f in My App at /x in y/a.swift:3",
      symbol: FrameSymbol(name: "closure #1 in f", file: "/x in y/a.swift", line: 3),
      image: "My App"),
    Case(
      content: "f + 1 in Look at me at /a.swift:3",
      symbol: FrameSymbol(name: "f", offset: 1, file: "/a.swift", line: 3), image: "Look at me"),
    Case(
      content: "a b in c d", symbol: FrameSymbol(name: "a b in c d"), image: nil),
    Case(
      content: "f + 99999999999999999999 in game",
      symbol: FrameSymbol(name: "f + 99999999999999999999"),
      image: "game"),
    Case(
      content: "f in game at /a.swift:99999999999999999999",
      symbol: FrameSymbol(name: "f", file: "/a.swift:99999999999999999999", line: 0), image: "game"),
  ]

  private static let images = """
    Images:

    0x0000000000001000–0x0000000000002000 aa My App     /srv/My App
    0x0000000000003000–0x0000000000004000 bb Look at me /srv/Look at me
    """

  @Test(arguments: contents)
  func content(_ test: Case) throws {
    let text = try ParsedText.ofSwiftThread(
      "  0 [ra] 0x0000000000001000 \(test.content)", images: Self.images)
    let frame = try require(text.report.threads.first?.frames.first)
    expectEqual(frame.symbol, test.symbol)
    expectEqual(frame.imageName, test.image)
    expectEqual(text.text(frame.values?.parts?.content), test.content)
  }

  @Test func partsOfALine() throws {
    let text = try ParsedText.ofSwiftThread("  3 [ra] [system]  0x00007f271c1a4cf6 f + 1 in a  ")
    let frame = try require(text.report.threads.first?.frames.first)
    expectEqual(text.text(frame.byteRange), "  3 [ra] [system]  0x00007f271c1a4cf6 f + 1 in a  ")
    expectEqual(text.text(frame.values?.parts?.index), "3")
    expectEqual(text.text(frame.values?.parts?.attributes), "[ra] [system]")
    expectEqual(text.text(frame.values?.parts?.address), "0x00007f271c1a4cf6")
    expectEqual(text.text(frame.values?.parts?.content), "f + 1 in a")
    expectEqual(frame.values?.isSystem, true)
    expectEqual(frame.addressKind, .returnAddress)
  }

  /// Text among frames that begins with a number, and unknown attributes.
  @Test func otherLines() throws {
    let text = try ParsedText.ofSwiftThread(
      "0 [new] 0x0000000000001000", "12 files are in work at once", "      1| let a = 1",
      "1 f() in a",
      "1 [ra] 0x", "99999999999999999999 [ra] 0x0000000000001000", "2 [ra] 0x0000000000001001 a",
      "2. A list", "...", "7 ...")
    let thread = try require(text.report.threads.first)
    expectEqual(thread.frames.map(\.index), [0, 1, 2])
    expectEqual(thread.frames.map { $0.address?.value }, [0x1000, nil, 0x1001])
    expectEqual(thread.omissions.count, 2)
    try expectEqual(text.report.faults.map(\.kind), [.unreadableFrame, .unreadableFrame])
  }

  /// Attributes say what an address is. In a format without them, every frame but the first made a
  /// call, except the calls inlined at the address of the first.
  @Test func withoutAttributes() throws {
    let none = try ParsedText.ofSwiftThread(
      "0 0x0000000000001000 a in x", "1 0x0000000000001000 b in x", "2 0x0000000000002000 c in x")
    try expectEqual(
      none.report.threads.first?.frames.map(\.addressKind),
      [.programCounter, .programCounter, .returnAddress])
    let some = try ParsedText.ofSwiftThread(
      "0           0x0000000000001000 a in x", "1 [inlined] 0x0000000000002000 b in x")
    try expectEqual(
      some.report.threads.first?.frames.map(\.addressKind),
      [
        .programCounter, .programCounter,
      ])
  }

  @Test func threadHeadings() throws {
    let text = try ParsedText(
      """
      *** Program crashed: Aborted at 0x0 ***
      Thread 0:
      Thread 1 "a "b" crashed":
      Thread 2 "c" crashed:
      Thread 99999999999999999999 crashed:
      Thread 3 d:
      Thread 4 "":
      """)
    let threads = try text.report.threads
    expectEqual(threads.map(\.number), [0, 1, 2, nil, 4])
    expectEqual(threads.map(\.name), [nil, "a \"b\" crashed", "c", nil, nil])
    expectEqual(threads.map(\.isCrashed), [false, false, true, true, false])
    try expectEqual(text.report.faults.map(\.kind), [.unreadableNumber])
  }

  @Test func imageLines() throws {
    let text = try ParsedText.ofSwiftThread(
      "0 0x0000000000001000",
      images: """
        Images (only mentioned):

        0x0000000000001000–0x0000000000002000 <no build ID> [vdso] <unknown>
        0x0000000000002000-0x0000000000003000 zz a b/c /d/e f
        0x0000000000003000–0x0000000000003000 aabb empty /empty
        0x0000000000004000 and more
        0xffffffffffffffff–0x0000000000000000 aabb
        Backtrace took 0.00s
        0x0000000000005000–0x0000000000006000 aabb late /late
        """)
    let report = try text.report
    expectEqual(report.images.map(\.name), ["[vdso]", "a b/c", "empty"])
    expectEqual(report.images.map(\.path), [nil, "/d/e f", "/empty"])
    expectEqual(report.images.map(\.identity?.description), [nil, nil, "aabb"])
    expectEqual(
      report.faults.map(\.kind),
      [
        .unreadableImageIdentity, .unreadableImage, .unreadableImage,
      ])
    expectNil(report.image(containing: LoadAddress(0x3000)))
    expectEqual(report.image(containing: LoadAddress(0x1fff))?.name, "[vdso]")
  }

  /// The input may end within the digits of an address.
  @Test func cutAnywhere() throws {
    let whole = try ParsedText(swiftFixture: "bank-off.log")
    let frames = try require(whole.report.crashedThread).frames
    for length in 0..<whole.bytes.count {
      guard let text = try? ParsedText(bytes: Array(whole.bytes.prefix(length))),
        let report = text.reports.first
      else { continue }
      let found = report.threads.first?.frames ?? []
      expectEqual(found.map(\.address), frames.prefix(found.count).map(\.address), "\(length)")
      #expect(report.byteRange.upperBound <= length)
    }
  }

  /// The second line says what happened, the first one only that something did.
  @Test func aHeadlineAlone() throws {
    let report = try ParsedText("*** Program crashed: Illegal instruction at 0x4 ***\n").report
    expectEqual(report.facts.exception.subtype, "Illegal instruction at 0x4")
    expectEqual(report.backtraces.isEmpty, true)
    for text in [
      "*** Signal 4: Backtracing from 0x4...", "*** Program crashed: Illegal instruction ***\n",
    ] {
      #expect(throws: CrashLogParseError.noReportFound(.swiftBacktrace)) {
        try ParsedText(text)
      }
    }
  }

  /// A hyphen, U+2010 to U+2015, and the minus sign.
  @Test(arguments: ["-", "‐", "‑", "‒", "–", "—", "―", "−"])
  func dashesBetweenAddresses(dash: String) throws {
    let text = """
      *** Program crashed: Illegal instruction at 0x0000000000001010 ***

      Thread 0 crashed:

      0 0x0000000000001010

      Images:

      0x0000000000001000\(dash)0x0000000000002000 <no build ID> My App /a place/My App
      """
    let report = try ParsedText(text).report
    let image = try require(report.images.first)
    expectEqual(image.path, "/a place/My App")
    expectEqual(image.name, "My App")
    expectEqual(report.image(for: try require(report.allFrames.first))?.name, "My App")
    expectEmpty(report.faults)
  }
}
