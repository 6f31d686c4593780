import JsonReading
import ReportModel
import SymbolicationModel

extension TextSource {
  /// Reads a frame below the heading of a thread that somebody copied without the addresses:
  ///
  /// ```text
  /// 5   Owlet                TokenRank.iconImage.getter + 500
  /// ```
  ///
  /// Nil for all other lines.
  func bareFrame(_ line: TextLine) -> StackFrame? {
    let end = trimEnd(from: line.start, to: line.end)
    let start = skipSeparators(from: line.start, limit: end)
    guard start < end, Ascii.isDigit(self[start]),
      let (number, indexEnd) = decimal(at: start, limit: end),
      let index = number.flatMap({ Int(exactly: $0) })
    else { return nil }
    let nameStart = skipSeparators(from: indexEnd, limit: end)
    if let frame = frameWithoutImage(index, nameStart..<end) { return frame }
    guard nameStart > indexEnd, nameStart < end, !Ascii.isDigit(self[nameStart]) else {
      return nil
    }
    if isOfRoboVM(nameStart..<end) { return roboVMFrame(index, nameStart..<end, line) }
    if has("kfun:", at: nameStart, limit: end) {
      return kotlinFrame(index, nameStart..<end, line)
    }
    guard let nameEnd = endOfColumn(from: nameStart, to: end) else { return nil }
    var content = skipSeparators(from: nameEnd, limit: end)..<end
    // Sentry and others write the distance from the start of the image: `App +0x6d8e20  load()`.
    var (imageEnd, distance): (Int, UInt64?) = (nameEnd, nil)
    let plus = find(" +0x", from: nameStart, limit: min(end, content.lowerBound + 3))
    if let plus, let (value, after) = hexadecimal(at: plus + 2, limit: end) {
      (imageEnd, distance) = (trimEnd(from: nameStart, to: plus), value)
      content = skipSeparators(from: after, limit: end)..<end
    }
    // Who leaves the addresses out keeps the columns: `Owlet                + 58940`.
    if distance == nil, content.lowerBound - nameEnd > 1,
      has("+ ", at: content.lowerBound, limit: end),
      let (value, after) = decimal(at: content.lowerBound + 2, limit: end), after == end
    {
      distance = value
      content = end..<end
    }
    // Who retells a stack keeps the addresses of frames without names.
    if distance == nil, let (value, after) = hexadecimal(at: content.lowerBound, limit: end),
      after == end, after - content.lowerBound >= 10,
      isFrameOrEnd(self.line(at: line.next), index + 1)
    {
      let frame = FrameLine(
        source: self, line: ByteSpan(line.start, line.end), name: nameStart,
        address: content.lowerBound..<after)
      return StackFrame(address: LoadAddress(value), carrier: .line(frame))
    }
    // Pages leave the images out, too.
    let isFunction =
      ["-[", "+["].contains { find($0, from: nameStart, limit: nameEnd) != nil }
      || has("+", at: content.lowerBound, limit: end) && distance == nil
        && !has("+[", at: content.lowerBound, limit: end)
    if isFunction { content = nameStart..<end }
    guard content.isEmpty ? distance != nil : !Ascii.isDigit(self[content.lowerBound]),
      find("0x", from: content.lowerBound, limit: end) == nil,
      // The address may be on the next line, where a mail program broke this one.
      !beginsWithAddress(self.line(at: line.next))
    else { return nil }
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = index
    values.imageName = isFunction ? nil : string(nameStart..<imageEnd)
    values.imageOffset = distance
    let reader = FrameContentReader(source: self, range: content)
    values.symbol = reader.read().symbol ?? reader.bareName()
    return StackFrame(address: nil, carrier: .values(values))
  }

