import JsonReading
import SymbolicationModel

extension FrameContentReader {
  /// What is read of a frame with an address, behind which there may be prose. A line without an
  /// address could be prose itself.
  package func readBeforeProse() -> FrameContent {
    let content = read()
    guard content == .unparsed, let shorter = beforeProse()?.read(), shorter.symbol != nil else {
      return content
    }
    return shorter
  }

  /// The same frame without the fence of Markdown, or the sentence, that somebody put behind it on
  /// the line. A frame ends behind its distance, or the place behind that. Nil if nothing is there:
  ///
  /// ```text
  /// main + 32 (main.m:16) ``` I suppose that …
  /// ```
  ///
  /// - Complexity: O(n).
  package func beforeProse() -> FrameContentReader? {
    var limit = end
    if let fence = source.find("```", from: start, limit: end), fence > start,
      source.separatorLength(at: fence - 1, limit: end) > 0
    {
      limit = source.trimEnd(from: start, to: fence)
    }
    let last = endOfFrame(limit) ?? limit
    // Behind a frame that somebody joined with the next one, another address follows.
    guard last > start, last < end,
      last == limit
        || ![" 0x", "\t0x"].contains(where: {
          source.find($0, from: last, limit: limit) != nil
        })
    else { return nil }
    return FrameContentReader(source: source, range: start..<last)
  }

  /// Where the first distance ends that a blank follows, and the place behind it if there is one;
  /// or the first place of a name without a distance. Nil if there is neither.
  private func endOfFrame(_ limit: Int) -> Int? {
    var next = start
    while let plus = source.find(" + ", from: next, limit: limit) {
      next = plus + 3
      var last = next
      while last < limit, Ascii.isDigit(source[last]) { last += 1 }
      guard last > next, last < limit, source.separatorLength(at: last, limit: limit) > 0 else {
        continue
      }
      let open = source.skipSeparators(from: last, limit: limit)
      if source[open] != Ascii.openParenthesis { return last }
      return placeEnd(at: open, limit)
    }
    var place = start
    while let open = source.find(" (", from: place, limit: limit) {
      if let last = placeEnd(at: open + 1, limit) { return last }
      place = open + 2
    }
    return nil
  }

  /// Where `(Board.kt:32)` ends, if it begins at an offset and a blank or nothing follows.
  private func placeEnd(at open: Int, _ limit: Int) -> Int? {
    let reach = min(limit, open + 256)
    guard let close = source.bytes[open..<reach].firstIndex(of: Ascii.closeParenthesis),
      close + 1 == limit || source.separatorLength(at: close + 1, limit: limit) > 0
    else { return nil }
    var digits = close
    while digits > open, Ascii.isDigit(source[digits - 1]) { digits -= 1 }
    guard digits < close, source[digits - 1] == Ascii.colon,
      source.bytes[open + 1..<max(open + 1, digits - 1)].contains(UInt8(ascii: "."))
    else { return nil }
    return close + 1
  }

  /// A place in source code behind a symbol.
  struct Place {
    /// Where its parenthesis opens.
    let open: Int
    /// May be empty.
    let file: ByteSpan
    /// May be -1. Nil for `(<compiler-generated>)`.
    let line: Int?
    var column: Int?
  }

  /// ` (file:line)` or ` (file:line:column)` at the end, or ` (<compiler-generated>)`.
  func fileAndLine(from start: Int, to end: Int) -> Place? {
    guard end - start >= 4, source[end - 1] == Ascii.closeParenthesis else { return nil }
    if let open = generatedCode(from: start, to: end) {
      return Place(open: open, file: ByteSpan(open + 1, end - 1), line: nil)
    }
    guard let place = fileAndLine(from: start, to: end, numberEnd: end - 1) else { return nil }
    guard let column = place.line, column >= 0 else { return place }
    let fileEnd = place.file.upperBound
    // `Board.swift:12:7`: what looks like a file ends with the line.
    guard fileEnd > place.file.lowerBound, Ascii.isDigit(source[fileEnd - 1]),
      var whole = fileAndLine(from: start, to: end, numberEnd: fileEnd), !whole.file.isEmpty,
      whole.line.map({ $0 >= 0 }) == true
    else { return place }
    whole.column = whole.line == 0 || column == 0 ? nil : column
    return whole
  }

