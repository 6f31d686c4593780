/// Walks the lines of the input and cuts them into reports.
struct TextReportParser {
  private let source: TextSource
  private var reports: [CrashReport] = []
  private var builder: TextReportBuilder?
  private var fragments = FragmentFinder()

  /// What is read by another parser, in ascending order: it belongs to no text.
  private var foreignRanges: ArraySlice<Range<Int>>

  init(source: TextSource, passingOver ranges: [Range<Int>] = []) {
    self.source = source
    self.foreignRanges = ranges[...]
  }

  /// All reports, in the order of the input.
  mutating func parse() -> [CrashReport] {
    var next = source.textStart
    while next < source.count {
      let line = source.line(at: next)
      if let range = foreignRanges.first, line.next > range.lowerBound {
        finishReport()
        foreignRanges.removeFirst()
        next = max(next, range.upperBound)
        continue
      }
      if builder != nil, builder?.isFollowedByReport(at: line) == true { finishReport() }
      if builder == nil {
        guard open(at: line) else {
          next = line.next
          continue
        }
      }
      next = builder?.consume(line) ?? line.next
      if builder?.isClosed == true { finishReport() }
    }
    finishReport()
    return reports
  }

  private mutating func open(at line: TextLine) -> Bool {
    guard let start = source.reportStart(line, fragments: &fragments) else { return false }
    builder = TextReportBuilder(source: source, start: line, kind: start)
    return true
  }

  private mutating func finishReport() {
    if let report = builder?.finish() { reports.append(report) }
    builder = nil
  }
}
