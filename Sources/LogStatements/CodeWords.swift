import JsonReading
import ReportFormats
package import ReportModel
import SymbolicationModel

/// An exception that somebody names in a sentence of any language, with the code or the signal that
/// reports have beside it: ``EXC_BAD_ACCESS` / `KERN_PROTECTION_FAILURE``, `EXC_BREAKPOINT
/// (SIGTRAP)`. Both together are no word of a language, and what a text is about that says them
/// above frames.
///
/// Source: XNU, osfmk/mach/exception_types.h, osfmk/mach/kern_return.h and bsd/sys/signal.h; how
/// people write it: github.com/Carstin520/token-remain, issue 34.
struct CodeWords {
  let type: String
  private(set) var signal: String?
  /// `KERN_INVALID_ADDRESS at 0x10`.
  private(set) var subtype: String?
  private(set) var message: String?
  /// Of an instruction that a processor refused, which pages of Crashlytics have behind the type.
  private(set) var instruction: UInt64?

  /// Nil if the exception stands alone, with no stack beside it, or the sentence says that it was
  /// another one.
  ///
  /// - Parameters:
  ///   - sign: where the name of the exception begins.
  ///   - line: what the sentence is in.
  ///   - isBesideStack: whether the line has a stack, too; asked if the exception stands alone.
  init?(
    at sign: Int, _ line: Range<Int>, _ source: TextSource,
    isBesideStack: @autoclosure () -> Bool = false
  ) {
    guard let kind = source.exceptionKind(at: sign, line.upperBound),
      sign == line.lowerBound || !TextSource.isOfName(source[sign - 1]),
      !source.isExample(line.lowerBound..<sign), !source.isDenied(line.lowerBound..<sign)
    else { return nil }
    (type, signal) = (kind.type, kind.signal)
    var end = kind.end
    if signal == nil, let word = source.constant("SIG", near: end, line.upperBound) {
      (signal, end) = (source.string(word), word.upperBound)
    }
    if type == "EXC_BAD_ACCESS", let word = source.constant("KERN_", near: end, line.upperBound),
      Self.kernelCodes.contains(source.string(word))
    {
      let address = source.address(near: word.upperBound, line.upperBound)
      subtype = source.string(word) + (address.map { " at \($0)" } ?? "")
    }
    guard signal != nil || subtype != nil || isBesideStack() else { return nil }
    if type == "EXC_BAD_ACCESS", source.saysStackOverflow(line) {
      message = ReportFacts.toldOverflow
    }
  }

  /// An exception alone, with the whole sentence, in a heading of Markdown, which says what a text
  /// is about: ``# Calling `board_turn` twice results in EXC_BAD_ACCESS``. Nil for other lines.
  init?(inHeading line: Range<Int>, at sign: Int, _ source: TextSource) {
    guard source[line.lowerBound] == UInt8(ascii: "#"), line.count < 240,
      let kind = source.exceptionKind(at: sign, line.upperBound),
      !TextSource.isOfName(source[sign - 1]),
      !source.isExample(line.lowerBound..<sign), !source.isDenied(line.lowerBound..<sign),
      !source.isDenied(kind.end..<min(line.upperBound, kind.end + 40))
    else { return nil }
    (type, signal) = (kind.type, kind.signal)
    message = source.string(source.trimmed(line, leading: "# ", trailing: " "))
    if type == "EXC_BAD_INSTRUCTION", source.has(" 0x", at: kind.end, limit: line.upperBound),
      let word = source.hexadecimal(at: kind.end + 1, limit: line.upperBound)?.value,
      word <= UInt32.max
    {
      instruction = word
    }
  }

  /// The exception with what another sentence says about one of that type.
  func withMessage(of other: Self?) -> Self {
    var words = self
    if let other, other.type == type { words.message = message ?? other.message }
    return words
  }

  private static let kernelCodes: Set = [
    "KERN_INVALID_ADDRESS", "KERN_PROTECTION_FAILURE", "KERN_MEMORY_ERROR", "KERN_MEMORY_FAILURE",
    "KERN_CODESIGN_ERROR",
  ]
}

extension TextSource {
  /// The word that begins with a prefix a few signs and at most one short word behind an offset:
  /// `` ` / `KERN_… ``, ` with KERN_…`, `（`SIGTRAP`）`.
  fileprivate func constant(_ prefix: String, near offset: Int, _ limit: Int) -> Range<Int>? {
    guard let start = find(prefix, from: offset, limit: min(limit, offset + 24)),
      !Self.isOfName(self[start - 1]),
      // Another sentence, or a choice.
      ![" or ", ". "].contains(where: { find($0, from: offset, limit: start) != nil })
    else { return nil }
    let word = bytes[start..<limit].prefix { Self.isOfName($0) }
    return word.allSatisfy { !Ascii.isLowercase($0) } ? word.startIndex..<word.endIndex : nil
  }

