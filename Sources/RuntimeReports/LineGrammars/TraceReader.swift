import JsonReading
package import ReportFormats
package import ReportModel
import SymbolicationModel

/// Finds and reads stack traces of all ``TraceGrammar``s.
package struct TraceReader: ReportReader {
  package init() {}

  package var formats: [ReportFormat] {
    [
      .callStack, .crashlytics, .lldbBacktrace, .gdbBacktrace, .kotlinNative, .dartTrace,
      .llvmStackDump, .glibcBacktrace, .systemdCoredump, .androidTombstone, .fortranBacktrace,
      .chromiumBacktrace, .glogBacktrace, .minidumpStackwalk, .boostStacktrace, .nodeBacktrace,
      .monoBacktrace, .unrealTrace, .javaFatalError, .pythonFault, .rustBacktrace, .goTrace,
      .bareNames, .dotNetTrace,
    ]
  }

  package var lineSigns: LineSigns {
    .beginning(TraceGrammar.allFirstBytes, words: TraceGrammar.firstWords)
  }

  /// What a line of a trace has, whatever is before it.
  package static var texts: [String] { TraceGrammar.texts }

  package func format(
    ofLine line: TextLine, at start: Int, in source: TextSource
  ) -> ReportFormat? {
    source.traceGrammar(beginningAt: line)?.format
  }

  package func streamedReport(
    from line: TextLine, in source: TextSource
  ) -> StreamedReport? {
    source.streamedTrace(from: line)
  }

  package func reports(in input: ReportInput) -> [Report] {
    guard input.detectedFormat.family == ReportFormat.callStack.family else { return [] }
    let source = input.source
    var found: [Report] = []
    var builder: TraceBuilder?
    /// Behind this offset, facts above a trace are looked for.
    var floor = source.textStart
    func finish() {
      guard let report = builder?.finish() else {
        builder = nil
        return
      }
      floor = report.byteRange.upperBound
      found.append(report)
      builder = nil
    }
    input.forEachFreeLine { line in
      guard let line else {
        finish()
        floor = source.count
        return
      }
      floor = min(floor, line.start)
      if builder?.consume(line) == true { return }
      if builder?.isClosed == true { finish() }
      guard let grammar = source.traceGrammar(beginningAt: line) else { return }
      // A trace of the same family goes on.
      guard builder?.grammar.format != grammar.format else { return }
      finish()
      // Frames above may not show that there is a trace.
      var first = line
      for _ in 0..<64 {
        guard let above = source.lineAbove(first), above.start >= floor,
          grammar.isFrameAbove(above, source)
        else { break }
        first = above
      }
      builder = TraceBuilder(input, grammar, at: first, above: floor)
      while first.start <= line.start {
        _ = builder?.consume(first)
        first = source.line(at: first.next)
      }
    }
    finish()
    return found
  }
}

/// The lines of a trace in a stream.
private struct TraceLines: StreamedLines {
  let grammar: TraceGrammar

  /// Empty lines count here, too.
  var looseLimit: Int? {
    grammar.traits.hasIndentedDetails ? nil : 16 + grammar.traits.looseLimit
  }

  func place(of line: TextLine, in source: TextSource) -> StreamedPlace {
    let range = TraceGrammar.content(of: line, in: source)
    return grammar.reading(source, range) == nil ? .loose : .part
  }
}

extension TextSource {
  /// Whether a line may have a frame of a trace in it, behind something else: an address, or the
  /// number of a frame.
  ///
  /// Texts such as change logs have `#1234` on every line, so a `#` alone is no sign.
  package func mayHoldTraceFrame(_ line: TextLine) -> Bool {
    if find("0x", from: line.start, limit: line.end) != nil { return true }
    if mayQuoteManagedFrame(line) { return true }
    var position = line.start
    while let sign = find("#", from: position, limit: line.end) {
      if frameNumberEnd(at: sign) != nil { return true }
      position = sign + 1
    }
    return false
  }

  /// Whether a line begins as a quoted frame of .NET does, which has no number and no address: `>
  /// at Game.Board.Turn() in /src/Board.cs:line 12`.
  private func mayQuoteManagedFrame(_ line: TextLine) -> Bool {
    var start = line.start
    while start < line.end, "> \t|*#/".utf8.contains(self[start]) { start += 1 }
    return start > line.start && has("at ", at: start, limit: line.end)
      && !bytes[line.start..<start].allSatisfy { $0 == Ascii.space || $0 == Ascii.tab }
  }

  /// Whether a line may have what is above the frames of a trace that no frame opens, behind
  /// something else.
  package func mayHoldTraceHead(_ line: TextLine) -> Bool {
    Self.traceHeads.contains { find($0, from: line.start, limit: line.end) != nil }
  }

