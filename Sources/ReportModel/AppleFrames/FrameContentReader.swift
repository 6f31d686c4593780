import JsonReading
import SymbolicationModel

/// Reads what follows the address in a frame line. A symbol may contain anything, so everything
/// except `LOAD + OFFSET` is read from the right.
package struct FrameContentReader {
  package let source: TextSource
  package let start: Int
  package let end: Int

  package init(source: TextSource, range: Range<Int>) {
    self.source = source
    self.start = range.lowerBound
    self.end = range.upperBound
  }

  /// `LOAD + OFFSET` if that is the whole content, or if only a symbol follows it.
  package func imageRelativeAddress() -> ImageRelativeAddress? {
    guard let (address, addressEnd) = leadingAddress() else { return nil }
    return addressEnd == end || symbol(after: addressEnd) != nil || isNameless(after: addressEnd)
      ? address : nil
  }

  package func read() -> FrameContent {
    if start == end { return .unparsed }
    if let (address, addressEnd) = leadingAddress() {
      if addressEnd == end { return .unsymbolicated(address) }
      if let symbol = symbol(after: addressEnd) {
        return .sideBySide(address, symbol: frameSymbol(symbol))
      }
      if isNameless(after: addressEnd) { return .unsymbolicated(address) }
    }
    if let (address, symbol) = addressAndSymbolBehindWord() {
      return .sideBySide(address, symbol: frameSymbol(symbol))
    }
    if isRemark || end - start == 3 && source.has("???", at: start, limit: end) { return .unknown }
    if let (symbol, image) = atosSymbol() { return .atos(frameSymbol(symbol), imageName: image) }
    if let symbol = symbolAndOffset(from: start, to: end) {
      if isQuestionMarks(symbol.name) { return .unknown }
      return .symbolicated(frameSymbol(symbol))
    }
    if let symbol = symbolWithoutOffset() { return .symbolicated(frameSymbol(symbol)) }
    if let symbol = symbolAndPlaceInImage() ?? symbolBeforeRemark() {
      return .symbolicated(frameSymbol(symbol))
    }
    return .unparsed
  }

  /// `main main.m:16 (in Board)`, as some tools write it. Without a file, as in `main :52 (in
  /// Board)`, the number is the distance from the start of the function.
  ///
  /// Source: Bugly's pages (github.com/realm/realm-swift, issue 3918).
  private func symbolAndPlaceInImage() -> SymbolText? {
    guard source[end - 1] == Ascii.closeParenthesis,
      let mark = source.find(" (in ", from: start, limit: end)
    else { return nil }
    var digits = mark
    while digits > start, Ascii.isDigit(source[digits - 1]) { digits -= 1 }
    guard digits < mark, source[digits - 1] == Ascii.colon,
      let line = source.number(at: digits, limit: mark).flatMap({ Int(exactly: $0.value) })
    else { return nil }
    var file = digits - 1
    while file > start, source.separatorLength(at: file - 1, limit: end) == 0 { file -= 1 }
    let nameEnd = source.trimEnd(from: start, to: file)
    guard nameEnd > start else { return nil }
    if file == digits - 1 {
      return SymbolText(name: ByteSpan(start, nameEnd), offset: Int64(line))
    }
    return SymbolText(
      name: ByteSpan(start, nameEnd), file: ByteSpan(file, digits - 1), line: line)
  }

  /// `-[Board draw] + 12` of `-[Board draw] + 12   <-- here`, where a person says something.
  private func symbolBeforeRemark() -> SymbolText? {
    for arrow in Self.arrows {
      guard let found = source.find(arrow, from: start, limit: end), found > start,
        source.separatorLength(at: found - 1, limit: end) > 0
      else { continue }
      return symbolAndOffset(from: start, to: source.trimEnd(from: start, to: found))
    }
    return nil
  }

  /// The name behind `//` of `-[Board 0x104a18000 + 0x1c2f0  // -[Board draw:]`, where a tool of
  /// jailbroken devices left the first word of a name with spaces in it in front.
  ///
  /// Source: github.com/muirey03/Cr4shed, whose reports add the name to lines of
  /// `callStackSymbols`.
  private func addressAndSymbolBehindWord() -> (ImageRelativeAddress, SymbolText)? {
    guard let mark = source.find(" // ", from: start, limit: end),
      let plus = lastPlus(from: start, to: mark)
    else { return nil }
    var load = source.trimEnd(from: start, to: plus)
    while load > start, source.separatorLength(at: load - 1, limit: end) == 0 { load -= 1 }
    guard load > start, source.has("0x", at: load, limit: mark) else { return nil }
    let rest = FrameContentReader(source: source, range: load..<end)
    guard let (address, addressEnd) = rest.leadingAddress(),
      let symbol = rest.symbol(after: addressEnd)
    else { return nil }
    return (address, symbol)
  }

  /// Whether a person says something in the place of a name that is not known:
  /// `← here it begins again`.
  private var isRemark: Bool {
    let isSign = Self.arrows.contains { source.has($0, at: start, limit: end) }
    return isSign && !source.has("<=", at: start, limit: end)
      || source.has("// ", at: start, limit: end)
  }

  private static let arrows = ["←", "<-", "<=", "⬅", "<<"]

  // MARK: LOAD + OFFSET

  /// `LOAD + OFFSET` at the start, and where the offset ends.
  private func leadingAddress() -> (address: ImageRelativeAddress, end: Int)? {
    let load: UInt64
    let loadEnd: Int
    if let (value, after) = source.hexadecimal(at: start, limit: end) {
      (load, loadEnd) = (value, after)
    } else if source[start] == Ascii.zero, start + 1 < end {
      (load, loadEnd) = (0, start + 1)
    } else {
      return nil
    }
    guard let offsetStart = separatedPlus(at: loadEnd),
      let (offset, after) = source.hexadecimal(at: offsetStart, limit: end)
        ?? source.number(at: offsetStart, limit: end)
    else { return nil }
    return (ImageRelativeAddress(base: LoadAddress(load), offset: offset), after)
  }

  /// Where the text starts that follows a `+` between separators, or between digits.
  private func separatedPlus(at offset: Int) -> Int? {
    let plus = source.skipSeparators(from: offset, limit: end)
    guard plus < end, source[plus] == Ascii.plus else { return nil }
    // Without either space, as people retype it.
    if plus == offset { return Ascii.isDigit(source[plus + 1]) ? plus + 1 : nil }
    let after = source.skipSeparators(from: plus + 1, limit: end)
    return after > plus + 1 ? after : nil
  }

  /// Whether what stands for a symbol after `LOAD + OFFSET` is no name: Cr4shed's `// (null)` and
  /// `// func_1d388`.
  private func isNameless(after addressEnd: Int) -> Bool {
    guard let start = comment(after: addressEnd) else { return false }
    return source.has("(null)", at: start, limit: end) || source.has("func_", at: start, limit: end)
  }

  /// Where the text behind `//` starts.
  private func comment(after addressEnd: Int) -> Int? {
    let next = source.skipSeparators(from: addressEnd, limit: end)
    guard next > addressEnd, source.has("//", at: next, limit: end) else { return nil }
    let start = source.skipSeparators(from: next + 2, limit: end)
    return start < end ? start : nil
  }

  /// The symbol after `LOAD + OFFSET`: ` (symbol + n)`, `// symbol + 0xn`, or output of `atos`
  /// or a name behind `//`. People also put what `atos` says right behind the offset.
  private func symbol(after addressEnd: Int) -> SymbolText? {
    let next = source.skipSeparators(from: addressEnd, limit: end)
    guard next > addressEnd else { return nil }
    if source[next] == Ascii.openParenthesis, source[end - 1] == Ascii.closeParenthesis {
      return symbolAndOffset(from: next + 1, to: end - 1)
    }
    guard let symbolStart = comment(after: addressEnd) else {
      guard source[end - 1] == Ascii.closeParenthesis else { return nil }
      return FrameContentReader(source: source, range: next..<end).atosSymbol(isBare: true)?.0
    }
    let rest = FrameContentReader(source: source, range: symbolStart..<end)
    guard let plus = lastPlus(from: symbolStart, to: end),
      let (offset, after) = source.hexadecimal(
        at: source.skipSeparators(from: plus + 1, limit: end), limit: end), after == end
    else {
      return rest.atosSymbol()?.0
        ?? (isNameless(after: addressEnd) ? nil : SymbolText(name: ByteSpan(symbolStart, end)))
    }
    return SymbolText(
      name: ByteSpan(symbolStart, source.trimEnd(from: symbolStart, to: plus)),
      offset: Int64(exactly: offset))
  }

  // MARK: Symbols

  /// The parts of a symbol as ranges, so that a look at the shape of a line makes no strings.
  private struct SymbolText {
    var name: ByteSpan
    var offset: Int64?
    var file: ByteSpan?
    var line: Int?
    var column: Int?
    var isInlined = false
  }

  private func frameSymbol(_ text: SymbolText) -> FrameSymbol {
    let file = text.file.map { source.string($0.range) }
    return FrameSymbol(
      name: source.string(text.name.range), offset: text.offset,
      file: file?.isEmpty == true ? nil : file, line: text.line == -1 ? nil : text.line,
      column: text.column, isInlined: text.isInlined)
  }

  private func isQuestionMarks(_ span: ByteSpan) -> Bool {
    !span.isEmpty && source.bytes[span.range].allSatisfy { $0 == UInt8(ascii: "?") }
  }

  /// `symbol + n`, then perhaps ` (file:line)`, then perhaps ` [inlined]`. The last ` + ` counts.
  private func symbolAndOffset(from start: Int, to end: Int) -> SymbolText? {
    var rest = end
    var isInlined = false
    if rest - start >= 10, source.has(" [inlined]", at: rest - 10, limit: rest) {
      isInlined = true
      rest -= 10
    }
    let location = fileAndLine(from: start, to: rest)
    if let found = location { rest = source.trimEnd(from: start, to: found.open) }
    guard let symbol = offsetAtEnd(from: start, to: rest) else { return nil }
    return SymbolText(
      name: symbol.name, offset: symbol.offset, file: location?.file, line: location?.line,
      column: location?.column, isInlined: isInlined)
  }

  /// `symbol + n` with nothing after it.
  func offsetAtEnd(from start: Int, to end: Int) -> (name: ByteSpan, offset: Int64)? {
    var position = end
    while position > start, Ascii.isDigit(source[position - 1]) { position -= 1 }
    guard position < end else { return oddOffset(from: start, to: end) }
    var isNegative = false
    if position > start, source[position - 1] == Ascii.minus {
      isNegative = true
      position -= 1
    }
    let plus = source.trimEnd(from: start, to: position) - 1
    guard plus >= start, plus + 1 < position, source[plus] == Ascii.plus else {
      return isNegative ? nil : oddOffset(from: start, to: end)
    }
    guard let (value, _) = source.number(at: isNegative ? position + 1 : position, limit: end),
      let offset = Int64(exactly: value)
    else { return nil }
    var nameEnd = source.trimEnd(from: start, to: plus)
    // The offset may be on a line of its own.
    while nameEnd > start, "\r\n".utf8.contains(source[nameEnd - 1]) {
      nameEnd = source.trimEnd(from: start, to: nameEnd - 1)
    }
    return (ByteSpan(start, nameEnd), isNegative ? -offset : offset)
  }

  private func lastPlus(from start: Int, to end: Int) -> Int? {
    var position = end - 1
    while position >= start {
      if source[position] == Ascii.plus { return position }
      position -= 1
    }
    return nil
  }

  /// `symbol (in image)`, then ` (file:line)` or ` + n`.
  ///
  /// - Parameter isBare: whether nothing may follow, because the offset stands in front.
  private func atosSymbol(isBare: Bool = false) -> (SymbolText, imageName: String)? {
    var rest = end
    var text = SymbolText(name: .empty)
    if let location = fileAndLine(from: start, to: end) {
      text.file = location.file
      text.line = location.line
      text.column = location.column
      rest = source.trimEnd(from: start, to: location.open)
    } else if let symbol = offsetAtEnd(from: start, to: end) {
      text.offset = symbol.offset
      rest = symbol.name.upperBound
      // With the line, symbolicatecrash writes the distance from the start of the image.
      if let location = fileAndLine(from: start, to: rest) {
        (text.offset, text.file, text.line) = (nil, location.file, location.line)
        text.column = location.column
        rest = source.trimEnd(from: start, to: location.open)
      }
    } else if !isBare {
      return nil
    }
    guard rest - start >= 7, source[rest - 1] == Ascii.closeParenthesis else { return nil }
    var open = rest - 1
    while open > start, source[open - 1] != Ascii.openParenthesis {
      if source[open - 1] == Ascii.closeParenthesis { return nil }
      open -= 1
    }
    guard open - 2 > start, source.has("in ", at: open, limit: rest) else { return nil }
    let image = ByteSpan(open + 3, rest - 1)
    guard !image.isEmpty, !isPrivateDiscriminator(image) else { return nil }
    let nameEnd = source.trimEnd(from: start, to: open - 1)
    guard nameEnd > start, nameEnd < open - 1 else { return nil }
    text.name = ByteSpan(start, nameEnd)
    return (text, source.string(image.range))
  }

  /// Swift shows private declarations as `name in _<32 hexadecimal digits>`: the file, not an
  /// image.
  private func isPrivateDiscriminator(_ span: ByteSpan) -> Bool {
    let text = source.bytes[span.range]
    return text.count >= 9 && text.first == UInt8(ascii: "_")
      && text.dropFirst().allSatisfy { hexadecimalDigitValue($0) != nil }
  }

  /// `-[Board draw]`, as Sentry writes it, which says neither offset nor line. Not what is left of
  /// a content that was cut or damaged: `0x1ed1fd000 +`, `main + 1`.
  ///
  /// Source: github.com/getsentry/sentry, src/sentry/lang/native/applecrashreport.py.
  package func bareName() -> FrameSymbol? {
    func begins(_ text: String) -> Bool { source.has(text, at: start, limit: end) }
    guard start < end, !isCut, !isRemark, !Ascii.isDigit(source[start]),
      source[end - 1] != Ascii.plus,
      source.find(" + ", from: start, limit: end) == nil, !begins("<unknown"),
      source[start] != Ascii.openParenthesis || begins("(anonymous namespace)")
    else { return nil }
    let isInlined = begins(Self.inlined)
    return FrameSymbol(
      name: source.string(start + (isInlined ? Self.inlined.utf8.count : 0)..<end),
      isInlined: isInlined)
  }

  /// Whether the text may end within the name: nothing follows it, no bracket closes it, and it has
  /// no offset, unlike the line above.
  package var isCut: Bool {
    guard end > start, source.count - end < 3, !")]>".utf8.contains(source[end - 1]) else {
      return false
    }
    // A name of Kotlin/Native ends with its type parameters and marks.
    if source[end - 1] == UInt8(ascii: "}") || source.has("#internal", at: end - 9, limit: end),
      source.has("kfun:", at: start, limit: end)
    {
      return false
    }
    if end == source.count { return true }
    guard source.trimmed(end..<source.count).allSatisfy({ source[$0] <= Ascii.space }),
      let above = source.lineAbove(source.line(at: source.lineStart(of: start)))
    else { return false }
    return source.find(" + ", from: above.start, limit: above.end) != nil
  }

  /// What is whole in front of the place where the text ends: `main + 8 (main.`, `main +`.
  package func cutName() -> FrameSymbol? { cutSymbol().map { frameSymbol($0) } }

  /// All that the text has of a name if it ends within it. Nil for what is left of an address.
  package var cutText: String? {
    guard isCut, end - start > 3, !Ascii.isDigit(source[start]) else { return nil }
    return source.string(start..<end)
  }

  private func cutSymbol() -> SymbolText? {
    guard start < end, isCut, !Ascii.isDigit(source[start]) else { return nil }
    if let mark = source.find(" (.", from: start, limit: end), mark > start {
      return SymbolText(name: ByteSpan(start, mark))
    }
    if let mark = startOfCutHash ?? startOfCutArguments {
      return SymbolText(name: ByteSpan(start, mark))
    }
    guard let plus = lastPlus(from: start, to: end) else { return nil }
    if plus == end - 1, source.separatorLength(at: plus - 1, limit: end) > 0, plus > start + 1 {
      return SymbolText(name: ByteSpan(start, source.trimEnd(from: start, to: plus)))
    }
    guard let open = source.find(" (", from: plus, limit: end) else { return nil }
    return offsetAtEnd(from: start, to: open).map { SymbolText(name: $0.name, offset: $0.offset) }
  }

  /// Where the hash begins with which Rust ends a name, if the text ends in it: `::h224a7c2`. All
  /// of the name is in front of it.
  ///
  /// Source: github.com/rust-lang/rust, compiler/rustc_symbol_mangling/src/legacy.rs.
  private var startOfCutHash: Int? {
    var mark = end
    while mark > start, end - mark < 16, hexadecimalDigitValue(source[mark - 1]) != nil {
      mark -= 1
    }
    return mark < end && mark - 3 > start && source.has("::h", at: mark - 3, limit: end)
      ? mark - 3 : nil
  }

  private static let inlined = "[inlined] "

  /// `main (main.m:16)`.
  private func symbolWithoutOffset() -> SymbolText? {
    guard let location = fileAndLine(from: start, to: end), location.line.map({ $0 >= 0 }) ?? true
    else { return nil }
    // As Sentry writes it.
    let isInlined = source.has(Self.inlined, at: start, limit: location.open)
    let nameStart = isInlined ? start + Self.inlined.utf8.count : start
    let nameEnd = source.trimEnd(from: nameStart, to: location.open)
    guard nameEnd > nameStart, nameEnd < location.open else { return nil }
    return SymbolText(
      name: ByteSpan(nameStart, nameEnd), offset: nil, file: location.file, line: location.line,
      column: location.column, isInlined: isInlined)
  }
}