  /// An address with `0x` right behind an offset, or behind `at`.
  fileprivate func address(near offset: Int, _ limit: Int) -> String? {
    guard let start = find("0x", from: offset, limit: min(limit, offset + 16)) else { return nil }
    let digits = bytes[(start + 2)..<limit].prefix { hexadecimalDigitValue($0) != nil }
    return digits.isEmpty || digits.count > 16 ? nil : string(start..<digits.endIndex)
  }

  /// The functions in code that a sentence about an exception has, with arrows between them to
  /// who was called:
  ///
  /// ```text
  /// Main thread: `CFRelease ← deal (deck.c:12) ← -[Board turn]`, `EXC_BREAKPOINT`
  /// ```
  ///
  /// An arrow to the right may be from the caller or to it, and nothing says which.
  func chainBesideException(
    _ line: TextLine
  ) -> (frames: [NamedFrames.Frame], end: Int, isOfProgram: Bool)? {
    guard line.end - line.start < 1024,
      let exception = find("EXC_", from: line.start, limit: line.end),
      let (sign, arrow) = arrowToCaller(in: line),
      !isExample(line.start..<exception), !isDenied(line.start..<exception)
    else { return nil }
    // The first function may be in a span of its own.
    let before = trimmed(line.start..<arrow)
    let isSpan = before.last.map { self[$0] == UInt8(ascii: "`") } == true
    guard
      let open = bytes[isSpan ? before.dropLast() : before].lastIndex(of: UInt8(ascii: "`")),
      let chain = namedChain(in: open..<line.end, sign, line, line.end)
    else { return nil }
    return (chain.frames, chain.end, false)
  }

  /// Whether a sentence says that the stack of what it is about follows: `Board crashes
  /// (EXC_BAD_ACCESS) with a stack:`.
  package func announcesStack(_ line: TextLine) -> Bool {
    let end = trimEnd(from: line.start, to: line.end)
    guard end - line.start > 12, end - line.start < 1024, self[end - 1] == Ascii.colon else {
      return false
    }
    let start = max(line.start, end - 32)
    return ["stack", "trace"].contains { find($0, from: start, limit: end) != nil }
  }

  /// The first arrow to who called, and where it is.
  private func arrowToCaller(in line: TextLine) -> (sign: String, start: Int)? {
    ["←", "<-"].lazy.compactMap { sign in
      find(sign, from: line.start, limit: line.end).map { (sign, $0) }
    }.first
  }

  /// The functions behind `from` in a sentence about a stack, with arrows to who was called: ``The
  /// stack is …, from `Board::spawn` ← `Deck::start` ← `main_loop` ``. Empty if there are none.
  ///
  /// Source: CommonMark 0.31.2, section 6.1 (code spans), and how people write it.
  ///
  /// - Parameter words: what the process said, in the same sentence, or a few lines above it.
  func callers(near words: Range<Int>) -> [StackFrame] {
    var next = lineStart(of: words.lowerBound)
    for _ in 0..<8 where next < count {
      let line = self.line(at: next)
      next = line.next
      guard line.end - line.start < 2048,
        let (sign, arrow) = arrowToCaller(in: line),
        let stack = find("stack", from: line.start, limit: arrow),
        let from = find("from `", from: max(stack, arrow - 256), limit: arrow),
        !isExample(line.start..<from), !isDenied(line.start..<stack),
        let chain = namedChain(in: from + 5..<line.end, sign, line, line.end)
      else { continue }
      return chain.frames.enumerated().map { stackFrame($1, index: $0, of: nil) }
    }
    return []
  }

  /// Whether the words in front of an exception say that it is another one, or might be.
  func isDenied(_ before: Range<Int>) -> Bool {
    let start = max(before.lowerBound, before.upperBound - 40)
    return start == before.lowerBound && has("no ", at: start, limit: before.upperBound)
      || Self.denials.contains { find($0, from: start, limit: before.upperBound) != nil }
  }

  private static let denials = [
    " not ", "Not ", "n't ", "ithout ", "No ", " no ", "nstead of ", "ather than ", " may ",
    " might ", " could ", " or ", "nicht ", "kein", "不是", "没有", "而非", "不再", "ではな", " не ", " pas ",
  ]
}

