/// Finds the Swift backtraces as JSON in an input, wherever on a line one begins. The runtime prints the
/// line `*** Signal 11: Backtracing from … done ***` before it, unless it writes to a file.
enum SwiftBacktraceJsonFinder {
  /// All reports, in the order of the input.
  ///
  /// - Parameter ranges: what is read by another parser, in ascending order.
  static func reports(
    in source: TextSource, passingOver ranges: [Range<Int>]
  ) -> [SwiftBacktraceReport] {
    var reports: [SwiftBacktraceReport] = []
    var foreignRanges = ranges[...]
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      next = line.next
      if let range = foreignRanges.first, line.next > range.lowerBound {
        foreignRanges.removeFirst()
        next = max(line.start, range.upperBound)
        continue
      }
      let start = source.skipSeparators(from: line.start, limit: line.end)
      guard source[start] == Ascii.openBrace,
        let document = try? JsonDocument(source.bytes, in: start..<source.count)
      else { continue }
      next = max(next, document.byteRange.upperBound)
      if document.root["kind"]?.string == "crashReport",
        document.root["threads"]?.kind == .array
      {
        reports.append(SwiftBacktraceReport(document))
      }
    }
    return reports
  }
}
