import JsonReading
package import ReportModel
import SymbolicationModel

/// What a runtime prints before it ends the process, such as `Unhandled exception.
/// System.DivideByZeroException: Attempted to divide by zero.`
package struct LastWords {
  package let text: String
  /// Where they begin, behind what a log puts in front.
  package let start: Int
  /// Where the line below them begins.
  package let end: Int
  /// Whether nobody but the library writes these words, so they may be quoted.
  package var isSentence = false
  /// The number of the process that printed them, if they state it.
  package var processIdentifier: Int?

  init(_ text: String, at start: Int, end: Int) {
    self.text = text
    self.start = start
    self.end = end
  }

  /// Nil if the line is something else.
  package init?(_ line: TextLine, of source: TextSource) {
    let range = source.trimmed(line.start..<line.end)
    guard Self.mayBe(in: range, of: source) else { return nil }
    let whole = WordsLine(source: source, range: range, next: line.next)
    let words =
      Self.readersOfWholeLines.firstResult(whole)
      ?? Self.readers.firstResult(Self.withoutLogHead(whole))
    guard let words else { return nil }
    self = words
  }

  /// Whether a text has one of those that last words have.
  package static func mayBe(in range: Range<Int>, of source: TextSource) -> Bool {
    signs.isAny(in: range, of: source)
  }

  /// Each finds its words in a line with all that is in front of them, in this order.
  private static let readersOfWholeLines: [WordsReader] = [
    WordsReader("BUG IN ", read: clientBug),
    WordsReader("Could not cast value of type '", read: castFailure),
    WordsReader(
      continuationMisuse, executorAssumption, isolationContext, dataRace, read: concurrencyFailure),
    WordsReader("Crashing on exception: ", read: appKitWords),
    WordsReader("FAULT: ", read: loggedException),
    WordsReader("Panic occurred in file '", read: humanPanic),
    WordsReader("' panicked.", "Main thread panicked.", read: boxedPanic),
    WordsReader(xcodeException, xcodeAssertion, read: xcodeFailure),
    WordsReader(
      ReportFacts.uncaught, ReportFacts.deallocated, "*** Assertion failure in ",
      read: exception),
    WordsReader("*** error for object 0x", read: heapError),
    WordsReader("Sanitizer failed to ", read: sanitizerFailure),
    WordsReader(assertMark, libraryMark, linuxMark, read: failedAssert),
    WordsReader(chromiumMark, read: chromiumFatal),
    WordsReader(damagedList, read: damagedFreeList),
    WordsReader(ReportFacts.endlessRecursion, read: endlessRecursion),
    WordsReader("uncaught exception '", read: exceptionWithoutStars),
    WordsReader(ReportFacts.deallocated, read: deallocatedReceiver),
    WordsReader(texts: reasonsOfWrongThread, read: wrongThread),
    WordsReader("Unhandled Exception:", read: monoException),
    WordsReader("assertion failed [", read: rosettaAssertion),
    WordsReader(ReportFacts.dotNetWords, read: dotNetException),
    WordsReader("Exception Name: ", read: exceptionWindow),
    WordsReader(
      mainThreadOnlyWords, backgroundWords, mainThreadChecker, ": failed assertion ",
      read: checker),
    WordsReader(".swift, line ", read: placedFailure),
    WordsReader(texts: signsOfSentences, read: sentence),
  ]

  /// Each takes a line that begins with its words, in this order.
  private static let readers: [WordsReader] = [
    WordsReader("panicked at ", ReportFacts.overflowedStack, read: rustPanic),
    WordsReader("The application panicked (crashed).", read: paintedPanic),
    WordsReader("Exception: ", "Exception · ", "Exception - ", read: exceptionOfPage),
    WordsReader(mainThreadChecker, ": failed assertion ", read: failedAssertion),
    WordsReader("fatal error: ", read: oldSwiftFailure),
    WordsReader(": Fatal error", read: failureWithoutMessage),
    WordsReader(
      "Unhandled exception. ", "Uncaught Kotlin exception: ", "Fatal error: ", "fatal error: ",
      "Precondition failed", "Assertion failed", " uncaught exception of type ",
      ": Library not loaded: ", ": Symbol not found: ", read: unchangedWords),
  ]

  /// What one of the readers may read is in a line with one of these texts.
  private static let signs = TextSigns((readersOfWholeLines + readers).lazy.flatMap(\.texts))
}

/// One kind of last words.
private struct WordsReader: Sendable {
  /// A line has one of these, or the reader finds nothing in it. Logs have millions of lines, so
  /// the texts of all readers are looked for at once.
  let texts: [String]
  /// Nil if the line does not hold the words that it looks for.
  let read: @Sendable (WordsLine) -> LastWords?

  init(_ texts: String..., read: @escaping @Sendable (WordsLine) -> LastWords?) {
    self.init(texts: texts, read: read)
  }

  init(texts: [String], read: @escaping @Sendable (WordsLine) -> LastWords?) {
    self.texts = texts
    self.read = read
  }
}

/// A line that may hold the last words of a runtime.
struct WordsLine {
  let source: TextSource
  /// Without blanks at the ends.
  let range: Range<Int>
  /// Where the line below begins.
  let next: Int
  /// What was in front of the words, such as the head of a log.
  var head = 0..<0

  var start: Int { range.lowerBound }
  var text: String { source.string(range) }