extension StatementReading {
  /// Takes the function from a sentence that says it calls itself, or recurses, until the exception
  /// that the sentence names: `` `-[Board turn]` re-enters itself until … `EXC_BAD_ACCESS
  /// (SIGSEGV)` ``.
  ///
  /// - Parameters:
  ///   - sign: where the name of the exception begins.
  ///   - range: of the line.
  /// - Returns: whether the sentence says how the process ended.
  mutating func takeRecursion(at sign: Int, _ range: Range<Int>) -> Bool {
    guard innermost == nil, source.saysRecursion(range),
      let name = source.quotedFunction(range)
    else { return false }
    var values = FrameValues(byteRange: range)
    values.index = 0
    values.symbol = FrameSymbol(name: name)
    innermost = StackFrame(address: nil, carrier: .values(values))
    guard facts.exception.type == nil, let words = CodeWords(at: sign, range, source),
      words.message == ReportFacts.toldOverflow
    else { return false }
    facts.exception.type = words.type
    facts.exception.signal = words.signal
    facts.exception.subtype = words.subtype
    facts.exception.message = words.message
    return true
  }
}

extension TextSource {
  /// Whether a sentence says that a function calls itself without end.
  fileprivate func saysRecursion(_ line: Range<Int>) -> Bool {
    let limit = min(line.upperBound, line.lowerBound + 1024)
    return Self.recursions.contains { find($0, from: line.lowerBound, limit: limit) != nil }
  }

  private static let recursions = [
    "nfinite recursion", "ndless recursion", "nbounded recursion", "re-enters itself",
    "reenters itself", "calls itself", "calling itself", "recursive call", "recurses",
    "无限递归", "無限再帰", "ndlosrekursion", "récursion infinie", "recursión infinita",
  ]

  /// The first function in code quotes, or the first method of Objective-C.
  fileprivate func quotedFunction(_ line: Range<Int>) -> String? {
    let limit = min(line.upperBound, line.lowerBound + 1024)
    var start = line.lowerBound
    for _ in 0..<12 {
      let mark = bytes[start..<limit].firstIndex {
        $0 == UInt8(ascii: "`") || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+")
      }
      guard let mark, mark + 1 < limit else { return nil }
      if self[mark] == UInt8(ascii: "`") {
        let close = bytes[(mark + 1)..<limit].firstIndex(of: UInt8(ascii: "`")) ?? limit
        if let name = functionInSentence(mark + 1..<close) { return name }
      } else if self[mark + 1] == Ascii.openBracket,
        let name = functionInSentence(mark..<limit)
      {
        return name
      }
      // The first mark may be one that ends code.
      start = mark + 1
    }
    return nil
  }
}

extension StatementReading {
  /// Takes the exception that a report has, as a sentence says, with the image that it was in, and
  /// what a log has as another part of the sentence says:
  ///
  /// ```text
  /// The crash report says `EXC_BREAKPOINT (SIGTRAP)` in `Board Framework`, and Console shows
  /// `Check of the deck failed`.
  /// ```
  ///
  /// - Parameters:
  ///   - sign: where the name of the exception begins.
  ///   - range: of the line.
  mutating func takeReportInSentence(
    at sign: Int, _ range: Range<Int>, _ line: TextLine
  ) -> Bool {
    guard isWholeText, facts.exception.type == nil,
      let (type, signal, kindEnd) = source.exceptionKind(at: sign, range.upperBound),
      !source.isExample(range.lowerBound..<sign),
      source.isToldBy(ReportWords.reports, before: sign, range)
    else { return false }
    let place = source.trimmed(
      kindEnd..<min(range.upperBound, kindEnd + 80), leading: "`* ", trailing: "")
    guard source.has("in `", at: place.lowerBound, limit: place.upperBound),
      let close = source.find("`", from: place.lowerBound + 4, limit: place.upperBound),
      close > place.lowerBound + 4
    else { return false }
    (facts.exception.type, facts.exception.signal) = (type, signal)
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = 0
    values.imageName = source.string(place.lowerBound + 4..<close)
    innermost = innermost ?? StackFrame(address: nil, carrier: .values(values))
    var next = close + 1
    let limit = min(range.upperBound, close + 320)
    while let open = source.find("`", from: next, limit: limit),
      let end = source.find("`", from: open + 1, limit: limit)
    {
      next = end + 1
      guard source.isToldBy(ReportWords.logs, before: open, close..<range.upperBound),
        end - open > 12, source.bytes[open..<end].contains(Ascii.space)
      else { continue }
      facts.applicationInformation.append(source.string(open + 1..<end))
      break
    }
    return true
  }
}

