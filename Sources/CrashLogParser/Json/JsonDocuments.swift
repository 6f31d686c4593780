/// The JSON objects and arrays in an input that begin a line or follow another one.
///
/// Every byte is read at most twice, whatever the input holds.
struct JsonDocuments: Sequence, IteratorProtocol {
  private let source: TextSource
  private var position: Int
  /// What belongs to other reports.
  private var exceptions: ArraySlice<Range<Int>>

  /// - Parameter exceptions: ranges to pass over, ascending.
  init(_ source: TextSource, except exceptions: [Range<Int>] = []) {
    self.source = source
    self.exceptions = exceptions[...]
    position = source.textStart
  }

  mutating func next() -> JsonDocument? {
    while position < source.count {
      let line = source.line(at: position)
      if let first = exceptions.first, line.next > first.lowerBound {
        while let range = exceptions.first, line.next > range.lowerBound {
          exceptions.removeFirst()
          position = Swift.max(position, range.upperBound)
        }
        continue
      }
      let start = source.skipSeparators(from: line.start, limit: line.end)
      guard source[start] == Ascii.openBrace || source[start] == Ascii.openBracket,
        let document = try? JsonDocument(source.bytes, in: start..<limit)
      else {
        position = line.next
        continue
      }
      let end = document.byteRange.upperBound
      position = document.damage == nil ? end : Swift.max(end, line.next)
      return document
    }
    return nil
  }

  private var limit: Int { exceptions.first?.lowerBound ?? source.count }
}
