import JsonReading
import ReportFormats
package import ReportModel
import SymbolicationModel

// Frames whose numbers somebody marked who explains a stack, mostly without their addresses:
// `Frame 3  Board  Page.load()`, `#3 Board Page.load()`, `[3] Board  Page.load()`.

extension TraceGrammar {
  /// Behind the word.
  static let number = " {?#?}{index}{?:?} {image:w} "
}

// Numbers of frames that a form put on lines of their own.
extension TextSource {
  /// The text with the number of each frame in front of it, if that is on a line of its own, as
  /// some forms break the columns of a table; nil if less than three are.
  ///
  /// ```text
  /// 1
  /// libobjc.A.dylib  objc_exception_throw + 38
  /// 2
  /// ```
  package func joiningFrameNumbers() -> UnwrappedText? {
    var text = UnwrappedText(of: bytes)
    var (copied, next, joined) = (textStart, textStart, 0)
    var (expected, distance) = (UInt64(1), 0)
    while next < count {
      let line = self.line(at: next)
      next = line.next
      let words = trimmed(line.start..<line.end)
      distance += 1
      if distance > 2 { expected = 1 }
      guard let (number, end) = decimal(at: words.lowerBound, limit: words.upperBound),
        let number, number < 1024
      else { continue }
      distance = 0
      if end == words.upperBound, number == expected, next < count,
        case let first = self[self.line(at: next).start], !Ascii.isDigit(first),
        first > Ascii.space
      {
        text.copy(copied..<line.end)
        text.put([Ascii.space], for: line.end..<next)
        copied = next
        joined += 1
      }
      expected = number + 1
    }
    guard joined > 2 else { return nil }
    text.copy(copied..<count)
    return text
  }
}

extension TextSource {
  /// Whether the number of a frame has such a mark.
  func isMarkedFrame(_ frame: LineMatch) -> Bool {
    guard let index = frame[.index], index.lowerBound > textStart else { return false }
    let mark = index.lowerBound - 1
    if "#[".utf8.contains(self[mark]) { return true }
    return ["Frame ", "frame "].contains { has($0, at: mark - 5, limit: index.lowerBound) }
  }

  /// Whether such a frame is the first of several, and no sentence or list of something else.
  func beginsMarkedFrames(_ frame: LineMatch) -> Bool {
    guard isMarkedFrame(frame), let index = frame.integer(.index, self), index < 2,
      let image = frame[.image], hasShape(frame, isFirst: true)
    else { return false }
    let next = line(at: line(at: image.upperBound).next)
    let below = TraceGrammar.bareNames.frame(self, TraceGrammar.content(of: next, in: self))
    return below.map { frame in
      isMarkedFrame(frame) && frame.integer(.index, self) == index + 1
        && hasShape(frame, isFirst: false)
    } ?? false
  }

  /// Whether the image is the system's, or the function has the distance from its start, or there
  /// are columns. Without the word, lists may have these.
  private func hasShape(_ frame: LineMatch, isFirst: Bool) -> Bool {
    guard let index = frame[.index], let image = frame[.image], let content = frame[.content] else {
      return false
    }
    if isSystemImage(image.lowerBound, image.upperBound) { return true }
    let isInColumns =
      image.lowerBound - index.upperBound > 2 || content.lowerBound - image.upperBound > 1
    let isNamed = FrameContentReader(source: self, range: content).read().traceSymbol?.offset != nil
    return isNamed || isInColumns && (!isFirst || self[index.lowerBound - 1] == Ascii.space)
  }
}

extension TextSource {
  /// Whether number, image and function of a frame without an address are in columns, and the
  /// function is a word, a method or has parameters. Lists of other things are not written so.
  func isInColumns(_ frame: LineMatch) -> Bool {
    guard let index = frame[.index], let image = frame[.image], let content = frame[.content],
      image.lowerBound - index.upperBound > 1, content.lowerBound - image.upperBound > 1,
      content.count < 2048
    else { return false }
    return isMethodOrBlock(content) || isFunction(content)
      || bytes[content].allSatisfy { Self.isOfName($0) || ".:~<>(),".utf8.contains($0) }
  }
}

/// Frames of a number and a function without an image, most with the distance from its start, as
/// people write stacks into their notes:
///
/// ```text
/// 0  objc_retain + 16
/// 1  -[Board turn:] + 48
/// 2  Page.load(_:) + 540 (Page.swift:12)
/// ```
///
/// A word with a distance may be an image, too (`2  Board + 49904`): no code is in the first 4 kB
/// of one, where its header and load commands are.
///
/// Source: apple-oss-distributions/xnu, EXTERNAL_HEADERS/mach-o/loader.h.
extension TextSource {
  /// Whether a line begins with a digit and the next one with the following digit, as such frames
  /// do: zero, or one in stacks that count from there.
  func isAboveNumber(_ first: Int, _ end: Int) -> Bool {
    guard self[first] == Ascii.zero || self[first] == UInt8(ascii: "1"),
      !Ascii.isDigit(self[first + 1]), end - first < 2048
    else { return false }
    let next = line(at: line(at: end).next)
    let start = skipSeparators(from: next.start, limit: next.end)
    return start < next.end && self[start] == self[first] + 1 && self[start + 1] == self[first + 1]
  }

