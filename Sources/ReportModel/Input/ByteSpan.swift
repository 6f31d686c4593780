import JsonReading

/// A half-open range of offsets in the input. It is half the size of a `Range<Int>`, because the
/// parser keeps several for each line of a report. ``CrashLogParser/parse(_:)`` rejects inputs too
/// large for 32-bit offsets.
package struct ByteSpan: Hashable, Sendable {
  private let start: UInt32
  private let end: UInt32

  package init(_ start: Int, _ end: Int) {
    self.start = UInt32(clamping: start)
    self.end = max(self.start, UInt32(clamping: end))
  }

  package static let empty = ByteSpan(0, 0)

  package var lowerBound: Int { Int(start) }
  package var upperBound: Int { Int(end) }
  package var range: Range<Int> { Int(start)..<Int(end) }
  package var isEmpty: Bool { start == end }
}
