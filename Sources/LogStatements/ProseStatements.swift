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
      let start = skipSeparators(from: rest + 3, limit: limit)
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
    return ["If ", " if ", " like ", "such as ", "e.g.", "or example"].contains {
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
