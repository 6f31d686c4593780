import JsonReading
import ReportModel
import SymbolicationModel

// What checkers print that a program runs under.
extension LastWords {
  /// Of the checker of the main thread, of Metal, and of UIKit itself, behind the head of a log and
  /// the category or the level of the message: `2026-01-01 10:00:00.000+0100 Board[812:4] [reports]
  /// Main Thread Checker: UI API called on a background thread: -[UIView setNeedsLayout]`.
  ///
  /// Source: developer.apple.com/documentation/xcode, "Diagnosing memory, thread, and crash issues
  /// early"; the categories and UIKit's words as people show them
  /// (github.com/duraidabdul/LocalConsole, issue 4; onevcat/Kingfisher, issue 1182).
  static func checker(_ line: WordsLine) -> LastWords? {
    // Logs have millions of lines.
    guard
      line.find("hread", within: 400) != nil || line.find("failed assertion", within: 240) != nil
    else { return nil }
    if let words = mainThreadOnly(line) { return words }
    let source = line.source
    let head = source.logHeadEnd(line.range)
    let limit = line.range.upperBound
    var start = source.trimmed((head ?? line.start)..<limit, leading: "* ", trailing: "").lowerBound
    guard start < limit else { return nil }
    let isCategory = source[start] == Ascii.openBracket
    if isCategory || source[start] == UInt8(ascii: "<"),
      let close = source.find(
        isCategory ? "] " : ">: ", from: start, limit: min(limit, start + 60))
    {
      start = source.skipSeparators(from: close + 2, limit: limit)
    }
    guard start < limit else { return nil }
    let message = line.from(start)
    let failure = head == nil ? nil : failedAssertion(message)
    return failure ?? backgroundView(message)
  }

  /// `+[UIView setAnimationsEnabled:] being called from a background thread. Performing any
  /// operation from a background thread on UIView or a subclass is not supported …`.
  private static func backgroundView(_ line: WordsLine) -> LastWords? {
    guard "+-".utf8.contains(line.source[line.start]),
      let end = line.find(" being called from a background thread. Performing ", within: 160)
    else { return nil }
    let sentence = " being called from a background thread"
    return line.words(at: line.start, line.source.string(line.start..<end + sentence.utf8.count))
  }

  /// What Xcode shows of the checker of the main thread: `UI API called from background thread:
  /// -[UIView setHidden:] must be used from main thread only`, or with a property of Swift.
  ///
  /// Source: github.com/googlevr/gvr-ios-sdk, issue 306; CoderZhuXH/XHLaunchAd, issue 184.
  private static func mainThreadOnly(_ line: WordsLine) -> LastWords? {
    let words = " must be used from main thread only"
    let source = line.source
    guard line.range.count < 400, line.has(words) else { return nil }
    let range = source.trimmed(line.range, leading: "#*>` ", trailing: "*`. ")
    let end = range.upperBound - words.utf8.count
    guard end > range.lowerBound,
      source.has(words, at: end, limit: range.upperBound)
    else { return nil }
    var start = end - 1
    // A method in brackets, or one word.
    if source[start] == Ascii.closeBracket {
      while start > range.lowerBound, source[start] != Ascii.openBracket { start -= 1 }
      start = max(start - 1, range.lowerBound)
    } else {
      while start > range.lowerBound, source[start - 1] > Ascii.space { start -= 1 }
      guard source.bytes[start..<end].contains(UInt8(ascii: ".")) else { return nil }
    }
    return line.words(at: start, "Main Thread Checker: \(source.string(start..<range.upperBound))")
  }
}
