import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

// What people say in their own sentences and fields about the end of a program.
extension TextSource {
  /// Why a debugger stopped, wherever it is in a sentence: `EXC_BAD_ACCESS (code=257,
  /// address=0x41)`. Nil if it is an example, or something else.
  ///
  /// Source: lldb, source/Plugins/Process/Utility/StopInfoMachException.cpp.
  ///
  /// - Parameters:
  ///   - sign: where the codes begin.
  ///   - range: of the line.
  func debuggerStop(at sign: Int, _ range: Range<Int>) -> String? {
    let nameEnd = trimEnd(from: range.lowerBound, to: sign)
    var start = nameEnd
    while start > range.lowerBound, nameEnd - start < 32, Self.isOfConstant(self[start - 1]) {
      start -= 1
    }
    guard has("EXC_", at: start, limit: nameEnd), !isExample(range.lowerBound..<start),
      let close = find(")", from: sign, limit: min(range.upperBound, sign + 96))
    else { return nil }
    return "\(string(start..<nameEnd)) \(string(sign..<close + 1))"
  }

  /// Which limit was exceeded, wherever it is in a sentence: `EXC_RESOURCE RESOURCE_TYPE_MEMORY
  /// (limit=120 MB, unused=0x0)`, in newer versions `EXC_RESOURCE (RESOURCE_TYPE_MEMORY: high
  /// watermark memory limit exceeded) (limit=120 MB)`. Without the limit it has to end the line.
  /// Nil if it is an example, or something else.
  ///
  /// Source: lldb, source/Plugins/Process/Utility/StopInfoMachException.cpp, before and after
  /// reviews.llvm.org/D131130; the kinds: XNU, osfmk/kern/exc_resource.h.
  ///
  /// - Parameters:
  ///   - sign: where the kind begins.
  ///   - range: of the line.
  func resourceStop(at sign: Int, _ range: Range<Int>) -> String? {
    var nameEnd = sign
    while nameEnd > range.lowerBound, sign - nameEnd < 4, " (:,".utf8.contains(self[nameEnd - 1]) {
      nameEnd -= 1
    }
    let name = "EXC_RESOURCE"
    let start = nameEnd - name.utf8.count
    guard start >= range.lowerBound, nameEnd < sign, has(name, at: start, limit: nameEnd),
      start == range.lowerBound || !Self.isOfName(self[start - 1]),
      !isExample(range.lowerBound..<start)
    else { return nil }
    var end = sign
    while end < range.upperBound, end - sign < 32, Self.isOfConstant(self[end]) { end += 1 }
    guard Self.resourceTypes.contains(string(sign..<end)) else { return nil }
    let limit = min(range.upperBound, sign + 200)
    if let mark = find("limit=", from: end, limit: limit),
      let close = find(")", from: mark, limit: limit)
    {
      return string(start..<close + 1)
    }
    return bytes[end..<range.upperBound].allSatisfy { ").:!`\"'* ".utf8.contains($0) }
      ? string(start..<end) : nil
  }

  private static let resourceTypes: Set<String> = [
    "RESOURCE_TYPE_CPU", "RESOURCE_TYPE_WAKEUPS", "RESOURCE_TYPE_MEMORY", "RESOURCE_TYPE_IO",
    "RESOURCE_TYPE_THREADS", "RESOURCE_TYPE_PORTS",
  ]

  /// The kind of an exception in somebody's own words, in any language: `EXC_BREAKPOINT in static
  /// Board.locked<A>(_:) → Page.update()`, with the innermost function first; or alone behind a
  /// colon.
  ///
  /// Source: the names in XNU, osfmk/mach/exception_types.h.
  ///
  /// - Parameters:
  ///   - sign: where the name begins.
  ///   - range: of the line.
  func exceptionWords(
    at sign: Int, _ range: Range<Int>
  ) -> (type: String, signal: String?, code: String?, function: FrameSymbol?)? {
    let limit = range.upperBound
    guard let (type, signal, kindEnd) = exceptionKind(at: sign, limit),
      !isExample(range.lowerBound..<sign),
      sign == range.lowerBound || !Self.isOfName(self[sign - 1])
    else { return nil }
    let (code, end) = kernelCode(at: kindEnd, limit) ?? (nil, kindEnd)
    let rest = skipSeparators(from: end, limit: limit)
    if ["in ", "at "].contains(where: { has($0, at: rest, limit: limit) }) {
      var start = skipSeparators(from: rest + 3, limit: limit)
      while start < min(limit, rest + 8), "`*".utf8.contains(self[start]) { start += 1 }
      if let name = functionInSentence(start..<limit) {
        let place = placeInSentence(from: start + name.utf8.count, limit)
        let symbol = FrameSymbol(name: name, file: place?.file, line: place?.line)
        return (type, signal, code, symbol)
      }
    }
    if let function = functionInCode(from: end, limit) { return (type, signal, code, function) }
    let label = trimEnd(from: range.lowerBound, to: sign)
    let isLabelled = has(":", at: label - 1, limit: label) || has("：", at: label - 3, limit: label)
    return isLabelled && rest == limit ? (type, signal, code, nil) : nil
  }

