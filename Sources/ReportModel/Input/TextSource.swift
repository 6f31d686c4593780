import JsonReading
import SymbolicationModel

/// The bytes of the input, and the basic scans that the readers of lines share: find text, skip
/// separators, read numbers.
///
/// The values of a report keep it next to their ranges and make a `String` only when asked for one.
/// Copies share the bytes.
package struct TextSource: Sendable {
  package let bytes: [UInt8]

  package init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  @inlinable package var count: Int { bytes.count }

  /// The byte at `offset`; 0 outside the input. No line format uses 0.
  package subscript(offset: Int) -> UInt8 {
    @inlinable @inline(__always) get {
      offset >= 0 && offset < bytes.count ? bytes[offset] : 0
    }
  }

  /// Whether the input has `text` at `offset`, ending at or before `limit`.
  @inlinable package func has(_ text: String, at offset: Int, limit: Int) -> Bool {
    text.withBytes { expected in
      guard limit - offset >= expected.count, offset >= 0, bytes.count - offset >= expected.count
      else { return false }
      for index in expected.indices where bytes[offset + index] != expected[index] { return false }
      return true
    }
  }

  /// The offset of the first `text` that starts at or after `offset` and ends at or before `limit`.
  package func find(_ text: String, from offset: Int, limit: Int) -> Int? {
    find(text.utf8, from: offset, limit: limit)
  }

  @inline(never)
  private func find(_ text: String.UTF8View, from offset: Int, limit: Int) -> Int? {
    text.withBytes { expected in
      guard !expected.isEmpty else { return nil }
      let span = bytes.span.extracting(0..<max(0, min(limit, bytes.count)))
      var next = max(offset, 0) - 1
      while true {
        next =
          expected.count > 1
          ? span.firstOffset(of: expected[0], before: expected[1], from: next + 1)
          : span.firstOffset(of: expected[0], from: next + 1)
        guard span.count - next >= expected.count else { return nil }
        var length = min(2, expected.count)
        while length < expected.count, span[next + length] == expected[length] { length += 1 }
        if length == expected.count { return next }
      }
    }
  }

  // MARK: Separators

  /// The length of the separator at `offset`: 1 for a space or tab, 2 for a no-break space in UTF-8
  /// (found in reports copied from web pages), 0 if there is none.
  @inlinable @inline(__always)
  package func separatorLength(at offset: Int, limit: Int) -> Int {
    guard offset < limit else { return 0 }
    let byte = self[offset]
    if byte == Ascii.space || byte == Ascii.tab { return 1 }
    if byte == 0xC2, offset + 1 < limit, self[offset + 1] == 0xA0 { return 2 }
    return 0
  }

  /// The offset of the first byte at or after `offset` that is not part of a separator; at most
  /// `limit`.
  @inlinable @inline(__always)
  package func skipSeparators(from offset: Int, limit: Int) -> Int {
    var position = offset
    while true {
      let length = separatorLength(at: position, limit: limit)
      if length == 0 { return position }
      position += length
    }
  }

  /// The end of `start..<end` after trailing separators are dropped.
  @inlinable package func trimEnd(from start: Int, to end: Int) -> Int {
    var position = end
    while position > start {
      let byte = self[position - 1]
      if byte == Ascii.space || byte == Ascii.tab {
        position -= 1
      } else if byte == 0xA0, position - 2 >= start, self[position - 2] == 0xC2 {
        position -= 2
      } else {
        break
      }
    }
    return position
  }

  /// The range without leading and trailing separators.
  package func trimmed(_ range: Range<Int>) -> Range<Int> {
    let start = skipSeparators(from: range.lowerBound, limit: range.upperBound)
    return start..<trimEnd(from: start, to: range.upperBound)
  }

  /// The range without the bytes of `leading` at its start and those of `trailing` at its end, such
  /// as quotation marks and marks of Markdown.
  package func trimmed(
    _ range: Range<Int>, leading: String, trailing: String
  ) -> Range<Int> {
    let (starts, ends) = (leading.utf8, trailing.utf8)
    var (start, end) = (range.lowerBound, range.upperBound)
    while start < end, starts.contains(self[start]) { start += 1 }
    while start < end, ends.contains(self[end - 1]) { end -= 1 }
    return start..<end
  }

  // MARK: Numbers

  /// Reads decimal digits at `offset`. Returns their value, which is nil if it does not fit, and
  /// the offset after them.
  package func decimal(at offset: Int, limit: Int) -> (value: UInt64?, end: Int)? {
    var position = offset
    var value: UInt64? = 0
    while position < limit, Ascii.isDigit(self[position]) {
      if let soFar = value {
        let (product, overflow) = soFar.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(self[position] - Ascii.zero))
        value = overflow || carry ? nil : sum
      }
      position += 1
    }
    return position > offset ? (value, position) : nil
  }

  /// Like ``decimal(at:limit:)``, but returns nil if the value does not fit.
  package func number(at offset: Int, limit: Int) -> (value: UInt64, end: Int)? {
    guard let (value, end) = decimal(at: offset, limit: limit), let value else { return nil }
    return (value, end)
  }

  /// Reads `0x` and 1 to 16 hexadecimal digits at `offset`. Returns their value and the offset
  /// after them; nil for any other number of digits.
  @inlinable @inline(__always)
  package func hexadecimal(at offset: Int, limit: Int) -> (value: UInt64, end: Int)? {
    guard limit - offset >= 3, self[offset] == Ascii.zero, self[offset + 1] == Ascii.x else {
      return nil
    }
    return hexadecimalDigits(at: offset + 2, limit: limit)
  }

  /// Reads the same digits without `0x`.
  @inlinable @inline(__always)
  package func hexadecimalDigits(at offset: Int, limit: Int) -> (value: UInt64, end: Int)? {
    var position = offset
    var value: UInt64 = 0
    while position < limit, let digit = hexadecimalDigitValue(self[position]) {
      value = value << 4 | UInt64(digit)
      position += 1
    }
    let digits = position - offset
    return digits >= 1 && digits <= 16 ? (value, position) : nil
  }

  // MARK: Text

  /// The text of a range. Invalid UTF-8 becomes U+FFFD. The five XML entities (`&lt;`, `&quot;`,
  /// …), which occur in reports from web pages and property lists, are decoded.
  package func string(_ range: Range<Int>) -> String {
    let clamped = range.clamped(to: 0..<bytes.count)
    guard bytes.span.extracting(clamped).holds(Ascii.ampersand) else {
      return String(decoding: bytes[clamped], as: UTF8.self)
    }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(clamped.count)
    var position = clamped.lowerBound
    while position < clamped.upperBound {
      if let (character, length) = entity(at: position, limit: clamped.upperBound) {
        decoded.append(character)
        position += length
      } else {
        decoded.append(bytes[position])
        position += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  /// Whether a range holds exactly the bytes of `text`, and none that would have to be decoded.
  func isPlainText(_ text: String, _ range: Range<Int>) -> Bool {
    text.withBytes { expected in
      guard expected.count == range.count else { return false }
      for index in expected.indices {
        let byte = expected[index]
        guard byte != Ascii.ampersand, self[range.lowerBound + index] == byte else { return false }
      }
      return true
    }
  }

  /// Decodes the entity at `offset`: its character and its length.
  private func entity(at offset: Int, limit: Int) -> (character: UInt8, length: Int)? {
    guard self[offset] == Ascii.ampersand else { return nil }
    if has("&lt;", at: offset, limit: limit) { return (UInt8(ascii: "<"), 4) }
    if has("&gt;", at: offset, limit: limit) { return (UInt8(ascii: ">"), 4) }
    if has("&amp;", at: offset, limit: limit) { return (UInt8(ascii: "&"), 5) }
    if has("&quot;", at: offset, limit: limit) { return (UInt8(ascii: "\""), 6) }
    if has("&apos;", at: offset, limit: limit) { return (UInt8(ascii: "'"), 6) }
    if has("&#39;", at: offset, limit: limit) { return (UInt8(ascii: "'"), 5) }
    return nil
  }
}

/// A half-open range of offsets in the input. It is half the size of a `Range<Int>`, because the
/// parser keeps several for each line of a report. ``CrashLogParser/parse(_:)`` rejects inputs too
/// large for 32-bit offsets.
package struct ByteSpan: Hashable, Sendable {
  private let start: UInt32
  private let end: UInt32

  package init(_ start: Int, _ end: Int) {
    self.start = UInt32(clamping: start)
    self.end = max(self.start, UInt32(clamping: end))
  }

  package static let empty = ByteSpan(0, 0)

  package var lowerBound: Int { Int(start) }
  package var upperBound: Int { Int(end) }
  package var range: Range<Int> { Int(start)..<Int(end) }
  package var isEmpty: Bool { start == end }
}

extension TextSource {
  package static let escape: UInt8 = 0x1B

  /// The end of a code by which terminals colour text: `ESC [`, parameters and a final letter. Nil
  /// if none begins at `offset`.
  package func colourEnd(at offset: Int) -> Int? {
    guard self[offset] == Self.escape, self[offset + 1] == Ascii.openBracket else { return nil }
    var position = offset + 2
    while (0x20...0x3F).contains(self[position]) { position += 1 }
    return (0x40...0x7E).contains(self[position]) ? position + 1 : nil
  }

  /// A line without the codes at both ends of it: a log may colour each line as a whole.
  package func withoutOuterColours(_ line: TextLine) -> TextLine {
    var (start, end) = (line.start, line.end)
    while start < end, let next = colourEnd(at: start), next <= end { start = next }
    while let before = colourStart(before: end, from: start) { end = before }
    return TextLine(start: start, end: end, next: line.next)
  }

  /// Where the code begins that ends at `end`.
  private func colourStart(before end: Int, from start: Int) -> Int? {
    // Sets colours, or erases the rest of the line.
    guard end > start, self[end - 1] == UInt8(ascii: "m") || self[end - 1] == UInt8(ascii: "K")
    else { return nil }
    var position = end - 1
    let first = max(start, end - Self.longestColour)
    while position > first, (0x20...0x3F).contains(self[position - 1]) { position -= 1 }
    position -= 2
    return position >= start && colourEnd(at: position) == end ? position : nil
  }

  private static let longestColour = 40
}

extension TextSource {
  /// Whether nothing but a few spaces and line ends follows an offset.
  package func isBlank(below offset: Int) -> Bool {
    count - offset < 8 && (offset..<count).allSatisfy { self[$0] <= Ascii.space }
  }

  /// Whether one of the next lines begins with `text`.
  ///
  /// - Parameter lineCount: how many lines are looked at.
  package func isLine(_ text: String, amongNext lineCount: Int, after line: TextLine) -> Bool {
    var next = line.next
    for _ in 0..<lineCount where next < count {
      let line = self.line(at: next)
      next = line.next
      if has(text, at: line.start, limit: line.end) { return true }
    }
    return false
  }

  /// The line before another one; nil at the start, or if it is very long.
  package func lineAbove(_ line: TextLine) -> TextLine? {
    guard line.start > textStart else { return nil }
    let lineEnd = line.start - 1
    var start = lineEnd
    while start > textStart, self[start - 1] != Ascii.lineFeed {
      start -= 1
      if lineEnd - start > 4096 { return nil }
    }
    return self.line(at: start)
  }

  /// Where the line of an offset starts.
  package func lineStart(of offset: Int) -> Int {
    var start = offset
    while start > textStart, self[start - 1] != Ascii.lineFeed { start -= 1 }
    return start
  }
}

// Sentences that go on below their line.
extension TextSource {
  /// The rest of what a process said, where its line ends with a colon or in the middle of a
  /// sentence, as one line, and where the line below it begins. Messages have line ends of their
  /// own, and people break lines that are long:
  ///
  /// ```text
  /// libc++abi: terminating due to uncaught exception of type board::DeckError:
  ///   no cards: the deck was dealt twice
  /// ```
  ///
  /// Nil if the words do not end their line, or the line below says something else.
  ///
  /// - Parameters:
  ///   - words: on one line.
  ///   - next: where the line below begins.
  /// - Complexity: looks at eight lines, up to one that is long.
  package func sentenceRest(of words: Range<Int>, below next: Int) -> (text: String, end: Int)? {
    var text = ""
    var last = trimmed(words, leading: "", trailing: " \t\r")
    var end = next
    let line = self.line(at: words.upperBound)
    guard !last.isEmpty, line.next == next,
      trimEnd(from: last.upperBound, to: line.end) == last.upperBound
    else { return nil }
    // Of code in Markdown that somebody began in front of the words.
    let mark = UInt8(ascii: "`")
    let isSpan =
      words.lowerBound > textStart && self[words.lowerBound - 1] == mark
      && !bytes[words].contains(mark)
    for _ in 0..<8 where end < count {
      let below = self.line(at: end)
      // dyld names all places where it looked.
      let isOfLinker = has("dlopen(", at: below.start, limit: below.end)
      guard below.end - below.start < (isOfLinker ? 4096 : 512) else { break }
      let rest = trimmed(below.start..<below.end)
      guard !rest.isEmpty, goesOn(last, with: rest) else { break }
      if isSpan, let close = bytes[rest].firstIndex(of: mark) {
        text += "\(text.isEmpty ? "" : " ")\(string(rest.lowerBound..<close))"
        return (text, below.next)
      }
      text += text.isEmpty ? string(rest) : " \(string(rest))"
      (last, end) = (rest, below.next)
    }
    return text.isEmpty ? nil : (text, end)
  }

  private func goesOn(_ line: Range<Int>, with below: Range<Int>) -> Bool {
    let first = self[below.lowerBound]
    switch self[line.upperBound - 1] {
    case Ascii.colon:
      // Not a frame, a heading, a time or the mark of a debugger.
      return !Ascii.isDigit(first) && !"#*|>".utf8.contains(first)
        && !Self.othersWords.contains { has($0, at: below.lowerBound, limit: below.upperBound) }
    case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ")"): return false
    default:
      guard line.count >= Self.brokenLine, Ascii.isLowercase(first) || first == UInt8(ascii: "'")
      else { return false }
      // Another program says who it is: `zsh: abort`, `dyld[812]: …`.
      let word = bytes[below].prefix { $0 > Ascii.space }
      return word.last != Ascii.colon
        && !Self.othersWords.contains { has($0, at: below.lowerBound, limit: below.upperBound) }
    }
  }

  /// Shorter lines are not broken.
  private static let brokenLine = 60

  /// How the lines begin that others write below the last words of a process: frames, shells,
  /// debuggers, Markdown.
  private static let othersWords = [
    "```", "~~~", "at ", "frame #", "thread ", "kfun:", "zsh: ", "bash: ", "fish: ", "sh: ",
    "Abort", "(lldb)", "(gdb)", "Process ", "Message from debugger", "Program ", "Thread ",
    "Exception Type", "libc++abi", "dyld", "(", "{", "}", "<", "- ", "Stack", "stack ",
    "Backtrace", "backtrace", "Caused by", "note: ", "[0", "[1", "[2",
  ]
}
