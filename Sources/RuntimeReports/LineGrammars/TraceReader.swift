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
      .swiftServerBacktrace, .chromiumBacktrace, .glogBacktrace, .minidumpStackwalk,
      .boostStacktrace, .nodeBacktrace,
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
    Self.traceHeads.isAny(in: line.start..<line.end, of: self)
      || find("*** ", from: line.start, limit: line.end) != nil
  }

  private static let traceHeads = TextSigns([
    "Exception: ", "Crashed: ", "Received signal ", "Stack trace of ", "thread #",
    "===== CRASH", "A fatal error has been detected by", "Problematic frame:",
    "Fatal Python error: ", " dumped core.", "======= Backtrace: =",
  ])

  /// Where the number of a frame (`#12 `) ends that begins at an offset; nil if none does.
  func frameNumberEnd(at offset: Int) -> Int? {
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
}

/// The head of a tombstone of Android whose stack is not in the text.
package enum TombstoneHead {
  /// Nil if the text has no such head. It has the line of the process and that of the signal.
  package static func report(in source: TextSource) -> Report? {
    let grammar = TraceGrammar.androidTombstone
    var facts = ReportFacts()
    var range: Range<Int>?
    var next = source.textStart
    var remaining = 4096
    while next < source.count, remaining > 0 {
      let line = source.line(at: next)
      next = line.next
      remaining -= 1
      // The log puts its tag in front: `F/DEBUG(1234): `, `1234 F DEBUG   : `.
      let limit = min(line.end, line.start + 80)
      let tags = ["): ", " : "].map { source.find($0, from: line.start, limit: limit) }
      for start in [line.start] + tags.compactMap({ $0.map { $0 + 3 } }) {
        let content = source.trimmed(start..<line.end)
        guard !content.isEmpty, content.count < 4096,
          case .line(let rule, let match)? = grammar.reading(source, content)
        else { continue }
        facts.take(match, source, title: rule.title)
        range = (range?.lowerBound ?? line.start)..<line.end
        break
      }
    }
    guard let range, facts.process.identifier != nil, facts.exception.signal != nil else {
      return nil
    }
    return Report(
      format: .androidTombstone, byteRange: range, facts: facts, images: [], backtraces: [],
      faults: [])
  }
}