  /// `KERN_INVALID_ADDRESS at 0x10` behind the kind of an exception, after a comma, a dash or in
  /// brackets, and where it ends. Nil if something else is there.
  ///
  /// Source: the names in XNU, osfmk/mach/kern_return.h.
  private func kernelCode(at kindEnd: Int, _ limit: Int) -> (code: String?, end: Int)? {
    var start = kindEnd
    while start < limit, start - kindEnd < 6, " ,;:/-(`".utf8.contains(self[start]) { start += 1 }
    guard has("KERN_", at: start, limit: limit) else { return nil }
    var end = start
    while end < limit, end - start < 32, Self.isOfConstant(self[end]) { end += 1 }
    if has(" at 0x", at: end, limit: limit),
      let address = hexadecimal(at: end + 4, limit: limit)?.end
    {
      end = address
    }
    let code = string(start..<end)
    if has("`", at: end, limit: limit) { end += 1 }
    if has(")", at: end, limit: limit) { end += 1 }
    return (code, end)
  }

  /// `EXC_CRASH` and `SIGABRT` of `EXC_CRASH (SIGABRT)`, and where they end. Nil for the name of
  /// something else.
  func exceptionKind(
    at sign: Int, _ limit: Int
  ) -> (type: String, signal: String?, end: Int)? {
    var end = sign
    while end < limit, end - sign < 32, Self.isOfConstant(self[end]) { end += 1 }
    let type = string(sign..<end)
    guard Self.exceptionNames.contains(type) else { return nil }
    let open = skipSeparators(from: end, limit: limit)
    // `EXC_BREAKPOINT / SIGTRAP`, `EXC_CRASH, SIGABRT`.
    var next = open
    while next < limit, next - end < 4, "/,|- ".utf8.contains(self[next]) { next += 1 }
    if next > end, has("SIG", at: next, limit: limit) {
      let word = bytes[next..<limit].prefix(while: Self.isOfName)
      let signal = string(next..<word.endIndex)
      if MachNames.isSignal(signal) { return (type, signal, word.endIndex) }
    }
    guard has("(SIG", at: open, limit: limit),
      let close = find(")", from: open, limit: min(limit, open + 64))
    else { return (type, nil, end) }
    return (type, string(open + 1..<close), close + 1)
  }

  private static let exceptionNames: Set<String> = [
    "EXC_BAD_ACCESS", "EXC_BAD_INSTRUCTION", "EXC_ARITHMETIC", "EXC_BREAKPOINT", "EXC_CRASH",
    "EXC_GUARD", "EXC_RESOURCE",
  ]

  private static func isOfConstant(_ byte: UInt8) -> Bool {
    Ascii.isUppercase(byte) || Ascii.isDigit(byte) || byte == UInt8(ascii: "_")
  }

  /// Whether what is before the words in a sentence says that they are one case of several.
  func isExample(_ before: Range<Int>) -> Bool {
    let start = max(before.lowerBound, before.upperBound - 160)
    return ["If ", " if ", " like ", "such as ", "e.g.", "or example", "no longer "].contains {
      find($0, from: start, limit: before.upperBound) != nil
    }
  }

  /// The function that a part of a sentence begins with: `static Board.locked<A>(_:)`,
  /// `-[Board turn]`, `objc_msgSend`. Nil if these are other words.
  func functionInSentence(_ range: Range<Int>) -> String? {
    let limit = min(range.upperBound, range.lowerBound + 512)
    guard let end = functionEnd(range.lowerBound, limit), end - range.lowerBound > 4,
      end == range.upperBound || !Self.isOfName(self[end])
    else { return nil }
    return string(range.lowerBound..<end)
  }