  /// Where the parenthesis of ` (<compiler-generated>)` opens, which some tools write without a
  /// line.
  private func generatedCode(from start: Int, to end: Int) -> Int? {
    for mark in ["(<compiler-generated>)", "(/<compiler-generated>)"] {
      let open = end - mark.utf8.count
      if open > start, source.has(mark, at: open, limit: end) { return open }
    }
    return nil
  }

  /// - Parameter numberEnd: where the number of the line ends.
  private func fileAndLine(from start: Int, to end: Int, numberEnd: Int) -> Place? {
    var position = numberEnd
    while position > start, Ascii.isDigit(source[position - 1]) { position -= 1 }
    let digits = position
    guard digits < numberEnd, let (value, _) = source.number(at: digits, limit: numberEnd) else {
      return nil
    }
    var isNegative = false
    if position > start, source[position - 1] == Ascii.minus {
      isNegative = true
      position -= 1
    }
    guard position > start, source[position - 1] == Ascii.colon, let line = Int(exactly: value),
      let open = openParenthesis(ofFileEndingAt: position - 1, from: start)
    else { return nil }
    return Place(
      open: open, file: ByteSpan(open + 1, position - 1), line: isNegative ? -line : line)
  }

  /// Where the parenthesis around the file opens. A path may contain parentheses, closed or not, so
  /// this is the last one after ` + n`. Without ` + n` it is the last one, unless the file name
  /// would then contain a parenthesis: then it is the one that balances the parentheses of an
  /// absolute path.
  private func openParenthesis(ofFileEndingAt fileEnd: Int, from start: Int) -> Int? {
    var isSimple = true
    var depth = 0
    var evenOne: Int?
    var position = fileEnd
    while position > start {
      position -= 1
      if source[position] == Ascii.closeParenthesis {
        isSimple = false
        depth += 1
      } else if source[position] == Ascii.openParenthesis {
        if offsetAtEnd(from: start, to: source.trimEnd(from: start, to: position)) != nil {
          return position
        }
        if depth > 0 {
          depth -= 1
        } else if evenOne == nil, isSimple || source[position + 1] == UInt8(ascii: "/") {
          evenOne = position
        }
      }
    }
    return evenOne
  }
}

/// What people looked up with `atos` and pasted beside a report whose frames have no symbols:
///
/// ```text
/// $ atos -o Board -l 0x100a40000 0x100a51234
/// Deck.deal() (in Board) (Deck.swift:41)
/// ```
///
/// Source: atos(1).
private struct LookedUpNames {
  /// Of addresses that a command has.
  private(set) var byAddress: [LoadAddress: FrameSymbol] = [:]
  /// Of lines without a command, by the name of the image.
  private(set) var lists: [String: [FrameSymbol]] = [:]
  /// Of the innermost frame.
  private(set) var innermost: FrameSymbol?

  /// The addresses of the last command whose answers have not come yet, the next one at the end.
  private var asked: [LoadAddress] = []

  /// - Complexity: O(n). Stops after 64 answers.
  mutating func take(_ source: TextSource, _ range: Range<Int>) {
    innermost = innermost ?? source.markedFunction(range)
    guard source.find(Self.mark, from: range.lowerBound, limit: range.upperBound) != nil else {
      return
    }
    asked = []
    var next = source.lineStart(of: range.lowerBound)
    if next < range.lowerBound { next = source.line(at: next).next }
    var count = 0
    while next < range.upperBound, count < 64 {
      let line = source.line(at: next)
      next = line.next
      guard line.end - line.start > 8, line.end - line.start < 1024 else { continue }
      let text = source.trimmed(line.start..<line.end, leading: "> `\t", trailing: " `\r")
      if let command = source.find("atos ", from: text.lowerBound, limit: text.upperBound) {
        asked = source.addresses(ofCommand: command..<text.upperBound).reversed()
        continue
      }
      guard let mark = source.find(Self.mark, from: text.lowerBound, limit: text.upperBound),
        !Ascii.isDigit(source[text.lowerBound]),
        case .atos(let symbol, let image) = FrameContentReader(source: source, range: text).read(),
        symbol.line != nil || symbol.file != nil
      else { continue }
      count += 1
      if let address = asked.popLast() {
        byAddress[address] = byAddress[address] ?? symbol
      } else if source.isNameBeyondDoubt(text.lowerBound..<mark) {
        lists[image, default: []].append(symbol)
      }
    }
  }

