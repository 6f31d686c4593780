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

/// The documents that readers found in an input, so that the next reader need not read them again.
///
/// It keeps the first few, which is all that an input with one report has.
package final class JsonDocumentMemory {
  private let bytes: [UInt8]
  private var known: [JsonDocument] = []
  /// How often a document was read.
  private(set) var readingCount = 0

  private static let limit = 4

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value at the start of `range`, after any white space; nil if none begins there.
  package func document(in range: Range<Int>) -> JsonDocument? {
    var start = max(range.lowerBound, 0)
    while start < min(range.upperBound, bytes.count), Ascii.isJsonSpace(bytes[start]) { start += 1 }
    let found = known.first {
      $0.byteRange.lowerBound == start && $0.byteRange.upperBound <= range.upperBound
    }
    if let found { return found }
    readingCount += 1
    guard let document = try? JsonDocument(bytes, in: range) else { return nil }
    // What is complete between two brackets is the same wherever reading would have ended.
    if document.damage == nil, document.root.isContainer, known.count < Self.limit {
      known.append(document)
    }
    return document
  }
}
