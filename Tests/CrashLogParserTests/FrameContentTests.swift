import CrashLogParser
import SymbolicationModel
import TestSupport
import Testing

/// What follows the address. Expected values are read off the texts.
struct FrameContentTests {
  private static func symbol(
    _ name: String, _ offset: Int64? = nil, _ file: String? = nil, _ line: Int? = nil,
    inlined: Bool = false
  ) -> FrameContent {
    .symbolicated(
      FrameSymbol(name: name, offset: offset, file: file, line: line, isInlined: inlined))
  }

  private static func place(_ base: UInt64, _ offset: UInt64) -> ImageRelativeAddress {
    ImageRelativeAddress(base: LoadAddress(base), offset: offset)
  }

  static let contents: [(String, FrameContent)] = [
    ("0x1ed1fd000 + 372392", .unsymbolicated(place(0x1_ed1f_d000, 372392))),
    ("0 + 70368744177778", .unsymbolicated(place(0, 70_368_744_177_778))),
    ("0x0 + 1", .unsymbolicated(place(0, 1))),
    // Cr4shed
    (
      "0x199 + 6768       \t// objc_msgSend",
      .sideBySide(place(0x199, 6768), symbol: FrameSymbol(name: "objc_msgSend"))
    ),
    // What people take from `atos`, behind the offset.
    (
      "0x104 + 67208 +[Deck shared] (in Board)",
      .sideBySide(place(0x104, 67208), symbol: FrameSymbol(name: "+[Deck shared]"))
    ),
    (
      "0x104 + 67208 -[Deck deal] (in Board) (Deck.m:20)",
      .sideBySide(
        place(0x104, 67208), symbol: FrameSymbol(name: "-[Deck deal]", file: "Deck.m", line: 20))
    ),
    ("0x104 + 67208 deal(_:)", .unparsed),
    ("0x104 + 67208      \t// (null)", .unsymbolicated(place(0x104, 67208))),
    ("0x104 + 67208      \t// func_1d388", .unsymbolicated(place(0x104, 67208))),
    ("pthread_kill + 268 (pthread.c:1721)", symbol("pthread_kill", 268, "pthread.c", 1721)),
    ("__ulock_wait + 8 (:-1)", symbol("__ulock_wait", 8)),
    ("+ -1 (:-1)", symbol("", -1)),
    ("f + 0 (<compiler-generated>:0)", symbol("f", 0, "<compiler-generated>", 0)),
    (
      "specialized static NSApplicationDelegate.main() + 24 [inlined]",
      symbol("specialized static NSApplicationDelegate.main()", 24, inlined: true)
    ),
    ("f + 4 (a.swift:7) [inlined]", symbol("f", 4, "a.swift", 7, inlined: true)),
    ("main (main.m:16)", symbol("main", nil, "main.m", 16)),
    // The place in front of the image.
    ("_turn board.rs:25 (in Board)", symbol("_turn", nil, "board.rs", 25)),
    ("_turn :52 (in Board)", symbol("_turn", 52)),
    // What a person adds.
    ("-[A b] + 12   <-- here", symbol("-[A b]", 12)), ("f(x:) + 4 ← HERE", symbol("f(x:)", 4)),
    ("bool operator<= (a, b) + 4", symbol("bool operator<= (a, b)", 4)),
    // Paths with characters that have a meaning elsewhere.
    ("f + 4 (/a/b c.swift:7)", symbol("f", 4, "/a/b c.swift", 7)),
    (
      "f(x:) + 4 (/a (b)/c.swift:7) [inlined]",
      symbol("f(x:)", 4, "/a (b)/c.swift", 7, inlined: true)
    ),
    ("f(x:) + 4 (/a (b/c.swift:7)", symbol("f(x:)", 4, "/a (b/c.swift", 7)),
    ("f(x:) + 4 (/a) b/c:d.swift:7)", symbol("f(x:)", 4, "/a) b/c:d.swift", 7)),
    ("f(x:) + 4 (/a + 8/c (2).swift:7)", symbol("f(x:)", 4, "/a + 8/c (2).swift", 7)),
    ("f(x:) + -1 (a (b).swift:7)", symbol("f(x:)", -1, "a (b).swift", 7)),
    ("main (/a (b)/main.m:16)", symbol("main", nil, "/a (b)/main.m", 16)),
    (
      "-[A b] (in App) (/a (b)/A.m:20)",
      .atos(FrameSymbol(name: "-[A b]", file: "/a (b)/A.m", line: 20), imageName: "App")
    ),
    // The last plus sign counts.
    (
      "objc_cxxDestructFromClass+ 28404 (objc_object*, objc_class*) + 148",
      symbol("objc_cxxDestructFromClass+ 28404 (objc_object*, objc_class*)", 148)
    ),
    ("operator+(A, B) + 12", symbol("operator+(A, B)", 12)),
    ("a + b + 12", symbol("a + b", 12)),
    ("-[X y:] + 12", symbol("-[X y:]", 12)),
    ("closure #1 in f(x:) + 9", symbol("closure #1 in f(x:)", 9)),
    // The file of a private declaration is not an image.
    (
      "A.(b in _3C2F1BB4E1B0E4C9A2D4FB1C9A8E7D6F) + 5",
      symbol("A.(b in _3C2F1BB4E1B0E4C9A2D4FB1C9A8E7D6F)", 5)
    ),
    ("A.b (in _3C2F1BB4E1B0E4C9) + 5", symbol("A.b (in _3C2F1BB4E1B0E4C9)", 5)),
    (
      "0x3617c000 + 72220 (__pthread_kill + 8)",
      .sideBySide(
        place(0x3617_c000, 72220),
        symbol: FrameSymbol(name: "__pthread_kill", offset: 8))
    ),
    (
      "0x10002c000 + 0x20dd8\t// 0x00020d58 + 0x80",
      .sideBySide(
        place(0x1_0002_c000, 0x20dd8),
        symbol: FrameSymbol(name: "0x00020d58", offset: 0x80))
    ),
    (
      "-[MyClass crashingMethod] (in CrashingTest) (MyClass.m:20)",
      .atos(
        FrameSymbol(name: "-[MyClass crashingMethod]", file: "MyClass.m", line: 20),
        imageName: "CrashingTest")
    ),
    (
      "start (in libdyld.dylib) + 1",
      .atos(FrameSymbol(name: "start", offset: 1), imageName: "libdyld.dylib")
    ),
    // Crash services, which may leave the line out, and write the column.
    (
      "Board.turn() + 12 (Board.swift:24:46)",
      .symbolicated(
        FrameSymbol(name: "Board.turn()", offset: 12, file: "Board.swift", line: 24, column: 46))
    ),
    (
      "Board.turn() (Board.swift:24:46)",
      .symbolicated(
        FrameSymbol(name: "Board.turn()", file: "Board.swift", line: 24, column: 46))
    ),
    ("Board.turn() (Board.swift:0:0)", symbol("Board.turn()", nil, "Board.swift", 0)),
    ("Board.turn() (<compiler-generated>)", symbol("Board.turn()", nil, "<compiler-generated>")),
    (
      "Board.turn() + 12 (<compiler-generated>)",
      symbol("Board.turn()", 12, "<compiler-generated>")
    ),
    (
      "[inlined] Board.turn() (Board.swift:24)",
      symbol("Board.turn()", nil, "Board.swift", 24, inlined: true)
    ),
    ("???", .unknown),
    ("? + 4373061536", .unknown),
    ("_ZN3fooEv", .unparsed),
    ("0x1ed1fd000 +", .unparsed),
    // As lldb and other tools write the distance, and people who retype frames. A plus sign may
    // be the end of a name.
    ("main + 0x1c", symbol("main", 28)), ("_sigtramp+26", symbol("_sigtramp", 26)),
    ("-[Board turn:]+0x3", symbol("-[Board turn:]", 3)),
    ("Deck.deal(_:)+0x10 (Deck.swift:7)", symbol("Deck.deal(_:)", 16, "Deck.swift", 7)),
    ("deck::operator+ + 0x8", symbol("deck::operator+", 8)),
    ("0x1000+23", .unsymbolicated(place(0x1000, 23))),
    ("deck::operator+8", .unparsed), ("+8", .unparsed), ("C++11", .unparsed),
    ("deal + 0x", .unparsed), ("deal + 0x11223344556677889", .unparsed),
    // Too large for an offset.
    ("f + 99999999999999999999", .unparsed),
    ("0x1 + 99999999999999999999", .unparsed),
    ("f&lt;int&gt;(&quot;a&quot;) + 1", symbol("f<int>(\"a\")", 1)),
  ]