  private static let mark = " (in "
}

extension TextSource {
  /// The function that somebody marks as the place in a chain of calls, which they looked up with
  /// tools of their own:
  ///
  /// ```text
  /// main -> Deck::start()
  ///   -> Deck::deal() const     <- faults
  /// ```
  fileprivate func markedFunction(_ range: Range<Int>) -> FrameSymbol? {
    var next = range.lowerBound
    for _ in 0..<16 {
      guard let mark = find(" <- ", from: next, limit: range.upperBound) else { return nil }
      next = mark + 4
      let line = self.line(at: lineStart(of: mark))
      let remark = trimmed(mark + 4..<line.end, leading: " ", trailing: ".!)` \t\r")
      guard line.end - line.start < 1024, remark.count < 32,
        Self.marksOfPlace.contains(where: { has($0, at: remark.lowerBound, limit: line.end) }),
        let arrow = find("-> ", from: line.start, limit: mark)
      else { continue }
      var name = trimmed(arrow + 3..<mark)
      while let inner = find(" -> ", from: name.lowerBound, limit: name.upperBound) {
        name = trimmed(inner + 4..<name.upperBound)
      }
      let isConstant = has(" const", at: name.upperBound - 6, limit: name.upperBound)
      if isNameBeyondDoubt(isConstant ? name.lowerBound..<name.upperBound - 6 : name) {
        return FrameSymbol(name: string(name))
      }
    }
    return nil
  }

  private static let marksOfPlace = ["fault", "crash", "here", "segfault"]

  /// The addresses that `atos` is asked for, without that of the image.
  fileprivate func addresses(ofCommand range: Range<Int>) -> [LoadAddress] {
    var found: [LoadAddress] = []
    var next = range.lowerBound
    while found.count < 64, let start = find("0x", from: next, limit: range.upperBound) {
      next = start + 2
      guard let (value, end) = hexadecimal(at: start, limit: range.upperBound) else { continue }
      next = end
      let option = trimEnd(from: range.lowerBound, to: start)
      let isOfImage = ["-l", "-s"].contains { has($0, at: option - 2, limit: option) }
      if !isOfImage { found.append(LoadAddress(value)) }
    }
    return found
  }

  fileprivate func isNameBeyondDoubt(_ name: Range<Int>) -> Bool {
    isMethodOrBlock(name) || isQualifiedName(name) || isFunction(name)
  }
}

extension Report {
  /// The report with the symbols that somebody looked up, if its frames have none: an answer is
  /// that of the address in the command above it. Without a command, the answers for an image are
  /// those of its frames on the stack of the crash, if there are as many.
  ///
  /// - Parameters:
  ///   - floor: where the text begins that belongs to no other report.
  ///   - limit: where it ends.
  package func withLookedUpNames(in source: TextSource, floor: Int, limit: Int) -> Report {
    let reach = 8192
    let (start, end) = (byteRange.lowerBound, byteRange.upperBound)
    let above = min(max(floor, start - reach), start)..<start
    let below = end..<max(end, min(limit, end + reach))
    // Other formats have no such lines, and may have millions of frames.
    guard backtraces.contains(where: { $0.frames.first?.line != nil }) else { return self }
    var names = LookedUpNames()
    for range in [above, below] where range.count > 16 { names.take(source, range) }
    // Between the stacks of a report there is hardly ever more than a blank line.
    if backtraces.count < 3 { names.take(source, byteRange) }
    guard !names.byAddress.isEmpty || !names.lists.isEmpty || names.innermost != nil else {
      return self
    }
    var report = self
    for (index, backtrace) in backtraces.enumerated() {
      var lists: [String: ArraySlice<FrameSymbol>] = [:]
      for (image, list) in names.lists where index == stack(of: image, list.count) {
        lists[image] = list[...]
      }
      var frames = backtrace.frames
      for (place, frame) in backtrace.frames.enumerated() {
        guard case .line(let line) = frame.carrier, frame.isRawLine else { continue }
        // Where it happened.
        let isPlace = place == 0 && line.index == 0 && backtrace.isCrashed
        let symbol =
          frame.address.flatMap { names.byAddress[$0] } ?? lists[line.imageName]?.popFirst()
          ?? (isPlace ? names.innermost : nil)
        guard let symbol else { continue }
        frames[place] = StackFrame(address: frame.address, carrier: .lookedUp(line, symbol))
      }
      report.backtraces[index].frames = frames
    }
    return report
  }
}