  /// Reads a frame that kept only its number and its function, on the thread that crashed:
  ///
  /// ```text
  /// 3 _swift_task_checkIsolatedSwift
  /// 5 _checkExpectedExecutor(…)      [inlined]
  /// 6 @objc Board.turn(_:)   (<compiler-generated>:103)
  /// ```
  ///
  /// A word of prose is no function: a word of C has an underscore, and the first frame another one
  /// below it. Nil for all other lines.
  func numberedFunction(_ line: TextLine, isFirst: Bool, _ isCrashed: Bool) -> StackFrame? {
    guard isCrashed, let values = numberedFunction(line) else { return nil }
    if isFirst {
      guard let next = numberedFunction(self.line(at: line.next)),
        next.index ?? 0 > values.index ?? 0
      else { return nil }
    }
    return StackFrame(address: nil, carrier: .values(values))
  }

  private func numberedFunction(_ line: TextLine) -> FrameValues? {
    let text = trimmed(line.start..<line.end)
    guard text.count < 1024, text.lowerBound < text.upperBound,
      Ascii.isDigit(self[text.lowerBound]),
      let (number, indexEnd) = decimal(at: text.lowerBound, limit: text.upperBound),
      let index = number.flatMap({ Int(exactly: $0) }),
      case let start = skipSeparators(from: indexEnd, limit: text.upperBound), start > indexEnd,
      start < text.upperBound
    else { return nil }
    var (end, place) = (text.upperBound, nil as (file: String, line: Int)?)
    let isInlined = has("[inlined]", at: end - 9, limit: end)
    if isInlined { end = trimEnd(from: start, to: end - 9) }
    if self[end - 1] == Ascii.closeParenthesis,
      let open = bytes[start..<end].lastIndex(of: Ascii.openParenthesis), open - 1 > start,
      separatorLength(at: open - 1, limit: end) > 0,
      let colon = bytes[open..<end].lastIndex(of: Ascii.colon), colon > open + 1,
      let (value, after) = decimal(at: colon + 1, limit: end), after == end - 1,
      let row = value.flatMap({ Int(exactly: $0) })
    {
      place = (string(open + 1..<colon), row)
      end = trimEnd(from: start, to: open)
    }
    let name = start..<end
    guard name.count > 3, isFunctionBeyondDoubt(name) else { return nil }
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = index
    values.symbol = FrameSymbol(
      name: string(name), file: place?.file, line: place?.line, isInlined: isInlined)
    return values
  }

  /// Whether a text is a word of C with an underscore in it, `-[Board turn]`, `board::turn(int)` or
  /// `closure #1 in Board.turn(_:)`, and nothing else.
  private func isFunctionBeyondDoubt(_ name: Range<Int>) -> Bool {
    let word = bytes[name].prefix(while: Self.isOfName)
    if word.endIndex == name.upperBound { return word.contains(UInt8(ascii: "_")) }
    if isNamedFrame(name) { return true }
    guard self[name.upperBound - 1] == Ascii.closeParenthesis,
      let open = bytes[name].firstIndex(of: Ascii.openParenthesis)
    else { return false }
    var start = name.lowerBound
    while let words = Self.swiftStarts.first(where: { has($0, at: start, limit: open) }) {
      start += words.utf8.count
      guard words.hasSuffix("#"), let (_, end) = decimal(at: start, limit: open),
        has(" in ", at: end, limit: open)
      else { continue }
      start = end + 4
    }
    let isName = { (byte: UInt8) in Self.isOfName(byte) || byte == UInt8(ascii: ".") }
    // The names of the parameters only, or a sign that they are left out.
    return start < open && bytes[start..<open].allSatisfy(isName)
      && bytes[(open + 1)..<(name.upperBound - 1)].allSatisfy {
        isName($0) || $0 == Ascii.colon || $0 >= 0x80
      }
  }

  /// Whether the next line is a function beyond doubt.
  func isNamedFrame(below line: TextLine) -> Bool {
    let next = self.line(at: line.next)
    return isNamedFrame(trimmed(next.start..<next.end))
  }

