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
    guard
      Self.throwing.contains(where: { source.find($0, from: frame.start, limit: frame.end) != nil })
    else { return nil }
    var line = frame
    for _ in 0..<3 {
      guard let above = source.lineAbove(line) else { return nil }
      line = above
      if source.isBlank(line) { continue }
      let range = source.trimmed(line.start..<line.end)
      // The start of a block of code.
      let isCode = source.has("```", at: range.lowerBound, limit: range.upperBound)
      guard !isCode, let title = Self(range, source) else { break }
      self = title
      return
    }
    self.init(above: frame, floor: floor, source)
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
      guard source.has(": ", at: end, limit: range.upperBound) else { continue }
      let reason = source.trimmed(end + 2..<range.upperBound)
      return reason.isEmpty ? nil : source.string(reason)
    }
    return nil
  }

  private static let titles = ["Fatal Exception: ", "Exception: ", "exception: "]
  private static let throwing = [
    "exceptionPreprocess", "objc_exception_throw", "+[NSException raise", "-[NSException raise",
  ]
}

extension TextSource {
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

  private static let wordsOfExceptions = [
    " beyond bounds", " out of bounds", " nil object ", " cannot be nil",
    "]: unrecognized selector sent to ", "]: mutating method sent to immutable object",
  ]
}
