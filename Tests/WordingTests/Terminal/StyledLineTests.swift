import TestSupport
import Testing

@testable import Wording

/// Lines that fit a terminal.
struct StyledLineTests {
  private func rows(_ text: String, _ width: Int, indent: Int = 2) -> [String] {
    StyledText(text).wrapped(to: width, indent: indent).map(\.plain)
  }

  @Test func wordsStayWhole() {
    expectEqual(rows("one two three four", 9), ["one two", "  three", "  four"])
    expectEqual(rows("fits in here", 12), ["fits in here"])
    expectEqual(
      rows("    indented text that wraps", 16, indent: 4),
      [
        "    indented", "    text that", "    wraps",
      ])
    // Spaces between words stay, and vanish at the ends of lines.
    expectEqual(rows("a  b   c", 5), ["a  b", "  c"])
    // Wide characters count as two columns.
    expectEqual(rows("日本 日本 日本", 9), ["日本 日本", "  日本"])
  }

  /// A path may be wider than a line: it is there to be copied. A long name is divided behind its
  /// punctuation.
  @Test func wordsThatAreTooLong() {
    expectEqual(
      rows("see /a/very/long/path/to.swift now", 12),
      [
        "see", "  /a/very/long/path/to.swift", "  now",
      ])
    expectEqual(
      rows("f(number:letters:phrase:rounds:)", 20), ["f(number:letters:", "  phrase:rounds:)"])
    expectEqual(rows("undividedwordthatistoolong", 10), ["undividedwordthatistoolong"])
  }

  /// The same for messages and for coloured lines, which a CI system gets with `--color always`.
  @Test(arguments: [
    ("x ##[error]y", "x #\u{fffd}#[error]y"), ("##vso[task.x]y", "#\u{fffd}#vso[task.x]y"),
    ("::error::y", "\u{fffd}::error::y"), (" \u{a0}::error::y", "\u{fffd} \u{a0}::error::y"),
    ("a ::error::y", "a ::error::y"),
  ])
  func messagesAndPaintedLinesHaveNoCommands(text: String, expected: String) {
    expectEqual(
      String(decoding: StyledMessage.plain(.none, text), as: UTF8.self), expected + "\n")
    var look = TerminalLook()
    look.hasColors = true
    let painted = String(decoding: look.shown([StyledLine(text)]), as: UTF8.self)
    expectEqual(painted, expected + "\n")
    let alarm = String(decoding: look.shown([StyledLine(text, .alarm)]), as: UTF8.self)
    expectFalse(alarm.contains("##[") || alarm.contains("##vso["))
    expectEqual(alarm.hasPrefix("\u{fffd}"), expected.hasPrefix("\u{fffd}"))
  }

  /// Source of what is a command: ActionCommand.cs of GitHub's runner and Command.cs of Azure's.
  @Test func plainTextHasNoCommands() {
    for (text, expected) in [
      ("::error::x", "\u{fffd}::error::x"),
      (" \u{a0}\u{3000}::error::x", "\u{fffd} \u{a0}\u{3000}::error::x"),
      ("a ##[error]x", "a #\u{fffd}#[error]x"), ("a##vso[task]x", "a#\u{fffd}#vso[task]x"),
      ("### Heading", "### Heading"), ("std::a", "std::a"), ("  std::a", "  std::a"),
    ] {
      expectEqual([StyledLine(text)].plainText, expected + "\n")
    }
  }

  /// The cells of a text take a hundred times its size.
  @Test func hugeTextsAreCutWithoutTheirCells() {
    let name = String(repeating: "a", count: 1 << 21)
    expectEqual(FittedText.start(name, columns: 5), "aaaa…")
    expectEqual(FittedText.phrase(name, columns: 5), "aaaa…")
    expectEqual(rows(name, 9), [name])
  }

  @Test func stylesFollowTheirText() {
    var text = StyledText("why: ", .strong)
    text.append("it went wrong", .alarm)
    let rows = text.wrapped(to: 10, indent: 0)
    expectEqual(rows.map(\.plain), ["why: it", "went wrong"])
    expectEqual(rows[0].parts.map(\.style), [.strong, .alarm])
    expectEqual(rows[1].parts.map(\.style), [.alarm])
  }

