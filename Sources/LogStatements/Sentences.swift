import JsonReading
import ReportFormats
package import ReportModel
import SymbolicationModel

extension TextSource {
  /// A message with what the line below says, if the message ends in a colon, and that line begins
  /// with a path, or is indented and no frame of JavaScript. Of paths it has the last names, which
  /// leave room for the rest.
  ///
  /// ```text
  /// Error: dlopen(/tmp/board.node, 1): no suitable image found.  Did find:
  ///     /tmp/board.node: code signature not valid for use in process using Library Validation
  ///     at process.func [as dlopen] (electron/js2c/asar_bundle.js:5:1812)
  /// ```
  ///
  /// Source: apple-oss-distributions/dyld, src/dyld2.cpp (`no suitable image found.  Did find:`).
  ///
  /// - Parameters:
  ///   - words: of the message, maybe without the colon.
  ///   - message: where it stands.
  ///   - line: on which it ends.
  func continued(_ words: String, _ message: Range<Int>, _ line: TextLine) -> String {
    let end = trimEnd(from: message.lowerBound, to: message.upperBound)
    guard end - message.lowerBound > 8, self[end - 1] == Ascii.colon else { return words }
    let below = self.line(at: line.next)
    let text = trimmed(below.start..<below.end)
    guard (9..<1024).contains(text.count), !has("at ", at: text.lowerBound, limit: text.upperBound)
    else { return words }
    let isIndented = text.lowerBound > below.start && Ascii.isWord(self[text.lowerBound])
    guard
      self[text.lowerBound] == Ascii.slash
        || isIndented && find("rror: ", from: message.lowerBound, limit: end) != nil
    else { return words }
    return "\(words)\(words.hasSuffix(":") ? "" : ":") \(string(text))".withShortPaths
  }
}

extension String {
  /// With the last names of paths in the place of them.
  fileprivate var withShortPaths: String {
    var text: [UInt8] = []
    var isPath = false
    /// Where the name of the path begins that is being read.
    var nameStart = 0
    for byte in utf8 {
      let isStart = text.last.map { " ('\"".utf8.contains($0) } ?? true
      if byte == UInt8(ascii: "/"), isPath || isStart {
        if isPath { text.removeSubrange(nameStart...) }
        (isPath, nameStart) = (true, text.count)
        continue
      }
      if " ,:)'\"".utf8.contains(byte) { isPath = false }
      text.append(byte)
    }
    return String(decoding: text, as: UTF8.self)
  }
}

// Words about a crash that do not state it.
extension TextSource {
  /// Whether the words in front of an exception say when it is thrown: `When a method throws an …`.
  func isCondition(_ before: Range<Int>) -> Bool {
    let start = max(before.lowerBound, before.upperBound - 160)
    return find("hen ", from: start, limit: before.upperBound).flatMap {
      find(" throws a", from: max($0, before.upperBound - 14), limit: before.upperBound)
    } != nil
  }

  /// Whether the sentence of some words says that somebody only guesses: `I think this is …`,
  /// `maybe …`, `…?`.
  ///
  /// - Parameter rest: of their line, from the words on.
  func isGuessed(_ before: Range<Int>, behind rest: Range<Int>) -> Bool {
    var start = max(before.lowerBound, before.upperBound - 240)
    while let end = find(". ", from: start, limit: before.upperBound) { start = end + 2 }
    let words = string(start..<before.upperBound)
    if words.isGuess || Self.guesses.contains(where: { words.firstRange(of: $0) != nil }) {
      return true
    }
    let limit = min(rest.upperBound, rest.lowerBound + 160)
    guard let mark = find("?", from: rest.lowerBound, limit: limit) else { return false }
    // Not of an address of the web, or of Swift's optional types.
    let isEnd = mark + 1 == rest.upperBound || self[mark + 1] == Ascii.space
    return isEnd && find(". ", from: rest.lowerBound, limit: mark) == nil
      && find("`", from: rest.lowerBound, limit: mark) == nil
  }

  private static let guesses = [
    " think ", " guess ", "uspect", "Perhaps", "Possibl", "Probabl", "Maybe", "Might ",
    " could be ",
    "Could ", " unsure ", "not sure ", " seems ",
  ]
}

