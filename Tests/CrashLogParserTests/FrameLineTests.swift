import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// The parts of a frame line, in the layouts of all writers. Expected values are read off the
/// lines.
struct FrameLineTests {
  struct Line: Sendable {
    let line: String
    let index: Int
    let image: String
    let addressText: String
    let address: UInt64
    let content: String
  }

  static let lines = [
    Line(
      line: "2   libsystem_c.dylib             \t0x00000001ed257ea8 0x1ed1fd000 + 372392", index: 2,
      image: "libsystem_c.dylib", addressText: "0x00000001ed257ea8", address: 0x1_ed25_7ea8,
      content: "0x1ed1fd000 + 372392"),
    Line(
      line: "0   CoreFoundation                \t0x193ba8964 __exceptionPreprocess + 164 (X.m:249)",
      index: 0, image: "CoreFoundation", addressText: "0x193ba8964", address: 0x1_93ba_8964,
      content: "__exceptionPreprocess + 164 (X.m:249)"),
    // A null program counter: 18 zeros and no 0x.
    Line(
      line: "0   ???                           \t000000000000000000 0 + 0", index: 0, image: "???",
      addressText: "000000000000000000", address: 0, content: "0 + 0"),
    // Of a process of 32 bits: 10 zeros.
    Line(
      line: "0   ???                           \t0000000000 0 + 0", index: 0, image: "???",
      addressText: "0000000000", address: 0, content: "0 + 0"),
    // The space of the empty symbol belongs to the content.
    Line(
      line: "16  Foundation                    \t0x000000019a4cc984  + -1 (:-1)", index: 16,
      image: "Foundation", addressText: "0x000000019a4cc984", address: 0x1_9a4c_c984,
      content: " + -1 (:-1)"),
    Line(
      line: "2   iOSCrashingTest               \t       0x1007da4bc 0x1007d4000 + 25788", index: 2,
      image: "iOSCrashingTest", addressText: "0x1007da4bc", address: 0x1_007d_a4bc,
      content: "0x1007d4000 + 25788"),
    Line(
      line: "18  ???                           \t       0x1024213d4 ???", index: 18, image: "???",
      addressText: "0x1024213d4", address: 0x1_0242_13d4, content: "???"),
    // A name that is longer than its column.
    Line(
      line: "4   DecodableResultReproduceCrapshMacOS\t       0x1007524bc lazy accessor for X + 4",
      index: 4, image: "DecodableResultReproduceCrapshMacOS", addressText: "0x1007524bc",
      address: 0x1_0075_24bc, content: "lazy accessor for X + 4"),
    // No tab.
    Line(
      line: "1   libobjc.A.dylib                     0x00007fff6cf7bc76 objc_exception_throw + 48",
      index: 1, image: "libobjc.A.dylib", addressText: "0x00007fff6cf7bc76",
      address: 0x7fff_6cf7_bc76, content: "objc_exception_throw + 48"),
    // All columns collapsed.
    Line(
      line: "16 ??? 0x0000004c000b23b8 0 + 326418244536", index: 16, image: "???",
      addressText: "0x0000004c000b23b8", address: 0x4c_000b_23b8, content: "0 + 326418244536"),
    // 32 bits.
    Line(
      line:
        "0   libsystem_kernel.dylib          0x3618da1c 0x3617c000 + 72220 (__pthread_kill + 8)",
      index: 0, image: "libsystem_kernel.dylib", addressText: "0x3618da1c", address: 0x3618_da1c,
      content: "0x3617c000 + 72220 (__pthread_kill + 8)"),
    Line(
      line:
        "56      MobileSMS (*)                 \t0x10004cdd8 0x10002c000 + 0x20dd8\t// f + 0x80",
      index: 56, image: "MobileSMS (*)", addressText: "0x10004cdd8", address: 0x1_0004_cdd8,
      content: "0x10002c000 + 0x20dd8\t// f + 0x80"),
    // Of ipsw: the slide is before the address, behind it, or nowhere.
    Line(
      line:
        "  3: CoreFoundation          (slide=0x27010000) 0x1a734e76c -[__NSDictionaryM count] + 184",
      index: 3, image: "CoreFoundation", addressText: "0x1a734e76c", address: 0x1_a734_e76c,
      content: "-[__NSDictionaryM count] + 184"),
    Line(
      line: " 14: Board Kit 0x1a734e76c (slide=0x27010000) turn + 12", index: 14,
      image: "Board Kit", addressText: "0x1a734e76c", address: 0x1_a734_e76c, content: "turn + 12"),
    Line(
      line: " 12: libobjc.A.dylib 0x1bc39e1e0 _objc_msgSend + 32", index: 12,
      image: "libobjc.A.dylib", addressText: "0x1bc39e1e0", address: 0x1_bc39_e1e0,
      content: "_objc_msgSend + 32"),
    // A list of Markdown: github.github.com/gfm, "List items".
    Line(
      line: "1. Board Kit   \t0x00000001bc39e1e0 turn + 32", index: 1, image: "Board Kit",
      addressText: "0x00000001bc39e1e0", address: 0x1_bc39_e1e0, content: "turn + 32"),
    Line(
      line: "2) Board 0x1bc39e1e0 0x1bc39e000 + 480", index: 2, image: "Board",
      addressText: "0x1bc39e1e0", address: 0x1_bc39_e1e0, content: "0x1bc39e000 + 480"),
    // Three digits of index leave one space.
    Line(
      line: "100 SwiftUI                       \t0x1a0b4c0d8 f + 1", index: 100, image: "SwiftUI",
      addressText: "0x1a0b4c0d8", address: 0x1_a0b4_c0d8, content: "f + 1"),
    // Names with spaces, brackets, quotes, a plus sign, an emoji.
    Line(
      line: "3   App Namespace 0x0000000102268e70 0x10211c000 + 1363568", index: 3,
      image: "App Namespace", addressText: "0x0000000102268e70", address: 0x1_0226_8e70,
      content: "0x10211c000 + 1363568"),
    Line(
      line: "3   a + [b] \"c\" 🦊 (d) 0x10 f + 1", index: 3, image: "a + [b] \"c\" 🦊 (d)",
      addressText: "0x10", address: 0x10, content: "f + 1"),
    // A word with 0x in it, and an address with too many digits, are part of the name.
    Line(
      line: "3   tool 0xZZ 0x123456789abcdef01 0xAB f + 1", index: 3,
      image: "tool 0xZZ 0x123456789abcdef01", addressText: "0xAB", address: 0xAB, content: "f + 1"),
    // Indentation, and separators after the content.
    Line(
      line: "    7   A   0x10 f + 1 \t", index: 7, image: "A", addressText: "0x10", address: 0x10,
      content: "f + 1"),
    // Nothing after the address.
    Line(
      line: "7   A   0x10 ", index: 7, image: "A", addressText: "0x10", address: 0x10, content: ""),
    Line(
      line: "7   libApp&lt;T&gt; 0x10 f&amp;g + 1", index: 7, image: "libApp<T>",
      addressText: "0x10",
      address: 0x10, content: "f&amp;g + 1"),
  ]

