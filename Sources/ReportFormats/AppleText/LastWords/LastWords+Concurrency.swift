import JsonReading
import ReportModel
import SymbolicationModel

// What Swift's concurrency says before it ends a process.

extension LastWords {
  static let continuationMisuse = "SWIFT TASK CONTINUATION MISUSE:"
  static let resumedTwice = "tried to resume its continuation more than once"
  static let executorAssumption = "Incorrect actor executor assumption; "
  static let isolationContext = "Unexpected isolation context, expected to be executing on "
  static let dataRace = "error: data race detected: "

  /// What Swift's concurrency says before it ends the process: a continuation was resumed twice, or
  /// code of an actor ran elsewhere. It stands at the start of a line, behind the head of a log or
  /// what Xcode puts in front, or between quotation marks in prose, with or without `Fatal error: `
  /// and the place:
  ///
  /// ```text
  /// _Concurrency/CheckedContinuation.swift:196: Fatal error: SWIFT TASK CONTINUATION MISUSE:
  /// deal(to:) tried to resume its continuation more than once, returning ()!
  /// Incorrect actor executor assumption; expected 'Game.Table' executor.
  /// error: data race detected: @MainActor function at A.swift:7 was not called on the main thread
  /// ```
  ///
  /// That a continuation leaked is only logged, and other data races are warnings.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/Concurrency: CheckedContinuation.swift,
  /// Executor.swift, ExecutorAssertions.swift; Actor.cpp (`swift_task_reportUnexpectedExecutor`)
  /// and the default `swift_task_checkIsolated`, which say no `Fatal error: `.
  static func concurrencyFailure(_ line: WordsLine) -> LastWords? {
    let source = line.source
    let signs = [continuationMisuse, executorAssumption, isolationContext, dataRace]
    guard let sign = signs.lazy.compactMap({ line.find($0, within: 600) }).first else { return nil }
    let start = source.startOfFailure(sign, from: line.start)
    let isMisuse = line.has(continuationMisuse, at: sign)
    var words: LastWords
    let first = source.trimmed(line.start..<start, leading: "#*_>`|\"' ", trailing: "").lowerBound
    if let close = source.quotationEnd(start, line.range, isMisuse) {
      words = line.words(at: start, source.string(start..<close))
    } else if first == start || source.logHeadEnd(line.range) == start
      || source.isBehindThread(start, line.start)
      || isMisuse && line.has(": ", at: start - 2)
    {
      words = isMisuse ? withLinesBelow(line.from(start)) : line.words(at: start)
    } else {
      return nil
    }
    // Of source code, and of formats.
    guard !["\\(", "%.*s", "%@"].contains(where: words.says) else { return nil }
    let sentence =
      isMisuse
      ? resumedTwice : line.has(dataRace, at: sign) ? " was not called on " : "xpected "
    return words.says(sentence) ? words : nil
  }

  /// The words about a continuation, with the lines below in which they go on where somebody broke
  /// the line. The name of a function and an error may make them long.
  private static func withLinesBelow(_ line: WordsLine) -> LastWords {
    var words = line.words(at: line.start)
    var last = line
    for _ in 0..<4 {
      let isWhole =
        words.says(resumedTwice)
        && ![",", " throwing", " returning"].contains { words.text.hasSuffix($0) }
      let isLeak = words.says(" leaked its")
      guard !isWhole, !isLeak, let (whole, next) = last.below, whole.count < 512 else { break }
      let below = line.source.trimmed(whole, leading: "> ", trailing: "")
      guard !below.isEmpty, line.source[below.lowerBound] != UInt8(ascii: "`"),
        line.source.logHeadEnd(below) == nil
      else { break }
      words = LastWords(
        "\(words.text) \(line.source.string(below))", at: words.start, end: next)
      last = WordsLine(source: line.source, range: below, next: next)
    }
    return words
  }

  /// Whether these are such words.
  package var isOfConcurrency: Bool {
    [Self.continuationMisuse, Self.executorAssumption, Self.isolationContext, Self.dataRace]
      .contains { says($0) }
  }

  private func says(_ words: String) -> Bool { text.firstRange(of: words) != nil }
}

extension TextSource {
  /// Where words begin with the `Fatal error: ` and the place (`Game/Board.swift:7: `) that are in
  /// front of them. What another program printed without a line break, up to a bracket, is none.
  func startOfFailure(_ words: Int, from floor: Int) -> Int {
    let title = "Fatal error: "
    let start = words - title.utf8.count
    guard start >= floor, has(title, at: start, limit: words) else { return words }
    guard start - floor > 10, has(": ", at: start - 2, limit: start) else { return start }
    var place = start - 2
    while place > floor, Ascii.isDigit(self[place - 1]) { place -= 1 }
    let file =
      place < start - 2 ? Self.endsOfSwiftFiles.first(where: { hasEnd($0, at: place) }) : nil
    guard let file else { return start }
    place -= file.utf8.count
    while place > floor, start - place < 300, self[place - 1] > Ascii.space,
      !"`'\"|>()".utf8.contains(self[place - 1])
    {
      place -= 1
    }
    return place
  }

  /// The code of a library that is compiled into others has the place of its interface.
  private static let endsOfSwiftFiles = [".swift:", ".swiftinterface:"]

  private func hasEnd(_ text: String, at end: Int) -> Bool {
    has(text, at: end - text.utf8.count, limit: end)
  }

  /// Where a quotation ends that begins right in front of an offset; nil if none does.
  ///
  /// - Parameter mayBeApostrophe: the names of types are between apostrophes.
  fileprivate func quotationEnd(
    _ start: Int, _ line: Range<Int>, _ mayBeApostrophe: Bool
  ) -> Int? {
    for (open, close) in [("`", "`"), ("\"", "\""), ("“", "”"), ("'", "'")]
    where mayBeApostrophe || open != "'" {
      let mark = start - open.utf8.count
      guard mark >= line.lowerBound, has(open, at: mark, limit: start) else { continue }
      // A call in source code.
      if mark > line.lowerBound, self[mark - 1] == UInt8(ascii: "(") { return nil }
      return find(close, from: start, limit: line.upperBound)
    }
    return nil
  }

  /// Whether `Thread 3: ` is right in front of an offset, as Xcode writes it.
  func isBehindThread(_ start: Int, _ floor: Int) -> Bool {
    guard start - floor > 9, has(": ", at: start - 2, limit: start) else { return false }
    var number = start - 2
    while number > floor, Ascii.isDigit(self[number - 1]) { number -= 1 }
    return number < start - 2 && has("Thread ", at: number - 7, limit: number)
  }
}
