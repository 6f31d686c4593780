import JsonReading
package import ReportModel

/// What a runtime printed before it ended a process, and the fields of a report, pasted without
/// frames: they say what happened, and that the rest is not in the text.
package enum LoneWords {
  /// The report of a text in which no other was found; nil if it has no such words.
  package static func report(in source: TextSource) -> Report? {
    var notes = HeadNotes()
    var fields: [HeaderField] = []
    var range: Range<Int>?
    var next = source.textStart
    var remaining = 4096
    while next < source.count, remaining > 0 {
      let line = source.line(at: next)
      next = line.next
      remaining -= 1
      guard line.end - line.start < 4096 else { continue }
      let start = startBehindQuote(line, source)
      let content = TextLine(start: start, end: line.end, next: line.next)
      if let field = source.fieldLine(content), FieldKeys.late.contains(source.string(field.key.range)) {
        fields.append(HeaderField(source: source, line: content, field: field))
      }
      guard let words = LastWords(content, of: source), words.isUnmistakable else { continue }
      notes.add(words, at: start)
      next = max(next, words.end)
      range = (range?.lowerBound ?? start)..<max(line.end, source.trimEnd(from: start, to: next))
    }
    guard let range else { return nil }
    var facts = ReportFacts(fields: fields, header: nil, notes: notes, crashedThread: nil)
    facts.statedCrashedThread = fields.triggeredThreadNumber
    return Report(
      format: .crashText, byteRange: range, facts: facts, images: [], backtraces: [], faults: [])
  }

  private static func startBehindQuote(_ line: TextLine, _ source: TextSource) -> Int {
    var start = source.skipSeparators(from: line.start, limit: line.end)
    while start < line.end, source[start] == UInt8(ascii: ">") {
      start = source.skipSeparators(from: start + 1, limit: line.end)
    }
    return start
  }
}

extension LastWords {
  /// Whether nothing else looks like it: other programs write `Fatal error: …` too.
  fileprivate var isUnmistakable: Bool {
    [
      "*** Terminating app due to uncaught exception '", "Uncaught Kotlin exception: ", "thread '",
      "libc++abi",
    ].contains { text.hasPrefix($0) } || text.contains(".swift:") || text.contains(".swift, line ")
  }
}