  /// Whatever the text and the width, nothing is lost but spaces, and only words that stay whole
  /// are too wide.
  @Test func anyText() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<500 {
      let words = (0..<Int.random(in: 0..<12, using: &random)).map { _ in
        String(
          (0..<Int.random(in: 1..<14, using: &random)).map { _ in
            Array("ab日é\u{301}:(/,")[Int.random(in: 0..<8, using: &random)]
          })
      }
      let text = words.joined(separator: " ")
      let width = Int.random(in: 6..<30, using: &random)
      let rows = rows(text, width)
      let joined = rows.joined().filter { $0 != " " }
      expectEqual(joined, text.filter { $0 != " " })
      for row in rows where TerminalColumns.count(of: row) > width {
        expectFalse(row.dropFirst(2).contains(" "), "\(text) \(width)")
      }
    }
  }

  @Test(arguments: [
    ("short", 10, "short"), ("exactly te", 10, "exactly te"), ("a longer text", 10, "a longer…"),
    ("日本語日本語", 7, "日本語…"), ("日本語日本語", 8, "日本語…"), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
  ])
  func cut(text: String, width: Int, expected: String) {
    expectEqual(StyledText(text).cut(to: width).plain, expected)
  }

  @Test(arguments: [
    ("GameRound.init(number:letters:phrase:)", 30, "GameRound.init(number:…)"),
    ("GameRound.init(number:letters:phrase:)", 18, "GameRound.init(…)"),
    ("GameViewController.loadRound(_:)", 20, "…loadRound(_:)"),
    ("GameViewController.loadRound(_:)", 13, "…loadRound(…)"),
    ("GameViewController.viewDidLoad()", 24, "…viewDidLoad()"),
    ("GameData.rounds.unsafeMutableAddressor", 30, "…rounds.unsafeMutableAddressor"),
    ("closure #1 in closure #2 in View.body.getter", 30, "…View.body.getter"),
    ("one-time initialization function for rounds", 30, "…function for rounds"),
    (
      "ns::Map<std::pair<int, int>>::find(int const&) const", 40,
      "ns::Map<…>::find(int const&) const"
    ),
    ("ns::Map<std::pair<int, int>>::find(int const&) const", 23, "ns::Map<…>::find(…)"),
    ("ns::Map<std::pair<int, int>>::find(int const&) const", 12, "…find(…)"),
    ("ns::Map<A>::~Map() [clone .cold]", 20, "ns::Map<A>::~Map()"),
    ("void sort<int*, bool (*)(int, int)>(int*, int*)", 12, "…sort<…>(…)"),
    ("a::Result<int> b::Machine::run<int>(int)", 26, "…b::Machine::run<…>(int)"),
    ("std::operator<<<char>(std::ostream&, char const*)", 26, "std::operator<<<…>(…)"),
    ("Filter::operator->(int) const", 22, "Filter::operator->(…)"),
    ("run(std::string, int)::$_0::operator()(char) const", 30, "run(…)::$_0::operator()(…)"),
    ("app::run(std::string)::$_0::operator()(char) const", 28, "…run(…)::$_0::operator()(…)"),
    ("(anonymous namespace)::Board::turn(int, int)", 24, "…Board::turn(int, int)"),
    ("<alloc::vec::Vec<T> as core::fmt::Debug>::fmt", 20, "<…>::fmt"),
    ("vm::Object::add(vm::Handle<vm::Object>, vm::Handle<vm::Sym...", 48, "vm::Object::add(…)"),
    ("static Store.< infix(_:_:)", 20, "…< infix(_:_:)"),
    ("app::run(std::string)::$_0::operator()(char) const", 20, "…$_0::operator()(…)"),
    ("specialized Array.append<A>(contentsOf:)", 32, "specialized Array.append<A>(…)"),
    ("reallyOneNameThatIsLongerThanTheColumn(a:)", 20, "reallyOneNameThatIs…"),
    ("a::b::compute(std::string)", 15, "…b::compute(…)"),
    ("-[GameViewController viewDidLoad]", 20, "-[…viewDidLoad]"),
    ("main", 20, "main"),
  ])
  func functions(name: String, columns: Int, expected: String) {
    let short = FittedText.function(name, columns: columns)
    expectEqual(short, expected)
    #expect(TerminalColumns.count(of: short) <= columns)
  }

  @Test(arguments: [
    ("/a/b/c.swift", 20, "/a/b/c.swift"), ("/long/way/to/Sources/c.swift", 18, "…/Sources/c.swift"),
    ("/a/averyveryverylongname.swift", 12, "…gname.swift"),
  ])
  func paths(path: String, columns: Int, expected: String) {
    expectEqual(FittedText.end(ofPath: path, columns: columns), expected)
  }

  @Test func shortenedAsTextIs() {
    var text = StyledText("abc", .strong)
    text.append("def", .place)
    for limit in 0...7 {
      expectEqual(text.shortened(to: limit).plain, shortened("abcdef", to: limit))
    }
  }
}