  private static let traceHeads = [
    "*** ", "Exception: ", "Crashed: ", "Received signal ", "Stack trace of ", "thread #",
    "===== CRASH", "A fatal error has been detected by", "Problematic frame:",
    "Fatal Python error: ", " dumped core.", "======= Backtrace: =",
  ]

  /// Where the number of a frame (`#12 `) ends that begins at an offset; nil if none does.
  private func frameNumberEnd(at offset: Int) -> Int? {
    let start = offset + (self[offset + 1] == Ascii.space ? 2 : 1)
    var position = start
    while Ascii.isDigit(self[position]) { position += 1 }
    let digits = position - start
    guard digits > 0, digits < 5,
      self[position] <= Ascii.space || self[position] == Ascii.colon
        || separatorLength(at: position, limit: count) > 0
    else { return nil }
    return position
  }

  /// How the end of a trace in a stream is found whose line has something before it.
  package func streamedTrace(from line: TextLine) -> StreamedReport? {
    traceGrammar(beginningAt: line, looksAhead: false).map { .lines(TraceLines(grammar: $0)) }
  }

  /// Whether a line is a frame of the trace that begins with another one, or has its addresses.
  package func isFrame(_ line: TextLine, ofTraceFrom first: TextLine) -> Bool {
    guard let grammar = traceGrammar(beginningAt: first, looksAhead: false) else { return false }
    switch grammar.reading(self, TraceGrammar.content(of: line, in: self)) {
    case .frame, .addresses: return true
    case .line, nil: return false
    }
  }

  /// Whether a line says something about the trace that begins with a frame below it.
  package func isLine(_ line: TextLine, aboveTraceFrom first: TextLine) -> Bool {
    guard let grammar = traceGrammar(beginningAt: first, looksAhead: false) else { return false }
    return grammar.reading(self, TraceGrammar.content(of: line, in: self)) != nil
  }

  /// The format of the trace that begins with a line, as far as the line alone shows it.
  package func traceFormat(beginningAt line: TextLine) -> ReportFormat? {
    traceGrammar(beginningAt: line, looksAhead: false)?.format
  }

