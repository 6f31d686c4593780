import JsonReading
import ReportFormats
import ReportModel
import SymbolicationModel

/// Which lines begin a trace: a quick look by the first byte, then the grammars.
extension TextSource {
  /// The grammar of the trace that begins with a line; nil if none does.
  ///
  /// - Parameter looksAhead: whether a line that is not certain needs frames below it. In a stream
  ///   they may not have come yet.
  func traceGrammar(beginningAt line: TextLine, looksAhead: Bool = true) -> TraceGrammar? {
    let first = skipSeparators(from: line.start, limit: line.end)
    // The shortest frame has an index, an image and an address. The longest names have thousands of
    // bytes, and each pattern looks at the whole line.
    guard line.end - first > 8, line.end - first < 1 << 14 else { return nil }
    var byte = self[first]
    if byte == Ascii.quote { byte = self[skipSeparators(from: first + 1, limit: line.end)] }
    if byte == UInt8(ascii: "*"),
      let text = emphasisedText(first..<trimEnd(from: first, to: line.end))
    {
      byte = self[text.lowerBound]
      guard mayBeginTrace(byte, text.lowerBound, text.upperBound) else { return nil }
    } else {
      guard mayBeginTrace(byte, first, line.end) else { return nil }
    }
    let range = TraceGrammar.content(of: line, in: self)
    guard !range.isEmpty else { return nil }
    for grammar in TraceGrammar.beginning(with: byte) {
      if let frame = grammar.frame(self, range) {
        if isTraceFrame(frame, of: grammar, line, looksAhead) { return grammar }
        continue
      }
      let sign = grammar.lines.first { $0.isSign && $0.pattern.match(self, range) != nil }
      if let sign, !looksAhead || frameFollows(line, grammar, sign) { return grammar }
    }
    return nil
  }

  /// The text of a line that is bold or code in Markdown as a whole: `**Uncaught Kotlin exception:
  /// …**`, or of the first line of code that ends on another one. Nil for other lines.
  func emphasisedText(_ range: Range<Int>) -> Range<Int>? {
    guard range.count > 4, "*_`".utf8.contains(self[range.lowerBound]) else { return nil }
    let second = self[range.lowerBound + 1]
    if has("`", at: range.lowerBound, limit: range.upperBound),
      Ascii.isLowercase(second) || Ascii.isUppercase(second),
      find("`", from: range.lowerBound + 1, limit: range.upperBound) == nil
    {
      return range.lowerBound + 1..<range.upperBound
    }
    for mark in ["**", "__", "`"]
    where has(mark, at: range.lowerBound, limit: range.upperBound)
      && has(mark, at: range.upperBound - mark.utf8.count, limit: range.upperBound)
    {
      let text = range.lowerBound + mark.utf8.count..<range.upperBound - mark.utf8.count
      let first = self[text.lowerBound]
      return Ascii.isLowercase(first) || Ascii.isUppercase(first) ? text : nil
    }
    return nil
  }

  /// Whether what Crashlytics writes above a stack is near the start of a line.
  private func namesCrash(_ start: Int, _ end: Int) -> Bool {
    ["Crashed: ", "atal Exception: "].contains {
      find($0, from: start, limit: min(end, start + 40)) != nil
    }
  }