extension TextSource {
  /// The signal of a line that has nothing but strsignal(3)'s words about it, as shells print them
  /// for a process that left no core. Elsewhere than below its stack they may be anybody's.
  package func signalAlone(in line: TextLine) -> String? {
    let text = trimmed(line.start..<line.end)
    guard (7..<32).contains(text.count), Ascii.isUppercase(self[text.lowerBound]),
      let words = SignalWords(string(text)[...]), words.rest.isEmpty,
      EndingWords.crashes.contains(words.signal)
    else { return nil }
    return words.signal
  }
}

extension StatementReading {
  /// Takes what RunningBoard says when it ends a process, or the explanation in it alone, as lists
  /// and sentences quote it. In an array of JSON, each line of the text is a text of its own, and
  /// those below belong to it:
  ///
  /// ```text
  ///   "<RBSTerminateContext| domain:10 code:0x8BADF00D explanation:scene-update watchdog …",
  ///   "ProcessVisibility: Foreground",
  /// ```
  ///
  /// - Complexity: reads at most 32 lines.
  mutating func takeTerminateContext(_ line: TextLine) -> Bool {
    // A quotation ends in front of the first quotation mark in it.
    let limit = min(source.line(at: source.lineStart(of: line.start)).end, line.start + 8192)
    let mark = "RBSTerminateContext|"
    let words = " watchdog transgression: "
    guard
      let found =
        source.find(mark, from: line.start, limit: limit)
        ?? source.find(words, from: line.start, limit: limit)
    else { return false }
    var text = source.string(found..<limit)
    var isWhole = text.firstRange(of: Self.endOfContext) != nil
    var next = line.next
    for _ in 0..<32 where next < source.count && !isWhole {
      let below = source.line(at: next)
      let part = source.trimmed(below.start..<below.end, leading: " \t", trailing: " \t\r,\"")
      guard source[part.lowerBound] == Ascii.quote, part.count < 512 else { break }
      let words = source.string(part.lowerBound + 1..<max(part.lowerBound + 1, part.upperBound))
      isWhole = words.firstRange(of: Self.endOfContext) != nil
      text += " | \(words)"
      next = below.next
    }
    guard let told = ReportFacts.Termination(runningBoard: text) else {
      return takeTransgression(at: found, words, limit, text)
    }
    skipEnd = max(skipEnd, next)
    if told.namespace == "SIGNAL" {
      guard let signal = told.code.flatMap({ MachNames.signal($0) }) else { return false }
      return ending.take(EndingWords(signal: signal), ReportFacts.Process())
    }
    let number = told.namespace.flatMap { UInt64($0) }
    // 0 is an end as it should be.
    guard number != 0 else { return false }
    var end = EndingWords(namespace: "", code: nil, nil)
    end.termination = told
    if let number { end.termination.namespace = "<\(number.hexadecimal)>" }
    return ending.take(end, ReportFacts.Process())
  }

  private static let endOfContext = " reportType:"

  /// Takes the explanation alone: `scene-update watchdog transgression: app<…>:60 exhausted real
  /// (wall clock) time allowance of 10.00 seconds`.
  private mutating func takeTransgression(
    at found: Int, _ words: String, _ limit: Int, _ text: String
  ) -> Bool {
    var start = found
    while start > 0, found - start < 64,
      Ascii.isWord(source[start - 1]) || source[start - 1] == Ascii.minus
    {
      start -= 1
    }
    guard source.has(words, at: found, limit: limit), start < found,
      text.firstRange(of: " time allowance of ") != nil,
      !source.isExample(source.lineStart(of: found)..<found)
    else { return false }
    var end = EndingWords(namespace: "", code: 0x8bad_f00d, nil)
    end.termination.namespace = nil
    end.termination.details = [source.string(start..<found) + text]
    return ending.take(end, ReportFacts.Process())
  }
}

extension TextSource {
  /// Whether a text of JSON at the start of a line is a fact that counts outside of its document.
  func isFactInQuotes(_ range: Range<Int>) -> Bool {
    ["\"device_", "\"\(GpuRestart.key)", "\"analysis\""].contains {
      has($0, at: range.lowerBound, limit: range.upperBound)
    }
  }
}