  func starts(_ text: String) -> Bool { has(text, at: start) }
  func has(_ text: String) -> Bool { find(text) != nil }
  func has(_ text: String, at offset: Int) -> Bool {
    source.has(text, at: offset, limit: range.upperBound)
  }
  /// Where a text begins, in all or the first `length` bytes of the line.
  func find(_ text: String, within length: Int? = nil) -> Int? {
    let limit = length.map { min(range.upperBound, start + $0) } ?? range.upperBound
    return source.find(text, from: start, limit: limit)
  }

  /// The text below, without blanks at its ends, and where the line below that begins.
  var below: (range: Range<Int>, next: Int)? {
    guard next < source.count else { return nil }
    let line = source.line(at: next)
    return (source.trimmed(line.start..<line.end), line.next)
  }

  /// The line from an offset on.
  func from(_ start: Int) -> WordsLine {
    WordsLine(
      source: source, range: start..<range.upperBound, next: next, head: range.lowerBound..<start)
  }

  /// The words from an offset to the end of the line, or what they mean.
  func words(at start: Int, _ text: String? = nil, end: Int? = nil) -> LastWords {
    LastWords(
      text ?? source.string(start..<range.upperBound), at: start, end: end ?? next)
  }
}

extension [WordsReader] {
  fileprivate func firstResult(_ line: WordsLine) -> LastWords? {
    for reader in self {
      if let words = reader.read(line) { return words }
    }
    return nil
  }
}

extension LastWords {
  /// `Board.swift:620: Fatal error`.
  private static func failureWithoutMessage(_ line: WordsLine) -> LastWords? {
    endWithoutMessage(line).map { line.words(at: line.start, line.source.string(line.start..<$0)) }
  }

  /// Whether Swift's runtime says that a check failed, and no more.
  static func isBare(_ line: WordsLine) -> Bool { endWithoutMessage(line) != nil }

  /// Where `Board.swift:620: Fatal error` ends, which the runtime prints for `fatalError()` and
  /// alike without a message; a log may show its line end as `\n`. Nil for other lines.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/stubs/Assert.cpp.
  private static func endWithoutMessage(_ line: WordsLine) -> Int? {
    let words = ": Fatal error"
    guard let file = line.find(".swift:"),
      let (_, number) = line.source.decimal(at: file + 7, limit: line.range.upperBound),
      line.has(words, at: number)
    else { return nil }
    let end = number + words.utf8.count
    let rest = line.source.string(end..<min(line.range.upperBound, end + 8))
    return ["", "\\n", "\\n\"", "\"", "`", "."].contains(rest) ? end : nil
  }
}

extension TextSource {
  /// An error below words that end in a colon, if people broke its line, mostly with indentation:
  ///
  /// ```text
  /// Board.swift:12: Fatal error: 'try!' expression unexpectedly raised an error:
  ///   Error Domain=NSURLErrorDomain Code=-1002 "(null)"UserInfo={
  ///     NSLocalizedDescription=unsupported URL,
  ///     NSErrorFailingURLKey=ws://board.example}
  /// ```
  ///
  /// Of the dictionary, what describes the error comes first. Nil if the next line is none of it.
  ///
  /// Source: github.com/swiftlang/swift-corelibs-foundation, Sources/Foundation/NSError.swift.
  ///
  /// - Parameter prefixWidth: the number of bytes that a log puts before each line.
  package func indentedError(below line: TextLine, _ prefixWidth: Int = 0) -> String? {
    var lines: [String] = []
    var next = line.next
    for _ in 0..<16 where next < count {
      let line = self.line(at: next)
      next = line.next
      guard line.end - line.start < 1024, line.end - line.start > prefixWidth else { break }
      let text = trimmed(line.start + prefixWidth..<line.end)
      let isPart =
        [Ascii.space, Ascii.tab].contains(self[line.start + prefixWidth])
        || ["Error Domain=", "UserInfo={"].contains {
          has($0, at: text.lowerBound, limit: text.upperBound)
        }
      guard isPart, !text.isEmpty else { break }
      lines.append(string(text))
    }
    guard !lines.isEmpty else { return nil }
    let opening = "UserInfo={"
    guard let first = lines.firstIndex(where: { $0.hasSuffix(opening) }),
      let description = lines[(first + 1)...].first(where: {
        $0.hasPrefix("NSLocalizedDescription=")
      })
    else { return lines.joined(separator: " ") }
    let words = description.hasSuffix(",") ? String(description.dropLast()) : description
    let rest = lines.count > first + 2 ? words + ", …}" : words
    return lines[...first].joined(separator: " ") + rest
  }

  /// What closes a quotation that a line opens and does not close, and where it ends: people wrap
  /// lines at spaces, and terminals, which are wider, anywhere. Nil if none of the next lines does.
  package func restOfQuotation(opened text: String, below line: TextLine) -> (
    text: String, end: Int
  )? {
    let quotes = text.utf8.reduce(0) { $0 + ($1 == Ascii.quote ? 1 : 0) }
    guard quotes & 1 == 1 else { return nil }
    let space = line.end - line.start > 120 ? "" : " "
    var whole = ""
    var next = line.next
    for _ in 0..<3 where next < count {
      let below = self.line(at: next)
      next = below.next
      let content = trimmed(below.start..<below.end, leading: "> \t", trailing: " \t\r")
      guard !content.isEmpty, content.count < 1024 else { return nil }
      guard let close = bytes[content].firstIndex(of: Ascii.quote) else {
        whole += space + string(content)
        continue
      }
      return (whole + space + string(content.lowerBound..<close + 1), close + 1)
    }
    return nil
  }
}
