extension TextSource {
  /// Whether a report certainly begins with this line, in a format that is neither JSON nor Apple's
  /// text.
  ///
  /// It is asked for every line below another report, so it decides by the first byte if it can.
  func beginsOtherReport(_ line: TextLine) -> Bool {
    func begins(_ text: String) -> Bool { has(text, at: line.start, limit: line.end) }
    switch self[line.start] {
    case UInt8(ascii: "A"): return sampleStarts(at: line)
    case UInt8(ascii: "S"): return sampleStarts(at: line) && isFollowedByAnalysis(line)
    case UInt8(ascii: "D"):
      return begins("Date/Time:") && ReportFormat.diagnostic(in: self, from: line) != nil
    case UInt8(ascii: "p"): return isPanicStart(line)
    case UInt8(ascii: "*"):
      return isPanicTitle(line) || swiftBacktraceHeadline(line) != nil
    case 0xF0: return swiftBacktraceHeadline(line) != nil
    default: return false
    }
  }

  /// Whether a line is the first of a sample, and not one that `sample` printed into a log: the
  /// name of the process follows a few lines below.
  private func isFollowedByAnalysis(_ line: TextLine) -> Bool {
    var next = line.next
    for _ in 0..<4 where next < count {
      let line = self.line(at: next)
      next = line.next
      if has("Analysis of sampling ", at: line.start, limit: line.end) { return true }
    }
    return false
  }

  /// Whether an object begins with this line, or a list of objects.
  func beginsDocument(_ line: TextLine) -> Bool {
    let next = skipSeparators(from: line.start + 1, limit: line.end)
    switch self[line.start] {
    case Ascii.openBrace: return next == line.end || self[next] == Ascii.quote
    case Ascii.openBracket: return next == line.end || self[next] == Ascii.openBrace
    default: return false
    }
  }
}