  /// A frame whose image is left out: `0   0x000000010a71d0ac Board::deal() + 76`.
  private func frameWithoutImage(_ index: Int, _ line: Range<Int>) -> StackFrame? {
    guard has("0x", at: line.lowerBound, limit: line.upperBound),
      let (value, end) = hexadecimal(at: line.lowerBound, limit: line.upperBound),
      end - line.lowerBound >= 10, self[end] == Ascii.space
    else { return nil }
    let content = skipSeparators(from: end, limit: line.upperBound)..<line.upperBound
    guard let symbol = FrameContentReader(source: self, range: content).read().symbol,
      symbol.offset != nil
    else { return nil }
    var values = FrameValues(byteRange: line)
    values.index = index
    values.symbol = symbol
    return StackFrame(address: LoadAddress(value), carrier: .values(values))
  }

  /// Whether a function is one that RoboVM compiled from Java, `[J]`, or one that it put between
  /// two of them, `[j]`.
  ///
  /// Source: github.com/MobiVM/robovm, compiler/compiler/src/main/java/org/robovm/compiler/
  /// Symbols.java (`EXTERNAL_SYMBOL_PREFIX`, `INTERNAL_SYMBOL_PREFIX`).
  private func isOfRoboVM(_ range: Range<Int>) -> Bool {
    ["[J]", "[j]"].contains { has($0, at: range.lowerBound, limit: range.upperBound) }
  }

  /// Reads a frame of RoboVM without image and address, whose line may be cut behind the name or in
  /// it: `4   [J]java.nio.MemoryBlock.pokeInt(II)V + 184 (MemoryBlock.java:220)`.
  private func roboVMFrame(_ index: Int, _ range: Range<Int>, _ line: TextLine) -> StackFrame? {
    guard range.count < 4096, find(" 0x", from: range.lowerBound, limit: range.upperBound) == nil
    else { return nil }
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = index
    let read = FrameContentReader(source: self, range: range).read().symbol
    let end = find(" + ", from: range.lowerBound, limit: range.upperBound) ?? range.upperBound
    values.symbol = read ?? FrameSymbol(name: string(range.lowerBound..<end))
    return StackFrame(address: nil, carrier: .values(values))
  }

  /// Reads a frame of Kotlin/Native without image and address, whose place a tool wrote in the
  /// source: `1  kfun:board.Deck#deal   (Deck.kt:21)`. A name alone may be cut, or of another line.
  private func kotlinFrame(_ index: Int, _ range: Range<Int>, _ line: TextLine) -> StackFrame? {
    let end = range.upperBound
    guard range.count < 4096, self[end - 1] == Ascii.closeParenthesis,
      let open = bytes[range].lastIndex(of: Ascii.openParenthesis),
      separatorLength(at: open - 1, limit: end) > 0,
      let colon = bytes[open..<end].lastIndex(of: Ascii.colon), colon > open + 1,
      let (value, after) = decimal(at: colon + 1, limit: end), after == end - 1,
      let number = value.flatMap({ Int(exactly: $0) }),
      find(" 0x", from: range.lowerBound, limit: end) == nil
    else { return nil }
    let name = string(range.lowerBound..<trimEnd(from: range.lowerBound, to: open))
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = index
    values.symbol = FrameSymbol(name: name, file: string(open + 1..<colon), line: number)
    return StackFrame(address: nil, carrier: .values(values))
  }

  /// Whether a stack of RoboVM begins here, without a heading and without images and addresses: a
  /// function of C may be the innermost one.
  func beginsRoboVMStack(_ line: TextLine) -> Bool {
    guard let first = bareFrame(line), first.index == 0 else { return false }
    let below = self.line(at: line.next)
    let start = skipSeparators(from: below.start, limit: below.end)
    guard let (number, end) = decimal(at: start, limit: below.end), number == 1 else {
      return false
    }
    return isOfRoboVM(skipSeparators(from: end, limit: below.end)..<below.end)
  }

