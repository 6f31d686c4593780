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

  init(_ text: String, at start: Int, end: Int) {
    self.text = text
    self.start = start
    self.end = end
  }

  /// Nil if the line is something else.
  package init?(_ line: TextLine, of source: TextSource) {
    let range = source.trimmed(line.start..<line.end)
    guard Self.mayBeWords(range, of: source) else { return nil }
    let whole = WordsLine(source: source, range: range, next: line.next)
    let words =
      Self.readersOfWholeLines.firstResult(whole)
      ?? Self.readers.firstResult(Self.withoutLogHead(whole))
    guard let words else { return nil }
    self = words
  }

  /// Each finds its words in a line with all that is in front of them, in this order.
  private static let readersOfWholeLines: [WordsLine.Reader] = [
    clientBug, castFailure, appKitWords, humanPanic, xcodeFailure, exception, heapError,
    endlessRecursion, exceptionWithoutStars, deallocatedReceiver, wrongThread, monoException,
    rosettaAssertion, dotNetException, exceptionWindow, checker,
  ]

  /// Each takes a line that begins with its words, in this order.
  private static let readers: [WordsLine.Reader] = [
    rustPanic, paintedPanic, exceptionOfPage, failedAssertion, oldSwiftFailure, unchangedWords,
  ]

  /// Whether a line may hold such words. Nearly no line of a head does: these all begin with a
  /// capital letter.
  private static func mayBeWords(_ range: Range<Int>, of source: TextSource) -> Bool {
    // The shortest words are longer.
    guard range.count >= 8, let first = source.bytes[range].first else { return false }
    guard Ascii.isUppercase(first) else { return true }
    for offset in range {
      let sign: String
      // The second byte rules nearly all out, at less cost.
      let second: UInt8
      switch source[offset] {
      case UInt8(ascii: "*"): return true
      case UInt8(ascii: "."): (sign, second) = (".swift", UInt8(ascii: "s"))
      case UInt8(ascii: "N"): (sign, second) = ("NS", UInt8(ascii: "S"))
      case UInt8(ascii: "p"): (sign, second) = ("panicked ", UInt8(ascii: "a"))
      case UInt8(ascii: "o"): (sign, second) = ("overflowed its stack", UInt8(ascii: "v"))
      case UInt8(ascii: "a") where source[offset + 1] == UInt8(ascii: "s"):
        (sign, second) = ("assertion failed [", UInt8(ascii: "s"))
      case UInt8(ascii: "a"): (sign, second) = ("atal error: ", UInt8(ascii: "t"))
      case UInt8(ascii: "u"): (sign, second) = ("uncaught exception ", UInt8(ascii: "n"))
      case UInt8(ascii: "A"): (sign, second) = (xcodeAssertion, UInt8(ascii: "S"))
      case UInt8(ascii: "U") where source[offset + 1] == UInt8(ascii: "N"):
        (sign, second) = (xcodeException, UInt8(ascii: "N"))
      case UInt8(ascii: "U"): (sign, second) = ("Un", UInt8(ascii: "n"))
      case UInt8(ascii: "B"): (sign, second) = ("BUG IN ", UInt8(ascii: "U"))
      case UInt8(ascii: "D"): (sign, second) = ("DVTAssertions: ", UInt8(ascii: "V"))
      case UInt8(ascii: "O"): (sign, second) = (ReportFacts.dotNetWords, UInt8(ascii: "b"))
      case UInt8(ascii: "P"): (sign, second) = ("Panic occurred in file", UInt8(ascii: "a"))
      case UInt8(ascii: "m"): (sign, second) = ("main thread", UInt8(ascii: "a"))
      case UInt8(ascii: "f"): (sign, second) = ("failed assertion", UInt8(ascii: "a"))
      case UInt8(ascii: "L"): (sign, second) = ("Library not loaded: ", UInt8(ascii: "i"))
      case UInt8(ascii: "S"): (sign, second) = ("Symbol not found: ", UInt8(ascii: "y"))
      case UInt8(ascii: "C"):
        let isCast = source[offset + 1] == UInt8(ascii: "o")
        (sign, second) =
          isCast
          ? ("Could not cast value", UInt8(ascii: "o"))
          : ("Crashing on exception", UInt8(ascii: "r"))
      case UInt8(ascii: "M"):
        let isChecker = source[offset + 1] == UInt8(ascii: "a")
        (sign, second) =
          isChecker
          ? ("Main Thread", UInt8(ascii: "a"))
          : ("Modifications to the layout", UInt8(ascii: "o"))
      // Behind other words it is the value of a field.
      case UInt8(ascii: "E") where offset == range.lowerBound:
        (sign, second) = ("Exception Name: ", UInt8(ascii: "x"))
      case UInt8(ascii: "T") where offset == range.lowerBound:
        (sign, second) = ("Thread stack size exceeded", UInt8(ascii: "h"))
      default: continue
      }
      if source[offset + 1] == second, source.has(sign, at: offset, limit: range.upperBound) {
        return true
      }
    }
    return false
  }
}

/// A line that may hold the last words of a runtime.
struct WordsLine {
  /// Nil if the line does not hold the words that it looks for.
  typealias Reader = @Sendable (WordsLine) -> LastWords?

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

extension [WordsLine.Reader] {
  fileprivate func firstResult(_ line: WordsLine) -> LastWords? {
    for read in self {
      if let words = read(line) { return words }
    }
    return nil
  }
}
