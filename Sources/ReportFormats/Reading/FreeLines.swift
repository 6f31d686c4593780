package import ReportModel

/// The lines of an input that touch no report that was found so far. What stands on a line behind
/// such a report counts as a line.
package struct FreeLines {
  private let source: TextSource
  private var claimedRanges: ArraySlice<Range<Int>>
  private var position: Int
  private var lines: LineMemory
  /// Whether a report stands between the last line and the one before it.
  private(set) var isBehindReport = false

  /// - Parameter claimedRanges: the reports, ascending.
  package init(_ source: TextSource, outside claimedRanges: [Range<Int>]) {
    self.source = source
    self.claimedRanges = claimedRanges[...]
    position = source.textStart
    lines = LineMemory(source)
  }

  package mutating func next() -> TextLine? {
    isBehindReport = false
    while position < source.count {
      let line = lines.line(at: position)
      guard let range = claimedRanges.first, line.next > range.lowerBound else {
        position = line.next
        return line
      }
      isBehindReport = true
      claimedRanges.removeFirst()
      position = max(line.start, range.upperBound)
    }
    return nil
  }

  /// Goes on at this offset, if it is behind the last line.
  package mutating func skip(to offset: Int) { position = max(position, offset) }

  /// Goes on at this offset, which may be on the last line.
  mutating func goOn(at offset: Int) { position = offset }

  /// Where the next report begins; the end of the input if there is none.
  package var limit: Int { claimedRanges.first?.lowerBound ?? source.count }
}
