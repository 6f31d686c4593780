import ReportModel
import TestSupport
import Testing

/// Patterns of lines beside regular expressions that say the same, which Swift's own engine
/// matches: it tries everything, and remembers nothing.
struct LinePatternTests {
  /// As short as the rest allows, with no separator at its ends.
  private static let text = #"([^ \t](?:.*?[^ \t])??)"#
  private static let word = #"([^ \t]+?)"#
  private static let number = #"([0-9]+)(?![0-9])"#
  private static let address = #"(0x[0-9a-f]+)(?![0-9a-f])"#
  private static let gap = #"[ \t]+"#

  private struct Case {
    let pattern: String
    let expression: String
    /// In the order of the groups.
    let fields: [LineField]

    init(_ pattern: String, _ fields: [LineField], _ expression: String) {
      self.pattern = pattern
      self.fields = fields
      self.expression = expression
    }
  }

  private static let cases = [
    Case(
      "#{index} {symbol} ({file}:{line}{?:{column}?})", [.index, .symbol, .file, .line, .column],
      "#\(number)\(gap)\(text)\(gap)\\(\(text):\(number)(?::\(number))?\\)"),
    Case(
      "{index} {image} {address} {content}", [.index, .image, .address, .content],
      number + gap + text + gap + address + gap + #"([^ \t].*)"#),
    Case(
      "{symbol} in {image}[{message}]", [.symbol, .image, .message],
      "\(text)\(gap)in\(gap)\(text)\\[\(text)\\]"),
    Case(
      "{symbol} in {file}:{line}{? + {offset}?}", [.symbol, .file, .line, .offset],
      "\(text)\(gap)in\(gap)\(text):\(number)(?:\(gap)\\+\(gap)\(number))?"),
    Case(
      "{symbol} at {file}:{line}{? ({image}+{address})?}",
      [.symbol, .file, .line, .image, .address],
      "\(text)\(gap)at\(gap)\(text):\(number)(?:\(gap)\\(\(text)\\+\(address)\\))?"),
    Case(
      "{image:w}!{symbol} [{file}:{line}]", [.image, .symbol, .file, .line],
      "\(word)!\(text)\(gap)\\[\(text):\(number)\\]"),
    Case(
      "{symbol}{? ({thread:w})?} at {file:w}", [.symbol, .thread, .file],
      "\(text)(?:\(gap)\\(\(word)\\))?\(gap)at\(gap)([^ \t]+)"),
  ]

  private static let pieces = [
    "#0", "#12 ", " ", "  ", "\t", "turn", "Deck.turn(", ")", "(", "[", "]", ":", ":12", "12",
    " in ",
    "in", " at ", "at", " + ", "+", "0x1c", " 0x1c ", "!", "Deck.c", " (Deck.c:7)", " (Deck+0x1f)",
    "[kernel]", " in Deck.c:3", " at Deck.c:7", "Game!deal [Deck.c:7]",
  ]

  @Test(arguments: cases.indices)
  func patternsSayWhatExpressionsSay(index: Int) throws {
    let example = Self.cases[index]
    let pattern = LinePattern(example.pattern)
    let expression = try Regex(example.expression, as: AnyRegexOutput.self)
    var generator = SeededGenerator(seed: UInt64(index) + 1)
    var matchCount = 0
    for count in 0..<6000 {
      let pieces = (0..<1 + count % 14).map { _ in
        Self.pieces.randomElement(using: &generator) ?? ""
      }
      let start =
        count % 3 == 0 && example.pattern.hasPrefix("#") ? "#3 " : count % 3 == 1 ? "4 " : ""
      let line = (start + pieces.joined()).trimmingBlanks
      guard !line.isEmpty else { continue }
      let source = TextSource(bytes: Array(line.utf8))
      let match = pattern.match(source, 0..<line.utf8.count)
      let expected = try expression.wholeMatch(in: line)
      if expected != nil { matchCount += 1 }
      for (place, field) in example.fields.enumerated() {
        let found = match.flatMap { $0.text(field, source) }
        let wanted = expected.flatMap { $0.output[place + 1].substring.map(String.init) }
        expectEqual(found, wanted, "\(example.pattern) of \(line)")
      }
    }
    // Otherwise the lines say nothing about the pattern.
    #expect(matchCount > 20, "\(example.pattern)")
  }
}

extension String {
  fileprivate var trimmingBlanks: String {
    let isBlank = { (character: Character) in character == " " || character == "\t" }
    let end = lastIndex { !isBlank($0) }.map { index(after: $0) } ?? startIndex
    return String(self[..<end].drop(while: isBlank))
  }
}