  @Test(arguments: lines)
  func partsOfALine(_ expected: Line) throws {
    let (text, frames) = try frames(expected.line)
    let frame = try require(frames.first)
    let line = try require(frame.line)
    expectEqual(frames.count, 1)
    expectEqual(frame.index, expected.index)
    expectEqual(frame.imageName, expected.image)
    expectEqual(frame.address, LoadAddress(expected.address))
    expectEqual(line.index, expected.index)
    expectEqual(line.imageName, expected.image)
    expectEqual(frame.byteRange, line.byteRange)
    expectEqual(text[line.byteRange], expected.line)
    expectEqual(text[line.indexRange], String(expected.index))
    expectEqual(text[line.addressRange], expected.addressText)
    expectEqual(text[line.contentRange], expected.content)
    try expectEmpty(text.report.faults)
    expectNesting(try text.report, expected.line)
  }

  /// Web pages put no-break spaces between spaces.
  @Test func noBreakSpacesSeparate() throws {
    let line =
      "10\u{a0} Letter Shuffle\u{a0} \u{a0} 0x000000010024f19c\u{a0}0x100228000 + 160156\u{a0}"
    let (text, frames) = try frames(line)
    let frame = try require(frames.first?.line)
    expectEqual(frame.index, 10)
    expectEqual(frame.imageName, "Letter Shuffle")
    expectEqual(text[frame.addressRange], "0x000000010024f19c")
    expectEqual(text[frame.contentRange], "0x100228000 + 160156")
    let place = ImageRelativeAddress(base: LoadAddress(0x1_0022_8000), offset: 160156)
    expectEqual(frame.content, .unsymbolicated(place))
    expectEqual(frames.first?.imageRelativeAddress, place)
  }

  /// libc++ writes its failure message, with its line end, instead of the symbol. The line end is
  /// none of the name.
  @Test func aSymbolMayTakeUpTwoLines() throws {
    let first =
      "0   App    \t       0x11ecc5adc /v1/vector:1393: assertion __n < size() failed: bounds"
    let (text, frames) = try frames(
      first, " + 0 [inlined]", "1   App    \t       0x11ecc5adc f() + 100 (vector:1393)")
    expectEqual(frames.count, 2)
    let lines = frames.compactMap(\.line)
    expectEqual(text[lines[0].byteRange], first + "\n + 0 [inlined]")
    expectSuffix(text[lines[0].contentRange], "bounds\n + 0 [inlined]")
    expectEqual(
      lines[0].content,
      .symbolicated(
        FrameSymbol(
          name: "/v1/vector:1393: assertion __n < size() failed: bounds", offset: 0,
          isInlined: true)))
    expectEqual(text[lines[1].contentRange], "f() + 100 (vector:1393)")
    expectNesting(try text.report, "two lines")
  }

  @Test func aVeryLongLineIsAFrame() throws {
    let symbol = String(repeating: "std::vector<int>, ", count: 10_000)
    let (text, frames) = try frames("0   App  0x10 \(symbol)+ 4")
    expectEqual(
      text[try require(frames.first?.line).contentRange].utf8.count, symbol.utf8.count + 3)
  }

  @Test(arguments: [
    "0   App", "0   App no address at all", "0   0x0000000100000000 f + 1",
    "99999999999999999999999 App 0x10 f + 1", "0   App 0x10",
  ])
  func aLineThatLooksLikeAFrameButIsNotIsAFault(line: String) throws {
    let (text, frames) = try frames("0   A  0x10 f + 1", line, "2   A  0x20 g + 1")
    expectEqual(frames.map(\.index), [0, 2])
    let faults = try text.report.faults
    expectEqual(faults.map(\.kind), [.unreadableFrame])
    expectEqual(faults.map { text[$0.byteRange] }, [line])
  }
}
