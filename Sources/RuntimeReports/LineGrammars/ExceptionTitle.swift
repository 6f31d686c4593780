import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Which exception was thrown and why, in what a page or a person writes above its frames, in
/// shapes that nothing but the frames below makes certain:
///
/// ```text
/// BoardLayoutInconsistency: tile:<Tile: 0x12> should have a board
///
/// 0  CoreFoundation   ___exceptionPreprocess
/// 1  libobjc.A.dylib  _objc_exception_throw
/// ```
///
/// Source: github.com/software-mansion/react-native-screens, issue 944; efremidze/Cluster, issue
/// 129; argmaxinc/argmax-oss-swift, issue 261, for a reason that stands further up.
struct ExceptionTitle {
  /// Nil if there is only the reason.
  let name: String?
  let reason: String

  /// The title above the first frame, if that is a function which only throws.
  ///
  /// - Parameters:
  ///   - frame: the line of the first frame.
  ///   - floor: nothing above this offset is looked at.
  init?(above frame: TextLine, of source: TextSource, floor: Int) {
    guard Self.throws(from: frame, source) else { return nil }
    var line = frame
    for _ in 0..<4 {
      guard let above = source.lineAbove(line) else { break }
      line = above
      if source.isBlank(line) || Self.opensCallStack(line, source) { continue }
      let range = source.trimmed(line.start..<line.end)
      // The start of a block of code.
      let isCode = source.has("```", at: range.lowerBound, limit: range.upperBound)
      guard !isCode, let title = Self(range, source) else { break }
      self = title
      return
    }
    if let title = Self(above: frame, floor: floor, source) {
      self = title
    } else if let title = Self(panelAbove: frame, floor: floor, source) {
      self = title
    } else if let told = Self.reason(near: frame, floor: floor, source) {
      self.init(name: nil, reason: told)
    } else {
      return nil
    }
  }

  private init(name: String?, reason: String) { (self.name, self.reason) = (name, reason) }

  /// Whether the first frame, or one of the next two if frames above have no names, is that of a
  /// function which only throws.
  private static func `throws`(from frame: TextLine, _ source: TextSource) -> Bool {
    var line = frame
    // Not below a heading, which says more.
    let isFrame = Ascii.isDigit(source[source.skipSeparators(from: line.start, limit: line.end)])
    for _ in 0..<(isFrame ? 3 : 1) where line.start < source.count {
      let end = min(line.end, line.start + 512)
      if throwing.contains(where: { source.find($0, from: line.start, limit: end) != nil }) {
        return true
      }
      line = source.line(at: line.next)
    }
    return false
  }

  /// `(`, `Call stack: (`, above frames in parentheses.
  private static func opensCallStack(_ line: TextLine, _ source: TextSource) -> Bool {
    let range = source.trimmed(line.start..<line.end)
    guard range.count < 48 else { return false }
    return source.string(range) == "("
      || ["all stack", "all Stack", "acktrace", "ack trace"].contains {
        source.find($0, from: range.lowerBound, limit: range.upperBound) != nil
      }
  }

  /// What an exception says that stands elsewhere in the text, in words that only exceptions have,
  /// on a line of its own: above the frames, else below them.
  ///
  /// Source: github.com/SDWebImage/SDWebImage, issue 2868.
  ///
  /// - Complexity: looks at 128 lines.
  private static func reason(near frame: TextLine, floor: Int, _ source: TextSource) -> String? {
    func told(_ line: TextLine) -> String? {
      guard line.end - line.start < 1024, line.end - line.start > 12 else { return nil }
      let range = source.trimmed(line.start..<line.end)
      return (source.reasonOfKnownException(range) ?? source.reasonInSentence(range)).map {
        source.string($0)
      }
    }
    var line = frame
    for _ in 0..<64 {
      guard let above = source.lineAbove(line), above.start >= floor else { break }
      line = above
      if let reason = told(line) { return reason }
    }
    line = frame
    var isBelowFrames = false
    for _ in 0..<64 where line.next < source.count {
      line = source.line(at: line.next)
      if let reason = told(line) { return reason }
      if source.isBlank(line) { continue }
      let first = source[source.skipSeparators(from: line.start, limit: line.end)]
      // Another trace has its words above it.
      if isBelowFrames, Ascii.isDigit(first) { return nil }
      isBelowFrames = isBelowFrames || !Ascii.isDigit(first)
    }
    return nil
  }