extension Report {
  /// The stack that has so many frames of an image without symbols; that of the crash if several
  /// have. Nil if none has, or if it is not certain.
  private func stack(of image: String, _ count: Int) -> Int? {
    let stacks = backtraces.indices.filter { index in
      backtraces[index].frames.count { $0.isRawLine && $0.hasImageName(image) } == count
    }
    return stacks.first { backtraces[$0].isCrashed } ?? (stacks.count == 1 ? stacks.first : nil)
  }
}

extension StackFrame {
  fileprivate var isRawLine: Bool {
    if case .line(let line) = carrier { line.statement.symbol == nil } else { false }
  }
}

extension FrameContentReader {
  /// Where the bracket opens around the arguments in which the text ends: all of the function's own
  /// name is in front of it. `kit::Board::fatal(char const*,`.
  var startOfCutArguments: Int? {
    var (depth, angles, open) = (0, 0, start)
    for position in start..<end {
      switch source[position] {
      case Ascii.openParenthesis:
        if depth == 0 { open = position }
        depth += 1
      case Ascii.closeParenthesis: depth -= 1
      case UInt8(ascii: "<") where depth == 0: angles += 1
      case UInt8(ascii: ">") where depth == 0 && source[position - 1] != Ascii.minus: angles -= 1
      // Of Objective-C, or what somebody added.
      case Ascii.openBracket, Ascii.plus: return nil
      default: break
      }
      if depth < 0 { return nil }
    }
    guard depth > 0, angles == 0, open > start + 2,
      Ascii.isWord(source[open - 1]) || source[open - 1] == UInt8(ascii: ">"),
      !["operator", "decltype"].contains(where: { source.has($0, at: open - 8, limit: open) })
    else { return nil }
    return open
  }

  /// `symbol+12`, `symbol + 0x1c` or `symbol+0x1c` with nothing after it, as gdb, other tools and
  /// people write the distance. A plus sign that is the end of a name is none: that of an operator.
  ///
  /// - Complexity: looks at the last 20 bytes.
  func oddOffset(from start: Int, to end: Int) -> (name: ByteSpan, offset: Int64)? {
    var number = end
    let first = max(start, end - 20)
    while number > first, hexadecimalDigitValue(source[number - 1]) != nil { number -= 1 }
    guard number < end else { return nil }
    let isHexadecimal = number - 2 > start && source.has("0x", at: number - 2, limit: end)
    if isHexadecimal {
      number -= 2
    } else {
      number = end
      while number > first, Ascii.isDigit(source[number - 1]) { number -= 1 }
    }
    let plus = source.trimEnd(from: start, to: number) - 1
    guard plus > start, source[plus] == Ascii.plus, isHexadecimal || plus + 1 == number,
      // Not an address.
      !Ascii.isDigit(source[start]),
      let (value, _) = isHexadecimal
        ? source.hexadecimal(at: number, limit: end) : source.number(at: number, limit: end),
      let offset = Int64(exactly: value)
    else { return nil }
    let nameEnd = source.trimEnd(from: start, to: plus)
    if nameEnd == plus {
      switch source[plus - 1] {
      case Ascii.closeBracket, Ascii.closeParenthesis, Ascii.closeBrace, UInt8(ascii: ">"): break
      case let byte where Ascii.isWord(byte) || byte == UInt8(ascii: "_"):
        if source.has("operator", at: plus - 8, limit: plus) { return nil }
      default: return nil
      }
    }
    return nameEnd > start ? (ByteSpan(start, nameEnd), offset) : nil
  }
}
