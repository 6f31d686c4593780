extension ReportInput {
  /// Calls `body` for each line that belongs to no other report, and with nil wherever such a
  /// report is in between.
  func forEachFreeLine(_ body: (TextLine?) -> Void) {
    let source = self.source
    var claimed = claimedRanges[...]
    var lines = LineMemory(source)
    var next = source.textStart
    while next < source.count {
      let line = lines.line(at: next)
      next = line.next
      if let range = claimed.first, line.next > range.lowerBound {
        body(nil)
        claimed.removeFirst()
        next = max(line.start, range.upperBound)
      } else {
        body(line)
      }
    }
  }
}