  /// The name on a line of its own, and the reason on the next, as pages of crash SDKs have them
  /// above the heading of the stack:
  ///
  /// ```text
  /// NSInternalInconsistencyException
  /// Invalid update: no tile
  ///
  /// #### Stack
  /// ```
  ///
  /// Source: Bugly's pages, as people copy them (github.com/longitachi/ZLPhotoBrowser, issue 907).
  private init?(above frame: TextLine, floor: Int, _ source: TextSource) {
    var line = frame
    var below: Range<Int>?
    for _ in 0..<16 {
      guard let above = source.lineAbove(line), above.start >= floor else { return nil }
      line = above
      let range = source.trimmed(line.start..<line.end, leading: "*`> #_", trailing: "*`_")
      // A reason may begin with stars.
      defer { below = source.trimmed(line.start..<line.end, leading: "`> ", trailing: "` ") }
      guard range.count > 11, range.count < 128, let below, !below.isEmpty, below.count < 4096,
        source.has("Exception", at: range.upperBound - 9, limit: range.upperBound),
        Ascii.isUppercase(source[range.lowerBound]),
        source.bytes[range].allSatisfy({ Ascii.isWord($0) || $0 == UInt8(ascii: "_") }),
        // The line below may be a heading, or the first frame.
        !Ascii.isDigit(source[below.lowerBound]), source[below.upperBound - 1] != Ascii.colon
      else { continue }
      (name, reason) = (source.string(range), source.string(below))
      return
    }
    return nil
  }

  /// What AppKit shows in a window about an exception that nobody caught, in any language: the
  /// name, what it says and further information, each behind a label in the language of the user.
  ///
  /// ```text
  /// Nome eccezione: NSGenericException
  /// Descrizione: no common ancestor
  /// Informazioni utente: (null)
  /// ```
  ///
  /// The label of the exception is in front of a name that ends with `Exception`. English ones are
  /// read elsewhere too (``LastWords``).
  ///
  /// Source: github.com/mangerlahn/Latest, issue 588; Apple, NSApplication (`reportException:`).
  private init?(panelAbove frame: TextLine, floor: Int, _ source: TextSource) {
    var line = frame
    var below: Range<Int>?
    for _ in 0..<16 {
      guard let above = source.lineAbove(line), above.start >= floor,
        above.end - above.start < 8192
      else { return nil }
      line = above
      let text = source.trimmed(line.start..<line.end, leading: "*`> #_-", trailing: "*`_")
      guard !text.isEmpty else { continue }
      defer { below = text }
      guard let below, let value = source.labelledValue(text),
        let reason = source.labelledValue(below), reason.count < 4096,
        source.bytes[value].allSatisfy({ Ascii.isWord($0) || $0 == UInt8(ascii: "_") }),
        value.count > 11, value.count < 128,
        source.has("Exception", at: value.upperBound - 9, limit: value.upperBound)
      else { continue }
      (name, self.reason) = (source.string(value), source.string(reason))
      return
    }
    return nil
  }

  /// Name and reason in one line: `BoardLayoutInconsistency: no tile`, or with a blank between them
  /// `NSRangeException index 5 beyond bounds`.
  private init?(_ whole: Range<Int>, _ source: TextSource) {
    if let told = source.reasonOfKnownException(whole) {
      (name, reason) = (nil, source.string(told))
      return
    }
    let range = source.trimmed(whole, leading: "*`> #_", trailing: "*`_")
    let name = source.bytes[range].prefix { Ascii.isWord($0) || $0 == UInt8(ascii: "_") }
    guard name.count > 6, name.count < 128 else { return nil }
    let text = source.string(name.startIndex..<name.endIndex)
    let isException = text.hasSuffix("Exception") && text.utf8.count > 11
    var marks = [": ", " · ", " - "]
    if isException { marks.append(" ") }
    guard isException || Self.isName(text),
      let mark = marks.first(where: { source.has($0, at: name.endIndex, limit: range.upperBound) })
    else { return nil }
    let reason = source.trimmed(name.endIndex + mark.utf8.count..<range.upperBound)
    // A heading ends with a colon.
    guard !reason.isEmpty, reason.count < 4096, source[reason.upperBound - 1] != Ascii.colon else {
      return nil
    }
    self.name = text
    self.reason = source.string(reason)
  }