  private func functionEnd(_ start: Int, _ limit: Int) -> Int? {
    if "-+".utf8.contains(self[start]), self[start + 1] == Ascii.openBracket {
      guard let close = bytes[start..<limit].firstIndex(of: Ascii.closeBracket) else { return nil }
      return isMethodOrBlock(start..<close + 1) ? close + 1 : nil
    }
    var word = start
    while let words = Self.swiftStarts.first(where: { has($0, at: word, limit: limit) }) {
      word += words.utf8.count
      // `closure #1 in `
      guard words.hasSuffix("#"), let (_, end) = decimal(at: word, limit: limit),
        has(" in ", at: end, limit: limit)
      else { continue }
      word = end + 4
    }
    let name = bytes[word..<limit].prefix { $0 > Ascii.space && $0 != UInt8(ascii: "(") }
    guard !name.isEmpty else { return nil }
    guard has("(", at: name.endIndex, limit: limit) else {
      // A function of C has no parameters behind it, but maybe a full stop.
      let whole = trimmed(name.startIndex..<name.endIndex, leading: "", trailing: ".,;:!?`\"'*)")
      if isQualifiedName(whole) { return whole.upperBound }
      let word = name.prefix(while: Self.isOfName)
      let isWhole = name[word.endIndex...].allSatisfy { ".,;:!?`\"'*)".utf8.contains($0) }
      return isWhole && word.contains(UInt8(ascii: "_")) && Ascii.isLowercase(word.first ?? 0)
        ? word.endIndex : nil
    }
    var (end, depth) = (name.endIndex, 0)
    repeat {
      if self[end] == UInt8(ascii: "(") { depth += 1 }
      if self[end] == UInt8(ascii: ")") { depth -= 1 }
      end += 1
    } while depth > 0 && end < limit
    return depth == 0 ? end : nil
  }

  /// Why a process was ended, in a field of another name than in reports, with the details in the
  /// indented lines below, and where the next line begins:
  ///
  /// ```text
  /// Termination:     FRONTBOARD 0x8BADF00D
  ///                  "scene-update watchdog transgression: …"
  /// ```
  func termination(_ text: String, below line: TextLine) -> (ReportFacts.Termination, end: Int)? {
    var termination = ReportFacts.Termination()
    termination.take(text)
    guard termination.namespace?.allSatisfy({ $0.isUppercase || $0 == "_" }) == true,
      termination.code != nil
    else { return nil }
    var next = line.next
    while next < count, termination.details.count < 4 {
      let below = self.line(at: next)
      let text = trimmed(below.start..<below.end)
      guard text.lowerBound > below.start, !text.isEmpty, text.count < 1024,
        fieldLine(below) == nil || self[text.lowerBound] == Ascii.quote
      else { break }
      termination.details.append(string(text).withoutQuotes)
      next = below.next
    }
    return (termination, next)
  }
}

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
      guard
        isWord(Self.placeWords, before: mark, from: start)
          || (has("`-[", at: mark, limit: limit) || has("`+[", at: mark, limit: limit))
            && isWord(Self.sourceWords, before: mark, from: start),
        let close = find("`", from: mark + 1, limit: min(limit, mark + 512)),
        let name = functionInSentence(mark + 1..<close)
      else { continue }
      let place = placeInSentence(from: close + 1, limit)
      return FrameSymbol(name: name, file: place?.file, line: place?.line)
    }
    return nil
  }

  /// Whether one of these words is before an offset, with the signs of bold text or of a link
  /// between.
  private func isWord(_ words: [String], before mark: Int, from start: Int) -> Bool {
    var end = mark
    while end > start, mark - end < 3, "*[".utf8.contains(self[end - 1]) { end -= 1 }
    return words.contains { word in
      end - word.utf8.count >= start && has(word, at: end - word.utf8.count, limit: end)
    }
  }

  private static let placeWords = [" in ", " inside ", " within ", " at "]
  /// Words in front of a method of Objective-C that an exception came from.
  private static let sourceWords = [
    " out of ", " caused by ", " thrown by ", " thrown from ", " raised by ", " exception: ",
  ]

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
  func placedFunction(_ line: Range<Int>) -> FrameSymbol? {
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

extension TextSource {
  /// The function that a sentence near an exception says it happened in, as lldb writes it. Nil if
  /// there is none.
  func functionOfLibrary(near words: Range<Int>) -> StackFrame? {
    var next = max(textStart, words.lowerBound - 2048)
    let limit = min(count, words.upperBound + 2048, next + 16384)
    while let mark = find("`", from: next, limit: limit) {
      next = mark + 1
      guard let (image, name) = libraryFunction(around: mark, limit),
        saysPlace(max(textStart, image.lowerBound - 160)..<image.lowerBound - 1)
      else { continue }
      var values = FrameValues(byteRange: image.lowerBound..<mark + 1)
      values.index = 0
      values.imageName = string(image)
      values.symbol = FrameSymbol(name: name)
      return StackFrame(address: nil, carrier: .values(values))
    }
    return nil
  }
}
