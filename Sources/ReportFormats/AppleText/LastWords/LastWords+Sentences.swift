import JsonReading
package import ReportModel
import SymbolicationModel

// Sentences of libraries that nobody else writes: people quote them in their own sentences.

extension LastWords {
  /// What a library says before it ends the process, at the start of a line, behind the head of a
  /// log or what Xcode puts in front, or between quotation marks in prose:
  ///
  /// ```text
  /// Tapping it stops with `Thread 1: Simultaneous accesses to 0x7f9e, but modification requires
  /// exclusive access`
  /// com.apple.coreaudio.avfaudio', reason: 'required condition is false: a.rate == b.rate'
  /// ```
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/runtime/Exclusivity.cpp and
  /// stdlib/public/core/FloatingPointTypes.swift.gyb; WebKit/WebKit,
  /// Source/WebCore/platform/ios/wak/WebCoreThread.mm; as people show them, the words of Swift's
  /// libraries for older systems (github.com/swiftbrew/Swiftbrew, issue 1) and of AVFAudio
  /// (github.com/tad-iizuka/MP3RecordingSample, issue 3).
  static func sentence(_ line: WordsLine) -> LastWords? { sentence(line, isProse: false) }

  /// What a program prints with its place before it ends itself, in the shape of old versions of
  /// Swift without their `Fatal error: `, if the shell says below how it ended:
  ///
  /// ```text
  /// No cards in this deck.: file Deck.swift, line 12
  /// make: line 3: 4711 Abort trap: 6           deck
  /// ```
  ///
  /// Source: github.com/jpsim/SourceKitten, `queuedFatalError` in File+Cache.swift of SwiftLint;
  /// the signals as in strsignal(3).
  static func placedFailure(_ line: WordsLine) -> LastWords? {
    let source = line.source
    let limit = line.range.upperBound
    guard let sign = line.find(".swift, line "), let start = line.find(": file "), start < sign,
      start > line.start, let end = source.decimal(at: sign + 13, limit: limit)?.end, end == limit,
      !["rror: ", "failed"].contains(where: line.has)
    else { return nil }
    var next = line.next
    for _ in 0..<2 where next < source.count {
      let below = source.line(at: next)
      next = below.next
      let range = below.start..<min(below.end, below.start + 256)
      guard
        ["Abort trap: 6", "Illegal instruction: 4", "Trace/BPT trap: 5"].contains(where: {
          source.find($0, from: range.lowerBound, limit: range.upperBound) != nil
        })
      else { continue }
      return line.words(at: line.start)
    }
    return nil
  }

  /// The same words in the middle of somebody's sentence, too.
  package init?(inProse line: TextLine, of source: TextSource) {
    let range = source.trimmed(line.start..<line.end)
    let whole = WordsLine(source: source, range: range, next: line.next)
    // Source code quotes them in comments.
    guard !["//", "/*"].contains(where: whole.starts),
      let words = Self.sentence(whole, isProse: true)
    else { return nil }
    self = words
  }

  private static func sentence(_ line: WordsLine, isProse: Bool) -> LastWords? {
    for kind in kindsOfSentences {
      guard let sign = line.find(kind.sign), let found = kind.read(line, sign) else { continue }
      let source = line.source
      let start = source.startOfFailure(found.lowerBound, from: line.start)
      let quotation = source.quotation(around: start, line.range)
      // With its place, a message of Swift is no prose.
      let isPlaced = start < found.lowerBound - title.utf8.count && !line.starts("/")
      guard isProse || quotation != nil || isPlaced || isAtStart(start, line) else { continue }
      // A call in source code.
      if let mark = quotation?.lowerBound, mark > line.start,
        "(@".utf8.contains(source[mark - 1])
          || source[mark] == Ascii.quote
            && source.bytes[line.start..<mark].contains(where: { "(=[{+".utf8.contains($0) })
      {
        return nil
      }
      var end = found.upperBound
      if !kind.isWhole, let close = quotation?.upperBound { end = min(end, close) }
      let text = source.string(source.trimmed(start..<end))
      guard !text.contains("%@"), !text.contains("\\(") else { return nil }
      var words = line.words(at: start, kind.meaning(text))
      if quotation == nil, end == line.range.upperBound, start > line.start,
        source[start - 1] == UInt8(ascii: "`"),
        let rest = source.sentenceRest(of: start..<end, below: line.next)
      {
        words = line.words(at: start, kind.meaning("\(text) \(rest.text)"), end: rest.end)
      }
      words.isSentence = true
      return words
    }
    return nil
  }

