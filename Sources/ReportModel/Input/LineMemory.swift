import JsonReading

/// Finds lines, and looks for the end of each line once. A line of JSON may hold any number of
/// reports, and each reader asks for the rest of the line behind each of them.
package struct LineMemory {
  private let source: TextSource
  private var last = TextLine(start: 0, end: 0, next: 0)

  package init(_ source: TextSource) { self.source = source }

  /// The rest of a line from `start` on, as ``TextSource/line(at:)`` has it.
  package mutating func line(at start: Int) -> TextLine {
    if start >= last.start, start < last.next {
      return TextLine(start: start, end: max(start, last.end), next: last.next)
    }
    last = source.line(at: start)
    return last
  }
}