  /// Whether a frame without an image has a function with a distance.
  func isNumberedFunction(_ frame: LineMatch) -> Bool {
    guard frame[.index] != nil, frame[.image] == nil, frame[.address] == nil,
      let symbol = frame[.symbol], symbol.count < 2048
    else { return false }
    guard let offset = frame.integer(.offset, self) else {
      return isBareFunction(symbol) || isWordOfCode(symbol)
        || isFurtherFunction(symbol) && !isSystemImage(symbol.lowerBound, symbol.upperBound)
    }
    let first = self[symbol.lowerBound]
    guard !Ascii.isDigit(first), !"|+".utf8.contains(first) || isMethodOrBlock(symbol) else {
      return false
    }
    if isMethodOrBlock(symbol) || isFunction(symbol) { return true }
    if bytes[symbol].contains(where: { $0 <= Ascii.space }) {
      return Self.swiftStarts.contains { has($0, at: symbol.lowerBound, limit: symbol.upperBound) }
    }
    return offset < 4096 && symbol.count > 3 && !isSystemImage(symbol.lowerBound, symbol.upperBound)
      && bytes[symbol].allSatisfy { Self.isOfName($0) || ".:~<>".utf8.contains($0) }
  }

  /// Whether a name is one word with a capital letter behind a small one: `WebThreadLock`.
  private func isWordOfCode(_ name: Range<Int>) -> Bool {
    name.count < 128 && bytes[name].allSatisfy(Self.isOfName) && isLikeFunction(name)
  }

  /// Whether a frame is the first one that WebKit writes below its words, with the address of each,
  /// which older versions left out:
  ///
  /// ```text
  /// 1   0x34c6e3d5 WebThreadLock
  /// 2   0x34d12f1b -[UITextView setText:]
  /// ```
  ///
  /// Source: github.com/WebKit/WebKit, Source/WTF/wtf/Assertions.cpp (`WTFPrintBacktrace`), which
  /// counts from one.
  func beginsWebKitFrames(_ frame: LineMatch) -> Bool {
    guard frame.integer(.index, self) == 1, frame[.image] == nil, frame[.address] != nil,
      let content = frame[.content]
    else { return false }
    return isBelowWords(content.lowerBound)
  }

  /// Whether such a frame is the first of several. A list of other things may have their shape, but
  /// not the names of functions.
  func beginsNumberedFunctions(_ frame: LineMatch) -> Bool {
    guard let index = frame.integer(.index, self), index < 2, isNumberedFunction(frame),
      let symbol = frame[.symbol], index == 0 || isBelowWords(symbol.lowerBound)
    else { return false }
    let next = line(at: line(at: symbol.upperBound).next)
    guard
      let below = TraceGrammar.bareNames.frame(self, TraceGrammar.content(of: next, in: self)),
      below.integer(.index, self) == index + 1, isNumberedFunction(below)
    else { return false }
    let names = [symbol, below[.symbol] ?? symbol]
    return frame[.offset] == nil || below[.offset] == nil
      ? names.contains(where: isMethodOrBlock) : names.contains(where: isLikeFunction)
  }

  /// Whether a name has what words of a sentence have not: an underscore, a bracket, a colon, or a
  /// capital letter behind a small one.
  private func isLikeFunction(_ name: Range<Int>) -> Bool {
    bytes[name].contains { "_[(:".utf8.contains($0) }
      || zip(bytes[name], bytes[name].dropFirst()).contains {
        Ascii.isLowercase($0) && Ascii.isUppercase($1)
      }
  }
}

extension TextSource {
  /// Where a frame ends behind which somebody drew an arrow to it, with or without words: `3  Board
  /// turn() + 12   <-- here`. Nil for all other lines.
  func frameEnd(_ range: Range<Int>) -> Int? {
    guard Ascii.isDigit(self[range.lowerBound]) || "fF*#[".utf8.contains(self[range.lowerBound])
    else { return nil }
    for arrow in Self.arrows {
      guard let found = find(arrow, from: range.lowerBound + 4, limit: range.upperBound) else {
        continue
      }
      return trimEnd(from: range.lowerBound, to: found)
    }
    return nil
  }

  private static let arrows = [" <--", " <==", " <<<", " ←", " ⬅", " 👈", " // "]
}

extension TextSource {
  /// A line that begins with a number, without the `**` of bold text that ends or began on another
  /// line; or the first or last line of code in Markdown without its mark.
  func withoutOpenEmphasis(_ range: Range<Int>) -> Range<Int> {
    let (start, end) = (range.lowerBound, range.upperBound)
    guard range.count > 4 else { return range }
    if self[start] == UInt8(ascii: "`"), Ascii.isUppercase(self[start + 1]),
      find("`", from: start + 1, limit: end) == nil
    {
      return start + 1..<end
    }
    if self[end - 1] == UInt8(ascii: "`"), find("`", from: start, limit: end - 1) == nil {
      return trimmed(start..<end - 1)
    }
    let begins = self[start] == UInt8(ascii: "*") && has("**", at: start, limit: end)
    let ends = self[end - 1] == UInt8(ascii: "*") && has("**", at: end - 2, limit: end)
    guard begins != ends, Ascii.isDigit(self[begins ? start + 2 : start]) else { return range }
    return begins ? start + 2..<end : trimmed(start..<end - 2)
  }
}