  /// Whether a word is like the names that frameworks give exceptions: of several words, each with
  /// a capital letter, and none about the stack itself, or a signal.
  private static func isName(_ text: String) -> Bool {
    guard text.first?.isUppercase == true, !text.hasPrefix("EXC_"), !text.hasPrefix("SIG") else {
      return false
    }
    let humps = zip(text, text.dropFirst()).count { $0.isLowercase && $1.isUppercase }
    let lower = text.lowercased()
    return humps > 0
      && !["trace", "stack", "thread", "crash", "report"].contains {
        lower.firstRange(of: $0) != nil
      }
  }

  /// What an exception of this name says, in the text above its trace, which has only the name.
  ///
  /// - Complexity: looks at 256 lines.
  static func reason(of name: String, above start: Int, _ source: TextSource, floor: Int)
    -> String?
  {
    guard name.utf8.count > 6 else { return nil }
    var below: Range<Int>?
    var current = TextLine(start: start, end: start, next: start)
    for _ in 0..<256 {
      guard let above = source.lineAbove(current), above.start >= floor else { return nil }
      current = above
      let range = source.trimmed(above.start..<above.end)
      defer { below = range }
      guard
        let found = source.find(
          name, from: range.lowerBound, limit: min(range.upperBound, range.lowerBound + 256)),
        found == range.lowerBound
          || titles.contains(where: { title in
            source.has(title, at: found - title.utf8.count, limit: found)
          })
      else { continue }
      let end = found + name.utf8.count
      if end == range.upperBound {
        guard let below, !below.isEmpty, below.count < 1024,
          !"`#0123456789<>|!-".utf8.contains(source[below.lowerBound])
        else { continue }
        return source.string(below)
      }
      let marks = [": ", " - "]
      guard let mark = marks.first(where: { source.has($0, at: end, limit: range.upperBound) })
      else {
        // How people make a title of both.
        let quoted = end + 2..<max(end + 2, range.upperBound - 1)
        guard quoted.count > 6, source.has(" \"", at: end, limit: range.upperBound),
          source[quoted.upperBound] == Ascii.quote
        else { continue }
        return source.string(quoted)
      }
      let reason = source.trimmed(end + mark.utf8.count..<range.upperBound)
      // Titles of issues have a dash, too, but seldom an object, or a method.
      guard mark == marks[0] || source.namesCode(reason) else { continue }
      return reason.isEmpty ? nil : source.string(reason)
    }
    return nil
  }

  private static let titles = [
    "Fatal Exception: ", "Fatal Exception ", "Exception: ", "exception: ",
  ]
  private static let throwing = [
    "exceptionPreprocess", "objc_exception_throw", "+[NSException raise", "-[NSException raise",
  ]
}

extension TraceBuilder {
  /// Takes what an exception of Objective-C says from the lines right above a panic that only ends
  /// the process because of it: nothing may leave the function, and Rust cannot say what wanted to.
  ///
  /// ```text
  /// 2026-01-01 10:00:00.000 board[812:4711] -[Deck deal]: unrecognized selector sent to instance …
  /// thread 'main' panicked at core/src/panicking.rs:221:5:
  /// panic in a function that cannot unwind
  /// ```
  ///
  /// Source: github.com/rust-lang/rust, library/core/src/panicking.rs (`panic_cannot_unwind`).
  mutating func takeException(above notes: HeadNotes, _ floor: Int) {
    guard facts.exception.name == nil, facts.exception.reason == nil,
      let panic = notes.lastWords.first, notes.lastWords.count == 1, panic.isSecondPanic
    else { return }
    var line = source.line(at: source.lineStart(of: panic.start))
    for _ in 0..<4 {
      guard let above = source.lineAbove(line), above.start >= floor else { return }
      line = above
      let range = source.trimmed(line.start..<line.end)
      guard !range.isEmpty, let reason = source.reasonOfKnownException(range) else { continue }
      facts.exception.reason = source.string(reason)
      facts.takeWriter(range, reason.lowerBound, source)
      return
    }
  }
}