  /// Reads a frame below a heading whose number is left out, as in a list of Markdown or the cells
  /// of a table: `Board   0x0000000104a1c2f0 Deck.deal() + 176`. The function has the distance from
  /// its start, or the address those of the image and from there. Nil for all other lines.
  func numberlessFrame(_ line: TextLine) -> StackFrame? {
    let range = trimmed(line.start..<line.end)
    guard range.count > 16, range.count < 4096, !Ascii.isDigit(self[range.lowerBound]),
      let sign = addressInColumn(
        from: range.lowerBound, limit: min(range.upperBound, range.lowerBound + 128)),
      let (value, end) = frameAddress(at: sign + 1, limit: range.upperBound), end - sign > 9
    else { return nil }
    let image = range.lowerBound..<trimEnd(from: range.lowerBound, to: sign)
    let content = FrameContentReader(
      source: self, range: skipSeparators(from: end, limit: range.upperBound)..<range.upperBound)
    let read = content.read()
    // Words of a sentence are one blank apart, and have signs between them.
    guard !image.isEmpty, image.count < 80,
      bytes[image].allSatisfy({ Ascii.isWord($0) || $0 >= 0x80 || " .+-_".utf8.contains($0) }),
      read.symbol?.offset != nil || read.imageRelativeAddress != nil
    else { return nil }
    var values = FrameValues(byteRange: range)
    values.imageName = string(image)
    values.symbol = read.symbol
    values.imageRelativeAddress = read.imageRelativeAddress
    return StackFrame(address: LoadAddress(value), carrier: .values(values))
  }

  /// Reads the first frame of a thread in which the text breaks off: `0   App   0x00000`. The image
  /// is all that it says, unless the address is whole. Nil for all other lines.
  func cutFrame(_ line: TextLine) -> StackFrame? {
    let end = trimEnd(from: line.start, to: line.end)
    let start = skipSeparators(from: line.start, limit: end)
    guard self[start] == Ascii.zero, separatorLength(at: start + 1, limit: end) > 0 else {
      return nil
    }
    let nameStart = skipSeparators(from: start + 1, limit: end)
    guard nameStart < end, !Ascii.isDigit(self[nameStart]),
      let nameEnd = endOfColumn(from: nameStart, to: end)
    else { return nil }
    let address = skipSeparators(from: nameEnd, limit: end)
    guard has("0", at: address, limit: end),
      address + 1 == end || has("0x", at: address, limit: end),
      bytes[min(address + 2, end)..<end].allSatisfy({ hexadecimalDigitValue($0) != nil })
    else { return nil }
    // Reports of 64 bits have all digits.
    if end - address == 18, let (value, after) = hexadecimal(at: address, limit: end), after == end
    {
      let frame = FrameLine(
        source: self, line: ByteSpan(line.start, line.end), name: nameStart,
        address: address..<after)
      return StackFrame(address: LoadAddress(value), carrier: .line(frame))
    }
    var values = FrameValues(byteRange: line.start..<line.end)
    values.index = 0
    values.imageName = string(nameStart..<nameEnd)
    return StackFrame(address: nil, carrier: .values(values))
  }

  /// Whether a line is a function beyond doubt, of Objective-C, C++ or Rust, and nothing else but
  /// the distance from its start.
  func isNamedFrame(_ line: Range<Int>) -> Bool {
    guard line.count > 4, line.count < 1024 else { return false }
    if isQualifiedName(line) { return true }
    guard "-+_[".utf8.contains(self[line.lowerBound]) else { return false }
    let plus = find("] + ", from: line.lowerBound, limit: line.upperBound)
    return isMethodOrBlock(line.lowerBound..<(plus.map { $0 + 1 } ?? line.upperBound))
  }