  /// The grammar of the trace that begins with a line; nil if none does.
  ///
  /// - Parameter looksAhead: whether a line that is not certain needs frames below it. In a stream
  ///   they may not have come yet.
  func traceGrammar(beginningAt line: TextLine, looksAhead: Bool = true) -> TraceGrammar? {
    let first = skipSeparators(from: line.start, limit: line.end)
    // The shortest frame has an index, an image and an address.
    guard line.end - first > 8 else { return nil }
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
      if sign != nil, !looksAhead || frameFollows(line, grammar) { return grammar }
    }
    return nil
  }

  /// The text of a line that is bold or code in Markdown as a whole: `**Uncaught Kotlin exception:
  /// …**`. Nil for other lines.
  func emphasisedText(_ range: Range<Int>) -> Range<Int>? {
    guard range.count > 4, "*_`".utf8.contains(self[range.lowerBound]) else { return nil }
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
          || separatorLength(at: position + 1, limit: end) > 0 && isBelowPanic(first)
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
          && (isBelowHeadOfOldCrashlytics(first) || endsWithOffset(position, end))
    case Ascii.slash, UInt8(ascii: "."), Ascii.openBracket, UInt8(ascii: "("):
      // The address in brackets is at the end; so is what Open MPI says above.
      let last = trimEnd(from: first, to: end)
      if byte == Ascii.openBracket, mayBeName(first, end) { return true }
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
        || has(TraceLine.dereference, at: first, limit: end)
    case UInt8(ascii: "C"):
      return ["Crashed: ", "Caught signal", "Current thread 0x"].contains {
        has($0, at: first, limit: end)
      }
    case UInt8(ascii: "F"):
      // With this letter, Unreal Engine's types begin.
      return ["Fatal Exception: ", "File \"", "Fatal Python error: "].contains {
        has($0, at: first, limit: end)
      } || find(" Address = 0x", from: first, limit: end) != nil
    case UInt8(ascii: "N"): return has("Native frames: (", at: first, limit: end)
    case UInt8(ascii: "P"):
      return has("PC: @", at: first, limit: end)
        || has(" dumped core.", at: trimEnd(from: first, to: end) - 13, limit: end)
        || has("Problematic frame:", at: first, limit: end)
    case UInt8(ascii: "R"): return has("Received signal ", at: first, limit: end)
    case UInt8(ascii: "S"):
      return has("Stack trace of ", at: first, limit: end)
        || has("Stack backtrace:", at: first, limit: end)
        || has(Self.swiftTrap, at: first, limit: end)
        || has("SIG", at: first, limit: end)
          && find(" Attempted to dereference ", from: first, limit: end) != nil
    case UInt8(ascii: "s"): return has("stack backtrace:", at: first, limit: end)
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
      if panicStart(trimmed(line.start..<line.end)) != nil { return true }
      if ["backtrace = \"\"\"", "backtrace = '''"].contains(where: {
        has($0, at: line.start, limit: line.end)
      }) {
        return true
      }
    }
    return false
  }

  /// Whether a line may be the first name below an exception.
  private func mayBeName(_ first: Int, _ end: Int) -> Bool {
    isBareFunction(first..<trimEnd(from: first, to: end)) && isBelowException(first)
  }

  private func isBehindBullet(_ first: Int, _ end: Int) -> Bool {
    has(" thread #", at: first + 1, limit: end) || has(" frame #", at: first + 1, limit: end)
  }

  /// Behind separators, and the bar of a table.
  private func columnStart(from position: Int, limit: Int) -> Int {
    let start = skipSeparators(from: position, limit: limit)
    return start < limit && self[start] == UInt8(ascii: "|")
      ? skipSeparators(from: start + 1, limit: limit) : start
  }

  /// Whether a word is the name of a library that stacks of crashes end in.
  private func isSystemImage(_ start: Int, _ limit: Int) -> Bool {
    var end = start
    while end < limit, separatorLength(at: end, limit: limit) == 0 { end += 1 }
    return end - start > 6 && has(".dylib", at: end - 6, limit: end)
      || Self.systemFrameworks.contains {
        has($0, at: start, limit: end) && end - start == $0.utf8.count
      }
  }

  private static let systemFrameworks = [
    "CoreFoundation", "Foundation", "UIKitCore", "UIKit", "AppKit", "JavaScriptCore", "WebCore",
    "WebKit", "SwiftUI", "QuartzCore",
  ]

  /// Whether a line ends with ` + 22456`, as a function with the distance from its start does.
  private func endsWithOffset(_ start: Int, _ end: Int) -> Bool {
    let last = trimEnd(from: start, to: end)
    var digits = last
    while digits > start, Ascii.isDigit(self[digits - 1]) { digits -= 1 }
    return digits < last && last - digits < 8 && has(" + ", at: digits - 3, limit: last)
  }

  /// Whether a frame is the first of several that have names with offsets, or where no code is:
  ///
  /// ```text
  /// 0   ???     0x0
  /// 1   Board   turn(Tile*, unsigned int&) + 22456
  /// ```
  func beginsNamedFrames(_ frame: LineMatch) -> Bool {
    guard frame.integer(.index, self) == 0, let image = frame[.image] else { return false }
    let isNowhere = frame[.address] != nil && string(image) == "???"
    guard isNowhere || hasOffset(frame) else { return false }
    let next = line(at: line(at: image.upperBound).next)
    let below = TraceGrammar.bareNames.frame(self, TraceGrammar.content(of: next, in: self))
    return below?.integer(.index, self) == 1 && below.map(hasOffset) == true
  }

  /// Whether a frame has a function with the distance from its start behind its image.
  private func hasOffset(_ frame: LineMatch) -> Bool {
    guard frame[.address] == nil, let content = frame[.content], frame[.image] != nil else {
      return false
    }
    return FrameContentReader(source: self, range: content).read().traceSymbol?.offset != nil
  }

  /// Whether a frame without an address is the first of several.
  func beginsBareNames(_ frame: LineMatch) -> Bool {
    guard let image = frame[.image],
      isSystemImage(image.lowerBound, image.upperBound) || isInTable(frame)
    else { return false }
    var next = line(at: line(at: image.upperBound).next)
    // A table of Markdown has its first frame above the rule.
    let rule = trimmed(next.start..<next.end)
    if !rule.isEmpty, rule.count < 64, bytes[rule].contains(UInt8(ascii: "|")),
      bytes[rule].allSatisfy({ "-|: ".utf8.contains($0) })
    {
      next = line(at: next.next)
    }
    let below = TraceGrammar.bareNames.frame(self, TraceGrammar.content(of: next, in: self))
    guard let index = frame.integer(.index, self) else {
      return below != nil && below?[.index] == nil
    }
    return below?.integer(.index, self) == index + 1
  }

  /// Whether a frame is in a table, and has a function with the distance from its start.
  private func isInTable(_ frame: LineMatch) -> Bool {
    guard frame.integer(.index, self) == 0, let index = frame[.index], let image = frame[.image],
      let content = frame[.content], isBar(between: index.upperBound, image.lowerBound),
      isBar(between: image.upperBound, content.lowerBound)
    else { return false }
    return FrameContentReader(source: self, range: content).read().traceSymbol?.offset != nil
  }

  /// Whether nothing but a bar and blanks is between two cells.
  private func isBar(between start: Int, _ end: Int) -> Bool {
    let gap = trimmed(start..<end)
    return gap.count == 1 && self[gap.lowerBound] == UInt8(ascii: "|")
  }

  /// Whether a line that has the shape of a frame is one.
  private func isTraceFrame(
    _ frame: LineMatch, of grammar: TraceGrammar, _ line: TextLine, _ looksAhead: Bool
  ) -> Bool {
    switch grammar.traits.sign(frame, self) {
    case .trace: true
    case .traceIfMoreFollow: !looksAhead || frameFollows(line, grammar)
    case .table:
      isTableFrame(
        frame, line, hasOffsets: grammar.traits.hasOffsetsAsAddresses, looksAhead)
    case .none: false
    }
  }

  /// Whether a line with an index, a name, an address and a symbol is a frame that belongs to no
  /// report in Apple's text format.
  private func isTableFrame(
    _ frame: LineMatch, _ line: TextLine, hasOffsets: Bool, _ looksAhead: Bool
  ) -> Bool {
    guard let address = frame.number(.address, self), let index = frame.integer(.index, self),
      let image = frame[.image], image.count < 128,
      (address < TraceGrammar.offsetLimit) == hasOffsets
    else { return false }
    guard let content = frame[.content] else {
      // LLVM without symbols. The address has all its digits.
      guard frame[.address]?.count == 18, !hasOffsets else { return false }
      return looksAhead ? isFollowed(line, by: index + 1) : index == 0
    }
    // Apple's text states where the image is, or its line is not one of these at all.
    let reader = FrameContentReader(source: self, range: content)
    let known =
      reader.read().traceSymbol ?? string(content).symbolAndHexadecimalOffset.map {
        FrameSymbol(name: $0.name, offset: $0.offset)
      } ?? (index == 0 && looksAhead ? reader.bareName() : nil)
    guard let symbol = known else { return false }
    guard looksAhead else { return index == 0 || address >= 0x1_0000_0000 && symbol.offset != nil }
    // One line alone may be anything.
    let gap = self.line(at: line.next)
    // Where frames were left out, others may be first.
    let isAboveGap =
      isEllipsis(gap) && callStackFrame(self.line(at: gap.next))?[.address] != nil
    guard isFollowed(line, by: index + 1) || isAboveGap else { return false }
    return !isInReport(line)
  }

  private func isFollowed(_ line: TextLine, by index: Int) -> Bool {
    line.next < count
      && callStackFrame(self.line(at: line.next))?.integer(.index, self) == index
  }

  private func callStackFrame(_ line: TextLine) -> LineMatch? {
    TraceGrammar.callStack.frame(self, TraceGrammar.content(of: line, in: self))
  }

  /// `...`, where somebody left something out.
  func isEllipsis(_ line: TextLine) -> Bool {
    let range = trimmed(line.start..<line.end)
    return string(range) == "…"
      || range.count > 1 && range.count < 8
        && bytes[range].allSatisfy { $0 == UInt8(ascii: ".") }
  }

  /// Whether frames are a fragment of a report in Apple's text format: a frame below states the
  /// load address of its image, or a heading of such a report follows.
  ///
  /// - Complexity: a run of frames is looked at once, from its first line.
  private func isInReport(_ line: TextLine) -> Bool {
    if let above = lineAbove(line), case .frame(let frame, _) = frameLine(above),
      frame.content.traceSymbol != nil
    {
      return true
    }
    var next = line.next
    for _ in 0..<1000 where next < count {
      let line = self.line(at: next)
      next = line.next
      if isBlank(line) { continue }
      guard case .frame(let frame, let address) = frameLine(line) else {
        return threadLine(line) != nil || sectionHeading(line) == .images
      }
      if frame.isUnmistakable(address) { return true }
    }
    return false
  }

  /// Whether a frame is among the next lines.
  private func frameFollows(_ line: TextLine, _ grammar: TraceGrammar) -> Bool {
    var next = line.next
    var remaining = grammar.traits.looseLimit + 8
    while next < count, remaining > 0 {
      let line = self.line(at: next)
      next = line.next
      guard !isBlank(line) else { continue }
      remaining -= 1
      switch grammar.reading(self, TraceGrammar.content(of: line, in: self)) {
      case .frame, .addresses: return true
      case .line, nil: continue
      }
    }
    return false
  }
}

extension FrameContent {
  /// The symbol of a trace's frame; nil for what reports have in its place.
  var traceSymbol: FrameSymbol? {
    switch self {
    case .symbolicated(let symbol), .atos(let symbol, _): symbol
    case .unsymbolicated, .sideBySide, .unknown, .unparsed: nil
    }
  }
}
