import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Which program crashed and how, in a sentence: `Board crashed with EXC_CRASH (SIGABRT) while …`.
/// Alone it says too little for a report.
struct ToldCrash {
  private(set) var program: String?
  private var type: String?
  private var signal: String?
  /// With the code or the signal that reports have beside it.
  private var exception: CodeWords?
  /// Of the line with ``exception``.
  private(set) var range: Range<Int>?

  /// Whether a sentence is one about the frames below it.
  var saysException: Bool { exception != nil }

  /// - Parameters:
  ///   - sign: where the name of the exception begins.
  ///   - range: of the line.
  mutating func take(at sign: Int, _ range: Range<Int>, _ source: TextSource) {
    if let words = CodeWords(at: sign, range, source) {
      // The last one is nearest to the frames, unless it says less.
      if exception?.subtype == nil || words.subtype != nil {
        exception = words.withMessage(of: exception)
      }
      self.range = range
    }
    guard program == nil else { return }
    takeProgram(at: sign, range, source)
  }

  private mutating func takeProgram(at sign: Int, _ range: Range<Int>, _ source: TextSource) {
    guard let kind = source.exceptionKind(at: sign, range.upperBound) else { return }
    let start = max(range.lowerBound, sign - 160)
    // The name may be in code or bold.
    var words = source.string(start..<sign).split(separator: " ")[...]
    if let last = words.last, ["a", "an", "the"].contains(last) { words.removeLast() }
    guard words.popLast() == "with", let verb = words.popLast(), Self.verbs.contains(String(verb))
    else { return }
    (type, signal) = (kind.type, kind.signal)
    // Words of a sentence begin with small letters, and a program is named by one that is no
    // pronoun.
    guard let word = words.last else { return }
    let name = word.drop { "`*\"'(".contains($0) }.prefix { !"`*\"'),:".contains($0) }
    guard name.utf8.count > 2, name.first?.isLetter == true,
      name.contains(where: \.isUppercase), !Self.otherWords.contains(name.lowercased())
    else { return }
    program = String(name)
  }

  func complete(_ facts: inout ReportFacts) {
    if facts.process.name == nil { facts.process.name = program }
    guard facts.exception.type == nil, facts.exception.signal == nil else {
      // What else a sentence says about the same exception.
      if let exception, exception.type == facts.exception.type, facts.exception.message == nil {
        facts.exception.message = exception.message
      }
      return
    }
    (facts.exception.type, facts.exception.signal) = (type, signal)
  }

  /// What a sentence right above frames says, in which no exception is known.
  func complete(frames facts: inout ReportFacts) {
    guard let exception, facts.exception.type == nil, facts.exception.signal == nil else { return }
    facts.exception.type = exception.type
    facts.exception.signal = exception.signal
    facts.exception.subtype = exception.subtype
    facts.exception.message = exception.message
  }

  private static let verbs: Set = [
    "crashed", "crashes", "crashing", "aborted", "aborts", "died", "dies", "terminated",
    "terminates", "quit", "quits", "exited", "exits",
  ]
  private static let otherWords: Set = [
    "this", "that", "they", "which", "app", "apps", "application", "program", "process", "game",
    "client", "server", "editor", "xcode", "simulator", "and", "then", "now", "also", "always",
    "ios", "ipados", "macos", "android", "iphone", "ipad", "mac", "just", "code", "thread", "build",
    "version", "release", "debug", "everything", "both", "immediately",
  ]
}

// What stands in a sentence, or between quotation marks there.
extension StatementReading {
  /// Takes the words of a library that a sentence quotes.
  ///
  /// - Parameter sign: where a text is that the words have.
  mutating func takeSentence(_ line: TextLine, _ sign: Int) -> Bool {
    guard isWholeText, !source.isExample(line.start..<sign),
      LastWords(line, of: source) == nil, let words = LastWords(inProse: line, of: source)
    else { return false }
    return take(words, line)
  }

  /// Takes what a sentence quotes, as if it had a line of its own: people put what a console, a
  /// shell or Xcode says between the marks of code.
  ///
  /// ```text
  /// The app stops with `Thread 1: signal SIGABRT` in main.
  /// I get "libc++abi: terminating with uncaught exception of type NSException" there.
  /// ```
  ///
  /// Source: CommonMark 0.31.2, section 6.1 (code spans).
  ///
  /// - Complexity: looks at four quotations.
  mutating func takeQuotation(_ line: TextLine) -> Bool {
    if let first = source.find("`", from: line.start, limit: line.end) {
      return first > line.start && takeQuotation("`", "`", from: first, line)
    }
    // Logs have many quotation marks.
    guard mayBeWords(line.start..<line.end) else { return false }
    for (open, close) in Self.quotationMarks {
      guard let first = source.find(open, from: line.start, limit: line.end) else { continue }
      return first > line.start
        && !source.bytes[line.start..<first].contains(where: { "(=[{+".utf8.contains($0) })
        && takeQuotation(open, close, from: first, line)
    }
    return false
  }

  private static let quotationMarks = [
    ("\"", "\""), ("“", "”"), ("「", "」"), ("«", "»"), ("‘", "’"),
  ]

  private mutating func takeQuotation(
    _ open: String, _ close: String, from first: Int, _ line: TextLine
  ) -> Bool {
    guard !source.has("//", at: line.start, limit: line.end),
      !source.isExample(line.start..<first)
    else { return false }
    let cursor = signs
    var next: Int? = first
    for _ in 0..<4 {
      guard var start = next.map({ $0 + open.utf8.count }) else { break }
      // Of two marks.
      while source[start] == Self.codeSpan, start < line.end { start += 1 }
      guard let end = source.find(close, from: start, limit: line.end) else { break }
      let quoted = source.trimmed(start..<end)
      if quoted.count > 8,
        takeQuoted(TextLine(start: quoted.lowerBound, end: quoted.upperBound, next: line.next))
      {
        return true
      }
      var rest = end + close.utf8.count
      while source[rest] == Self.codeSpan, rest < line.end { rest += 1 }
      next = source.find(open, from: rest, limit: line.end)
    }
    // It only goes on, and the whole line is read next.
    signs = cursor
    return false
  }

  /// Whether a part of a line may say something: logs have many quotation marks.
  private mutating func mayBeWords(_ range: Range<Int>) -> Bool {
    signs.mayBeSign(in: range, of: source, limit: limit) || LastWords.mayBe(in: range, of: source)
  }

  private mutating func takeQuoted(_ quoted: TextLine) -> Bool {
    if takeMessage(quoted) { return true }
    if let words = LastWords(quoted, of: source) { return take(words, quoted) }
    // Scripts have these between other marks.
    return source[quoted.end] == Self.codeSpan && ending.takeShell(quoted, source)
  }

  private static let codeSpan = UInt8(ascii: "`")
}