  /// The parts of a line that is one word and a distance: `BoardMain + 43120640`.
  func wordAndDistance(_ line: Range<Int>) -> (word: Range<Int>, bytes: UInt64)? {
    guard let plus = find(" + ", from: line.lowerBound, limit: line.upperBound),
      plus > line.lowerBound, !Ascii.isDigit(self[line.lowerBound]),
      bytes[line.lowerBound..<plus].allSatisfy(Self.isOfName),
      let (value, end) = decimal(at: plus + 3, limit: line.upperBound), end == line.upperBound,
      let bytes = value
    else { return nil }
    return (line.lowerBound..<plus, bytes)
  }

  /// Whether a line is `Deck::~Deck() + 240 (Deck.mm:34)`.
  func isPlacedFunction(_ line: Range<Int>) -> Bool {
    guard self[line.upperBound - 1] == Ascii.closeParenthesis,
      let symbol = FrameContentReader(source: self, range: line).read().symbol
    else { return false }
    return symbol.offset != nil && symbol.line != nil
  }

  /// The image and the function of a line that has neither a number nor an address, as people
  /// shorten frames: `libBoard.dylib  deal + 404`. Words of a sentence are one blank apart.
  func imageAndFunction(
    _ line: Range<Int>
  ) -> (image: Range<Int>, function: FrameSymbol)? {
    guard !Ascii.isDigit(self[line.lowerBound]), Ascii.isDigit(self[line.upperBound - 1]) else {
      return nil
    }
    let image = bytes[line].prefix {
      Self.isOfName($0) || $0 == UInt8(ascii: ".") || $0 == Ascii.minus || $0 == Ascii.plus
    }
    let start = skipSeparators(from: image.endIndex, limit: line.upperBound)
    guard image.count > 1, image.count < 80, start > image.endIndex,
      start - image.endIndex > 1 || self[image.endIndex] == Ascii.tab
        || has(".dylib", at: image.endIndex - 6, limit: image.endIndex),
      let function = FrameContentReader(source: self, range: start..<line.upperBound).read().symbol,
      function.offset != nil
    else { return nil }
    return (image.startIndex..<image.endIndex, function)
  }

  /// Where a name ends: before two separators or a tab, else before the first one.
  private func endOfColumn(from start: Int, to end: Int) -> Int? {
    var first: Int?
    var position = start
    while position < end {
      let length = separatorLength(at: position, limit: end)
      if length > 0 {
        let next = skipSeparators(from: position, limit: end)
        if next - position > 1 || self[position] == Ascii.tab { return position }
        first = first ?? position
      }
      position += max(length, 1)
    }
    return first
  }

  /// Whether a line begins with the number of a frame, or is none of a stack.
  private func isFrameOrEnd(_ line: TextLine, _ index: Int) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard start < line.end, Ascii.isDigit(self[start]) else {
      return start == line.end || has("```", at: start, limit: line.end)
    }
    return beginsFrame(line, index)
  }

  /// Whether a line begins with the number of a frame.
  func beginsFrame(_ line: TextLine, _ index: Int) -> Bool {
    let start = skipSeparators(from: line.start, limit: line.end)
    guard start < line.end, let (number, after) = decimal(at: start, limit: line.end) else {
      return false
    }
    return number == UInt64(clamping: index) && separatorLength(at: after, limit: line.end) > 0
  }

  private func beginsWithAddress(_ line: TextLine) -> Bool {
    has("0x", at: skipSeparators(from: line.start, limit: line.end), limit: line.end)
  }
}

extension TextReportBuilder {
  /// Takes a line that stands for frames which somebody left out, between frames without addresses.
  ///
  /// - Returns: false if it is none.
  mutating func noteCutOut(_ line: TextLine, at first: Int) -> Bool {
    guard isAttached, let last = backtraces.last, !last.frames.isEmpty, last.isBare,
      [UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "("), 0xe2].contains(source[first]),
      line.end - first < 16, source.isNoContinuation(first..<line.end)
    else { return false }
    note(line)
    return true
  }
}
