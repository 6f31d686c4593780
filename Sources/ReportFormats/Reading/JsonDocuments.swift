package import JsonReading
package import ReportModel

/// The JSON objects and arrays in an input that begin a line or follow another one.
///
/// Every byte is read at most twice, whatever the input holds.
package struct JsonDocuments: Sequence, IteratorProtocol {
  private let source: TextSource
  private let read: (Range<Int>) -> JsonDocument?
  private var lines: FreeLines

  /// Those that belong to no report that was found so far.
  package init(_ input: ReportInput) {
    self.init(input.source, except: input.claimedRanges, read: { input.jsonDocument(in: $0) })
  }

  package init(_ source: TextSource) {
    self.init(source, except: [], read: { try? JsonDocument(source.bytes, in: $0) })
  }

  /// - Parameter exceptions: ranges to pass over, ascending.
  private init(
    _ source: TextSource, except exceptions: [Range<Int>],
    read: @escaping (Range<Int>) -> JsonDocument?
  ) {
    self.source = source
    self.read = read
    lines = FreeLines(source, outside: exceptions)
  }

  package mutating func next() -> JsonDocument? {
    while let line = lines.next() {
      let start = source.skipSeparators(from: line.start, limit: line.end)
      guard source[start] == Ascii.openBrace || source[start] == Ascii.openBracket,
        let document = read(start..<lines.limit)
      else { continue }
      let end = document.byteRange.upperBound
      lines.goOn(at: document.damage == nil ? end : Swift.max(end, line.next))
      return document
    }
    return nil
  }
}
