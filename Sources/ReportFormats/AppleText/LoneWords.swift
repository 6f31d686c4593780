import JsonReading
package import ReportModel

/// What a runtime printed before it ended a process, and the fields of a report, pasted without
/// frames: they say what happened, and that the rest is not in the text.
package enum LoneWords {
  /// The report of a text in which no other was found; nil if it has no such words.
  package static func report(in source: TextSource) -> Report? {
    var notes = HeadNotes()
    var fields: [HeaderField] = []
    var limit: Limit?
    var range: Range<Int>?
    var next = source.textStart
    for _ in 0..<lineLimit where next < source.count {
      let line = source.line(at: next)
      next = line.next
      guard line.end - line.start < 4096 else { continue }
      let content = TextLine(
        start: startBehindQuote(line, source), end: line.end, next: line.next)
      var isTelling = false
      if let field = source.fieldLine(content) {
        let key = source.string(field.key.range)
        if FieldKeys.late.contains(key) {
          fields.append(HeaderField(source: source, line: content, field: field))
          isTelling = telling.contains(key)
        }
      }
      limit = limit ?? Limit(content, of: source)
      if let words = LastWords(content, of: source), words.isUnmistakable {
        notes.add(words, at: content.start)
        next = max(next, words.end)
        isTelling = true
      } else {
        notes.take(content, of: source)
      }
      if isTelling || limit != nil && range == nil {
        range = (range?.lowerBound ?? content.start)..<line.end
      }
    }
    guard let range else { return nil }
    var facts = ReportFacts(fields: fields, header: nil, notes: notes, crashedThread: nil)
    facts.statedCrashedThread = fields.triggeredThreadNumber
    limit?.write(to: &facts)
    return Report(
      format: .crashText, byteRange: range, facts: facts, images: [], backtraces: [], faults: [])
  }

  private static let telling: Set = ["Exception Type", "Termination Reason"]
  private static let lineLimit = 4096

  private static func startBehindQuote(_ line: TextLine, _ source: TextSource) -> Int {
    var start = source.skipSeparators(from: line.start, limit: line.end)
    while start < line.end, source[start] == UInt8(ascii: ">") {
      start = source.skipSeparators(from: start + 1, limit: line.end)
    }
    return start
  }

  /// `EXC_RESOURCE -> Game[478] exceeded mem limit: ActiveHard 24 MB (fatal)`
  ///
  /// Source: XNU, bsd/kern/kern_memorystatus.c (`memorystatus_log_exception`).
  private struct Limit {
    private let process: ReportFacts.ProcessReference
    private let words: String

    init?(_ line: TextLine, of source: TextSource) {
      let mark = "EXC_RESOURCE -> "
      guard let start = source.find(mark, from: line.start, limit: line.end),
        let end = source.find(" exceeded ", from: start, limit: line.end)
      else { return nil }
      process = ReportFacts.ProcessReference(
        source.string(start + mark.utf8.count..<end))
      words = source.string(source.trimmed(end..<line.end))
    }

    func write(to facts: inout ReportFacts) {
      facts.process.name = process.name
      facts.process.identifier = process.identifier
      facts.exception.type = "EXC_RESOURCE"
      facts.applicationInformation.append(words)
    }
  }
}

extension LastWords {
  /// Whether nothing else looks like it: other programs write `Fatal error: …` too.
  fileprivate var isUnmistakable: Bool {
    [
      "*** Terminating app due to uncaught exception '", "Uncaught Kotlin exception: ", "thread '",
      "libc++abi", "Main Thread Checker: ",
    ].contains { text.hasPrefix($0) }
      || [".swift:", ".swift, line ", ": failed assertion `"].contains { text.contains($0) }
  }
}