  /// A quick look at a line: logs have millions of lines.
  private func mayBeginTrace(_ byte: UInt8, _ first: Int, _ end: Int) -> Bool {
    switch byte {
    case Ascii.zero...UInt8(ascii: "9"):
      // The number of a frame, and an address behind it.
      var position = first
      if self[position] == Ascii.quote { position = skipSeparators(from: first + 1, limit: end) }
      let digits = position
      while Ascii.isDigit(self[position]) { position += 1 }
      if position - digits > 4 { return false }
      if self[position] == UInt8(ascii: "x"), position - digits == 1 {
        return [" - /", " in "].contains {
          find($0, from: position, limit: min(end, position + 24)) != nil
        }
          || find("!", from: position, limit: min(end, position + 160)) != nil
          || self[trimEnd(from: first, to: end) - 1] == UInt8(ascii: ")")
            && find(" + ", from: position, limit: min(end, position + 400)) != nil
          || TraceGrammar.beginsAsSwiftServer(first, end, self)
      }
      if self[position] == UInt8(ascii: "#") {
        return separatorLength(at: position + 1, limit: end) > 0
          && [" 0x", " in ", " at "].contains { find($0, from: position, limit: end) != nil }
      }
      if self[position] == Ascii.colon {
        // Of Node.js, and of Rust.
        return has(": 0x", at: position, limit: end)
          && self[trimEnd(from: first, to: end) - 1] == Ascii.closeBracket
          || ["backtrace", "panicking::", "rust_begin_unwind"].contains {
            find($0, from: position, limit: min(end, position + 64)) != nil
          }
          || separatorLength(at: position + 1, limit: end) > 0
            && (isBelowPanic(first) || self[first] == Ascii.zero && isAboveNumber(first, end))
      }
      if self[position] == UInt8(ascii: ".") {
        return namesCrash(position, end)
      }
      // Of a date.
      if self[position] == UInt8(ascii: "-") { return false }
      let limit = min(end, position + 400)
      if find(" +0x", from: position, limit: limit) != nil { return true }
      // Of a table.
      if self[first] == Ascii.zero, position == first + 1,
        isBar(between: position, columnStart(from: position, limit: end))
      {
        return true
      }
      guard separatorLength(at: position, limit: end) > 0 else { return false }
      return [" 0x", "\t0x", ") at "].contains { find($0, from: position, limit: limit) != nil }
        || isSystemImage(columnStart(from: position, limit: end), end)
        || self[first] == Ascii.zero && position == first + 1
          && (isBelowHeadOfOldCrashlytics(first) || endsWithOffset(position, end)
            || isAboveNumber(first, end))
        || self[first] == UInt8(ascii: "1") && position == first + 1 && isAboveNumber(first, end)
          && isBelowWords(first)
    case Ascii.slash, UInt8(ascii: "."), Ascii.openBracket, UInt8(ascii: "("):
      // The address in brackets is at the end; so is what Open MPI says above.
      let last = trimEnd(from: first, to: end)
      if byte == Ascii.openBracket, mayBeName(first, end) || isBracketedNumber(first, end) {
        return true
      }
      return self[last - 1] == Ascii.closeBracket && find("[0x", from: first, limit: last) != nil
        || byte == Ascii.openBracket
          && (last - first > 19 && has(" received signal ***", at: last - 20, limit: last)
            || Ascii.isDigit(self[first + 1]) && find(" + 0x", from: first, limit: last) != nil
            || has("[Callstack] 0x", at: first, limit: last))
    case UInt8(ascii: "#"):
      return frameNumberEnd(at: first) != nil || has("# A fatal error has", at: first, limit: end)
        || has("# Problematic frame:", at: first, limit: end)
        || Ascii.isDigit(self[first + 1]) && namesCrash(first, end)
    case UInt8(ascii: "*"):
      // Not every item of a list.
      return has("*** ", at: first, limit: end) || isBehindBullet(first, end)
    case UInt8(ascii: "+"), UInt8(ascii: "-"):
      return isBehindBullet(first, end)
        || self[first + 1] == Ascii.openBracket && mayBeName(first, end)
    case UInt8(ascii: "_"): return mayBeName(first, end)
    case UInt8(ascii: "?"): return has("?, in ", at: first, limit: end)
    case UInt8(ascii: "B"): return has("Backtrace for this error", at: first, limit: end)
    case UInt8(ascii: "E"):
      return has("EXC_", at: first, limit: end)
        && find(" Attempted to dereference ", from: first, limit: end) != nil
    case UInt8(ascii: "="):
      return has("======= ", at: first, limit: end) || has("===== CRASH", at: first, limit: end)
    case UInt8(ascii: "@"):
      return separatorLength(at: first + 1, limit: end) > 0
        && Ascii.isDigit(self[skipSeparators(from: first + 1, limit: end)])
    case UInt8(ascii: "A"):
      return has("Assertion failed: ", at: first, limit: end)
        || has("A fatal error has been", at: first, limit: end)
        || has(ReportFacts.dereference, at: first, limit: end)
    case UInt8(ascii: "C"):
      return ["Crashed: ", "Caught signal", "Current thread 0x"].contains {
        has($0, at: first, limit: end)
      }
    case UInt8(ascii: "F"):
      // With this letter, Unreal Engine's types begin.
      if has("Frame ", at: first, limit: end) {
        return Ascii.isDigit(self[first + 6]) || self[first + 6] == UInt8(ascii: "#")
      }
      return ["Fatal Exception: ", "File \"", "Fatal Python error: ", "Frameworks/"].contains {
        has($0, at: first, limit: end)
      } || find(" Address = 0x", from: first, limit: end) != nil
    case UInt8(ascii: "N"): return has("Native frames: (", at: first, limit: end)
    case UInt8(ascii: "P"):
      return has("PC: @", at: first, limit: end)
        || has("PC=0x", at: first, limit: end)
        || has(" dumped core.", at: trimEnd(from: first, to: end) - 13, limit: end)
        || has("Problematic frame:", at: first, limit: end)
    case UInt8(ascii: "R"): return has("Received signal ", at: first, limit: end)
    case UInt8(ascii: "S"):
      return has("Stack trace of ", at: first, limit: end)
        || has("Stack backtrace:", at: first, limit: end)
        || has(Self.swiftTrap, at: first, limit: end)
        || has("SIG", at: first, limit: end)
          && find(" Attempted to dereference ", from: first, limit: end) != nil
    case UInt8(ascii: "s"):
      return has("stack backtrace:", at: first, limit: end)
        || has("signal arrived during ", at: first, limit: end)
    case UInt8(ascii: "g"): return has("goroutine ", at: first, limit: end)
    case UInt8(ascii: "r"): return has("runtime stack:", at: first, limit: end)
    case UInt8(ascii: "T"): return has("Thread ", at: first, limit: end)
    case UInt8(ascii: "U"):
      return has("Uncaught Kotlin ", at: first, limit: end)
        || has("Unhandled Exception: SIG", at: first, limit: end)
    case UInt8(ascii: "a"):
      // Frames of Kotlin/Native have numbers, and those of .NET parameters.
      return has("at ", at: first, limit: end)
        && (Ascii.isDigit(self[skipSeparators(from: first + 3, limit: end)])
          || find("(", from: first, limit: end) != nil)
    case UInt8(ascii: "f"):
      return has("frame #", at: first, limit: end)
        || has("frame ", at: first, limit: end) && Ascii.isDigit(self[first + 6])
        || has("fatal Exception: ", at: first, limit: end)
    case UInt8(ascii: "l"):
      return has("lib", at: first, limit: end)
        && (find(" (in lib", from: first, limit: end) != nil
          || find(".0x", from: first, limit: min(end, first + 80)) != nil
          || hasColumns(from: first, to: end))
    case UInt8(ascii: "p"):
      return has("pid: ", at: first, limit: end) || has("pc 0x", at: first, limit: end)
    case UInt8(ascii: "t"): return has("thread #", at: first, limit: end)
    default: return false
    }
  }

