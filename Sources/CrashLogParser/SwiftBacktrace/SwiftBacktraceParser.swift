/// Finds the Swift backtraces in an input, whatever stands around them.
struct SwiftBacktraceParser {
  private let source: TextSource
  private var reports: [SwiftBacktraceReport] = []
  private var builder: SwiftBacktraceBuilder?

  /// What is read by another parser, in ascending order: it belongs to no Swift backtrace.
  private var foreignRanges: ArraySlice<Range<Int>>

  init(source: TextSource, passingOver ranges: [Range<Int>] = []) {
    self.source = source
    self.foreignRanges = ranges[...]
  }

  /// All reports, in the order of the input.
  mutating func parse() -> [SwiftBacktraceReport] {
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      if let range = foreignRanges.first, line.next > range.lowerBound {
        finishReport()
        foreignRanges.removeFirst()
        next = max(next, range.upperBound)
        continue
      }
      next = line.next
      if let headline = source.swiftBacktraceHeadline(line) {
        if builder?.continues(with: headline, line) == true { continue }
        finishReport()
        builder = SwiftBacktraceBuilder(
          source: source, start: line, prefixWidth: prefixWidth(headline, line), headline)
      } else {
        builder?.consume(line)
      }
      if builder?.isClosed == true { finishReport() }
    }
    finishReport()
    return reports
  }

  private mutating func finishReport() {
    if let report = builder?.finish() { reports.append(report) }
    builder = nil
  }

  /// What stands before the headline stands before every line, or the program did not end a line of
  /// its own: the heading of a thread, some lines below, tells which.
  private func prefixWidth(_ headline: SwiftBacktraceHeadline, _ line: TextLine) -> Int {
    guard headline.column > 0 else { return 0 }
    var next = line.next
    for _ in 0..<16 where next < source.count {
      let line = source.line(at: next)
      next = line.next
      for width in [0, headline.column]
      where PlainLine(source, line, prefixWidth: width).threadHeading() != nil {
        return width
      }
    }
    return 0
  }
}

extension TextSource {
  /// What the line says, where it is a headline of a Swift backtrace.
  func swiftBacktraceHeadline(_ line: TextLine) -> SwiftBacktraceHeadline? {
    let mayBe = bytes[line.start..<line.end].contains { $0 == UInt8(ascii: "*") || $0 == 0xF0 }
    return mayBe ? PlainLine(self, line, prefixWidth: 0).headline() : nil
  }
}
