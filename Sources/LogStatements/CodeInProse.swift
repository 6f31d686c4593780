import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

extension TextSource {
  /// The function that a sentence goes on to name as the place of an exception, in Markdown's marks
  /// of code, with the file and the line behind it:
  ///
  /// ```text
  /// … `EXC_BREAKPOINT (SIGTRAP) brk 1`, a Swift trap, inside `Board.turn(to:)` at `Board.swift:12`
  /// ```
  ///
  /// Nil if the sentence ends before, or the word in front of the mark says something else, such as
  /// `when calling`.
  ///
  /// Source: CommonMark 0.31.2, section 6.1 (code spans); how people write it:
  /// github.com/margelo/react-native-vision-camera, issue 3916.
  ///
  /// - Parameter start: where the kind of the exception ends.
  func functionInCode(from start: Int, _ limit: Int) -> FrameSymbol? {
    var position = start
    let sentenceEnd = min(limit, start + 240)
    while let mark = find("`", from: position, limit: sentenceEnd) {
      if find(". ", from: position, limit: mark) != nil { return nil }
      position = mark + 1
      guard isPlaceWord(before: mark, from: start),
        let close = find("`", from: mark + 1, limit: min(limit, mark + 512)),
        let name = functionInSentence(mark + 1..<close)
      else { continue }
      let place = placeInSentence(from: close + 1, limit)
      return FrameSymbol(name: name, file: place?.file, line: place?.line)
    }
    return nil
  }

  /// Whether `in`, `inside`, `within` or `at` and a blank are before an offset, with the signs of
  /// bold text or of a link between.
  private func isPlaceWord(before mark: Int, from start: Int) -> Bool {
    var end = mark
    while end > start, mark - end < 3, "*[".utf8.contains(self[end - 1]) { end -= 1 }
    return Self.placeWords.contains { word in
      end - word.utf8.count >= start && has(word, at: end - word.utf8.count, limit: end)
    }
  }

  private static let placeWords = [" in ", " inside ", " within ", " at "]

  /// `Board.swift` and 12 of `` at [`Board.swift:12`](https://…)`` or ` (Board.swift:12)`, which is
  /// a few signs behind an offset.
  func placeInSentence(from start: Int, _ limit: Int) -> (file: String, line: Int)? {
    var position = start
    // Signs and the word `at` only.
    while position < min(limit, start + 12), " `*[(,)".utf8.contains(self[position]) {
      position += 1
    }
    if has("at ", at: position, limit: limit) {
      position += 3
      while position < min(limit, start + 16), "`*[(".utf8.contains(self[position]) {
        position += 1
      }
    }
    let file = bytes[position..<min(limit, position + 256)].prefix { byte in
      byte > Ascii.space && byte != Ascii.colon && byte != UInt8(ascii: "`")
    }
    guard file.count > 2, file.contains(UInt8(ascii: ".")),
      has(":", at: file.endIndex, limit: limit),
      let value = decimal(at: file.endIndex + 1, limit: limit)?.value,
      let line = Int(exactly: value), line > 0
    else { return nil }
    return (string(position..<file.endIndex), line)
  }
}

extension StatementReading {
  /// Takes a signal as pages of crash SDKs show it, with the address that it was at, and the
  /// function on the line below; or with the function in the place of the address:
  ///
  /// ```text
  /// Crash due to signal: SIGSEGV(SEGV_ACCERR) at 0000000000000010
  /// Deck.deal(_:) (Deck.swift:21 )
  /// SIGABRT(#0) at -[Board turn] (Board.m:12) [Bugsee]
  /// ```
  ///
  /// The address of a signal that a process sent itself is where the innermost code was.
  ///
  /// Source: docs.luciq.ai, "Luciq CLI"; github.com/supabase/supabase-swift, issue 156; for Bugsee,
  /// github.com/KrassOrg/bsTestRepo, issues 643 and 3574; the codes: plcrashreporter,
  /// Source/PLCrashReportTextFormatter.m.
  mutating func takeSignalOfSdk(_ match: LineMatch, _ line: TextLine) -> Bool {
    guard let name = match.text(.signal, source), let code = match.text(.code, source),
      let place = match[.message], name.utf8.count < 8
    else { return false }
    guard facts.exception.signal == nil else { return facts.exception.signal == "SIG\(name)" }
    let below = source.line(at: line.next)
    let text = source.string(place)
    let address = UInt64(text.hasPrefix("0x") ? String(text.dropFirst(2)) : text, radix: 16)
    let isAddress = address != nil
    let symbol = source.placedFunction(
      isAddress ? source.trimmed(below.start..<below.end, leading: "> `*", trailing: " `*") : place)
    guard isAddress || symbol != nil else { return false }
    facts.exception.signal = "SIG\(name)"
    facts.exception.subtype = address.map { "\(code) at \($0.hexadecimal)" } ?? code
    guard let symbol, innermost == nil else { return true }
    var values = FrameValues(byteRange: isAddress ? below.start..<below.end : line.start..<line.end)
    values.index = 0
    values.symbol = symbol
    innermost = StackFrame(address: nil, carrier: .values(values))
    return true
  }
}

extension TextSource {
  /// A function with its place, or with the distance from its start, or a method: what ends a stack
  /// as people and pages write it on a line of its own. Nil for other lines.
  fileprivate func placedFunction(_ line: Range<Int>) -> FrameSymbol? {
    guard line.count > 4, line.count < 1024 else { return nil }
    // Behind it, the name of a service may be.
    var end = line.upperBound
    if self[end - 1] == Ascii.closeBracket, let open = find(" [", from: line.lowerBound, limit: end)
    {
      end = open
    }
    if self[end - 1] == UInt8(ascii: ")"),
      let open = bytes[line.lowerBound..<end].lastIndex(of: UInt8(ascii: "(")),
      open > line.lowerBound, self[open - 1] == Ascii.space,
      let place = placeInSentence(from: open, end)
    {
      let name = string(trimmed(line.lowerBound..<open))
      return name.isEmpty ? nil : FrameSymbol(name: name, file: place.file, line: place.line)
    }
    if isMethodOrBlock(line.lowerBound..<end) {
      return FrameSymbol(name: string(line.lowerBound..<end))
    }
    var digits = end
    while digits > line.lowerBound, Ascii.isDigit(self[digits - 1]) { digits -= 1 }
    guard digits < end, digits - line.lowerBound > 4, has(" + ", at: digits - 3, limit: end),
      let offset = decimal(at: digits, limit: end)?.value.flatMap({ Int64(exactly: $0) })
    else { return nil }
    return FrameSymbol(name: string(line.lowerBound..<digits - 3), offset: offset)
  }
}
