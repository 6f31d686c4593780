import ReportFormats
package import ReportModel

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
