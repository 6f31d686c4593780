extension ReportInput {
  /// Calls `body` for each line that belongs to no other report, and with nil wherever such a
  /// report is in between.
  func forEachFreeLine(_ body: (TextLine?) -> Void) {
    var lines = FreeLines(source, outside: claimedRanges)
    while let line = lines.next() {
      if lines.isBehindReport { body(nil) }
      body(line)
    }
  }
}