  private static func isAtStart(_ start: Int, _ line: WordsLine) -> Bool {
    let source = line.source
    let head = source.logHeadEnd(line.range)
    let first = source.trimmed(
      (head ?? line.start)..<line.range.upperBound, leading: "#*_>`|\"' ", trailing: ""
    ).lowerBound
    guard first < start else { return true }
    // Behind the function that logs it.
    return head == start || source.isBehindThread(start, line.start)
      || line.has(": ", at: start - 2)
        && (head != nil
          || ["bool _Web", "bool Web", "void _Web", "void Web"].contains(where: line.starts))
  }

  package static let signsOfSentences = kindsOfSentences.map(\.sign)

  private struct Kind: Sendable {
    let sign: String
    /// Whether it ends where it always ends, not with the quotation or the line.
    var isWhole = true
    /// What of a line is the sentence with the sign at an offset.
    let read: @Sendable (WordsLine, Int) -> Range<Int>?
    var meaning: @Sendable (String) -> String = { $0 }
  }

  /// In the order in which they are tried: the reason of an exception may have any words.
  private static let kindsOfSentences = [
    Kind(
      sign: "Terminating app due to uncaught exception '", isWhole: false,
      read: { line, sign in sign..<line.range.upperBound }, meaning: { "*** \($0)" }),
    Kind(sign: "', reason: '", isWhole: false, read: cutException) {
      "\(ReportFacts.uncaught)\($0)"
    },
    Kind(sign: "Simultaneous accesses to 0x") { line, sign in
      // Documents write `0x…`.
      hexadecimalDigitValue(line.source[sign + 27]) == nil
        ? nil
        : line.range(sign, through: ", but modification requires exclusive access", within: 100)
    },
    Kind(sign: "atal access conflict detected") { line, sign in
      line.range(sign - 1, through: "detected", within: 32)
    },
    Kind(sign: " value cannot be converted to ", read: conversion),
    Kind(sign: " value can not be converted to ", read: conversion),
    Kind(sign: "his copy of libswiftCore.dylib requires an OS version prior to ") { line, sign in
      let version =
        sign + "his copy of libswiftCore.dylib requires an OS version prior to ".utf8.count
      let rest = line.source.bytes[version..<line.range.upperBound]
      let digits = rest.prefix { Ascii.isDigit($0) || $0 == UInt8(ascii: ".") }
      guard let first = digits.first, Ascii.isDigit(first), sign > line.start else { return nil }
      let end = digits.last == UInt8(ascii: ".") ? digits.endIndex - 1 : digits.endIndex
      return sign - 1..<end
    },
    Kind(
      sign: "> was mutated while being enumerated", read: enumeration,
      meaning: { thrown("NSGenericException", $0) }),
    Kind(sign: TextSource.missingMethodSign) { line, sign in
      line.source.missingMethod(inSentence: line.range, at: sign)
    },
    Kind(sign: webLock) { line, sign in sign..<sign + webLock.utf8.count },
    Kind(
      sign: "required condition is false: ", isWhole: false,
      read: { line, sign in
        // What `reason: '` begins ends with the line.
        let end = line.source.trimmed(sign..<line.range.upperBound, leading: "", trailing: ". '`\"")
        return end.count > 32 ? end : nil
      }, meaning: { thrown("com.apple.coreaudio.avfaudio", $0) }),
    Kind(sign: ".swift, line ", read: placedFailure, meaning: { title + $0 }),
    Kind(sign: "atal error: ", isWhole: false, read: swiftFailure) { words in
      words.firstRange(of: title) == nil ? title + words : words
    },
  ]

  private static let webLock =
    "Tried to obtain the web lock from a thread other than the main thread or the web thread"

  /// `Double value cannot be converted to Int because it is either infinite or NaN`. Its first
  /// letters may be missing.
  private static func conversion(_ line: WordsLine, _ sign: Int) -> Range<Int>? {
    let source = line.source
    guard
      let reason = source.find(
        " because ", from: sign, limit: min(line.range.upperBound, sign + 64)),
      // Other readers know messages with the place behind them.
      !line.has(".swift, line ")
    else { return nil }
    let ends = [
      "it is either infinite or NaN", "the result would be ", "it is less ", "it is greater ",
    ]
    guard let end = ends.first(where: { line.has($0, at: reason + 9) }) else { return nil }
    var start = sign
    while start > line.start, sign - start < 16, Ascii.isWord(source[start - 1]) { start -= 1 }
    if line.has("loating point", at: sign - 13) { start = max(line.start, sign - 14) }
    var limit = reason + 9 + end.utf8.count
    if !end.hasSuffix("NaN") {
      // `less than Int.min`, `greater than UInt8.max`.
      let rest = source.bytes[limit..<line.range.upperBound].prefix {
        Ascii.isWord($0) || $0 == Ascii.space || $0 == UInt8(ascii: ".")
      }
      guard
        let last = [".min", ".max"].compactMap({
          source.find($0, from: limit, limit: min(rest.endIndex, limit + 64))
        }).min()
      else { return nil }
      limit = last + 4
    }
    return start..<limit
  }