  @Test(arguments: contents)
  func content(text: String, expected: FrameContent) throws {
    let frame = try require(frames("0   App 0x10 \(text)").frames.first)
    expectEqual(frame.line?.content, expected)
    let stated: ImageRelativeAddress? =
      switch expected {
      case .unsymbolicated(let place), .sideBySide(let place, _): place
      default: nil
      }
    expectEqual(frame.imageRelativeAddress, stated)
    // A frame has no symbol if its name is empty, or only the address again.
    // Whatever is no content may be a name alone.
    let isName = ["_ZN3fooEv", "deck::operator+8", "+8", "C++11"].contains(text)
    let bare = isName ? FrameSymbol(name: text) : nil
    expectEqual(
      frame.symbol,
      expected.symbol.flatMap { $0.name.isEmpty || $0.name.hasPrefix("0x") ? nil : $0 } ?? bare)
    expectEqual(frame.isInlined, frame.symbol?.isInlined ?? false)
  }

  /// Sentry writes a name without an offset; github.com/getsentry/sentry,
  /// src/sentry/lang/native/applecrashreport.py.
  @Test(
    arguments: [
      ("-[Board draw]", "-[Board draw]", false), ("+[Board new]", "+[Board new]", false),
      ("Board.turnTile(at:)", "Board.turnTile(at:)", false),
      ("(anonymous namespace)::turn(int)", "(anonymous namespace)::turn(int)", false),
      ("[inlined] Board.turn()", "Board.turn()", true), ("<unknown>", nil, false),
      ("<redacted>", nil, false), ("[inlined] <redacted>", nil, false), ("(Missing)", nil, false),
      ("12 of 20", nil, false), ("main +", nil, false), ("main + x", nil, false),
    ])
  func namesWithNothingBehindThem(text: String, name: String?, isInlined: Bool) throws {
    let input = "0   App                             0x104a1c2f0         \(text)"
    let frame = try require(frames(input).frames.first)
    expectEqual(frame.symbol?.name, name)
    expectEqual(frame.symbol?.offset, nil)
    expectEqual(frame.isInlined, isInlined)
    expectEqual(frame.line?.content, .unparsed)
  }

  /// The output of `atos` behind the place, as some scripts write it.
  @Test func namesBehindSlashes() throws {
    let line = "1   App 0x104a1c2f0 0x104a10000 + 49904  // Board.turn() (in App) (Board.swift:49)"
    let frame = try require(frames(line).frames.first)
    expectEqual(frame.symbol, FrameSymbol(name: "Board.turn()", file: "Board.swift", line: 49))
    expectEqual(frame.imageRelativeAddress?.offset, 49904)
  }
}
