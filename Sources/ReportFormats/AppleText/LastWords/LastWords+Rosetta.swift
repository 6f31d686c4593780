import JsonReading
import ReportModel
import SymbolicationModel

extension LastWords {
  /// What Rosetta says before it ends a process whose code it cannot translate, if the place that
  /// it prints is there, in the same line or in the one below:
  ///
  /// ```text
  /// assertion failed [block != nullptr]: no block for arm_pc=0x1053
  /// (Translator.cpp:12 translate)
  /// ```
  ///
  /// Source: as people show it (github.com/shadps4-emu/shadPS4, issue 667; AvaloniaUI/Avalonia,
  /// issue 10622).
  static func rosettaAssertion(_ line: WordsLine) -> LastWords? {
    let title = "assertion failed ["
    let source = line.source
    guard let start = line.find(title),
      start == line.start || " *`'\">".utf8.contains(source[start - 1])
    else { return nil }
    let condition = start + title.utf8.count
    guard let close = source.find("]:", from: condition, limit: line.range.upperBound) else {
      return nil
    }
    var message = source.trimmed(close + 2..<line.range.upperBound)
    var end = line.next
    var place: String?
    if let (below, next) = line.below, let text = rosettaPlace(source, below) {
      place = text
      end = next
    } else if let open = source.bytes[message].lastIndex(of: Ascii.openParenthesis) {
      place = rosettaPlace(source, open..<message.upperBound)
      message = source.trimmed(message.lowerBound..<open)
    }
    guard let place else { return nil }
    // Behind the words are registers: `arm_pc=0x1053 interval=[0x10,0x20)`.
    let all = source.string(message)
    let words = all.split(separator: " ").prefix { word in
      word.firstRange(of: "=0x") == nil && word.firstRange(of: "=[0x") == nil
    }
    let told = words.isEmpty ? all : words.joined(separator: " ")
    return line.words(
      at: start,
      "assertion failed in Rosetta, \(place): \(source.string(condition..<close))"
        + (told.isEmpty ? "" : ": \(told)"), end: end)
  }

  /// `translate (Translator.cpp:12)` of `(Translator.cpp:12 translate)`, which bold text or a
  /// quotation may end with; nil if it is something else.
  private static func rosettaPlace(_ source: TextSource, _ range: Range<Int>) -> String? {
    guard range.count < 256 else { return nil }
    let text = source.string(range)
    guard let close = text.lastIndex(of: ")"), text.first == "(",
      text[text.index(after: close)...].allSatisfy({ "*`'\"".contains($0) })
    else { return nil }
    let words = text[..<close].dropFirst().split(separator: " ", maxSplits: 1)
    guard words.count == 2 else { return nil }
    let parts = words[0].split(separator: ":")
    guard parts.count == 2, parts[0].hasSuffix(".cpp") || parts[0].hasSuffix(".h"),
      parts[1].allSatisfy({ $0.isASCII && $0.isNumber })
    else { return nil }
    return "\(words[1]) (\(words[0]))"
  }
}