  /// `Collection <__NSArrayM: 0x280f5> was mutated while being enumerated`, of Foundation.
  private static func enumeration(_ line: WordsLine, _ sign: Int) -> Range<Int>? {
    let title = "Collection <"
    let floor = max(line.start, sign - 160)
    guard let start = line.source.find(title, from: floor, limit: sign) else { return nil }
    return start..<sign + "> was mutated while being enumerated".utf8.count
  }

  /// `NSRangeException', reason: 'no card'`: what is left of the words of the Objective-C runtime.
  private static func cutException(_ line: WordsLine, _ sign: Int) -> Range<Int>? {
    let source = line.source
    var start = sign
    while start > line.start, sign - start < 128,
      Ascii.isWord(source[start - 1]) || "._".utf8.contains(source[start - 1])
    {
      start -= 1
    }
    let name = source.string(start..<sign)
    guard name.hasSuffix("Exception") || name.hasSuffix("Error") || name.hasPrefix("com.apple."),
      name.utf8.count > 8
    else { return nil }
    // Others explain how to catch one.
    let isToldOfCrash =
      source.find("rash", from: max(line.start, start - 160), limit: start) != nil
    return isToldOfCrash || isAtStart(start, line) ? start..<line.range.upperBound : nil
  }

  /// A message of Swift's standard library, or any with its place, in the middle of a line.
  private static func swiftFailure(_ line: WordsLine, _ sign: Int) -> Range<Int>? {
    let source = line.source
    guard sign > line.start, "Ff".utf8.contains(source[sign - 1]), !line.has(".swift, line ") else {
      return nil
    }
    let message = sign - 1 + title.utf8.count
    let start = min(sign - 1, source.startOfFailure(message, from: line.start))
    // Other readers know these.
    guard start > line.start, source.logHeadEnd(line.range) != start else { return nil }
    let sentence = sentencesOfSwift.first { line.has($0, at: message) }
    guard sentence != nil || start < sign - 1 else { return nil }
    if let sentence, !sentence.hasSuffix(" ") { return message..<message + sentence.utf8.count }
    return message..<line.range.upperBound
  }

  /// A message of Swift's standard library with its place behind it, as versions up to 5.3 print
  /// it, without the words in front: `Division by zero: file Game/Board.swift, line 61`.
  private static func placedFailure(_ line: WordsLine, _ sign: Int) -> Range<Int>? {
    let source = line.source
    let digits = sign + ".swift, line ".utf8.count
    let floor = max(line.start, sign - 1024)
    guard let number = source.decimal(at: digits, limit: line.range.upperBound),
      let mark = source.find(": file ", from: floor, limit: sign),
      let start = sentencesOfSwift.lazy.compactMap({
        source.find($0, from: floor, limit: mark)
      }).min(),
      // Other readers know these.
      !line.has(" error: ", at: start - 8)
    else { return nil }
    return start..<number.end
  }

  private static let title = "Fatal error: "

  /// Whether a message without a place, behind `Fatal error: `, is one of the standard library, of
  /// the runtime or of SwiftUI. Other programs and languages print `Fatal error: ` too, and go on.
  package static func isOfSwift(_ message: String) -> Bool {
    // Up to Swift 3 they begin with a small letter.
    let rest = message.dropFirst()
    return sentencesOfSwift.contains { rest.hasPrefix($0.dropFirst()) }
      || message.hasPrefix("Object 0x") && message.firstRange(of: " deallocated with ") != nil
  }