extension TextSource {
  /// Whether words have an object in them (`<Tile: 0x12>`), brackets, or a method of Objective-C
  /// (`-deck:cardAtIndex:`).
  fileprivate func namesCode(_ words: Range<Int>) -> Bool {
    let bytes = bytes[words]
    if bytes.contains(Ascii.less) || bytes.contains(Ascii.openBracket) { return true }
    guard let mark = find(" -", from: words.lowerBound, limit: words.upperBound) else {
      return false
    }
    return Ascii.isLowercase(self[mark + 2])
      && self.bytes[(mark + 2)..<words.upperBound].prefix { $0 > Ascii.space }
        .contains(Ascii.colon)
  }

  /// The value behind a label of a few words and a colon, which may be a wide one. Nil if there is
  /// none.
  fileprivate func labelledValue(_ line: Range<Int>) -> Range<Int>? {
    let limit = min(line.upperBound, line.lowerBound + 64)
    let ends = [": ", "：", ":** "].compactMap { mark in
      find(mark, from: line.lowerBound, limit: limit).map { (start: $0, end: $0 + mark.utf8.count) }
    }
    guard let end = ends.min(by: { $0.start < $1.start }), end.start > line.lowerBound else {
      return nil
    }
    let value = trimmed(end.end..<line.upperBound)
    return value.isEmpty ? nil : value
  }

  /// What an exception says about a method that was called wrongly, alone in its line, in words
  /// that only exceptions have: `*** -[__NSArrayM objectAtIndex:]: index 5 beyond bounds [0 .. 2]`.
  /// Nil for other lines.
  fileprivate func reasonOfKnownException(_ line: Range<Int>) -> Range<Int>? {
    guard line.count < 1024, let told = thrownReason(line),
      Self.wordsOfExceptions.contains(where: {
        find($0, from: told.lowerBound, limit: told.upperBound) != nil
      })
    else { return nil }
    let stars = told.lowerBound - 4
    return stars >= line.lowerBound && has("*** ", at: stars, limit: told.lowerBound)
      ? stars..<told.upperBound : told
  }

  /// What an exception says right above its heading, in the words of a method:
  /// `*** -[Deck draw]: no card`. Nil for other lines.
  func thrownReason(above start: Int, floor: Int) -> String? {
    guard let above = lineAbove(line(at: lineStart(of: start))), above.start >= floor,
      above.end - above.start < 1024
    else { return nil }
    let range = trimmed(above.start..<above.end)
    let begins = ["*** -[", "*** +["].contains {
      has($0, at: range.lowerBound, limit: range.upperBound)
    }
    guard begins, find("]: ", from: range.lowerBound, limit: range.upperBound) != nil else {
      return nil
    }
    return string(range)
  }

  /// The same inside a line that says something before it: behind a colon, or in quotes. Nil for
  /// other lines.
  fileprivate func reasonInSentence(_ line: Range<Int>) -> Range<Int>? {
    let limit = min(line.upperBound, line.lowerBound + 160)
    guard
      let open = ["-[", "+["].lazy.compactMap({
        self.find($0, from: line.lowerBound, limit: limit)
      }).min(), open > line.lowerBound
    else { return nil }
    let stars = has("*** ", at: open - 4, limit: open) ? open - 4 : open
    guard stars > line.lowerBound else { return nil }
    let mark = self[stars - 1]
    var end = line.upperBound
    if "'`\"".utf8.contains(mark) {
      guard let close = bytes[stars..<end].lastIndex(of: mark) else { return nil }
      end = close
    } else if !has(": ", at: stars - 2, limit: stars) {
      return nil
    }
    return reasonOfKnownException(stars..<end)
  }

  private static let wordsOfExceptions = [
    " beyond bounds", " out of bounds", " nil object ", " cannot be nil",
    "]: unrecognized selector sent to ", "]: mutating method sent to immutable object",
  ]
}