  /// Whether an address is behind the first word, and columns are around it, as Sentry's pages have
  /// them: a gap of one blank on both sides is that of a sentence.
  private func hasColumns(from first: Int, to end: Int) -> Bool {
    let limit = min(end, first + 80)
    guard let gap = find(" 0x", from: first, limit: limit) else { return false }
    var digits = gap + 3
    while digits < end, hexadecimalDigitValue(self[digits]) != nil { digits += 1 }
    guard digits + 1 < end, separatorLength(at: digits, limit: end) > 0 else { return false }
    return self[gap - 1] == Ascii.space || gap + 1 - first == Self.imageColumn
      || separatorLength(at: digits + 1, limit: end) > 0
  }

  /// Whether what a panic of Rust says is in one of the two lines above, or the key of a stack in
  /// the file that the crate `human-panic` writes.
  ///
  /// - Parameter first: the first byte of a line that is not a separator.
  func isBelowPanic(_ first: Int) -> Bool {
    var start = first
    while start > textStart, [Ascii.space, Ascii.tab].contains(self[start - 1]) { start -= 1 }
    var line = TextLine(start: start, end: start, next: start)
    for _ in 0..<2 {
      guard let above = lineAbove(line), above.end - above.start < 4096 else { return false }
      line = above
      let range = trimmed(line.start..<line.end)
      if panicStart(range) != nil || endsBoxedPanic(range) { return true }
      if ["backtrace = \"\"\"", "backtrace = '''"].contains(where: {
        has($0, at: line.start, limit: line.end)
      }) {
        return true
      }
    }
    return false
  }

  /// Whether a line begins as `[0] libobjc.A.dylib  objc_msgSend` does.
  private func isBracketedNumber(_ first: Int, _ end: Int) -> Bool {
    guard self[first + 1] == Ascii.zero || self[first + 1] == UInt8(ascii: "1"),
      has("]", at: first + 2, limit: end)
    else { return false }
    let start = has(":", at: first + 3, limit: end) ? first + 4 : first + 3
    return separatorLength(at: start, limit: end) > 0
  }

  /// Whether a line may be the first name below an exception.
  private func mayBeName(_ first: Int, _ end: Int) -> Bool {
    isBareFunction(first..<trimEnd(from: first, to: end)) && isBelowException(first)
  }

  private func isBehindBullet(_ first: Int, _ end: Int) -> Bool {
    has(" thread #", at: first + 1, limit: end) || has(" frame #", at: first + 1, limit: end)
  }
}