  /// What Swift's standard library says without a place, and SwiftUI. Those with a blank at the end
  /// go on.
  ///
  /// Source: github.com/swiftlang/swift, stdlib/public/core: Optional.swift, ErrorType.swift,
  /// Integers.swift, IntegerTypes.swift.gyb, FloatingPointTypes.swift.gyb, Range.swift,
  /// ClosedRange.swift, Array.swift, ContiguousArrayBuffer.swift, Collection.swift,
  /// NativeDictionary.swift, UnsafeRawPointer.swift; stdlib/public/runtime: Errors.cpp,
  /// HeapObject.cpp; stdlib/public/Concurrency; SwiftUI's EnvironmentObject.swift, as people show
  /// it.
  package static let sentencesOfSwift = [
    "Unexpectedly found nil while unwrapping an Optional value",
    "unexpectedly found nil while unwrapping an Optional value",
    "Unexpectedly found nil while implicitly unwrapping an Optional value",
    "Unexpectedly found nil while ", "unexpectedly found nil while ",
    "'try!' expression unexpectedly raised an error: ",
    "No ObservableObject of type ", "No observable object of type ",
    "No Observable object of type ",
    "Index out of range", "Index out of bounds", "Array index is out of range",
    "Array index out of range", "Negative Array index is out of range",
    "String index is out of bounds", "String index range is out of bounds",
    "Substring index is out of bounds",
    "Not enough bits to represent the passed value", "Not enough bits to represent a signed value",
    "Not enough bits to represent ", "Negative value is not representable",
    "Division by zero in remainder operation", "Division by zero",
    "Division results in overflow", "Range requires lowerBound <= upperBound",
    "Range requires that lowerBound ",
    "Can't form Range with upperBound < lowerBound",
    "Can't remove first element from an empty collection",
    "Can't remove last element from an empty collection",
    "Can't remove more items from a collection than it contains",
    "Can't remove more items from a collection than it ",
    "Can't unsafeBitCast between types of different sizes", "Stride size must not be zero",
    "unsafelyUnwrapped of nil optional",
    "Duplicate keys of type ", "Duplicate elements of type ",
    "Dictionary literal contains duplicate keys",
    "Attempted to read an unowned reference but the object was already deallocated",
    "Attempted to read an unowned reference but ", "Double value cannot be converted to ",
    "Float value cannot be converted to ",
    "load from misaligned raw pointer",
    "Object was retained too many times", "Object's unowned reference was retained too many times",
    "Object's weak reference was retained too many times", "Call of deleted method",
    "Use of unimplemented initializer '", "SWIFT TASK CONTINUATION MISUSE: ",
    "Incorrect actor executor assumption; ", "Unexpected isolation context, ",
  ]
}

extension WordsLine {
  /// From an offset through a text that is near it; nil if it is not there.
  fileprivate func range(_ start: Int, through end: String, within length: Int) -> Range<Int>? {
    guard start >= self.start,
      let found = source.find(end, from: start, limit: min(range.upperBound, start + length))
    else { return nil }
    return start..<found + end.utf8.count
  }
}

extension TextSource {
  /// Where the mark is that opens a quotation right in front of an offset, or in front of Xcode's
  /// `Thread 1: ` there, and where the quotation ends. Nil if there is none.
  fileprivate func quotation(around start: Int, _ line: Range<Int>) -> Range<Int>? {
    var first = start
    if isBehindThread(start, line.lowerBound) {
      first = bytes[line.lowerBound..<start - 2].lastIndex(of: UInt8(ascii: "T")) ?? start
    }
    for (open, close) in [("`", "`"), ("\"", "\""), ("“", "”"), ("'", "'")] {
      let mark = first - open.utf8.count
      guard mark >= line.lowerBound, has(open, at: mark, limit: first) else { continue }
      // The words may have apostrophes in them.
      if open == "'" { return mark..<line.upperBound }
      guard let end = find(close, from: first, limit: line.upperBound) else { return nil }
      return mark..<end
    }
    return nil
  }
}

extension LastWords {
  /// The words with what stands behind the code of an `NSError`, if somebody broke the line there:
  /// `Error Domain=NSCocoaErrorDomain Code=512 "(null)"`, below it `UserInfo={…}`.
  ///
  /// Source: the description of `NSError`; github.com/swiftlang/swift-corelibs-foundation,
  /// Sources/Foundation/NSError.swift.
  ///
  /// - Parameter last: the line with the code.
  static func withUserInfo(
    _ words: LastWords, _ last: Range<Int>, _ source: TextSource
  ) -> LastWords {
    guard words.end < source.count,
      source.find("Error Domain=", from: last.lowerBound, limit: last.upperBound) != nil
    else { return words }
    let first = source.string(source.trimmed(last))
    let start = source.line(at: source.lineStart(of: last.lowerBound))
    if [Ascii.space, Ascii.tab].contains(source[start.start]), words.text.hasSuffix(first),
      let above = source.lineAbove(start), let whole = source.indentedError(below: above),
      whole.hasPrefix(first), whole != first
    {
      return LastWords(
        words.text + whole.dropFirst(first.count), at: words.start, end: words.end)
    }
    let line = source.line(at: words.end)
    let rest = source.trimmed(line.start..<line.end)
    guard rest.count < 1024, source.has("UserInfo={", at: rest.lowerBound, limit: rest.upperBound)
    else { return words }
    return LastWords(
      "\(words.text) \(source.string(rest))", at: words.start, end: line.next)
  }
}