/// Who says something in a sentence: nouns, in front of a verb.
private enum ReportWords {
  static let reports = ["crash report", "crash log", "crash reports", "problem report"]
  static let logs = ["Console", "console", "log", "Log", "Terminal", "terminal", "stderr"]
  static let verbs = [
    " says ", " shows ", " say ", " show ", " has ", " names ", " prints ", " reads ",
  ]
}

extension TextSource {
  /// Whether one of these nouns and a verb are right in front of an offset, and the signs of code.
  fileprivate func isToldBy(_ nouns: [String], before offset: Int, _ range: Range<Int>) -> Bool {
    var end = offset
    while end > range.lowerBound, offset - end < 3, "`*".utf8.contains(self[end - 1]) { end -= 1 }
    return ReportWords.verbs.contains { verb in
      let start = end - verb.utf8.count
      return start > range.lowerBound && has(verb, at: start, limit: end)
        && nouns.contains { noun in
          start - noun.utf8.count >= range.lowerBound
            && has(noun, at: start - noun.utf8.count, limit: start)
        }
    }
  }
}

extension StatementReading {
  /// Takes what Swift's runtime said about a crash from a sentence that quotes it, with a frame in
  /// code behind it:
  ///
  /// ```text
  /// `*** Program crashed: Bad pointer dereference …` with `deal(_:) + 60 in libDeck.so` on top
  /// ```
  ///
  /// Without a frame it may be about backtraces themselves.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/libexec/swift-backtrace/main.swift and
  /// TargetLinux.swift, for the words of signals too.
  mutating func takeSwiftCrash(_ match: LineMatch, _ line: TextLine) -> Bool {
    guard let message = match[.message] else { return false }
    let whole = source.line(at: source.lineStart(of: line.start))
    let limit = min(whole.end, line.end + 512)
    var next = line.end
    for _ in 0..<8 {
      guard let open = source.find("`", from: next, limit: limit),
        let close = source.find("`", from: open + 1, limit: limit)
      else { return false }
      // The first mark may be the one that ends the words.
      next = close
      guard let frame = source.swiftFrame(open + 1..<close) else { continue }
      guard facts.exception.type == nil, facts.exception.subtype == nil else { return true }
      let words = source.string(source.trimmed(message, leading: " ", trailing: " .…*"))
      facts.exception.subtype = words
      facts.exception.signal =
        Self.signalsOfSwift.first { sign in
          words.hasPrefix(sign.words)
        }?.signal
      if innermost == nil { innermost = frame }
      return true
    }
    return false
  }
}

extension StatementReading {
  private static let signalsOfSwift: [(words: String, signal: String)] = [
    ("Bad pointer dereference", "SIGSEGV"), ("Illegal instruction", "SIGILL"),
    ("System trap", "SIGTRAP"), ("Aborted", "SIGABRT"), ("Bus error", "SIGBUS"),
    ("Floating point exception", "SIGFPE"),
  ]
}

extension TextSource {
  /// `NSRangeException` of a sentence that says ``an uncaught `NSRangeException` `` behind the kind
  /// of the exception; nil for others.
  func uncaughtException(behind sign: Int, _ range: Range<Int>) -> String? {
    let limit = min(range.upperBound, sign + 120)
    guard let found = find("uncaught ", from: sign, limit: limit),
      find(". ", from: sign, limit: found) == nil,
      let start = find("NS", from: found, limit: min(limit, found + 40)),
      !Self.isOfName(self[start - 1])
    else { return nil }
    let name = bytes[start..<range.upperBound].prefix(64).prefix { Self.isOfName($0) }
    let text = string(name.startIndex..<name.endIndex)
    return text.hasSuffix("Exception") ? text : nil
  }

  /// The frame of `deal(_:) + 60 in libDeck.so`; nil for other words.
  fileprivate func swiftFrame(_ text: Range<Int>) -> StackFrame? {
    guard text.count < 512, let mark = find(" in ", from: text.lowerBound, limit: text.upperBound)
    else { return nil }
    let image = mark + 4..<text.upperBound
    let name = withoutOffset(text.lowerBound..<mark)
    guard name.upperBound < mark, isName(name), !image.isEmpty,
      bytes[image].allSatisfy({ Self.isOfName($0) || ".+-".utf8.contains($0) })
    else { return nil }
    var values = FrameValues(byteRange: text)
    values.index = 0
    values.imageName = string(image)
    values.symbol = FrameSymbol(name: string(name))
    return StackFrame(address: nil, carrier: .values(values))
  }
}
